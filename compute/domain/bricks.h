// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "engine/resources.h"
#include "engine/threads.h"
#include "shaders/shared/brick_list.h"

#include <vector>

namespace wisp {

/// A part of the bricks of a sparse simulation, see shaders/shared/brick_list.h.
enum class BrickPart : int { Active = WISP_ACTIVE, Fill = WISP_FILL, Listed = WISP_LISTED, Closing = WISP_CLOSING, Rest = WISP_REST };

/// Bricks of 16^3 fine cells of a sparse simulation, and the list of those that its passes run over. The device makes the list.
struct Bricks {
    Bricks(engine::Device& device, const GridSettings& grid);

    /// Threads of a pass over the listed bricks, which have `edge` threads along each edge. `near`: of the halo, only work groups that are
    /// so near to active bricks [fine cells]; 0: all. `more`: further specialization constants.
    [[nodiscard]] engine::Threads over(BrickPart part, std::uint32_t edge, std::uint32_t near = 0, engine::ShaderConstants more = {}) const;
    /// One work group of `threads` per brick.
    [[nodiscard]] engine::Threads each(BrickPart part, std::uint32_t threads) const;
    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{size.x} * size.y * size.z; }

    glm::uvec3 size;           ///< bricks along each axis; the last ones may hold only the last faces of the box
    engine::Buffer states;     ///< a word per brick, WISP_IS_ACTIVE ...; padded to whole rows of a checkpoint's field
    engine::Buffer smoke;      ///< a gpu::BrickSmoke per brick
    engine::Buffer vorticity;  ///< a float per brick, see brick_vorticity.comp
    engine::Buffer fastest;    ///< bits of a float: the largest coarse speed [m/s]
    engine::Buffer seeds;      ///< gpu::SeedBox, as many as fit into kSeeds
    engine::Buffer counts;     ///< a uvec4 per work group of brick_counts.comp
    engine::Buffer list;       ///< gpu::BrickList and the listed bricks
    engine::Buffer losses;     ///< gpu::BrickLosses
};

/// Where a step adds smoke or velocity.
struct Seeds {
    std::vector<gpu::SeedBox> boxes;
    float speed = 0.0f;  ///< largest speed of sources and obstacles [m/s]
};

/// More boxes than this are united into one.
inline constexpr std::size_t kSeeds = 256;

}  // namespace wisp
