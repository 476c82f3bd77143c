// SPDX-License-Identifier: MIT
#include "tests/reference/wind.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::reference {
namespace {

bool endless(const gpu::WispWind& wind, int axis) { return (wind.periodic >> axis & 1) != 0 || (axis == 2 && wind.cells.z == 1); }

// The face of `axis` for index c: wrapped along periodic axes, clamped along the others.
ivec3 faceAt(const gpu::WispWind& wind, ivec3 c, int axis) {
    for (int a = 0; a < 3; ++a) {
        const int n = wind.cells[a];
        c[a] = endless(wind, a) ? ((c[a] % n) + n) % n : std::clamp(c[a], 0, a == axis ? n : n - 1);
    }
    return c;
}

}  // namespace

dvec3 velocityAt(const Field& faces, const gpu::WispWind& wind, dvec3 p) {
    dvec3 u(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        const dvec3 q = p - 0.5 * (1.0 - dvec3(unit(axis)));  // in indices of the faces of this axis
        const ivec3 base(glm::floor(q));
        forEach(ivec3(2), [&](ivec3 o) {
            const dvec3 hat = 1.0 - glm::abs(q - dvec3(base + o));
            u[axis] += hat.x * hat.y * hat.z * faces(faceAt(wind, base + o, axis))[axis];
        });
    }
    return u;
}

dvec3 windAt(const Field& faces, const gpu::WispWind& wind, dvec3 x) {
    const dvec3 p = (x - dvec3(wind.origin)) / double(wind.h);
    double beyond = -std::numeric_limits<double>::infinity();  // largest distance of p beyond a side
    for (int a = 0; a < 3; ++a) {
        if (std::isnan(x[a])) return dvec3(x[a]);
        if (std::isinf(x[a])) beyond = std::abs(x[a]);
        if (!endless(wind, a)) beyond = std::max({beyond, -p[a], p[a] - wind.cells[a]});
    }
    const double outside = std::clamp(0.5 + beyond, 0.0, 1.0);
    if (outside == 1.0) return dvec3(wind.ambient);
    return glm::mix(velocityAt(faces, wind, p), dvec3(wind.ambient), outside);
}

}  // namespace wisp::reference
