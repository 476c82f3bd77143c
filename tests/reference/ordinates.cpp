// SPDX-License-Identifier: MIT
#include "tests/reference/ordinates.h"

#include "compute/picture/ordinates.h"
#include "tests/reference/lamps.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wisp::reference {
namespace {

dvec3 direction(int k) { return ordinates()[static_cast<std::size_t>(k)].direction; }
double weight(int k) { return ordinates()[static_cast<std::size_t>(k)].weight; }

dvec3 centreOf(const Step& s, ivec3 c, ivec3 size) { return dvec3(s.origin) + (dvec3(c) + 0.5) / dvec3(size) * boxSize(s); }

// Fraction of the cell with edge `edge` around x that obstacles fill.
double solidShare(const Step& s, dvec3 x, double edge) {
    double share = 0.0;
    for (int n = 0; n < s.obstacleCount; ++n)
        share = std::max(share, glm::clamp(0.5 - periodicDistance(s, s.obstacles[n].shape, x) / edge, 0.0, 1.0));
    return share;
}

// Share of a lamp's light in a cell that has the direction of its centre.
double directedShare(const View& v, int n, dvec3 x, double edge) {
    const double r3 = std::pow(glm::distance(dvec3(v.lights[n].towards), x) / edge, 3.0);
    return isLamp(v, n) ? r3 / (r3 + 0.1) : 1.0;
}

// Share of the light scattered by a spot that is still in its beam at x, in smoke of this extinction.
double shareInBeam(const View& v, int n, dvec3 x, double tau, double extinction) {
    if (v.lights[n].kind != WISP_SPOT) return 1.0;
    const double r = glm::distance(dvec3(v.lights[n].towards), x), way = extinction > 0.0 ? std::min(tau / extinction, r) : r;
    const double middle = double(v.lights[n].cosOuter) + 0.5 / double(v.lights[n].perCos), R = r * std::tan(std::acos(middle));
    return R * R / (R * R + way * way);
}

// Mean phase function from light n into direction k, over the cell. Close to a lamp a part of its light comes from all directions, or from
// those of its cone, whose mean counts as its axis.
double lobeInto(const View& v, const std::vector<float>& table, int n, dvec3 x, double edge, int k) {
    const double lobe = phaseMeanOf(table, glm::dot(beamAt(v.lights[n], x).towards, direction(k)));
    if (!isLamp(v, n)) return lobe;
    const double even = 0.25 / glm::pi<double>();
    const double onAxis = v.lights[n].kind == WISP_SPOT ? 0.5 + 0.5 * double(v.lights[n].cosOuter) : 0.0;
    const double here = glm::mix(even, onAxis > 0.0 ? phaseMeanOf(table, -glm::dot(dvec3(v.lights[n].axis), direction(k))) : even, onAxis);
    return glm::mix(here, lobe, directedShare(v, n, x, edge));
}

// Share of a light's light that scattering sends into each direction [1/sr].
std::array<double, WISP_ORDINATES> scatteredOnce(const View& v, const std::vector<float>& table, int n, dvec3 x, double edge) {
    std::array<double, WISP_ORDINATES> share{};
    double all = 0.0;
    for (int k = 0; k < WISP_ORDINATES; ++k) {
        share[static_cast<std::size_t>(k)] = lobeInto(v, table, n, x, edge, k);
        all += weight(k) * share[static_cast<std::size_t>(k)];
    }
    for (double& of : share) of /= 4.0 * glm::pi<double>() * all;
    return share;
}

// Light n in a cell, over its power.
double directMean(const Step& s, const View& v, const OrdinatesMedium& m, int n, ivec3 c) {
    return m.reach(c)[n] * lampAtCell(s, v, n, c, m.reach.size());
}

// Higher coefficients compensate for the blur of a cone of 4 pi / 14.
dvec3 surroundings(const Step& s, const View& v, dvec3 x, dvec3 w, const GroundLight* ground) {
    const dvec3 sky = environmentMean(v, w, 14.0 / 13.0, 98.0 / 78.0);
    if (!ground || w.y > 0.0) return sky;
    if (w.y < 0.0) return groundAlong(s, v, *ground, x, w);
    return 0.5 * (sky + groundAlong(s, v, *ground, x, glm::normalize(w - dvec3(0.0, 0.25, 0.0))));  // half of the cone sees the ground
}

// Distance from x along w to the side of the box.
double lengthInside(const Step& s, dvec3 x, dvec3 w) {
    const dvec3 low(s.origin), high = low + boxSize(s);
    double length = 1e30;
    for (int a = 0; a < 3; ++a)
        if (w[a] != 0.0) length = std::min(length, ((w[a] > 0.0 ? high[a] : low[a]) - x[a]) / w[a]);
    return length;
}

// Mean position of the source of a step: integral of t exp(-tau t) over integral of exp(-tau t), t from 0 to 1.
double meanPosition(double tau) { return tau > 1e-3 ? 1.0 / tau - 1.0 / std::expm1(tau) : 0.5 - tau / 12.0; }

}  // namespace

