// SPDX-License-Identifier: MIT
#include "tests/reference/bricks.h"

#include <algorithm>
#include <cmath>

namespace wisp::reference {
namespace {

constexpr int kBrick = 8;

/// Largest |component| in the `size` cells that start at `first`.
double largestOf(const Field& field, ivec3 first, ivec3 size, ivec3 period, int channels) {
    double most = 0.0;
    forEach(size, [&](ivec3 o) {
        const dvec4 v = field.nearest(first + o, period);
        for (int n = 0; n < channels; ++n) most = std::max(most, std::abs(v[n]));
    });
    return most;
}

}  // namespace

Numbers pathReach(const Step& s, const Field& back, ivec3 group) {
    Numbers reach((s.cells + group - 1) / group);
    forEach(s.cells, [&](ivec3 c) {
        for (int n = 0; n < 3; ++n) reach(c / group) = std::max(reach(c / group), std::abs(back(c)[n]));
    });
    return reach;
}

SmokeBricks smokeBricks(const Step& s, const Field& scalars, const Numbers& reach, ivec3 group) {
    SmokeBricks bricks((s.scalarCells + kBrick - 1) / kBrick);
    const ivec3 all(kBrick);
    forEach(bricks.size(), [&](ivec3 b) {
        const ivec3 first = b * kBrick;
        bricks(b).holds = largestOf(scalars, first, all, period(s, s.scalarCells), 2) > 0.0;
        // Finer scalars also interpolate the paths of neighbouring cells.
        const int beside = s.scalarRatio == 1 ? 0 : 1;
        const ivec3 low = first / s.scalarRatio - beside, high = glm::min((first + kBrick - 1) / s.scalarRatio, s.cells - 1) + beside;
        const ivec3 wrap = period(s, s.cells);
        forEach(high - low + 1, [&](ivec3 o) {
            ivec3 c = low + o;
            for (int a = 0; a < 3; ++a) c[a] = wrap[a] > 0 ? (c[a] + wrap[a]) % wrap[a] : std::clamp(c[a], 0, s.cells[a] - 1);
            bricks(b).reach = std::max(bricks(b).reach, s.scalarRatio * reach(c / group));
        });
    });
    return bricks;
}

Grid<int> smokeReach(const Step& s, const SmokeBricks& bricks, bool all) {
    Grid<int> reached(bricks.size());
    forEach(bricks.size(), [&](ivec3 b) {
        const double reach = bricks(b).reach;
        if (all || reach >= 2 * kBrick) {
            reached(b) = 1;
            return;
        }
        const int r = static_cast<int>(std::ceil(reach)) + 1;
        ivec3 low, high;
        for (int a = 0; a < 3; ++a) {
            const int more = periodicAxes(s) >> a & 1;
            low[a] = static_cast<int>(std::floor((b[a] * kBrick - r) / double(kBrick))) - more;
            high[a] = static_cast<int>(std::floor((b[a] * kBrick + kBrick - 1 + r) / double(kBrick))) + more;
        }
        const ivec3 count = bricks.size(),
                    bricksPeriod(periodicAxes(s) & 1 ? count.x : 0, periodicAxes(s) & 2 ? count.y : 0, periodicAxes(s) & 4 ? count.z : 0);
        forEach(high - low + 1, [&](ivec3 o) { reached(b) |= bricks.nearest(low + o, bricksPeriod).holds ? 1 : 0; });
    });
    return reached;
}

}  // namespace wisp::reference
