// SPDX-License-Identifier: MIT
#include "app/base/scene_values.h"
#include "app/cli/commands.h"
#include "wisp/scene.h"

#include <fmt/format.h>

#include <array>

namespace wisp::app {

void check(const CommonOptions& options) {
    const Scene scene = Scene::load(options.scene, options.load);
    const auto cells = valueOf<std::array<double, 3>>(scene, "grid.cells"), size = valueOf<std::array<double, 3>>(scene, "grid.size");
    const auto name = valueOf<std::string>(scene, "name");
    const std::vector<SceneProblem> warnings = scene.warnings();
    const std::string verdict = warnings.empty() ? "valid" : fmt::format("{} warning{}", warnings.size(), warnings.size() == 1 ? "" : "s");
    fmt::print("{}: {}: \"{}\", {}x{}x{} cells of {:.4g} m, {} emitters, {} obstacles, {} lights\n", scene.file(), verdict, name, cells[0],
               cells[1], cells[2], size[0] / cells[0], scene.count("emitter"), scene.count("obstacle"), scene.count("light"));
    for (const SceneProblem& mesh : scene.meshes()) fmt::print("{}: {}\n", mesh.key, mesh.message);
    for (const SceneProblem& p : warnings) fmt::print("warning: {}: {}\n", p.key, p.message);
}

void listScenes() {
    for (const std::string& name : Scene::builtIn()) fmt::print("{:<16} {}\n", name, Scene::description(name));
}

}  // namespace wisp::app
