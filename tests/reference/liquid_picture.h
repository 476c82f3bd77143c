// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/liquid/liquid_picture.h"
#include "tests/reference/solids.h"

#include <vector>

/// Rendering of a liquid.
namespace wisp::reference {

struct LiquidSample {
    double phi;      ///< signed distance to the surface [cells]
    double nearest;  ///< largest 1 - s^2 / R^2 of a particle's image, 0 if none is within reach
    int count;       ///< number of images within reach
};
/// Zhu, Bridson 2005: distance at p [cells] to all particles and their mirror images in walls, without obstacles.
LiquidSample liquidDistance(const Step& s, const std::vector<dvec3>& positions, const gpu::LiquidDistance& kernel, dvec3 p);

/// Whether all cells within reach of the block of 2^3 scalar cells that contains scalar cell c are filled (not 0). Cells behind walls are
/// replaced by their mirror images. The cells form a box.
bool isWellInside(const Step& s, const Field& filled, const gpu::LiquidDistance& kernel, ivec3 c);

/// Fraction of unpolarised light that is reflected, from the angles of incidence and refraction. eta: refractive index in front of the
/// surface divided by the index behind it.
double fresnel(double cosine, double eta);

}  // namespace wisp::reference
