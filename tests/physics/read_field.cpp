// SPDX-License-Identifier: MIT
// Fields read as floats have the values that probes find at the centres of cells, in their places, of dense and of sparse simulations.
#include "compute/sim/field_reader.h"
#include "compute/sim/probes.h"
#include "tests/physics/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace wisp::test {
namespace {

class ReadField : public BothPrecisions {
protected:
    static std::vector<float> read(Simulation& s, const ReadableField& field) {
        const engine::Buffer values(s.recorder.device(), {.name = "values",
                                                          .bytes = floatBytes(field, s.simulator.settings().grid),
                                                          .location = engine::Location::Readback,
                                                          .byAddress = true});
        std::vector<float> result(values.bytes() / sizeof(float));
        s.recorder.begin();
        recordReadField(s.recorder, s.simulator.fields(), field, values);
        s.recorder.read(values, [&](std::span<const std::byte> bytes) { std::memcpy(result.data(), bytes.data(), bytes.size()); });
        s.recorder.submit();
        s.recorder.finish();
        return result;
    }
    static std::vector<gpu::ProbeValue> probe(Simulation& s, glm::vec3 from, glm::vec3 to, std::uint32_t points) {
        Settings settings = s.simulator.settings();
        const ProbeSettings line{.file = "x.csv", .from = from, .to = to, .points = points};
        settings.probes = {line};
        ProbeSampler sampler(s.recorder.device(), settings);
        std::vector<gpu::ProbeValue> result;
        engine::Recorder rec(s.recorder.device(), s.shaders, {.timing = engine::Timing::Off, .readbackBytes = probeReadback(settings)});
        rec.begin();
        sampler.sample(rec, s.simulator, line,
                       [&](std::span<const gpu::ProbeValue> values) { result.assign(values.begin(), values.end()); });
        rec.submit();
        rec.finish();
        return result;
    }
    Settings scene(bool sparse) const {
        Settings s;
        s.grid.cells = {40, 56, 48};  // no edge is a whole number of bricks
        s.grid.size = {1.0f, 1.4f, 1.2f};
        s.grid.origin = {-0.3f, 0.2f, 0.1f};
        s.grid.precision = GetParam();
        s.grid.sparse = sparse;
        s.grid.scalarRatio = 2;
        s.timeStep = 0.02f;
        s.flow.buoyancy = 0.05f;
        s.pressure.iterations = 4;
        s.emitters.push_back({.shape = {.centre = {0.1f, 0.5f, 0.6f}, .radius = 0.15f},
                              .velocity = {0.3f, 1.0f, -0.2f},
                              .hasVelocity = true,
                              .density = 1.0f,
                              .temperature = 120.0f,
                              .colour = {1.0f, 0.5f, 0.25f}});
        return s;
    }
    /// Compares a field along the line of cell centres in x at (y, z) with what a probe there finds.
    template <class Of>
    void expectLine(Simulation& s, const char* name, glm::uvec2 yz, double relative, Of&& of) {
        const GridSettings& grid = s.simulator.settings().grid;
        const ReadableField field = findField(s.simulator.settings(), name).value();
        const glm::uvec3 size = sizeOf(field, grid);
        const std::vector<float> values = read(s, field);
        ASSERT_EQ(values.size(), std::size_t{field.components} * size.x * size.y * size.z);
        const float cell = grid.size.x / static_cast<float>(size.x);
        const glm::vec3 from = grid.origin + cell * glm::vec3(0.5f, static_cast<float>(yz.x) + 0.5f, static_cast<float>(yz.y) + 0.5f);
        const auto probed = probe(s, from, from + glm::vec3(cell * static_cast<float>(size.x - 1), 0.0f, 0.0f), size.x);
        double greatest = 0.0;
        for (std::size_t x = 0; x < size.x; ++x) {
            // The high face of the last cell of a brick is the next brick's: a probe takes it from there, where it may be coarse.
            if (grid.sparse && field.number == WISP_READ_VELOCITY && x % 16 == 15) continue;
            const std::size_t place = (std::size_t{yz.y} * size.y + yz.x) * size.x + x;
            const std::vector<double> expected = of(probed[x]);
            for (std::size_t n = 0; n < field.components; ++n) {
                greatest = std::max(greatest, std::abs(expected[n]));
                EXPECT_NEAR(double(values[field.components * place + n]), expected[n], relative * std::max(1.0, std::abs(expected[n])))
                    << name << " " << x << " " << n;
            }
        }
        EXPECT_GT(greatest, 0.05) << name;
    }
    void expectFields(bool sparse) {
        Simulation s(device(), scene(sparse));
        s.step(5);
        // The probe's points and weights are rounded: 1e-5 of a cell, over which the fields change by less than their size.
        const double rounding = 1e-4;
        expectLine(s, "density", {32, 44}, rounding, [](const gpu::ProbeValue& v) { return std::vector{double(v.density)}; });
        expectLine(s, "temperature", {32, 44}, 120.0 * rounding,
                   [](const gpu::ProbeValue& v) { return std::vector{double(v.temperature)}; });
        // Centres of the velocity are means of two faces, rounded to the storage.
        expectLine(s, "velocity", {16, 22}, half() ? 1e-3 : rounding, [](const gpu::ProbeValue& v) {
            return std::vector{double(v.velocity[0]), double(v.velocity[1]), double(v.velocity[2])};
        });
        expectLine(s, "pressure", {8, 11}, rounding, [](const gpu::ProbeValue& v) { return std::vector{double(v.pressure)}; });
    }
};

TEST_P(ReadField, EqualsProbesAtCellCentres) { expectFields(false); }

TEST_P(ReadField, EqualsProbesInASparseBox) { expectFields(true); }

TEST_P(ReadField, ColourIsDensityTimesTheColourOfTheEmitter) {
    Simulation s(device(), scene(false));
    s.step(3);
    const std::vector<float> density = read(s, findField(s.simulator.settings(), "density").value()),
                             colour = read(s, findField(s.simulator.settings(), "colour").value());
    const double rounding = half() ? 2e-3 : 1e-5;  // of the advection of two fields, in three steps
    for (std::size_t n = 0; n < density.size(); ++n)
        for (std::size_t channel = 0; channel < 3; ++channel)
            ASSERT_NEAR(double(colour[3 * n + channel]), double(density[n]) * std::pow(0.5, double(channel)), rounding) << n;
}

TEST_P(ReadField, AScenesFieldsAreThoseItSimulates) {
    const auto names = [](const Settings& s) {
        std::vector<std::string> list;
        for (const ReadableField& f : readableFields(s)) list.emplace_back(f.name);
        return list;
    };
    Settings s;
    EXPECT_EQ(names(s), (std::vector<std::string>{"density", "velocity", "pressure"}));
    s.emitters.push_back({.fuel = 0.5f});
    s.fire.soot = 0.0f;  // which is coloured
    EXPECT_EQ(names(s), (std::vector<std::string>{"density", "temperature", "fuel", "velocity", "pressure"}));
    s.prescribed.field = PrescribedField::Shear;
    EXPECT_EQ(names(s).back(), "velocity");
}

INSTANTIATE_TEST_SUITE_P(Storage, ReadField, testing::Values(Precision::Half, Precision::Float), precisionName);

}  // namespace
}  // namespace wisp::test
