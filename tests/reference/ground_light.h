// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/light.h"

/// What the ground sends up (shaders/shared/ground_light.glsl).
namespace wisp::reference {

/// Volumes of light, roots of transmittances as in light_volume.comp, and the map of the surroundings, which are seen where the ground
/// fades.
struct GroundLight {
    const Field& light;
    const Field& sky;
    const Field& surroundings;
    int lights;
};

/// Share of the surroundings that reaches the ground at x.
double skyAbove(const Step& s, const Field& sky, dvec3 x);

/// Radiance that comes from the ground where the ray from x along d, which goes down, meets it [W/(m^2 sr)].
dvec3 groundAlong(const Step& s, const View& v, const GroundLight& g, dvec3 x, dvec3 d);

/// The same for a cosine lobe around a normal: five directions that go down, each with its share of the sphere (Lebedev's rule of degree 5)
/// times its cosine.
dvec3 groundBelow(const Step& s, const View& v, const GroundLight& g, dvec3 x, dvec3 normal);

}  // namespace wisp::reference
