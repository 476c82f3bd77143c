// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/slot_plan.h"
#include "compute/scene/settings.h"
#include "compute/scene/shape_data.h"
#include "engine/recorder.h"
#include "engine/resources.h"
#include "engine/threads.h"
#include "shaders/shared/brick_list.h"

#include <vector>

namespace wisp {

/// A part of the bricks of a sparse simulation, see shaders/shared/brick_list.h.
enum class BrickPart : int { Active = WISP_ACTIVE, Fill = WISP_FILL, Listed = WISP_LISTED, Closing = WISP_CLOSING };

/// Bricks of 16^3 fine cells of a sparse simulation, and the list of those that its passes run over. The device makes the list. Listed
/// bricks have a slot in the fields on the fine grid, active ones also in the fields of smoke, see shaders/shared/storage.glsl.
struct Bricks {
    Bricks(engine::Device& device, const GridSettings& grid, SlotCounts slots);

    /// Threads of a pass over the listed bricks, which have `edge` threads along each edge. `near`: of the halo, only work groups that are
    /// so near to active bricks [fine cells]; 0: all. `more`: further specialization constants.
    [[nodiscard]] engine::Threads over(BrickPart part, std::uint32_t edge, std::uint32_t near = 0, engine::ShaderConstants more = {}) const;
    /// One work group of `threads` per brick.
    [[nodiscard]] engine::Threads each(BrickPart part, std::uint32_t threads) const;
    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{size.x} * size.y * size.z; }
    /// Size of an image with slots for velocity or for smoke, with `edge` texels along an edge of a slot.
    [[nodiscard]] glm::uvec3 flowTexels(std::uint32_t edge) const { return edge * slotsAlong(flowSlots); }
    [[nodiscard]] glm::uvec3 smokeTexels(std::uint32_t edge) const { return edge * slotsAlong(smokeSlots); }
    [[nodiscard]] SlotCounts slotCounts() const { return {flowSlots, smokeSlots}; }
    static constexpr std::uint32_t kSlotsInLayer = WISP_SLOTS_X * WISP_SLOTS_Y;  ///< of an image, with one column
    static std::uint32_t wholeLayers(std::uint64_t slots, std::uint32_t columns = 1);
    static std::uint32_t columnsOf(const GridSettings& grid);  ///< see WISP_SLOT_COLUMNS
    [[nodiscard]] std::uint32_t slotsInLayer() const { return kSlotsInLayer * columns; }
    static engine::Buffer makeFreeSlots(engine::Device& device, SlotCounts slots);
    [[nodiscard]] glm::uvec3 slotsAlong(std::uint32_t n) const { return {WISP_SLOTS_X * columns, WISP_SLOTS_Y, n / slotsInLayer()}; }
    /// All slots are free, and no brick has any.
    void recordFreeSlots(engine::Recorder& rec) const;

    glm::uvec3 size;                              ///< bricks along each axis; the last ones may hold only the last faces of the box
    std::uint32_t columns = 1;                    ///< of slots in a layer of an image
    std::uint32_t flowSlots = 0, smokeSlots = 0;  ///< number of slots, with those that are blank
    engine::Buffer states;                        ///< a word per brick, WISP_IS_ACTIVE ...; padded to whole rows of a checkpoint's field
    engine::Buffer wanted;                        ///< the states that bricks want in a step
    engine::Buffer slots;                         ///< gpu::BrickSlots per brick; padded like `states`
    engine::Buffer freeSlots;                     ///< gpu::FreeSlots and the rings
    engine::Buffer smoke;                         ///< a gpu::BrickSmoke per brick
    engine::Buffer vorticity;                     ///< a float per brick, see brick_vorticity.comp
    engine::Buffer fastest;                       ///< bits of a float: the largest coarse speed [m/s]
    engine::Buffer seeds;                         ///< gpu::SeedBox, as many as fit into kSeeds
    engine::Buffer counts;                        ///< seven words per work group of brick_counts.comp
    engine::Buffer list;                          ///< gpu::BrickList and the listed bricks
    engine::Buffer losses;                        ///< gpu::BrickLosses
};

/// Where a step adds smoke or velocity.
struct Seeds {
    std::vector<gpu::SeedBox> boxes;
    float speed = 0.0f;  ///< largest speed of sources and obstacles [m/s]
    void add(const CellBox& box);
};

/// Where the initial fields of these settings have smoke or velocity.
Seeds seedsOfStart(const Settings& settings);
/// Slots for these seeds and for obstacles at the start, with room for growth.
SlotCounts firstSlots(const Settings& settings);

/// More boxes than this are united into one.
inline constexpr std::size_t kSeeds = 256;

}  // namespace wisp