dvec3 shareBetweenCells(const View& v, dvec4 medium, double edge) {
    const double g = glm::mix(double(v.g), double(v.gBack), double(v.blend));
    dvec3 share;
    for (int n = 0; n < 3; ++n) {
        const double away = (1.0 - medium[n]) * (1.0 - g * medium[n]);
        const double x = 0.5 * edge * medium.w * std::sqrt(3.0 * away * (1.0 - 0.8 * away));
        share[n] = x > 1e-6 ? x / std::sinh(x) : 1.0;
    }
    return share;
}

double phaseMeanOf(const std::vector<float>& table, double cosine) {
    const double at = std::acos(glm::clamp(cosine, -1.0, 1.0)) / glm::pi<double>() * WISP_PHASE_ANGLES;
    const int n = std::min(static_cast<int>(at), WISP_PHASE_ANGLES - 1);
    const std::size_t first = WISP_PHASE_MEANS + static_cast<std::size_t>(n);
    return std::lerp(double(table[first]), double(table[first + 1]), at - n);
}

double solidAmongFlames(const Step& s, dvec3 x, double edge) {
    return std::min(-std::log(1.0 - solidShare(s, x, edge)), double(WISP_SOLID_DEPTH)) / edge;
}

OrdinatesMedium ordinatesMedium(const Step& s, const View& v, const Field& scalars, const Field& light, int lights, ivec3 size) {
    OrdinatesMedium m{Field(size), Field(size)};
    const double edge = boxSize(s).x / size.x;
    forEach(size, [&](ivec3 c) {
        ivec3 samples = glm::max((light.size() + size - 1) / size, ivec3(1));
        for (int n = 0; n < lights; ++n)
            if (isLamp(v, n) && glm::distance(dvec3(v.lights[n].towards), centreOf(s, c, size)) < 2.0 * edge) samples *= 3;
        samples = glm::min(samples, 3 * glm::max((light.size() + size - 1) / size, ivec3(1)));
        const double count = double(samples.x) * samples.y * samples.z;
        double density = 0.0;
        dvec4 reach(0.0);
        forEach(samples, [&](ivec3 n) {
            const dvec3 x = dvec3(s.origin) + (dvec3(c) + (dvec3(n) + 0.5) / dvec3(samples)) / dvec3(size) * boxSize(s);
            const double here = densityAt(s, scalars, x);
            density += here;
            const dvec4 root = sampleBox(s, light, x);
            for (int l = 0; l < 4; ++l)
                reach[l] += here * (l < lights && isLamp(v, l) ? lampOverBox(s, v, l, root[l], x, boxSize(s) / dvec3(size * samples)) /
                                                                     lampAtCell(s, v, l, c, size)
                                                               : std::pow(root[l], 4.0));
        });
        const double smoke = double(v.extinction) * density / count,
                     solid = WISP_SOLID_DEPTH / edge * solidShare(s, centreOf(s, c, size), edge);
        m.medium(c) = dvec4(dvec3(v.albedo) * (density > 0.0 ? smoke / (smoke + solid) : 0.0), smoke + solid);
        m.reach(c) = density > 0.0 ? reach / density : dvec4(0.0);
    });
    return m;
}

