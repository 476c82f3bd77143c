// SPDX-License-Identifier: MIT
#include "tests/reference/projection.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wisp::reference {
namespace {

// Bits 0 to 2 of openFaces().
bool whollyOpen(const Numbers& open, ivec3 c, int axis) { return (static_cast<int>(open(c)) >> axis & 1) != 0; }
bool isClear(const Numbers& open, ivec3 block) { return (static_cast<int>(open(block)) & 8) != 0; }

// Calls f(face) for every finer face on a block's low face.
template <class F>
void forFinerFaces(const Level& level, ivec3 block, int axis, F&& f) {
    ivec3 low = glm::min(2 * block, level.cells), high = glm::min(2 * block + 2, level.cells);
    high[axis] = low[axis] + 1;
    for (int layer = 0; layer < (isFlat(level) && axis < 2 ? 2 : 1); ++layer)
        forEach(glm::max(high - low, ivec3(0)), [&](ivec3 o) { f(low + o); });
}

// Flux-weighted mean fluid velocity on a coarse face.
double fluidVelocity(const Level& level, const Field& velocity, const Field& aperture, ivec3 coarse, int axis) {
    double flux = 0.0, open = 0.0;
    forFinerFaces(level, coarse, axis, [&](ivec3 f) {
        flux += aperture(f)[axis] * velocity(f)[axis];
        open += aperture(f)[axis];
    });
    return flux / open;
}

// The correction of coarse face c at a finer face on it, from the changes over half a finer cell.
double onCoarseFace(const Changes& changes, ivec3 c, ivec3 face, int axis) {
    const int s = (axis + 1) % 3, t = (axis + 2) % 3;
    const int signS = face[s] == 2 * c[s] ? -1 : 1, signT = face[t] == 2 * c[t] ? -1 : 1;
    const dvec4 change = changes[static_cast<std::size_t>(axis)](c);
    return change.x + signS * change.y + signT * change.z + signS * signT * change.w;
}

// New velocity of a finer face on coarse face c.
double newVelocity(const Level& level, const Numbers& open, const Changes& changes, const Field& velocity, ivec3 c, ivec3 face, int axis) {
    const double value = onCoarseFace(changes, c, face, axis);
    return whollyOpen(open, c, axis) ? double(level.keep) * velocity(face)[axis] + value : value;
}

// Subtracts the gradient of the block's potential psi from the block's inner faces.
void removeOwnDivergence(const Level& level, Field& u, ivec3 first, const Field& before, double h) {
    const ivec3 own = ownCells(level);
    const int axes = isFlat(level) ? 2 : 3;
    Numbers excess(own), psi(own);  // h (div - D - their mean), and the potential over h
    double mean = 0.0;
    forEach(own, [&](ivec3 o) {
        for (int a = 0; a < axes; ++a) excess(o) += u(first + o + unit(a))[a] - u(first + o)[a];
        const double w = before(first + o).w;
        excess(o) -= level.fineCells == 1 ? h * w : -w;
        mean += excess(o) / double(psi.count());
    });
    // Gauss-Seidel on a bipartite graph of eight cells with three neighbours each, or four cells with two. The error falls at least by
    // (1/3)^2 per sweep.
    for (int sweep = 0; sweep < 60; ++sweep) {
        forEach(own, [&](ivec3 o) {
            double sum = -(excess(o) - mean);
            for (int a = 0; a < axes; ++a) sum += psi(o + unit(a) * (1 - 2 * o[a]));
            psi(o) = sum / axes;
        });
    }
    for (int a = 0; a < axes; ++a) {
        forEach(own, [&](ivec3 o) {
            if (o[a] == 1) u(first + o)[a] -= psi(o) - psi(o - unit(a));
        });
    }
}

void startInnerFaces(const Level& level, const Numbers& open, const Changes& changes, const Field& velocity, ivec3 block, Field& result) {
    forEach(ownCells(level), [&](ivec3 o) {
        for (int axis = 0; axis < 3; ++axis) {
            if (o[axis] == 0) continue;
            const ivec3 face = 2 * block + o, above = block + unit(axis);
            if (whollyOpen(open, block, axis) && whollyOpen(open, above, axis)) {
                result(face)[axis] = double(level.keep) * velocity(face)[axis] +
                                     0.5 * (onCoarseFace(changes, block, face, axis) + onCoarseFace(changes, above, face, axis));
            } else {
                result(face)[axis] = 0.5 * (newVelocity(level, open, changes, velocity, block, face - unit(axis), axis) +
                                            newVelocity(level, open, changes, velocity, above, face + unit(axis), axis));
            }
        }
    });
}

// c wrapped into the grid along periodic axes.
ivec3 wrapped(ivec3 c, ivec3 blocks, int periodic) {
    for (int a = 0; a < 3; ++a) c[a] = (periodic >> a & 1) != 0 ? (c[a] + blocks[a]) % blocks[a] : c[a];
    return c;
}

// Neighbour of block c. Along z of a flat grid it is c itself.
ivec3 beside(const Level& level, ivec3 c, ivec3 offset, int periodic) {
    if (isFlat(level)) offset.z = 0;
    return wrapped(c + offset, blocks(level), periodic);
}

}  // namespace

