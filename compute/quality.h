// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace wisp {

/// Numbers that say how right a step was, measured on the GPU in a fixed order of summation.
struct Quality {
    double divergenceRms = 0.0;      ///< [1/s] over the pressure grid's fluid cells, after projection
    double divergenceMax = 0.0;      ///< [1/s]
    double fineDivergenceRms = 0.0;  ///< [1/s] over the fine grid's fluid cells
    double residual = 0.0;           ///< |b - A q| / |b| of the last pressure solve
    std::vector<double> residuals;   ///< the same before that solve and on its way, if it was traced (see SmokeSimulator::step)
    double mass = 0.0;               ///< sum of density * volume outside solids [kg at 1 kg/m^3 per unit density]
    double leakedMass = 0.0;         ///< the same inside solids
    double kineticEnergy = 0.0;      ///< sum of |u|^2 / 2 * h^3 [m^5/s^2]
    double maxSpeed = 0.0;           ///< [m/s]
    bool finite = true;              ///< no NaN or Inf in velocity or scalars
};

}  // namespace wisp
