// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "compute/sim/fluid_simulator.h"
#include "engine/device.h"
#include "files/base/bytes.h"
#include "files/volume/volume.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wisp {

/// Memory that a run needs in addition to the simulation.
struct Needs {
    bool picture = false;                   ///< a renderer for images
    std::uint64_t readback = 0;             ///< readback per frame without volumes and probes [bytes]
    std::uint64_t copies = 0;               ///< staging block for checkpoints [bytes]
    std::optional<VolumeKind> volume = {};  ///< volume that is read back in every frame
    VolumeChoice volumeChoice = {};         ///< what it contains
    bool probes = false;                    ///< the probes of the scene
};

/// Maximum readback per frame for quality measurements [bytes].
inline constexpr std::uint64_t kMeasureBytes = std::uint64_t{64} * 1024;

/// Total readback per frame [bytes].
std::uint64_t readbackOf(const FluidSimulator& simulator, const Needs& needs);

struct MemoryPlan {
    std::vector<engine::Allocation> rows;
    std::uint64_t bytes = 0;
};

/// The allocations of a run, found by running the same constructors in plan mode, which allocates nothing.
/// @throws std::invalid_argument if a resource exceeds the limits of the device.
MemoryPlan planMemory(engine::Device& device, const Settings& settings, const Needs& needs);

/// @throws Failure OutOfMemory if the run does not fit. The message contains the required memory, the available memory, and a grid that
/// would fit. If a capacity set by the scene is the cause, it contains a capacity that would fit. @throws Error Unsupported that names a
/// key of the image if the image exceeds the limits of the device.
void requireFit(engine::Device& device, const Settings& settings, const Needs& needs);

/// Runs `work`. @throws Failure OutOfMemory if memory runs out in spite of the plan. The message contains the memory in use, the available
/// memory, the required memory, and a grid that would fit into the memory that was in use.
void explainOutOfMemory(engine::Device& device, const Settings& settings, const Needs& needs, const std::function<void()>& work);

}  // namespace wisp
