// SPDX-License-Identifier: MIT
#include "compute/scene/covered.h"

#include "compute/scene/mesh_tree.h"
#include "compute/scene/motion.h"
#include "compute/scene/shape_data.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <vector>

namespace wisp {
namespace {

constexpr std::uint32_t kMostAlong = 12;  // cells that are looked at along each axis of an emitter

/// Signed distance [m] to a sphere, a box or a capsule around the origin.
double distanceTo(const Shape& shape, glm::dvec3 p) {
    const glm::dvec3 half(shape.half);
    const auto radius = static_cast<double>(shape.radius);
    if (shape.kind == ShapeKind::Sphere) return glm::length(p) - radius;
    if (shape.kind == ShapeKind::Capsule) {
        const double length2 = glm::dot(half, half), along = length2 > 0.0 ? glm::clamp(glm::dot(p, half) / length2, -1.0, 1.0) : 0.0;
        return glm::length(p - along * half) - radius;
    }
    const glm::dvec3 q = glm::abs(p) - half;
    return glm::length(glm::max(q, 0.0)) + std::min(std::max({q.x, q.y, q.z}), 0.0);
}

/// A body at rest: how to ask whether a point is inside.
class Body {
public:
    Body(const Settings& s, const ObstacleSettings& o)
        : shape_(o.shape), centre_(obstacleCentre(o, 0.0)), turnBack_(glm::conjugate(emitterRotation({.rotation = o.rotation}))) {
        if (shape_.kind != ShapeKind::Mesh) return;
        const Mesh& mesh = *s.meshes[shape_.mesh];
        const MeshBounds bounds = boundsOf(mesh);
        scale_ = 1.0 / std::max({bounds.size().x, bounds.size().y, bounds.size().z});
        tree_ = buildMeshTree(mesh, bounds.middle(), scale_);
        scale_ /= static_cast<double>(shape_.scale);
    }

    [[nodiscard]] bool contains(glm::dvec3 point) const {
        const glm::dvec3 p = turnBack_ * (point - centre_);
        if (shape_.kind != ShapeKind::Mesh) return distanceTo(shape_, p) < 0.0;
        int votes = 0;
        for (int axis = 0; axis < 3; ++axis) {  // a mesh may have gaps
            glm::dvec3 along(0.0);
            along[axis] = 2.0;  // the mesh has the length 1
            int turns = 0;
            for (const MeshHit& hit : meshHits(tree_, scale_ * p, along)) turns += hit.leaves ? 1 : -1;
            votes += turns != 0 ? 1 : 0;
        }
        return votes >= 2;
    }

private:
    Shape shape_;
    glm::dvec3 centre_;
    glm::dquat turnBack_;
    double scale_ = 1.0;  // from metres to the unit of the tree
    MeshTree tree_;
};

/// The emitter as a shape with an exact distance, which contains it.
Shape boundOf(const Settings& s, const EmitterSettings& e) {
    Shape shape = e.shape;
    if (shape.kind == ShapeKind::Mesh) shape.half = 0.5 * static_cast<double>(shape.scale) * boundsOf(*s.meshes[shape.mesh]).size();
    if (shape.kind == ShapeKind::Mesh || shape.kind == ShapeKind::Volume) shape.kind = ShapeKind::Box;
    return shape;
}

bool isAtRest(const Settings& s, const ObstacleSettings& o) {
    const bool deforms = o.shape.kind == ShapeKind::Mesh && s.meshes[o.shape.mesh]->motion;
    return !deforms && o.velocity == glm::vec3(0.0f) && o.angularVelocity == glm::vec3(0.0f) && o.keys.size() < 2;
}

/// Whether all corners of a cell are inside bodies.
bool isSolid(const Settings& s, const std::vector<Body>& bodies, glm::dvec3 middle) {
    const double half = 0.5 * static_cast<double>(s.grid.cellSize());
    for (int corner = 0; corner < 8; ++corner) {
        const auto side = [&](int axis) { return (corner >> axis & 1) != 0 ? half : -half; };
        const glm::dvec3 p = middle + glm::dvec3(side(0), side(1), s.grid.isFlat() ? 0.0 : side(2));  // shapes are cut in that plane
        if (std::ranges::none_of(bodies, [&](const Body& b) { return b.contains(p); })) return false;
    }
    return true;
}

}  // namespace

bool isCovered(const Settings& s, const EmitterSettings& e) {
    if (!e.keys.empty()) return false;
    std::vector<Body> bodies;
    for (const ObstacleSettings& o : s.obstacles)
        if (isAtRest(s, o)) bodies.emplace_back(s, o);
    if (bodies.empty()) return false;
    const Shape shape = boundOf(s, e);
    const glm::dquat turnBack = glm::conjugate(emitterRotation(e));
    const CellBox box = cellsTouched(shapeData(shape, s.grid, emitterRotation(e)), s.grid, s.grid.cellSize(), s.grid.cells);
    const glm::uvec3 along = glm::min(box.size, glm::uvec3(kMostAlong));
    const auto h = static_cast<double>(s.grid.cellSize());
    bool any = false;
    for (std::uint32_t n = 0; n < along.x * along.y * along.z; ++n) {
        const glm::uvec3 at(n % along.x, n / along.x % along.y, n / along.x / along.y);
        const glm::uvec3 cell = at * (box.size - 1u) / glm::max(along - 1u, glm::uvec3(1));
        const glm::dvec3 middle = glm::dvec3(s.grid.origin) + h * (glm::dvec3(box.first) + glm::dvec3(cell) + 0.5);
        // An emitter fills cells up to one cell beyond its surface.
        if (distanceTo(shape, turnBack * (middle - glm::dvec3(shape.centre))) >= h) continue;
        if (!isSolid(s, bodies, middle)) return false;
        any = true;
    }
    return any;
}

}  // namespace wisp
