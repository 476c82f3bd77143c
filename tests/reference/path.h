// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/path.h"
#include "tests/reference/light.h"

#include <array>
#include <span>

/// Path tracing with the GPU's random numbers. Paths are the same except for rounding.
namespace wisp::reference {

/// PCG in four dimensions (Jarzynski, Olano 2020).
std::array<std::uint32_t, 4> hash4(std::array<std::uint32_t, 4> v);

/// Four numbers in [0, 1): draw `draw` of a pixel's sample.
dvec4 uniform4(std::uint32_t pixel, std::uint32_t sample, std::uint32_t seed, std::uint32_t draw);

/// Inverse CDF of the cosine of a Henyey-Greenstein lobe.
double henyeyGreensteinCosine(double u, double g);

/// Direction of a ray after scattering, from three uniform numbers: lobe, cosine, rotation about the ray.
dvec3 samplePhase(dvec3 ray, double g, double gBack, double blend, dvec3 u);

struct PathScene {
    const Step& step;
    const View& view;
    const Field& scalars;
    const Field& occupancy;
    const Field& surroundings;
    int lights;
    bool ground;
    std::span<const gpu::AliasEntry> table{};  ///< samples the environment; empty: no environment sampling
    const Field* colours = nullptr;            ///< density times colour
};

/// Radiance; a: whether the camera ray hit something.
struct PathSample {
    dvec4 radiance{0.0};
    int segments = 0;
    double depth = 0.0;  ///< depth of that hit along the camera's axis
};
PathSample pathSample(const PathScene& scene, const gpu::PathPush& push, ivec3 pixel);

}  // namespace wisp::reference
