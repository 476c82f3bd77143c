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

int periodicAxes(const Step& s) {
    int bits = 0;
    for (int a = 0; a < 3; ++a) bits |= s.sidesLow[a] == WISP_PERIODIC ? 1 << a : 0;
    return bits;
}

ivec3 period(const Step& s, ivec3 cells) {
    for (int a = 0; a < 3; ++a) cells[a] *= periodicAxes(s) >> a & 1;
    return cells;
}

void wrapFaces(const Step& s, Field& field) {
    forEach(field.size(), [&](ivec3 c) {
        ivec3 owner = c;
        for (int a = 0; a < 3; ++a) owner[a] = (periodicAxes(s) >> a & 1) != 0 && c[a] == s.cells[a] ? 0 : c[a];
        field(c) = field(owner);
    });
}

int sideOf(const Step& s, ivec3 face, int axis) {
    if ((periodicAxes(s) >> axis & 1) != 0) return -1;
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

// Shape of the obstacle at the time `ago` before the end of the step.
gpu::ShapeData earlier(const gpu::ObstacleData& o, double ago) {
    gpu::ShapeData shape = o.shape;
    shape.centre = glm::vec3(dvec3(o.shape.centre) - ago * dvec3(o.velocity));
    const double angle = ago * glm::length(dvec3(o.angularVelocity));
    if (angle > 0.0) {
        const glm::dquat back = glm::angleAxis(-angle, glm::normalize(dvec3(o.angularVelocity)));
        const glm::dquat q = back * glm::dquat(o.shape.rotation.w, o.shape.rotation.x, o.shape.rotation.y, o.shape.rotation.z);
        shape.rotation = {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
    }
    return shape;
}

// Time before the end of the step, within the swept part, at which the obstacle was nearest to a point.
double nearestTime(const gpu::ObstacleData& o, dvec3 x) {
    if (o.swept == 0.0f) return 0.0;
    if (o.shape.kind == WISP_SPHERE) {  // projection of x onto the path of the centre
        const dvec3 V(o.velocity);
        return std::clamp(glm::dot(dvec3(o.shape.centre) - x, V) / glm::dot(V, V), 0.0, double(o.swept));
    }
    double best = 0.0;
    for (int k = 1; k < o.positions; ++k) {
        const double ago = double(o.swept) * k / (o.positions - 1);
        if (signedDistance(earlier(o, ago), x) < signedDistance(earlier(o, best), x)) best = ago;
    }
    return best;
}

double sweptDistance(const gpu::ObstacleData& o, dvec3 x) { return signedDistance(earlier(o, nearestTime(o, x)), x); }

// Calls f for x and its images in the neighbouring periods.
template <class F>
void forImages(const Step& s, dvec3 x, F&& f) {
    const ivec3 repeats = glm::min(period(s, s.cells), ivec3(1));
    forEach(2 * repeats + 1, [&](ivec3 o) { f(x + double(s.h) * dvec3(s.cells * (o - repeats))); });
}

struct Nearest {
    int obstacle = -1;
    double distance = 1e30;
    dvec3 x{0.0};  // the point, or its image nearest to that obstacle
};

Nearest nearestObstacle(const Step& s, dvec3 x) {
    Nearest nearest;
    for (int n = 0; n < s.obstacleCount; ++n) {
        forImages(s, x, [&](dvec3 image) {
            const double d = sweptDistance(s.obstacles[n], image);
            if (d < nearest.distance) nearest = {n, d, image};
        });
    }
    return nearest;
}

// Point of the unit square with the value of the function.
struct Point {
    double x, y, value;
};

// Area of the part of a triangle where the linear function is positive. Clips the polygon, then applies the shoelace formula.
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

double periodicDistance(const Step& s, const gpu::ShapeData& shape, dvec3 x) {
    double distance = 1e30;
    forImages(s, x, [&](dvec3 image) { distance = std::min(distance, signedDistance(shape, image)); });
    return distance;
}

dvec3 nearestImage(const Step& s, dvec3 centre, dvec3 x) {
    dvec3 nearest(1e30);
    forImages(s, x, [&](dvec3 image) {
        if (glm::distance(image, centre) < glm::length(nearest)) nearest = image - centre;
    });
    return nearest;
}

double obstacleDistance(const Step& s, dvec3 x) { return nearestObstacle(s, x).distance; }

NearestBody nearestBody(const Step& s, dvec3 x) {
    const Nearest nearest = nearestObstacle(s, x);
    if (nearest.obstacle < 0) return {-1, 1e30, dvec3(0.0)};
    const gpu::ObstacleData& o = s.obstacles[nearest.obstacle];
    return {nearest.obstacle, sweptDistance(o, nearest.x), nearest.x - dvec3(earlier(o, nearestTime(o, nearest.x)).centre)};
}

dvec3 velocityOfBody(const Step& s, const NearestBody& b, dvec3 away) {
    return dvec3(s.obstacles[b.index].velocity) + glm::cross(dvec3(s.obstacles[b.index].angularVelocity), b.r + away);
}

double solidVelocity(const Step& s, ivec3 face, int axis) {
    const int side = sideOf(s, face, axis);
    if (side == WISP_WALL) return 0.0;
    if (side == WISP_INFLOW) return double(s.inflow[axis]);
    const NearestBody nearest = nearestBody(s, world(s, facePoint(face, axis)));
    return nearest.index < 0 ? 0.0 : velocityOfBody(s, nearest)[axis];
}

double nearness(double outsideOf, double insideOf) { return std::min((outsideOf - insideOf) / std::max(outsideOf, 1e-6), 10.0); }

double faceDistance(const Step& s, const Field& distance, ivec3 face, int axis) {
    if (s.obstacleCount == 0) return 1e30;
    const ivec3 around = period(s, s.cells);
    return 0.5 * (distance.nearest(face, around).x + distance.nearest(face - unit(axis), around).x);
}

Field limited(Field velocity) {
    for (dvec4& u : velocity.values()) u = glm::clamp(u, -1e4, 1e4);
    return velocity;
}

Field solidVelocities(const Step& s, const Field& aperture) {
    Field result(faces(s));
    forEach(faces(s), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            if (faceExists(s, c, axis) && aperture(c)[axis] < 1.0) result(c)[axis] = solidVelocity(s, c, axis);
        }
    });
    return result;
}

