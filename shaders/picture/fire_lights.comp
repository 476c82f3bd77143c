#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/fire_lights.h"
#include "shared/ordinates.h"
#include "shared/lebedev.glsl"
layout(local_size_x = WISP_FIRE_LIGHTS) in;
// Lights in place of a fire, for surfaces: one for each part. The intensity in a direction is that of the beams of the part, see
// fire_beams.comp, to first order in spherical harmonics.
layout(binding = 5, scalar) buffer FireLightsOut { FireLights fireLightsOut; };

void main() {
    ivec3 parts = fireLightsOut.parts;
    int part = int(gl_LocalInvocationIndex);
    if (part >= parts.x * parts.y * parts.z) return;
    FireLight light = FireLight(vec3(0.0), 0.0, vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
    float power = 0.0, square = 0.0;
    vec3 moment = vec3(0.0);
    for (int k = 0; k < WISP_ORDINATES; ++k) {
        FireBeam beam = fireLightsOut.beams[part * WISP_ORDINATES + k];
        float weight = ordinateWeight(k);
        vec3 I = weight * beam.intensity, along = 3.0 * ordinate(k);
        light.intensity += I;
        light.alongX += along.x * I;
        light.alongY += along.y * I;
        light.alongZ += along.z * I;
        power += weight * beam.power;
        moment += weight * beam.moment;
        square += weight * beam.square;
    }
    vec3 centre = moment / max(power, 1e-30);
    light.centre = sim.origin + centre;
    light.radius2 = max(square / max(power, 1e-30) - dot(centre, centre), 0.0);
    fireLightsOut.lights[part] = light;
}
