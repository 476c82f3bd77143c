// SPDX-License-Identifier: MIT
#include "tests/reference/light.h"

#include "tests/reference/ground_light.h"
#include "tests/reference/lamps.h"
#include "tests/reference/reflection.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::reference {
namespace {

constexpr double kFar = 1e30;

// Ray parameters where a ray enters and leaves the box (slab method).
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

// Inputs of raymarch. `marched`: march shadow rays instead of reading the light volume.
struct Scene {
    const Step& s;
    const View& v;
    const Field& scalars;
    const Field& light;
    const Field& sky;
    const Field& surroundings;
    int lights, octaves;
    bool ground, marched;
    const Field* colours;
};

struct Brick {
    double density;  // maximum in the brick
    double rest;     // length of the ray left in the brick, plus a thousandth of the brick's edge [m]
};

Brick brickAt(const Step& s, const Field& bricks, dvec3 x, dvec3 ray) {
    const double edge = WISP_BRICK * double(s.h) / s.scalarRatio;
    const dvec3 at = (x - dvec3(s.origin)) / edge;
    double rest = kFar;
    for (int a = 0; a < 3; ++a) {
        if (ray[a] != 0.0) rest = std::min(rest, (std::floor(at[a]) + (ray[a] > 0.0 ? 1.0 : 0.0) - at[a]) * edge / ray[a]);
    }
    return {bricks(glm::clamp(ivec3(glm::floor(at)), ivec3(0), bricks.size() - 1)).x, rest + 1e-3 * edge};
}

// Fraction of the environment's light that reaches x.
double openAt(const Scene& scene, dvec3 x) {
    return scene.lights < 4 ? sampleBox(scene.s, scene.light, x).w : sampleBox(scene.s, scene.sky, x).x;
}

double lightAt(const Scene& scene, int n, dvec3 x) {
    return throughFromRoots(scene.s, scene.v, scene.lights, sampleBox(scene.s, scene.light, x), x)[n];
}

// A step: its centre on the ray, its length, the width of the pixel there.
struct March {
    dvec3 x;
    double d, width;
};

// Light n along a step whose smoke is sampled at x. Near a lamp: its phase function at four equal angles around it, and its irradiance over
// the box of the step and the pixel.
struct Lit {
    std::vector<double> cosines;
    dvec3 irradiance;
};
Lit lightAlong(const View& v, int n, dvec3 x, const March& m, dvec3 ray) {
    const Beam beam = beamAt(v.lights[n], x);
    const double width = std::max(m.width, m.d / 16.0);
    const dvec3 to = dvec3(v.lights[n].towards) - x, right = glm::normalize(dvec3(v.right));
    if (!isLamp(v, n) || glm::length(to) > 4.0 * std::max(m.d, width)) return {{glm::dot(beam.towards, ray)}, beam.irradiance};
    const double along = glm::dot(to, ray), h = std::max(glm::length(to - along * ray), 0.1 * width);
    const double first = std::atan((-along - 0.5 * m.d) / h), last = std::atan((-along + 0.5 * m.d) / h);
    Lit result;
    for (int k = 0; k < 4; ++k) result.cosines.push_back(-std::sin(first + (k + 0.5) / 4.0 * (last - first)));
    const dvec3 d = dvec3(v.lights[n].towards) - m.x, box(glm::dot(d, right), glm::dot(d, glm::cross(right, ray)), glm::dot(d, ray));
    result.irradiance = dvec3(v.lights[n].power) * coneOver(v.lights[n], d, std::max(m.d, width)) *
                        inverseSquareMean(box, {width, width, m.d});
    return result;
}

// Source radiance per unit extinction (docs/passes.md, raymarch).
dvec3 source(const Scene& scene, dvec3 x, dvec3 ray, const March& step) {
    const auto& [s, v, scalars, light, sky, surroundings, lights, octaves, ground, marched, colours] = scene;
    const dvec3 albedo = albedoAt(s, v, scalars, colours, x);
    const double open = openAt(scene, x);
    const dvec3 kept = (1.0 - open) * albedo * albedo, again = (1.21 - 0.09 * (octaves - 3)) * kept;
    const auto lobes = [&](double l) {
        return (1.0 - double(v.blend)) * std::pow(double(v.g), l) + double(v.blend) * std::pow(double(v.gBack), l);
    };
    dvec3 scattered = environmentMean(v, ray, lobes(1.0), lobes(2.0)) * open;
    if (octaves > 1) scattered += open * kept / (1.0 - kept) * environmentMean(v, ray, 0.0, 0.0);
    for (int n = 0; n < lights; ++n) {
        const double reaches = marched ? lit(s, v, scalars, n, x, double(v.stepLength), 0.0, ground) : lightAt(scene, n, x);
        const Lit beam = lightAlong(v, n, x, step, ray);
        for (int o = 0; o < octaves; ++o) {
            const double directed = std::pow(0.6, o);
            double p = 0.0;
            for (const double cosine : beam.cosines)
                p += phase(cosine, double(v.g) * directed, double(v.gBack) * directed, double(v.blend)) /
                     static_cast<double>(beam.cosines.size());
            scattered += glm::pow(again, dvec3(o)) * std::pow(reaches, std::pow(0.45 + 0.05 * (octaves - 3), o)) * p * beam.irradiance;
        }
    }
    return albedo * scattered + (1.0 - albedo) * dvec3(v.emission);
}

// Environment light that an obstacle's base and coat reflect and, over a ground, light from the ground. Of a lobe with the first Legendre
// coefficient f, the fraction 1/2 + 3/4 f y is above the horizon. Smoke between the obstacle and the ground is integrated along a single
// downward ray.
dvec3 reflectedSurroundings(const Scene& scene, const gpu::SurfaceData& look, dvec3 off, dvec3 normal, dvec3 ray, bool isGround,
                            double open) {
    const auto& [s, v, scalars, light, sky, surroundings, lights, octaves, hasGround, marched, colours] = scene;
    const double f0 = double(look.specular), alpha = double(look.roughness) * double(look.roughness),
                 grazing = std::pow(1.0 - std::max(-glm::dot(normal, ray), 1e-3), 5.0);
    const double F = f0 + (std::max(f0, (1.0 - double(look.roughness)) * std::min(25.0 * f0, 1.0)) - f0) * grazing;
    const dvec3 mirror = glm::reflect(ray, normal);
    dvec3 toBase(0.0), toCoat(0.0);
    if (hasGround && !isGround) {
        const GroundLight below{light, sky, surroundings, lights};
        const dvec3 down = glm::normalize(dvec3(normal.x, std::min(normal.y, 0.0) - 1.0, normal.z));
        const double through = transmittance(s, v, scalars, off, down, (off.y - double(s.origin.y)) / -down.y,
                                             boxSize(s).x / v.lightCells.x);
        toBase = through * groundBelow(s, v, below, off, normal);
        if (F > 0.0) toCoat = through * groundAlong(s, v, below, off, glm::normalize(dvec3(mirror.x, std::min(mirror.y, -0.2), mirror.z)));
    }
    const auto around = [&](dvec3 d, double first, double second, dvec3 ground) {
        const double above = hasGround ? glm::clamp(0.5 + 0.75 * first * d.y, 0.0, 1.0) : 1.0;
        return above * open * environmentMean(v, d, first, second) + (1.0 - above) * ground;
    };
    return F * around(mirror, std::exp(-2.0 * alpha * alpha), std::exp(-6.0 * alpha * alpha), toCoat) +
           (1.0 - F) * dvec3(look.colour) * around(normal, 2.0 / 3.0, 1.0 / 4.0, toBase);
}

// Radiance of a surface under the lights and the sky. Light is sampled away from volume cells that overlap the obstacle. Shadow rays from
// the ground are always marched. Over a ground, half of the sky volume's directions end at the ground.
dvec3 surface(const Scene& scene, dvec3 x, dvec3 ray, const Hit& hit) {
    const auto& [s, v, scalars, light, sky, surroundings, lights, octaves, hasGround, marched, colours] = scene;
    const bool ground = hit.obstacle == WISP_MAX_OBSTACLES;
    dvec3 normal(0.0, 1.0, 0.0);
    const double e = 1e-6;
    for (int a = 0; a < 3 && !ground; ++a) {
        const gpu::ShapeData& shape = s.obstacles[hit.obstacle].shape;
        normal[a] = periodicDistance(s, shape, x + e * dvec3(unit(a))) - periodicDistance(s, shape, x - e * dvec3(unit(a)));
    }
    normal = glm::normalize(normal);
    const dvec3 off = x + 1e-3 * double(s.h) * (10.0 + hit.distance) * normal;
    const dvec3 beside = x + 1.5 * boxSize(s) / dvec3(v.lightCells) * normal;
    const double open = ground ? skyAbove(s, sky, off) : hasGround ? std::min(2.0 * openAt(scene, beside), 1.0) : openAt(scene, beside);
    const gpu::SurfaceData& look = v.surfaces[hit.obstacle];
    dvec3 L = reflectedSurroundings(scene, look, off, normal, ray, ground, open);
    const double alpha = double(look.roughness) * double(look.roughness),
                 stepLength = marched ? double(v.stepLength) : boxSize(s).x / v.lightCells.x;
    for (int n = 0; n < lights; ++n) {
        const Beam beam = beamAt(v.lights[n], x);
        const double T = ground || marched ? lit(s, v, scalars, n, off, stepLength, 0.0, hasGround) : lightAt(scene, n, beside);
        const double width = double(v.lights[n].width) /
                             (v.lights[n].kind == WISP_SUN ? 1.0 : glm::distance(dvec3(v.lights[n].towards), x));
        L += T * reflected(look, std::sqrt(alpha * alpha + width * width / 32.0), normal, -ray, beam.towards) * beam.irradiance;
    }
    return L;
}

}  // namespace

