// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/fluid_simulator.h"
#include "shaders/shared/probe.h"
#include "wisp/wind.h"

#include <cstdint>
#include <functional>
#include <span>

namespace wisp {

/// Position and size of the simulation's velocity field after the steps recorded so far, for wispWindAt in wisp/wind.glsl. `ambient` is
/// flow.inflow, without gusts.
gpu::WispWind windOf(const FluidSimulator& simulator);
/// The image to bind as `faces` of wispWindAt: the divergence-free velocity that advected the smoke in the last step. Steps alternate
/// between images, so call this again after each step, and read the image before the next step. @throws std::invalid_argument if the
/// simulation is sparse: no image holds its velocity.
const engine::Image& windFaces(const FluidSimulator& simulator);

/// Push constants of sample_wind.
struct WindPush {
    gpu::WispWind wind;
    std::uint32_t count;  ///< number of points
};
WISP_MEMBERS(WindPush, wind, count)

/// Samples the wind at positions from the CPU, with the same shader code that other programs use.
class WindSampler {
public:
    /// `maxPoints`: largest number of points in a batch, 12 bytes each on the GPU. @throws std::invalid_argument if it is 0 or above
    /// kMostPoints.
    WindSampler(engine::Device& device, std::uint32_t maxPoints);

    /// Records the sampling of the wind at `points` [m] after the steps recorded so far. `deliver` is called with the velocities [m/s], in
    /// the order of the points, once the frame has run (see Recorder::read). The call does not wait. The sampler may be destroyed before
    /// `deliver` is called. Without points, `deliver` is called with an empty span once the frame has run. For points outside the box and
    /// NaN, see wisp/wind.glsl.
    ///
    /// A frame may have many batches. RecorderOptions::readbackBytes limits their total size: a batch takes 12 bytes per point, rounded up
    /// to a multiple of 16, and at least 16.
    /// @throws std::invalid_argument if there are more points than maxPoints, or if the batches of the frame exceed readbackBytes.
    void sample(engine::Recorder& rec, const FluidSimulator& simulator, std::span<const glm::vec3> points,
                std::function<void(std::span<const glm::vec3>)> deliver);

    /// 65535 work groups, which every device can dispatch, of 64 points each: see sample_wind.comp.
    static constexpr std::uint32_t kMostPoints = 64 * 65535;

private:
    std::uint32_t maxPoints_;
    engine::Buffer points_;  ///< of one batch, then overwritten by their velocities; the next batch waits on the GPU
};

}  // namespace wisp
