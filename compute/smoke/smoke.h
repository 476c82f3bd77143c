// SPDX-License-Identifier: MIT
#pragma once

#include "compute/domain/domain.h"
#include "compute/smoke/initial_images.h"

#include <array>
#include <optional>

namespace wisp {

/// A velocity that the scene prescribes, and the density that it should give.
struct PrescribedFlow {
    engine::Buffer field;       ///< gpu::PrescribedData
    engine::Buffer departures;  ///< vec4 a scalar cell [cells]: where its fluid came from, see depart.comp
    engine::Image exact;        ///< r32f: the density that there should be, see recordExact
    bool exactKnown = false;    ///< `exact` holds it ...
    float greatest = 0.0f;      ///< ... and nowhere more than this
};

/// Smoke, what it needs to be carried, and tracers.
struct Smoke {
    Smoke(engine::Device& device, const Settings& settings, const Domain& domain);

    /// Adds the fields of colours, whose contents are to come.
    void makeColours(engine::Device& device, const Domain& domain);
    /// Adds the record that fading before open sides needs, if it is not there.
    void makeFaded(engine::Device& device);
    [[nodiscard]] bool hasColours() const { return static_cast<bool>(colours[0]); }
    /// What shaders get as `smokeColour`: without colours they need an image that they do not read.
    [[nodiscard]] const engine::Image& smokeColour() const { return hasColours() ? colours[0] : scalars[0]; }

    std::array<engine::Image, 3> scalars;  ///< [0] density, temperature [K] at scalar cells; [1], [2] within a stage
    std::array<engine::Image, 3> colours;  ///< like scalars: density times colour, rgba, a is 0; only where smoke is coloured
    engine::Buffer back, ahead;            ///< displacements [cells] from cell centres to where their fluid was and will be
    engine::Buffer reach;                  ///< a float for each group of trace.comp, of 8x4x2 cells at least: see shaders/shared/reach.glsl
    engine::Buffer bricks, reached;        ///< gpu::SmokeBrick and a word for each, see smoke_bricks.comp, smoke_reach.comp
    engine::Buffer faded;                  ///< record of side_fade.comp; only where smoke fades before open sides
    bool fadedKnown = false;               ///< it holds the sums of the last step
    InitialImages initialImages;           ///< pictures that smoke begins as
    engine::Buffer tracers;  ///< vec4 each, see shaders/shared/tracers.h; only if there are any; more than 1024 fill whole rows, see rowsOf
    std::optional<PrescribedFlow> prescribed;  ///< instead of forces and pressure
};

}  // namespace wisp
