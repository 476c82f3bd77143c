// SPDX-License-Identifier: MIT
#include "compute/smoke/passes.h"

#include <algorithm>

namespace wisp {

void recordWrapFaces(engine::Recorder& rec, const Fields& f, const engine::Image& faces) {
    if (f.grid.periodicAxes() == 0) return;
    const glm::uvec3 size = f.faceTexels();
    const std::uint32_t longest = std::max({size.x, size.y, size.z});
    const std::uint64_t seams = std::uint64_t{size.x} * size.y + std::uint64_t{size.y} * size.z + std::uint64_t{size.z} * size.x;
    rec.dispatch("wrap_faces", {longest, longest, 3}, {{"facesIn", part(faces, seams)}, {"facesOut", part(faces, seams)}});
}

}  // namespace wisp
