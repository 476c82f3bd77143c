// SPDX-License-Identifier: MIT
// Local solve next to solids: the second half of tests/reference/projection.h.
#include "tests/reference/projection.h"

#include <glm/vector_relational.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace wisp::reference {
namespace {

using Vector8 = std::array<double, 8>;

constexpr double kRounding = 1e-4;  // aperture is stored in 255ths, so equal sums are equal up to rounding

using Cells = std::array<bool, 8>;

// Fluid of a block that is not clear: a graph of up to eight cells, connected by open inner faces.
class Graph {
public:
    Graph(const Level& level, const Field& aperture, ivec3 first) : aperture_(aperture), first_(first), cells_(level.cells) {
        for (int a = 0; a < (isFlat(level) ? 2 : 3); ++a)
            forEach(ivec3(2), [&](ivec3 o) { fluid_[index(o)] = fluid_[index(o)] || alpha(o, a, 0) > 0.0 || alpha(o, a, 1) > 0.0; });
        for (int n = 0; n < 8; ++n) piece_[static_cast<std::size_t>(n)] = n;
        for (int round = 0; round < 8; ++round) {  // connected cells take the smallest number
            forEach(ivec3(2), [&](ivec3 o) {
                for (int a = 0; a < 3; ++a) {
                    const ivec3 other = o + unit(a) * (1 - 2 * o[a]);
                    if (share(o, a) > 0.0) piece_[index(o)] = std::min(piece_[index(o)], piece_[index(other)]);
                }
            });
        }
    }
    static std::size_t index(ivec3 o) { return std::size_t(o.x) + 2 * std::size_t(o.y) + 4 * std::size_t(o.z); }
    [[nodiscard]] bool fluid(ivec3 o) const { return fluid_[index(o)]; }

