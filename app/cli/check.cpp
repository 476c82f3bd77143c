// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "compute/scene/mesh_report.h"
#include "compute/scene/scene_warnings.h"
#include "files/base/text_file.h"
#include "files/scene/scene.h"

#include <fmt/format.h>

#include <sstream>

namespace wisp::app {

void check(const CommonOptions& options) {
    const std::filesystem::path file = findScene(options.scene);
    const Settings settings = loadScene(file, options.sceneOptions);
    const glm::uvec3 cells = settings.grid.cells;
    const std::vector<Problem> warnings = sceneWarnings(settings);
    const std::string verdict = warnings.empty() ? "valid" : fmt::format("{} warning{}", warnings.size(), warnings.size() == 1 ? "" : "s");
    fmt::print("{}: {}: \"{}\", {}x{}x{} cells of {:.4g} m, {} emitters, {} obstacles, {} lights\n", file.string(), verdict, settings.name,
               cells.x, cells.y, cells.z, settings.grid.cellSize(), settings.emitters.size(), settings.obstacles.size(),
               settings.lights.size());
    for (std::size_t i = 0; i < settings.obstacles.size(); ++i) {
        const ObstacleSettings& o = settings.obstacles[i];
        if (o.shape.kind == ShapeKind::Mesh) fmt::print("obstacle[{}]: {}\n", i, describeMesh(settings, o));
    }
    for (std::size_t i = 0; i < settings.emitters.size(); ++i)
        if (const EmitterSettings& e = settings.emitters[i]; e.shape.kind == ShapeKind::Mesh)
            fmt::print("emitter[{}]: {}\n", i, describeMesh(settings, e));
    for (const Problem& p : warnings) fmt::print("warning: {}: {}\n", p.key, p.message);
}

/// Prints each name with the scene's description: the comment line below the licence line.
void listScenes() {
    for (const std::string& name : builtInScenes()) {
        std::istringstream file(readText(findScene(name), kMaxSceneBytes));
        std::string licence;
        std::string about;
        std::getline(file, licence);
        std::getline(file, about);
        fmt::print("{:<16} {}\n", name, about.starts_with("# ") ? about.substr(2) : "");
    }
}

}  // namespace wisp::app