dvec3 boxSize(const Step& s) { return dvec3(s.cells) * double(s.h); }

dvec4 sampleBox(const Step& s, const Field& field, dvec3 x) {
    return field.sample((x - dvec3(s.origin)) / boxSize(s) * dvec3(field.size()));
}

double densityAt(const Step& s, const Field& scalars, dvec3 x) {
    return scalars.sample((x - dvec3(s.origin)) / boxSize(s) * dvec3(scalars.size()), period(s, s.scalarCells)).x;
}

dvec3 albedoAt(const Step& s, const View& v, const Field& scalars, const Field* colours, dvec3 x) {
    if (!colours) return dvec3(v.albedo);
    const dvec4 K = colours->sample((x - dvec3(s.origin)) / boxSize(s) * dvec3(colours->size()), period(s, s.scalarCells));
    return dvec3(v.albedo) * glm::clamp(dvec3(K) / densityAt(s, scalars, x), 0.0, 1.0);
}

Field occupancy(const Step& s, const Field& scalars) {
    Field bricks((s.scalarCells + WISP_BRICK - 1) / WISP_BRICK);
    forEach(bricks.size(), [&](ivec3 brick) {
        double& largest = bricks(brick).x;
        forEach(ivec3(WISP_BRICK + 2), [&](ivec3 o) {
            const ivec3 c = brick * WISP_BRICK + o - 1, inside = scalars.inside(c, period(s, s.scalarCells));
            bool there = true;
            for (int a = 0; a < 3; ++a) there = there && (period(s, s.scalarCells)[a] > 0 || inside[a] == c[a]);
            if (there) largest = std::max(largest, scalars(inside).x);
        });
    });
    return bricks;
}

