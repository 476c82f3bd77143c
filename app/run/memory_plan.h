// SPDX-License-Identifier: MIT
#pragma once

#include "app/output/volume.h"
#include "app/scene/scene.h"
#include "engine/device.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wisp::app {

/// What a run allocates besides the simulation.
struct Needs {
    bool picture = false;                   ///< what draws one
    std::uint64_t readback = 0;             ///< bytes of one frame's results, but for a volume
    std::uint64_t copies = 0;               ///< bytes of a block on the way to or from a checkpoint
    std::optional<VolumeKind> volume = {};  ///< what every frame reads besides
    bool probes = false;                    ///< those of the scene are sampled
};

/// Host memory that a measurement of the quality numbers may take in a frame.
inline constexpr std::uint64_t kMeasureBytes = std::uint64_t{64} * 1024;

/// Bytes of one frame's results.
std::uint64_t readbackOf(const Settings& settings, const Needs& needs);

struct MemoryPlan {
    std::vector<engine::Allocation> rows;
    std::uint64_t bytes = 0;
};

/// What the run would allocate: the same constructors run, but in plan mode.
/// @throws std::invalid_argument if a resource is past the device's limits.
MemoryPlan planMemory(engine::Device& device, const Settings& settings, const Needs& needs);

/// @throws Failure OutOfMemory that says what is needed, what there is, and a grid that would fit, or how much of a capacity that the scene
/// asks for, if that is to blame; Usage that names a key of the picture if it is the picture that is past the device's limits.
void requireFit(engine::Device& device, const Settings& settings, const Needs& needs);

/// Runs `work`. If memory runs out in spite of the plan: @throws Failure OutOfMemory that says what was in use, what there is, what the run
/// needs, and a grid that would fit into what the driver gave.
void withShortageExplained(engine::Device& device, const Settings& settings, const Needs& needs, const std::function<void()>& work);

/// Prints the plan, the largest first.
void printPlan(engine::Device& device, const Settings& settings, const Needs& needs);

std::string formatBytes(std::uint64_t bytes);  ///< "12.3 MiB"

}  // namespace wisp::app
