// SPDX-License-Identifier: MIT
// Views of a whole simulation show the right values at the right positions.
#include "compute/picture/field_view.h"
#include "compute/sim/shaders.h"
#include "tests/physics/simulation.h"

#include <tuple>

namespace wisp::test {
namespace {

class Views : public PhysicsTest {
protected:
    // The value at a point [m] of a slice, after `steps`.
    class Slice {
    public:
        Slice(Views& test, const Settings& settings, int steps) : plot_(slicePlot(settings)) {
            Simulation s(test.device(), settings);
            FieldView view(test.device(), settings);
            s.step(steps);
            s.recorder.begin();
            view.draw(s.recorder, s.simulator.fields());
            s.recorder.submit();
            s.recorder.finish();
            value_ = test.fieldOf(view.value());
            limits = test.download(view.limits());
        }
        [[nodiscard]] double at(glm::vec3 x) const {
            const glm::vec3 from = x - plot_.corner;
            const glm::vec2 pixel(glm::dot(from, plot_.right) / glm::dot(plot_.right, plot_.right),
                                  glm::dot(from, plot_.down) / glm::dot(plot_.down, plot_.down));
            return value_({static_cast<int>(pixel.x), static_cast<int>(pixel.y), 0}).x;
        }
        [[nodiscard]] double atPixel(int x, int y) const { return value_({x, y, 0}).x; }
        std::vector<float> limits;  ///< the members of gpu::ViewLimits

