// SPDX-License-Identifier: MIT
#include "tests/reference/crossed.h"

#include "tests/reference/motion.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace wisp::reference {
namespace {

// Gradient of the distance.
dvec3 slopeAt(const gpu::ShapeData& shape, dvec3 x, double d) {
    dvec3 slope(0.0);
    for (int a = 0; a < 3; ++a) {
        const dvec3 e = d * dvec3(unit(a));
        slope[a] = signedDistance(shape, x + e) - signedDistance(shape, x - e);
    }
    return glm::length(slope) > 0.0 ? glm::normalize(slope) : slope;
}

// Whether a segment enters a body, of which points within `slack` of it are part, and leaves it on the opposite side. `margin`: of the
// cosines. Of two faces of a box it is 0 or -1.
bool passesThrough(const Step& s, const gpu::ShapeData& shape, dvec3 a, dvec3 b, double slack, double margin) {
    constexpr int kPoints = 1024;
    std::optional<dvec3> enters, leaves;
    for (int n = 0; n <= kPoints; ++n) {
        const dvec3 x = glm::mix(a, b, double(n) / kPoints);
        const double phi = signedDistance(shape, x);
        if (phi > slack) {
            n += std::max(0, static_cast<int>((phi - slack) / glm::distance(a, b) * kPoints) - 1);  // no point nearer is in the body
            continue;
        }
        if (!enters) enters = x;
        leaves = x;
    }
    if (!enters) return false;
    const double d = 1e-4 * double(s.h);
    const dvec3 in = slopeAt(shape, *enters, d), out = slopeAt(shape, *leaves, d), way = glm::normalize(b - a);
    return glm::dot(in, out) < (shape.kind == WISP_BOX ? -0.5 : margin) && glm::dot(in, way) < margin && glm::dot(out, way) > -margin;
}

// Offset from the centre of the body at its end pose to where a point at `x` is taken that moves with the body from the start of the step.
dvec3 movedAlong(const Step& s, const gpu::ObstacleData& o, dvec3 x) {
    const dvec3 fromStart = x - (dvec3(o.shape.centre) - double(s.dt) * dvec3(o.velocity)), turn = double(s.dt) * dvec3(o.angularVelocity);
    const double angle = glm::length(turn);
    return dvec3(o.shape.centre) + (angle > 0.0 ? glm::angleAxis(angle, turn / angle) * fromStart : fromStart);
}

// Whether the way from `begin` to `end` [m] leads through any of the bodies, with this slack.
bool leadsThrough(const Step& s, int bodies, dvec3 begin, dvec3 end, double slack, double margin) {
    const ivec3 repeats = glm::min(period(s, s.cells), ivec3(1));
    bool through = false;
    for (int n = 0; n < s.obstacleCount; ++n) {
        if ((bodies >> n & 1) == 0) continue;
        forEach(2 * repeats + 1, [&](ivec3 image) {
            const dvec3 shift = double(s.h) * dvec3(s.cells * (image - repeats)), a = movedAlong(s, s.obstacles[n], begin + shift);
            const gpu::ShapeData& shape = s.obstacles[n].shape;
            if (through || signedDistance(shape, end + shift) > glm::distance(a, end + shift) + slack) return;
            through = passesThrough(s, shape, a, end + shift, slack, margin);
        });
    }
    return through;
}

}  // namespace

Crossed crossedMass(const Step& s, int bodies, const Field& back, const Field& aperture, const Field& before, const Field& scalars,
                    double slack) {
    Crossed result;
    const dvec3 perCell(scalarsPerCell(s));
    const auto isSolid = [&](const Field& open, ivec3 c) { return open(c / s.scalarRatio).w == 0.0; };
    const double reach = slack * double(s.h);
    forEach(s.scalarCells, [&](ivec3 c) {
        if (isSolid(aperture, c)) return;
        const dvec3 p = scalarPoint(s, c), path(back.sample(p, period(s, s.cells)));
        double share = 0.0, through = 0.0, doubtful = 0.0;
        for (const double part : {1.0, 0.5, 0.25, 0.125, 0.0}) {  // as in advect_scalars
            const dvec3 texel = (p + part * path) * perCell;
            const ivec3 base(glm::floor(texel - 0.5));
            share = through = doubtful = 0.0;
            forEach(ivec3(2), [&](ivec3 o) {
                const dvec3 hat = 1.0 - glm::abs(texel - 0.5 - dvec3(base + o));
                const double weight = hat.x * hat.y * hat.z;
                const ivec3 corner = base + o, cell = scalars.inside(corner, period(s, s.scalarCells));
                if (weight == 0.0 || (isSolid(aperture, cell) && isSolid(before, cell))) return;
                share += weight;
                // The centre of the cell from which the fluid comes, in the period of the path.
                ivec3 own = cell;
                for (int a = 0; a < 3; ++a) own[a] = period(s, s.cells)[a] > 0 ? corner[a] : cell[a];
                const dvec3 begin = world(s, scalarPoint(s, own)), end = world(s, p);
                const double amount = weight * scalars(cell).x;
                const bool surely = leadsThrough(s, bodies, begin, end, 0.0, -1e-2),
                           perhaps = leadsThrough(s, bodies, begin, end, 2.0 * reach, 0.05);
                if (surely) through += amount;
                if (surely != perhaps) doubtful += amount;
            });
            if (share > 1e-4) break;
        }
        if (share <= 1e-4) return;
        const double inside = 1.0 - ambientWeight(s, p + path, 0.5 / perCell);
        result.sum += inside * through / share;
        result.doubtful += inside * doubtful / share;
        if (through > 0.0) ++result.cells;
    });
    return result;
}

}  // namespace wisp::reference
