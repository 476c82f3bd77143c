// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/light.h"

/// Light from the ground (shaders/shared/ground_light.glsl).
namespace wisp::reference {

/// Light and sky volumes (transmittances to lights are stored as fourth roots, see light_volume.comp) and the environment map, which shows
/// where the ground fades out.
struct GroundLight {
    const Field& light;
    const Field& sky;
    const Field& surroundings;
    int lights;
};

/// Fraction of the environment's light that reaches the ground at x.
double skyAbove(const Step& s, const Field& sky, dvec3 x);

/// Radiance [W/(m^2 sr)] from the ground point that the downward ray from x along d hits.
dvec3 groundAlong(const Step& s, const View& v, const GroundLight& g, dvec3 x, dvec3 d);

/// groundAlong() averaged over a cosine lobe around a normal. It uses the five downward directions of Lebedev's rule of degree 5, each with
/// its weight times its cosine.
dvec3 groundBelow(const Step& s, const View& v, const GroundLight& g, dvec3 x, dvec3 normal);

}  // namespace wisp::reference