    private:
        gpu::SlicePush plot_;
        Field value_;
    };
};

// Wind from the left against a sphere: high pressure at the stagnation point, and low pressure at the sides (Bernoulli).
Settings windySphere(ViewField field) {
    Settings s = stillBox({32, 16, 16}, 1.0f / 16.0f);
    s.grid.sides[0] = Side::Inflow;
    s.grid.sides[1] = Side::Open;
    s.flow.inflow = {1.0f, 0.0f, 0.0f};
    s.obstacles.push_back({.shape = {.kind = ShapeKind::Sphere, .centre = {0.8f, 0.5f, 0.5f}, .radius = 0.2f}});
    s.initial.push_back(
        {.shape = {.kind = ShapeKind::Box, .centre = {1.0f, 0.5f, 0.5f}, .half = glm::vec3(2.0f)}, .velocity = {1.0f, 0.0f, 0.0f}});
    s.timeStep = 1.0f / 60.0f;
    s.render.size = {128, 64};
    s.view.field = field;
    s.view.slice = SliceAxis::Z;
    return s;
}

TEST_F(Views, PressureIsHighInFrontOfASphereAndLowBesideIt) {
    const Slice pressure(*this, windySphere(ViewField::Pressure), 10);
    EXPECT_GT(pressure.at({0.57f, 0.5f, 0.5f}), 0.0);
    EXPECT_LT(pressure.at({0.8f, 0.75f, 0.5f}), pressure.at({0.57f, 0.5f, 0.5f}));
    EXPECT_LT(pressure.at({0.8f, 0.75f, 0.5f}), pressure.at({1.2f, 0.9f, 0.5f}));
}

TEST_F(Views, WindIsFastestBesideTheSphere) {
    const Slice speed(*this, windySphere(ViewField::Speed), 10);
    EXPECT_LT(speed.at({0.57f, 0.5f, 0.5f}), 0.7);
    EXPECT_GT(speed.at({0.8f, 0.77f, 0.5f}), 1.1);
}

TEST_F(Views, ProjectedVelocityHasNoDivergence) {
    // 200 sweeps leave a relative residual. The wind itself changes by 16 1/s over a cell.
    const Slice divergence(*this, windySphere(ViewField::Divergence), 2);
    EXPECT_LT(std::abs(divergence.at({0.57f, 0.5f, 0.5f})), 0.16);
    EXPECT_LT(std::abs(divergence.at({0.8f, 0.75f, 0.5f})), 0.16);
}

TEST_F(Views, SlicesHaveTheDocumentedOrientation) {
    Settings s = stillBox({16, 16, 16}, 1.0f / 16.0f);
    s.initial.push_back(
        {.shape = {.kind = ShapeKind::Box, .centre = {0.25f, 0.125f, 0.125f}, .half = {0.25f, 0.125f, 0.125f}}, .density = 1.0f});
    s.render.size = {64, 64};
    s.view.field = ViewField::Density;
    const struct {
        SliceAxis axis;
        float position;
        int x, y;            // a pixel in the smoke, at the low end of both axes
        int alongX, alongY;  // a pixel outside the smoke in the same row, and in the same column
    } cases[] = {{SliceAxis::X, 0.25f, 4, 60, 32, 32}, {SliceAxis::Y, 0.1f, 4, 4, 48, 32}, {SliceAxis::Z, 0.1f, 4, 60, 48, 32}};
    for (const auto& c : cases) {
        s.view.slice = c.axis;
        s.view.position = c.position;
        const Slice slice(*this, s, 0);
        EXPECT_EQ(slice.atPixel(c.x, c.y), 1.0) << static_cast<int>(c.axis);
        EXPECT_EQ(slice.atPixel(c.alongX, c.y), 0.0) << static_cast<int>(c.axis);
        EXPECT_EQ(slice.atPixel(c.x, c.alongY), 0.0) << static_cast<int>(c.axis);
        s.view.position = 0.75f;
        EXPECT_EQ(Slice(*this, s, 0).atPixel(c.x, c.y), 0.0) << static_cast<int>(c.axis);
    }
    // The smoke fills half of the box along x and a quarter along y and z, so 24 of 64 columns are outside.
    s.view.slice = SliceAxis::Z;
    s.view.position = 0.1f;
    EXPECT_EQ(Slice(*this, s, 0).atPixel(28, 60), 1.0);
}

// Hot fuel on the left, cold fuel on the right, air between them.
TEST_F(Views, FireHasAbsoluteTemperaturesAndFlames) {
    Settings s = stillBox({16, 16, 16}, 1.0f / 16.0f);
    s.fire.expansion = 0.0f;
    for (const auto& [x, fuel, temperature] : {std::tuple(0.1875f, 0.5f, 900.0f), {0.8125f, 0.25f, 400.0f}})
        s.initial.push_back({.shape = {.kind = ShapeKind::Box, .centre = {x, 0.5f, 0.5f}, .half = {0.1875f, 0.5f, 0.5f}},
                             .temperature = temperature,
                             .fuel = fuel});
    s.render.size = {64, 64};
    s.view.slice = SliceAxis::Z;
    const glm::vec3 left(0.2f, 0.5f, 0.5f), middle(0.5f), right(0.8f, 0.5f, 0.5f);
    s.view.field = ViewField::Flame;
    const Slice flame(*this, s, 0);
    EXPECT_EQ(flame.at(left), 0.5);
    EXPECT_EQ(flame.at(middle), 0.0);
    EXPECT_EQ(flame.at(right), 0.0) << "below fire.ignition";
    s.view.field = ViewField::Temperature;
    const Slice temperature(*this, s, 0);
    EXPECT_EQ(temperature.at(left), 1193.0);
    EXPECT_EQ(temperature.at(middle), 293.0) << "ambient";
    EXPECT_EQ(temperature.at(right), 693.0);
    EXPECT_EQ(temperature.limits[0], 293.0f);
    EXPECT_NEAR(temperature.limits[1], 1293.0f, 1e-5 * 1293.0) << "a round number above ambient";
    EXPECT_EQ(temperature.limits[3], 1193.0f);
    for (InitialSettings& initial : s.initial) initial.fuel = 0.0f;
    const Slice air(*this, s, 0);
    EXPECT_EQ(air.at(left), 900.0) << "above ambient";
    EXPECT_EQ(air.limits[0], -air.limits[1]);
}

TEST_F(Views, HigherValuesWidenTheLimitsAtOnce) {
    Settings s = stillBox({16, 16, 16}, 1.0f / 16.0f);
    s.initial.push_back({.shape = {.kind = ShapeKind::Box, .centre = glm::vec3(0.5f), .half = glm::vec3(0.2f)}, .density = 1.0f});
    s.view.field = ViewField::Density;
    const auto limitsOf = [&](const FieldView& view) { return download(view.limits()); };
    Simulation simulation(device(), s);
    FieldView view(device(), s);
    const auto draw = [&] {
        simulation.recorder.begin();
        view.draw(simulation.recorder, simulation.simulator.fields());
        simulation.recorder.submit();
        simulation.recorder.finish();
    };
    draw();
    EXPECT_EQ(limitsOf(view)[1], 1.0f);
    simulation.recorder.begin();
    simulation.recorder.clear(simulation.simulator.fields().smoke.scalars[0], 4.2f);
    simulation.recorder.submit();
    draw();
    EXPECT_NEAR(limitsOf(view)[1], 5.0f, 1e-4f);
    EXPECT_FLOAT_EQ(limitsOf(view)[3], 4.2f);
}

}  // namespace
}  // namespace wisp::test
