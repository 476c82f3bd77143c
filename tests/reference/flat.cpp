// SPDX-License-Identifier: MIT
#include "tests/reference/flat.h"

#include "tests/reference/view.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::reference {
namespace {

using glm::dvec2;

// Cubic B-spline.
double weight(double x) {
    x = std::abs(x);
    if (x < 1.0) return 2.0 / 3.0 - x * x + 0.5 * x * x * x;
    return x < 2.0 ? std::pow(2.0 - x, 3.0) / 6.0 : 0.0;
}

// Cubic interpolation at a position in the box [m]. Beyond the edges, texels repeat on periodic axes and are clamped elsewhere.
dvec4 cubic(const Step& s, const Field& field, dvec2 x) {
    const dvec2 p = x / double(s.h) * double(s.scalarRatio);
    const ivec3 base(static_cast<int>(std::floor(p.x - 0.5)), static_cast<int>(std::floor(p.y - 0.5)), 0);
    dvec4 sum(0.0);
    for (int j = -1; j <= 2; ++j)
        for (int i = -1; i <= 2; ++i) {
            const ivec3 c = base + ivec3(i, j, 0);
            sum += weight(p.x - c.x - 0.5) * weight(p.y - c.y - 0.5) * field.nearest(c, period(s, field.size()));
        }
    return sum;
}

}  // namespace

FlatSeen flat(const Step& s, const gpu::FlatPush& push, std::span<const gpu::SurfaceData> surfaces, const Field& scalars,
              const Field* colours, const Field& distance, ivec3 pixel) {
    const dvec2 x = dvec2(push.corner) - dvec2(s.origin) + double(push.pixel) * dvec2(pixel.x + 0.5, -pixel.y - 0.5),
                box = double(s.h) * dvec2(s.cells);
    const dvec3 background(push.background), light(push.light);
    if (x.x < 0.0 || x.y < 0.0 || x.x > box.x || x.y > box.y) return {dvec4(0.25 * background, 0.0), 0.0};
    const auto seen = [&](dvec2 at) { return 1.0 - std::exp(-double(push.depth) * std::max(cubic(s, scalars, at).x, 0.0)); };
    double shade = 1.0;
    if (push.relief > 0.0f) {
        const double d = double(s.h) / s.scalarRatio;
        const dvec2 slope(seen(x + dvec2(d, 0)) - seen(x - dvec2(d, 0)), seen(x + dvec2(0, d)) - seen(x - dvec2(0, d)));
        const dvec3 normal = glm::normalize(dvec3(-double(push.relief) * slope / (2.0 * d), 1.0)), towards(push.towards);
        shade = std::clamp(glm::dot(normal, towards) / towards.z, 0.0, 2.0);
    }
    const double density = std::max(cubic(s, scalars, x).x, 0.0), taken = seen(x);
    const dvec3 colour = colours ? glm::clamp(dvec3(cubic(s, *colours, x)) / std::max(density, 1e-6), 0.0, 1.0) : dvec3(1.0);
    const dvec3 dye = taken * shade * dvec3(push.albedo) * colour * light + (1.0 - taken) * background;
    double outside = 1.0;
    if (s.obstacleCount > 0)
        outside = std::clamp(0.5 + distance.sample(dvec3(x / double(s.h), 0.5), period(s, s.cells)).x * double(s.h) / double(push.pixel),
                             0.0, 1.0);
    const gpu::SurfaceData* surface = surfaces.data();
    double nearest = std::numeric_limits<double>::infinity();
    for (int n = 0; n < s.obstacleCount; ++n)
        if (const double phi = periodicDistance(s, s.obstacles[n].shape,
                                                dvec3(x + dvec2(s.origin), 0.5 * double(s.h) + double(s.origin.z)));
            phi < nearest) {
            nearest = phi;
            surface = &surfaces[static_cast<std::size_t>(n)];
        }
    return {dvec4(glm::mix(dvec3(surface->colour) * light, dye, outside), glm::mix(1.0, taken, outside)), outside > 0.0 ? density : 0.0};
}

dvec4 arrows(const Step& s, const gpu::ArrowsPush& push, const std::function<dvec2(dvec2)>& velocity, dvec4 under, ivec3 pixel) {
    const dvec2 box = double(s.h) * dvec2(s.cells), at = dvec2(pixel) + 0.5;
    double nearest = 1e3;
    for (int j = -40; j < 40; ++j)  // all arrows, without culling
        for (int i = -40; i < 40; ++i) {
            const dvec2 middle = dvec2(push.low) + (dvec2(i, j) + 0.5) * dvec2(push.spacing);
            const dvec2 x = dvec2(push.corner) - dvec2(s.origin) + double(push.pixel) * dvec2(middle.x, -middle.y);
            if (x.x < 0.0 || x.y < 0.0 || x.x > box.x || x.y > box.y) continue;
            const dvec2 u = velocity(x), v = double(push.reach) * dvec2(u.x, -u.y);
            if (glm::length(v) >= 1.0) nearest = std::min(nearest, arrowDistance(at, middle, v));
        }
    const double pen = double(push.pen);
    const dvec4 rimmed = glm::mix(under, dvec4(dvec3(double(push.rim)), 1.0), 0.6 * std::clamp(2.0 * pen + 0.5 - nearest, 0.0, 1.0));
    return glm::mix(rimmed, dvec4(dvec3(double(push.ink)), 1.0), 0.75 * std::clamp(pen + 0.5 - nearest, 0.0, 1.0));
}

Field glowDown(const Field& finer, ivec3 size) {
    Field result(size);
    forEach(size, [&](ivec3 c) {
        for (const dvec2 o : {dvec2(-1, -1), dvec2(1, 1), dvec2(1, -1), dvec2(-1, 1)})
            result(c) += 0.25 * finer.sample(dvec3(2.0 * (dvec2(c) + 0.5) + o, 0.5));
    });
    return result;
}

Field glowUp(const Field& coarser, const Field& finer, double weight) {
    Field result = finer;
    forEach(finer.size(), [&](ivec3 c) {
        dvec3 sum(0.0);
        for (int n = 0; n < 9; ++n) {
            const dvec2 o(n % 3 - 1, n / 3 - 1);
            sum += (2.0 - std::abs(o.x)) * (2.0 - std::abs(o.y)) / 16.0 * dvec3(coarser.sample(dvec3(0.5 * (dvec2(c) + 0.5) + o, 0.5)));
        }
        result(c) += dvec4(weight * sum, 0.0);
    });
    return result;
}

}  // namespace wisp::reference
