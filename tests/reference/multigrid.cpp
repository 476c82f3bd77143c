// SPDX-License-Identifier: MIT
#include "tests/reference/multigrid.h"

#include <glm/vector_relational.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::reference {
namespace {

// 2D grid: the cells of every level are as deep as they are wide.
bool isFlat(const MultigridLevel& level) { return level.finest.z == 1; }

// Edge length of cell i along an axis, in cells of the level. The last cell may be shorter.
double extent(const MultigridLevel& level, int axis, int i) {
    if (isFlat(level) && axis == 2) return 1.0;
    const int scale = 1 << level.number;
    return double(std::min((i + 1) * scale, level.finest[axis]) - i * scale) / scale;
}

// Distance between the centres of the cells on both sides of a face, in cells of the level. On a side of the box, from the centre to the
// face.
double distance(const MultigridLevel& level, int axis, int i) {
    const int n = level.cells[axis];
    if ((level.periodic >> axis & 1) != 0) return 0.5 * (extent(level, axis, (i + n - 1) % n) + extent(level, axis, i % n));
    const double low = i > 0 ? extent(level, axis, i - 1) : 0.0, high = i < n ? extent(level, axis, i) : 0.0;
    return 0.5 * (low + high);
}

template <class F>
void forChildren(const MultigridLevel& fine, ivec3 c, F&& f) {
    forEach(ivec3(2), [&](ivec3 o) {
        if (const ivec3 child = 2 * c + o; fine.weights.contains(child) && glm::all(glm::lessThan(child, fine.cells))) f(child);
    });
}

// Position of a cell's centre along an axis, in cells of the level.
double centre(const MultigridLevel& level, int axis, int i) { return i + 0.5 * extent(level, axis, i); }

constexpr double kOmega = 1.2;

}  // namespace

MultigridLevel coarser(const MultigridLevel& fine) {
    MultigridLevel coarse{fine.number + 1, fine.finest, (fine.cells + 1) / 2, Field((fine.cells + 1) / 2 + 1), fine.periodic, fine.liquid};
    forEach(coarse.cells + 1, [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            const ivec3 t1 = unit((axis + 1) % 3), t2 = unit((axis + 2) % 3);
            ivec3 first = 2 * c;
            first[axis] = std::min(first[axis], fine.cells[axis]);
            double area = 0.0;
            for (const ivec3 f : {first, first + t1, first + t2, first + t1 + t2}) {
                ivec3 cell = f;
                cell[axis] = 0;
                if (glm::all(glm::lessThan(cell, fine.cells)))
                    area += fine.weights(f)[axis] * distance(fine, axis, f[axis]) / (isFlat(fine) ? 2.0 : 4.0);
            }
            if (area > 0.0) coarse.weights(c)[axis] = area / distance(coarse, axis, c[axis]);
        }
    });
    forEach(coarse.cells, [&](ivec3 c) {
        bool empty = false;  // any child: no equation, but open
        forChildren(fine, c, [&](ivec3 child) {
            double open = 0.0;
            for (int axis = 0; axis < 3; ++axis) open += fine.weights(child)[axis] + fine.weights(child + unit(axis))[axis];
            empty = empty || (fine.weights(child).w == 0.0 && open > 0.0);
        });
        if (coarse.liquid && empty) return;
        for (int axis = 0; axis < 3; ++axis) {
            if ((coarse.periodic >> axis & 1) != 0 && coarse.cells[axis] == 1) continue;  // the cell is its own neighbour
            coarse.weights(c).w += coarse.weights(c)[axis] + coarse.weights(c + unit(axis))[axis];
        }
    });
    return coarse;
}

std::vector<MultigridLevel> pyramid(const Field& weights, int periodic, bool liquid) {
    const ivec3 cells = weights.size() - 1;
    std::vector<MultigridLevel> levels{{0, cells, cells, weights, periodic, liquid}};
    while (levels.back().cells != ivec3(1)) levels.push_back(coarser(levels.back()));
    return levels;
}

Numbers restricted(const MultigridLevel& fine, const Numbers& b, const Numbers& q) {
    const Numbers Aq = applied(fine.weights, q, fine.periodic);
    Numbers result((fine.cells + 1) / 2);
    forEach(result.size(), [&](ivec3 c) {
        forChildren(fine, c, [&](ivec3 child) {
            if (fine.weights(child).w > 0.0) result(c) += (isFlat(fine) ? 1.0 : 0.5) * (b(child) - Aq(child));
        });
    });
    return result;
}

Numbers started(const MultigridLevel& level, const Numbers& b) {
    Numbers q(level.cells);
    redBlackSor(level.weights, b, q, 0, kOmega, level.periodic);
    return q;
}

void sweep(const MultigridLevel& level, const Numbers& b, Numbers& q) {
    for (int colour = 0; colour < colours(level.cells, level.periodic); ++colour)
        redBlackSor(level.weights, b, q, colour, kOmega, level.periodic);
}

Numbers prolonged(const MultigridLevel& fine, const MultigridLevel& coarse, const Numbers& coarseQ) {
    Numbers result(fine.cells);
    forEach(fine.cells, [&](ivec3 c) {
        if (fine.liquid && fine.weights(c).w == 0.0) return;
        const ivec3 parent = c / 2;
        const double own = coarseQ(parent);
        result(c) = own;
        for (int axis = 0; axis < 3; ++axis) {
            const double offset = centre(fine, axis, c[axis]) / 2.0 - centre(coarse, axis, parent[axis]);
            if (offset == 0.0) continue;
            ivec3 next = parent + (offset > 0.0 ? 1 : -1) * unit(axis);
            const double w = coarse.weights(offset > 0.0 ? next : parent)[axis];
            if (const int n = coarse.cells[axis]; (coarse.periodic >> axis & 1) != 0) next[axis] = (next[axis] + n) % n;
            result(c) += std::abs(offset) * w * ((coarseQ.contains(next) ? coarseQ(next) : 0.0) - own);
        }
    });
    return result;
}

void vCycle(const std::vector<MultigridLevel>& levels, std::size_t n, const Numbers& b, Numbers& q) {
    const MultigridLevel& level = levels[n];
    if (level.cells == ivec3(1)) {
        const double w = level.weights(ivec3(0)).w;
        q(ivec3(0)) = w > 0.0 ? b(ivec3(0)) / w : 0.0;
        return;
    }
    sweep(level, b, q);
    const Numbers coarseB = restricted(level, b, q);
    Numbers coarseQ(coarseB.size());
    vCycle(levels, n + 1, coarseB, coarseQ);
    const Numbers correction = prolonged(level, levels[n + 1], coarseQ);
    for (std::size_t i = 0; i < q.count(); ++i) q.values()[i] += correction.values()[i];
    for (int k = 0; k < 3; ++k) sweep(level, b, q);
}

bool Products::overshoots() const { return pw > 0.0 && pr / pw * ww > 2.0 * rw; }
double Products::step() const { return overshoots() ? rw / ww : pr / pw; }

}  // namespace wisp::reference
