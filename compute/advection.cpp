// SPDX-License-Identifier: MIT
#include "compute/inflow.h"
#include "compute/passes.h"
#include "compute/prescribed.h"
#include "shaders/shared/correction.h"

#include <glm/vec4.hpp>

#include <utility>

namespace wisp {
namespace {

struct VelocityCorrection {
    float keep;
    int correction;
};

struct ScalarStep {
    glm::vec4 keep;
    gpu::InflowPush inflow;
};

struct ScalarCorrection {
    glm::vec4 keep;
    int correction;
};

struct UpwindStep {
    glm::vec4 keep;
    float dt;
    gpu::InflowPush inflow;
};

const glm::vec4 kAll(1.0f);

/// What moves with the smoke: density and temperature, or density times colour; and what is left of it after a step.
struct Carried {
    std::array<engine::Image, 3>& field;
    glm::vec4 keep;
    gpu::InflowPush inflow;
};

std::vector<Carried> carried(Fields& f, const Settings& s, const Kept& kept, double time) {
    std::vector<Carried> all{{f.scalars, {kept.density, 1.0f, 1.0f, 1.0f}, inflowPush(s.flow, time, {1.0f, 0.0f, 0.0f, 0.0f})}};
    if (f.hasColours()) all.push_back({f.colours, glm::vec4(kept.density), inflowPush(s.flow, time, {1.0f, 1.0f, 1.0f, 0.0f})});
    return all;
}

void recordForwardVelocity(engine::Recorder& rec, Fields& f, const engine::Image& from, const engine::Image& to, float keep) {
    rec.dispatch("advect_velocity", f.faces(), {{"velocity", from}, {"back", f.back}, {"velocityOut", to}}, keep);
    recordWrapFaces(rec, f, to);
}

// Into scratch[1]; where BFECC compensates, others read across the seam.
void recordCorrectedVelocity(engine::Recorder& rec, Fields& f, float keep, int correction) {
    rec.dispatch("advect_velocity_correct", f.faces(),
                 {{"velocity", f.velocity}, {"back", f.back}, {"ahead", f.ahead}, {"openness", few(f.openness)}, {"forward", f.scratch[0]}, {"velocityOut", f.scratch[1]}},
                 VelocityCorrection{keep, correction});
    if (correction == WISP_COMPENSATE) recordWrapFaces(rec, f, f.scratch[1]);
}

// Most of a box is empty most of the time.
void recordSmokeBricks(engine::Recorder& rec, Fields& f) {
    rec.dispatch("smoke_bricks", f.smokeBricks() * glm::uvec3(64, 1, 1), {{"scalars", f.scalars[0]}, {"reach", f.reach}, {"bricks", f.bricks}});
}

void recordSmokeReach(engine::Recorder& rec, Fields& f, bool all) {
    rec.dispatch("smoke_reach", f.smokeBricks(), {{"bricks", f.bricks}, {"reached", f.reached}}, all ? 1 : 0);
}

void recordForwardScalars(engine::Recorder& rec, Fields& f, const Carried& c, std::size_t from, std::size_t to, glm::vec4 keep) {
    rec.dispatch("advect_scalars", f.scalarCells(),
                 {{"back", f.back}, {"openness", few(f.openness)}, {"opennessBefore", few(f.opennessAtStart())}, {"scalarsIn", c.field[from]}, {"scalarsOut", c.field[to]},
                  {"reached", f.reached}}, ScalarStep{keep, c.inflow});
}

void recordCorrectedScalars(engine::Recorder& rec, Fields& f, const Carried& c, glm::vec4 keep, int correction) {
    rec.dispatch("advect_scalars_correct", f.scalarCells(),
                 {{"back", f.back}, {"ahead", f.ahead}, {"openness", few(f.openness)}, {"scalarsIn", c.field[0]}, {"forward", c.field[1]},
                  {"scalarsOut", c.field[2]}, {"reached", f.reached}}, ScalarCorrection{keep, correction});
}

// The schemes: from f.velocity into f.scratch[1], from field[0] into field[2]. Of first order, and with cubic interpolation of third.
void recordForward(engine::Recorder& rec, Fields& f, const std::vector<Carried>& scalars, const Kept& kept, bool velocity) {
    if (velocity) recordForwardVelocity(rec, f, f.velocity, f.scratch[1], kept.velocity);
    for (const Carried& c : scalars) recordForwardScalars(rec, f, c, 0, 2, c.keep);
}

// Second order. Velocity and scalars move beside each other; in this order fewest passes wait for one another.
void recordMacCormack(engine::Recorder& rec, Fields& f, const std::vector<Carried>& scalars, const Kept& kept, bool velocity, int correction) {
    if (velocity) recordForwardVelocity(rec, f, f.velocity, f.scratch[0], 1.0f);
    for (const Carried& c : scalars) recordForwardScalars(rec, f, c, 0, 1, kAll);
    if (velocity) recordCorrectedVelocity(rec, f, kept.velocity, correction);
    for (const Carried& c : scalars) recordCorrectedScalars(rec, f, c, c.keep, correction);
}

// Second order: what a step there and back is wrong by is made good before the step.
void recordBfecc(engine::Recorder& rec, Fields& f, const std::vector<Carried>& scalars, const Kept& kept, bool velocity) {
    if (velocity) {
        recordForwardVelocity(rec, f, f.velocity, f.scratch[0], 1.0f);
        recordCorrectedVelocity(rec, f, 1.0f, WISP_COMPENSATE);
        recordForwardVelocity(rec, f, f.scratch[1], f.scratch[0], 1.0f);
        recordCorrectedVelocity(rec, f, kept.velocity, WISP_LIMIT);
    }
    for (const Carried& c : scalars) {
        recordForwardScalars(rec, f, c, 0, 1, kAll);
        recordCorrectedScalars(rec, f, c, kAll, WISP_COMPENSATE);
        recordForwardScalars(rec, f, c, 2, 1, kAll);
        recordCorrectedScalars(rec, f, c, c.keep, WISP_LIMIT);
    }
}

void recordUpwind(engine::Recorder& rec, Fields& f, const Settings& s, const Kept& kept, double time) {
    const std::uint32_t steps = upwindSteps(s);
    const double dt = static_cast<double>(s.timeStep) / steps;
    for (std::uint32_t n = 0; n < steps; ++n) {
        for (const Carried& c : carried(f, s, kept, time + n * dt)) {
            rec.dispatch("upwind", f.scalarCells(), {{"scalarsIn", c.field[0]}, {"prescribed", f.prescribed}, {"scalarsOut", c.field[2]}},
                         UpwindStep{n + 1 == steps ? c.keep : kAll, static_cast<float>(dt), c.inflow});
            std::swap(c.field[0], c.field[2]);
        }
    }
}

}  // namespace

void recordAdvect(engine::Recorder& rec, Fields& f, const Settings& s, const Kept& kept, double time) {
    const AdvectionScheme scheme = s.advection.scheme;
    if (scheme == AdvectionScheme::Upwind) return recordUpwind(rec, f, s, kept, time);
    rec.dispatch("trace", f.cells(), {{"centre", f.centre}, {"distanceBefore", f.distanceAtStart()}, {"backOut", f.back}, {"aheadOut", f.ahead}, {"reachOut", f.reach}});
    recordSmokeBricks(rec, f);
    // Smoke may come to any brick if a correction without bounds leaves some there, or if it comes from outside.
    recordSmokeReach(rec, f, scheme == AdvectionScheme::MacCormackUnclamped || scheme == AdvectionScheme::Bfecc || s.flow.inflowDensity > 0.0f);
    const bool velocity = s.prescribed.field == PrescribedField::None;
    const std::vector<Carried> scalars = carried(f, s, kept, time);
    if (scheme == AdvectionScheme::Bfecc) recordBfecc(rec, f, scalars, kept, velocity);
    else if (scheme == AdvectionScheme::MacCormack) recordMacCormack(rec, f, scalars, kept, velocity, WISP_CLAMPED);
    else if (scheme == AdvectionScheme::MacCormackUnclamped) recordMacCormack(rec, f, scalars, kept, velocity, WISP_UNCLAMPED);
    else recordForward(rec, f, scalars, kept, velocity);
    for (const Carried& c : scalars) std::swap(c.field[0], c.field[2]);
    if (!velocity) return;
    std::swap(f.velocity, f.scratch[1]);
    f.stepped = true;
}

}  // namespace wisp
