// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "engine/recorder.h"
#include "engine/resources.h"

#include <array>
#include <cstdint>
#include <utility>

/// A liquid simulated with particles and a grid (PIC, FLIP: Zhu, Bridson 2005; APIC: Jiang et al. 2015). Particles carry the velocity. The
/// pressure is solved on the grid, the same staggered grid as that of smoke. See docs/liquid.md.
namespace wisp {

/// Particles are sorted by cell, in a stable order, so that every run gives the same order.
struct Liquid {
    Liquid(engine::Device& device, const Settings& settings);

    /// Threads of a pass over particles, one for each particle that memory is allocated for.
    [[nodiscard]] glm::uvec3 particles() const { return {capacity, 1, 1}; }

    std::uint32_t capacity;  ///< number of particles that memory is allocated for: whole rows, see rowsOf
    std::uint32_t most;      ///< largest number of particles, Settings::liquidCapacity
    bool in8Lanes;           ///< on a GPU: eight threads per texel gather its particles
    bool affine;             ///< particles carry gradients for APIC
    /// A vec4 per particle: xyz is its position [fine cells] from the low corner of the box, w see shaders/shared/liquid/liquid.h.
    /// [0] is the latest.
    std::array<engine::Buffer, 2> positions;
    std::array<engine::Buffer, 2> velocities;  ///< a vec4 per particle [m/s], w is unused. [0] is the latest
    std::array<engine::Buffer, 2> gradients;   ///< with APIC, three vec4 per particle: gradients of u, v, w [1/s]. [0] is the latest
    /// A word per fine cell, x fastest: index of the first particle of the cell. One more word at the end: number of particles.
    /// At the end of a step [0] belongs to places[0].
    std::array<engine::Buffer, 2> cellFirst;
    engine::Buffer counts;                ///< a word per cell: number of particles
    engine::Buffer taken;                 ///< a word per cell: bits of its subcells that contain a particle, see liquid_count.comp
    engine::Buffer spawned;               ///< a word per cell: bits of its subcells in which to spawn a particle
    engine::Buffer spawnedFirst, blocks;  ///< scratch of the prefix sums
    engine::Buffer ranks, order;          ///< scratch of the sort, a word per particle
    engine::Buffer known;    ///< a word per face texel: for each axis a byte, the extrapolation layer in which the velocity became known
    engine::Buffer density;  ///< a float per cell: share of the open space around its centre that liquid fills
    engine::Buffer surface;  ///< two floats per cell: signed distance of its centre to the surface [cells], negative in the liquid; density
    engine::Buffer densityError,
        densityPotential;              ///< a float per cell, in the order of the pressure: density error, density-correction potential
    engine::Image positionCorrection;  ///< rgba16f on faces [m/s]: position correction, see liquid_position_correction.comp
    engine::Buffer air;                ///< a word: 0 in a closed box without an EMPTY cell
    engine::Buffer speed;              ///< a word: bits of a float, the largest speed of the last step [cells per step]
    /// Two words: number of surplus particles that were spawned again in thin regions so far, and number that the last step still wanted.
    /// [0] is the latest.
    std::array<engine::Buffer, 2> respawned;
    /// Four words: number of particles that left through open sides, that became NaN, that were surplus in their cell, and that were not
    /// spawned for lack of memory.
    engine::Buffer removed;
    engine::Buffer particleRecord, surfaceRecord;  ///< records of measure_liquid.comp, measure_surface.comp
};

}  // namespace wisp
