// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace wisp {

/// The conversion of IEC 61966-2-1, as in shaders/shared/srgb.glsl. `value`: in [0, 255]. @returns linear light in [0, 1]
inline double linearLight(std::uint8_t value) {
    static const auto kLight = [] {  // pictures have millions of values
        std::array<double, 256> light{};
        for (std::size_t n = 0; n < light.size(); ++n) {
            const double c = static_cast<double>(n) / 255.0;
            light[n] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        }
        return light;
    }();
    return kLight[value];
}

/// The inverse, rounded. Light is clamped to [0, 1].
inline std::uint8_t srgbValue(double light) {
    const double c = std::clamp(light, 0.0, 1.0);
    return static_cast<std::uint8_t>(std::lround(255.0 * (c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055)));
}

}  // namespace wisp
