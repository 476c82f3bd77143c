// SPDX-License-Identifier: MIT
// Wavefront OBJ files, and the checks of a mesh by the scene and by `wisp check`.
#include "compute/scene/mesh_report.h"
#include "compute/scene/settings.h"
#include "compute/scene/validate.h"
#include "files/scene/mesh_file.h"
#include "tests/fuzz/support/input.h"

#include <memory>
#include <stdexcept>

using namespace wisp;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Settings settings;
    try {
        settings.meshes = {std::make_shared<const Mesh>(readMesh(fuzz::fileOf(fuzz::textOf({data, size}))))};
    } catch (const std::runtime_error&) {
        return 0;
    }
    const Mesh& mesh = *settings.meshes[0];
    fuzz::require(meshProblem(mesh).empty(), "an invalid mesh is accepted");
    if (!leakProblem(inspectMesh(mesh, 0.0)).empty()) return 0;
    settings.grid.cells = {16, 16, 16};
    settings.grid.size = {1.0f, 1.0f, 1.0f};
    settings.obstacles.resize(1);
    settings.obstacles[0].shape.kind = ShapeKind::Mesh;
    if (!validate(settings).empty()) return 0;
    (void)meshWarnings(settings);
    (void)describeMesh(settings, settings.obstacles[0]);
    return 0;
}
