// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh_grid.h"
#include "compute/scene/mesh_tree.h"
#include "engine/recorder.h"
#include "shaders/shared/step.h"

namespace wisp {

/// Signed distances to all meshes of the settings in one image. Those of meshes that do not deform are built on the GPU once.
class MeshDistance {
public:
    MeshDistance() = default;
    /// Allocates (or plans) the images and the buffers that their build needs.
    MeshDistance(engine::Device& device, const Settings& settings);

    /// Records the build of meshes that do not deform and releases its buffers. Does nothing from the second call on.
    void build(engine::Recorder& rec, const Settings& settings);

    /// Records the build of meshes that deform for their poses at time + motion [s]. Velocities are differences from the poses at `time`,
    /// or if `motion` is 0, to those a time step later. Returns whether any mesh or velocity has changed since the last call.
    bool pose(engine::Recorder& rec, const Settings& settings, double time, double motion);

    /// Completes the data of an obstacle whose shape is a mesh.
    void place(const Shape& shape, gpu::ObstacleData& data) const;

    [[nodiscard]] const engine::Image& image() const { return image_; }  ///< r32f [voxels]; 1^3 without meshes
    /// rgba16f [voxels/s], of the nearest point of the mesh; 1^3 if no mesh deforms
    [[nodiscard]] const engine::Image& velocities() const { return velocities_; }
    [[nodiscard]] const std::vector<MeshGrid>& grids() const { return grids_; }
    /// Greatest speed of a vertex of a shape in its last pose [m/s]; 0 if it does not deform or is no mesh.
    [[nodiscard]] float speedOf(const Shape& shape) const;

private:
    struct Body {
        MeshTree tree;
        engine::Buffer nodes, triangles;
        engine::Buffer before;  ///< triangles at the start of the step, of a mesh that deforms
        double time = 0.0;      ///< of `pose`
        std::vector<glm::vec3> posed, posedBefore;
        double speed = 0.0;  ///< of a vertex [units/s]
    };
    void dispatch(engine::Recorder& rec, const Body& body, const MeshGrid& grid, float rate);
    bool poseOne(engine::Recorder& rec, const Mesh& mesh, MeshGrid& grid, Body& body, double time, double motion, double step);

    std::vector<MeshGrid> grids_;
    engine::Image image_, velocities_;
    std::vector<Body> bodies_;
    engine::Buffer crossings_;  ///< of one mesh at a time
    bool built_ = false;
};

}  // namespace wisp
