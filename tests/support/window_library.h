// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/lent_device.h"

namespace wisp::test {

/// The library on the shared device (GpuTest) as the window has it. All tests of a process share its pipelines.
inline const Device& windowLibrary(const engine::Device& device) {
    static const Device library = app::libraryOn(device);
    return library;
}

}  // namespace wisp::test
