// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include <array>
#include <cstddef>

namespace wisp {

inline constexpr std::size_t kMapColours = 256;

/// Colours of equal steps in OKLab (Ottosson 2020), so that equal differences of a value look equal. Linear sRGB.
using ColourMap = std::array<glm::vec3, kMapColours>;

/// From nearly black by violet and red to pale yellow; lightness always rises. For what begins at 0.
ColourMap sequentialMap();
/// From blue by nearly white to red, as dark at both ends. For what has a sign.
ColourMap divergingMap();

/// The map at t in [0, 1], entries at equal distances and interpolated.
glm::vec3 colourAt(const ColourMap& map, float t);

}  // namespace wisp
