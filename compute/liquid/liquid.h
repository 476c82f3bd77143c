// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "engine/recorder.h"
#include "engine/resources.h"

#include <array>
#include <cstdint>
#include <functional>
#include <utility>

/// A liquid by particles and a grid (PIC, FLIP: Zhu, Bridson 2005; APIC: Jiang et al. 2015). Particles carry the motion; on the grid, the
/// staggered one of the smoke, it gets its pressure. See docs/liquid.md.
namespace wisp {

struct Fields;

/// Particles lie in the order of their cells, those of a cell in the order that they had before: the same every run.
struct LiquidFields {
    LiquidFields(engine::Device& device, const Settings& settings);

    /// Threads of a pass over particles: as many as there is memory for.
    [[nodiscard]] glm::uvec3 particles() const { return {capacity, 1, 1}; }

    std::uint32_t capacity;                    ///< particles that there is memory for: whole rows, see rowsOf
    std::uint32_t most;                        ///< that there may be, Settings::liquidCapacity
    bool inEights;                             ///< a GPU: eight threads a texel gather its particles
    bool affine;                               ///< motion is carried by APIC
    std::array<engine::Buffer, 2> places;      ///< vec4 a particle: xyz [fine cells] from the low corner of the box, w: see
                                               ///< shaders/shared/liquid/liquid.h. [0] is the newest
    std::array<engine::Buffer, 2> velocities;  ///< vec4 likewise: [m/s], w unused
    std::array<engine::Buffer, 2> gradients;   ///< with APIC three vec4 likewise: gradients of u, v, w [1/s]
    std::array<engine::Buffer, 2> cellFirst;  ///< a word a fine cell, x fastest, and one more: first particle of the cell; the last word is
                                              ///< how many there are. [0] is of places[0] at the end of a step
    engine::Buffer counts;                    ///< a word a cell: particles in it
    engine::Buffer taken;                     ///< likewise: bits of the parts of the cell that have one, see liquid_count.comp
    engine::Buffer births;                    ///< likewise: bits of the parts of the cell where one is to be born
    engine::Buffer birthFirst, blocks;        ///< scratch of the prefix sums
    engine::Buffer ranks, order;              ///< scratch of the sort, a word a particle
    engine::Buffer known;    ///< a word a texel on faces: a byte an axis, the layer of extrapolation in which it became known
    engine::Buffer density;  ///< a float a cell: share of the room around its centre that is full
    engine::Buffer surface;  ///< two floats a cell: signed distance of its centre to the surface [cells], negative in the liquid; density
    engine::Buffer crowding,
        widening;          ///< a float a cell, as the pressure lies: right-hand side and potential of what lets crowded places widen
    engine::Image spread;  ///< rgba16f on faces [m/s]: how they do, see liquid_spread.comp
    engine::Buffer air;    ///< a word: 0 in a closed box without an EMPTY cell
    engine::Buffer speed;  ///< a word: bits of the greatest speed [cells a step], as a float, of the last step
    std::array<engine::Buffer, 2> reborn;  ///< two words: how many of those that were too many have been born elsewhere, and how many were
                                           ///< wanted in the last step. [0] is the newest
    engine::Buffer gone;  ///< four words: particles that have left through open sides, that were no numbers, that were too many in a cell,
                          ///< that had no room
};

}  // namespace wisp
