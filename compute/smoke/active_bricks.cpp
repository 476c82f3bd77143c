// SPDX-License-Identifier: MIT
#include "compute/pressure/pressure.h"
#include "compute/smoke/smoke_passes.h"

#include <algorithm>

namespace wisp {
namespace {

using engine::Traffic;

glm::uvec3 brickThreads(const Bricks& b) { return reductionThreads(b.size); }

struct BrickListPush {
    std::uint32_t groups;
    float sourceSpeed;
};
WISP_MEMBERS(BrickListPush, groups, sourceSpeed)

void recordList(engine::Recorder& rec, const Bricks& b, float sourceSpeed) {
    rec.dispatch("brick_counts", brickThreads(b), {{"states", b.states}, {"countsOut", b.counts}});
    rec.dispatch("brick_list", brickThreads(b),
                 {{"states", b.states}, {"counts", b.counts}, {"brickListOut", b.list}, {"fastest", b.fastest}},
                 BrickListPush{static_cast<std::uint32_t>(reductionGroups(brickThreads(b))), sourceSpeed});
}

void recordSeeds(engine::Recorder& rec, const Bricks& b, std::span<const gpu::SeedBox> seeds) {
    if (seeds.empty()) return;
    if (seeds.size() <= kSeeds) return rec.update(b.seeds, std::as_bytes(seeds));
    gpu::SeedBox all = seeds.front();
    for (const gpu::SeedBox& s : seeds) all = {glm::min(all.first, s.first), glm::max(all.last, s.last)};
    rec.update(b.seeds, std::as_bytes(std::span(&all, 1)));
}

void recordClosing(engine::Recorder& rec, const Domain& d, Smoke& smoke) {
    const Bricks& b = *d.bricks;
    const auto close = [&](const std::array<engine::Image, 3>& field, int counts) {
        rec.dispatch("close_bricks", b.over(BrickPart::Closing, WISP_BRICK_EDGE * d.grid.scalarRatio),
                     {{"scalarsIn", field[0]},
                      {"scalarsOut", field[0]},
                      {"scratch0", field[1]},
                      {"scratch1", field[2]},
                      {"smokeOut", b.smoke},
                      {"bricks", smoke.bricks},
                      {"losses", b.losses}},
                     counts);
    };
    if (smoke.hasColours()) close(smoke.colours, 0);
    close(smoke.scalars, 1);
}

}  // namespace

void clearScratch(engine::Recorder& rec, const std::array<engine::Image, 3>& field) {
    for (const std::size_t n : {1u, 2u}) rec.clear(field[n], 0.0f);
}

void recordAllActive(engine::Recorder& rec, const Domain& d, const Flow& flow, const PressureSystem& p, const Smoke& smoke) {
    const Bricks& b = *d.bricks;
    // Nothing needs these bricks. The first step closes those that hold nothing.
    rec.clear(b.states, WISP_IS_ACTIVE | WISP_WAS_ACTIVE | WISP_IDLE_STEPS << WISP_IDLE_SHIFT);
    for (const engine::Buffer* buffer : {&b.smoke, &b.fastest, &b.losses, &smoke.bricks, &flow.reach}) rec.clear(*buffer, 0);
    clearScratch(rec, smoke.scalars);
    if (smoke.hasColours()) clearScratch(rec, smoke.colours);
    recordList(rec, b, 0.0f);
    recordRestrictFaces(rec, d, p, flow.velocity, flow.coarse->flow.velocity, Restricted::All);
}

void recordActiveBricks(engine::Recorder& rec, const Domain& d, const Flow& flow, PressureSystem& p, Smoke& smoke, const Settings& s,
                        const Seeds& seeds) {
    const Bricks& b = *d.bricks;
    const bool hasSmoke = !smoke.scalars[0].isZero();
    if (hasSmoke)
        rec.dispatch("brick_smoke", b.each(BrickPart::Active, 256),
                     {{"scalars", smoke.scalars[0]}, {"reach", flow.reach}, {"smokeOut", b.smoke}, {"bricks", smoke.bricks}},
                     s.grid.threshold);
    rec.dispatch("brick_vorticity", b.size * glm::uvec3(64, 1, 1),
                 {{"coarseVelocity", flow.coarse->flow.velocity}, {"vorticityOut", b.vorticity}, {"fastest", b.fastest}});
    recordSeeds(rec, b, seeds.boxes);
    rec.dispatch("brick_states", brickThreads(b),
                 {{"smoke", b.smoke},
                  {"vorticity", b.vorticity},
                  {"fastest", b.fastest},
                  {"seeds", b.seeds},
                  {"statesIn", b.states},
                  {"statesOut", b.states}},
                 seeds.boxes.size() > kSeeds ? 1 : static_cast<int>(seeds.boxes.size()));
    recordList(rec, b, seeds.speed);
    if (hasSmoke) recordClosing(rec, d, smoke);
    recordFill(rec, d, p, flow, flow.coarse->flow.velocity, flow.velocity, {.part = BrickPart::Fill, .writesCentres = true});
}

}  // namespace wisp
