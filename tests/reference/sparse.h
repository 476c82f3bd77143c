// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/projection.h"

#include <array>
#include <cstddef>
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
    double most = 0.0;   ///< the largest value above the threshold, as a density
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

inline constexpr int kRanks = 8;
struct BrickState {
    bool active = false, before = false;  ///< in this step and in the step before
    int idle = 0;                         ///< steps in which nothing has needed the brick, at most 9
    bool solid = false;                   ///< its centre is in an obstacle
    int rank = 0;                         ///< of a brick to be opened: active, and not before
    [[nodiscard]] bool opens() const { return active && !before; }
};
using BrickStates = Grid<BrickState>;

/// Distance from the centre of a brick to the nearest obstacle [cells]; 64 without obstacles.
double surfaceDistance(const Step& s, ivec3 brick);
/// A brick is near a surface if its centre is nearer to it than this [cells]: half the diagonal of a brick and two coarse cells.
double surfaceLimit(const Step& s);
/// Pass `brick_states`. `threshold`: of density.
BrickStates brickStates(const Step& s, const BrickStates& before, const Grid<SmokeInBrick>& smoke, const BrickVorticity& vorticity,
                        const std::vector<CellRange>& seeds, double threshold, double vorticityThreshold);

/// Whether a fine face has a weight in pre-smoothing: its texel and the cells beside it are in active bricks.
bool isSmoothed(const BrickStates& states, ivec3 face, int axis);

/// Slots of a brick in fields of velocity and of smoke. Two slots are blank: 0 and, for velocity in a solid, 1.
struct SlotsOfBrick {
    std::uint32_t flow = 0, smoke = 0;
    bool operator==(const SlotsOfBrick&) const = default;
};
inline constexpr std::uint32_t kOpenSlot = 0, kSolidSlot = 1, kFirstSlot = 2;

struct ListedBrick {
    ivec3 place{0};
    std::array<bool, 27> active{};  ///< the brick at offset (x, y, z) - 1 is active, with index x + 3 y + 9 z
    bool isNew = false;             ///< it has taken its slot of velocity in this step
    bool besideOpened = false;      ///< it is opened, or one of the 26 bricks around it is
    SlotsOfBrick slots;             ///< a closing brick has the slot of smoke that it gives up
};
struct BrickLists {
    std::vector<ListedBrick> kept, opened, halo, closing;
};
/// The list of these states, where all bricks get what they want. Slots are 0.
BrickLists brickLists(const BrickStates& states);

/// Slots of all bricks, and those that no brick has, in the order in which they are taken.
struct SlotTable {
    Grid<SlotsOfBrick> slots;
    std::vector<std::uint32_t> freeFlow, freeSmoke;
};
/// The lowest rank of bricks that may be opened: all bricks of a rank are opened with their neighbours, or none. Bricks take only slots
/// that are free before any brick leaves one.
int lowestRank(const BrickStates& wanted, const SlotTable& table);
/// Passes `brick_wanted`, `brick_counts`, `brick_list` and `brick_slots`.
struct BrickPlan {
    BrickStates states;  ///< without refused bricks
    BrickLists lists;
    SlotTable after;
    std::size_t taken = 0, left = 0, refused = 0;  ///< slots of velocity, bricks
};
BrickPlan planBricks(const BrickStates& wanted, const SlotTable& before);
/// Longest component of a path in a step with this largest speed [m/s], in cells.
int pathLimit(const Step& s, double speed);

/// A pass over a part of the bricks. `edge`: its threads along the edge of a brick; `group`: its work group.
struct ListedPass {
    std::vector<ListedBrick> bricks;
    int edge = kBrickEdge;
    ivec3 group{1};
    int near = 0;    ///< work groups of the halo must be so near to active bricks [fine cells]; 0: all are computed
    int border = 0;  ///< those of kept bricks, to bricks that are not kept; 0: all are computed
};
/// Which texels the pass computes, as 1. Only the 26 bricks around a brick count as near. `border` skips only parts of kept bricks that are
/// not beside opened ones, and nothing if it is longer than a brick.
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

/// Sizes of the light volumes and of the ordinates.
struct WindowLimits {
    ivec3 lightCells{1};
    int ordinates = 1;                    ///< most cells of the finest grid along an axis
    int lightEdge = 1, ordinateEdge = 1;  ///< smallest edges of their cells [fine cells]
};
struct WindowOfLight {
    ivec3 low{0}, size{0};  ///< [fine cells]
    ivec3 lightCells{0}, skyCells{0};
    std::array<ivec3, 3> ordinateCells{};  ///< the coarsest first
    int scale = 1;                         ///< edge of a light cell over the smallest edge
};
/// Pass `light_window`: around the fine cells from `first` up to but without `end`.
WindowOfLight lightWindow(const Step& s, ivec3 first, ivec3 end, const WindowLimits& limits);

}  // namespace wisp::reference
