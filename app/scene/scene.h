// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/failure.h"
#include "compute/scene/settings.h"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wisp::app {

/// One thing that is wrong with a scene. `file` is an option such as "--set seed=x" when the value came from there.
struct SceneError {
    std::string file;
    unsigned line = 0;                       ///< from 1; 0: no position
    unsigned column = 0;                     ///< from 1
    std::string key;                         ///< path in the scene file, such as "emitter[0].radius"; empty: the whole file
    std::string message;                     ///< what was found and what is allowed
    [[nodiscard]] std::string text() const;  ///< "file:line:column: key: message"
};

/// Everything that is wrong with a scene, one line each.
class SceneFailure : public Failure {
public:
    explicit SceneFailure(std::vector<SceneError> errors);
    [[nodiscard]] const std::vector<SceneError>& errors() const { return errors_; }

private:
    std::vector<SceneError> errors_;
};

/// A scene key set from outside the file. `value` is TOML, or a bare word that stands for a string.
struct Override {
    std::string option;  ///< how messages call it: "--set emitter.0.radius=-1"
    std::string key;     ///< "emitter.0.radius" or "emitter[0].radius"
    std::string value;
};

/// Splits "key.path=value". @throws Failure Usage if there is no '='.
Override parseOverride(const std::string& text);

enum class QualityLevel { Preview, Standard, High, Ultra };

struct SceneOptions {
    std::vector<Override> overrides;  ///< in order; later ones win
    QualityLevel quality = QualityLevel::Standard;
};

/// @throws SceneFailure with every error at once.
Settings parseScene(std::string_view text, const std::string& file, const SceneOptions& options = {});
Settings loadScene(const std::filesystem::path& file, const SceneOptions& options = {});
/// The same, and the cells that the scene has before `options.quality` scales them.
struct LoadedScene {
    Settings settings;
    glm::uvec3 ownCells{0};
};
LoadedScene loadSceneAndCells(const std::filesystem::path& file, const SceneOptions& options);

/// Cells along an edge over those of the scene file.
double scaleOf(QualityLevel level);
/// The grid with about `factor` times as many cells along an edge. Counts keep their proportions exactly, so that cells
/// stay cubic; none goes below 8, unless it was already. A flat grid stays flat.
void scaleGrid(GridSettings& grid, double factor);

/// A scene that was loaded at Standard, at another level.
Settings atLevel(const LoadedScene& scene, QualityLevel level);
const char* nameOf(QualityLevel level);  ///< as --quality has it
inline constexpr std::array kQualityLevels{QualityLevel::Preview, QualityLevel::Standard, QualityLevel::High,
                                           QualityLevel::Ultra};  ///< the coarsest first

/// Cells to save: `own`, where the grid has what some quality level makes of them, and otherwise those of the grid, which were changed
/// since.
glm::uvec3 cellsToSave(const GridSettings& grid, glm::uvec3 own);

/// The built-in scenes' folder: beside the executable, installed, or in the source tree.
std::filesystem::path sceneFolder();
/// A built-in scene's name, or a path to a TOML file. @throws Failure Usage if there is none.
std::filesystem::path findScene(const std::string& nameOrPath);
std::vector<std::string> builtInScenes();

}  // namespace wisp::app
