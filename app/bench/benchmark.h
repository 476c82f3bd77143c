// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/options.h"
#include "app/output/report.h"
#include "app/run/memory_plan.h"
#include "compute/picture/path_tracer.h"
#include "engine/roofs.h"
#include "engine/work_counter.h"

#include <map>
#include <optional>

namespace wisp::app {

class TraceFile;

/// What a benchmark found out.
struct BenchResult {
    engine::Roofs roofs;                               ///< of the device
    TimingTable whole;                                 ///< scopes "step" and "frame", undisturbed
    TimingTable passes;                                ///< of some more steps, one by one
    std::map<std::string, std::uint64_t> invocations;  ///< by pass, of one step; empty where the device does not count
    std::map<std::string, engine::ShaderWork> work;    ///< by pass, of one step
    std::map<std::string, std::vector<engine::PipelineStatistic>> pipelines;  ///< by pass; empty where the driver does not tell
    std::vector<double> recordMs, submitMs;                                   ///< of the CPU, one a step
    Quality quality;
    std::optional<PathReport> path;  ///< of one sample
    std::uint64_t memory = 0;        ///< bytes allocated
    std::vector<engine::Allocation> resources;
};

/// Times a simulation twice: whole steps undisturbed, then pass by pass; `trace`, which may be null, gets the latter.
/// @throws Failure Interrupted, engine::Error
BenchResult runBenchmark(const BenchOptions& options, const Settings& settings, engine::Device& device, const Log& log,
                         TraceFile* trace = nullptr);

/// The same, but the driver tells about pipelines, where it can.
engine::DeviceOptions inspecting(engine::DeviceOptions options);

/// What `bench` allocates besides the simulation.
Needs benchNeeds(const BenchOptions& options);

}  // namespace wisp::app
