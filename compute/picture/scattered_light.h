// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/light_volumes.h"
#include "compute/scene/settings.h"
#include "engine/recorder.h"

#include <glm/vec3.hpp>

#include <array>
#include <vector>

namespace wisp {

/// Multiple scattering in smoke of any optical depth, by discrete ordinates on coarse cells (Chandrasekhar 1950): radiance along 14
/// directions.
///
/// The finest grid has at most RenderSettings::scatteringCells along an edge. In a sparse simulation the grids fill the light window
/// (gpu::LightWindow), and their cells are the first texels of the images. Sweeps begin on cells four times as large, where one sweep
/// carries light far. Chebyshev's method accelerates them. Each finer grid starts from the result of the coarser one.
class ScatteredLight {
public:
    /// Allocates (or plans) all grids. @throws Error OutOfMemory
    ScatteredLight(engine::Device& device, const Settings& settings);

    /// Smallest edge of a cell of the finest grid [fine cells].
    static std::uint32_t smallestEdge(const Settings& settings);

    /// Changes the phase function of the smoke, and whether there is a ground.
    void setScene(const Settings& settings);

    /// Records the light scattered towards the camera. The recorder's common bindings must hold the fields and the view. `albedo`: of the
    /// smoke, with which Chebyshev's method weights the sweeps. `sameSmoke`: only the camera has changed since the last call.
    void fill(engine::Recorder& rec, const LightVolumes& volumes, const engine::Image& occupancy, glm::vec3 albedo, bool sameSmoke);

    /// The gpu::FireLights of the last fill(), which light surfaces in scenes with fuel.
    [[nodiscard]] const engine::Buffer& fireLights() const { return fireLights_; }
    /// Scattered light over the smoke's albedo [W/(m^2 sr)]: light that was scattered before, and light of the environment. rgba16f. In
    /// scenes with fuel light that comes straight from flames is apart from it: see ordinates.comp.
    [[nodiscard]] const engine::Image& scattered() const { return scattered_; }

private:
    struct Level {
        int index = 0;
        engine::Image medium, reach, glow;    ///< see ordinates_medium.comp
        std::array<engine::Image, 2> source;  ///< latest and previous iterate, of each direction [W/(m^2 sr)]
    };
    void fillMedium(engine::Recorder& rec, const LightVolumes& volumes, const engine::Image& occupancy);
    void fillFireLights(engine::Recorder& rec, bool scatters) const;
    void sweep(engine::Recorder& rec, const LightVolumes& volumes, const Level& level, const engine::Image& from, const engine::Image& to,
               const struct Iteration& iteration);
    /// Filters reach texels beside a light window.
    void clear(engine::Recorder& rec);
    engine::Image scattered_;
    std::array<Level, 3> levels_;  ///< the coarsest first
    engine::Buffer phaseTable_;
    engine::Buffer fireLights_;
    PhaseSettings phase_;
    bool burns_ = false;  ///< the scene has fuel
    bool hasGround_ = false;
    bool hasTable_ = false;   ///< phaseTable_ is that of phase_
    bool isNew_ = true;       ///< not filled yet
    bool hasWindow_ = false;  ///< light is computed in a light window
    /// Light is computed for cells beside the smoke, too, because two samples of a picture share it and may be a fine cell apart.
    bool everywhere_ = false;
};

}  // namespace wisp
