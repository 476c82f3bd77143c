// SPDX-License-Identifier: MIT
#include "shared/ambient_flow.h"
#include "shared/noise.glsl"
layout(constant_id = 21) const bool kGusts = false;

// Velocity of the ambient flow [m/s] at p [cells]. Gusts are smooth noise that the wind carries along unchanged (Taylor 1938).
vec3 ambientFlow(vec3 p, AmbientFlow air) {
    return kGusts ? air.wind + air.gust * smoothNoise(air.beyond + p * air.perCell, air.lattice, air.seed) : air.wind;
}
