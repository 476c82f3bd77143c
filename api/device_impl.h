// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/shaders.h"
#include "engine/device.h"
#include "engine/shader.h"
#include "wisp/device.h"

#include <mutex>
#include <vector>

namespace wisp {

/// A device, which its simulations and renderers share and keep.
struct Device::Impl {
    explicit Impl(const engine::DeviceOptions& options) : device(options) {}
    Impl(const engine::BorrowedDevice& host, const engine::DeviceOptions& options) : device(host, options) {}

    engine::Device device;
    engine::ShaderLibrary shaders{device, embeddedShaders()};  ///< of all simulations: they share pipelines
    std::uint64_t simulations = 0;                             ///< made so far
    std::uint64_t shadersOf = 0;                               ///< number of the simulation whose options the shaders have
    std::recursive_mutex mutex;                                ///< of every call that uses the device
};

std::vector<MemoryUse> memoryUse(const std::vector<engine::Allocation>& rows);

}  // namespace wisp
