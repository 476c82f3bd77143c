// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "engine/recorder.h"
#include "shaders/shared/step.h"

namespace wisp {

/// The distance grid of one mesh: `size` voxels around the middle of its bounding box.
struct MeshGrid {
    glm::uvec3 size{1};
    std::uint32_t slice = 0;  ///< where it begins along z in the image of all grids
    double voxel = 1.0;       ///< edge, in the mesh's unit
};

/// Voxels along an edge of a mesh's grid, at most.
inline constexpr std::uint32_t kMaxMeshVoxels = 128;
/// Voxels around the bounding box: further out than a cut cell reaches, the distance may be a lower bound.
inline constexpr std::uint32_t kMeshMargin = 2;

/// A voxel for every fine cell (of the largest obstacle of a mesh), fewer where that were more than kMaxMeshVoxels.
std::vector<MeshGrid> meshGrids(const Settings& settings);

/// Signed distance to every mesh of the settings in one image, built on the GPU once.
class MeshDistance {
public:
    MeshDistance() = default;
    /// Allocates the image and what building it takes (or plans them).
    MeshDistance(engine::Device& device, const Settings& settings);

    /// Records the building, and lets go of what it took; nothing from the second call on.
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
