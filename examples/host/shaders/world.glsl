// SPDX-License-Identifier: MIT
// What does not change from frame to frame; see World in world.h.
const int kCapsules = 16, kLights = 2;
struct Light {
    vec4 towards;     // unit vector
    vec4 irradiance;  // [W/m^2]
};
layout(binding = 0) uniform World {
    vec4 capsuleFrom[kCapsules];  // w: radius [m]
    vec4 capsuleTo[kCapsules];
    Light lights[kLights];
    vec4 skyMean, skySlope;  // radiance of the environment in the direction d: skyMean + d.y * skySlope [W/(m^2 sr)]
    vec4 boxLow;             // low corner of the smoke [m]; w: extinction [1/m per unit density]
    vec4 boxSize;            // [m]
} world;
layout(push_constant) uniform View {
    mat4 clip;  // from the world to clip space
    vec4 eye, right, up, forward;  // as in wisp::Camera
} view;

vec3 sky(vec3 direction) { return world.skyMean.rgb + direction.y * world.skySlope.rgb; }
