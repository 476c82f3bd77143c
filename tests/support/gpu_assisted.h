// SPDX-License-Identifier: MIT
#pragma once

namespace wisp::engine {
class Device;
}

namespace wisp::test {

/// Value of VK_LAYER_ENABLES that enables GPU-assisted validation.
inline constexpr const char* kGpuAssisted = "VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT";

/// True if this process was started with GPU-assisted validation enabled.
bool gpuAssisted();

/// GPU-assisted validation 1.3.239 reports push descriptors as uninitialised. This function replaces push descriptors by ordinary
/// descriptor sets: it redirects functions of the device to others that allocate, write and bind one set for each push. The device must not
/// have run anything before.
void replacePushedDescriptors(engine::Device& device);

/// Appends the names of the pipelines that were bound since the last call to the file that the environment variable WISP_GPU_ASSISTED_RAN
/// names.
void writeWhatRan();

}  // namespace wisp::test
