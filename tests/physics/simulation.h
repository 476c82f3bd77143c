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

/// A closed box of `cells` with edges of `h`, without forces and decay: float storage, exact filter, 200 sweeps of
/// SOR. A test changes what it is about.
Settings stillBox(glm::uvec3 cells, float h);

/// A simulation and its picture, driven one finished frame at a time.
class Simulation {
public:
    Simulation(engine::Device& device, const Settings& settings);
    Simulation(engine::Device& device, const Settings& settings, const engine::ShaderOptions& options);

    void step(int count = 1);
    Quality measure();
    void draw(std::uint32_t samples = 1);
    /// Path mode: `samples` more of each pixel, and what they come to.
    PathReport trace(std::uint32_t samples);

    FluidSimulator simulator;
    VolumeRenderer renderer;
    engine::ShaderLibrary shaders;
    engine::Recorder recorder;
};

class PhysicsTest : public GpuTest {
protected:
    Field fieldOf(const engine::Image& image);
    Field densityOf(Simulation& s) { return fieldOf(s.simulator.fields().scalars[0]); }
    /// The velocity that advection used.
    Field velocityOf(Simulation& s) { return fieldOf(s.simulator.fields().projected()); }
    /// Picture of a fresh simulation, row 0 at the top.
    Field pictureOf(const Settings& settings);
    /// Two of so many paths a pixel, with other seeds: what they differ by tells the noise of their mean.
    std::array<Field, 2> tracedTwice(Settings settings, std::uint32_t paths);
};

/// For tests that run in both storage formats.
class BothPrecisions : public PhysicsTest, public testing::WithParamInterface<Precision> {
protected:
    [[nodiscard]] bool half() const { return GetParam() == Precision::Half; }
    [[nodiscard]] const char* storage() const { return half() ? "half" : "float"; }
};
std::string precisionName(const testing::TestParamInfo<Precision>& info);

}  // namespace wisp::test