double openShare(double a, double b, double c, double d) {
    const Point middle{0.5, 0.5, 0.25 * (a + b + c + d)};
    const std::array<Point, 4> corner{{{0, 0, a}, {1, 0, b}, {1, 1, c}, {0, 1, d}}};
    double area = 0.0;
    for (std::size_t i = 0; i < 4; ++i) area += positiveArea({middle, corner[i], corner[(i + 1) % 4]});
    return area;
}

Field obstacles(const Step& s) {
    Field aperture(faces(s));
    forEach(s.cells, [&](ivec3 c) {
        double least = 1.0;
        for (int axis = 0; axis < 3; ++axis) {
            const double low = shareOfFace(s, c, axis), high = shareOfFace(s, c + unit(axis), axis);
            aperture(c).w += (low + high) / 6.0;
            least = std::min({least, low, high});
        }
        if (std::round(255.0 * least) < 255.0) aperture(c).w = std::min(aperture(c).w, 254.0 / 255.0);
    });
    forEach(faces(s), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            const bool open = faceExists(s, c, axis) && sideOf(s, c, axis) <= WISP_OPEN;
            aperture(c)[axis] = open ? shareOfFace(s, c, axis) : 0.0;
        }
    });
    return aperture;
}

Field solidDistance(const Step& s) {
    Field result(s.cells);
    forEach(s.cells, [&](ivec3 c) {
        const double cells = obstacleDistance(s, world(s, dvec3(c) + 0.5)) / double(s.h);
        result(c).x = std::clamp(cells, -WISP_FAR_CELLS, WISP_FAR_CELLS);
    });
    return result;
}

Field fillFreshCells(const Step& s, const Field& aperture, const Field& before, const Field& distance, const Field& scalars) {
    Field result = scalars;
    const dvec3 perCell(scalarsPerCell(s));
    const auto wasSolid = [&](ivec3 scalarCell) { return before(scalarCell / s.scalarRatio).w == 0.0; };
    const ivec3 around = period(s, s.cells);
    const auto phi = [&](dvec3 p) { return distance.sample(p, around).x; };
    const auto outward = [&](dvec3 p) {
        dvec3 slope(0.0);
        for (int a = 0; a < 3; ++a) slope[a] = 0.5 * (phi(p + dvec3(unit(a))) - phi(p - dvec3(unit(a))));
        return glm::length(slope) > 0.1 ? glm::normalize(slope) : dvec3(0.0, 1.0, 0.0);
    };
    const auto gather = [&](dvec3 p, dvec4& sum) {  // adds the values of cells that were fluid; returns their weight
        double share = 0.0;
        scalars.forTexelsAround(
            p * perCell,
            [&](ivec3 texel, double weight) {
                if (wasSolid(texel)) return;
                sum += weight * scalars(texel);
                share += weight;
            },
            period(s, s.scalarCells));
        return share;
    };
    const auto found = [&](dvec3 start) {
        dvec3 p = start;
        for (int n = 0; n < 8; ++n) {
            p += std::max(0.5 - phi(p), 0.25) * outward(p);
            for (int a = 0; a < 3; ++a) p[a] = around[a] > 0 ? p[a] : glm::clamp(p[a], 0.5, s.cells[a] - 0.5);
            dvec4 sum(0.0);
            if (const double share = gather(p, sum); share > 0.25) return sum / share;
        }
        for (int r = 1; r <= 48; ++r) {
            dvec4 sum(0.0);
            double share = 0.0;
            for (int n = 0; n < 6; ++n) {
                const dvec3 q = start + double(n < 3 ? r : -r) * dvec3(unit(n % 3));
                const int a = n % 3;
                if (around[a] > 0 || (q[a] >= 0.0 && q[a] <= s.cells[a])) share += gather(q, sum);
            }
            if (share > 0.25) return sum / share;
        }
        return dvec4(0.0);
    };
    forEach(s.scalarCells, [&](ivec3 c) {
        if (wasSolid(c) && aperture(c / s.scalarRatio).w > 0.0) result(c) = found((dvec3(c) + 0.5) / perCell);
    });
    return result;
}

Field coarseAperture(const Step& s, const Field& aperture) {
    Field weights(pressureFaces(s));
    forEach(pressureFaces(s), [&](ivec3 coarse) {
        for (int axis = 0; axis < 3; ++axis) {
            forFineFaces(s, coarse, axis, [&](ivec3 f) {
                const double onFace = sideOf(s, f, axis) == WISP_OPEN ? 2.0 : 1.0;
                weights(coarse)[axis] += onFace * aperture(f)[axis] / (s.ratio * s.ratio);
            });
        }
    });
    forEach(s.pressureCells, [&](ivec3 coarse) {
        for (int axis = 0; axis < 3; ++axis) {
            if (period(s, s.pressureCells)[axis] != 1) weights(coarse).w += weights(coarse)[axis] + weights(coarse + unit(axis))[axis];
        }
    });
    return weights;
}

}  // namespace wisp::reference
