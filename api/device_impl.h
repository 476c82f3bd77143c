// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/shaders.h"
#include "engine/device.h"
#include "engine/shader.h"
#include "wisp/device.h"

#include <exception>
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

/// At its end, frees the memory of objects that are gone and that the device no longer uses: also what an object had whose constructor has
/// failed. Otherwise some later step would do that.
struct Collector {
    explicit Collector(Device::Impl& d) : device(d) {}
    ~Collector() {
        try {
            device.device.collect();
        } catch (const std::exception&) {  // a lost device
        }
    }
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;
    Device::Impl& device;
};

}  // namespace wisp
