// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "engine/recorder.h"
#include "shaders/shared/depth_push.h"

#include <array>

namespace wisp {

/// Transmittance from each point of the box to the lights and the environment, through smoke and past obstacles. In a sparse simulation,
/// from each point of the light window (gpu::LightWindow), the first texels of the volumes.
///
/// Rays towards a sun are parallel, and so are rays towards a direction of the environment. Their optical depths are summed by doubling:
/// the depth of a segment of length 2 L is the depth of its first half, plus the depth of its second half, which is read where the first
/// half ends. So a volume of N^3 cells takes log2 N passes instead of N samples per cell.
class LightVolumes {
public:
    /// Allocates (or plans) `light` and `sky`, and volumes for their optical depths. @throws Error OutOfMemory
    LightVolumes(engine::Device& device, const Settings& settings);

    /// Changes the directions of the suns, whose number stays.
    void setSuns(const Settings& settings);

    /// Records both. The recorder's common bindings must hold the fields and the view. `window`: the gpu::LightWindow of a sparse
    /// simulation, else null.
    void fill(engine::Recorder& rec, const engine::Image& occupancy, const engine::Buffer* window);

    /// Fourth root of the transmittance to up to four lights, see light_volume.comp and RenderSettings::lightRatio. With fewer lights the
    /// last channel is the transmittance to the environment. rgba16 unorm.
    [[nodiscard]] const engine::Image& light() const { return light_; }
    /// Mean transmittance to the environment, at cells twice as large. r16f.
    [[nodiscard]] const engine::Image& sky() const { return sky_; }

private:
    /// Optical depths of segments from each cell, in up to four directions.
    struct Depths {
        gpu::DepthPush step{};                 ///< the first segments
        bool any = false;                      ///< whether there is any direction
        int doublings = 0;                     ///< until the segments from all cells lead out of the box
        std::array<engine::Image, 2> volumes;  ///< read and written alternately

        void setSteps(const std::vector<glm::vec4>& first);
        [[nodiscard]] const engine::Image& last() const { return volumes[static_cast<std::size_t>(doublings) % 2]; }
    };

    void sumDepths(engine::Recorder& rec, const engine::Image& occupancy, const engine::Threads& cells) const;
    engine::Image light_, sky_;
    bool isNew_ = true;             ///< not filled yet
    float sunStep_ = 0.0f;          ///< length of a segment towards a sun, over WISP_DEPTH_CELLS [m]
    std::array<Depths, 3> depths_;  ///< towards suns; along the diagonals of the sky volume's cells towards -z; and towards +z
};

}  // namespace wisp
