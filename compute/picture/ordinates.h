// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <glm/vec3.hpp>

#include <array>
#include <vector>

namespace wisp {

/// A direction of the discrete ordinates, and its share of the sphere: Lebedev's rule with 14 points, exact for polynomials of degree 5.
/// The directions have the order of shaders/shared/ordinates.glsl.
struct Ordinate {
    glm::dvec3 direction;
    double weight;
};
const std::array<Ordinate, 14>& ordinates();

/// Mean of the phase function [1/sr] over a cone of solid angle 4 pi / 14 whose axis is `angle` [rad] from the direction of the light.
double phaseMean(const PhaseSettings& phase, double angle);

/// A share of a phase function, with the mean cosine g (Henyey, Greenstein 1941).
struct Lobe {
    double share, g;
};
/// The phase function, folded over the sphere with itself until light is scattered `times` times: at most times + 1 lobes.
std::vector<Lobe> foldedPhase(const PhaseSettings& phase, int times);

/// The table for ordinates.comp: the 14 x 14 matrix P, row by row, which scatters light of one direction into another, and its powers up to
/// WISP_SMALL_TURNS - 1. From WISP_PHASE_MEANS on, phaseMean() at 65 angles from 0 to pi. From WISP_PHASE_LOBES on, share and g of the
/// lobes of foldedPhase(), for 2 to WISP_SMALL_TURNS + 1 times. Rows of P add up to 1, and its weighted columns add up to the weights, so
/// no light is lost. P has the mean cosine of the phase function (to 1e-6). For that its lobes are a little less narrow, because 14
/// directions cannot resolve the lobes.
std::vector<float> phaseTable(const PhaseSettings& phase);

}  // namespace wisp
