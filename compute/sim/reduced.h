// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"

#include <array>
#include <cmath>
#include <cstring>

namespace wisp {

/// A record on the CPU: six sums and two maxima, see shaders/shared/reduce.glsl.
using Reduced = std::array<float, 8>;

/// Copies a buffer into `to` once the frame has run. `to` is a member of the object that the shared pointer `owner` keeps alive.
template <class Owner, class To>
void readInto(engine::Recorder& rec, const engine::Buffer& from, const Owner& owner, To& to) {
    rec.read(from, [owner, &to](std::span<const std::byte> bytes) { std::memcpy(&to, bytes.data(), sizeof to); });
}

/// Root mean square from a sum of squares and their number; 0 if the number is 0.
inline double rms(float squares, float count) {
    return count > 0.0f ? std::sqrt(static_cast<double>(squares) / static_cast<double>(count)) : 0.0;
}

}  // namespace wisp
