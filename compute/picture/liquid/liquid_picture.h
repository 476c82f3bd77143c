// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/light_volumes.h"
#include "compute/picture/marks.h"
#include "compute/scene/settings.h"
#include "compute/sim/fields.h"
#include "engine/recorder.h"
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
class LiquidPicture {
public:
    /// Allocates the volume of distances (or plans it), of scalar cells.
    LiquidPicture(engine::Device& device, const Settings& settings);

    /// Records the distances to the surface of the particles as they are.
    void measure(engine::Recorder& rec, const Fields& fields, const Settings& settings) const;
    /// Records radiance and depth of a picture with them, of the fields and the view that are common to all passes.
    void draw(engine::Recorder& rec, const Settings& settings, const engine::Image& occupancy, const LightVolumes& light,
              const Marks& marks, const engine::Image& radiance, const engine::Image& depth) const;

    /// [fine cells], negative inside; no more than what no particle is within. r16f.
    [[nodiscard]] const engine::Image& distances() const { return distances_; }

private:
    engine::Image rough_;  ///< before it is made smooth
    engine::Image distances_;
    engine::Image normals_;   ///< xyz: their gradients; rgba16f
    engine::Image bricks_;    ///< smallest and largest of each WISP_BRICK^3 and their border; rg16f
    engine::Image stepped_;   ///< the picture before its edges are smooth; only if they are to be
    engine::Buffer nothing_;  ///< bound where nothing is read
};

}  // namespace wisp
