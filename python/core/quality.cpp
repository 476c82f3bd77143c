// SPDX-License-Identifier: MIT
#include "simulation.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace wisp::python {
namespace {

nb::tuple tupleOf(const std::array<double, 3>& v) { return nb::make_tuple(v[0], v[1], v[2]); }

nb::dict dictOf(const LiquidQuality& q) {
    nb::dict d;
    d["particles"] = q.particles;
    d["volume"] = q.volume;
    d["energy"] = q.energy;
    d["in_solids"] = q.inSolids;
    d["left"] = q.left;
    d["lost"] = q.lost;
    d["surplus"] = q.surplus;
    d["not_spawned"] = q.notSpawned;
    return d;
}

nb::dict dictOf(const FireQuality& q) {
    nb::dict d;
    d["heat_released"] = q.heatReleased;
    d["fuel"] = q.fuel;
    d["hottest"] = q.hottest;
    d["outflow"] = q.outflow;
    d["expansion"] = q.expansion;
    return d;
}

nb::dict dictOf(const SparseQuality& q) {
    nb::dict d;
    d["active_bricks"] = q.activeBricks;
    d["active_share"] = q.activeShare;
    d["refused_bricks"] = q.refusedBricks;
    d["dropped_mass"] = q.droppedMass;
    return d;
}

nb::dict dictOf(const AdvectionError& q) {
    nb::dict d;
    d["l1"] = q.l1;
    d["l2"] = q.l2;
    d["overshoot"] = q.overshoot;
    d["mass"] = q.mass;
    return d;
}

nb::dict dictOf(const BodyForce& q) {
    nb::dict d;
    d["force"] = tupleOf(q.force);
    d["torque"] = tupleOf(q.torque);
    d["friction"] = tupleOf(q.friction);
    return d;
}

nb::dict dictOf(const MomentumBudget& b) {
    nb::dict d;
    d["sources"] = tupleOf(b.sources);
    d["forces"] = tupleOf(b.forces);
    d["bodies"] = tupleOf(b.bodies);
    d["sides"] = tupleOf(b.sides);
    d["error"] = tupleOf(b.error);
    return d;
}

template <class Part>
nb::object dictOf(const std::optional<Part>& part) {
    return part ? nb::object(dictOf(*part)) : nb::none();
}

}  // namespace

/// The names are those of wisp._quality.
nb::dict dictOf(const Quality& quality);
nb::dict dictOf(const Quality& q) {
    nb::dict d;
    d["divergence_rms"] = q.divergenceRms;
    d["divergence_max"] = q.divergenceMax;
    d["fine_divergence_rms"] = q.fineDivergenceRms;
    d["split_blocks"] = q.splitBlocks;
    d["residual"] = q.residual;
    d["cycles"] = q.cycles;
    d["mass"] = q.mass;
    d["leaked_mass"] = q.leakedMass;
    d["crossed_mass"] = q.crossedMass ? nb::cast(*q.crossedMass) : nb::none();
    d["faded_mass"] = q.fadedMass ? nb::cast(*q.fadedMass) : nb::none();
    d["kinetic_energy"] = q.kineticEnergy;
    d["max_speed"] = q.maxSpeed;
    d["momentum"] = q.momentum ? nb::object(tupleOf(*q.momentum)) : nb::none();
    d["momentum_budget"] = dictOf(q.momentumBudget);
    d["liquid"] = dictOf(q.liquid);
    d["fire"] = dictOf(q.fire);
    d["sparse"] = dictOf(q.sparse);
    d["error"] = dictOf(q.error);
    nb::list bodies;
    for (const BodyForce& body : q.bodies) bodies.append(dictOf(body));
    d["bodies"] = bodies;
    d["not_finite"] = q.notFinite;
    d["residuals"] = nb::tuple(nb::cast(q.residuals));
    d["fine_divergence_before"] = q.fineDivergenceBefore;
    return d;
}

}  // namespace wisp::python