bool gridHasFace(ivec3 cells, ivec3 c, int axis) {
    for (int a = 0; a < 3; ++a) {
        if (c[a] < 0 || c[a] > (a == axis ? cells[a] : cells[a] - 1)) return false;
    }
    return true;
}

Field subtractGradient(const Step& s, const Field& weights, const Numbers& q, const Field& solid, const Field& velocity) {
    Field result(faces(s));
    forEach(faces(s), [&](ivec3 c) {
        result(c).w = velocity(c).w;
        for (int axis = 0; axis < 3; ++axis) {
            if (!faceExists(s, c, axis)) continue;
            const ivec3 below = wrapped(c - unit(axis), s.cells, periodicAxes(s)), above = wrapped(c, s.cells, periodicAxes(s));
            const double spacing = q.contains(below) && q.contains(above) ? 1.0 : 0.5;  // to q = 0 on an open side
            const double low = q.contains(below) ? q(below) : 0.0, high = q.contains(above) ? q(above) : 0.0;
            result(c)[axis] = weights(c)[axis] > 0.0 ? velocity(c)[axis] - (high - low) / (spacing * double(s.h)) : solid(c)[axis];
        }
    });
    return result;
}

Numbers openFaces(const Level& level, const Field& aperture) {
    Numbers open(blocks(level) + 1);
    forEach(open.size(), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            int whole = 0;
            forFinerFaces(level, c, axis, [&](ivec3 f) { whole += aperture(f)[axis] == 1.0; });
            if (whole == 4) open(c) += 1 << axis;
        }
        if (!Numbers(blocks(level)).contains(c)) return;
        int whole = 0;
        forEach(ownCells(level), [&](ivec3 o) {
            const ivec3 cell = 2 * c + o;
            whole += Numbers(level.cells).contains(cell) && aperture(cell).w == 1.0;
        });
        if (whole == (isFlat(level) ? 4 : 8)) open(c) += 8;
    });
    return open;
}

Numbers smoothFaces(const Level& level, const Numbers& open, int periodic) {
    Numbers smooth(open.size());
    forEach(open.size(), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            int whole = 0;
            forEach(ivec3(3) - 2 * unit(axis), [&](ivec3 o) {
                const ivec3 n = beside(level, c, o - ivec3(1) + unit(axis), periodic);
                whole += gridHasFace(blocks(level), n, axis) && whollyOpen(open, n, axis);
            });
            if (whole == 9) smooth(c) += 1 << axis;
        }
        bool clear = true;
        forEach(ivec3(3), [&](ivec3 o) {
            const ivec3 n = beside(level, c, o - ivec3(1), periodic);
            clear = clear && (!Numbers(blocks(level)).contains(n) || isClear(open, n));
        });
        if (clear) smooth(c) += 8;
    });
    return smooth;
}

Changes correctionChanges(const Step& s, const Level& level, const Numbers& open, const Field& correction) {
    Changes changes;
    for (int axis = 0; axis < 3; ++axis) {
        Field& result = changes[static_cast<std::size_t>(axis)];
        result = Field(correction.size());
        const auto face = [&](ivec3 c, ivec3 offset) { return beside(level, c, offset, periodicAxes(s)); };
        const auto usable = [&](ivec3 n) { return gridHasFace(blocks(level), n, axis) && whollyOpen(open, n, axis); };
        const int s1 = (axis + 1) % 3, s2 = (axis + 2) % 3;
        forEach(correction.size(), [&](ivec3 c) {
            const double here = correction(c)[axis];
            result(c).x = here;
            if (!usable(face(c, ivec3(0)))) return;
            for (const int t : {s1, s2}) {
                const ivec3 low = face(c, -unit(t)), high = face(c, unit(t));
                const double below = usable(low) ? correction(low)[axis] : here;
                const double above = usable(high) ? correction(high)[axis] : here;
                const bool besideOpen = (c[t] == 0 && s.sidesLow[t] == WISP_OPEN) ||
                                        (c[t] + 1 == blocks(level)[t] && s.sidesHigh[t] == WISP_OPEN);
                result(c)[t == s1 ? 1 : 2] = 0.25 * (above - below) / (besideOpen ? 1.0 : 2.0);
            }
            double twist = 0.0, corners = 0.0;
            for (const int d1 : {-1, 1}) {
                for (const int d2 : {-1, 1}) {
                    const ivec3 n1 = face(c, d1 * unit(s1)), n2 = face(c, d2 * unit(s2)), both = face(c, d1 * unit(s1) + d2 * unit(s2));
                    if (!usable(n1) || !usable(n2) || !usable(both)) continue;
                    twist += d1 * d2 * (correction(both)[axis] - correction(n1)[axis] - correction(n2)[axis] + here);
                    corners += 1.0;
                }
            }
            if (corners > 0.0) result(c).w = twist / corners / 16.0;
        });
    }
    return changes;
}

