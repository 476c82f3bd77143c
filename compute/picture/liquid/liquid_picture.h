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

/// The picture of a liquid by its surface: signed distances around its particles (Zhu, Bridson 2005), and rays through them that are
/// refracted and reflected. It takes the place of `raymarch`.
class LiquidPicture final : public SurfacePicture {
public:
    /// Allocates the volume of distances (or plans it), of scalar cells.
    LiquidPicture(engine::Device& device, const Settings& settings);

    void measure(engine::Recorder& rec, const Fields& fields, const Settings& settings) const override;
    void draw(engine::Recorder& rec, const Settings& settings, const engine::Image& occupancy, const LightVolumes& light,
              const Marks& marks, const engine::Image& radiance, const engine::Image& depth) const override;

private:
    engine::Image rough_;      ///< before it is made smooth
    engine::Image distances_;  ///< to the surface [fine cells], negative inside, at most the reach of the kernel; r16f
    engine::Image normals_;    ///< xyz: their gradients; rgba16f
    engine::Image bricks_;     ///< smallest and largest of each WISP_BRICK^3 and their border; rg16f
    engine::Image stepped_;    ///< the picture before its edges are smooth; only if they are to be
    engine::Buffer nothing_;   ///< bound where nothing is read
};

}  // namespace wisp
