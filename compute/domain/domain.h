// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/bricks.h"
#include "compute/domain/mesh_distance.h"
#include "compute/scene/settings.h"
#include "compute/scene/shape_data.h"
#include "engine/recorder.h"
#include "engine/resources.h"
#include "shaders/shared/bricks.h"
#include "shaders/shared/pressure_level.h"

#include <cstdint>
#include <optional>

namespace wisp {

/// Size of a record, the numbers that a reduction leaves on the GPU, see shaders/shared/reduce.glsl.
inline constexpr std::size_t kRecordBytes = 8 * sizeof(float);

/// Rounds of passes over fine cells, scalar cells and blocks of fine cells, see Domain::inRounds. The quickest on an H200.
inline constexpr std::uint32_t kCellRounds = 4, kScalarRounds = 8, kBlockRounds = 2;

/// The simulation box and its obstacles, which every stage reads. docs/passes.md shows where fields lie on the grid.
struct Domain {
    /// `particles`: size of the reductions over particles, see stridedThreads.
    Domain(engine::Device& device, const Settings& settings, glm::uvec3 particles = glm::uvec3(0));

    [[nodiscard]] glm::uvec3 cells() const { return grid.cells; }  ///< threads of a pass over fine cells
    /// Threads of a pass over the fine faces that the fluid moves through.
    [[nodiscard]] glm::uvec3 faces() const { return facesOf(grid.cells); }
    /// The same for a level with `level` cells. Flat grids have one layer only.
    [[nodiscard]] glm::uvec3 facesOf(glm::uvec3 level) const { return {level.x + 1, level.y + 1, grid.isFlat() ? 1 : level.z + 1}; }
    /// Threads of a pass over the blocks of 2x2x2 cells of a level, including the blocks that begin at its last faces.
    [[nodiscard]] glm::uvec3 blocksOf(glm::uvec3 level) const { return facesOf((level + 1u) / 2u); }
    /// Threads of a pass over the fine cells or faces that the simulation stores: all, or those of active bricks. `around`: also those so
    /// near to active bricks [cells]. `more`: constants of the variant for bricks.
    [[nodiscard]] engine::Threads storedCells(std::uint32_t around = 0, engine::ShaderConstants more = {}) const;
    [[nodiscard]] engine::Threads storedFaces() const;
    [[nodiscard]] engine::Threads storedScalarCells() const;
    /// Threads of a pass over scalar cells that skips those which smoke cannot reach, see shaders/shared/reached.glsl.
    [[nodiscard]] engine::Threads reachableScalarCells() const;
    [[nodiscard]] engine::Threads storedSmokeBricks() const;
    /// The same cells, of which each thread takes `rounds`, one after the other, if they are listed. For shaders with
    /// shared/each_cell.glsl.
    [[nodiscard]] engine::Threads inRounds(engine::Threads threads, std::uint32_t rounds) const;
    /// Threads of a pass over a box that skips most of its cells: on CPU devices each takes several layers, see
    /// shaders/shared/each_cell.glsl.
    [[nodiscard]] glm::uvec3 inLayers(glm::uvec3 box) const;
    /// Constants of a variant for bricks with cubes of `edge` threads as work groups, for shaders with long rows in dense simulations.
    [[nodiscard]] engine::ShaderConstants cubes(std::uint32_t edge = 8) const;
    /// Cells of a work group of backtrace.comp in a sparse simulation, see shaders/shared/reach.glsl.
    [[nodiscard]] glm::uvec3 pathGroup() const {
        return isCpu_ ? glm::uvec3(8, engine::kCpuGroupY, engine::kCpuGroupZ) : glm::uvec3(8, 8, 4);
    }
    [[nodiscard]] glm::uvec3 faceTexels() const { return grid.cells + 1u; }  ///< size of fields on fine faces of a dense simulation
    /// Size of an image on the fine grid, which has the size `dense` in a dense simulation. Slots have a margin of a texel.
    [[nodiscard]] glm::uvec3 flowTexels(glm::uvec3 dense) const { return bricks ? bricks->flowTexels(WISP_BRICK_EDGE + 1) : dense; }
    /// The same of a grid with `edge` cells along an edge of a brick, without margins.
    [[nodiscard]] glm::uvec3 flowTexels(glm::uvec3 dense, std::uint32_t edge) const { return bricks ? bricks->flowTexels(edge) : dense; }
    /// Number of elements of a buffer on the fine grid.
    [[nodiscard]] std::uint64_t flowElements(std::uint64_t dense, std::uint64_t edge = WISP_BRICK_EDGE) const {
        return bricks ? bricks->flowSlots * edge * edge * edge : dense;
    }
    [[nodiscard]] glm::uvec3 scalarTexels() const {
        return bricks ? bricks->smokeTexels(WISP_BRICK_EDGE * grid.scalarRatio + 1) : grid.scalarCells();
    }
    [[nodiscard]] glm::uvec3 scalarCells() const { return grid.scalarCells(); }
    [[nodiscard]] glm::uvec3 smokeBricks() const {
        return (grid.scalarCells() + (WISP_SMOKE_BRICK - 1u)) / std::uint32_t{WISP_SMOKE_BRICK};
    }
    [[nodiscard]] glm::uvec3 pressureCells() const { return grid.pressureCells(); }
    [[nodiscard]] glm::uvec3 pressureFaces() const { return grid.pressureCells() + 1u; }
    [[nodiscard]] gpu::PressureLevel pressureLevel() const;  ///< the pressure grid as level 0 of a pyramid
    [[nodiscard]] bool isHalf() const { return grid.precision == Precision::Half; }
    [[nodiscard]] VkFormat vectorFormat() const { return isHalf() ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R32G32B32A32_SFLOAT; }
    [[nodiscard]] std::uint64_t vectorBytes() const { return isHalf() ? 8 : 16; }  ///< size of a vector in a buffer
    /// Threads of a reduction over `of` cells in which each thread takes several cells: no more groups of 256 than fill a large device.
    [[nodiscard]] glm::uvec3 stridedThreads(glm::uvec3 of) const;

