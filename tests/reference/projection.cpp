// SPDX-License-Identifier: MIT
#include "tests/reference/projection.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wisp::reference {
namespace {

bool whollyOpen(const Field& coarse, ivec3 c, int axis) { return (static_cast<int>(coarse(c).w) >> axis & 1) != 0; }

/// Whether a grid of `cells` has this face.
bool hasFace(ivec3 cells, ivec3 c, int axis) {
    for (int a = 0; a < 3; ++a) {
        if (c[a] < 0 || c[a] > (a == axis ? cells[a] : cells[a] - 1)) return false;
    }
    return true;
}

int planeOf(const Level& level, int coarse, int axis) { return std::min(2 * coarse, level.cells[axis]); }

// Calls f(face) for every finer face of a block's low face.
template <class F>
void forFinerFaces(const Level& level, ivec3 block, int axis, F&& f) {
    ivec3 low = glm::min(2 * block, level.cells), high = glm::min(2 * block + 2, level.cells);
    high[axis] = low[axis] + 1;
    forEach(glm::max(high - low, ivec3(0)), [&](ivec3 o) { f(low + o); });
}

// Mean velocity of a coarse face's fluid by flux.
double fluidVelocity(const Level& level, const Field& velocity, const Field& openness, ivec3 coarse, int axis) {
    double flux = 0.0, open = 0.0;
    forFinerFaces(level, coarse, axis, [&](ivec3 f) {
        flux += openness(f)[axis] * velocity(f)[axis];
        open += openness(f)[axis];
    });
    return flux / open;
}

// The correction on coarse face c at an offset from its centre [coarse cells].
double onCoarseFace(const Level& level, const Field& coarse, ivec3 c, int axis, dvec3 offset) {
    double value = coarse(c)[axis];
    if (!whollyOpen(coarse, c, axis)) return value;
    const auto usable = [&](ivec3 n) { return hasFace(blocks(level), n, axis) && whollyOpen(coarse, n, axis); };
    for (int t = 0; t < 3; ++t) {
        if (t == axis) continue;
        const ivec3 below = usable(c - unit(t)) ? c - unit(t) : c, above = usable(c + unit(t)) ? c + unit(t) : c;
        const int distance = above[t] - below[t];
        if (distance > 0) value += (coarse(above)[axis] - coarse(below)[axis]) / distance * offset[t];
    }
    return value;
}

dvec3 offsetOf(ivec3 face, ivec3 coarse) { return (dvec3(face) + 0.5) / 2.0 - (dvec3(coarse) + 0.5); }

// The new velocity of a finer face on coarse face c.
double newVelocity(const Level& level, const Field& correction, const Field& velocity, ivec3 c, ivec3 face, int axis) {
    const double value = onCoarseFace(level, correction, c, axis, offsetOf(face, c));
    return whollyOpen(correction, c, axis) ? double(level.keep) * velocity(face)[axis] + value : value;
}

// Subtracts the gradient of the block's potential psi from its inner faces, which are those between two of its cells.
void removeOwnDivergence(Field& u, ivec3 first) {
    Numbers excess(ivec3(2)), psi(ivec3(2));  // h (div - mean div), and the potential over h
    double mean = 0.0;
    forEach(ivec3(2), [&](ivec3 o) {
        for (int a = 0; a < 3; ++a) excess(o) += u(first + o + unit(a))[a] - u(first + o)[a];
        mean += excess(o) / 8.0;
    });
    // Gauss-Seidel on eight cells of three neighbours each: its error falls at least by (1/3)^2 a sweep on this bipartite graph.
    for (int sweep = 0; sweep < 60; ++sweep) {
        forEach(ivec3(2), [&](ivec3 o) {
            double sum = -(excess(o) - mean);
            for (int a = 0; a < 3; ++a) sum += psi(o + unit(a) * (1 - 2 * o[a]));
            psi(o) = sum / 3.0;
        });
    }
    for (int a = 0; a < 3; ++a) {
        forEach(ivec3(2), [&](ivec3 o) {
            if (o[a] == 1) u(first + o)[a] -= psi(o) - psi(o - unit(a));
        });
    }
}

void startInnerFaces(const Level& level, const Field& correction, const Field& velocity, ivec3 block, Field& result) {
    forEach(ivec3(2), [&](ivec3 o) {
        for (int axis = 0; axis < 3; ++axis) {
            if (o[axis] == 0) continue;
            const ivec3 face = 2 * block + o, above = block + unit(axis);
            const dvec3 offset = offsetOf(face, block);
            if (whollyOpen(correction, block, axis) && whollyOpen(correction, above, axis)) {
                result(face)[axis] = double(level.keep) * velocity(face)[axis] +
                                     0.5 * (onCoarseFace(level, correction, block, axis, offset) + onCoarseFace(level, correction, above, axis, offset));
            } else {
                result(face)[axis] = 0.5 * (newVelocity(level, correction, velocity, block, face - unit(axis), axis) +
                                            newVelocity(level, correction, velocity, above, face + unit(axis), axis));
            }
        }
    });
}

}  // namespace

