// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/view.h"
#include "tests/reference/grid.h"

/// A matt base under a clear, rough coat. All vectors are unit vectors away from the surface.
namespace wisp::reference {

/// Of the coat, by the cosine of the light to a facet.
double coatReflectance(const gpu::SurfaceData& s, double cosine);

/// Reflectance times the light's cosine [1/sr].
dvec3 reflected(const gpu::SurfaceData& s, double alpha, dvec3 normal, dvec3 eye, dvec3 towards);

/// Chance that a path is mirrored by the coat, and the density of the directions in which it goes on [1/sr].
double coatChance(const gpu::SurfaceData& s, dvec3 normal, dvec3 eye);
double reflectionChance(const gpu::SurfaceData& s, dvec3 normal, dvec3 eye, dvec3 towards);

/// A facet's normal, drawn as often as the eye sees such ones.
dvec3 seenFacet(dvec3 normal, dvec3 eye, double alpha, double u, double v);

/// Two unit vectors across a unit vector (Duff et al. 2017).
void across(dvec3 d, dvec3& a, dvec3& b);

}  // namespace wisp::reference
