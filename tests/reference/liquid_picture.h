// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/liquid/liquid_picture.h"
#include "tests/reference/solids.h"

#include <vector>

/// The picture of a liquid.
namespace wisp::reference {

struct LiquidSample {
    double phi;      ///< signed distance to the surface [cells]
    double nearest;  ///< largest 1 - s^2 / R^2 of a particle's image, 0: there is none within reach
    int count;       ///< of images within reach
};
/// Zhu, Bridson 2005, at p [cells], of all particles and their images in walls; without obstacles.
LiquidSample liquidDistance(const Step& s, const std::vector<dvec3>& places, const gpu::LiquidDistance& kernel, dvec3 p);

/// Whether every cell within reach of the 2^3 scalar cells around scalar cell c, or what it is an image of, is filled (not 0): a box of
/// cells.
bool isWellInside(const Step& s, const Field& filled, const gpu::LiquidDistance& kernel, ivec3 c);

/// Share of unpolarised light that is reflected, by the angles of incidence and refraction; eta: index before the surface over that behind
/// it.
double fresnel(double cosine, double eta);

}  // namespace wisp::reference
