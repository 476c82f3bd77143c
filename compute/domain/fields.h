// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/mesh_distance.h"
#include "compute/liquid/liquid.h"
#include "compute/pressure/multigrid.h"
#include "compute/scene/settings.h"
#include "compute/scene/shape_data.h"
#include "compute/smoke/initial_images.h"
#include "engine/resources.h"
#include "shaders/shared/bricks.h"

#include <array>
#include <optional>
#include <vector>

namespace wisp {

/// A record of reduced numbers that a pass leaves on the GPU.
enum class Record : std::size_t {
    Residual,
    Before,
    Velocity,
    Scalars,
    Blocks,
    MiddleBlocks,
    Direction,
    Step,
    Error,
    Faded,
    Particles,
    Surface,
    Count
};

/// The way from a coarser grid, whose cells are blocks of 2x2x2 cells, to the next finer one.
struct BlockFields {
    engine::Buffer openFaces, smoothFaces;  ///< bits of a block, see open_faces.comp, smooth_faces.comp
    std::array<engine::Image, 3> changes;   ///< of the correction on faces of each axis [m/s], see correction_changes.comp
};

/// Ratio 4 reaches the fine grid in two rounds, by way of a grid of cells twice as large. All in float.
struct MiddleFields {
    glm::uvec3 cells{0};
    engine::Image velocity;     ///< mean by flux on faces [m/s], before the projection; w: see restrict_velocity.comp
    engine::Image projected;    ///< after it
    engine::Image openness;     ///< as Fields::openness
    engine::Buffer correction;  ///< as Fields::correction
    BlockFields blocks;         ///< as Fields::blocks
};

/// A field as a checkpoint knows it: texels in the order of memory, x fastest.
struct StateField {
    const char* name;
    glm::uvec3 size;
    VkFormat format;
    const engine::Image* image;  ///< one of the two is null
    const engine::Buffer* buffer;
};

/// Everything that lives from step to step, and the scratch that a step needs. Where things lie: docs/passes.md.
struct Fields {
    Fields(engine::Device& device, const Settings& settings);

    [[nodiscard]] glm::uvec3 cells() const { return grid.cells; }           ///< threads of a pass over fine cells
    [[nodiscard]] glm::uvec3 faces() const { return facesOf(grid.cells); }  ///< ... over fine faces that the fluid moves through
    /// ... over such faces of another level; of one layer alone in flat grids.
    [[nodiscard]] glm::uvec3 facesOf(glm::uvec3 level) const { return {level.x + 1, level.y + 1, grid.isFlat() ? 1 : level.z + 1}; }
    /// ... over the blocks of 2x2x2 cells of a level, and those that begin with its last faces.
    [[nodiscard]] glm::uvec3 blocksOf(glm::uvec3 level) const { return facesOf((level + 1u) / 2u); }
    [[nodiscard]] glm::uvec3 faceTexels() const { return grid.cells + 1u; }  ///< ... over all of them, size of their fields
    [[nodiscard]] glm::uvec3 scalarCells() const { return grid.scalarCells(); }
    [[nodiscard]] glm::uvec3 smokeBricks() const {
        return (grid.scalarCells() + (WISP_SMOKE_BRICK - 1u)) / std::uint32_t{WISP_SMOKE_BRICK};
    }
    [[nodiscard]] glm::uvec3 pressureCells() const { return grid.pressureCells(); }
    [[nodiscard]] gpu::PressureLevel pressureLevel() const;  ///< the pressure grid as level 0 of a pyramid
    [[nodiscard]] glm::uvec3 pressureFaces() const { return grid.pressureCells() + 1u; }
    [[nodiscard]] std::uint64_t vectorBytes() const { return grid.precision == Precision::Half ? 8 : 16; }  ///< of one in a buffer
    /// Those that a step begins with and nothing else determines (see RunState).
    [[nodiscard]] std::vector<StateField> state() const;
    /// Of a reduction over so many cells, where each thread takes several: in no more groups of 256 than fill a large device.
    [[nodiscard]] glm::uvec3 stridedThreads(glm::uvec3 of) const;
    [[nodiscard]] engine::Buffer& record(Record r) { return records[static_cast<std::size_t>(r)]; }

    /// The velocity that was last made divergence-free: after a step scratch[1] still holds it.
    [[nodiscard]] const engine::Image& projected() const { return stepped ? scratch[1] : velocity; }

    GridSettings grid;  ///< where the box is now
    CellBox solids;     ///< fine cells outside of which none is touched by an obstacle
    bool stepped = false;
    bool obstaclesMoved = false;                                                ///< in this step
    bool fadedKnown = false;                                                    ///< Record::Faded holds the sums of the last step
    bool exactKnown = false;                                                    ///< `exact` holds what the density should be ...
    float greatest = 0.0f;                                                      ///< ... which is nowhere more than this
    [[nodiscard]] bool isPrescribed() const { return prescribed.bytes() > 0; }  ///< the velocity is given

