// SPDX-License-Identifier: MIT
#include "api/guarded.h"
#include "api/scene_impl.h"
#include "compute/scene/scene_warnings.h"
#include "files/base/text_file.h"
#include "files/scene/scene_error.h"
#include "files/scene/scene_files.h"
#include "files/scene/scene_reader.h"
#include "files/scene/scene_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

namespace wisp {
namespace {

std::string numberText(double x) {
    if (std::isnan(x)) return "nan";
    if (std::isinf(x)) return x > 0.0 ? "inf" : "-inf";
    return x == std::floor(x) && std::abs(x) < 1e15 ? fmt::format("{:.0f}", x) : fmt::format("{}", x);
}

std::string quoted(const std::string& text) {
    std::ostringstream out;
    out << toml::toml_formatter(toml::value<std::string>(text), toml::format_flags::none);
    return out.str();
}

template <class Numbers>
std::string listText(const Numbers& numbers) {
    std::vector<std::string> texts;
    for (const double x : numbers) texts.push_back(numberText(x));
    return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// Runs `change`, which must leave names and types right; otherwise the scene is as before.
template <class Change>
void changed(Scene::Impl& scene, Change&& change) {
    const std::vector<Override> before = scene.overrides;
    try {
        change(scene.overrides);
        (void)scene.read(false);
    } catch (...) {
        scene.overrides = before;
        throwError();
    }
    scene.known.reset();
}

}  // namespace

Value::Value(bool value) : text_(value ? "true" : "false") {}
Value::Value(int value) : text_(fmt::format("{}", value)) {}
Value::Value(long long value) : text_(fmt::format("{}", value)) {}
Value::Value(unsigned value) : text_(fmt::format("{}", value)) {}
Value::Value(double value) : text_(numberText(value)) {}
Value::Value(const char* text) : text_(quoted(text)) {}
Value::Value(const std::string& text) : text_(quoted(text)) {}
Value::Value(std::initializer_list<double> numbers) : text_(listText(numbers)) {}
Value::Value(const std::vector<double>& numbers) : text_(listText(numbers)) {}

Value Value::toml(std::string text) {
    Value value;
    value.text_ = std::move(text);
    return value;
}

Scene::Scene() : impl_(std::make_unique<Impl>()) {}
Scene::Scene(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Scene::Scene(const Scene& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Scene& Scene::operator=(const Scene& other) {
    if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
    return *this;
}
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;

Scene Scene::load(const std::string& fileOrName) {
    return guarded([&] {
        const std::filesystem::path path = findScene(fileOrName);
        auto impl = std::make_unique<Impl>();
        try {
            impl->text = readText(path, kMaxSceneBytes);
        } catch (const std::runtime_error& e) {
            throw Error(ErrorCode::File, fmt::format("{}: {}", path.string(), e.what()));
        }
        impl->file = path.string();
        (void)impl->settings();
        return Scene(std::move(impl));
    });
}

Scene Scene::parse(std::string_view toml, const std::string& folder) {
    return guarded([&] {
        auto impl = std::make_unique<Impl>();
        impl->text = toml;
        impl->file = (std::filesystem::path(folder) / impl->file).string();
        (void)impl->settings();
        return Scene(std::move(impl));
    });
}

std::vector<std::string> Scene::builtIn() {
    return guarded([] { return builtInScenes(); });
}

Scene& Scene::set(const std::string& key, const Value& value) {
    changed(*impl_, [&](std::vector<Override>& overrides) {
        std::erase_if(overrides, [&](const Override& o) { return o.key == key && !o.append; });
        overrides.push_back({.option = fmt::format("{} = {}", key, value.text()), .key = key, .value = value.text()});
    });
    return *this;
}

Scene& Scene::add(const std::string& list, const std::string& keys) {
    changed(*impl_, [&](std::vector<Override>& overrides) {
        overrides.push_back({.option = fmt::format("a new element of {}", list), .key = list, .value = keys, .append = true});
    });
    return *this;
}

std::string Scene::get(const std::string& key) const {
    return guarded([&] {
        const auto values = sceneValues(impl_->read(false));
        if (const auto found = values.find(key); found != values.end()) return found->second;
        throw Error(ErrorCode::Scene, fmt::format("there is no key \"{}\" outside of lists", key), {{"", 0, 0, key, "is not a key"}});
    });
}

void Scene::check() const {
    guarded([&] { (void)impl_->settings(); });
}

std::vector<SceneProblem> Scene::warnings() const {
    return guarded([&] {
        std::vector<SceneProblem> list;
        for (const Problem& p : sceneWarnings(impl_->settings())) list.push_back({impl_->file, 0, 0, p.key, p.message});
        return list;
    });
}

std::string Scene::toml(const std::string& folder) const {
    return guarded([&] { return writeScene(impl_->settings(), folder); });
}

}  // namespace wisp
