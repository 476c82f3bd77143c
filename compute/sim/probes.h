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
    /// With memory for the largest of the settings' probes.
    ProbeSampler(engine::Device& device, const Settings& settings);

    /// Records the sampling of the fields as they are after the steps recorded so far. `deliver` gets the values in the order of the points
    /// once the frame has run, as with Recorder::read: nothing waits. @throws std::invalid_argument if the probe has more points than there
    /// is memory for.
    void sample(engine::Recorder& rec, const FluidSimulator& simulator, const ProbeSettings& probe,
                std::function<void(std::span<const gpu::ProbeValue>)> deliver);

private:
    engine::Buffer values_;  ///< of one probe; the next one waits for it on the GPU
};

/// Bytes that a frame reads in which every probe is sampled once: see RecorderOptions::readbackBytes.
std::uint64_t probeReadback(const Settings& settings);

}  // namespace wisp
