// SPDX-License-Identifier: MIT
#include "tests/reference/light.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::reference {
namespace {

constexpr double kFar = 1e30;

// Where a ray enters and leaves the box: cut by the three pairs of planes.
struct Span {
    double enter = 0.0, leave = kFar;
};

Span boxSpan(const Step& s, dvec3 x, dvec3 direction) {
    Span span;
    for (int a = 0; a < 3; ++a) {
        const double low = double(s.origin[a]) - x[a], high = low + boxSize(s)[a];
        if (direction[a] == 0.0) {
            if (low > 0.0 || high < 0.0) span.leave = -1.0;
            continue;
        }
        span.enter = std::max(span.enter, std::min(low / direction[a], high / direction[a]));
        span.leave = std::min(span.leave, std::max(low / direction[a], high / direction[a]));
    }
    return span;
}

double henyeyGreenstein(double cosine, double g) {
    return (1.0 - g * g) / (4.0 * glm::pi<double>() * std::pow(1.0 + g * g - 2.0 * g * cosine, 1.5));
}

struct Beam {  // of one light, at a point
    dvec3 towards;
    dvec3 irradiance;
};

Beam beamAt(const gpu::LightData& light, dvec3 x) {
    if (light.kind == WISP_SUN) return {dvec3(light.towards), dvec3(light.power)};
    const dvec3 path = dvec3(light.towards) - x;
    return {glm::normalize(path), dvec3(light.power) / glm::dot(path, path)};
}

// Source radiance per unit extinction (docs/passes.md, raymarch).
dvec3 source(const Step& s, const View& v, const Field& light, const Field& sky, int lights, int octaves, dvec3 x, dvec3 ray) {
    dvec3 scattered = dvec3(v.environment) * sampleBox(s, sky, x).x;
    for (int n = 0; n < lights; ++n) {
        const Beam beam = beamAt(v.lights[n], x);
        for (int o = 0; o < octaves; ++o) {
            const double half = std::pow(0.5, o);
            const double p = phase(glm::dot(beam.towards, ray), double(v.g) * half, double(v.gBack) * half, double(v.blend));
            scattered += half * std::pow(sampleBox(s, light, x)[n], half) * p * beam.irradiance;
        }
    }
    return dvec3(v.albedo) * scattered + (1.0 - dvec3(v.albedo)) * dvec3(v.emission);
}

// A matt surface under the lights and the sky; the light is taken clear of volume cells that reach into the obstacle.
dvec3 surface(const Step& s, const View& v, const Field& light, const Field& sky, int lights, dvec3 x, int obstacle) {
    const gpu::ShapeData& shape = s.obstacles[obstacle].shape;
    dvec3 normal;
    const double e = 1e-6;
    for (int a = 0; a < 3; ++a) normal[a] = signedDistance(shape, x + e * dvec3(unit(a))) - signedDistance(shape, x - e * dvec3(unit(a)));
    normal = glm::normalize(normal);
    const dvec3 beside = x + 1.5 * boxSize(s) / dvec3(v.lightCells) * normal;
    dvec3 irradiance = glm::pi<double>() * dvec3(v.environment) * sampleBox(s, sky, beside).x;
    for (int n = 0; n < lights; ++n) {
        const Beam beam = beamAt(v.lights[n], x);
        irradiance += sampleBox(s, light, beside)[n] * std::max(glm::dot(normal, beam.towards), 0.0) * beam.irradiance;
    }
    return dvec3(v.obstacleColour) / glm::pi<double>() * irradiance;
}

}  // namespace

dvec3 boxSize(const Step& s) { return dvec3(s.cells) * double(s.h); }

dvec4 sampleBox(const Step& s, const Field& field, dvec3 x) {
    return field.sample((x - dvec3(s.origin)) / boxSize(s) * dvec3(field.size()));
}

Field occupancy(const Step& s, const Field& scalars) {
    Field bricks((s.scalarCells + WISP_BRICK - 1) / WISP_BRICK);
    forEach(bricks.size(), [&](ivec3 brick) {
        double& largest = bricks(brick).x;
        forEach(ivec3(WISP_BRICK + 2), [&](ivec3 o) {
            const ivec3 c = brick * WISP_BRICK + o - 1;
            if (scalars.contains(c)) largest = std::max(largest, scalars(c).x);
        });
    });
    return bricks;
}

Hit obstacleHit(const Step& s, dvec3 x, dvec3 direction, double far, double margin) {
    Hit hit{far, -1};
    for (int n = 0; n < s.obstacleCount; ++n) {
        // Distances are exact, so a step of that length cannot pass through the surface.
        double t = 0.0;
        for (int k = 0; k < 2000 && t < hit.distance; ++k) {
            const double phi = signedDistance(s.obstacles[n].shape, x + t * direction) - margin;
            if (phi < 1e-9) hit = {t, n};
            t += std::max(phi, 1e-9);
        }
    }
    return hit;
}

