// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/fluid_simulator.h"
#include "shaders/shared/probe.h"

#include <cstdint>
#include <functional>
#include <span>

namespace wisp {

/// Samples fields at the points of probes.
class ProbeSampler {
public:
    /// Allocates memory for the largest probe of the settings.
    ProbeSampler(engine::Device& device, const Settings& settings);

    /// Records the sampling of the fields after the steps recorded so far. `deliver` is called with the values, in the order of the points,
    /// once the frame has run (see Recorder::read). The call does not wait. @throws std::invalid_argument if the probe has more points than
    /// the largest probe of the constructor's settings.
    void sample(engine::Recorder& rec, const FluidSimulator& simulator, const ProbeSettings& probe,
                std::function<void(std::span<const gpu::ProbeValue>)> deliver);

private:
    engine::Buffer values_;  ///< of one probe; the next probe waits on the GPU until they are read
};

/// RecorderOptions::readbackBytes for sampling every probe once in a frame.
std::uint64_t probeReadback(const Settings& settings);

}  // namespace wisp
