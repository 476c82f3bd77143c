// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/projection.h"

#include <array>
#include <cstdint>
#include <vector>

/// Passes of a sparse simulation: which bricks of 16^3 fine cells are active, and the coarse velocity.
namespace wisp::reference {

inline constexpr int kBrickEdge = 16;  ///< [fine cells]

/// Bricks along each axis. The last ones may hold only the last faces of the box.
inline ivec3 brickCount(const Step& s) { return s.cells / kBrickEdge + 1; }

/// Cells from `first` to `last`, both included.
struct CellRange {
    ivec3 first{0}, last{0};
};
struct SmokeInBrick {
    bool holds = false;
    CellRange cells;     ///< [fine cells of the grid], if it holds smoke
    double reach = 0.0;  ///< longest component of the paths of its cells [cells]
};
/// Pass `brick_smoke`. A value counts above `threshold` of density, or above 100 K times it of temperature. The range consists of whole
/// blocks of 2x2x2 scalar cells, and of whole cells. `reach`: see pathReach(); `group`: cells of one of its values.
Grid<SmokeInBrick> brickSmoke(const Step& s, const Field& scalars, const Numbers& reach, ivec3 group, double threshold);

struct BrickVorticity {
    Numbers swirl;         ///< largest |curl u| H of each brick [m/s], by differences to the coarse cells below
    double fastest = 0.0;  ///< largest |component| of the coarse velocity [m/s]
};
/// Pass `brick_vorticity`.
BrickVorticity brickVorticity(const Step& s, const Field& coarse);

struct BrickState {
    bool active = false, before = false;  ///< in this step and in the step before
    int idle = 0;                         ///< steps in which nothing has needed the brick, at most 9
};
using BrickStates = Grid<BrickState>;

/// A brick is near a surface if its centre is nearer to it than this [cells]: half the diagonal of a brick, two coarse cells, and the
/// distance from the centre to the nearest cell.
double surfaceLimit(const Step& s, ivec3 brick);
/// Distance to the nearest obstacle at the cell nearest to the centre of a brick [cells].
double surfaceDistance(const Step& s, const Field& distance, ivec3 brick);
/// Pass `brick_states`.
BrickStates brickStates(const Step& s, const BrickStates& before, const Grid<SmokeInBrick>& smoke, const BrickVorticity& vorticity,
                        const std::vector<CellRange>& seeds, const Field& distance);

struct ListedBrick {
    ivec3 place{0};
    std::array<bool, 27> active{};  ///< the brick at offset (x, y, z) - 1 is active, with index x + 3 y + 9 z
};
struct BrickLists {
    std::vector<ListedBrick> kept, opened, halo, closing;
};
/// Passes `brick_counts` and `brick_list`.
BrickLists brickLists(const BrickStates& states);
/// Longest component of a path in a step with this largest speed [m/s], in cells.
int pathLimit(const Step& s, double speed);

/// A pass over a part of the bricks. `edge`: its threads along the edge of a brick; `group`: its work group.
struct ListedPass {
    std::vector<ListedBrick> bricks;
    int edge = kBrickEdge;
    ivec3 group{1};
    int near = 0;         ///< work groups of the halo must be so near to active bricks [fine cells]; 0: all are computed
    bool border = false;  ///< also those of active bricks, to bricks that are not active
};
/// Which texels the pass computes, as 1. Only the 26 bricks around a brick count as near.
Grid<int> computedTexels(const ListedPass& pass, const BrickStates& states, ivec3 texels);

/// Pass `close_bricks`: removes the scalars of closing bricks. Returns the removed density in units of 2^-16, of at most 1e6 per cell.
std::uint64_t closeBricks(const Step& s, const BrickStates& states, Field& scalars);

/// Pass `restrict_faces`, for all coarse faces.
Field restrictFaces(const Step& s, const Field& aperture, const Field& velocity);

struct CoarseVelocity {
    Field faces, centre;
};
/// Pass `project_coarse`.
CoarseVelocity projectCoarse(const Step& s, double keep, const Field& weights, const Field& correction, const Field& coarse);

}  // namespace wisp::reference
