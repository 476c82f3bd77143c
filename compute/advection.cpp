// SPDX-License-Identifier: MIT
#include "compute/passes.h"

#include <glm/vec4.hpp>

#include <utility>

namespace wisp {
namespace {

struct VelocityCorrection {
    float keep;
    int clamped;
};

struct ScalarCorrection {
    glm::vec4 keep;
    int clamped;
};

glm::vec4 scalarsKept(const Kept& kept) { return {kept.density, 1.0f, 1.0f, 1.0f}; }
glm::vec4 coloursKept(const Kept& kept) { return glm::vec4(kept.density); }  // densities, too

void recordForwardVelocity(engine::Recorder& rec, Fields& f, const engine::Image& to, float keep) {
    rec.dispatch("advect_velocity", f.faces(), {{"velocity", f.velocity}, {"back", f.back}, {"velocityOut", to}}, keep);
    recordWrapFaces(rec, f, to);
}

// Most of a box is empty most of the time.
void recordSmokeBricks(engine::Recorder& rec, Fields& f) {
    rec.dispatch("smoke_bricks", f.smokeBricks() * glm::uvec3(64, 1, 1), {{"scalars", f.scalars[0]}, {"reach", f.reach}, {"bricks", f.bricks}});
}

void recordSmokeReach(engine::Recorder& rec, Fields& f, bool all) {
    rec.dispatch("smoke_reach", f.smokeBricks(), {{"bricks", f.bricks}, {"reached", f.reached}}, all ? 1 : 0);
}

// `from`: f.scalars[0] or f.colours[0], which move alike.
void recordForwardScalars(engine::Recorder& rec, Fields& f, const engine::Image& from, const engine::Image& to, glm::vec4 keep) {
    rec.dispatch("advect_scalars", f.scalarCells(),
                 {{"back", f.back}, {"openness", few(f.openness)}, {"opennessBefore", few(f.opennessAtStart())}, {"scalarsIn", from}, {"scalarsOut", to},
                  {"reached", f.reached}}, keep);
}

void recordCorrectedScalars(engine::Recorder& rec, Fields& f, const std::array<engine::Image, 3>& field, ScalarCorrection correction) {
    rec.dispatch("advect_scalars_correct", f.scalarCells(),
                 {{"back", f.back}, {"ahead", f.ahead}, {"openness", few(f.openness)}, {"scalarsIn", field[0]}, {"forward", field[1]},
                  {"scalarsOut", field[2]}, {"reached", f.reached}}, correction);
}

void recordCorrectedVelocity(engine::Recorder& rec, Fields& f, float keep, bool clamped) {
    rec.dispatch("advect_velocity_correct", f.faces(),
                 {{"velocity", f.velocity}, {"back", f.back}, {"ahead", f.ahead}, {"openness", few(f.openness)}, {"forward", f.scratch[0]}, {"velocityOut", f.scratch[1]}},
                 VelocityCorrection{keep, clamped ? 1 : 0});
}

// First order, into the newest velocity, scalars and colours.
void recordForward(engine::Recorder& rec, Fields& f, const Kept& kept) {
    recordForwardVelocity(rec, f, f.scratch[1], kept.velocity);
    recordSmokeReach(rec, f, false);
    recordForwardScalars(rec, f, f.scalars[0], f.scalars[2], scalarsKept(kept));
    if (f.hasColours()) recordForwardScalars(rec, f, f.colours[0], f.colours[2], coloursKept(kept));
}

// Second order. Velocity and scalars move beside each other; in this order fewest passes wait for one another.
void recordMacCormack(engine::Recorder& rec, Fields& f, const Kept& kept, bool clamped) {
    recordForwardVelocity(rec, f, f.scratch[0], 1.0f);
    recordSmokeReach(rec, f, !clamped);
    recordCorrectedVelocity(rec, f, kept.velocity, clamped);
    recordForwardScalars(rec, f, f.scalars[0], f.scalars[1], glm::vec4(1.0f));
    if (f.hasColours()) recordForwardScalars(rec, f, f.colours[0], f.colours[1], glm::vec4(1.0f));
    recordCorrectedScalars(rec, f, f.scalars, {scalarsKept(kept), clamped ? 1 : 0});
    if (f.hasColours()) recordCorrectedScalars(rec, f, f.colours, {coloursKept(kept), clamped ? 1 : 0});
}

}  // namespace

void recordAdvect(engine::Recorder& rec, Fields& f, const Settings& s, const Kept& kept) {
    rec.dispatch("trace", f.cells(), {{"centre", f.centre}, {"distanceBefore", f.distanceAtStart()}, {"backOut", f.back}, {"aheadOut", f.ahead}, {"reachOut", f.reach}});
    recordSmokeBricks(rec, f);
    if (s.advection.scheme == AdvectionScheme::SemiLagrangian) recordForward(rec, f, kept);
    else recordMacCormack(rec, f, kept, s.advection.scheme == AdvectionScheme::MacCormack);
    std::swap(f.velocity, f.scratch[1]);
    std::swap(f.scalars[0], f.scalars[2]);
    std::swap(f.colours[0], f.colours[2]);
    f.stepped = true;
}

}  // namespace wisp
