// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/level.h"
#include "tests/reference/solids.h"

/// From the pressure to the fine velocity: correction, upsampling and local repair.
namespace wisp::reference {

using Level = gpu::Level;

/// Blocks of 2x2x2 cells of a level; the last are cut short where it is odd.
inline ivec3 blocks(const Level& level) { return (level.cells + 1) / 2; }

/// Pass `subtract_gradient` (ratio 1).
Field subtractGradient(const Step& s, const Field& weights, const Numbers& q, const Field& solid, const Field& velocity);

/// Pass `clear_blocks`: 1 where all eight cells exist and are wholly open.
Numbers clearBlocks(const Level& level, const Field& openness);

/// Pass `restrict_openness`.
Field restrictOpenness(const Level& level, const Field& openness);
/// Pass `restrict_velocity`.
Field restrictVelocity(const Level& level, const Field& openness, const Field& solid, const Field& velocity);

/// Pass `pressure_gradient`; the level is the one below the pressure grid.
Field pressureGradient(const Step& s, const Level& level, const Field& weights, const Numbers& q, const Field& velocity, const Field& openness);

/// Pass `project`.
Field project(const Level& level, const Field& correction, const Numbers& clear, const Field& velocity);

/// Pass `repair`, and by how much a face may differ when the block's system is solved up to a residual of 1e-6 of its
/// right-hand side.
struct Repaired {
    Field velocity, uncertainty;
};
Repaired repair(const Level& level, const Field& openness, const Field& solid, const Field& outflow, const Numbers& clear, const Field& velocity);

/// Pass `correction`.
Field correctionBetween(const Level& level, const Field& openness, const Field& before, const Field& projected);

Field centreVelocity(const Step& s, const Field& velocity);

}  // namespace wisp::reference
