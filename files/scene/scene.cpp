// SPDX-License-Identifier: MIT
#include "files/scene/scene.h"

#include "compute/scene/validate.h"
#include "files/base/text_file.h"
#include "files/scene/scene_keys.h"
#include "files/scene/scene_look.h"
#include "files/scene/scene_reader.h"
#include "files/scene/table_override.h"

#include <glm/trigonometric.hpp>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace wisp {
namespace {

/// Reads settings from the tables of a file.
class SceneReader : public SceneVisitor {
public:
    SceneReader(Section& root, const SceneOptions& options) : section_(&root), options_(options) {}

    bool key(const std::string& name, KeyValue value, const KeyInfo& about) override {
        return std::visit([&](auto v) { return read(name, v, about.kind); }, value);
    }
    void table(const std::string& name, const std::function<void()>& keys) override {
        section_->table(name, [&](Section& child) { within(child, keys); });
    }
    void list(const std::string& name, const List& list) override {
        std::size_t n = 0;
        section_->each(name, [&](Section& child) {
            list.resize(++n);
            within(child, [&] { list.keys(n - 1); });
        });
    }
    void fail(const std::string& name, const std::string& message) override { section_->fail(name, message); }
    Section* reading() override { return section_; }
    [[nodiscard]] const MemoryData* memory() const override { return options_.memory; }
    [[nodiscard]] bool shows() const override { return options_.shows; }

private:
    using Kind = KeyInfo::Kind;

    template <class Keys>
    void within(Section& child, const Keys& keys) {
        Section* const parent = std::exchange(section_, &child);
        keys();
        section_ = parent;
    }
    bool read(const std::string& name, Choice choice, Kind) { return section_->choose(name, *choice.index, *choice.names); }
    bool read(const std::string& name, Words words, Kind) { return section_->readWords(name, *words.bits, *words.names); }
    bool read(const std::string& name, AutoNumber number, Kind) { return section_->readAutoNumber(name, *number.value); }
    template <class T>
    bool read(const std::string& name, std::optional<T>* value, Kind kind) {
        T given{};
        if (!read(name, &given, kind)) return false;
        *value = given;
        return true;
    }
    template <class T>
    bool read(const std::string& name, T* value, Kind kind) {
        if constexpr (std::is_same_v<T, float>) {
            if (kind == Kind::Rate) return section_->readRate(name, *value);
        }
        const bool given = section_->read(name, *value);
        if constexpr (std::is_same_v<T, float> || std::is_same_v<T, glm::vec3>) {
            if (given && kind == Kind::Degrees) *value = glm::radians(*value);
        }
        return given;
    }

    Section* section_;
    const SceneOptions& options_;
};

/// Reports problems of `validate`. A key that the reader rejected has its default value here, so problems that depend on it are skipped.
void reportProblems(SceneLog& log, const Settings& settings) {
    const std::vector<Problem> problems = validate(settings);
    const auto isWrong = [&](const std::string& key) {
        return log.failedIn(key) || std::ranges::any_of(problems, [&](const Problem& p) { return p.with.empty() && liesIn(p.key, key); });
    };
    std::vector<const Problem*> reported;
    for (const Problem& problem : problems)
        if (!log.failed(problem.key) && (problem.with.empty() || (!isWrong(problem.key) && std::ranges::none_of(problem.with, isWrong))))
            reported.push_back(&problem);
    for (const Problem* problem : reported) log.failAt(problem->key, problem->message);
}

}  // namespace

Settings atLevel(const LoadedScene& scene, QualityLevel level) {
    Settings settings = scene.settings;
    settings.grid.cells = scene.ownCells;
    scaleGrid(settings.grid, scaleOf(level));
    if (settings.grid.isFlat()) settings.grid.size.z = settings.grid.cellSize();
    return settings;
}

namespace {

LoadedScene parse(std::string_view text, const std::string& file, const SceneOptions& options) {
    // A text of a program without a name is none of the user's.
    const bool isUnnamed = !options.lines && (text.empty() || std::filesystem::path(file).filename().empty());
    SceneLog log(isUnnamed ? "" : file, options.lines);
    toml::table table = parseToml(text, isUnnamed ? "" : file, options.lines);
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    // The option `look` is applied first, because other options may change keys of the look.
    std::vector<Override> looks, others;
    std::ranges::partition_copy(options.overrides, std::back_inserter(looks), std::back_inserter(others),
                                [](const Override& o) { return o.key == "look"; });
    applyOverrides(table, looks, log);
    applyLook(table, folder, log);
    applyOverrides(table, others, log);
    Settings settings;
    settings.name = std::filesystem::path(file).stem().string();
    if (settings.name.empty()) settings.name = "scene";
    Section root(&table, "", log);
    SceneReader reader(root, options);
    std::string look;
    root.read("look", look);
    visitScene(reader, settings, folder);
    root.finish();
    const glm::uvec3 ownCells = settings.grid.cells;
    if (!log.failed("grid.cells")) scaleGrid(settings.grid, scaleOf(options.quality));
    if (settings.grid.isFlat()) settings.grid.size.z = settings.grid.cellSize();
    if (options.ranges) reportProblems(log, settings);
    if (!log.empty()) throw SceneFailure(log.sorted());
    return {std::move(settings), ownCells};
}

}  // namespace

Settings parseScene(std::string_view text, const std::string& file, const SceneOptions& options) {
    return parse(text, file, options).settings;
}

Settings loadScene(const std::filesystem::path& file, const SceneOptions& options) { return loadSceneAndCells(file, options).settings; }

LoadedScene loadSceneAndCells(const std::filesystem::path& file, const SceneOptions& options) {
    std::string text;
    try {
        text = readText(file, kMaxSceneBytes);
    } catch (const std::runtime_error& e) {
        throw SceneFailure({{file.string(), 0, 0, {}, e.what()}});
    }
    return parse(text, file.string(), options);
}

}  // namespace wisp
