// SPDX-License-Identifier: MIT
#include "compute/passes.h"

#include <algorithm>

namespace wisp {

void recordWrapFaces(engine::Recorder& rec, const Fields& f, const engine::Image& faces) {
    if (f.grid.periodicAxes() == 0) return;
    const glm::uvec3 size = f.faces();
    const std::uint32_t longest = std::max({size.x, size.y, size.z});
    rec.dispatch("wrap_faces", {longest, longest, 3}, {{"facesIn", faces}, {"facesOut", faces}});
}

}  // namespace wisp
