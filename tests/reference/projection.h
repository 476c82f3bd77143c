// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/level.h"
#include "tests/reference/solids.h"

#include <array>

/// From the pressure to the fine velocity: correction, upsampling and local repair.
namespace wisp::reference {

using Level = gpu::Level;

/// Number of blocks of 2x2x2 cells in a level. The last blocks are cut short if a cell count is odd.
inline ivec3 blocks(const Level& level) { return (level.cells + 1) / 2; }

/// Whether the level belongs to a flat grid. Its blocks consist of four cells and their copy in z. 3D grids have such a level only with
/// ratio 4 and a depth of two cells, which these twins do not support.
inline bool isFlat(const Level& level) { return level.cells.z == 1; }
/// Cells of a block without the copy in z.
inline ivec3 ownCells(const Level& level) { return {2, 2, isFlat(level) ? 1 : 2}; }

/// Whether a grid of `cells` has this face.
bool gridHasFace(ivec3 cells, ivec3 c, int axis);

/// Pass `subtract_gradient` (ratio 1).
Field subtractGradient(const Step& s, const Field& weights, const Numbers& q, const Field& solid, const Field& velocity);

/// Pass `open_faces`. Bits 0 to 2: the low face of a block is fully open. Bit 3: the block is clear.
Numbers openFaces(const Level& level, const Field& aperture);

/// Mean velocity through the low face of a block, over four fully open faces.
double meanThrough(const Level& level, const Field& velocity, ivec3 block, int axis);

/// Pass `restrict_aperture`.
Field restrictAperture(const Level& level, const Field& aperture);
/// Pass `restrict_velocity`. w of the velocity: divergence [1/s] that expansion causes. `h`: edge of a fine cell [m], here and below.
Field restrictVelocity(const Level& level, const Field& aperture, const Field& solid, const Field& velocity, double h);

/// Pass `pressure_gradient`. `level` is the level below the pressure grid.
Field pressureGradient(const Step& s, const Level& level, const Field& weights, const Numbers& q, const Field& velocity,
                       const Field& aperture);

/// Passes `presmooth_divergence` and `presmooth_pressure` (all sweeps). w of `projected`: divergence [1/s] that
/// expansion causes.
Numbers presmoothDivergence(const Step& s, const Field& aperture, const Field& solid, const Field& velocity, const Field& projected);
Numbers presmoothPressure(const Step& s, const Field& aperture, const Numbers& e);
/// The second part of the pass `accelerate`.
Field presmoothVelocity(const Step& s, const Numbers& x, const Field& velocity);

/// Pass `smooth_faces`. Bits 0 to 2: the low face of a block and its eight neighbours in the plane are fully open. Bit 3: the block and
/// those around it that exist are clear.
Numbers smoothFaces(const Level& level, const Numbers& open, int periodic = 0);

/// Pass `correction_changes`, for the faces of each axis: value, changes over half a finer cell along the next two axes, twist.
using Changes = std::array<Field, 3>;
Changes correctionChanges(const Step& s, const Level& level, const Numbers& open, const Field& correction);

/// Pass `project`. w of the velocity: divergence of the fine level; outflow of the intermediate level, see restrictVelocity.
Field project(const Level& level, const Numbers& open, const Changes& changes, const Field& velocity, double h);

/// Pass `repair`. `uncertainty`: largest difference of a face when the block's system is solved to a residual of 1e-6 of its right-hand
/// side.
struct Repaired {
    Field velocity, uncertainty;
};
Repaired repair(const Level& level, const Field& aperture, const Field& solid, const Field& outflow, const Numbers& open,
                const Field& velocity, double h);

/// Passes `small_pieces`, which reads the aperture of a level, and `close_pieces`, which closes faces of the fine level.
Field closePieces(const Level& level, const Field& aperture, const Field& fine, int periodic = 0);
/// Pass `widen_gaps`. `aperture`: of the level. `fine`: of the fine level.
Field widenGaps(const Level& level, const Field& aperture, const Field& fine);

/// Pass `measure_blocks`: number of blocks whose fluid is split into two or more pieces.
int splitBlocks(const Level& level, const Field& aperture);

/// Pass `correction`.
Field correctionBetween(const Level& level, const Field& aperture, const Field& before, const Field& projected);

Field centreVelocity(const Step& s, const Field& velocity);

}  // namespace wisp::reference
