// SPDX-License-Identifier: MIT
// Surfaces of OpenVDB files. See app/scene/volume_mesh.cpp.
#include "compute/scene/mesh.h"
#include "app/openvdb/guarded.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <stdexcept>

namespace wisp::app {
namespace {

/// By dual contouring. Quads become two triangles each.
template <class Grid>
Mesh meshOf(const Grid& grid, double iso) {
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec4I> quads;
    openvdb::tools::volumeToMesh(grid, points, quads, iso);
    if (2 * quads.size() > kMaxMeshTriangles)
        throw std::runtime_error("its surface has " + std::to_string(2 * quads.size()) + " triangles, at most " +
                                 std::to_string(kMaxMeshTriangles) + " are allowed");
    Mesh mesh;
    for (const openvdb::Vec3s& p : points) mesh.positions.emplace_back(p.x(), p.y(), p.z());
    for (const openvdb::Vec4I& q : quads) {
        mesh.triangles.emplace_back(q[0], q[1], q[2]);
        mesh.triangles.emplace_back(q[0], q[2], q[3]);
    }
    return mesh;
}

Mesh meshOf(const std::string& path, const std::string& name, double iso) {
    openvdb::io::File file(path);
    file.open(false);
    const openvdb::GridBase::Ptr grid = file.readGrid(name);
    if (const auto floats = openvdb::gridPtrCast<openvdb::FloatGrid>(grid)) return meshOf(*floats, iso);
    if (const auto doubles = openvdb::gridPtrCast<openvdb::DoubleGrid>(grid)) return meshOf(*doubles, iso);
    throw std::runtime_error(name + ": has values of type " + grid->valueType() + ", must be float or double");
}

}  // namespace

extern "C" void wispMeshOfOpenVdb(const std::string& path, const std::string& name, double iso, Mesh& mesh, std::string& error) {
    guarded(error, [&] { mesh = meshOf(path, name, iso); });
}

}  // namespace wisp::app
