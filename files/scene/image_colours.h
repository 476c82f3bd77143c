// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include <array>
#include <optional>

namespace wisp {

/// Chromaticities x, y of red, green, blue and white.
using Chromaticities = std::array<double, 8>;

/// How the header of an image file changes its values: factors, then another colour space.
struct ImageColours {
    glm::dvec3 factor{1.0};
    std::optional<glm::dmat3> toRec709;  ///< none: the values have the primaries of Rec. 709

    /// Linear Rec. 709 of a texel. Colours that Rec. 709 does not have are clipped at 0. A texel with a negative value is returned as it
    /// is, for the check of the image.
    [[nodiscard]] glm::vec3 operator()(const glm::vec3& texel) const;
};

/// From linear RGB with these chromaticities to that of Rec. 709, with the white point adapted by the Bradford method; none if they are
/// those of Rec. 709. Source: SMPTE RP 177 (primaries); Lindbloom, "Chromatic Adaptation".
/// @throws std::runtime_error if they span no colours
std::optional<glm::dmat3> toRec709(const Chromaticities& given);

}  // namespace wisp
