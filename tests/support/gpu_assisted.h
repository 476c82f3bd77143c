// SPDX-License-Identifier: MIT
#pragma once

namespace wisp::test {

/// What turns GPU-assisted validation on, as the value of VK_LAYER_ENABLES.
inline constexpr const char* kGpuAssisted = "VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT";

/// Whether this process was started with it.
bool gpuAssisted();

/// GPU-assisted validation 1.3.239 takes descriptors that were pushed for uninitialised. From here on they are sets of the ordinary kind:
/// volk's pointers are turned to functions that allocate, write and bind one in place of each push. Again after every device that is made.
void replacePushedDescriptors();

/// Adds the names of the pipelines that were bound since the last call to the file that WISP_GPU_ASSISTED_RAN names.
void writeWhatRan();

}  // namespace wisp::test
