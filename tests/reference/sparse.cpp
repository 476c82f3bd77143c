// SPDX-License-Identifier: MIT
#include "tests/reference/sparse.h"

#include <glm/geometric.hpp>

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

// The densest smoke of bricks that fluid can come from in one step and that may reach brick b; negative: none.
double smokeThatReaches(const Step& s, const Grid<SmokeInBrick>& smoke, double fastest, ivec3 b) {
    const int cells = static_cast<int>(fastest * double(s.dt) / double(s.h)), far = std::clamp(cells / kBrickEdge + 1, 1, 3);
    double most = -1.0;
    forEach(ivec3(2 * far + 1), [&](ivec3 o) {
        const ivec3 n = b + o - far;
        if (!smoke.contains(n) || !smoke(n).holds) return;
        const int reach = static_cast<int>(std::ceil(std::min(smoke(n).reach, 64.0))) + kPathMargin;
        if (meet(grown(smoke(n).cells, reach), cellsOf(b))) most = std::max(most, smoke(n).most);
    });
    return most;
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
        const double value = std::max(std::abs(scalars(c).x), std::abs(scalars(c).y) / 100.0);
        if (value <= threshold) return;
        const ivec3 first = c / 2 * 2 / s.scalarRatio, last = (c / 2 * 2 + 1) / s.scalarRatio;
        SmokeInBrick& b = smoke(c / s.scalarRatio / kBrickEdge);
        b.cells = b.holds ? CellRange{glm::min(b.cells.first, first), glm::max(b.cells.last, last)} : CellRange{first, last};
        b.holds = true;
        b.most = std::max(b.most, value);
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

double surfaceLimit(const Step& s) { return 13.86 + 2.0 * s.ratio; }

double surfaceDistance(const Step& s, ivec3 brick) {
    return s.obstacleCount == 0 ? 64.0 : obstacleDistance(s, world(s, dvec3(brick * kBrickEdge + kBrickEdge / 2))) / double(s.h);
}

BrickStates brickStates(const Step& s, const BrickStates& before, const Grid<SmokeInBrick>& smoke, const BrickVorticity& vorticity,
                        const std::vector<CellRange>& seeds, double threshold, double vorticityThreshold) {
    BrickStates result(before.size(), BrickState{});
    forEach(before.size(), [&](ivec3 b) {
        const double distance = surfaceDistance(s, b), density = smokeThatReaches(s, smoke, vorticity.fastest, b);
        bool isSource = std::abs(distance) < surfaceLimit(s);
        for (const CellRange& seed : seeds) isSource = isSource || meet(seed, cellsOf(b));
        const bool needed = isSource || density >= 0.0 || vorticity.swirl(b) > vorticityThreshold * vorticity.fastest;
        const int idle = needed ? 0 : before(b).idle + 1;
        BrickState& state = result(b);
        state = {needed || (before(b).active && idle <= kIdleSteps), before(b).active, std::min(idle, kIdleSteps + 1), distance < 0.0};
        if (!state.opens()) return;
        // Sources come first, then smoke by its density in powers of 8 above the threshold, then vortices.
        if (isSource) state.rank = kRanks - 1;
        else if (density >= 0.0)
            state.rank = 1 + std::clamp(static_cast<int>(std::log2(std::max(density / threshold, 1.0)) / 3.0), 0, kRanks - 3);
    });
    return result;
}

bool isSmoothed(const BrickStates& states, ivec3 face, int axis) {
    return states(face / kBrickEdge).active && (face[axis] == 0 || states((face - unit(axis)) / kBrickEdge).active);
}

BrickLists brickLists(const BrickStates& states) {
    BrickLists lists;
    forEach(states.size(), [&](ivec3 b) {
        ListedBrick brick{b};
        bool beside = false;
        forEach(ivec3(3), [&](ivec3 o) {
            const bool active = activeAt(states, b + o - 1);
            brick.besideOpened = brick.besideOpened || (active && !states(b + o - 1).before);
            brick.active[static_cast<std::size_t>(o.x + 3 * o.y + 9 * o.z)] = active;
            beside = beside || active;
        });
        const bool active = states(b).active, before = states(b).before;
        if (active && before) lists.kept.push_back(brick);
        if (active && !before) lists.opened.push_back(brick);
        if (!active && beside) lists.halo.push_back(brick);
        if (!active && before) lists.closing.push_back(brick);
    });
    return lists;
}

int lowestRank(const BrickStates& wanted, const SlotTable& table) {
    for (int lowest = 0; lowest < kRanks; ++lowest) {
        std::size_t flow = 0, smoke = 0;
        forEach(wanted.size(), [&](ivec3 b) {
            const auto opens = [&](ivec3 n) { return wanted.contains(n) && wanted(n).opens() && wanted(n).rank >= lowest; };
            bool beside = false;
            forEach(ivec3(3), [&](ivec3 o) { beside = beside || opens(b + o - 1); });
            if (opens(b)) ++smoke;
            if (beside && table.slots(b).flow < kFirstSlot) ++flow;
        });
        if (flow <= table.freeFlow.size() && smoke <= table.freeSmoke.size()) return lowest;
    }
    return kRanks;
}

BrickPlan planBricks(const BrickStates& wanted, const SlotTable& before) {
    BrickPlan plan{.states = wanted, .lists = {}, .after = before};
    const int lowest = lowestRank(wanted, before);
    for (BrickState& s : plan.states.values()) {
        if (!s.opens() || s.rank >= lowest) continue;
        s.active = false;
        ++plan.refused;
    }
    plan.lists = brickLists(plan.states);
    SlotTable& t = plan.after;
    Grid<int> listed(wanted.size());
    for (const auto* part : {&plan.lists.kept, &plan.lists.opened, &plan.lists.halo})
        for (const ListedBrick& b : *part) listed(b.place) = 1;
    std::size_t smokeTaken = 0;
    std::vector<std::uint32_t> flowLeft, smokeLeft;
    forEach(wanted.size(), [&](ivec3 b) {
        SlotsOfBrick& own = t.slots(b);
        const bool hadFlow = own.flow >= kFirstSlot;
        if (listed(b) == 0) {
            if (hadFlow) flowLeft.push_back(own.flow);
            own.flow = wanted(b).solid ? kSolidSlot : kOpenSlot;
        } else if (!hadFlow) {
            own.flow = t.freeFlow.at(plan.taken++);
        }
        if (plan.states(b).opens()) {
            own.smoke = t.freeSmoke.at(smokeTaken++);
        } else if (!plan.states(b).active) {
            if (own.smoke >= kFirstSlot) smokeLeft.push_back(own.smoke);
            own.smoke = kOpenSlot;
        }
    });
    const auto pass = [](std::vector<std::uint32_t>& free, std::size_t taken, const std::vector<std::uint32_t>& left) {
        free.erase(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(taken));
        free.insert(free.end(), left.begin(), left.end());
    };
    pass(t.freeFlow, plan.taken, flowLeft);
    pass(t.freeSmoke, smokeTaken, smokeLeft);
    plan.left = flowLeft.size();
    for (auto* part : {&plan.lists.kept, &plan.lists.opened, &plan.lists.halo, &plan.lists.closing})
        for (ListedBrick& b : *part) {
            b.slots = t.slots(b.place);
            b.isNew = b.slots.flow >= kFirstSlot && before.slots(b.place).flow < kFirstSlot;
        }
    for (ListedBrick& b : plan.lists.closing) b.slots.smoke = before.slots(b.place).smoke;
    return plan;
}

int pathLimit(const Step& s, double speed) {
    return static_cast<int>(std::clamp(std::ceil(1.5 * speed * double(s.dt) / double(s.h)) + 3.0, 6.0, 14.0));
}

Grid<int> computedTexels(const ListedPass& pass, const BrickStates& states, ivec3 texels) {
    Grid<int> computed(texels);
    for (const ListedBrick& brick : pass.bricks) {
        const BrickState& state = states(brick.place);
        // Beyond the edge of a brick it is not known which bricks are kept.
        const bool bordersMatter = pass.border > 0 && pass.border <= kBrickEdge && state.before && !brick.besideOpened,
                   all = state.active ? !bordersMatter : pass.near == 0;
        forEach(ivec3(pass.edge), [&](ivec3 p) {
            const ivec3 texel = brick.place * pass.edge + p;
            if (!computed.contains(texel)) return;
            computed(texel) = all || isNear(brick, groupOf(pass, p), !state.active, state.active ? pass.border : pass.near) ? 1 : 0;
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

WindowOfLight lightWindow(const Step& s, ivec3 first, ivec3 end, const WindowLimits& limits) {
    const auto parts = [](ivec3 size, int edge) { return ivec3(glm::ceil(dvec3(size) / double(edge))); };
    // The edges with the fewest doublings that fit.
    for (int doublings = 0;; ++doublings) {
        for (int ofLight = 0; ofLight <= doublings; ++ofLight) {
            const int scale = 1 << ofLight, light = limits.lightEdge * scale, ordinate = limits.ordinateEdge << (doublings - ofLight);
            const double whole = std::max(2 * light, ordinate);
            const ivec3 low(whole * glm::floor(dvec3(first) / whole)), high(whole * glm::ceil(dvec3(end) / whole)),
                size = glm::min(high, s.cells) - low, lightCells = parts(size, light), ordinates = parts(size, ordinate);
            if (glm::any(glm::greaterThan(lightCells, limits.lightCells))) continue;
            if (std::max({ordinates.x, ordinates.y, ordinates.z}) > limits.ordinates) continue;
            return {low, size, lightCells, parts(size, 2 * light), {parts(parts(ordinates, 2), 2), parts(ordinates, 2), ordinates}, scale};
        }
    }
}

}  // namespace wisp::reference
