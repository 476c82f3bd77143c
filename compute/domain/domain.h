// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/mesh_distance.h"
#include "compute/scene/settings.h"
#include "compute/scene/shape_data.h"
#include "engine/recorder.h"
#include "engine/resources.h"
#include "shaders/shared/bricks.h"
#include "shaders/shared/pressure_level.h"

#include <cstdint>

namespace wisp {

/// Size of a record: the reduced numbers that a measuring pass leaves on the GPU, see shaders/shared/reduce.glsl.
inline constexpr std::size_t kRecordBytes = 8 * sizeof(float);

/// The box and the obstacles in it, which every stage reads. Where fields lie on the grid: docs/passes.md.
struct Domain {
    /// `particles`: that are reduced, too (see stridedThreads).
    Domain(engine::Device& device, const Settings& settings, glm::uvec3 particles = glm::uvec3(0));

    [[nodiscard]] glm::uvec3 cells() const { return grid.cells; }  ///< threads of a pass over fine cells
    [[nodiscard]] glm::uvec3 faces() const {
        return facesOf(grid.cells);
    }  ///< threads of a pass over the fine faces that the fluid moves through
    /// Threads of a pass over such faces of another level; of one layer alone in flat grids.
    [[nodiscard]] glm::uvec3 facesOf(glm::uvec3 level) const { return {level.x + 1, level.y + 1, grid.isFlat() ? 1 : level.z + 1}; }
    /// Threads of a pass over the blocks of 2x2x2 cells of a level, and those that begin with its last faces.
    [[nodiscard]] glm::uvec3 blocksOf(glm::uvec3 level) const { return facesOf((level + 1u) / 2u); }
    [[nodiscard]] glm::uvec3 faceTexels() const { return grid.cells + 1u; }  ///< size of fields on fine faces
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
    /// Threads of a reduction over so many cells in which each thread takes several: no more groups of 256 than fill a large device.
    [[nodiscard]] glm::uvec3 stridedThreads(glm::uvec3 of) const;

    /// Obstacles as they were at the beginning of the step.
    [[nodiscard]] const engine::Image& opennessAtStart() const { return obstaclesMoved ? opennessBefore : openness; }
    [[nodiscard]] const engine::Image& distanceAtStart() const { return obstaclesMoved ? solidDistanceBefore : solidDistance; }
    [[nodiscard]] bool hasSolids() const { return solids.size.x > 0 && solids.size.y > 0 && solids.size.z > 0; }

    GridSettings grid;                                  ///< where the box is now
    CellBox solids;                                     ///< fine cells outside of which none is touched by an obstacle
    bool obstaclesMoved = false;                        ///< in this step
    MeshDistance meshes;                                ///< distance grids of mesh obstacles
    engine::Image openness;                             ///< rgba8: xyz open share of the low-side faces, w of the cell
    engine::Image solidDistance;                        ///< r32f: signed distance of cell centres to the nearest obstacle [cells]
    engine::Image opennessBefore, solidDistanceBefore;  ///< the same before obstacles last moved; only if any can move
    engine::Image solidVelocity;                        ///< velocity of what closes faces that are not wholly open [m/s]
    engine::Buffer step;                                ///< gpu::StepData
    engine::Buffer partials;                            ///< records of a reduction's groups; every reduction overwrites them

private:
    std::uint64_t stridedGroups_;
};

/// Threads of a reduction over `cells`, a thread a cell: groups of 256 in rows that every device can dispatch.
glm::uvec3 reductionThreads(glm::uvec3 cells);
/// Work groups of a reduction by so many threads.
std::uint64_t reductionGroups(glm::uvec3 threads);
/// Elements of a buffer as a field of a checkpoint, which is read by rows and has no long edges: whole rows, the last one filled up.
glm::uvec3 rowsOf(std::uint64_t elements);
/// Number of cells, faces or blocks.
inline std::uint64_t countOf(glm::uvec3 size) { return std::uint64_t{size.x} * size.y * size.z; }

/// Reduces Domain::partials, left by a pass of so many threads, to the record `into`.
void recordFold(engine::Recorder&, const Domain&, glm::uvec3 threads, const engine::Buffer& into);
/// Repeats the first texels of a field on fine faces past its last cells, along periodic axes: for passes that read across the seam.
void recordWrapFaces(engine::Recorder&, const Domain&, const engine::Image& faces);
/// Obstacles -> signed distance, openness of fine faces, their velocity.
void recordObstacles(engine::Recorder&, Domain&);

}  // namespace wisp
