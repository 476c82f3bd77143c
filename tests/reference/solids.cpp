// SPDX-License-Identifier: MIT
#include "tests/reference/solids.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace wisp::reference {

bool faceExists(const Step& s, ivec3 c, int axis) {
    for (int a = 0; a < 3; ++a) {
        if (c[a] < 0 || c[a] > (a == axis ? s.cells[a] : s.cells[a] - 1)) return false;
    }
    return true;
}

dvec3 facePoint(ivec3 c, int axis) {
    dvec3 p = dvec3(c) + 0.5;
    p[axis] = c[axis];
    return p;
}

dvec3 world(const Step& s, dvec3 p) { return dvec3(s.origin) + double(s.h) * p; }

int sideOf(const Step& s, ivec3 face, int axis) {
    if (face[axis] == 0) return s.sidesLow[axis];
    if (face[axis] == s.cells[axis]) return s.sidesHigh[axis];
    return -1;
}

bool anySide(const Step& s, int kind) {
    for (int a = 0; a < 3; ++a) {
        if (s.sidesLow[a] == kind || s.sidesHigh[a] == kind) return true;
    }
    return false;
}

double signedDistance(const gpu::ShapeData& shape, dvec3 x) {
    const dvec3 d = x - dvec3(shape.centre), half(shape.halfExtent);
    if (shape.kind == WISP_SPHERE) return glm::length(d) - double(shape.radius);
    const glm::dquat toWorld(shape.rotation.w, shape.rotation.x, shape.rotation.y, shape.rotation.z);
    const dvec3 body = glm::transpose(glm::mat3_cast(toWorld)) * d;
    if (shape.kind == WISP_BOX) {
        const dvec3 q = glm::abs(body) - half;
        const double inside = std::max(q.x, std::max(q.y, q.z));
        return inside < 0.0 ? inside : glm::length(glm::max(q, 0.0));
    }
    // Capsule: distance to the segment from -half to half.
    const double along = std::clamp(glm::dot(body, half) / glm::dot(half, half), -1.0, 1.0);
    return glm::distance(body, along * half) - double(shape.radius);
}

namespace {

int nearestObstacle(const Step& s, dvec3 x) {
    int nearest = -1;
    for (int n = 0; n < s.obstacleCount; ++n) {
        if (nearest < 0 || signedDistance(s.obstacles[n].shape, x) < signedDistance(s.obstacles[nearest].shape, x)) nearest = n;
    }
    return nearest;
}

struct Point {  // of the unit square, with the function's value there
    double x, y, value;
};

// Area of the part of a triangle where the linear function is positive: clip the polygon, then Gauss's shoelace.
double positiveArea(const std::array<Point, 3>& triangle) {
    std::vector<Point> kept;
    for (std::size_t i = 0; i < 3; ++i) {
        const Point &p = triangle[i], &q = triangle[(i + 1) % 3];
        if (p.value > 0.0) kept.push_back(p);
        if ((p.value > 0.0) != (q.value > 0.0)) {
            const double t = p.value / (p.value - q.value);
            kept.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), 0.0});
        }
    }
    double twice = 0.0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const Point &p = kept[i], &q = kept[(i + 1) % kept.size()];
        twice += p.x * q.y - q.x * p.y;
    }
    return 0.5 * std::abs(twice);
}

double shareOfFace(const Step& s, ivec3 face, int axis) {
    const ivec3 e1 = unit((axis + 1) % 3), e2 = unit((axis + 2) % 3);
    const auto phi = [&](ivec3 corner) { return obstacleDistance(s, world(s, dvec3(corner))); };
    const double share = openShare(phi(face), phi(face + e1), phi(face + e1 + e2), phi(face + e2));
    return share < 0.02 ? 0.0 : share;
}

}  // namespace

double obstacleDistance(const Step& s, dvec3 x) {
    const int n = nearestObstacle(s, x);
    return n < 0 ? 1e30 : signedDistance(s.obstacles[n].shape, x);
}

double solidVelocity(const Step& s, ivec3 face, int axis) {
    const int side = sideOf(s, face, axis);
    if (side == WISP_WALL) return 0.0;
    if (side == WISP_INFLOW) return double(s.inflow[axis]);
    const dvec3 x = world(s, facePoint(face, axis));
    const int n = nearestObstacle(s, x);
    if (n < 0) return 0.0;
    const gpu::ObstacleData& o = s.obstacles[n];
    return (dvec3(o.velocity) + glm::cross(dvec3(o.angularVelocity), x - dvec3(o.shape.centre)))[axis];
}

double openShare(double a, double b, double c, double d) {
    const Point middle{0.5, 0.5, 0.25 * (a + b + c + d)};
    const std::array<Point, 4> corner{{{0, 0, a}, {1, 0, b}, {1, 1, c}, {0, 1, d}}};
    double area = 0.0;
    for (std::size_t i = 0; i < 4; ++i) area += positiveArea({middle, corner[i], corner[(i + 1) % 4]});
    return area;
}

Field obstacles(const Step& s) {
    Field openness(faces(s));
    forEach(s.cells, [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) openness(c).w += (shareOfFace(s, c, axis) + shareOfFace(s, c + unit(axis), axis)) / 6.0;
    });
    forEach(faces(s), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            const bool open = faceExists(s, c, axis) && sideOf(s, c, axis) <= WISP_OPEN;
            openness(c)[axis] = open ? shareOfFace(s, c, axis) : 0.0;
        }
    });
    return openness;
}

Field coarseOpenness(const Step& s, const Field& openness) {
    Field weights(pressureFaces(s));
    forEach(pressureFaces(s), [&](ivec3 coarse) {
        for (int axis = 0; axis < 3; ++axis) {
            forFineFaces(s, coarse, axis, [&](ivec3 f) {
                const double onFace = sideOf(s, f, axis) == WISP_OPEN ? 2.0 : 1.0;
                weights(coarse)[axis] += onFace * openness(f)[axis] / (s.ratio * s.ratio);
            });
        }
    });
    forEach(s.pressureCells, [&](ivec3 coarse) {
        for (int axis = 0; axis < 3; ++axis) weights(coarse).w += weights(coarse)[axis] + weights(coarse + unit(axis))[axis];
    });
    return weights;
}

}  // namespace wisp::reference
