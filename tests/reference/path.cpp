// SPDX-License-Identifier: MIT
#include "tests/reference/path.h"

#include "tests/reference/reflection.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::reference {

std::array<std::uint32_t, 4> hash4(std::array<std::uint32_t, 4> v) {
    const auto mix = [&] {
        v[0] += v[1] * v[3];
        v[1] += v[2] * v[0];
        v[2] += v[0] * v[1];
        v[3] += v[1] * v[2];
    };
    for (std::uint32_t& x : v) x = x * 1664525u + 1013904223u;
    mix();
    for (std::uint32_t& x : v) x ^= x >> 16;
    mix();
    return v;
}

dvec4 uniform4(std::uint32_t pixel, std::uint32_t sample, std::uint32_t seed, std::uint32_t draw) {
    const auto h = hash4({pixel, sample, seed, draw});
    dvec4 u;
    for (int i = 0; i < 4; ++i) u[i] = (h[static_cast<std::size_t>(i)] >> 8) / 16777216.0;
    return u;
}

double henyeyGreensteinCosine(double u, double g) {
    if (g == 0.0) return 2.0 * u - 1.0;
    const double q = (1.0 - g * g) / (1.0 - g + 2.0 * g * u);
    return (1.0 + g * g - q * q) / (2.0 * g);
}

namespace {

// A direction at the angle with this cosine from d, rotated about d by a fraction of the full circle.
dvec3 turned(dvec3 d, double cosine, double share) {
    const double angle = 2.0 * glm::pi<double>() * share;
    dvec3 a, b;
    across(d, a, b);
    return cosine * d + std::sqrt(std::max(1.0 - cosine * cosine, 0.0)) * (std::cos(angle) * a + std::sin(angle) * b);
}

double luminance(dvec3 c) { return glm::dot(c, dvec3(0.2126, 0.7152, 0.0722)); }

struct Vertex {
    dvec3 ray;
    dvec3 normal{0.0, 1.0, 0.0};
    const gpu::SurfaceData* surface = nullptr;  // null in smoke
};

constexpr int kLampPoints = 8;

class Tracer {
public:
    Tracer(const PathScene& scene, const gpu::PathPush& push, ivec3 pixel)
        : s_(scene), push_(push), pixel_(static_cast<std::uint32_t>(pixel.y * scene.view.pixels.x + pixel.x)) {}

    PathSample run(dvec3 x, dvec3 ray);
    dvec4 draw() { return uniform4(pixel_, push_.index, push_.seed, draw_++); }
    std::uint32_t firstBits() const { return hash4({pixel_, push_.index, push_.seed, draw_})[0]; }  // of the next draw

private:
    // Obstacles are near: after 100 m a ray has passed them all.
    Hit hitAlong(dvec3 x, dvec3 d, double far) const {
        const Hit hit = surfaceHit(s_.step, x, d, std::min(far, 100.0), 0.0, s_.ground);
        return hit.obstacle < 0 ? Hit{far, -1} : hit;
    }
    double sigma(dvec3 x) const { return double(s_.view.extinction) * sampleBox(s_.step, s_.scalars, x).x; }
    template <class Collision>
    void fly(dvec3 x, dvec3 d, double far, Collision&& atCollision);
    double transmittanceEstimate(dvec3 x, dvec3 d, double far);
    double lampRadius() const { return 1.0 / std::max(0.5 * double(s_.view.extinction), 1.0 / boxSize(s_.step).x); }
    dvec3 towardsDisc(dvec3 towards, double width);
    dvec3 lightAt(dvec3 x, const Vertex& v);
    dvec3 lampAlong(const gpu::LightData& light, dvec3 x, dvec3 ray, double far);
    dvec3 surroundingsAt(dvec3 x, const Vertex& v);
    // scattered(): fraction of the light from d that is scattered along the ray. density(): probability density per solid angle that the
    // path continues along d.
    dvec3 scattered(const Vertex& v, dvec3 d) const {
        return v.surface ? reflected(*v.surface, double(v.surface->roughness) * double(v.surface->roughness), v.normal, -v.ray, d)
                         : dvec3(density(v, d));
    }
    double density(const Vertex& v, dvec3 d) const {
        return v.surface ? reflectionChance(*v.surface, v.normal, -v.ray, d)
                         : phase(glm::dot(d, v.ray), double(s_.view.g), double(s_.view.gBack), double(s_.view.blend));
    }
    dvec3 onwards(const Vertex& v, dvec4 u) const;