OrdinatesMedium ordinatesCoarsen(const Step& s, const View& v, const OrdinatesMedium& finer, int lights, ivec3 size) {
    OrdinatesMedium m{Field(size), Field(size)};
    const ivec3 fine = finer.medium.size();
    const dvec3 share = dvec3(fine) / dvec3(size);
    forEach(size, [&](ivec3 c) {
        dvec3 albedo(0.0);
        dvec4 reach(0.0);
        double extinction = 0.0, scattering = 0.0;
        forEach(fine, [&](ivec3 f) {
            const dvec3 both = glm::max(glm::min(dvec3(c + 1) * share, dvec3(f + 1)) - glm::max(dvec3(c) * share, dvec3(f)), dvec3(0.0));
            const double part = both.x * both.y * both.z;
            const dvec4 here = finer.medium(f);
            const double scatters = part * here.w * std::max({here.x, here.y, here.z});
            albedo += part * here.w * dvec3(here);
            extinction += part * here.w;
            for (int n = 0; n < 4; ++n)
                reach[n] += scatters * finer.reach(f)[n] * (n < lights ? lampAtCell(s, v, n, f, fine) / lampAtCell(s, v, n, c, size) : 1.0);
            scattering += scatters;
        });
        m.medium(c) = dvec4(extinction > 0.0 ? albedo / extinction : dvec3(0.0), extinction / (share.x * share.y * share.z));
        m.reach(c) = scattering > 0.0 ? reach / scattering : dvec4(0.0);
    });
    return m;
}

dvec3 radianceFrom(const Step& s, const View& v, const OrdinatesMedium& m, const Sources& sources, ivec3 cell, int k,
                   const GroundLight* ground) {
    const ivec3 size = m.medium.size();
    const dvec3 x = centreOf(s, cell, size), w = direction(k);
    const double length = lengthInside(s, x, w), edge = boxSize(s).x / size.x;
    dvec3 L(0.0);
    double T = 1.0;
    // As in the pass, transmittance is tested every four steps only.
    for (int n = 0; n * edge < length && (n % 4 != 0 || T > 1e-3); ++n) {
        const double d = std::min(length - n * edge, edge), tau = d * sampleBox(s, m.medium, x + (n * edge + 0.5 * d) * w).w;
        if (tau <= 0.0) continue;
        const dvec4 q = sampleBox(s, sources[static_cast<std::size_t>(k)], x + (n * edge + meanPosition(tau) * d) * w);
        if (q.w > 0.0) L += T * -std::expm1(-tau) * dvec3(q) / q.w;
        T *= std::exp(-tau);
    }
    return T <= 1e-3 ? L / (1.0 - T) : L + T * surroundings(s, v, x + length * w, w, ground);
}

double linearShare(double depth) {
    const double x = 0.5 * std::min(depth, 20.0);
    return x > 1e-4 ? x / std::sinh(x) : 1.0;
}

dvec3 flamesFrom(const Step& s, const Field& medium, const Field& flames, ivec3 cell, int k) {
    const ivec3 size = medium.size();
    const dvec3 x = centreOf(s, cell, size), w = direction(k);
    const double length = lengthInside(s, x, w), edge = boxSize(s).x / size.x;
    dvec3 L(0.0);
    double T = 1.0;
    for (int n = 0; n * edge < length && (n % 4 != 0 || T > 1e-3); ++n) {
        const double d = std::min(length - n * edge, edge), tau = d * sampleBox(s, medium, x + (n * edge + 0.5 * d) * w).w;
        const dvec3 here(sampleBox(s, flames, x + (n * edge + meanPosition(tau) * d) * w));
        L += T * d / edge * (tau > 1e-6 ? -std::expm1(-tau) / tau : 1.0) * here;
        T *= std::exp(-tau);
    }
    return T <= 1e-3 ? L / (1.0 - T) : L;
}