Field subtractGradient(const Step& s, const Field& weights, const Numbers& q, const Field& solid, const Field& velocity) {
    Field result(faces(s));
    forEach(faces(s), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            if (!faceExists(s, c, axis)) continue;
            const ivec3 below = c - unit(axis);
            const double spacing = q.contains(below) && q.contains(c) ? 1.0 : 0.5;  // to q = 0 on an open side
            const double low = q.contains(below) ? q(below) : 0.0, high = q.contains(c) ? q(c) : 0.0;
            result(c)[axis] =
                weights(c)[axis] > 0.0 ? velocity(c)[axis] - (high - low) / (spacing * double(s.h)) : solid(c)[axis];
        }
    });
    return result;
}

Numbers clearBlocks(const Level& level, const Field& openness) {
    Numbers clear(blocks(level), 1.0);
    forEach(blocks(level) * 2, [&](ivec3 c) {
        const bool isCell = c.x < level.cells.x && c.y < level.cells.y && c.z < level.cells.z;
        if (!isCell || openness(c).w < 1.0) clear(c / 2) = 0.0;
    });
    return clear;
}

Field restrictOpenness(const Level& level, const Field& openness) {
    Field coarse(blocks(level) + 1);
    forEach(coarse.size(), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) forFinerFaces(level, c, axis, [&](ivec3 f) { coarse(c)[axis] += openness(f)[axis] / 4.0; });
    });
    forEach(level.cells, [&](ivec3 c) { coarse(c / 2).w += openness(c).w / 8.0; });
    return coarse;
}

Field restrictVelocity(const Level& level, const Field& openness, const Field& solid, const Field& velocity) {
    Field coarse(blocks(level) + 1);
    forEach(coarse.size(), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            double open = 0.0;
            forFinerFaces(level, c, axis, [&](ivec3 f) { open += openness(f)[axis]; });
            if (open > 0.0) coarse(c)[axis] = fluidVelocity(level, velocity, openness, c, axis);
        }
    });
    forEach(blocks(level), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            for (const int side : {0, 1}) {
                forFinerFaces(level, c + side * unit(axis), axis,
                              [&](ivec3 f) { coarse(c).w += (side == 1 ? 0.25 : -0.25) * (1.0 - openness(f)[axis]) * solid(f)[axis]; });
            }
        }
    });
    return coarse;
}

Field pressureGradient(const Step& s, const Level& level, const Field& weights, const Numbers& q, const Field& velocity, const Field& openness) {
    Field correction(pressureFaces(s));
    forEach(pressureFaces(s), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            if (!hasFace(s.pressureCells, c, axis)) continue;
            const ivec3 below = c - unit(axis);
            const double low = q.contains(below) ? q(below) : 0.0, high = q.contains(c) ? q(c) : 0.0;
            const double w = weights(c)[axis], whole = q.contains(below) && q.contains(c) ? 1.0 : 2.0;
            const int side = c[axis] == 0 ? s.sidesLow[axis] : c[axis] == s.pressureCells[axis] ? s.sidesHigh[axis] : -1;
            if (w == 0.0) {
                if (side == WISP_INFLOW) correction(c)[axis] = double(s.inflow[axis]);
                continue;
            }
            correction(c)[axis] = -whole * (high - low) / (s.ratio * double(s.h)) +
                                  (w == whole ? 1.0 - double(level.keep) : 1.0) * fluidVelocity(level, velocity, openness, c, axis);
            if (w == whole) correction(c).w += 1 << axis;
        }
    });
    return correction;
}