    // Open fraction of the inner face between cell o and its neighbour along an axis.
    [[nodiscard]] double share(ivec3 o, int axis) const {
        ivec3 upper = o, lower = o;
        upper[axis] = 1;
        lower[axis] = 0;
        return fluid_[index(upper)] && fluid_[index(lower)] ? aperture_(first_ + upper)[axis] : 0.0;
    }
    [[nodiscard]] int pieces() const {
        int count = 0;
        for (std::size_t n = 0; n < 8; ++n) count += fluid_[n] && piece_[n] == static_cast<int>(n);
        return count;
    }
    // Cells that open nowhere, or that hardly open to the rest of the block and open less outwards than it, as in docs/passes.
    [[nodiscard]] Cells toClose() const {
        constexpr double kEqual = 0.03, kMostFlow = 4.0;
        Cells result{};
        for (unsigned side = 1; side < 256; ++side) {
            double inSide = 0.0, inRest = 0.0, gap = 0.0;
            bool within = true, isAll = true;
            forEach(ivec3(2), [&](ivec3 o) {
                const bool here = (side >> index(o) & 1) != 0;
                within = within && (fluid(o) || !here);
                isAll = isAll && (here || !fluid(o));
                if (!fluid(o)) return;
                (here ? inSide : inRest) += outwards(o);
                for (int a = 0; a < 3; ++a) {
                    const ivec3 other = o + unit(a) * (1 - 2 * o[a]);
                    const double open = share(o, a);
                    if (here && open > 0.0 && (side >> index(other) & 1) == 0) gap += std::max(open, std::min(widest(o), widest(other)));
                }
            });
            const bool isBehindGap = !isAll && inSide < inRest + kEqual && std::min(inSide, inRest) > kMostFlow * gap + kRounding;
            if (!within || !(isBehindGap || (inSide <= kRounding && gap == 0.0))) continue;
            for (std::size_t n = 0; n < 8; ++n) result[n] = result[n] || (side >> n & 1) != 0;
        }
        return result;
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
    // Solves sum_f alpha_f (x_i - x_j) = r_i by Gauss-Jordan. r has zero mean on each piece, and x = 0 in the first cell of each piece.
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
        for (std::size_t p = 0; p < 8; ++p) {  // no pivoting needed: a diagonally dominant M-matrix
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
    // Aperture of the low (0) or high (1) face of cell o. 0 if the cell does not exist.
    [[nodiscard]] double alpha(ivec3 o, int a, int side) const {
        const ivec3 c = first_ + o;
        if (c.x >= cells_.x || c.y >= cells_.y || c.z >= cells_.z) return 0.0;
        return aperture_(c + side * unit(a))[a];
    }
    // Apertures of the faces of cell o on the outside of the block.
    [[nodiscard]] std::vector<double> outer(ivec3 o) const {
        std::vector<double> result;
        for (int a = 0; a < (cells_.z == 1 ? 2 : 3); ++a)
            for (int side = 0; side < 2; ++side)
                if (side == o[a] || first_[a] + 1 == cells_[a]) result.push_back(alpha(o, a, side));
        return result;
    }
    [[nodiscard]] double outwards(ivec3 o) const {
        double sum = 0.0;
        for (int a = 0; a < (cells_.z == 1 ? 2 : 3); ++a) {
            // a layer that is alone along the axis counts as if there were the same layer again
            sum += first_[a] + 1 == cells_[a] ? 0.5 * (alpha(o, a, 0) + alpha(o, a, 1)) : alpha(o, a, o[a]);
        }
        return sum;
    }
    [[nodiscard]] double widest(ivec3 o) const {
        double most = 0.0;
        for (const double open : outer(o)) most = std::max(most, open);
        return most;
    }
    const Field& aperture_;
    ivec3 first_, cells_;
    Cells fluid_{};
    std::array<int, 8> piece_{};
};

void setOuterAndClosedFaces(const Level& level, const Field& aperture, const Field& solid, ivec3 first, Field& u) {
    for (int axis = 0; axis < 3; ++axis) {
        forEach(ivec3(2) + unit(axis), [&](ivec3 o) {
            const ivec3 f = first + o;
            if (!gridHasFace(level.cells, f, axis) || aperture(f)[axis] > 0.0) return;
            u(f)[axis] = level.fineCells == 1 ? solid(f)[axis] : 0.0;
        });
        forEach(ivec3(2), [&](ivec3 o) {
            const ivec3 f = first + o;
            const bool inner = o[axis] == 1 && f[axis] < level.cells[axis];
            if (inner && gridHasFace(level.cells, f, axis) && aperture(f)[axis] > 0.0)
                u(f)[axis] = 0.5 * (u(f - unit(axis))[axis] + u(f + unit(axis))[axis]);
        });
    }
}

}  // namespace

Repaired repair(const Level& level, const Field& aperture, const Field& solid, const Field& outflow, const Numbers& open,
                const Field& velocity, double h) {
    Repaired result{velocity, Field(velocity.size())};
    forEach(blocks(level) + 1, [&](ivec3 block) {
        const ivec3 first = 2 * block;
        if (first.x > level.cells.x || first.y > level.cells.y || first.z > level.cells.z) return;
        if ((static_cast<int>(open(block)) & 8) != 0) return;
        Field& u = result.velocity;
        setOuterAndClosedFaces(level, aperture, solid, first, u);
        const Graph graph(level, aperture, first);
        Vector8 r{};
        double size = 0.0;
        forEach(ivec3(2), [&](ivec3 o) {
            if (!graph.fluid(o)) return;
            const ivec3 c = first + o;
            double out = level.fineCells > 1 ? outflow(c).w : -h * outflow(c).w;
            for (int a = 0; a < 3; ++a) {
                const ivec3 above = c + unit(a);
                out += aperture(above)[a] * u(above)[a] - aperture(c)[a] * u(c)[a];
                if (level.fineCells == 1) out += (1.0 - aperture(above)[a]) * solid(above)[a] - (1.0 - aperture(c)[a]) * solid(c)[a];
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
                for (std::size_t n = 0; n < 8; ++n) {  // effect of a residual in cell n on this face
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

Field closePieces(const Level& level, const Field& aperture, const Field& fine, int periodic) {
    Field result = fine;
    const ivec3 cells = fine.size() - 1;
    Numbers closed(cells);
    forEach(blocks(level), [&](ivec3 block) {
        const Cells toClose = Graph(level, aperture, 2 * block).toClose();
        forEach(ivec3(2), [&](ivec3 o) {
            forEach(ivec3(level.fineCells), [&](ivec3 inner) {
                const ivec3 c = level.fineCells * (2 * block + o) + inner;
                if (toClose[Graph::index(o)] && closed.contains(c)) closed(c) = 1.0;
            });
        });
    });
    const auto isClosed = [&](ivec3 c) {
        for (int a = 0; a < 3; ++a)
            if ((periodic >> a & 1) != 0) c[a] = (c[a] + cells[a]) % cells[a];
        return closed.contains(c) && closed(c) > 0.0;
    };
    const int axes = isFlat(level) ? 2 : 3;
    forEach(fine.size(), [&](ivec3 c) {  // faces past the last cells of a periodic axis repeat the first ones
        for (int a = 0; a < 3; ++a)
            if (isClosed(c) || isClosed(c - unit(a))) result(c)[a] = 0.0;
    });
    forEach(cells, [&](ivec3 c) {
        int open = 0;
        bool isBeside = isClosed(c);
        for (int a = 0; a < axes; ++a) {
            for (const ivec3 f : {c, c + unit(a)}) open += static_cast<int>(std::lround(255.0 * result(f)[a]));
            isBeside = isBeside || isClosed(c - unit(a)) || isClosed(c + unit(a));
        }
        if (isBeside) result(c).w = std::min(result(c).w, (open > 0 ? std::max(open / (2 * axes), 1) : 0) / 255.0);
    });
    return result;
}

Field widenGaps(const Level& level, const Field& aperture, const Field& fine) {
    const auto outer = [&](ivec3 c) {
        double widest = 0.0;
        for (int a = 0; a < 3; ++a) {
            for (const ivec3 f : {c, c + unit(a)}) {
                // between two blocks, or on a side of the grid
                if (f[a] % 2 == 0 || f[a] == level.cells[a]) widest = std::max(widest, aperture(f)[a]);
            }
        }
        return widest;
    };
    Field result = fine;
    forEach(level.cells, [&](ivec3 c) {
        for (int a = 0; a < 3; ++a) {
            const double least = c[a] % 2 == 0 ? 0.0 : std::min(outer(c), outer(c - unit(a)));
            if (aperture(c)[a] >= least - kRounding) continue;
            ivec3 faces(level.fineCells);
            faces[a] = 1;
            forEach(faces, [&](ivec3 o) {
                const ivec3 f = level.fineCells * c + o;
                if (glm::any(glm::greaterThanEqual(f, fine.size() - 1)) || fine(f)[a] == 0.0) return;
                result(f)[a] = std::max(fine(f)[a], least);
            });
        }
    });
    return result;
}

int splitBlocks(const Level& level, const Field& aperture) {
    int count = 0;
    forEach(blocks(level), [&](ivec3 block) { count += Graph(level, aperture, 2 * block).pieces() > 1; });
    return count;
}

}  // namespace wisp::reference
