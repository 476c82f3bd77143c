// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/inflow.h"
#include "shaders/shared/outside_air.h"
#include "tests/reference/solids.h"

/// Passes that carry and push: advection, viscosity, forces.
namespace wisp::reference {

/// One component of a velocity on faces, at a point in cells.
double component(const Step& s, const Field& velocity, dvec3 p, int axis);
/// Displacements [cells] of the fluid at each cell's centre: to where it was a step ago, and to where it will be.
struct Paths {
    Field back, ahead;
};
/// `before`, `distance`: of cell centres to obstacles [cells], at the beginning and the end of the step.
Paths trace(const Step& s, const Field& centre, const Field& before, const Field& distance);

/// `air`: what comes in, where that has gusts; null: the step's inflow.
Field advectVelocity(const Step& s, const Field& velocity, const Field& back, double keep, const gpu::OutsideAir* air = nullptr);
/// `correction`: see shaders/shared/correction.h.
Field advectVelocityCorrect(const Step& s, const Field& velocity, const Paths& paths, const Field& openness, const Field& forward,
                            double keep, int correction);

/// `before`: openness at the beginning of the step. `cubic`: by limited interpolation of third order, which is for steps without obstacles
/// here.
Field advectScalars(const Step& s, const Field& back, const Field& openness, const Field& before, const Field& scalars, dvec4 keep,
                    const gpu::InflowPush& inflow = {}, bool cubic = false);
Field advectScalarsCorrect(const Step& s, const Paths& paths, const Field& openness, const Field& scalars, const Field& forward, dvec4 keep,
                           int correction, dvec4 inflow = dvec4(0.0));

/// Whether p [cells] is outside the box beyond a side that is no wall, and what is there.
bool beyondOpenSide(const Step& s, dvec3 p);
/// Share of the surroundings in a sample at p, where the outermost texels' middles are `margin` inside.
double outsideShare(const Step& s, dvec3 p, dvec3 margin);
dvec4 surroundings(const Step& s, const gpu::InflowPush& inflow, dvec3 p, dvec3 margin = dvec3(0.0));

/// amount = nu dt / h^2.
/// `distance`: of cell centres to obstacles [cells].
Field diffuse(const Step& s, const Field& velocity, const Field& distance, double amount);
Field diffuseSweep(const Step& s, const Field& before, const Field& velocity, const Field& distance, double amount);

/// xyz = omega [1/s] at cell centres, w its length.
Field curl(const Step& s, const Field& centre);

struct Force {
    dvec3 down{0.0, -1.0, 0.0};
    double buoyancy = 0.0, weight = 0.0, epsilon = 0.0;
};
Field forces(const Step& s, const Field& curl, const Field& scalars, const Force& force);
Field accelerate(const Step& s, const Field& acceleration, const Field& velocity);

}  // namespace wisp::reference
