// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"

namespace wisp::engine {

/// Device peaks for the roofline model. 0: not measured for lack of memory.
struct DevicePeaks {
    double copy = 0.0;            ///< bytes read and written [1/s]
    bool copiedByShader = false;  ///< whether a shader copies faster than vkCmdCopyBuffer
    double operations = 0.0;      ///< 32-bit float operations; a fused multiply-add counts as two [1/s]
    double samples = 0.0;         ///< trilinear samples of a 3D rgba16f image that fits into the caches [1/s]
    double fetches = 0.0;         ///< texel fetches from the same image [1/s]
};

/// Operations of a thread of peak_arithmetic; samples or fetches of a thread of peak_samples or peak_fetches.
inline constexpr double kPeakOperations = 2 * 512, kPeakReads = 16;

/// The shaders in engine/shaders (generated source, see cmake/EmbedShaders.cmake).
std::span<const EmbeddedShader> peakShaders();

/// Measures only DevicePeaks::samples, in a tenth of the time of measureDevicePeaks. 0 if the measured time is 0.
double measureSamples(Device& device);

/// Takes about 50 ms; on slow devices, about 50 ms for each peak. The best of several runs counts.
DevicePeaks measureDevicePeaks(Device& device);

}  // namespace wisp::engine
