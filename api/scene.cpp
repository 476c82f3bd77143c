// SPDX-License-Identifier: MIT
#include "api/guarded.h"
#include "api/scene_impl.h"
#include "api/scene_keys.h"
#include "api/volume_sequence.h"
#include "compute/scene/mesh_report.h"
#include "compute/scene/scene_warnings.h"
#include "files/base/extension.h"
#include "files/base/pending_file.h"
#include "files/base/text_file.h"
#include "files/checkpoint/checkpoint_file.h"
#include "files/model/scene_glb.h"
#include "files/scene/preset.h"
#include "files/scene/scene_error.h"
#include "files/scene/scene_files.h"
#include "files/scene/scene_reader.h"
#include "files/scene/scene_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/gtc/type_ptr.hpp>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <type_traits>

namespace wisp {
namespace {

/// Of a float only the digits that it has.
template <class Number>
std::string numberText(Number x) {
    if constexpr (std::is_integral_v<Number>) return fmt::format("{}", x);
    else if (std::isnan(x)) return "nan";
    else if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
    else return x == std::floor(x) && std::abs(static_cast<double>(x)) < 1e15 ? fmt::format("{:.0f}", x) : fmt::format("{}", x);
}

std::string quoted(const std::string& text) {
    std::ostringstream out;
    out << toml::toml_formatter(toml::value<std::string>(text), toml::format_flags::none);
    return out.str();
}

template <class Numbers>
std::string listText(const Numbers& numbers) {
    std::vector<std::string> texts;
    for (const auto x : numbers) texts.push_back(numberText(x));
    return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// The lattice of a volume's field by its name; null for other names.
VolumeLattice* latticeOf(VolumeData& data, const std::string& field) {
    for (const auto& [name, lattice] : {std::pair("density", &data.density), {"temperature", &data.temperature}, {"fuel", &data.fuel}})
        if (field == name) return lattice;
    return nullptr;
}

VolumeData volumeOf(const std::string& name, const std::vector<VolumeGrid>& grids) {
    const auto fail = [&](const std::string& what) { throw Error(ErrorCode::Argument, fmt::format("the volume \"{}\": {}", name, what)); };
    VolumeData data;
    std::vector<std::string> given;
    for (const VolumeGrid& grid : grids) {
        VolumeLattice* const lattice = latticeOf(data, grid.field);
        if (!lattice) fail(fmt::format("has a field \"{}\", must be density, temperature or fuel", grid.field));
        if (std::ranges::count(given, grid.field) > 0) fail(fmt::format("has {} twice", grid.field));
        given.push_back(grid.field);
        try {
            *lattice = denseLattice({grid.size[0], grid.size[1], grid.size[2]}, glm::make_mat4(grid.toWorld.data()), grid.values);
        } catch (const std::invalid_argument& e) {
            fail(fmt::format("{}: {}", grid.field, e.what()));
        }
        if (grid.field == "temperature") continue;
        for (VolumeLattice::Block& b : lattice->blocks)
            for (float& v : b.values) v = std::max(v, 0.0f);
    }
    if (given.empty()) fail("has no fields, must have density, temperature or fuel");
    return data;
}

Scene::Impl parsed(std::string_view toml, const std::string& folder, MemoryData memory) {
    Scene::Impl impl{.text = std::string(toml), .lines = true};
    impl.file = (std::filesystem::path(folder) / impl.file).string();
    impl.memory = std::move(memory);
    (void)impl.settings();
    return impl;
}

/// Runs `change`, which must leave names and types right; otherwise the scene is as before.
template <class Change>
void changed(Scene::Impl& scene, Change&& change) {
    std::vector<Override> before = scene.overrides;
    MemoryData memory = scene.memory;
    try {
        change(scene);
        scene.known = scene.read(false, scene.quality);
        scene.checked = false;
    } catch (...) {
        scene.overrides = std::move(before);
        scene.memory = std::move(memory);
        throwError();
    }
}

}  // namespace

QualityLevel levelOf(const std::string& name) {
    for (const QualityLevel level : kQualityLevels)
        if (name == nameOf(level)) return level;
    throw Error(ErrorCode::Argument, fmt::format("no quality is \"{}\"; it must be one of {}", name, fmt::join(Scene::qualities(), ", ")));
}

SceneOptions optionsOf(const LoadOptions& options) {
    SceneOptions own{.quality = levelOf(options.quality)};
    for (const LoadOptions::Setting& s : options.set)
        own.overrides.push_back({.option = s.source.empty() ? s.key : s.source, .key = s.key, .value = s.value});
    return own;
}

Value::Value(bool value) : text_(value ? "true" : "false") {}
Value::Value(int value) : text_(fmt::format("{}", value)) {}
Value::Value(long value) : text_(fmt::format("{}", value)) {}
Value::Value(long long value) : text_(fmt::format("{}", value)) {}
Value::Value(unsigned value) : text_(fmt::format("{}", value)) {}
Value::Value(unsigned long value) : text_(fmt::format("{}", value)) {}
Value::Value(unsigned long long value) : text_(fmt::format("{}", value)) {}
Value::Value(float value) : text_(numberText(value)) {}
Value::Value(double value) : text_(numberText(value)) {}
Value::Value(const char* text) : text_(quoted(text)) {}
Value::Value(const std::string& text) : text_(quoted(text)) {}
Value::Value(std::string_view text) : text_(quoted(std::string(text))) {}
Value::Value(std::initializer_list<double> numbers) : text_(listText(numbers)) {}
Value::Value(std::span<const float> numbers) : text_(listText(numbers)) {}
Value::Value(std::span<const double> numbers) : text_(listText(numbers)) {}
Value::Value(std::span<const std::int32_t> numbers) : text_(listText(numbers)) {}
Value::Value(std::span<const std::uint32_t> numbers) : text_(listText(numbers)) {}

Value Value::toml(std::string text) {
    Value value;
    value.text_ = std::move(text);
    return value;
}

VolumeGrid VolumeGrid::of(const FieldData& data) {
    const Lattice& l = data.lattice;
    VolumeGrid grid{.field = data.name, .size = l.size, .values = data.values};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        grid.toWorld[5 * axis] = static_cast<double>(l.cell);
        grid.toWorld[12 + axis] = static_cast<double>(l.origin[axis]) + 0.5 * static_cast<double>(l.cell);
    }
    return grid;
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

Scene Scene::load(const std::string& fileOrName, const LoadOptions& options) {
    return guarded([&] {
        const std::filesystem::path path = findScene(fileOrName);
        auto impl = std::make_unique<Impl>();
        impl->quality = levelOf(options.quality);
        impl->overrides = optionsOf(options).overrides;
        try {
            impl->text = readText(path, kMaxSceneBytes);
        } catch (const std::runtime_error& e) {
            throw Error(ErrorCode::File, fmt::format("{}: {}", path.string(), e.what()));
        }
        impl->file = path.string();
        impl->fromFile = impl->lines = true;
        (void)impl->settings();
        return Scene(std::move(impl));
    });
}

Scene Scene::ofCheckpoint(const std::string& file, const LoadOptions& options) {
    return guarded([&] {
        const CheckpointFile checkpoint(file);
        auto impl = std::make_unique<Impl>();
        impl->quality = levelOf(options.quality);
        impl->overrides = optionsOf(options).overrides;
        impl->overrides.insert(impl->overrides.begin(), {.option = file, .key = "name", .value = Value(checkpoint.head().name).text()});
        impl->text = checkpoint.head().scene;
        impl->file = file;
        (void)impl->settings();
        return Scene(std::move(impl));
    });
}

Scene Scene::parse(std::string_view toml, const std::string& folder) {
    return guarded([&] { return Scene(std::make_unique<Impl>(parsed(toml, folder, {}))); });
}

Scene Scene::parse(std::string_view toml, const std::string& folder, const LoadOptions& options, const std::string& name) {
    return parse(toml, folder, options, name, {});
}

Scene Scene::parse(std::string_view toml, const std::string& folder, const LoadOptions& options, const std::string& name,
                   const Scene& data) {
    return guarded([&] {
        auto impl = std::make_unique<Impl>(Impl{.text = std::string(toml), .lines = options.lines});
        impl->file = (std::filesystem::path(folder) / name).string();
        impl->quality = levelOf(options.quality);
        impl->overrides = optionsOf(options).overrides;
        impl->memory = data.impl_->memory;
        (void)impl->settings();
        return Scene(std::move(impl));
    });
}

Scene Scene::parse(std::string_view toml, const std::string& folder, const Scene& data) {
    return guarded([&] { return Scene(std::make_unique<Impl>(parsed(toml, folder, data.impl_->memory))); });
}

std::vector<std::string> Scene::builtIn() {
    return guarded([] { return builtInScenes(); });
}

LoadOptions::Setting LoadOptions::Setting::parse(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error(ErrorCode::Argument, fmt::format("--set {}: must be key.path=value, such as --set flow.vorticity=0.5", text));
    return {text.substr(0, equals), text.substr(equals + 1), "--set " + text};
}

std::string Scene::description(const std::string& builtIn) {
    return guarded([&] {
        std::istringstream file(readText(findScene(builtIn), kMaxSceneBytes));
        std::string licence, about;  // the comment below the licence line
        std::getline(file, licence);
        std::getline(file, about);
        return about.starts_with("# ") ? about.substr(2) : std::string();
    });
}

std::vector<LoadOptions::Setting> Scene::preset(const std::string& name) {
    return guarded([&] {
        std::vector<LoadOptions::Setting> settings;
        try {
            for (const Override& o : presetOverrides(name)) settings.push_back({o.key, o.value, o.option});
        } catch (const Failure& e) {
            throw Error(ErrorCode::Argument, e.what());
        }
        return settings;
    });
}

Scene& Scene::set(const std::string& key, const Value& value) {
    changed(*impl_, [&](Impl& scene) {
        std::erase_if(scene.overrides, [&](const Override& o) { return o.key == key && !o.append; });
        scene.overrides.push_back({.option = kUnnamedOption, .key = key, .value = value.text()});
    });
    return *this;
}

Scene& Scene::add(const std::string& list, const std::string& keys) {
    changed(*impl_,
            [&](Impl& scene) { scene.overrides.push_back({.option = kUnnamedOption, .key = list, .value = keys, .append = true}); });
    return *this;
}

Scene& Scene::remove(const std::string& list, std::size_t index) {
    guarded([&] {
        Settings settings = impl_->read(false, QualityLevel::Standard);
        removeElement(settings, list, index);
        impl_->text = writeScene(settings, impl_->folder());
        impl_->lines = false;
        impl_->overrides.clear();
        impl_->forget();
    });
    return *this;
}

Scene& Scene::setQuality(const std::string& level) {
    guarded([&] {
        impl_->quality = levelOf(level);
        impl_->forget();
    });
    return *this;
}

std::string Scene::quality() const { return nameOf(impl_->quality); }

std::vector<std::string> Scene::qualities() {
    std::vector<std::string> names;
    for (const QualityLevel level : kQualityLevels) names.emplace_back(nameOf(level));
    return names;
}

std::string Scene::get(const std::string& key) const {
    return guarded([&] {
        const std::string path = pathWithBrackets(key);
        for (SceneKey& k : listKeys(impl_->draft(), impl_->folder()).keys)
            if (k.path == path) return std::move(k.value);
        throw Error(ErrorCode::Scene, fmt::format("there is no key \"{}\"", key), {{"", 0, 0, key, "is not a key"}});
    });
}

std::vector<SceneKey> Scene::keys() const {
    return guarded([&] { return listKeys(impl_->draft(), impl_->folder()).keys; });
}

std::vector<SceneKey> Scene::allKeys() {
    return guarded([] { return listAllKeys(); });
}

std::size_t Scene::count(const std::string& list) const {
    return guarded([&] {
        const auto counts = listKeys(impl_->draft(), impl_->folder()).counts;
        if (const auto found = counts.find(pathWithBrackets(list)); found != counts.end()) return found->second;
        throw Error(ErrorCode::Scene, fmt::format("there is no list \"{}\"", list), {{"", 0, 0, list, "is not a list"}});
    });
}

std::string Scene::file() const { return impl_->fromFile ? impl_->file : std::string(); }

Scene& Scene::mesh(const std::string& name, std::span<const std::array<float, 3>> positions,
                   std::span<const std::array<std::uint32_t, 3>> triangles) {
    changed(*impl_, [&](Impl& scene) {
        Mesh mesh;
        for (const auto& p : positions) mesh.positions.emplace_back(p[0], p[1], p[2]);
        for (const auto& t : triangles) mesh.triangles.emplace_back(t[0], t[1], t[2]);
        scene.memory.setMesh(name, std::move(mesh));
    });
    return *this;
}

Scene& Scene::volume(const std::string& name, const std::vector<VolumeGrid>& grids) {
    changed(*impl_, [&](Impl& scene) { scene.memory.setVolume(name, volumeOf(name, grids)); });
    return *this;
}

bool Scene::sharesMemory(const Scene& other) const { return impl_->memory == other.impl_->memory; }
bool Scene::hasMemory() const { return !impl_->memory.empty(); }

void Scene::check() const {
    guarded([&] { (void)impl_->settings(); });
}

std::vector<SceneProblem> Scene::warnings() const {
    return guarded([&] {
        std::vector<SceneProblem> list;
        const Settings& settings = impl_->settings();
        for (const Problem& p : sceneWarnings(settings)) list.push_back({impl_->file, 0, 0, p.key, p.message});
        if (const std::string problem = impl_->shows ? blurProblem(settings) : ""; !problem.empty())
            list.push_back({impl_->file, 0, 0, "camera.shutter", problem});
        return list;
    });
}

std::vector<SceneProblem> Scene::meshes() const {
    return guarded([&] {
        std::vector<SceneProblem> list;
        const Settings& settings = impl_->settings();
        const auto add = [&](const char* name, const auto& elements) {
            for (std::size_t i = 0; i < elements.size(); ++i)
                if (elements[i].shape.kind == ShapeKind::Mesh)
                    list.push_back({impl_->file, 0, 0, fmt::format("{}[{}]", name, i), describeMesh(settings, elements[i])});
        };
        add("obstacle", settings.obstacles);
        add("emitter", settings.emitters);
        return list;
    });
}

std::string Scene::toml(const std::string& folder) const {
    return guarded([&] { return writeScene(impl_->own(), folder); });
}

void Scene::writeModel(const std::string& file, const FilmFrames& frames) const {
    guarded([&] {
        if (extensionOf(file) != ".glb") throw Error(ErrorCode::Argument, fmt::format("{}: must be the name of a .glb file", file));
        if (frames.count == 0 || frames.stepsPerFrame == 0 || !(frames.fps > 0.0) || !std::isfinite(frames.fps))
            throw Error(ErrorCode::Argument, fmt::format("FilmFrames: {} frames of {} steps at {} per second; must all be above 0",
                                                         frames.count, frames.stepsPerFrame, frames.fps));
        writeFileAtomically(file, encodeSceneGlb(impl_->settings(), frames));
    });
}

}  // namespace wisp
