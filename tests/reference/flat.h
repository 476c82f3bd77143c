// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/flat_view.h"
#include "shaders/shared/view.h"
#include "tests/reference/solids.h"

#include <functional>
#include <span>

/// The picture of a flat grid.
namespace wisp::reference {

struct FlatSeen {
    dvec4 radiance{0.0};  ///< a: 1 - exp(-tau)
    double density = 0.0;
};
/// Pass `flat`. `colours` is null where all dye is white; `distance` is read where there are obstacles.
FlatSeen flat(const Step& s, const gpu::FlatPush& push, std::span<const gpu::SurfaceData> surfaces, const Field& scalars,
              const Field* colours, const Field& distance, ivec3 pixel);

/// Pass `arrows`: a pixel that was `under`. `velocity` [m/s] by the place from the box's low corner [m].
dvec4 arrows(const Step& s, const gpu::ArrowsPush& push, const std::function<glm::dvec2(glm::dvec2)>& velocity, dvec4 under, ivec3 pixel);

/// Pass `glow_down`.
Field glowDown(const Field& finer, ivec3 size);
/// Pass `glow_up`.
Field glowUp(const Field& coarser, const Field& finer, double weight);

}  // namespace wisp::reference
