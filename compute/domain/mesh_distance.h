// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh_grid.h"
#include "engine/recorder.h"
#include "shaders/shared/step.h"

namespace wisp {

/// Signed distances to all meshes of the settings in one image, built on the GPU once.
class MeshDistance {
public:
    MeshDistance() = default;
    /// Allocates (or plans) the image and the buffers that its build needs.
    MeshDistance(engine::Device& device, const Settings& settings);

    /// Records the build and releases its buffers. Does nothing from the second call on.
    void build(engine::Recorder& rec, const Settings& settings);

    /// Completes the data of an obstacle whose shape is a mesh.
    void place(const Shape& shape, gpu::ShapeData& data) const;

    [[nodiscard]] const engine::Image& image() const { return image_; }  ///< r32f [voxels]; 1^3 without meshes
    [[nodiscard]] const std::vector<MeshGrid>& grids() const { return grids_; }

private:
    struct Tree {
        engine::Buffer nodes, triangles;
    };
    void buildOne(engine::Recorder& rec, const Mesh& mesh, const MeshGrid& grid, const Tree& tree);

    std::vector<MeshGrid> grids_;
    engine::Image image_;
    std::vector<Tree> trees_;
    engine::Buffer crossings_;  ///< of one mesh at a time
    bool built_ = false;
};

}  // namespace wisp
