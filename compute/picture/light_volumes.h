// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "engine/recorder.h"
#include "shaders/shared/depth_push.h"

#include <array>

namespace wisp {

/// How much light reaches each place in the box, through smoke and past obstacles.
///
/// Optical depths towards suns and surroundings, whose rays are parallel, are summed by doubling: of a way of 2 L it is that of its
/// first half and, read where the first ends, that of its second. So a volume of N^3 cells takes log2 N passes, not N samples a cell.
class LightVolumes {
public:
    /// Allocates (or plans) `light` and `sky`, and what sums them up. @throws Error OutOfMemory
    LightVolumes(engine::Device& device, const Settings& settings);

    /// Records both, of the fields and the view that are common to all passes.
    void fill(engine::Recorder& rec, const engine::Image& occupancy) const;

    /// Transmittance to up to four lights, see RenderSettings::lightRatio; with less the last channel is that to the surroundings. rgba16f.
    [[nodiscard]] const engine::Image& light() const { return light_; }
    /// Mean transmittance to the surroundings, of cells twice as large. r16f.
    [[nodiscard]] const engine::Image& sky() const { return sky_; }

private:
    /// Optical depths of ways from each cell, in up to four directions.
    struct Depths {
        gpu::DepthPush step{};                 ///< the first
        bool any = false;                      ///< directions
        int doublings = 0;                     ///< until it leads out of the box from anywhere
        std::array<engine::Image, 2> volumes;  ///< read and written by turns

        [[nodiscard]] const engine::Image& last() const { return volumes[static_cast<std::size_t>(doublings) % 2]; }
    };

    void sumDepths(engine::Recorder& rec) const;
    engine::Image light_, sky_;
    std::array<Depths, 3> depths_;  ///< to the suns; along diagonals of the sky volume's cells to their corners at -z, and at +z
};

}  // namespace wisp