Hit obstacleHit(const Step& s, dvec3 x, dvec3 direction, double far, double margin) {
    // Only one period of a periodic axis is rendered, so the ray is cut to the box on that axis.
    double first = 0.0, last = far;
    for (int a = 0; a < 3; ++a) {
        if ((periodicAxes(s) >> a & 1) == 0) continue;
        const double low = (double(s.origin[a]) - x[a]) / direction[a], high = low + boxSize(s)[a] / direction[a];
        first = std::max(first, std::min(low, high));
        last = std::min(last, std::max(low, high));
    }
    Hit hit{last, -1};
    for (int n = 0; n < s.obstacleCount; ++n) {
        // Distances are exact, so a step of this length cannot pass through the surface.
        double t = first;
        for (int k = 0; k < 2000 && t < hit.distance; ++k) {
            const double phi = periodicDistance(s, s.obstacles[n].shape, x + t * direction) - margin;
            if (phi < 1e-9) hit = {t, n};
            t += std::max(phi, 1e-9);
        }
    }
    return hit.obstacle < 0 ? Hit{far, -1} : hit;
}

Hit surfaceHit(const Step& s, dvec3 x, dvec3 direction, double far, double margin, bool ground) {
    const Hit hit = obstacleHit(s, x, direction, far, margin);
    const double t = (double(s.origin.y) - x.y) / direction.y;
    return ground && direction.y < 0.0 && t >= 0.0 && t < hit.distance ? Hit{t, WISP_MAX_OBSTACLES} : hit;
}

