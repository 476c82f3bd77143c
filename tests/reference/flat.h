// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/flat_view.h"
#include "shaders/shared/view.h"
#include "tests/reference/solids.h"

#include <functional>
#include <span>

/// Image of a flat (2D) grid.
namespace wisp::reference {

struct FlatSeen {
    dvec4 radiance{0.0};  ///< a: 1 - exp(-tau)
    double density = 0.0;
};
/// Pass `flat`. `colours` is null if all dye is white. `distance` is read only if there are obstacles.
FlatSeen flat(const Step& s, const gpu::FlatPush& push, std::span<const gpu::SurfaceData> surfaces, const Field& scalars,
              const Field* colours, const Field& distance, ivec3 pixel);

/// Pass `arrows` for a pixel with the previous value `under`. `velocity` [m/s] takes a position relative to the box's low corner [m].
dvec4 arrows(const Step& s, const gpu::ArrowsPush& push, const std::function<glm::dvec2(glm::dvec2)>& velocity, dvec4 under, ivec3 pixel);

/// Pass `glow_down`.
Field glowDown(const Field& finer, ivec3 size);
/// Pass `glow_up`.
Field glowUp(const Field& coarser, const Field& finer, double weight);

}  // namespace wisp::reference