    /// Obstacles as they were at the beginning of the step.
    [[nodiscard]] const engine::Image& apertureAtStart() const { return obstaclesMoved ? apertureBefore : aperture; }
    [[nodiscard]] const engine::Image& distanceAtStart() const { return obstaclesMoved ? solidDistanceBefore : solidDistance; }
    [[nodiscard]] bool hasSolids() const { return solids.size.x > 0 && solids.size.y > 0 && solids.size.z > 0; }

    /// Makes the next recordObstacles for each image of the aperture write all cells, because more than the obstacles has changed.
    void rewriteAll() { solidsOfAperture = solidsOfApertureBefore = {glm::ivec3(0), cells()}; }
    /// The texels of `rewritten` in a field on fine faces. The texel after the last cell holds the high face of that cell.
    [[nodiscard]] CellBox rewrittenTexels() const { return {rewritten.first, rewritten.size + 1u}; }
    /// Whether `rewritten` is the whole grid.
    [[nodiscard]] bool rewritesAll() const { return rewritten.size == cells(); }
    /// The blocks (or coarse cells) of `edge` fine cells whose faces belong to `rewritten`, and those beside them. `all`: their number.
    [[nodiscard]] CellBox rewrittenBlocks(int edge, glm::uvec3 all) const;

    GridSettings grid;                                  ///< the grid at the current position of the box
    CellBox solids;                                     ///< fine cells that obstacles may touch
    CellBox solidsBefore;                               ///< the same for obstacles before they moved in this step
    CellBox solidsOfAperture, solidsOfApertureBefore;   ///< the same for obstacles in these images; all cells if it is not known
    CellBox rewritten;                                  ///< fine cells that the last recordObstacles has written, see rewrittenCells
    bool obstaclesMoved = false;                        ///< in this step
    MeshDistance meshes;                                ///< distance grids of mesh obstacles
    engine::Image aperture;                             ///< rgba8: xyz apertures (open fractions) of the low faces, w of the cell
    engine::Image solidDistance;                        ///< r32f: signed distance of cell centres to the nearest obstacle [cells]
    engine::Image apertureBefore, solidDistanceBefore;  ///< the same before obstacles last moved; only if any can move
    engine::Image solidVelocity;                        ///< velocity of the solid on faces that are not fully open [m/s]
    engine::Buffer step;                                ///< gpu::StepData
    std::optional<Bricks> bricks;                       ///< of a sparse simulation
    engine::Buffer partials;                            ///< a record per work group of a reduction; every reduction overwrites them

private:
    bool isCpu_;
    std::uint64_t stridedGroups_;
};

/// Threads of a reduction over `cells`, one thread per cell: groups of 256 in rows that every device can dispatch.
glm::uvec3 reductionThreads(glm::uvec3 cells);
/// Number of work groups of a reduction with these threads.
std::uint64_t reductionGroups(glm::uvec3 threads);
/// Size of a buffer of `elements` as a field of a checkpoint, which is read by rows and has no long edges. The last row is padded.
glm::uvec3 rowsOf(std::uint64_t elements);
/// Number of cells, faces or blocks.
inline std::uint64_t countOf(glm::uvec3 size) { return std::uint64_t{size.x} * size.y * size.z; }
/// Number of blocks of this edge that cover a grid of this size.
inline glm::uvec3 ceilDiv(glm::uvec3 size, std::uint32_t edge) { return (size + edge - 1u) / edge; }

/// Reduces Domain::partials, written by a pass with these threads, to the record `into`.
void recordReduceFinal(engine::Recorder&, const Domain&, glm::uvec3 threads, const engine::Buffer& into);
/// Along periodic axes, repeats the first texels of a field on fine faces after its last cells. For passes that read across the side.
void recordWrapFaces(engine::Recorder&, const Domain&, const engine::Image& faces);
/// Obstacles -> signed distance, apertures of fine faces, velocity of solids. Only the apertures and velocities in Domain::rewritten may
/// change. recordClosePieces and recordCoarseAperture run over the same cells.
void recordObstacles(engine::Recorder&, Domain&);
/// The same for bricks that a sparse simulation has just opened or put into the halo, also for the images before obstacles moved.
void recordObstaclesOfFilled(engine::Recorder&, const Domain&);
/// In a sparse simulation: makes the margins of the slots of a field current (see shaders/shared/storage.glsl), on fine faces or cells,
/// or of smoke.
void recordFaceMargins(engine::Recorder&, const Domain&, const engine::Image& field);
void recordCellMargins(engine::Recorder&, const Domain&, const engine::Image& field);
void recordSmokeMargins(engine::Recorder&, const Domain&, const engine::Image& field);
/// The blank slots of an aperture, and of the distance on the same grid, if that exists. `edge`: of a slot [texels].
void recordBlankSlots(engine::Recorder&, const engine::Image& aperture, const engine::Image& distance, std::uint32_t edge);

}  // namespace wisp
