// SPDX-License-Identifier: MIT
#include "compute/scene/thin_bodies.h"

#include "compute/scene/mesh_report.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace wisp {

float thicknessOf(const Settings& s, const ObstacleSettings& o) {
    const bool staysInPlane = o.rotation.x == 0.0f && o.rotation.y == 0.0f;
    if (o.shape.kind == ShapeKind::Box)
        return 2.0f * std::min({o.shape.half.x, o.shape.half.y, s.grid.isFlat() && staysInPlane ? o.shape.half.y : o.shape.half.z});
    if (o.shape.kind == ShapeKind::Capsule) return 2.0f * o.shape.radius;
    return std::numeric_limits<float>::infinity();
}

void CrossedBodies::update(const Settings& s) {
    meshScale.resize(s.obstacles.size(), 0.0f);
    const float thick = kCrossedCells * s.grid.cellSize();
    for (std::size_t n = 0; n < s.obstacles.size(); ++n) {
        const ObstacleSettings& o = s.obstacles[n];
        const bool isMesh = o.shape.kind == ShapeKind::Mesh;
        const float scale = isMesh ? o.shape.scale : 0.0f;
        if (isMesh && std::exchange(meshScale[n], scale) == scale) continue;
        meshScale[n] = scale;
        const bool crossed = isMesh ? s.meshes[o.shape.mesh]->motion || isThin(*s.meshes[o.shape.mesh], static_cast<double>(thick / scale))
                                    : thicknessOf(s, o) < thick;
        bits = (bits & ~(1u << n)) | (crossed ? 1u << n : 0u);
    }
    bits &= (1u << s.obstacles.size()) - 1u;
}

}  // namespace wisp
