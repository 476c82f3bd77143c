// SPDX-License-Identifier: MIT
#include "files/base/extension.h"
#include "files/base/openvdb_module.h"
#include "files/scene/mesh_file.h"
#include "files/scene/volume_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace wisp {

namespace {

/// The surface of a grid of a .nvdb file.
void addSurface(const std::filesystem::path& file, const VolumeGridHead& grid, double iso, Mesh& mesh, std::string& error) {
    const VolumeLattice lattice = readVolumeLattice(file, grid, grid.isLevelSet);  // points may lie on the surface
    using Surface = void (*)(const VolumeLattice&, bool, double, Mesh&, std::string&);
    if (const std::string problem = openVdbProblem(); !problem.empty())
        throw std::runtime_error(fmt::format("OpenVDB is missing ({}), which finds surfaces", problem));
    reinterpret_cast<Surface>(openVdbFunction("wispMeshOfLattice"))(lattice, grid.isLevelSet, iso, mesh, error);
}

}  // namespace

bool isVolumeMesh(const std::filesystem::path& file) { return extensionOf(file) == ".vdb" || extensionOf(file) == ".nvdb"; }

Mesh readVolumeMesh(const std::filesystem::path& file) {
    constexpr double kFogSurface = 0.5;  // density
    const VolumeHead head = readVolumeHead(file);
    auto grid = std::ranges::find_if(head.grids, [](const VolumeGridHead& g) { return g.isFloat && g.isLevelSet && g.problem.empty(); });
    if (grid == head.grids.end())
        grid = std::ranges::find_if(head.grids, [](const VolumeGridHead& g) { return g.isFloat && g.name == "density"; });
    if (grid == head.grids.end()) throw std::runtime_error("has neither a level set nor a fog volume \"density\"");
    checkVolumePlace(*grid);
    using Read = void (*)(const std::string&, const std::string&, double, Mesh&, std::string&);
    Mesh mesh;
    std::string error;
    const double iso = grid->isLevelSet ? 0.0 : kFogSurface;
    if (extensionOf(file) == ".nvdb") addSurface(file, *grid, iso, mesh, error);
    else reinterpret_cast<Read>(openVdbFunction("wispMeshOfOpenVdb"))(file.string(), grid->key, iso, mesh, error);
    if (!error.empty()) throw std::runtime_error(error);
    if (mesh.triangles.empty()) throw std::runtime_error(fmt::format("{}: has no surface", grid->name));
    if (const std::string problem = meshProblem(mesh); !problem.empty()) throw std::runtime_error(problem);
    mesh.source.file = file.string();
    return mesh;
}

}  // namespace wisp
