// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <glm/vec3.hpp>

#include <array>
#include <vector>

namespace wisp {

/// A direction of the discrete ordinates, and its share of the sphere: Lebedev's rule with 14 points, exact for polynomials of degree 5.
/// The order is that of shaders/shared/ordinates.glsl.
struct Ordinate {
    glm::dvec3 direction;
    double weight;
};
const std::array<Ordinate, 14>& ordinates();

/// Mean of the phase function over the cone of 4 pi / 14 around a direction, light turning by `angle` [rad] to its middle [1/sr].
double phaseMean(const PhaseSettings& phase, double angle);

/// What ordinates.comp reads: the 14 x 14 matrix P of how light of one direction is scattered into another, row by row, then phaseMean() at
/// 65 angles from 0 to pi. Rows of P add up to 1, and its columns, weighted, to the weights: no light is lost. It turns light by the phase
/// function's mean cosine (to 1e-6), for which lobes are a little less narrow: 14 directions cannot tell how narrow they are.
std::vector<float> phaseTable(const PhaseSettings& phase);

}  // namespace wisp
