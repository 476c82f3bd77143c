// SPDX-License-Identifier: MIT
#pragma once

#include "api/memory_plan.h"
#include "app/bench/options.h"
#include "app/output/report.h"
#include "compute/picture/path_tracer.h"
#include "engine/device_peaks.h"
#include "engine/work_counter.h"

#include <map>
#include <optional>

namespace wisp::app {

class TraceFile;

struct BenchResult {
    engine::DevicePeaks peaks;
    TimingTable whole;   ///< scopes "step" and "frame", measured without pass timing
    TimingTable passes;  ///< every pass of further steps
    /// By pass, of one step. Empty if the device has no pipeline statistics queries.
    std::map<std::string, std::uint64_t> invocations;
    std::map<std::string, engine::ShaderWork> work;  ///< by pass, of one step
    /// By pass. Empty if the driver does not report them.
    std::map<std::string, std::vector<engine::PipelineStatistic>> pipelines;
    std::vector<double> recordMs, submitMs;  ///< CPU times, one per step
    double wallMs = 0.0;                     ///< by the clock, waiting included: the mean of all steps without pass timing
    Quality quality;
    std::optional<PathReport> path;  ///< of one sample
    std::uint64_t memory = 0;        ///< allocated bytes
    std::vector<engine::Allocation> resources;
};

/// Times a simulation twice: whole steps without pass timing, then every pass. `trace` (may be null) records the second run.
/// @throws Failure Interrupted, engine::Error
BenchResult runBenchmark(const BenchOptions& options, const Settings& settings, engine::Device& device, const Log& log,
                         TraceFile* trace = nullptr);

/// Returns `options` with pipeline statistics enabled, if the driver supports them.
engine::DeviceOptions inspecting(const DeviceOptions& options);

/// Memory that `bench` needs in addition to the simulation.
Needs benchNeeds(const BenchOptions& options);

}  // namespace wisp::app
