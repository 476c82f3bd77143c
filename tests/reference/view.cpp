// SPDX-License-Identifier: MIT
#include "tests/reference/view.h"

#include "tests/reference/pressure.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::reference {
namespace {

const dvec3 kBackground(0.012), kSolid(0.16);

// Trilinear interpolation over the surrounding pressure cells that have weight.
double pressureAt(const ViewSources& from, dvec3 p) {
    double sum = 0.0, weight = 0.0;
    from.pressure.forTexelsAround(p, [&](ivec3 C, double w) {
        if (from.weights(C).w == 0.0) return;
        sum += w * from.pressure(C);
        weight += w;
    });
    return weight > 0.0 ? sum / weight : 0.0;
}

double placeOf(double v, const gpu::ViewLimits& limits) {
    return std::clamp((v - double(limits.low)) / (double(limits.high) - double(limits.low)), 0.0, 1.0);
}

dvec3 colourAt(const Map& map, double place) {
    const double p = place * static_cast<double>(map.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(p), map.size() - 2);
    return glm::mix(map[i], map[i + 1], p - static_cast<double>(i));
}

double segmentDistance(glm::dvec2 p, glm::dvec2 a, glm::dvec2 b) {
    const double along = glm::dot(b - a, b - a) > 0.0 ? glm::dot(p - a, b - a) / glm::dot(b - a, b - a) : 0.0;
    return glm::distance(p, a + std::clamp(along, 0.0, 1.0) * (b - a));
}

}  // namespace

Field viewField(const Step& s, const ViewSources& from, const gpu::FieldPush& push) {
    const int field = push.field;
    const bool scalar = field == WISP_VIEW_DENSITY || field == WISP_VIEW_TEMPERATURE || field == WISP_VIEW_FUEL || field == WISP_VIEW_FLAME;
    const ivec3 cells = scalar ? s.scalarCells : s.cells;
    Step fine = s;
    fine.ratio = 1;
    fine.pressureCells = s.cells;
    const Numbers div = divergence(fine, from.velocity, from.aperture);
    const auto valueOf = [&](ivec3 c) {
        switch (field) {
            case WISP_VIEW_DENSITY: return from.scalars(c).x;
            case WISP_VIEW_TEMPERATURE: return from.scalars(c).y;
            case WISP_VIEW_FUEL: return from.scalars(c).z;
            case WISP_VIEW_FLAME: return from.scalars(c).y < double(push.ignition) ? 0.0 : from.scalars(c).z;
            case WISP_VIEW_SPEED: return glm::length(dvec3(from.centre(c)));
            case WISP_VIEW_VORTICITY: return from.curl(c).w;
            case WISP_VIEW_PRESSURE: return pressureAt(from, (dvec3(c) + 0.5) / double(s.ratio));
            default: return div(c);
        }
    };
    const auto fluid = [&](ivec3 c) { return from.aperture(scalar ? c / s.scalarRatio : c).w > 0.0; };
    Field values(cells, dvec4(double(push.base), 0.0, 0.0, 0.0));
    forEach(cells, [&](ivec3 c) {
        if (fluid(c)) {
            values(c).x += valueOf(c);
            return;
        }
        double sum = 0.0;
        int count = 0;
        for (int axis = 0; axis < 3; ++axis)
            for (const int side : {-1, 1}) {
                const ivec3 other = c + side * unit(axis);
                if (!values.contains(other) || !fluid(other)) continue;
                sum += valueOf(other);
                ++count;
            }
        if (count > 0) values(c).x += sum / count;
    });
    return values;
}

std::array<double, 8> viewRange(const Step& s, const Field& values, const Field& centre, bool isSigned, double base) {
    std::array<double, 8> r{};
    const int ratio = values.size().x / s.cells.x;
    forEach(values.size(), [&](ivec3 c) {
        const double v = isSigned ? std::abs(values(c).x) : std::max(values(c).x - base, 0.0), u = glm::length(dvec3(centre(c / ratio)));
        r[0] += v;
        r[1] += v * v;
        r[2] += u;
        r[3] += u * u;
        r[6] = std::max(r[6], v);
        r[7] = std::max(r[7], u);
    });
    return r;
}

gpu::ViewLimits viewLimits(const std::array<double, 8>& record, const gpu::ViewLimits& before, bool isSigned, double base) {
    const auto limitFor = [](double m, double old) {
        if (!(m >= 1e-6)) return old > 0.0 ? old : 1.0;
        if (m <= old && m > 0.3 * old) return old;
        double best = std::numeric_limits<double>::infinity();
        for (int decade = -7; decade < 12; ++decade)
            for (const double step : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0}) {
                const double limit = step * std::pow(10.0, decade);
                if (limit >= m * (1.0 - 1e-5)) best = std::min(best, limit);
            }
        return best;
    };
    const double high = base + limitFor(std::min(record[6], 2.5 * record[1] / record[0]), double(before.high) - base);
    return {.low = static_cast<float>(isSigned ? -high : base),
            .high = static_cast<float>(high),
            .speed = static_cast<float>(limitFor(2.0 * record[3] / record[2], double(before.speed))),
            .largest = static_cast<float>(base + record[6])};
}

