// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/light_volumes.h"
#include "compute/scene/settings.h"
#include "engine/recorder.h"

#include <glm/vec3.hpp>

#include <array>
#include <vector>

namespace wisp {

/// Light that has been scattered before, in smoke of any depth, by discrete ordinates on coarse cells (Chandrasekhar 1950): radiance along
/// 14 directions.
///
/// The finest grid has at most RenderSettings::scatteringCells along an edge. Sweeps begin on cells four times as large, where light comes
/// a long way in one sweep, and end there with Chebyshev's acceleration; a finer grid begins with what the one before it has found.
class ScatteredLight {
public:
    /// Allocates (or plans) all grids. @throws Error OutOfMemory
    ScatteredLight(engine::Device& device, const Settings& settings);

    /// Records what is scattered towards the camera, of the fields and the view that are common to all passes. If `sameSmoke`, only the
    /// camera has moved since.
    void fill(engine::Recorder& rec, const LightVolumes& volumes, bool sameSmoke);

    /// Over the smoke's albedo [W/(m^2 sr)], of light of at least one scattering before and of the surroundings. rgba16f.
    [[nodiscard]] const engine::Image& scattered() const { return scattered_; }

private:
    struct Level {
        engine::Image medium, reach;          ///< see ordinates_medium.comp
        std::array<engine::Image, 2> source;  ///< newest and the one before, of each direction [W/(m^2 sr)]
    };
    void sweep(engine::Recorder& rec, const LightVolumes& volumes, const Level& level, const engine::Image& from, const engine::Image& to,
               const struct Iteration& iteration);
    engine::Image scattered_;
    std::array<Level, 3> levels_;  ///< the coarsest first
    engine::Buffer phaseTable_;
    std::vector<float> table_;  ///< what that gets
    bool hasTable_ = false;
    bool everywhere_ =
        false;  ///< light is found for cells beside the smoke, too: a picture's two samples, which share it, may be a fine cell apart
    glm::vec3 radius_;  ///< of convergence: share of an error that a sweep leaves at most
};

}  // namespace wisp
