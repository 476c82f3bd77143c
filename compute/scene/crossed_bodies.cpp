// SPDX-License-Identifier: MIT
#include "compute/scene/crossed_bodies.h"

#include "compute/scene/mesh_report.h"
#include "compute/scene/thin_bodies.h"

namespace wisp {

void CrossedBodies::update(const Settings& s) {
    known_.resize(s.obstacles.size());
    const float thick = kCrossedCells * s.grid.cellSize();
    for (std::size_t n = 0; n < s.obstacles.size(); ++n) {
        const Shape& shape = s.obstacles[n].shape;
        const ScaledMesh now = shape.kind == ShapeKind::Mesh ? ScaledMesh{s.meshes[shape.mesh], shape.scale} : ScaledMesh{};
        if (now.mesh && now == known_[n]) continue;
        known_[n] = now;
        const bool crossed = now.mesh ? now.mesh->motion || isThin(*now.mesh, static_cast<double>(thick / now.scale))
                                      : thicknessOf(s, s.obstacles[n]) < thick;
        bits_ = (bits_ & ~(1u << n)) | (crossed ? 1u << n : 0u);
    }
    bits_ &= (1u << s.obstacles.size()) - 1u;
}

}  // namespace wisp
