// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include <array>
#include <cstddef>

namespace wisp {

inline constexpr std::size_t kMapColours = 256;

/// Colours at equal steps in OKLab (Ottosson 2020), so that equal differences of a value look equal. Linear sRGB.
using ColourMap = std::array<glm::vec3, kMapColours>;

/// From nearly black through violet and red to pale yellow. Lightness always rises. For values that start at 0.
ColourMap sequentialMap();
/// From blue through nearly white to red, equally dark at both ends. For signed values.
ColourMap divergingMap();

/// The colour at t in [0, 1], interpolated between entries at equal distances.
glm::vec3 colourAt(const ColourMap& map, float t);

}  // namespace wisp
