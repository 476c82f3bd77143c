// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"
#include "wisp/simulation.h"

#include <functional>

namespace wisp::app {

/// The options as those of the engine.
engine::DeviceOptions engineOptions(const DeviceOptions& options);

/// The library on the device of the window: the window is a host of it, with its own swapchain and passes.
/// @param find the Vulkan functions that the library uses; null: those of the loader. @throws Error NoDevice
Device libraryOn(const engine::Device& device, PFN_vkGetInstanceProcAddr find = nullptr);

/// The error of the engine as one of the library.
Error errorOf(const engine::Error& error);

/// The current frame of the window, into which the library records.
HostCommands lend(engine::Recorder& recorder);

/// Records a frame by `record`, in which the library may record, and submits it; returns its serial. If one of the two fails, the library
/// does not wait for what it has recorded.
std::uint64_t submitFrame(engine::Recorder& recorder, const std::function<void()>& record);

}  // namespace wisp::app
