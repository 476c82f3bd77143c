// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/ambient_flow.h"
#include "shaders/shared/inflow.h"
#include "tests/reference/solids.h"

/// Advection, viscosity and forces.
namespace wisp::reference {

/// One component of a velocity on faces at a point [cells].
double component(const Step& s, const Field& velocity, dvec3 p, int axis);
/// Displacements [cells] of the fluid at each cell centre: back to its position one step earlier, and ahead to its next position.
struct Paths {
    Field back, ahead;
};
/// `before`, `distance`: distances from cell centres to obstacles [cells], at the start and at the end of the step.
Paths trace(const Step& s, const Field& centre, const Field& before, const Field& distance);

/// `air`: ambient flow with gusts, or null to use the step's inflow.
Field advectVelocity(const Step& s, const Field& velocity, const Field& back, double keep, const gpu::AmbientFlow* air = nullptr);
/// `correction`: see shaders/shared/correction.h.
Field advectVelocityCorrect(const Step& s, const Field& velocity, const Paths& paths, const Field& aperture, const Field& forward,
                            double keep, int correction);

/// `before`: aperture at the start of the step. `cubic`: limited third-order interpolation; this twin supports it only without obstacles.
Field advectScalars(const Step& s, const Field& back, const Field& aperture, const Field& before, const Field& scalars, dvec4 keep,
                    const gpu::InflowPush& inflow = {}, bool cubic = false);
Field advectScalarsCorrect(const Step& s, const Paths& paths, const Field& aperture, const Field& scalars, const Field& forward, dvec4 keep,
                           int correction, dvec4 inflow = dvec4(0.0));

/// Whether p [cells] is beyond a side of the box that is not a wall.
bool beyondOpenSide(const Step& s, dvec3 p);
/// Weight of the ambient values in a sample at p. The centres of the outermost texels are `margin` inside the box.
double ambientWeight(const Step& s, dvec3 p, dvec3 margin);
dvec4 surroundings(const Step& s, const gpu::InflowPush& inflow, dvec3 p, dvec3 margin = dvec3(0.0));

/// amount = nu dt / h^2. `distance`: from cell centres to obstacles [cells].
Field diffuse(const Step& s, const Field& velocity, const Field& distance, double amount);
Field diffuseSweep(const Step& s, const Field& before, const Field& velocity, const Field& distance, double amount);

/// xyz: vorticity [1/s] at cell centres, w: its length.
Field curl(const Step& s, const Field& centre);

struct Force {
    dvec3 down{0.0, -1.0, 0.0};
    double buoyancy = 0.0, weight = 0.0, epsilon = 0.0;
    double ambient = 0.0;  ///< [K], of a scene with fuel; else 0
};
Field forces(const Step& s, const Field& curl, const Field& scalars, const Force& force);
Field accelerate(const Step& s, const Field& acceleration, const Field& velocity);

}  // namespace wisp::reference
