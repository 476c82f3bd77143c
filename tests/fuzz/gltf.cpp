// SPDX-License-Identifier: MIT
// glTF files, binary or text, as meshes at several times of their animations.
#include "files/scene/gltf_file.h"
#include "files/scene/mesh_loader.h"
#include "tests/fuzz/support/input.h"

#include <stdexcept>

using namespace wisp;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::filesystem::path file = fuzz::fileOf(fuzz::textOf({data, size}));
    try {
        const GltfScene scene(file);
        const std::size_t vertices = scene.positions(0.0).size();
        fuzz::require(!scene.triangles().empty(), "a scene without triangles is accepted");
        for (const glm::uvec3& t : scene.triangles())
            fuzz::require(t.x < vertices && t.y < vertices && t.z < vertices, "a triangle uses a vertex that does not exist");
        for (const double t : {0.5 * scene.duration(), scene.duration(), 1e30})
            fuzz::require(scene.positions(t).size() == vertices, "the number of vertices changes");
        if (!scene.animated()) fuzz::require(meshProblem(loadMesh({.file = file})).empty(), "an invalid mesh is accepted");
    } catch (const std::runtime_error&) {
        return 0;
    }
    return 0;
}
