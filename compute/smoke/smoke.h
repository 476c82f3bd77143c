// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/domain.h"
#include "compute/smoke/initial_images.h"
#include "compute/smoke/volume_sources.h"

#include <array>
#include <optional>

namespace wisp {

/// A prescribed velocity, and the exact density that results from it.
struct PrescribedFlow {
    engine::Buffer field;       ///< gpu::PrescribedData
    engine::Buffer departures;  ///< a vec4 per scalar cell [cells]: position of its fluid at t = 0, see departure_points.comp
    engine::Image exact;        ///< r32f: the exact density, see recordExact
    bool exactKnown = false;    ///< `exact` is up to date
    float greatest = 0.0f;      ///< largest exact density
};

/// Whether a scheme advects scalars in several passes.
bool correctsScalars(AdvectionScheme scheme);

/// Smoke, the fields that its advection needs, and tracers.
struct Smoke {
    Smoke(engine::Device& device, const Settings& settings, const Domain& domain);

    /// Allocates the colour fields. Their contents are undefined.
    void makeColours(engine::Device& device, const Domain& domain);
    /// Allocates what only schemes with corrections use: scalars[1] and colours[1]. Its contents are undefined.
    void makeScratch(engine::Device& device);
    /// Allocates the record of fading at open sides, if it does not exist.
    void makeFaded(engine::Device& device);
    [[nodiscard]] bool hasColours() const { return static_cast<bool>(colours[0]); }
    [[nodiscard]] VolumeSources::Target volumeTarget() const { return {scalars[0], hasColours() ? &colours[0] : nullptr}; }
    /// The image for the shader binding `smokeColour`. Without colours it is a placeholder that shaders do not read.
    [[nodiscard]] const engine::Image& smokeColour() const { return hasColours() ? colours[0] : scalars[0]; }

    /// [0] density, temperature [K], fuel, divergence [1/s] (see react.comp) at scalar cells, as many as the scene has; [1], [2] are
    /// scratch of a stage. A sparse simulation has [1] only if correctsScalars.
    std::array<engine::Image, 3> scalars;
    bool expands = false;                  ///< gas expands where it is heated
    std::array<engine::Image, 3> colours;  ///< like scalars: density times colour, rgba, a is 0; only if smoke is coloured
    engine::Buffer bricks, reached;        ///< a gpu::SmokeBrick and a word per brick, see smoke_bricks.comp, smoke_reach.comp
    engine::Buffer faded;                  ///< record of side_fade.comp; only if smoke fades at open sides
    bool fadedKnown = false;               ///< `faded` holds the sums of the last step
    engine::Buffer crossed;                ///< gpu::CrossedSum, WISP_CROSSED_SUMS of them; empty with liquid
    InitialImages initialImages;           ///< images of initial smoke
    VolumeSources volumes;                 ///< volume files of emitters and initial smoke
    engine::Buffer tracers;  ///< a vec4 per tracer, see shaders/shared/tracers.h, padded to whole rows, see rowsOf; empty without tracers
    std::optional<PrescribedFlow> prescribed;  ///< replaces forces and pressure
};

}  // namespace wisp