double transmittance(const Step& s, const View& v, const Field& scalars, dvec3 x, dvec3 direction, double far, double stepLength) {
    const Span span = boxSpan(s, x, direction);
    const double length = std::max(std::min(span.leave, far) - span.enter, 0.0);
    const int steps = std::max(1, static_cast<int>(std::ceil(length / stepLength)));
    double depth = 0.0;
    for (int i = 0; i < steps; ++i) {
        const dvec3 at = x + (span.enter + (i + 0.5) * length / steps) * direction;
        depth += double(v.extinction) * length / steps * densityAt(s, scalars, at);
    }
    return std::exp(-depth);
}

// Visible fraction of the light's disc behind obstacles. The point of the ray with the smallest distance relative to the disc's width there
// counts.
double shownBeside(const Step& s, dvec3 x, dvec3 towards, double far, double width) {
    double cover = 0.0;
    for (double t = 1e-4; width > 0.0 && t < std::min(far, 4.0); t += 2e-4)
        for (int n = 0; n < s.obstacleCount; ++n)
            cover = std::max(cover, 0.5 - periodicDistance(s, s.obstacles[n].shape, x + t * towards) / (width * t));
    const double c = glm::clamp(1.0 - 2.0 * cover, -1.0, 1.0);
    return 1.0 - (std::acos(c) - c * std::sqrt(1.0 - c * c)) / glm::pi<double>();
}

double groundCover(const Step& s, const View& v, dvec3 x) {
    if (v.groundRadius == 0.0f) return 1.0;
    const dvec3 middle = dvec3(s.origin) + 0.5 * boxSize(s);
    const double u = std::clamp(std::hypot(x.x - middle.x, x.z - middle.z) / double(v.groundRadius) - 1.0, 0.0, 1.0);
    return 1.0 - u * u * (3.0 - 2.0 * u);
}

double lit(const Step& s, const View& v, const Field& scalars, int n, dvec3 x, double stepLength, double margin, bool ground) {
    const bool sun = v.lights[n].kind == WISP_SUN;
    const double far = sun ? kFar : glm::distance(dvec3(v.lights[n].towards), x), width = double(v.lights[n].width) / (sun ? 1.0 : far);
    const dvec3 towards = beamAt(v.lights[n], x).towards;
    // Obstacles are near: after 100 m a ray has passed them all.
    const Hit hit = surfaceHit(s, x, towards, std::min(far, 100.0), margin, ground);
    if (hit.obstacle >= 0 && (width == 0.0 || hit.obstacle == WISP_MAX_OBSTACLES)) return 0.0;
    return shownBeside(s, x, towards, far, width) * transmittance(s, v, scalars, x, towards, far, stepLength);
}

Beam beamAt(const gpu::LightData& light, dvec3 x) {
    if (light.kind == WISP_SUN) return {dvec3(light.towards), dvec3(light.power)};
    const dvec3 path = dvec3(light.towards) - x;
    Beam beam{glm::normalize(path), dvec3(light.power) / glm::dot(path, path)};
    if (light.kind == WISP_SPOT) {
        const double cosine = -glm::dot(beam.towards, dvec3(light.axis)), cosInner = double(light.cosOuter) + 1.0 / double(light.perCos);
        beam.irradiance *= glm::smoothstep(double(light.cosOuter), cosInner, cosine);
    }
    return beam;
}

dvec4 environmentTexel(const View& v, const Field& map, dvec3 direction) {
    const double aside = std::atan2(direction.x, -direction.z) / (2.0 * glm::pi<double>()) + 0.5 + double(v.environmentRotation);
    const double down = std::acos(glm::clamp(direction.y, -1.0, 1.0)) / glm::pi<double>();
    return map.sample({aside * map.size().x, down * map.size().y, 0.5}, {map.size().x, 0, 0});
}

dvec3 environmentRadiance(const View& v, const Field& map, dvec3 direction) { return environmentTexel(v, map, direction); }

