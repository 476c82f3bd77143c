// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/options.h"
#include "app/output/report.h"
#include "wisp/device.h"
#include "wisp/profile.h"
#include "wisp/quality.h"
#include "wisp/renderer.h"
#include "wisp/scene.h"
#include "wisp/simulation.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace wisp::app {

class TraceFile;

struct BenchResult {
    DevicePeaks peaks;
    TimingTable whole;                       ///< scopes "step" and "frame", measured without pass timing
    TimingTable passes;                      ///< every pass of further steps
    std::vector<PassWork> work;              ///< of one step
    std::vector<double> recordMs, submitMs;  ///< CPU times, one per step, with its picture
    double wallMs = 0.0;                     ///< by the clock, waiting included: the mean of all steps without pass timing
    Quality quality;
    std::optional<PathProgress> path;  ///< of one sample
    std::uint64_t memory = 0;          ///< allocated bytes
    std::vector<MemoryUse> resources;
};

/// Times a simulation twice: whole steps without pass timing, then every pass. `trace` (may be null) records the second run.
/// @throws Failure Interrupted; Error
BenchResult runBenchmark(const BenchOptions& options, const Scene& scene, Device& device, const Log& log, TraceFile* trace = nullptr);

/// Returns `options` with pipeline statistics enabled, if the driver supports them.
DeviceOptions inspecting(DeviceOptions options);

/// What a benchmark makes simulations with.
SimulationOptions benchSimulation(const BenchOptions& options);

/// Memory of a benchmark of this scene [bytes]. @throws Error as Simulation::plan.
std::uint64_t benchMemory(const BenchOptions& options, const Scene& scene, const Device& device);

}  // namespace wisp::app
