// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/level.h"
#include "tests/reference/solids.h"

#include <array>

/// From the pressure to the fine velocity: correction, upsampling and local repair.
namespace wisp::reference {

using Level = gpu::Level;

/// Blocks of 2x2x2 cells of a level; the last are cut short where it is odd.
inline ivec3 blocks(const Level& level) { return (level.cells + 1) / 2; }

/// Whether it is of a flat grid, whose blocks are the four cells that there are and the image of them. Deep grids have such a level with
/// ratio 4 and two cells in depth alone: twins are not for those.
inline bool isFlat(const Level& level) { return level.cells.z == 1; }
/// The cells of a block that are no images.
inline ivec3 ownCells(const Level& level) { return {2, 2, isFlat(level) ? 1 : 2}; }

/// Whether a grid of `cells` has this face.
bool gridHasFace(ivec3 cells, ivec3 c, int axis);

/// Pass `subtract_gradient` (ratio 1).
Field subtractGradient(const Step& s, const Field& weights, const Numbers& q, const Field& solid, const Field& velocity);

/// Pass `open_faces`: bits 0 to 2 for wholly open low faces of a block, bit 3 where it is clear.
Numbers openFaces(const Level& level, const Field& openness);

/// Mean velocity through the low face of a block over four wholly open faces.
double meanThrough(const Level& level, const Field& velocity, ivec3 block, int axis);

/// Pass `restrict_openness`.
Field restrictOpenness(const Level& level, const Field& openness);
/// Pass `restrict_velocity`.
Field restrictVelocity(const Level& level, const Field& openness, const Field& solid, const Field& velocity);

/// Pass `pressure_gradient`; the level is the one below the pressure grid.
Field pressureGradient(const Step& s, const Level& level, const Field& weights, const Numbers& q, const Field& velocity,
                       const Field& openness);

/// Pass `smooth_faces`: bits 0 to 2 where the low face of a block and the eight around it in its plane are wholly open.
Numbers smoothFaces(const Level& level, const Numbers& open, int periodic = 0);

/// Pass `correction_changes`, for the faces of each axis: value, changes over half a finer cell along the next two axes, twist.
using Changes = std::array<Field, 3>;
Changes correctionChanges(const Step& s, const Level& level, const Numbers& open, const Field& correction);

/// Pass `project`.
Field project(const Level& level, const Numbers& open, const Changes& changes, const Field& velocity);

/// Pass `repair`, and by how much a face may differ when the block's system is solved up to a residual of 1e-6 of its
/// right-hand side.
struct Repaired {
    Field velocity, uncertainty;
};
Repaired repair(const Level& level, const Field& openness, const Field& solid, const Field& outflow, const Numbers& open,
                const Field& velocity);

/// Passes `small_pieces`, which looks at the openness of a level, and `close_pieces`, which closes faces of the fine one.
Field closePieces(const Level& level, const Field& openness, const Field& fine, int periodic = 0);
/// Faces within blocks at least as open as the lesser of what their two cells open to outside of it.
Field widenGaps(const Field& openness);

/// Pass `measure_blocks`: blocks whose fluid is in two pieces or more.
int splitBlocks(const Level& level, const Field& openness);

/// Pass `correction`.
Field correctionBetween(const Level& level, const Field& openness, const Field& before, const Field& projected);

Field centreVelocity(const Step& s, const Field& velocity);

}  // namespace wisp::reference
