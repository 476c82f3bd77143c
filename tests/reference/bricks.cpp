// SPDX-License-Identifier: MIT
#include "tests/reference/bricks.h"

#include <algorithm>
#include <cmath>

namespace wisp::reference {
namespace {

constexpr int kBrick = 8;

/// The largest |component| of `size` cells from `first` on.
double largestOf(const Field& field, ivec3 first, ivec3 size, ivec3 period, int channels) {
    double most = 0.0;
    forEach(size, [&](ivec3 o) {
        const dvec4 v = field.nearest(first + o, period);
        for (int n = 0; n < channels; ++n) most = std::max(most, std::abs(v[n]));
    });
    return most;
}

}  // namespace

Bricks smokeBricks(const Step& s, const Field& scalars, const Field& back) {
    Bricks bricks((s.scalarCells + kBrick - 1) / kBrick);
    const ivec3 all(kBrick);
    forEach(bricks.size(), [&](ivec3 b) {
        const ivec3 first = b * kBrick, path = s.scalarRatio == 1 ? first : first / 2 - 1;
        bricks(b).holds = largestOf(scalars, first, all, period(s, s.scalarCells), 2) > 0.0;
        bricks(b).reach = s.scalarRatio * largestOf(back, path, all, period(s, s.cells), 3);
    });
    return bricks;
}

Grid<int> smokeReach(const Step& s, const Bricks& bricks, bool all) {
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
        const ivec3 count = bricks.size(), bricksPeriod(periodicAxes(s) & 1 ? count.x : 0, periodicAxes(s) & 2 ? count.y : 0, periodicAxes(s) & 4 ? count.z : 0);
        forEach(high - low + 1, [&](ivec3 o) { reached(b) |= bricks.nearest(low + o, bricksPeriod).holds ? 1 : 0; });
    });
    return reached;
}

}  // namespace wisp::reference
