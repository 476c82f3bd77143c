// SPDX-License-Identifier: MIT
// Counting, removing, spawning and sorting of particles.
#include "tests/reference/liquid.h"
#include "tests/reference/motion.h"
#include "tests/reference/path.h"

#include <glm/vector_relational.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace wisp::reference {
namespace {

bool isFinite(dvec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

std::size_t indexOf(const Step& s, ivec3 c) {
    return (static_cast<std::size_t>(c.z) * static_cast<std::size_t>(s.cells.y) + static_cast<std::size_t>(c.y)) *
               static_cast<std::size_t>(s.cells.x) +
           static_cast<std::size_t>(c.x);
}

dvec3 centreOf(ivec3 c, int part, int edge) {
    return dvec3(c) + (dvec3(part % edge, part / edge % edge, part / (edge * edge)) + 0.5) / double(edge);
}

bool stays(const Step& s, const Particle& p) { return isSound(p) && p.place.w == WISP_LIQUID_HERE && isInBox(s, dvec3(p.place)); }

// Whether a cell contains at least three particles or a solid, or is behind a wall.
bool hasEnough(const Step& s, const Field& aperture, const Words& counts, ivec3 c) {
    if (counts.contains(c)) return aperture(c).w == 0.0 || counts(c) >= 3;
    return !beyondOpenSide(s, dvec3(c) + 0.5);
}

}  // namespace

ivec3 cellOf(const Step& s, dvec3 p) { return glm::min(ivec3(glm::floor(p)), s.cells - 1); }
bool isSound(const Particle& p) { return isFinite(dvec3(p.place)) && isFinite(dvec3(p.velocity)); }
bool isInBox(const Step& s, dvec3 p) {
    return glm::all(glm::greaterThanEqual(p, dvec3(0.0))) && glm::all(glm::lessThanEqual(p, dvec3(s.cells)));
}

Counted countParticles(const Step& s, const Particles& particles, int edge) {
    Counted result{Words(s.cells), Words(s.cells), {}};
    for (const Particle& p : particles) {
        if (!stays(s, p)) {
            ++result.removed[!isSound(p) ? 1 : p.place.w == WISP_LIQUID_SURPLUS ? 2 : 0];
            continue;
        }
        const ivec3 c = cellOf(s, dvec3(p.place));
        // In single precision: rounding decides the sub-cell of a particle on a border.
        const glm::vec3 inCell = (glm::vec3(p.place) - glm::vec3(c)) * static_cast<float>(edge);
        const ivec3 part = glm::min(ivec3(inCell), ivec3(edge - 1));
        ++result.counts(c);
        result.taken(c) |= 1u << ((part.z * edge + part.y) * edge + part.x);
    }
    return result;
}

Words reseed(const Step& s, const Field& aperture, const Counted& counted, const gpu::LiquidSpawn& push) {
    Words spawned(s.cells);
    const auto parts = static_cast<std::uint32_t>(push.edge * push.edge * push.edge);
    if (parts < 3) return spawned;
    forEach(s.cells, [&](ivec3 c) {
        if (aperture(c).w < 1.0 || counted.counts(c) >= 3) return;
        bool inside = true;
        forEach(ivec3(3), [&](ivec3 o) { inside = inside && (o == ivec3(1) || hasEnough(s, aperture, counted.counts, c + o - 1)); });
        if (!inside) return;
        const std::uint32_t first = hash4({static_cast<std::uint32_t>(indexOf(s, c)), push.step, push.seed, 0})[0];
        std::uint32_t missing = 3 - counted.counts(c);
        for (std::uint32_t k = 0; k < parts && missing > 0; ++k) {
            const std::uint32_t bit = 1u << ((first + k) % parts);
            if (((counted.taken(c) | spawned(c)) & bit) != 0) continue;
            spawned(c) |= bit;
            --missing;
        }
    });
    return spawned;
}

Filled fill(const Step& s, const gpu::LiquidSource& push, const Field& distance, const Words& taken, const Words& spawned, double error) {
    Filled result{spawned, Words(s.cells)};
    forEach(s.cells, [&](ivec3 c) {
        for (int part = 0; part < push.edge * push.edge * push.edge; ++part) {
            const dvec3 p = centreOf(c, part, push.edge);
            const double toShape = signedDistance(push.shape, world(s, p)),
                         toSolid = s.obstacleCount > 0 ? double(s.h) * distance.sample(p).x : 1e30;
            if (toShape <= 0.0 && toSolid > 0.0) result.spawned(c) |= ~taken(c) & (1u << part);
            if (std::abs(toShape) < error || std::abs(toSolid) < error) result.unsure(c) |= 1u << part;
        }
    });
    return result;
}

std::vector<std::uint32_t> firstParticles(const Words& counts, const Words& spawned, std::uint32_t capacity) {
    const std::uint32_t old = std::accumulate(counts.values().begin(), counts.values().end(), 0u);
    std::vector<std::uint32_t> first{0};
    std::uint32_t free = capacity - old;
    for (std::size_t i = 0; i < counts.count(); ++i) {
        const std::uint32_t added = std::min(static_cast<std::uint32_t>(std::popcount(spawned.values()[i])), free);
        free -= added;
        first.push_back(first.back() + counts.values()[i] + added);
    }
    return first;
}

Particles sorted(const Step& s, const Particles& particles, const std::vector<std::uint32_t>& first) {
    Particles result(first.back());
    std::vector<std::uint32_t> to = first;
    for (const Particle& p : particles)
        if (stays(s, p)) result[to[indexOf(s, cellOf(s, dvec3(p.place)))]++] = p;
    return result;
}

void bear(const Step& s, const Field& velocity, const Counted& counted, const Words& spawned, const std::vector<std::uint32_t>& first,
          const gpu::LiquidSpawn& push, Particles& particles) {
    const auto parts = static_cast<std::uint32_t>(push.edge * push.edge * push.edge);
    const auto isFull = [&](ivec3 c) {
        return spawned.contains(c) ? counted.counts(c) + static_cast<std::uint32_t>(std::popcount(spawned(c))) >= parts
                                   : !beyondOpenSide(s, dvec3(c) + 0.5);
    };
    forEach(s.cells, [&](ivec3 c) {
        bool inside = true;
        forEach(ivec3(5), [&](ivec3 o) { inside = inside && isFull(c + o - 2); });
        const std::size_t i = indexOf(s, c);
        std::uint32_t to = first[i] + counted.counts(c);
        for (int part = 0; part < 32; ++part) {
            if ((spawned(c) >> part & 1u) == 0 || to == first[i + 1]) continue;
            const dvec3 chance = dvec3(uniform4(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(part), push.step, push.seed)) -
                                 0.5;
            const dvec3 p = centreOf(c, part, push.edge) + (inside ? double(push.jitter) : 0.0) * chance / double(push.edge);
            Particle& added = particles[to++];
            added = {.place = dvec4(p, 1.0)};
            for (int axis = 0; axis < 3; ++axis) added.velocity[axis] = component(s, velocity, p, axis);
        }
    });
}

}  // namespace wisp::reference
