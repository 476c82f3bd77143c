// SPDX-License-Identifier: MIT
// Local solve next to solids: the second half of tests/reference/projection.h.
#include "tests/reference/projection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace wisp::reference {
namespace {

using Vector8 = std::array<double, 8>;

constexpr double kRounding = 1e-4;  // aperture is stored in 255ths, so equal sums are equal up to rounding

// Fluid of a block that is not clear: a graph of up to eight cells, connected by inner faces with more than `least` open. Its cells have a
// mean aperture above `leastMean`.
class Graph {
public:
    Graph(const Level& level, const Field& aperture, ivec3 first, double least = 0.0, double leastMean = 0.0)
        : aperture_(aperture), first_(first), cells_(level.cells) {
        const int axes = isFlat(level) ? 2 : 3;
        forEach(ivec3(2), [&](ivec3 o) {
            const ivec3 c = first + o;
            if (c.x >= level.cells.x || c.y >= level.cells.y || c.z >= level.cells.z) return;
            double sum = 0.0;
            for (int a = 0; a < axes; ++a) sum += aperture(c)[a] + aperture(c + unit(a))[a];
            fluid_[index(o)] = sum > 2 * axes * leastMean + kRounding;
        });
        for (int n = 0; n < 8; ++n) piece_[static_cast<std::size_t>(n)] = n;
        for (int round = 0; round < 8; ++round) {  // connected cells take the smallest number
            forEach(ivec3(2), [&](ivec3 o) {
                for (int a = 0; a < 3; ++a) {
                    const ivec3 other = o + unit(a) * (1 - 2 * o[a]);
                    if (share(o, a) > least + kRounding) piece_[index(o)] = std::min(piece_[index(o)], piece_[index(other)]);
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
    // Cells of small pieces that are not connected to the largest piece, as in docs/passes.md.
    [[nodiscard]] std::array<bool, 8> small() const {
        std::array<bool, 8> whole{}, result{};
        const Vector8 area = areas();
        forEach(ivec3(2), [&](ivec3 o) {
            if (!fluid(o)) return;
            const auto piece = static_cast<std::size_t>(piece_[index(o)]);
            for (int a = 0; a < 3; ++a)
                whole[piece] = whole[piece] || aperture_(first_ + o)[a] == 1.0 || aperture_(first_ + o + unit(a))[a] == 1.0;
        });
        int largest = -1;
        for (int n = 0; n < 8; ++n) {
            const auto i = static_cast<std::size_t>(n);
            if (!fluid_[i] || piece_[i] != n) continue;
            if (largest < 0 || area[i] > area[static_cast<std::size_t>(largest)] + kRounding) largest = n;
        }
        for (std::size_t n = 0; n < 8; ++n) {
            const auto piece = static_cast<std::size_t>(piece_[n]);
            if (largest >= 0 && area[static_cast<std::size_t>(largest)] <= kRounding) largest = -1;
            result[n] = fluid_[n] && piece_[n] != largest && !whole[piece] && area[piece] <= 1.0 + kRounding;
        }
        return result;
    }
    // In components that contain several components of `open`: the cells that are not of its largest one. If two are the largest, all
    // cells.
    [[nodiscard]] std::array<bool, 8> besidesLargestOf(const Graph& open) const {
        constexpr double kEqual = 0.03;
        const Vector8 area = open.areas();
        std::array<bool, 8> result{};
        for (std::size_t n = 0; n < 8; ++n) {
            std::vector<std::pair<double, int>> parts;
            for (std::size_t m = 0; m < 8; ++m)
                if (piece_[m] == piece_[n] && open.fluid_[m] && open.piece_[m] == static_cast<int>(m))
                    parts.emplace_back(area[m], static_cast<int>(m));
            if (!fluid_[n] || parts.size() < 2) continue;
            std::sort(parts.rbegin(), parts.rend());
            const bool isLargest = open.fluid_[n] && open.piece_[n] == parts[0].second;
            result[n] = !isLargest || parts[0].first < parts[1].first + kEqual;
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
    // Open areas of components on the outside of the block, at the index of their first cell.
    [[nodiscard]] Vector8 areas() const {
        Vector8 area{};
        const double layers = cells_.z == 1 ? 2.0 : 1.0;  // 2: a flat grid and its copy in z
        forEach(ivec3(2), [&](ivec3 o) {
            if (!fluid(o)) return;
            const auto piece = static_cast<std::size_t>(piece_[index(o)]);
            for (int a = 0; a < 3; ++a) {
                const double low = aperture_(first_ + o)[a], high = aperture_(first_ + o + unit(a))[a];
                area[piece] += layers * (o[a] == 1 ? high : low);
                if (o[a] == 0 && first_[a] + 1 == cells_[a]) area[piece] += layers * high;  // the block is cut short
            }
        });
        return area;
    }
    const Field& aperture_;
    ivec3 first_, cells_;
    std::array<bool, 8> fluid_{};
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
    const auto close = [&](ivec3 c) {
        if (c.x >= cells.x || c.y >= cells.y || c.z >= cells.z) return;
        result(c) = dvec4(0.0);
        for (int a = 0; a < 3; ++a) {
            ivec3 above = c + unit(a);
            if ((periodic >> a & 1) != 0 && above[a] == cells[a]) above[a] = 0;
            result(above)[a] = 0.0;
        }
    };
    forEach(blocks(level), [&](ivec3 block) {
        const Graph graph(level, aperture, 2 * block), open(level, aperture, 2 * block, 0.4, 0.5);
        const std::array<bool, 8> small = graph.small(), besides = graph.besidesLargestOf(open);
        forEach(ivec3(2), [&](ivec3 o) {
            if (!small[Graph::index(o)] && !besides[Graph::index(o)]) return;
            forEach(ivec3(level.fineCells), [&](ivec3 inner) { close(level.fineCells * (2 * block + o) + inner); });
        });
    });
    Step box{};  // faces past the last cells repeat the first ones
    box.cells = cells;
    for (int a = 0; a < 3; ++a) box.sidesLow[a] = (periodic >> a & 1) != 0 ? WISP_PERIODIC : WISP_OPEN;
    wrapFaces(box, result);
    return result;
}

Field widenGaps(const Field& aperture) {
    const ivec3 cells = aperture.size() - 1;
    const auto outer = [&](ivec3 c) {
        double widest = 0.0;
        for (int a = 0; a < 3; ++a) {
            for (const ivec3 f : {c, c + unit(a)}) {
                // between two blocks, or on a side of the grid
                if (f[a] % 2 == 0 || f[a] == cells[a]) widest = std::max(widest, aperture(f)[a]);
            }
        }
        return widest;
    };
    Field result = aperture;
    forEach(cells, [&](ivec3 c) {
        for (int a = 0; a < 3; ++a) {
            if (c[a] % 2 == 0 || aperture(c)[a] == 0.0) continue;
            result(c)[a] = std::max(aperture(c)[a], std::min(outer(c), outer(c - unit(a))));
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