Field project(const Level& level, const Field& correction, const Numbers& clear, const Field& velocity) {
    Field result = velocity;
    for (dvec4& u : result.values()) u.w = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        forEach(blocks(level) + unit(axis), [&](ivec3 c) {
            forFinerFaces(level, c, axis, [&](ivec3 f) { result(f)[axis] = newVelocity(level, correction, velocity, c, f, axis); });
        });
    }
    forEach(blocks(level), [&](ivec3 block) {
        if (clear(block) == 0.0) return;
        startInnerFaces(level, correction, velocity, block, result);
        removeOwnDivergence(result, 2 * block);
    });
    return result;
}

namespace {

using Vector8 = std::array<double, 8>;

// The fluid of a block that is not clear: a graph of up to eight cells, joined by inner faces.
class Graph {
public:
    Graph(const Level& level, const Field& openness, ivec3 first) : openness_(openness), first_(first) {
        forEach(ivec3(2), [&](ivec3 o) {
            const ivec3 c = first + o;
            if (c.x >= level.cells.x || c.y >= level.cells.y || c.z >= level.cells.z) return;
            for (int a = 0; a < 3; ++a) fluid_[index(o)] = fluid_[index(o)] || openness(c)[a] > 0.0 || openness(c + unit(a))[a] > 0.0;
        });
        for (int n = 0; n < 8; ++n) piece_[static_cast<std::size_t>(n)] = n;
        for (int round = 0; round < 8; ++round) {  // joined cells take the smaller number
            forEach(ivec3(2), [&](ivec3 o) {
                for (int a = 0; a < 3; ++a) {
                    const ivec3 other = o + unit(a) * (1 - 2 * o[a]);
                    if (share(o, a) > 0.0) piece_[index(o)] = std::min(piece_[index(o)], piece_[index(other)]);
                }
            });
        }
    }
    static std::size_t index(ivec3 o) { return static_cast<std::size_t>(o.x + 2 * o.y + 4 * o.z); }
    [[nodiscard]] bool fluid(ivec3 o) const { return fluid_[index(o)]; }

    // Open share of the inner face between cell o and its neighbour along an axis.
    [[nodiscard]] double share(ivec3 o, int axis) const {
        ivec3 upper = o, lower = o;
        upper[axis] = 1;
        lower[axis] = 0;
        return fluid_[index(upper)] && fluid_[index(lower)] ? openness_(first_ + upper)[axis] : 0.0;
    }
    void removeMeans(Vector8& r) const {
        const Vector8 all = r;
        for (std::size_t n = 0; n < 8; ++n) {
            double sum = 0.0, count = 0.0;
            for (std::size_t m = 0; m < 8; ++m) {
                if (!fluid_[m] || piece_[m] != piece_[n]) continue;
                sum += all[m];
                count += 1.0;
            }
            r[n] = fluid_[n] ? all[n] - sum / count : 0.0;
        }
    }
    // sum_f alpha_f (x_i - x_j) = r_i with r of zero mean on each piece, x = 0 in the first cell of each: Gauss-Jordan.
    [[nodiscard]] Vector8 solve(const Vector8& r) const {
        std::array<std::array<double, 9>, 8> m{};
        forEach(ivec3(2), [&](ivec3 o) {
            const std::size_t i = index(o);
            if (!fluid_[i] || piece_[i] == static_cast<int>(i)) {
                m[i][i] = 1.0;
                return;
            }
            m[i][8] = r[i];
            for (int a = 0; a < 3; ++a) {
                m[i][i] += share(o, a);
                m[i][index(o + unit(a) * (1 - 2 * o[a]))] -= share(o, a);
            }
        });
        for (std::size_t p = 0; p < 8; ++p) {  // a diagonally dominant M-matrix: no pivoting needed
            for (std::size_t i = 0; i < 8; ++i) {
                if (i == p || m[i][p] == 0.0) continue;
                const double factor = m[i][p] / m[p][p];
                for (std::size_t j = 0; j < 9; ++j) m[i][j] -= factor * m[p][j];
            }
        }
        Vector8 x{};
        for (std::size_t i = 0; i < 8; ++i) x[i] = m[i][8] / m[i][i];
        return x;
    }

private:
    const Field& openness_;
    ivec3 first_;
    std::array<bool, 8> fluid_{};
    std::array<int, 8> piece_{};
};

void setOuterAndClosedFaces(const Level& level, const Field& openness, const Field& solid, ivec3 first, Field& u) {
    for (int axis = 0; axis < 3; ++axis) {
        forEach(ivec3(2) + unit(axis), [&](ivec3 o) {
            const ivec3 f = first + o;
            if (!hasFace(level.cells, f, axis) || openness(f)[axis] > 0.0) return;
            u(f)[axis] = level.fineCells == 1 ? solid(f)[axis] : 0.0;
        });
        forEach(ivec3(2), [&](ivec3 o) {
            const ivec3 f = first + o;
            const bool inner = o[axis] == 1 && f[axis] < level.cells[axis];
            if (inner && hasFace(level.cells, f, axis) && openness(f)[axis] > 0.0) u(f)[axis] = 0.5 * (u(f - unit(axis))[axis] + u(f + unit(axis))[axis]);
        });
    }
}

}  // namespace

