// SPDX-License-Identifier: MIT
#include "tests/reference/mesh.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::reference {
namespace {

struct Crossing {
    double height;
    int sign;  // +1: the line enters, -1: it leaves
};

// Intersections of a line along `axis` with a triangle. Barycentric coordinates of p are ratios of signed areas (all positive inside).
void addCrossing(const std::array<dvec3, 3>& t, dvec3 p, int axis, std::vector<Crossing>& crossings) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const auto area = [&](dvec3 a, dvec3 b, dvec3 c) { return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]); };
    const double whole = area(t[0], t[1], t[2]);
    const dvec3 share = dvec3(area(p, t[1], t[2]), area(t[0], p, t[2]), area(t[0], t[1], p)) / whole;
    if (whole == 0.0 || share.x < 0.0 || share.y < 0.0 || share.z < 0.0) return;
    crossings.push_back({share.x * t[0][axis] + share.y * t[1][axis] + share.z * t[2][axis], whole < 0.0 ? 1 : -1});
}

}  // namespace

std::vector<std::array<dvec3, 3>> inVoxels(const Mesh& mesh, ivec3 size, double voxel) {
    const dvec3 middle = boundsOf(mesh).middle();
    const auto place = [&](std::uint32_t i) { return (dvec3(mesh.positions[i]) - middle) / voxel + 0.5 * dvec3(size); };
    std::vector<std::array<dvec3, 3>> result;
    for (const glm::uvec3& t : mesh.triangles) result.push_back({place(t.x), place(t.y), place(t.z)});
    return result;
}

Field meshCrossings(const std::vector<std::array<dvec3, 3>>& triangles, ivec3 size) {
    Field result(size);
    for (int axis = 0; axis < 3; ++axis) {
        ivec3 lines = size;
        lines[axis] = 1;
        forEach(lines, [&](ivec3 line) {
            std::vector<Crossing> crossings;
            for (const auto& t : triangles) addCrossing(t, dvec3(line) + 0.5, axis, crossings);
            for (ivec3 c = line; c[axis] < size[axis]; ++c[axis]) {
                for (const Crossing& m : crossings) result(c)[axis] += m.height <= c[axis] + 0.5 ? m.sign : -m.sign;
            }
        });
    }
    return result;
}

double distanceTo(const std::array<dvec3, 3>& t, dvec3 p) {
    const dvec3 w = nearestOn(t, p);
    return glm::distance(p, w.x * t[0] + w.y * t[1] + w.z * t[2]);
}

dvec3 nearestOn(const std::array<dvec3, 3>& t, dvec3 p) {
    const dvec3 ab = t[1] - t[0], ac = t[2] - t[0], d = p - t[0];
    // The foot of the perpendicular is t0 + v ab + w ac. The normal equations give v and w.
    const double aa = glm::dot(ab, ab), bb = glm::dot(ac, ac), mixed = glm::dot(ab, ac), determinant = aa * bb - mixed * mixed;
    const double v = (bb * glm::dot(d, ab) - mixed * glm::dot(d, ac)) / determinant,
                 w = (aa * glm::dot(d, ac) - mixed * glm::dot(d, ab)) / determinant;
    if (v >= 0.0 && w >= 0.0 && v + w <= 1.0) return {1.0 - v - w, v, w};
    dvec3 best(0.0);
    double nearest = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) {
        const dvec3 from = t[static_cast<std::size_t>(k)], edge = t[static_cast<std::size_t>((k + 1) % 3)] - from;
        const double along = std::clamp(glm::dot(p - from, edge) / glm::dot(edge, edge), 0.0, 1.0);
        const double distance = glm::distance(p, from + along * edge);
        if (distance >= nearest) continue;
        nearest = distance;
        best = dvec3(0.0);
        best[k] = 1.0 - along;
        best[(k + 1) % 3] = along;
    }
    return best;
}

Numbers meshDistance(const std::vector<std::array<dvec3, 3>>& triangles, const Field& crossings) {
    Numbers result(crossings.size());
    forEach(crossings.size(), [&](ivec3 c) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const auto& t : triangles) nearest = std::min(nearest, distanceTo(t, dvec3(c) + 0.5));
        const double mean = (crossings(c).x + crossings(c).y + crossings(c).z) / 6.0;
        result(c) = std::abs(mean) > 0.5 ? -nearest : nearest;
    });
    return result;
}

}  // namespace wisp::reference
