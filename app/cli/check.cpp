// SPDX-License-Identifier: MIT
#include "app/cli/commands.h"
#include "wisp/scene.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace wisp::app {

void check(const CommonOptions& options) {
    const Scene scene = Scene::load(options.scene, options.load);
    // Lists of numbers are the same in TOML and JSON.
    const auto numbers = [&](const char* key) { return nlohmann::json::parse(scene.get(key)).get<std::array<double, 3>>(); };
    const std::array<double, 3> cells = numbers("grid.cells"), size = numbers("grid.size");
    const std::string name = nlohmann::json::parse(scene.get("name")).get<std::string>();
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
