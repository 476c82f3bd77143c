// SPDX-License-Identifier: MIT
#include "compute/pressure/multigrid.h"
#include "compute/pressure/push.h"

#include "shaders/shared/tile.h"

#include <algorithm>
#include <utility>

namespace wisp {
namespace {

using engine::Traffic;

constexpr float kOmega = 1.2f;   // of the smoothing sweeps; measured: 1.15 to 1.25 reduce the residual most (docs/performance.md)
constexpr int kSweepsAfter = 3;  // post-smoothing pays more than pre-smoothing; mg_up does one sweep, mg_sweeps two

// A level and its buffers.
struct System {
    gpu::PressureLevel level;
    engine::Counted<engine::Buffer> weights, regular, rhs, pressure, other;  // other: q between two tiled passes
    int periodicAxes;
    bool flat, inTiles;

    [[nodiscard]] int colours() const { return gpu::colourCount(level, periodicAxes); }
    // The part of a buffer of cells that half a sweep touches.
    [[nodiscard]] engine::Counted<engine::Buffer> ofColour(const engine::Counted<engine::Buffer>& p) const {
        return Traffic::bytes(p.resource, p.read / static_cast<std::uint64_t>(colours()));
    }
    // Passes with several cells per thread, or with tiles, do not support periodic sides.
    [[nodiscard]] bool inVec4() const { return periodicAxes == 0 && gpu::rowsOfVec4(level); }
};

glm::uvec3 threadsOf(const gpu::PressureLevel& level) { return glm::uvec3(level.cells); }
glm::uvec3 pairsOf(const gpu::PressureLevel& level) { return glm::uvec3((level.cells.x + 1) / 2, level.cells.y, level.cells.z); }
glm::uvec3 vec4sOf(const gpu::PressureLevel& level) { return glm::uvec3(level.cells.x / 8, level.cells.y, level.cells.z); }

// One thread per weight, in rows padded to whole words of flags. In large grids a thread takes several weights.
glm::uvec3 weightThreads(const gpu::PressureLevel& level) {
    constexpr std::uint64_t kMost = 256ull * 32768;
    const std::uint64_t padded = static_cast<std::uint64_t>((level.cells.x + WISP_REGULAR_BITS) / WISP_REGULAR_BITS) * WISP_REGULAR_BITS;
    const std::uint64_t rows = static_cast<std::uint64_t>(level.cells.y + 1) * static_cast<std::uint64_t>(level.cells.z + 1);
    return {static_cast<std::uint32_t>(std::min(padded * rows, kMost)), 1, 1};
}

void recordStart(engine::Recorder& rec, const System& s, const engine::Buffer& stop, float tolerance) {
    rec.dispatch("mg_start", threadsOf(s.level),
                 {{"weights", Traffic::none(s.weights.resource)},
                  {"regular", s.ofColour(s.regular)},
                  {"rhs", s.ofColour(s.rhs)},
                  {"pressureOut", s.pressure},
                  {"residual", stop}},
                 SweepsPush{s.level, tolerance, kOmega});
}

// Relaxes the cells of one colour, which is half a sweep if there are two colours.
void recordColour(engine::Recorder& rec, const System& s, int colour, const engine::Buffer& stop, float tolerance) {
    const SorPush push{s.level, tolerance, kOmega, colour};
    const bool vec4s = s.inVec4();
    const glm::uvec3 threads = vec4s ? vec4sOf(s.level) : s.colours() == 2 ? pairsOf(s.level) : threadsOf(s.level);
    rec.dispatch(vec4s ? "red_black_sor_vec4" : "red_black_sor", threads,
                 {{"weights", Traffic::none(s.weights.resource)},
                  {"regular", s.ofColour(s.regular)},
                  {"rhs", s.ofColour(s.rhs)},
                  {"pressureIn", Traffic::bytes(s.pressure.resource, s.pressure.read, s.ofColour(s.pressure).read)},
                  {"residual", stop}},
                 push);
}

void recordRestrict(engine::Recorder& rec, const System& fine, const System& coarse, const engine::Buffer& stop, float tolerance) {
    const RestrictPush push{fine.level, coarse.level, tolerance, kOmega};
    const bool vec4s = fine.inVec4();
    rec.dispatch(vec4s ? "mg_restrict_vec4" : "mg_restrict", vec4s ? vec4sOf(fine.level) : threadsOf(coarse.level),
                 {{"weights", Traffic::none(fine.weights.resource)},
                  {"regular", fine.regular},
                  {"rhs", fine.rhs},
                  {"pressureIn", fine.pressure},
                  {"coarseWeights", Traffic::none(coarse.weights.resource)},
                  {"coarseRegular", coarse.regular},
                  {"rhsOut", coarse.rhs},
                  {"pressureOut", coarse.pressure},
                  {"residual", stop}},
                 push);
}

void recordProlong(engine::Recorder& rec, const System& fine, const System& coarse, const engine::Buffer& stop, float tolerance) {
    const ProlongPush push{fine.level, coarse.level, tolerance};
    const bool vec4s = fine.inVec4();
    rec.dispatch(vec4s ? "mg_prolong_vec4" : "mg_prolong", vec4s ? vec4sOf(fine.level) : threadsOf(fine.level),
                 {{"weights", Traffic::none(coarse.weights.resource)},
                  {"regular", coarse.regular},
                  {"coarseIn", coarse.pressure},
                  {"pressure", fine.pressure},
                  {"fineRegular", fine.regular},
                  {"residual", stop}},
                 push);
}

glm::uvec3 tileThreads(const gpu::PressureLevel& level, bool flat, std::uint32_t threads) {
    const glm::uvec3 tile = flat ? glm::uvec3(WISP_FLAT_TILE_X, WISP_FLAT_TILE_Y, 1) : glm::uvec3(WISP_TILE_X, WISP_TILE_Y, WISP_TILE_Z),
                     tiles = (glm::uvec3(level.cells) + tile - 1u) / tile;
    return {tiles.x * threads, tiles.y, tiles.z};
}

// The pre-smoothing sweep, from zero or from `other`, and the restriction of the residual to the coarser level.
void recordDown(engine::Recorder& rec, const System& s, const System& coarse, bool fromZero, const engine::Buffer& stop, float tolerance) {
    const TilePush push{s.level, coarse.level, tolerance, kOmega};
    if (!fromZero) {
        rec.dispatch("mg_sweep_down", tileThreads(s.level, s.flat, WISP_TILE_THREADS),
                     {{"weights", s.weights},
                      {"rhs", s.rhs},
                      {"pressureIn", s.other},
                      {"pressureOut", s.pressure},
                      {"rhsOut", coarse.rhs},
                      {"residual", stop}},
                     push);
        return;
    }
    rec.dispatch("mg_down", tileThreads(s.level, s.flat, WISP_TILE_THREADS),
                 {{"weights", s.weights}, {"rhs", s.rhs}, {"pressureOut", s.pressure}, {"rhsOut", coarse.rhs}, {"residual", stop}}, push);
}

// The coarse correction and the post-smoothing sweeps, with `other` in between.
void recordUp(engine::Recorder& rec, const System& s, const System& coarse, const engine::Buffer& stop, float tolerance) {
    const TilePush push{s.level, coarse.level, tolerance, kOmega};
    rec.dispatch("mg_up", tileThreads(s.level, s.flat, WISP_TILE_THREADS),
                 {{"weights", s.weights},
                  {"rhs", s.rhs},
                  {"pressureIn", s.pressure},
                  {"pressureOut", s.other},
                  {"coarseIn", coarse.pressure},
                  {"coarseWeights", coarse.weights},
                  {"residual", stop}},
                 push);
    static_assert(kSweepsAfter == 3);
    rec.dispatch("mg_sweeps", tileThreads(s.level, s.flat, WISP_SWEEPS_THREADS),
                 {{"weights", s.weights}, {"rhs", s.rhs}, {"pressureIn", s.other}, {"pressureOut", s.pressure}, {"residual", stop}},
                 SweepsPush{s.level, tolerance, kOmega});
}

void recordBottom(engine::Recorder& rec, const System& top, std::size_t levels, const engine::Buffer& stop, float tolerance) {
    const BottomPush push{top.level, static_cast<int>(levels), kSweepsAfter, tolerance, kOmega};
    rec.dispatch("mg_bottom", {WISP_BOTTOM_THREADS, 1, 1},
                 {{"weights", top.weights}, {"rhs", top.rhs}, {"pressureOut", top.pressure}, {"residual", stop}}, push);
}

}  // namespace

void recordPyramidWeights(engine::Recorder& rec, PressureSystem& system) {
    const Pyramid& p = system.pyramid;
    for (std::size_t n = 1; n <= p.bottom; ++n) {
        const LevelWeightsPush push{p.levels[n - 1], p.levels[n]};
        rec.dispatch("mg_weights", weightThreads(p.levels[n]),
                     {{"weights", n == 1 ? system.weights : p.weights}, {"weightsOut", p.weights}, {"regularOut", p.regular}}, push);
    }
    if (p.bottom == 0) return;
    const BottomWeightsPush push{p.levels[p.bottom], static_cast<int>(p.levels.size() - p.bottom) - 1};
    rec.dispatch("mg_bottom_weights", {512, 1, 1}, {{"weights", p.weights}, {"weightsOut", p.weights}}, push);
}

namespace {

// Level 0 with these buffers. With tiles, a cycle starts from `other` and leaves its result in `pressure`.
System finestSystem(const Domain& d, const PressureSystem& s, const engine::Buffer& b, const engine::Buffer& pressure,
                    const engine::Buffer& other) {
    const gpu::PressureLevel& level = s.pyramid.levels[0];
    const auto cells = static_cast<std::uint64_t>(gpu::cellCount(level)) * sizeof(float);
    return {level,
            Traffic::bytes(s.weights, 4 * cells),
            Traffic::bytes(s.regular, cells / WISP_REGULAR_BITS),
            Traffic::bytes(b, cells),
            Traffic::bytes(pressure, cells),
            Traffic::bytes(other, cells),
            static_cast<int>(d.grid.periodicAxes()),
            d.grid.isFlat(),
            s.pyramid.inTiles(level)};
}

System coarseSystem(const Domain& d, const PressureSystem& s, std::size_t n) {
    const Pyramid& p = s.pyramid;
    const gpu::PressureLevel& level = p.levels[n];
    const auto cells = static_cast<std::uint64_t>(gpu::cellCount(level)) * sizeof(float);
    return {level,
            Traffic::bytes(p.weights, 4 * cells),
            Traffic::bytes(p.regular, cells / WISP_REGULAR_BITS),
            Traffic::bytes(p.rhs, cells),
            Traffic::bytes(p.pressure, cells),
            Traffic::bytes(p.other, cells),
            static_cast<int>(d.grid.periodicAxes()),
            d.grid.isFlat(),
            s.pyramid.inTiles(level)};
}

void recordLevels(engine::Recorder& rec, const Domain& d, const PressureSystem& s, const System& finest, bool fromZero, float tolerance) {
    const Pyramid& p = s.pyramid;
    const engine::Buffer& stop = s.residual;
    const auto system = [&](std::size_t n) { return n == 0 ? finest : coarseSystem(d, s, n); };
    for (std::size_t n = 0; n < p.bottom; ++n) {
        if (system(n).inTiles) {
            recordDown(rec, system(n), system(n + 1), n > 0 || fromZero, stop, tolerance);
            continue;
        }
        if (n == 0) fromZero ? recordStart(rec, system(0), stop, tolerance) : recordColour(rec, system(0), 0, stop, tolerance);
        for (int colour = 1; colour < system(n).colours(); ++colour) recordColour(rec, system(n), colour, stop, tolerance);
        recordRestrict(rec, system(n), system(n + 1), stop, tolerance);
    }
    recordBottom(rec, system(p.bottom), p.levels.size() - p.bottom, stop, tolerance);
    for (std::size_t n = p.bottom; n-- > 0;) {
        if (system(n).inTiles) {
            recordUp(rec, system(n), system(n + 1), stop, tolerance);
            continue;
        }
        recordProlong(rec, system(n), system(n + 1), stop, tolerance);
        for (int sweep = 0; sweep < kSweepsAfter; ++sweep) {
            for (int colour = 0; colour < system(n).colours(); ++colour) recordColour(rec, system(n), colour, stop, tolerance);
        }
    }
}

}  // namespace

void recordCycle(engine::Recorder& rec, const Domain& d, PressureSystem& s, float tolerance) {
    if (s.pyramid.inTiles(s.pyramid.levels[0]) && s.pyramid.bottom > 0) std::swap(s.pressure[0], s.pressure[1]);
    recordLevels(rec, d, s, finestSystem(d, s, s.rhs, s.pressure[0], s.pressure[1]), false, tolerance);
}

void recordCycleFromZero(engine::Recorder& rec, const Domain& d, PressureSystem& s, const engine::Buffer& b, const engine::Buffer& q,
                         float tolerance) {
    recordLevels(rec, d, s, finestSystem(d, s, b, q, s.pressure[1]), true, tolerance);
}

}  // namespace wisp