double transmittance(const Step& s, const View& v, const Field& scalars, dvec3 x, dvec3 direction, double far, double stepLength) {
    const double length = std::min(boxSpan(s, x, direction).leave, far);
    const int steps = std::max(1, static_cast<int>(std::ceil(length / stepLength)));
    double depth = 0.0;
    for (int i = 0; i < steps; ++i) {
        depth += double(v.extinction) * length / steps * sampleBox(s, scalars, x + (i + 0.5) * length / steps * direction).x;
    }
    return std::exp(-depth);
}

namespace {

dvec3 centreOf(const Step& s, ivec3 cell, ivec3 cells) { return dvec3(s.origin) + (dvec3(cell) + 0.5) / dvec3(cells) * boxSize(s); }

}  // namespace

Field lightVolume(const Step& s, const View& v, const Field& scalars, int lights, double margin) {
    Field volume(v.lightCells, dvec4(1.0));
    forEach(v.lightCells, [&](ivec3 c) {
        const dvec3 x = centreOf(s, c, v.lightCells);
        for (int n = 0; n < lights; ++n) {
            const bool sun = v.lights[n].kind == WISP_SUN;
            const double far = sun ? kFar : glm::distance(dvec3(v.lights[n].towards), x);
            const dvec3 towards = beamAt(v.lights[n], x).towards;
            const bool shadow = obstacleHit(s, x, towards, std::min(far, boxSpan(s, x, towards).leave + 100.0), margin).obstacle >= 0;
            volume(c)[n] = shadow ? 0.0 : transmittance(s, v, scalars, x, towards, far, boxSize(s).x / v.lightCells.x);
        }
    });
    return volume;
}

Field skyVolume(const Step& s, const View& v, const Field& scalars, double margin) {
    Field volume(v.skyCells);
    forEach(v.skyCells, [&](ivec3 c) {
        const dvec3 x = centreOf(s, c, v.skyCells);
        forEach(ivec3(2), [&](ivec3 corner) {
            const dvec3 towards = glm::normalize(dvec3(2 * corner - 1));
            if (obstacleHit(s, x, towards, 100.0, margin).obstacle >= 0) return;
            volume(c) += dvec4(transmittance(s, v, scalars, x, towards, kFar, boxSize(s).x / v.skyCells.x) / 8.0);
        });
    });
    return volume;
}

double phase(double cosine, double g, double gBack, double blend) {
    return (1.0 - blend) * henyeyGreenstein(cosine, g) + blend * henyeyGreenstein(cosine, gBack);
}

dvec3 cameraRay(const View& v, ivec3 pixel) {
    const dvec3 at = (dvec3(pixel) + 0.5) / dvec3(v.pixels.x, v.pixels.y, 1) * 2.0 - 1.0;
    return glm::normalize(dvec3(v.forward) + at.x * dvec3(v.right) - at.y * dvec3(v.up));
}

Seen raymarch(const Step& s, const View& v, const Field& scalars, const Field& light, const Field& sky, int lights, int octaves,
               ivec3 pixel, double offset) {
    const dvec3 eye(v.eye), ray = cameraRay(v, pixel);
    const Hit hit = obstacleHit(s, eye, ray, 100.0, 0.0);
    Span span = boxSpan(s, eye, ray);
    if (hit.obstacle >= 0) span.leave = std::min(span.leave, hit.distance);

    dvec3 radiance(0.0);
    double through = 1.0, seen = 0.0, way = 0.0;
    for (double t = span.enter; t < span.leave && through > 1e-3;) {
        const double d = std::min(double(v.stepLength), span.leave - t);
        const dvec3 x = eye + (t + std::min(offset * double(v.stepLength), d)) * ray;
        const double step = std::exp(-double(v.extinction) * sampleBox(s, scalars, x).x * d);
        radiance += through * (1.0 - step) * source(s, v, light, sky, lights, octaves, x, ray);
        seen += through * (1.0 - step);
        way += through * (1.0 - step) * (t + d / 2.0);
        through *= step;
        t += d;
    }
    if (through <= 1e-3) through = 0.0;
    const bool solid = hit.obstacle >= 0;
    radiance += through * (solid ? surface(s, v, light, sky, lights, eye + hit.distance * ray, hit.obstacle) : dvec3(v.environment));
    if (solid) {
        seen += through;
        way += through * hit.distance;
    }
    const double depth = seen > 0.0 ? way / seen * glm::dot(ray, dvec3(v.forward)) : std::numeric_limits<double>::infinity();
    return {{radiance, solid ? 1.0 : 1.0 - through}, depth};
}

}  // namespace wisp::reference
