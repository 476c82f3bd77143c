// SPDX-License-Identifier: MIT
// Light of a black body. Included by C++ and by GLSL.
#ifndef WISP_SHADERS_SHARED_BLACK_BODY_H
#define WISP_SHADERS_SHARED_BLACK_BODY_H
#ifdef __cplusplus
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/vec3.hpp>
namespace wisp::gpu {
using glm::clamp;
using glm::exp2;
using glm::max;
using glm::vec3;
inline
#endif

// Planck's law against the colour matching functions of the CIE 1931 observer: X, Y, Z [W/(m^2 sr)], at T [K]. Binary logarithms are nearly
// linear in 1/T (Wien). Least squares between 700 K and 4000 K: 0.14 % in X, Y, Z, 3e-4 in chromaticity. Colder bodies are black: 3e-10 of
// the light at 1500 K. Hotter ones count as 4000 K.
vec3 blackBodyXyz(float T) {
    float u = clamp(1000.0f / max(T, 1.0f), 0.25f, 1.6f);
    vec3 power = vec3(4.3801486f, 0.3435563f, 1.3708960f) + u * vec3(-0.8775074f, -0.0546765f, -0.3000018f);
    power = vec3(-8.6191728f, -1.0768329f, -1.5938593f) + u * power;
    power = vec3(9.4530501f, 3.3541101f, 2.9625614f) + u * power;
    power = vec3(-39.2565687f, -38.4794005f, -46.7696787f) + u * power;
    return exp2(vec3(27.8515681f, 27.9230702f, 29.3911321f) + u * power);
}

#ifdef __cplusplus
}  // namespace wisp::gpu
#endif
#endif
