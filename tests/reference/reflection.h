// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/view.h"
#include "tests/reference/grid.h"

/// A diffuse base under a clear, rough coat. All vectors are unit vectors that point away from the surface.
namespace wisp::reference {

/// Reflectance of the coat from the cosine between light and facet normal.
double coatReflectance(const gpu::SurfaceData& s, double cosine);

/// BRDF times the cosine of the light [1/sr].
dvec3 reflected(const gpu::SurfaceData& s, double alpha, dvec3 normal, dvec3 eye, dvec3 towards);

/// Probability that a path reflects off the coat, and probability density of the outgoing directions [1/sr].
double coatChance(const gpu::SurfaceData& s, dvec3 normal, dvec3 eye);
double reflectionChance(const gpu::SurfaceData& s, dvec3 normal, dvec3 eye, dvec3 towards);

/// Samples a facet normal from the distribution of visible normals.
dvec3 seenFacet(dvec3 normal, dvec3 eye, double alpha, double u, double v);

/// Two unit vectors perpendicular to a unit vector (Duff et al. 2017).
void across(dvec3 d, dvec3& a, dvec3& b);

}  // namespace wisp::reference
