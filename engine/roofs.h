// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"

namespace wisp::engine {

/// What the device can do at most, for passes to be measured against. 0: there is no room to measure it.
struct Roofs {
    double copy = 0.0;            ///< bytes read and written [1/s]
    bool copiedByShader = false;  ///< or by vkCmdCopyBuffer: whichever is faster
    double operations = 0.0;      ///< of floats; a fused multiply-add is two [1/s]
    double samples = 0.0;         ///< trilinear ones of a 3D image of four halves that caches hold [1/s]
    double fetches = 0.0;         ///< single texels of it [1/s]
};

inline constexpr double kRoofOperations = 2 * 512, kRoofReads = 16;  ///< of a thread of roof_arithmetic; of roof_samples and roof_fetches

/// The shaders in engine/shaders (generated source, see cmake/EmbedShaders.cmake).
std::span<const EmbeddedShader> roofShaders();

/// Roofs::samples alone: a tenth of the time of all. 0 where timestamps say nothing.
double measureSamples(Device& device);

/// Takes some 50 ms, and on slow devices as much again for each. The best of several runs counts.
Roofs measureRoofs(Device& device);

}  // namespace wisp::engine