dvec3 environmentMean(const View& v, dvec3 d, double first, double second) {
    const double polynomials[9] = {1.0, d.x, d.y, d.z, d.x * d.y, d.y * d.z, d.z * d.x, 3.0 * d.y * d.y - 1.0, d.x * d.x - d.z * d.z};
    dvec3 sum(0.0);
    for (int n = 0; n < 9; ++n) sum += (n == 0 ? 1.0 : n < 4 ? first : second) * polynomials[n] * dvec3(v.environment[n]);
    return glm::max(sum, dvec3(0.0));
}

double phase(double cosine, double g, double gBack, double blend) {
    return (1.0 - blend) * henyeyGreenstein(cosine, g) + blend * henyeyGreenstein(cosine, gBack);
}

dvec3 cameraRay(const View& v, ivec3 pixel) {
    const dvec3 at = (dvec3(pixel) + 0.5) / dvec3(v.pixels.x, v.pixels.y, 1) * 2.0 - 1.0;
    return glm::normalize(dvec3(v.forward) + at.x * dvec3(v.right) - at.y * dvec3(v.up));
}

Seen raymarch(const Step& s, const View& v, const Field& scalars, const Field& bricks, const Field& light, const Field& sky,
              const Field& surroundings, int lights, int octaves, ivec3 pixel, double offset, bool ground, bool marched,
              const Field* colours) {
    const Scene scene{s, v, scalars, light, sky, surroundings, lights, octaves, ground, marched, colours};
    const dvec3 eye(v.eye), ray = cameraRay(v, pixel);
    const Hit hit = surfaceHit(s, eye, ray, 100.0, 0.0, ground);
    Span span = boxSpan(s, eye, ray);
    if (hit.obstacle >= 0) span.leave = std::min(span.leave, hit.distance);

    // Gauss points in the pixel. Opposite points follow each other. Each brick begins with the first point of a pair.
    const double gauss = double(v.footprint) / std::sqrt(3.0) * glm::dot(ray, dvec3(v.forward));
    const dvec3 right = gauss / v.pixels.x * dvec3(v.right), up = gauss / v.pixels.y * dvec3(v.up);
    const double wide = 2.0 * double(v.footprint) * glm::length(dvec3(v.right)) / v.pixels.x * glm::dot(ray, dvec3(v.forward));
    double tilt = -1.0;
    bool second = false;

    dvec3 radiance(0.0);
    double through = 1.0, seen = 0.0, way = 0.0, share = offset, longest = 0.0;
    for (double t = span.enter, end = t; t < span.leave && through > 1e-3;) {
        if (t >= end) {
            const Brick brick = brickAt(s, bricks, eye + t * ray, ray);
            end = t + brick.rest;
            longest = double(v.stepDensity) / std::max(brick.density, 1e-6);
            if (brick.density <= double(v.minDensity) || longest > double(v.stepLength)) share = offset;
            if (brick.density <= double(v.minDensity)) t = end;
            if (brick.density <= double(v.minDensity)) continue;
            second = false;
        }
        const double d = std::min(share * std::max(std::min(longest, end - t), double(v.stepLength)), span.leave - t), middle = t + d / 2.0;
        share = 1.0;
        if (!second) tilt = -tilt;
        const dvec3 aside = right + tilt * up, x = eye + middle * (second ? ray - aside : ray + aside);
        second = !second;
        const double step = std::exp(-double(v.extinction) * densityAt(s, scalars, x) * d);
        radiance += through * (1.0 - step) * source(scene, x, ray, {eye + middle * ray, d, wide * middle});
        seen += through * (1.0 - step);
        way += through * (1.0 - step) * middle;
        through *= step;
        t += d;
    }
    if (through <= 1e-3) through = 0.0;
    const bool solid = hit.obstacle >= 0;
    const dvec3 far = eye + hit.distance * ray;
    const double cover = !solid ? 0.0 : hit.obstacle == WISP_MAX_OBSTACLES ? groundCover(s, v, far) : 1.0;
    if (solid) radiance += through * cover * surface(scene, far, ray, hit);
    radiance += through * (1.0 - cover) * environmentRadiance(v, surroundings, ray);
    if (solid) {
        seen += through;
        way += through * hit.distance;
    }
    const double depth = seen > 0.0 ? way / seen * glm::dot(ray, dvec3(v.forward)) : std::numeric_limits<double>::infinity();
    return {{radiance, solid ? 1.0 : 1.0 - through}, depth};
}

}  // namespace wisp::reference
