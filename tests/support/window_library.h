// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/lent_device.h"
#include "tests/support/gpu_test.h"

#include <optional>

namespace wisp::test {

/// The library on the shared device (GpuTest) as the window has it. All tests of a process share its pipelines.
inline const Device& windowLibrary(const engine::Device& device) {
    static std::optional<Device> library;
    if (!library) {
        library.emplace(app::libraryOn(device));
        beforeSharedDeviceEnds([] { library.reset(); });
    }
    return *library;
}

}  // namespace wisp::test
