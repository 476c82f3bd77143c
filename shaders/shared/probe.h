// SPDX-License-Identifier: MIT
// Values that a probe samples, and its points. Shared by C++ and GLSL (scalar layout).
#ifndef WISP_SHADERS_SHARED_PROBE_H
#define WISP_SHADERS_SHARED_PROBE_H
#include "wisp/wind.h"
#ifdef __cplusplus
#include "engine/members.h"

#include <cstdint>
namespace wisp::gpu {
using uint = std::uint32_t;
#endif

// NaN if there is no value: outside the box or inside an obstacle.
struct ProbeValue {
    vec3 velocity;   // [m/s]
    float pressure;  // p / rho = q / dt [m^2/s^2]
    vec3 vorticity;  // [1/s]
    float density;
    float temperature;  // [K] above ambient
};

// Points from + way * i / (count - 1) [m], i = 0 ... count - 1.
struct ProbePush {
    WispWind wind;  // grid of the velocity
    vec3 from;
    vec3 way;
    uint count;
};

#ifdef __cplusplus
WISP_MEMBERS(WispWind, origin, h, cells, periodic, ambient, unused)
WISP_MEMBERS(ProbeValue, velocity, pressure, vorticity, density, temperature)
WISP_MEMBERS(ProbePush, wind, from, way, count)
}  // namespace wisp::gpu
#endif
#endif