Repaired repair(const Level& level, const Field& openness, const Field& solid, const Field& outflow, const Numbers& clear, const Field& velocity) {
    Repaired result{velocity, Field(velocity.size())};
    forEach(blocks(level) + 1, [&](ivec3 block) {
        const ivec3 first = 2 * block;
        if (first.x > level.cells.x || first.y > level.cells.y || first.z > level.cells.z) return;
        if (clear.contains(block) && clear(block) == 1.0) return;
        Field& u = result.velocity;
        setOuterAndClosedFaces(level, openness, solid, first, u);
        const Graph graph(level, openness, first);
        Vector8 r{};
        double size = 0.0;
        forEach(ivec3(2), [&](ivec3 o) {
            if (!graph.fluid(o)) return;
            const ivec3 c = first + o;
            double out = level.fineCells > 1 ? outflow(c).w : 0.0;
            for (int a = 0; a < 3; ++a) {
                const ivec3 above = c + unit(a);
                out += openness(above)[a] * u(above)[a] - openness(c)[a] * u(c)[a];
                if (level.fineCells == 1) out += (1.0 - openness(above)[a]) * solid(above)[a] - (1.0 - openness(c)[a]) * solid(c)[a];
            }
            r[Graph::index(o)] = -out;
            size += std::abs(out);
        });
        graph.removeMeans(r);
        const Vector8 psi = graph.solve(r);
        forEach(ivec3(2), [&](ivec3 o) {
            for (int a = 0; a < 3; ++a) {
                if (o[a] == 0 || graph.share(o, a) == 0.0) continue;
                u(first + o)[a] -= psi[Graph::index(o)] - psi[Graph::index(o - unit(a))];
                for (std::size_t n = 0; n < 8; ++n) {  // what a residual in cell n does to this face
                    Vector8 e{};
                    e[n] = 1e-6 * size;
                    graph.removeMeans(e);
                    const Vector8 d = graph.solve(e);
                    result.uncertainty(first + o)[a] += std::abs(d[Graph::index(o)] - d[Graph::index(o - unit(a))]);
                }
            }
        });
    });
    return result;
}

Field correctionBetween(const Level& level, const Field& openness, const Field& before, const Field& projected) {
    Field correction(level.cells + 1);
    forEach(correction.size(), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            const bool open = openness(c)[axis] == 1.0;
            correction(c)[axis] = projected(c)[axis] - (open ? double(level.keep) * before(c)[axis] : 0.0);
            if (open) correction(c).w += 1 << axis;
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
