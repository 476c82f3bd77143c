// SPDX-License-Identifier: MIT
// Surfaces of OpenVDB files. See files/scene/volume_mesh.cpp.
#include "compute/scene/mesh.h"
#include "compute/scene/volume_data.h"
#include "files/openvdb/guarded.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/SignedFloodFill.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <algorithm>
#include <cmath>
#include <memory>
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

/// Of values that another reader has read. Of a level set, those that are not 0 are its narrow band, and what is inside follows from it.
Mesh meshOf(const VolumeLattice& lattice, bool isLevelSet, double iso) {
    float most = 0.0f;
    for (const VolumeLattice::Block& block : lattice.blocks)
        for (const float v : block.values) most = std::max(most, std::abs(v));
    const openvdb::FloatGrid::Ptr grid = openvdb::FloatGrid::create(isLevelSet ? most : 0.0f);
    for (const VolumeLattice::Block& block : lattice.blocks) {
        auto leaf = std::make_unique<openvdb::FloatTree::LeafNodeType>(openvdb::Coord(block.corner.x, block.corner.y, block.corner.z),
                                                                       grid->background());
        for (openvdb::Index n = 0; n < 512; ++n)
            if (block.values[n] != 0.0f) leaf->setValueOn(n, block.values[n]);
        grid->tree().addLeaf(leaf.release());
    }
    openvdb::Mat4R matrix;  // for row vectors
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 4; ++column) matrix[row][column] = lattice.toWorld[row][column];
    grid->setTransform(openvdb::math::Transform::createLinearTransform(matrix));
    if (isLevelSet) openvdb::tools::signedFloodFill(grid->tree());
    return meshOf(*grid, iso);
}

}  // namespace

extern "C" void wispMeshOfLattice(const VolumeLattice& lattice, bool isLevelSet, double iso, Mesh& mesh, std::string& error) {
    guarded(error, [&] { mesh = meshOf(lattice, isLevelSet, iso); });
}

extern "C" void wispMeshOfOpenVdb(const std::string& path, const std::string& name, double iso, Mesh& mesh, std::string& error) {
    guarded(error, [&] { mesh = meshOf(path, name, iso); });
}

}  // namespace wisp::app
