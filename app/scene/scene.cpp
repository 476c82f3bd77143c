// SPDX-License-Identifier: MIT
#include "app/scene/scene.h"

#include "app/base/text_file.h"
#include "app/scene/scene_keys.h"
#include "app/scene/scene_look.h"
#include "app/scene/scene_override.h"
#include "compute/scene/validate.h"

#include <fmt/format.h>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace wisp::app {
namespace {

std::string joinErrors(const std::vector<SceneError>& errors) {
    std::string text;
    for (const SceneError& error : errors) text += (text.empty() ? "" : "\n") + error.text();
    return text;
}

/// Fills settings from a file's tables.
class SceneReader : public SceneVisitor {
public:
    explicit SceneReader(Section& root) : section_(&root) {}

    bool key(const std::string& name, KeyValue value, const About& about) override {
        return std::visit([&](auto v) { return read(name, v, about.kind == About::Kind::Degrees); }, value);
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

private:
    template <class Keys>
    void within(Section& child, const Keys& keys) {
        Section* const parent = std::exchange(section_, &child);
        keys();
        section_ = parent;
    }
    bool read(const std::string& name, Choice choice, bool) { return section_->choose(name, *choice.index, *choice.names); }
    bool read(const std::string& name, Words words, bool) { return section_->readWords(name, *words.bits, *words.names); }
    template <class T>
    bool read(const std::string& name, std::optional<T>* value, bool degrees) {
        T given{};
        if (!read(name, &given, degrees)) return false;
        *value = given;
        return true;
    }
    template <class T>
    bool read(const std::string& name, T* value, bool degrees) {
        const bool given = section_->read(name, *value);
        if constexpr (std::is_same_v<T, float> || std::is_same_v<T, glm::vec3>) {
            if (given && degrees) *value = glm::radians(*value);
        }
        return given;
    }

    Section* section_;
};

/// A value that the reader refused has its default here: what follows from that is no news.
void reportProblems(SceneLog& log, const Settings& settings) {
    const std::vector<Problem> problems = validate(settings);
    const auto isWrong = [&](const std::string& key) {
        return log.failedIn(key) || std::ranges::any_of(problems, [&](const Problem& p) { return p.with.empty() && liesIn(p.key, key); });
    };
    std::vector<const Problem*> news;
    for (const Problem& problem : problems)
        if (!log.failed(problem.key) && (problem.with.empty() || (!isWrong(problem.key) && std::ranges::none_of(problem.with, isWrong))))
            news.push_back(&problem);
    for (const Problem* problem : news) log.failAt(problem->key, problem->message);
}

}  // namespace

std::string SceneError::text() const {
    std::string where = line == 0 ? file : fmt::format("{}:{}:{}", file, line, column);
    return key.empty() ? fmt::format("{}: {}", where, message) : fmt::format("{}: {}: {}", where, key, message);
}

SceneFailure::SceneFailure(std::vector<SceneError> errors) : Failure(Exit::Usage, joinErrors(errors)), errors_(std::move(errors)) {}

double scaleOf(QualityLevel level) {
    switch (level) {
        case QualityLevel::Preview: return 0.5;
        case QualityLevel::Standard: return 1.0;
        case QualityLevel::High: return 1.5;
        case QualityLevel::Ultra: return 2.0;
    }
    return 1.0;
}

const char* nameOf(QualityLevel level) {
    switch (level) {
        case QualityLevel::Preview: return "preview";
        case QualityLevel::Standard: return "standard";
        case QualityLevel::High: return "high";
        case QualityLevel::Ultra: return "ultra";
    }
    return "";
}

Settings atLevel(const LoadedScene& scene, QualityLevel level) {
    Settings settings = scene.settings;
    settings.grid.cells = scene.ownCells;
    scaleGrid(settings.grid, scaleOf(level));
    if (settings.grid.isFlat()) settings.grid.size.z = settings.grid.cellSize();
    return settings;
}

void scaleGrid(GridSettings& grid, double factor) {
    const bool isFlat = grid.isFlat();
    const std::uint32_t common = std::gcd(grid.cells.x, isFlat ? grid.cells.y : std::gcd(grid.cells.y, grid.cells.z));
    if (common == 0) return;
    const glm::uvec3 unit = isFlat ? glm::uvec3(grid.cells.x / common, grid.cells.y / common, 1) : grid.cells / common;
    const std::uint32_t thinnest = std::min(unit.x, isFlat ? unit.y : std::min(unit.y, unit.z));
    if (thinnest == 0) return;  // a grid with no cells, which validate refuses
    const std::uint64_t floor = std::min<std::uint64_t>(common, (std::uint64_t{8} + thinnest - 1) / thinnest);
    const std::uint64_t times = std::max(floor, static_cast<std::uint64_t>(std::llround(common * factor)));
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();  // which validate refuses, too
    for (int i = 0; i < (isFlat ? 2 : 3); ++i) grid.cells[i] = static_cast<std::uint32_t>(std::min(kMost, unit[i] * times));
}

glm::uvec3 cellsToSave(const GridSettings& grid, glm::uvec3 own) {
    for (const QualityLevel level : kQualityLevels) {
        GridSettings scaled = grid;
        scaled.cells = own;
        scaleGrid(scaled, scaleOf(level));
        if (scaled.cells == grid.cells) return own;
    }
    return grid.cells;
}

namespace {

LoadedScene parse(std::string_view text, const std::string& file, const SceneOptions& options) {
    toml::table table = parseToml(text, file);
    SceneLog log(file);
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    // Another look first: options may change what comes with it.
    std::vector<Override> looks, others;
    std::ranges::partition_copy(options.overrides, std::back_inserter(looks), std::back_inserter(others),
                                [](const Override& o) { return o.key == "look"; });
    applyOverrides(table, looks, log);
    applyLook(table, folder, log);
    applyOverrides(table, others, log);
    Settings settings;
    settings.name = std::filesystem::path(file).stem().string();
    Section root(&table, "", log);
    SceneReader reader(root);
    std::string look;
    root.read("look", look);
    visitScene(reader, settings, folder);
    root.finish();
    const glm::uvec3 ownCells = settings.grid.cells;
    if (!log.failed("grid.cells")) scaleGrid(settings.grid, scaleOf(options.quality));
    if (settings.grid.isFlat()) settings.grid.size.z = settings.grid.cellSize();
    reportProblems(log, settings);
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

}  // namespace wisp::app
