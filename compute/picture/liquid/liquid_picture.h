// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/surface_picture.h"
#include "shaders/shared/liquid/liquid_picture.h"

namespace wisp {

/// Push constants of liquid_distance_solids.
struct LiquidDistanceSolids {
    gpu::LiquidDistance push;
    glm::ivec3 first;  ///< scalar cell of the first thread
};
WISP_MEMBERS(LiquidDistanceSolids, push, first)

/// The picture of a liquid's surface: signed distances around its particles (Zhu, Bridson 2005), and rays that the surface refracts and
/// reflects.
class LiquidPicture final : public SurfacePicture {
public:
    /// Allocates (or plans) the volumes of distances, at scalar cells.
    LiquidPicture(engine::Device& device, const Settings& settings);

    void measure(engine::Recorder& rec, const Fields& fields, const Settings& settings) const override;
    void draw(engine::Recorder& rec, const Settings& settings, const engine::Image& occupancy, const LightVolumes& light,
              const Splats& splats, const engine::Image& radiance, const engine::Image& depth) const override;

private:
    engine::Image rough_;      ///< distances before smoothing
    engine::Image distances_;  ///< to the surface [fine cells], negative inside, at most the reach of the kernel; r16f
    engine::Image normals_;    ///< xyz: gradients of the distances; rgba16f
    engine::Image bricks_;     ///< smallest and largest distance of WISP_BRICK^3 cells and their border; rg16f
    engine::Image stepped_;    ///< the picture before antialiasing; only with antialiasing
    engine::Buffer nothing_;   ///< placeholder for bindings that are not read
};

}  // namespace wisp
