// SPDX-License-Identifier: MIT
#include "tests/physics/simulation.h"

#include "compute/sim/shaders.h"

#include <utility>

namespace wisp::test {

Settings stillBox(glm::uvec3 cells, float h) {
    Settings s;
    s.grid.cells = cells;
    s.grid.size = h * glm::vec3(cells);
    s.grid.pressureRatio = 1;
    s.grid.precision = Precision::Float;
    s.grid.sides.fill(Side::Wall);
    s.flow.vorticity = 0.0f;
    s.flow.densityDecay = 0.0f;
    s.flow.velocityDecay = 0.0f;
    s.advection.filter = Filter::Exact;
    s.pressure.solver = PressureSolver::RedBlackSor;
    s.pressure.iterations = 200;
    s.render.size = {16, 16};
    s.render.obstacleSpecular = 0.0f;  // so that the reflected light of diffuse surfaces is known
    return s;
}

Simulation::Simulation(engine::Device& device, const Settings& settings) : Simulation(device, settings, shaderOptions(settings)) {}

Simulation::Simulation(engine::Device& device, const Settings& settings, const engine::ShaderOptions& options)
    : simulator(device, settings),
      renderer(device, settings),
      pooled(pooledLibrary(device, embeddedShaders(), options)),
      recorder(device, shaders, {.timing = engine::Timing::Off, .readbackBytes = 1u << 16}) {
    recorder.begin();
    simulator.reset(recorder);
    recorder.submit();
}

void Simulation::step(int count) {
    for (int i = 0; i < count; ++i) {
        recorder.begin();
        simulator.step(recorder);
        recorder.submit();
    }
    recorder.finish();
}

Quality Simulation::measure() {
    Quality quality;
    recorder.begin();
    simulator.measure(recorder, [&](const Quality& q) { quality = q; });
    recorder.submit();
    recorder.finish();
    return quality;
}

void Simulation::draw(std::uint32_t samples) {
    recorder.begin();
    renderer.draw(recorder, simulator.fields(), samples);
    recorder.submit();
    recorder.finish();
}

PathReport Simulation::trace(std::uint32_t samples) {
    PathReport report;
    recorder.begin();
    renderer.draw(recorder, simulator.fields(), samples);
    renderer.path()->measure(recorder, [&](const PathReport& r) { report = r; });
    recorder.submit();
    recorder.finish();
    return report;
}

Field PhysicsTest::fieldOf(const engine::Image& image) {
    Field field{ivec3(image.size())};
    const std::vector<float> values = download(image);
    const std::size_t channels = values.size() / field.count();
    for (std::size_t i = 0; i < values.size(); ++i) field.values()[i / channels][static_cast<int>(i % channels)] = values[i];
    return field;
}

std::array<Field, 2> PhysicsTest::tracedTwice(Settings settings, std::uint32_t paths) {
    settings.render.mode = RenderMode::Path;
    std::array<Field, 2> traced;
    for (std::uint32_t n = 0; n < 2; ++n) {
        settings.seed = n + 1;
        Simulation simulation(device(), settings);
        simulation.trace(paths);
        traced[n] = fieldOf(simulation.renderer.path()->mean());
    }
    return traced;
}

Field PhysicsTest::pictureOf(const Settings& settings) {
    Simulation s(device(), settings);
    s.draw();
    return fieldOf(s.renderer.radiance());
}

std::string precisionName(const testing::TestParamInfo<Precision>& info) { return info.param == Precision::Half ? "half" : "float"; }

}  // namespace wisp::test
