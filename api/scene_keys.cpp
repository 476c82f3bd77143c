// SPDX-License-Identifier: MIT
#include "api/scene_keys.h"

#include "api/guarded.h"
#include "api/scene_impl.h"
#include "compute/sim/field_reader.h"
#include "files/scene/path_visitor.h"
#include "files/scene/scene_keys.h"
#include "files/scene/scene_writer.h"
#include "files/scene/simulated_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <type_traits>
#include <utility>

namespace wisp {
namespace {

/// Type, number of numbers and names of a value.
struct Describe {
    SceneKey& key;
    void operator()(const bool*) const { key.type = SceneKey::Type::Boolean; }
    void operator()(const std::uint32_t*) const { key.type = SceneKey::Type::Integer; }
    void operator()(const float*) const { key.type = SceneKey::Type::Real; }
    void operator()(const std::string*) const { key.type = SceneKey::Type::Text; }
    void operator()(const AutoNumber&) const { key.type = SceneKey::Type::AutoInteger; }
    void operator()(const Choice& c) const {
        key.type = SceneKey::Type::Choice;
        key.choices = *c.names;
    }
    void operator()(const Words& w) const {
        key.type = SceneKey::Type::Choices;
        key.choices = *w.names;
    }
    template <class T>
    void operator()(const std::optional<T>*) const {
        (*this)(static_cast<const T*>(nullptr));
        key.optional = true;
    }
    template <int N, class T, glm::qualifier Q>
    void operator()(const glm::vec<N, T, Q>*) const {
        key.type = std::is_same_v<T, float> ? SceneKey::Type::Real : SceneKey::Type::Integer;
        key.count = N;
    }
};

/// The number that the shortest text of `x` denotes: 0.001, not 0.0010000000474974513.
double decimal(float x) { return std::stod(fmt::format("{}", x)); }

/// Visits tables and reports nothing.
class Silent : public PathVisitor {
public:
    void table(const std::string& name, const std::function<void()>& keys) override { within(name, keys); }
    void fail(const std::string&, const std::string&) override {}
};

class Lister : public Silent {
public:
    explicit Lister(bool fill = false) : fill_(fill) {}
    ListedKeys found;
    bool key(const std::string& name, KeyValue value, const KeyInfo& about) override {
        SceneKey key{.path = path_ + name, .value = valueText(value, about), .unit = about.unit, .help = about.help};
        key.low = decimal(about.low);
        key.high = decimal(about.high);
        key.logarithmic = about.kind == KeyInfo::Kind::Logarithmic;
        key.colour = about.kind == KeyInfo::Kind::Colour;
        std::visit(Describe{key}, value);
        found.keys.push_back(std::move(key));
        return true;
    }
    void list(const std::string& name, const List& list) override {
        found.counts[path_ + name] = list.size;
        const std::size_t size = fill_ ? std::max<std::size_t>(list.size, 1) : list.size;
        if (size > list.size) list.resize(size);
        for (std::size_t i = 0; i < size; ++i) within(fmt::format("{}[{}]", name, i), [&] { list.keys(i); });
    }

private:
    bool fill_;  ///< lists get an element, for its keys
};

class Eraser : public Silent {
public:
    Eraser(std::string list, std::size_t index) : list_(std::move(list)), index_(index) {}
    bool done = false;
    bool key(const std::string&, KeyValue, const KeyInfo&) override { return true; }
    void list(const std::string& name, const List& list) override {
        if (path_ + name == list_ && index_ < list.size) {
            list.erase(index_);
            done = true;
            return;
        }
        for (std::size_t i = 0; i < list.size; ++i) within(fmt::format("{}[{}]", name, i), [&] { list.keys(i); });
    }

private:
    std::string list_;
    std::size_t index_;
};

}  // namespace

ListedKeys listKeys(const Settings& settings, const std::filesystem::path& folder) {
    Lister lister;
    Settings copy = settings;
    visitScene(lister, copy, folder);
    return std::move(lister.found);
}

std::vector<SceneKey> listAllKeys() {
    Lister lister(true);
    Settings settings;
    visitScene(lister, settings, {});
    return std::move(lister.found.keys);
}

std::vector<std::string> Scene::fields() const {
    return guarded([&] {
        std::vector<std::string> names;
        for (const ReadableField& f : readableFields(impl_->settings())) names.emplace_back(f.name);
        return names;
    });
}

bool Scene::isOfPicture(const std::string& key) const {
    return guarded([&] { return wisp::isOfPicture(key, impl_->draft()); });
}

std::string pathWithBrackets(const std::string& path) {
    std::string text;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find('.', at), path.size());
        const std::string part = path.substr(at, end - at);
        const bool isIndex = !part.empty() && std::ranges::all_of(part, [](unsigned char c) { return std::isdigit(c) != 0; });
        text += isIndex ? fmt::format("[{}]", part) : (text.empty() ? "" : ".") + part;
        at = end + 1;
    }
    return text;
}

void removeElement(Settings& settings, const std::string& path, std::size_t index) {
    Eraser eraser(pathWithBrackets(path), index);
    visitScene(eraser, settings, {});
    if (!eraser.done) {
        const std::string key = fmt::format("{}[{}]", pathWithBrackets(path), index);
        throw Error(ErrorCode::Scene, fmt::format("there is no {}", key), {{"", 0, 0, key, "is not an element of a list"}});
    }
}

}  // namespace wisp
