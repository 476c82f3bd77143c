// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/fluid_simulator.h"
#include "shaders/shared/probe.h"
#include "wisp/wind.h"

#include <cstdint>
#include <functional>
#include <span>

namespace wisp {

/// Where the simulation's velocity lies, for wispWindAt of wisp/wind.glsl, after the steps recorded so far. `ambient` is flow.inflow,
/// without gusts.
gpu::WispWind windOf(const FluidSimulator& simulator);
/// The image to bind there as `faces`: the velocity that carried the smoke in the last step, free of divergence. Steps take turns with
/// their images: ask again after each, and read it before the next.
const engine::Image& windFaces(const FluidSimulator& simulator);

/// Push constants of sample_wind.
struct WindPush {
    gpu::WispWind wind;
    std::uint32_t count;  ///< of points
};
WISP_MEMBERS(WindPush, wind, count)

/// The wind at places that the CPU asks for, by the shader code that other programs use.
class WindSampler {
public:
    /// Of so many points at once at most, 12 bytes each on the GPU. @throws std::invalid_argument if that is 0 or more than kMostPoints.
    WindSampler(engine::Device& device, std::uint32_t maxPoints);

    /// Records the sampling of the wind at `points` [m], as it is after the steps recorded so far. `deliver` gets the velocities [m/s] in
    /// the order of the points once the frame has run, as with Recorder::read: nothing waits, and the sampler may be gone by then. Without
    /// points it gets none, as late. What lies outside of the box, or is NaN: see wisp/wind.glsl.
    ///
    /// A frame may have many batches. RecorderOptions::readbackBytes bounds what they read together: each takes 12 bytes a point, rounded
    /// up to 16, and at least 16.
    /// @throws std::invalid_argument if these are more points than maxPoints, or those of the frame more than readbackBytes has room for.
    void sample(engine::Recorder& rec, const FluidSimulator& simulator, std::span<const glm::vec3> points,
                std::function<void(std::span<const glm::vec3>)> deliver);

    static constexpr std::uint32_t kMostPoints = 64 * 65535;  ///< work groups that every device can dispatch, see sample_wind.comp

private:
    std::uint32_t maxPoints_;
    engine::Buffer points_;  ///< of one batch, then their winds; the next batch waits for it on the GPU
};

}  // namespace wisp