double meanThrough(const Level& level, const Field& velocity, ivec3 block, int axis) {
    double sum = 0.0;
    forFinerFaces(level, block, axis, [&](ivec3 f) { sum += velocity(f)[axis]; });
    return sum / 4.0;
}

Field restrictAperture(const Level& level, const Field& aperture) {
    Field coarse(blocks(level) + 1);
    forEach(coarse.size(), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) forFinerFaces(level, c, axis, [&](ivec3 f) { coarse(c)[axis] += aperture(f)[axis] / 4.0; });
    });
    forEach(level.cells, [&](ivec3 c) { coarse(c / 2).w += aperture(c).w / (isFlat(level) ? 4.0 : 8.0); });
    return coarse;
}

Field restrictVelocity(const Level& level, const Field& aperture, const Field& solid, const Field& velocity, double h) {
    Field coarse(blocks(level) + 1);
    forEach(coarse.size(), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            double open = 0.0;
            forFinerFaces(level, c, axis, [&](ivec3 f) { open += aperture(f)[axis]; });
            if (open > 0.0) coarse(c)[axis] = fluidVelocity(level, velocity, aperture, c, axis);
        }
    });
    forEach(blocks(level), [&](ivec3 c) {
        double sum = 0.0;
        forEach(ownCells(level), [&](ivec3 o) {
            if (const ivec3 cell = 2 * c + o; cell.x < level.cells.x && cell.y < level.cells.y && cell.z < level.cells.z)
                sum += velocity(cell).w;
        });
        coarse(c).w = -2.0 * h * sum / (isFlat(level) ? 4.0 : 8.0);
        for (int axis = 0; axis < 3; ++axis) {
            for (const int side : {0, 1}) {
                forFinerFaces(level, c + side * unit(axis), axis,
                              [&](ivec3 f) { coarse(c).w += (side == 1 ? 0.25 : -0.25) * (1.0 - aperture(f)[axis]) * solid(f)[axis]; });
            }
        }
    });
    return coarse;
}

Field pressureGradient(const Step& s, const Level& level, const Field& weights, const Numbers& q, const Field& velocity,
                       const Field& aperture) {
    Field correction(pressureFaces(s));
    forEach(pressureFaces(s), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            if (!gridHasFace(s.pressureCells, c, axis)) continue;
            const ivec3 below = wrapped(c - unit(axis), s.pressureCells, periodicAxes(s)),
                        above = wrapped(c, s.pressureCells, periodicAxes(s));
            const double low = q.contains(below) ? q(below) : 0.0, high = q.contains(above) ? q(above) : 0.0;
            const double w = weights(c)[axis], whole = q.contains(below) && q.contains(above) ? 1.0 : 2.0;
            const int side = c[axis] == 0 ? s.sidesLow[axis] : c[axis] == s.pressureCells[axis] ? s.sidesHigh[axis] : -1;
            if (w == 0.0) {
                if (side == WISP_INFLOW) correction(c)[axis] = double(s.inflow[axis]);
                continue;
            }
            correction(c)[axis] = -whole * (high - low) / (s.ratio * double(s.h)) +
                                  (w == whole ? 1.0 - double(level.keep) : 1.0) * fluidVelocity(level, velocity, aperture, c, axis);
        }
    });
    return correction;
}

Field project(const Level& level, const Numbers& open, const Changes& changes, const Field& velocity, double h) {
    Field result = velocity;
    const int axes = isFlat(level) ? 2 : 3;
    for (dvec4& u : result.values()) {
        for (int n = axes; n < 3; ++n) u[n] = 0.0;
        if (level.fineCells > 1) u.w = 0.0;
    }
    for (int axis = 0; axis < axes; ++axis) {
        forEach(blocks(level) + unit(axis), [&](ivec3 c) {
            forFinerFaces(level, c, axis, [&](ivec3 f) { result(f)[axis] = newVelocity(level, open, changes, velocity, c, f, axis); });
        });
    }
    forEach(blocks(level), [&](ivec3 block) {
        if (!isClear(open, block)) return;
        startInnerFaces(level, open, changes, velocity, block, result);
        removeOwnDivergence(level, result, 2 * block, velocity, h);
    });
    return result;
}

Field correctionBetween(const Level& level, const Field& aperture, const Field& before, const Field& projected) {
    Field correction(level.cells + 1);
    forEach(correction.size(), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            const bool open = aperture(c)[axis] == 1.0;
            correction(c)[axis] = projected(c)[axis] - (open ? double(level.keep) * before(c)[axis] : 0.0);
        }
    });
    return correction;
}

Field centreVelocity(const Step& s, const Field& velocity) {
    Field centre(s.cells);
    forEach(s.cells, [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) centre(c)[axis] = 0.5 * (velocity(c)[axis] + velocity(c + unit(axis))[axis]);
    });
    return centre;
}

}  // namespace wisp::reference