double arrowDistance(glm::dvec2 at, glm::dvec2 middle, glm::dvec2 v) {
    const glm::dvec2 tail = middle - v / 2.0, tip = middle + v / 2.0, across(-0.15 * v.y, 0.15 * v.x);
    return std::min({segmentDistance(at, tail, tip), segmentDistance(at, tip, tip - 0.3 * v + across),
                     segmentDistance(at, tip, tip - 0.3 * v - across)});
}

Shown viewSlice(const Step& s, const gpu::SlicePush& push, const Field& values, const Field& centre, const Field& solid, const Map& map,
                const gpu::ViewLimits& limits, ivec3 pixel) {
    const double metres = glm::length(dvec3(push.right));
    const auto pointAt = [&](glm::dvec2 at) { return dvec3(push.corner) + at.x * dvec3(push.right) + at.y * dvec3(push.down); };
    const auto inBox = [&](dvec3 x) {
        const dvec3 p = (x - dvec3(s.origin)) / boxSize(s);
        return std::min({p.x, p.y, p.z}) >= 0.0 && std::max({p.x, p.y, p.z}) <= 1.0;
    };
    const auto pixelsToSolid = [&](dvec3 x) { return s.obstacleCount == 0 ? 1e3 : sampleBox(s, solid, x).x * double(s.h) / metres; };
    const glm::dvec2 at = glm::dvec2(pixel) + 0.5;
    const dvec3 x = pointAt(at);
    if (!inBox(x)) return {dvec4(kBackground, 0.0), 0.0};
    const double v = sampleBox(s, values, x).x, fluid = std::clamp(0.5 + pixelsToSolid(x), 0.0, 1.0);
    dvec3 colour = glm::mix(kSolid, colourAt(map, placeOf(v, limits)), fluid);
    if (push.spacing > 0.0f) {
        const double spacing = double(push.spacing), pen = double(push.pen);
        double nearest = 1e3;
        for (int j = -100; j < 100; ++j)  // all arrows, without culling
            for (int i = -100; i < 100; ++i) {
                const glm::dvec2 middle = glm::dvec2(push.low) + (glm::dvec2(i, j) + 0.5) * spacing;
                if (!inBox(pointAt(middle)) || pixelsToSolid(pointAt(middle)) < 0.0) continue;
                const dvec3 u(sampleBox(s, centre, pointAt(middle)));
                const glm::dvec2 v2 = 0.8 * spacing / double(limits.speed) *
                                      glm::dvec2(glm::dot(u, dvec3(push.right)), glm::dot(u, dvec3(push.down))) / metres;
                if (glm::length(v2) >= 1.0) nearest = std::min(nearest, arrowDistance(at, middle, v2));
            }
        colour = glm::mix(colour, dvec3(1.0 - double(push.ink)), 0.6 * std::clamp(2.0 * pen + 0.5 - nearest, 0.0, 1.0));
        colour = glm::mix(colour, dvec3(double(push.ink)), std::clamp(pen + 0.5 - nearest, 0.0, 1.0));
    }
    return {dvec4(colour, fluid), fluid > 0.0 ? v : 0.0};
}

Shown viewVolume(const Step& s, const View& v, const gpu::VolumePush& push, const Field& values, const Map& map,
                 const gpu::ViewLimits& limits, ivec3 pixel) {
    const dvec3 eye(v.eye), ray = cameraRay(v, pixel), low(s.origin), high = low + boxSize(s);
    double enter = 0.0, leave = 1e30;
    for (int a = 0; a < 3; ++a) {
        const double t0 = (low[a] - eye[a]) / ray[a], t1 = (high[a] - eye[a]) / ray[a];
        enter = std::max(enter, std::min(t0, t1));
        leave = std::min(leave, std::max(t0, t1));
    }
    if (enter >= leave) return {dvec4(kBackground, 0.0), 0.0};
    const auto edge = [&](double t) {
        const dvec3 x = eye + t * ray;
        std::array<double, 3> d{};
        for (int a = 0; a < 3; ++a) d[static_cast<std::size_t>(a)] = std::min(std::abs(x[a] - low[a]), std::abs(high[a] - x[a]));
        std::sort(d.begin(), d.end());
        return std::clamp(1.0 - d[1] / (2.0 * t * glm::length(dvec3(v.up)) / v.pixels.y), 0.0, 1.0);
    };
    dvec3 colour(0.0);
    double through = 1.0, shown = 0.0, seen = 0.0, way = 0.0;
    for (int n = 0; enter + n * double(push.stepLength) < leave; ++n) {
        const double t = enter + n * double(push.stepLength), d = std::min(double(push.stepLength), leave - t),
                     value = sampleBox(s, values, eye + (t + d / 2.0) * ray).x;
        const double place = placeOf(value, limits), strength = push.isSigned == 1 ? std::abs(2.0 * place - 1.0) : place;
        const double step = std::exp(-double(push.opacity) * strength * strength * d);
        const double taken = through * (1.0 - step);
        colour += taken * colourAt(map, place);
        seen += taken;
        way += taken * (t + d / 2.0);
        through *= step;
        if (std::abs(value) > std::abs(shown)) shown = value;
    }
    colour += through * glm::mix(kBackground, kSolid, edge(leave));
    if (enter > 0.0) colour = glm::mix(colour, kSolid, edge(enter));
    Shown pixelShown{dvec4(colour, 1.0 - through), shown};
    if (seen > 0.0) pixelShown.depth = way / seen * glm::dot(ray, dvec3(v.forward));
    return pixelShown;
}

}  // namespace wisp::reference
