// SPDX-License-Identifier: MIT
#pragma once

#include "compute/picture/volume_renderer.h"
#include "compute/sim/fluid_simulator.h"
#include "tests/reference/grid.h"
#include "tests/support/gpu_test.h"

#include <array>
#include <memory>

namespace wisp::test {

using namespace wisp::reference;

/// A closed box of `cells` cells with the edge `h`, without forces and decay: float storage, exact filter, 200 sweeps of SOR. A test then
/// changes the settings that it needs.
Settings stillBox(glm::uvec3 cells, float h);

inline dvec3 vec(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

/// A simulation and its renderer. Every call waits until its frame is finished.
class Simulation {
public:
    Simulation(engine::Device& device, const Settings& settings);
    Simulation(engine::Device& device, const Settings& settings, const engine::ShaderOptions& options);

    void step(int count = 1);
    Quality measure();
    void draw(std::uint32_t samples = 1);
    /// Path mode: adds `samples` samples per pixel and returns the report.
    PathReport trace(std::uint32_t samples);

    FluidSimulator simulator;
    VolumeRenderer renderer;
    PooledLibrary pooled;  ///< its pipelines may come from earlier simulations
    engine::ShaderLibrary& shaders = *pooled;
    engine::Recorder recorder;
};

class PhysicsTest : public GpuTest {
protected:
    Field fieldOf(const engine::Image& image);
    Field densityOf(Simulation& s) { return fieldOf(s.simulator.fields().smoke.scalars[0]); }
    /// The velocity that advection used.
    Field velocityOf(Simulation& s) { return fieldOf(s.simulator.fields().flow.divergenceFree()); }
    /// Image of a new simulation, row 0 at the top.
    Field pictureOf(const Settings& settings);
    /// Two images with `paths` paths per pixel and different seeds. Their difference gives the noise of their mean.
    std::array<Field, 2> tracedTwice(Settings settings, std::uint32_t paths);
};

/// Base of tests that run in both storage formats.
class BothPrecisions : public PhysicsTest, public testing::WithParamInterface<Precision> {
protected:
    [[nodiscard]] bool half() const { return GetParam() == Precision::Half; }
    [[nodiscard]] const char* storage() const { return half() ? "half" : "float"; }
};
std::string precisionName(const testing::TestParamInfo<Precision>& info);

}  // namespace wisp::test
