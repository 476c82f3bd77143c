// SPDX-License-Identifier: MIT
#include "compute/pressure/pressure.h"
#include "compute/smoke/smoke_passes.h"

#include <algorithm>

namespace wisp {
namespace {

using engine::Traffic;

glm::uvec3 brickThreads(const Bricks& b) { return reductionThreads(b.size); }

struct BrickStatesPush {
    int seedCount;
    float threshold, vorticityThreshold;
};
WISP_MEMBERS(BrickStatesPush, seedCount, threshold, vorticityThreshold)

struct BrickListPush {
    std::uint32_t groups;
    float sourceSpeed;
};
WISP_MEMBERS(BrickListPush, groups, sourceSpeed)

// Returns the number of seeds.
int recordSeeds(engine::Recorder& rec, const Bricks& b, std::span<const gpu::SeedBox> seeds) {
    if (seeds.empty()) return 0;
    gpu::SeedBox all = seeds.front();
    for (const gpu::SeedBox& s : seeds) all = {glm::min(all.first, s.first), glm::max(all.last, s.last)};
    const std::span<const gpu::SeedBox> sent = seeds.size() > kSeeds ? std::span(&all, 1) : seeds;
    rec.update(b.seeds, std::as_bytes(sent));
    return static_cast<int>(sent.size());
}

// What bricks want, and the list that results from it.
void recordStatesAndList(engine::Recorder& rec, const Bricks& b, const Settings& s, const Seeds& seeds) {
    const int seedCount = recordSeeds(rec, b, seeds.boxes);
    rec.dispatch("brick_states", brickThreads(b),
                 {{"smoke", b.smoke},
                  {"vorticity", b.vorticity},
                  {"fastest", b.fastest},
                  {"seeds", b.seeds},
                  {"statesIn", b.states},
                  {"statesOut", b.wanted}},
                 BrickStatesPush{seedCount, s.grid.threshold, s.grid.vorticityThreshold});
    rec.dispatch("brick_wanted", brickThreads(b), {{"states", b.wanted}, {"freeSlots", b.freeSlots}, {"slotsBefore", b.slots}});
    rec.dispatch("brick_counts", brickThreads(b),
                 {{"states", b.wanted}, {"freeSlots", b.freeSlots}, {"slotsBefore", b.slots}, {"countsOut", b.counts}});
    rec.dispatch("brick_list", brickThreads(b),
                 {{"states", b.wanted},
                  {"counts", b.counts},
                  {"brickListOut", b.list},
                  {"fastest", b.fastest},
                  {"freeSlots", b.freeSlots},
                  {"slotsBefore", b.slots},
                  {"slotsOut", b.slots},
                  {"statesOut", b.states}},
                 BrickListPush{static_cast<std::uint32_t>(reductionGroups(brickThreads(b))), seeds.speed});
}

void recordClosing(engine::Recorder& rec, const Domain& d, Smoke& smoke) {
    const Bricks& b = *d.bricks;
    const auto close = [&](const std::array<engine::Image, 3>& field, int counts) {
        rec.dispatch("close_bricks", b.over(BrickPart::Closing, WISP_BRICK_EDGE * d.grid.scalarRatio),
                     {{"scalarsIn", field[0]},
                      {"scalarsOut", field[0]},
                      {"scratch0", field[1] ? field[1] : field[2]},
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
    for (const std::size_t n : {1u, 2u})
        if (field[n]) rec.clear(field[n], 0.0f);
}

void recordFirstBricks(engine::Recorder& rec, const Domain& d, const Flow& flow, const PressureSystem& p, const Smoke& smoke,
                       const Settings& s, const Seeds& seeds) {
    const Bricks& b = *d.bricks;
    for (const engine::Buffer* buffer :
         {&b.states, &b.list, &b.smoke, &b.vorticity, &b.fastest, &b.losses, &smoke.bricks, &smoke.reached, &flow.reach})
        rec.clear(*buffer, 0);
    clearScratch(rec, smoke.scalars);
    if (smoke.hasColours()) clearScratch(rec, smoke.colours);
    b.recordFreeSlots(rec);
    recordBlankApertures(rec, d, p);
    recordStatesAndList(rec, b, s, seeds);
}

void recordBrickList(engine::Recorder& rec, const Domain& d, const Flow& flow, const PressureSystem& p, Smoke& smoke, const Settings& s,
                     const Seeds& seeds) {
    const Bricks& b = *d.bricks;
    const bool hasSmoke = !smoke.scalars[0].isZero();
    rec.dispatch("brick_slots", glm::uvec3(1), {{"freeSlots", b.freeSlots}});
    if (hasSmoke)
        rec.dispatch("brick_smoke", b.each(BrickPart::Active, 256),
                     {{"scalars", smoke.scalars[0]}, {"reach", flow.reach}, {"smokeOut", b.smoke}, {"bricks", smoke.bricks}},
                     s.grid.threshold);
    rec.dispatch("brick_vorticity", b.size * glm::uvec3(64, 1, 1),
                 {{"coarseVelocity", flow.coarse->flow.velocity}, {"vorticityOut", b.vorticity}, {"fastest", b.fastest}});
    recordStatesAndList(rec, b, s, seeds);
    if (hasSmoke) recordClosing(rec, d, smoke);
    recordApertureOfFilled(rec, d, p);
}

}  // namespace wisp
