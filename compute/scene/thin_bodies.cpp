// SPDX-License-Identifier: MIT
#include "compute/scene/thin_bodies.h"

#include <algorithm>
#include <limits>

namespace wisp {

bool rests(const ObstacleSettings& o) { return o.keys.empty() && o.velocity == glm::vec3(0.0f) && o.angularVelocity == glm::vec3(0.0f); }

float leakingCells(const Settings& s, const ObstacleSettings& o) {
    const bool deforms = o.shape.kind == ShapeKind::Mesh && s.meshes[o.shape.mesh]->motion;
    return rests(o) && !deforms ? 1.6f : 2.5f;
}

float thicknessOf(const Settings& s, const ObstacleSettings& o) {
    const bool staysInPlane = o.rotation.x == 0.0f && o.rotation.y == 0.0f;
    if (o.shape.kind == ShapeKind::Box)
        return 2.0f * std::min({o.shape.half.x, o.shape.half.y, s.grid.isFlat() && staysInPlane ? o.shape.half.y : o.shape.half.z});
    if (o.shape.kind == ShapeKind::Capsule) return 2.0f * o.shape.radius;
    return std::numeric_limits<float>::infinity();
}

}  // namespace wisp