    const PathScene& s_;
    const gpu::PathPush& push_;
    std::uint32_t pixel_, draw_ = 0;
};

// Tentative collisions along a ray, with one majorant per brick. The flight ends when atCollision(t, majorant, depth) returns true.
template <class Collision>
void Tracer::fly(dvec3 x, dvec3 d, double far, Collision&& atCollision) {
    const dvec3 edge(WISP_BRICK * double(s_.step.h) / s_.step.scalarRatio), origin(s_.step.origin);
    double t = 0.0, end = far;
    for (int a = 0; a < 3; ++a) {
        const double low = (origin[a] - x[a]) / d[a], high = (origin[a] + boxSize(s_.step)[a] - x[a]) / d[a];
        t = std::max(t, std::min(low, high));
        end = std::min(end, std::max(low, high));
    }
    if (t >= end) return;
    double depth = -std::log(1.0 - draw().x);
    ivec3 brick = glm::clamp(ivec3(glm::floor((x + t * d - origin) / edge)), ivec3(0), s_.occupancy.size() - 1);
    while (t < end) {
        double leave = 1e30;
        int axis = 0;
        for (int a = 0; a < 3; ++a) {
            const double side = (origin[a] + (brick[a] + (d[a] > 0.0)) * edge[a] - x[a]) / d[a];
            if (side < leave) axis = a;
            leave = std::min(leave, side);
        }
        const double to = std::max(std::min(leave, end), t);
        const double majorant = double(s_.view.extinction) * (s_.occupancy(brick).x * (1.0 + 1.0 / 512.0) + 6e-8);
        if (depth < (to - t) * majorant) {
            t += depth / majorant;
            if (atCollision(t, majorant, depth)) return;
            continue;
        }
        depth -= (to - t) * majorant;
        t = to;
        brick[axis] += d[axis] > 0.0 ? 1 : -1;
        if (!s_.occupancy.contains(brick)) return;
    }
}

double Tracer::transmittanceEstimate(dvec3 x, dvec3 d, double far) {
    double T = 1.0;
    fly(x, d, far, [&](double t, double majorant, double& depth) {
        const dvec4 u = draw();
        T *= 1.0 - sigma(x + t * d) / majorant;
        if (T < 0.1) T = u.x * 0.1 < T ? 0.1 : 0.0;
        depth = -std::log(1.0 - u.y);
        return T == 0.0;
    });
    return T;
}

dvec3 Tracer::towardsDisc(dvec3 towards, double width) {
    if (width == 0.0) return towards;
    const dvec4 u = draw();
    return turned(towards, 1.0 - u.x * (1.0 - 1.0 / std::sqrt(1.0 + 0.25 * width * width)), u.y);
}

// Samples one light, with probability proportional to the radiance it would scatter without smoke.
dvec3 Tracer::lightAt(dvec3 x, const Vertex& vertex) {
    double u = draw().x, sum = 0.0, weight = 0.0;
    dvec3 towards(0.0), light(0.0), whole(0.0);
    double far = 0.0, width = 0.0;
    for (int n = 0; n < s_.lights; ++n) {
        const gpu::LightData& l = s_.view.lights[n];
        auto [way, E] = beamAt(l, x);
        const double r = glm::distance(dvec3(l.towards), x) / lampRadius();
        if (!vertex.surface && l.kind != WISP_SUN && r < 1.0) E *= r * r;
        const dvec3 scatters = E * scattered(vertex, way);
        const double w = luminance(scatters);
        if (w <= 0.0) continue;
        sum += w;
        if (u < w / sum) {
            u /= w / sum;
            weight = w;
            towards = way;
            light = scatters;
            whole = E;
            far = l.kind == WISP_SUN ? 1e30 : glm::distance(dvec3(l.towards), x);
            width = double(l.width) / (l.kind == WISP_SUN ? 1.0 : far);
        } else {
            u = (u - w / sum) / (1.0 - w / sum);
        }
    }
    if (weight == 0.0) return dvec3(0.0);
    towards = towardsDisc(towards, width);
    if (vertex.surface) light = whole * scattered(vertex, towards);
    if (hitAlong(x, towards, far).obstacle >= 0) return dvec3(0.0);
    return light * (sum / weight) * transmittanceEstimate(x, towards, far);
}

// What a vertex does not receive of a lamp: one of several points of the ray, which are uniform in the angle that the lamp sees.
dvec3 Tracer::lampAlong(const gpu::LightData& light, dvec3 x, dvec3 ray, double far) {
    const double R = lampRadius(), nearest = glm::dot(dvec3(light.towards) - x, ray);
    const dvec3 beside = x + nearest * ray - dvec3(light.towards);
    const double h = glm::length(beside);
    if (h >= R) return dvec3(0.0);
    double low = std::max(-std::sqrt(R * R - h * h), -nearest), high = std::min(std::sqrt(R * R - h * h), far - nearest);
    for (int a = 0; a < 3; ++a) {
        const double first = (double(s_.step.origin[a]) - x[a]) / ray[a] - nearest, second = first + boxSize(s_.step)[a] / ray[a];
        low = std::max(low, std::min(first, second));
        high = std::min(high, std::max(first, second));
    }
    double from = std::atan2(low, h), to = std::atan2(high, h);
    if (light.kind == WISP_SPOT && light.cosOuter > 0.0f) {
        const double across = glm::dot(beside / h, dvec3(light.axis)), along = glm::dot(ray, dvec3(light.axis));
        const double cosine = double(light.cosOuter) / std::hypot(across, along), middle = std::atan2(along, across);
        if (cosine >= 1.0) return dvec3(0.0);
        from = std::max(from, middle - std::acos(cosine));
        to = std::min(to, middle + std::acos(cosine));
    }
    if (low >= high || from >= to) return dvec3(0.0);
    const dvec4 u = draw();
    double chosen = u.y, sum = 0.0, t = 0.0, weight = 0.0;
    for (int k = 0; k < kLampPoints; ++k) {
        const double side = h * std::tan(from + (k + u.x) / kLampPoints * (to - from)), r = std::hypot(h, side);
        const dvec3 y = x + (nearest + side) * ray;
        const Beam beam = beamAt(light, y);
        const double w = sigma(y) * density(Vertex{ray}, beam.towards) * luminance(beam.irradiance) * r * r * (1.0 - r * r / (R * R));
        if (w <= 0.0) continue;
        sum += w;
        if (chosen < w / sum) {
            chosen /= w / sum;
            t = nearest + side;
            weight = w;
        } else {
            chosen = (chosen - w / sum) / (1.0 - w / sum);
        }
    }
    if (sum == 0.0) return dvec3(0.0);
    const dvec3 y = x + t * ray;
    const Beam beam = beamAt(light, y);
    const double r = glm::distance(dvec3(light.towards), y), f = sigma(y) * density(Vertex{ray}, beam.towards) * (1.0 - r * r / (R * R));
    const dvec3 towards = towardsDisc(beam.towards, double(light.width) / r);
    if (hitAlong(y, towards, r).obstacle >= 0) return dvec3(0.0);
    const double T = transmittanceEstimate(x, ray, t);
    return albedoAt(s_.step, s_.view, s_.scalars, s_.colours, y) * beam.irradiance * (f * r * r * (sum / weight) / kLampPoints) *
           ((to - from) / h) * T * transmittanceEstimate(y, towards, r);
}

// Inverse CDF of the density 1 - |t| on [-1, 1].
double hat(double u) { return u < 0.5 ? -1.0 + std::sqrt(2.0 * u) : 1.0 - std::sqrt(2.0 * (1.0 - u)); }

// Samples a direction from the alias table, weighted by the balance heuristic.
dvec3 Tracer::surroundingsAt(dvec3 x, const Vertex& v) {
    const std::uint64_t product = std::uint64_t{firstBits()} * s_.table.size();
    const dvec4 u = draw();
    const gpu::AliasEntry& entry = s_.table[product >> 32];
    const int texel = static_cast<int>(u.y < double(entry.keep) ? product >> 32 : entry.other);
    const ivec3 size = s_.surroundings.size();
    const int row = texel / size.x;
    const double pi = glm::pi<double>(), column = texel % size.x + 0.5 + hat(u.z);
    // An angle past a pole lies on the other side of the pole: its sine changes sign, but the azimuth stays.
    const double down = pi * (row + 0.5 + hat(u.w)) / size.y,
                 around = 2.0 * pi * (column / size.x - 0.5 - double(s_.view.environmentRotation));
    const double sine = std::abs(std::sin(down));
    const dvec3 d(sine * std::sin(around), std::cos(down), -sine * std::cos(around));
    const dvec4 found = environmentTexel(s_.view, s_.surroundings, d);
    const double f = density(v, d), drawn = found.w / sine;
    const Hit hit = hitAlong(x, d, 1e30);
    const double seen = hit.obstacle < 0                     ? 1.0
                        : hit.obstacle == WISP_MAX_OBSTACLES ? 1.0 - groundCover(s_.step, s_.view, x + hit.distance * d)
                                                             : 0.0;
    if (f <= 0.0 || drawn <= 0.0 || seen == 0.0) return dvec3(0.0);
    const double balance = drawn / (drawn + f);
    return seen * balance * dvec3(found) * scattered(v, d) / drawn * transmittanceEstimate(x, d, 1e30);
}

dvec3 Tracer::onwards(const Vertex& v, dvec4 u) const {
    if (!v.surface) return samplePhase(v.ray, double(s_.view.g), double(s_.view.gBack), double(s_.view.blend), dvec3(u));
    if (u.x >= coatChance(*v.surface, v.normal, -v.ray)) return turned(v.normal, std::sqrt(1.0 - u.y), u.z);
    return glm::reflect(v.ray, seenFacet(v.normal, -v.ray, double(v.surface->roughness) * double(v.surface->roughness), u.y, u.z));
}

PathSample Tracer::run(dvec3 x, dvec3 ray) {
    PathSample s;
    dvec3 weight(1.0), L(0.0);
    double drawn = 0.0;  // probability density of the ray's direction
    for (int bounce = 0;; ++bounce) {
        Hit hit = hitAlong(x, ray, 1e30);
        double flight = -1.0;
        fly(x, ray, hit.distance, [&](double t, double majorant, double& depth) {
            const dvec4 u = draw();
            if (u.x * majorant < sigma(x + t * ray)) flight = t;
            depth = -std::log(1.0 - u.y);
            return flight >= 0.0;
        });
        for (int n = 0; n < s_.lights && (push_.bounces == 0 || bounce < push_.bounces); ++n)
            if (s_.view.lights[n].kind != WISP_SUN) L += weight * lampAlong(s_.view.lights[n], x, ray, hit.distance);
        ++s.segments;
        const bool smoke = flight >= 0.0;
        if (s_.view.groundRadius > 0.0f && hit.obstacle == WISP_MAX_OBSTACLES && !smoke &&
            draw().x >= groundCover(s_.step, s_.view, x + hit.distance * ray))
            hit.obstacle = -1;
        if (!smoke && hit.obstacle < 0) {
            const dvec4 found = environmentTexel(s_.view, s_.surroundings, ray);
            const double other = found.w / std::hypot(ray.x, ray.z);
            L += weight * dvec3(found) * (s_.table.empty() || bounce == 0 ? 1.0 : drawn / (drawn + other));
            break;
        }
        if (bounce == 0) s.depth = (smoke ? flight : hit.distance) * glm::dot(ray, dvec3(s_.view.forward));
        s.radiance.w = 1.0;
        Vertex v{ray};
        dvec3 albedo(1.0);  // of smoke; a surface's is part of scattered()
        x += (smoke ? flight : hit.distance) * ray;
        if (smoke) {
            albedo = albedoAt(s_.step, s_.view, s_.scalars, s_.colours, x);
            L += weight * (1.0 - albedo) * dvec3(s_.view.emission);
        } else {
            const bool ground = hit.obstacle == WISP_MAX_OBSTACLES;
            v.surface = &s_.view.surfaces[hit.obstacle];
            const double e = 1e-6;
            for (int a = 0; a < 3 && !ground; ++a) {
                const gpu::ShapeData& shape = s_.step.obstacles[hit.obstacle].shape;
                v.normal[a] = signedDistance(shape, x + e * dvec3(unit(a))) - signedDistance(shape, x - e * dvec3(unit(a)));
            }
            v.normal = glm::normalize(v.normal);
            x += 1e-3 * double(s_.step.h) * (10.0 + hit.distance) * v.normal;
        }
        if (push_.bounces > 0 && bounce == push_.bounces) break;
        weight *= albedo;
        const dvec4 u = draw();
        const double most = std::max({weight.x, weight.y, weight.z});
        const double survives = bounce < 4 ? 1.0 : std::min(most, bounce < 256 ? 1.0 : 0.999);
        if (u.w >= survives) break;
        weight /= survives;
        L += weight * lightAt(x, v);
        if (!s_.table.empty()) L += weight * surroundingsAt(x, v);
        ray = onwards(v, u);
        drawn = density(v, ray);
        if (v.surface) weight *= scattered(v, ray) / std::max(drawn, 1e-30);
        if (weight == dvec3(0.0)) break;
    }
    s.radiance = dvec4(L, s.radiance.w);
    return s;
}

}  // namespace

dvec3 samplePhase(dvec3 ray, double g, double gBack, double blend, dvec3 u) {
    return turned(ray, henyeyGreensteinCosine(u.y, u.x < blend ? gBack : g), u.z);
}

PathSample pathSample(const PathScene& scene, const gpu::PathPush& push, ivec3 pixel) {
    Tracer tracer(scene, push, pixel);
    const View& v = scene.view;
    const dvec4 place = push.spread != 0 ? tracer.draw() : dvec4(0.5);
    const dvec3 at = (dvec3(pixel) + dvec3(place.x, place.y, 0.0)) / dvec3(v.pixels.x, v.pixels.y, 1) * 2.0 - 1.0;
    return tracer.run(dvec3(v.eye), glm::normalize(dvec3(v.forward) + at.x * dvec3(v.right) - at.y * dvec3(v.up)));
}

}  // namespace wisp::reference