Sources ordinatesSweep(const Step& s, const View& v, const OrdinatesMedium& m, const Sources& last, const Sources& before,
                       const std::vector<float>& table, int lights, const gpu::OrdinatesPush& push, const GroundLight* ground) {
    const ivec3 size = m.medium.size();
    const double edge = boxSize(s).x / size.x;
    Sources result;
    result.fill(Field(size));
    forEach(size, [&](ivec3 c) {
        const dvec4 medium = m.medium(c);
        const dvec3 x = centreOf(s, c, size), albedo(medium);
        dvec3 found[WISP_ORDINATES];
        for (int l = 0; l < WISP_ORDINATES; ++l)
            found[l] = push.begin        ? surroundings(s, v, x, direction(l), ground)
                       : medium.w <= 0.0 ? dvec3(0.0)
                                         : radianceFrom(s, v, m, last, c, l, ground);
        for (int k = 0; k < WISP_ORDINATES; ++k) {
            dvec3 sum(0.0);
            for (int l = 0; l < WISP_ORDINATES; ++l)
                sum += shareBetweenCells(v, medium, edge) * double(table[static_cast<std::size_t>(k * WISP_ORDINATES + l)]) * found[l];
            for (int n = 0; n < lights; ++n)
                sum += directMean(s, v, m, n, c) * scatteredOnce(v, table, n, x, edge)[static_cast<std::size_t>(k)] *
                       dvec3(v.lights[n].power);
            dvec3 q = albedo * sum + (1.0 - albedo * shareBetweenCells(v, medium, edge)) * dvec3(v.emission);
            const auto i = static_cast<std::size_t>(k);
            if (push.gain.x != 1.0f) {
                const dvec3 q0(last[i](c)), q1 = push.pull.x != 1.0f ? dvec3(before[i](c)) : q0;
                q = q1 + dvec3(push.pull) * (dvec3(push.gain) * (q - q0) + q0 - q1);
            }
            result[i](c) = medium.w > 0.0 ? dvec4(q, 1.0) : dvec4(0.0);
        }
    });
    return result;
}

double foldedPhaseAt(const View& v, int times, double cosine) {
    double sum = 0.0, last = 0.0, polynomial = 1.0;
    const double narrowest = std::max(std::abs(double(v.g)), std::abs(double(v.gBack)));
    for (int l = 0; l < 10 || std::pow(narrowest, l) > 1e-12; ++l) {
        const double blend = v.blend, coefficient = (1.0 - blend) * std::pow(double(v.g), l) + blend * std::pow(double(v.gBack), l);
        sum += (2 * l + 1) * std::pow(coefficient, times) * polynomial;
        last = std::exchange(polynomial, ((2 * l + 1) * cosine * polynomial - l * last) / (l + 1));
    }
    return sum / (4.0 * glm::pi<double>());
}

Field ordinatesToEye(const Step& s, const View& v, const OrdinatesMedium& m, const Sources& sources, const std::vector<float>& table,
                     int lights, const GroundLight* ground) {
    Field scattered(m.medium.size());
    forEach(scattered.size(), [&](ivec3 c) {
        const dvec3 x = centreOf(s, c, scattered.size()), ray = glm::normalize(x - dvec3(v.eye));
        std::array<double, WISP_ORDINATES> weights{};
        double all = 0.0;
        dvec3 L(0.0);
        for (int k = 0; k < WISP_ORDINATES; ++k) {
            weights[static_cast<std::size_t>(k)] = weight(k) * phaseMeanOf(table, glm::dot(direction(k), ray));
            all += weights[static_cast<std::size_t>(k)];
        }
        for (double& w : weights) w /= all;
        for (int k = 0; k < WISP_ORDINATES; ++k) L += weights[static_cast<std::size_t>(k)] * radianceFrom(s, v, m, sources, c, k, ground);
        for (int n = 0; n < lights; ++n) {
            const Beam beam = beamAt(v.lights[n], x);
            const double T = std::min(m.reach(c)[n], 1.0), edge = boxSize(s).x / scattered.size().x;
            std::array<double, WISP_ORDINATES> turned = scatteredOnce(v, table, n, x, edge), next{};
            dvec3 share = m.reach(c)[n] * lampAtCell(s, v, n, c, scattered.size()) * directedShare(v, n, x, edge) *
                          shareInBeam(v, n, x, -std::log(T), m.medium(c).w) * dvec3(v.lights[n].power);
            for (int times = 1; times <= WISP_SMALL_TURNS; ++times) {
                share *= -std::log(T) * dvec3(m.medium(c)) / double(times);
                double represented = 0.0;
                for (std::size_t k = 0; k < WISP_ORDINATES; ++k) {
                    represented += weights[k] * turned[k];
                    next[k] = 0.0;
                    for (std::size_t l = 0; l < WISP_ORDINATES; ++l) next[k] += double(table[k * WISP_ORDINATES + l]) * turned[l];
                }
                L += share * (foldedPhaseAt(v, times + 1, glm::dot(beam.towards, ray)) - represented);
                turned = next;
            }
        }
        scattered(c) = dvec4(L, 0.0);
    });
    return scattered;
}

}  // namespace wisp::reference
