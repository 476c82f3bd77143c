// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"

namespace wisp::engine {

/// What the device's memory can do: bytes read and written a second by copies of a buffer of 256 MiB (or of what the device allows)
/// [GB/s]. The median of several, for passes to be measured against. 0 if there is no room for two such buffers.
double measureCopySpeed(Device& device, ShaderLibrary& shaders);

}  // namespace wisp::engine