    /// Where obstacles were at the beginning of the step.
    [[nodiscard]] const engine::Image& opennessAtStart() const { return obstaclesMoved ? opennessBefore : openness; }
    [[nodiscard]] const engine::Image& distanceAtStart() const { return obstaclesMoved ? solidDistanceBefore : solidDistance; }

    /// Adds the record that fading before open sides needs, if it is not there.
    void makeFaded(engine::Device& device);
    /// Adds the fields of colours, whose contents are to come.
    void makeColours(engine::Device& device);
    [[nodiscard]] bool hasColours() const { return static_cast<bool>(colours[0]); }
    /// What shaders get as `smokeColour`: without colours they need an image that they do not read.
    [[nodiscard]] const engine::Image& smokeColour() const { return hasColours() ? colours[0] : scalars[0]; }

    engine::Image velocity;                ///< [m/s] on faces, rgba; a is 0
    std::array<engine::Image, 2> scratch;  ///< like velocity; free between passes
    engine::Image centre;                  ///< projected velocity at cell centres [m/s], for paths and for the next step's vorticity
    engine::Buffer centreVectors;          ///< the same as vectors in memory, see shaders/shared/vectors.glsl
    engine::Buffer back, ahead;  ///< displacements [cells] from cell centres to where their fluid was and will be; between steps scratch
                                 ///< for vectors at cells
    std::array<engine::Image, 3> scalars;  ///< [0] density, temperature [K] at scalar cells; [1], [2] scratch
    std::array<engine::Image, 3> colours;  ///< like scalars: density times colour, rgba, a is 0; only where smoke is coloured
    engine::Buffer reach;                  ///< a float for each group of trace.comp, of 8x4x2 cells at least: see shaders/shared/reach.glsl
    engine::Buffer bricks, reached;        ///< gpu::SmokeBrick and a word for each, see smoke_bricks.comp, smoke_reach.comp
    MeshDistance meshes;                   ///< distance grids of mesh obstacles
    InitialImages initialImages;           ///< pictures that smoke begins as
    engine::Image openness;                ///< rgba8: xyz open share of the low-side faces, w of the cell
    engine::Image solidDistance;           ///< r16f: signed distance of cell centres to the nearest obstacle [cells]
    engine::Image opennessBefore, solidDistanceBefore;  ///< the same before obstacles last moved; only if any can
    engine::Image solidVelocity;                        ///< of what closes faces that are not wholly open [m/s]

    engine::Buffer weights;  ///< vec4 a coarse face texel, see coarse_openness.comp
    engine::Buffer regular;  ///< bits of a coarse cell: it has six neighbours and weights of 1; it has an equation
    engine::Buffer rhs;      ///< b = -H^2 div [m^2/s] at coarse cells, in the order of shaders/shared/pressure_level.h
    std::array<engine::Buffer, 2>
        pressure;     ///< q [m^2/s]; [0] is the newest, kept for the warm start; [1] is scratch of jacobi and of small grids' cycles
    Pyramid pyramid;  ///< coarser levels, for the solvers that need them, and for liquids
    ConjugateGradient gradient;  ///< for mgpcg
    engine::Buffer correction;   ///< a float for each coarse face [m/s], axis by axis, see pressure_gradient.comp
    engine::Buffer means;        ///< three floats a pressure cell: velocity through its low faces [m/s], see downsample.comp
    BlockFields blocks;          ///< of the fine grid, with pressure_ratio 2 or 4

    std::optional<MiddleFields> middle;  ///< with pressure_ratio 4
    std::optional<LiquidFields> liquid;  ///< instead of smoke

    engine::Buffer prescribed;  ///< gpu::PrescribedData; only where the velocity is given
    engine::Buffer departures;  ///< likewise: vec4 a scalar cell [cells], see depart.comp
    engine::Image exact;        ///< likewise: r32f, the density that there should be, see recordExact

    engine::Buffer
        tracers;  ///< vec4 each, see shaders/shared/tracers.h; only if there are any; more than 1024 are filled up to a multiple of that

    engine::Buffer step;      ///< gpu::StepData
    engine::Buffer partials;  ///< records of a reduction's groups
    std::array<engine::Buffer, static_cast<std::size_t>(Record::Count)>
        records;                              ///< 8 floats each; Faded only where smoke fades before open sides
    std::vector<engine::Buffer> bodyRecords;  ///< likewise, of each obstacle that may be: of pressure, of friction

private:
    std::uint64_t stridedGroups_;
    void makePressureFields(engine::Device& device, const Settings& settings, VkFormat vectorFormat);
};

inline constexpr std::size_t kRecordBytes = 8 * sizeof(float);

/// Threads of a reduction over `cells`: groups of 256 in rows that every device can dispatch.
glm::uvec3 reductionThreads(glm::uvec3 cells);
/// Elements of a buffer as a field of a checkpoint, which is read by rows and has no long edges: whole rows, the last one filled up.
glm::uvec3 rowsOf(std::uint64_t elements);

}  // namespace wisp
