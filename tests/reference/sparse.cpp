// SPDX-License-Identifier: MIT
#include "tests/reference/sparse.h"

#include <algorithm>
#include <cmath>

namespace wisp::reference {
namespace {

constexpr int kIdleSteps = 8;   // a brick that nothing needs stays active for so many steps
constexpr int kPathMargin = 2;  // [cells]
constexpr int kMostUnits = 1000000;

bool meet(const CellRange& a, const CellRange& b) {
    for (int n = 0; n < 3; ++n)
        if (a.last[n] < b.first[n] || b.last[n] < a.first[n]) return false;
    return true;
}

CellRange cellsOf(ivec3 brick) { return {brick * kBrickEdge, brick * kBrickEdge + kBrickEdge - 1}; }

CellRange grown(CellRange r, int by) { return {r.first - by, r.last + by}; }

bool activeAt(const BrickStates& states, ivec3 brick) { return states.contains(brick) && states(brick).active; }

// Whether smoke of a brick that fluid can come from in one step may reach brick b.
bool smokeReaches(const Step& s, const Grid<SmokeInBrick>& smoke, double fastest, ivec3 b) {
    const int cells = static_cast<int>(fastest * double(s.dt) / double(s.h)), far = std::clamp(cells / kBrickEdge + 1, 1, 3);
    bool reaches = false;
    forEach(ivec3(2 * far + 1), [&](ivec3 o) {
        const ivec3 n = b + o - far;
        if (!smoke.contains(n) || !smoke(n).holds) return;
        const int reach = static_cast<int>(std::ceil(std::min(smoke(n).reach, 64.0))) + kPathMargin;
        reaches = reaches || meet(grown(smoke(n).cells, reach), cellsOf(b));
    });
    return reaches;
}

// Fine cells of the work group that computes texel p of a brick, counted from the brick's first cell. If bricks are not a whole number of
// work groups, the group takes layers of the brick.
CellRange groupOf(const ListedPass& pass, ivec3 p) {
    const int edge = pass.edge, cells = kBrickEdge / std::min(edge, kBrickEdge), parts = std::max(edge / kBrickEdge, 1);
    CellRange texels{p / pass.group * pass.group, p / pass.group * pass.group + pass.group - 1};
    if (edge % pass.group.x != 0 || edge % pass.group.y != 0 || edge % pass.group.z != 0) {
        const int threads = pass.group.x * pass.group.y * pass.group.z, n = ((p.z * edge + p.y) * edge + p.x) / threads * threads;
        texels = {ivec3(0, 0, n / (edge * edge)),
                  ivec3(edge - 1, edge - 1, std::min(n + threads - 1, edge * edge * edge - 1) / (edge * edge))};
    }
    return {texels.first * cells / parts, (texels.last * cells + cells - 1) / parts};
}

// Whether one of the 26 bricks around a listed brick is active, or not, and within `near` of these of its cells.
bool isNear(const ListedBrick& brick, const CellRange& cells, bool active, int near) {
    bool found = false;
    forEach(ivec3(3), [&](ivec3 o) {
        if (o == ivec3(1) || brick.active[static_cast<std::size_t>(o.x + 3 * o.y + 9 * o.z)] != active) return;
        int distance = 0;
        for (int n = 0; n < 3; ++n)
            distance = std::max(distance, o[n] == 0 ? cells.first[n] + 1 : o[n] == 2 ? kBrickEdge - cells.last[n] : 0);
        found = found || distance <= near;
    });
    return found;
}

}  // namespace

Grid<SmokeInBrick> brickSmoke(const Step& s, const Field& scalars, const Numbers& reach, ivec3 group, double threshold) {
    Grid<SmokeInBrick> smoke(brickCount(s), SmokeInBrick{});
    forEach(s.scalarCells, [&](ivec3 c) {
        if (std::max(std::abs(scalars(c).x), std::abs(scalars(c).y) / 100.0) <= threshold) return;
        const ivec3 first = c / 2 * 2 / s.scalarRatio, last = (c / 2 * 2 + 1) / s.scalarRatio;
        SmokeInBrick& b = smoke(c / s.scalarRatio / kBrickEdge);
        b.cells = b.holds ? CellRange{glm::min(b.cells.first, first), glm::max(b.cells.last, last)} : CellRange{first, last};
        b.holds = true;
    });
    forEach(reach.size(), [&](ivec3 g) {
        SmokeInBrick& b = smoke(g * group / kBrickEdge);
        b.reach = std::max(b.reach, reach(g));
    });
    return smoke;
}

BrickVorticity brickVorticity(const Step& s, const Field& coarse) {
    BrickVorticity result{Numbers(brickCount(s)), 0.0};
    forEach(s.pressureCells, [&](ivec3 c) {
        const auto change = [&](int component, int axis) { return coarse(c)[component] - coarse.nearest(c - unit(axis))[component]; };
        const dvec3 curl(change(2, 1) - change(1, 2), change(0, 2) - change(2, 0), change(1, 0) - change(0, 1));
        double& swirl = result.swirl(c * s.ratio / kBrickEdge);
        swirl = std::max(swirl, glm::length(curl));
        for (int axis = 0; axis < 3; ++axis) result.fastest = std::max(result.fastest, std::abs(coarse(c)[axis]));
    });
    return result;
}

double surfaceLimit(const Step& s, ivec3 brick) {
    const ivec3 centre = brick * kBrickEdge + kBrickEdge / 2, cell = glm::min(centre, s.cells - 1);
    return 13.86 + 2.0 * s.ratio + glm::length(dvec3(centre - cell));
}

double surfaceDistance(const Step& s, const Field& distance, ivec3 brick) {
    return std::abs(distance(glm::min(brick * kBrickEdge + kBrickEdge / 2, s.cells - 1)).x);
}

BrickStates brickStates(const Step& s, const BrickStates& before, const Grid<SmokeInBrick>& smoke, const BrickVorticity& vorticity,
                        const std::vector<CellRange>& seeds, const Field& distance) {
    BrickStates result(before.size(), BrickState{});
    forEach(before.size(), [&](ivec3 b) {
        bool needed = vorticity.swirl(b) > 0.05 * vorticity.fastest || smokeReaches(s, smoke, vorticity.fastest, b);
        needed = needed || (s.obstacleCount > 0 && surfaceDistance(s, distance, b) < surfaceLimit(s, b));
        for (const CellRange& seed : seeds) needed = needed || meet(seed, cellsOf(b));
        const int idle = needed ? 0 : before(b).idle + 1;
        result(b) = {needed || (before(b).active && idle <= kIdleSteps), before(b).active, std::min(idle, kIdleSteps + 1)};
    });
    return result;
}

BrickLists brickLists(const BrickStates& states) {
    BrickLists lists;
    forEach(states.size(), [&](ivec3 b) {
        ListedBrick brick{b};
        bool beside = false;
        forEach(ivec3(3), [&](ivec3 o) {
            const bool active = activeAt(states, b + o - 1);
            brick.active[static_cast<std::size_t>(o.x + 3 * o.y + 9 * o.z)] = active;
            beside = beside || active;
        });
        const auto [active, before, idle] = states(b);
        if (active && before) lists.kept.push_back(brick);
        if (active && !before) lists.opened.push_back(brick);
        if (!active && beside) lists.halo.push_back(brick);
        if (!active && before) lists.closing.push_back(brick);
    });
    return lists;
}

int pathLimit(const Step& s, double speed) {
    return static_cast<int>(std::clamp(std::ceil(1.5 * speed * double(s.dt) / double(s.h)) + 3.0, 6.0, 14.0));
}

Grid<int> computedTexels(const ListedPass& pass, const BrickStates& states, ivec3 texels) {
    Grid<int> computed(texels);
    for (const ListedBrick& brick : pass.bricks) {
        const bool active = activeAt(states, brick.place);
        forEach(ivec3(pass.edge), [&](ivec3 p) {
            const ivec3 texel = brick.place * pass.edge + p;
            if (!computed.contains(texel)) return;
            const bool all = pass.near == 0 || (active && !pass.border);
            computed(texel) = all || isNear(brick, groupOf(pass, p), !active, pass.near) ? 1 : 0;
        });
    }
    return computed;
}

std::uint64_t closeBricks(const Step& s, const BrickStates& states, Field& scalars) {
    std::uint64_t removed = 0;
    forEach(scalars.size(), [&](ivec3 c) {
        const BrickState& state = states(c / s.scalarRatio / kBrickEdge);
        if (state.active || !state.before) return;
        removed += static_cast<std::uint64_t>(std::clamp(std::floor(scalars(c).x * 65536.0 + 0.5), 0.0, double(kMostUnits)));
        scalars(c) = dvec4(0.0);
    });
    return removed;
}

Field restrictFaces(const Step& s, const Field& aperture, const Field& velocity) {
    Field coarse(pressureFaces(s));
    forEach(coarse.size(), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            if (!gridHasFace(s.pressureCells, c, axis)) continue;
            const int side = c[axis] == 0 ? s.sidesLow[axis] : c[axis] == s.pressureCells[axis] ? s.sidesHigh[axis] : -1;
            double flux = 0.0, open = 0.0;
            forFineFaces(s, c, axis, [&](ivec3 f) {
                flux += aperture(f)[axis] * velocity(f)[axis];
                open += aperture(f)[axis];
            });
            coarse(c)[axis] = side == WISP_INFLOW ? double(s.inflow[axis]) : open > 0.0 ? flux / open : 0.0;
        }
    });
    return coarse;
}

CoarseVelocity projectCoarse(const Step& s, double keep, const Field& weights, const Field& correction, const Field& coarse) {
    CoarseVelocity result{Field(pressureFaces(s)), Field(s.pressureCells)};
    forEach(pressureFaces(s), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            if (!gridHasFace(s.pressureCells, c, axis)) continue;
            const double whole = c[axis] == 0 || c[axis] == s.pressureCells[axis] ? 2.0 : 1.0;  // q = 0 is half a cell away
            result.faces(c)[axis] = (weights(c)[axis] == whole ? keep * coarse(c)[axis] : 0.0) + correction(c)[axis];
        }
    });
    forEach(s.pressureCells, [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) result.centre(c)[axis] = 0.5 * (result.faces(c)[axis] + result.faces(c + unit(axis))[axis]);
    });
    return result;
}

}  // namespace wisp::reference
