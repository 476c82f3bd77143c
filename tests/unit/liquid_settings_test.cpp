// SPDX-License-Identifier: MIT
// Invalid scenes with liquid. Each error names the key that causes it, and no other key.
#include "compute/scene/settings.h"
#include "compute/scene/validate.h"
#include "tests/support/meshes.h"
#include "tests/support/problem_keys.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace wisp {
namespace {

using test::keysOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A column of liquid in a closed box.
Settings column() {
    Settings s;
    s.grid.cells = {32, 24, 16};
    s.grid.size = {2.0f, 1.5f, 1.0f};
    s.grid.pressureRatio = 1;
    s.grid.sides.fill(Side::Wall);
    InitialSettings liquid;
    liquid.shape.kind = ShapeKind::Box;
    liquid.shape.centre = {0.5f, 0.4f, 0.5f};
    liquid.shape.half = {0.25f, 0.25f, 0.25f};
    liquid.liquid = true;
    s.initial.push_back(liquid);
    return s;
}

struct Bad {
    std::string key;
    std::function<void(Settings&)> spoil;
};

TEST(LiquidSettings, AColumnIsValid) {
    EXPECT_THAT(keysOf(column()), IsEmpty());
    EXPECT_TRUE(column().usesLiquid());
    EXPECT_FALSE(Settings{}.usesLiquid());
    EXPECT_EQ(Settings{}.liquidCapacity(), 0u);
}

TEST(LiquidSettings, ValuesAreBounded) {
    const std::vector<Bad> values{{"liquid.particles_per_cell", [](Settings& s) { s.liquid.particlesPerCell = 0; }},
                                  {"liquid.particles_per_cell", [](Settings& s) { s.liquid.particlesPerCell = 2; }},
                                  {"liquid.particles_per_cell", [](Settings& s) { s.liquid.particlesPerCell = 64; }},
                                  {"liquid.jitter", [](Settings& s) { s.liquid.jitter = -0.01f; }},
                                  {"liquid.jitter", [](Settings& s) { s.liquid.jitter = 1.01f; }},
                                  {"liquid.jitter", [](Settings& s) { s.liquid.jitter = NAN; }},
                                  {"liquid.pic_rate", [](Settings& s) { s.liquid.picRate = -1.0f; }},
                                  {"liquid.pic_rate", [](Settings& s) { s.liquid.picRate = INFINITY; }},
                                  {"liquid.density_rate", [](Settings& s) { s.liquid.densityRate = -1.0f; }},
                                  {"liquid.density_rate", [](Settings& s) { s.liquid.densityRate = NAN; }},
                                  {"liquid.capacity", [](Settings& s) { s.liquid.capacity = static_cast<std::uint32_t>(kMaxLiquid) + 1; }},
                                  {"liquid.absorption", [](Settings& s) { s.liquid.absorption.y = -1.0f; }},
                                  {"liquid.refraction", [](Settings& s) { s.liquid.refraction = 0.9f; }},
                                  {"liquid.speed", [](Settings& s) { s.liquid.speed = 0.0f; }},
                                  {"liquid.size", [](Settings& s) { s.liquid.size = 33.0f; }}};
    for (std::size_t n = 0; n < values.size(); ++n) {
        Settings s = column(), dry;
        values[n].spoil(s);
        values[n].spoil(dry);
        EXPECT_THAT(keysOf(s), ElementsAre(values[n].key)) << n;
        EXPECT_THAT(keysOf(dry), ElementsAre(values[n].key)) << n << ": must be an error without liquid, too";
    }
}

TEST(LiquidSettings, LimitsAreAllowed) {
    for (const std::uint32_t count : {1u, 8u, 27u}) {
        Settings s = column();
        s.liquid = {.particlesPerCell = count,
                    .jitter = count == 1 ? 0.0f : 1.0f,
                    .picRate = 0.0f,
                    .densityRate = 0.0f,
                    .absorption = glm::vec3(0.0f),
                    .refraction = 1.0f,
                    .size = 32.0f};
        s.liquid.capacity = count == 8 ? static_cast<std::uint32_t>(kMaxLiquid) : 1u;
        EXPECT_THAT(keysOf(s), IsEmpty()) << count;
    }
}

TEST(LiquidSettings, ConflictingSettingsAreRefused) {
    const std::vector<Bad> beside{{"grid.pressure_ratio", [](Settings& s) { s.grid.pressureRatio = 2; }},
                                  {"grid.sides", [](Settings& s) { s.grid.sides[0] = s.grid.sides[1] = Side::Periodic; }},
                                  {"grid.sides", [](Settings& s) { s.grid.sides[0] = Side::Inflow; }},
                                  {"tracers.count", [](Settings& s) { s.tracers.count = 10; }},
                                  {"camera.shutter", [](Settings& s) { s.camera.shutter = 1.0f; }},
                                  {"render.mode", [](Settings& s) { s.render.mode = RenderMode::Path; }},
                                  {"follow.keys",
                                   [](Settings& s) {
                                       s.follow.keys = {{0.0f, glm::vec3(1.0f)}, {1.0f, glm::vec3(2.0f)}};
                                   }},
                                  {"initial[0].density", [](Settings& s) { s.initial[0].density = 1.0f; }},
                                  {"initial[0].density", [](Settings& s) { s.initial[0].temperature = -5.0f; }},
                                  {"emitter[0].density", [](Settings& s) { s.emitters.emplace_back().density = 1.0f; }},
                                  {"emitter[0].density", [](Settings& s) { s.emitters.emplace_back().densityRate = 1.0f; }},
                                  {"emitter[0].density", [](Settings& s) { s.emitters.emplace_back().temperature = 5.0f; }},
                                  {"emitter[0].density", [](Settings& s) { s.emitters.emplace_back().temperatureRate = -5.0f; }},
                                  {"initial[0].centre", [](Settings& s) { s.initial[0].shape.centre = glm::vec3(50.0f); }}};
    for (std::size_t n = 0; n < beside.size(); ++n) {
        Settings s = column();
        beside[n].spoil(s);
        EXPECT_THAT(keysOf(s), ElementsAre(beside[n].key)) << n;
        if (beside[n].key == "initial[0].centre") continue;
        s.initial[0].liquid = false;
        EXPECT_THAT(keysOf(s), IsEmpty()) << n << ": must be valid without liquid";
    }
}

// These settings violate other conditions, too, so there may be more errors.
TEST(LiquidSettings, NoPrescribedVelocitiesAndNoStrokes) {
    Settings s = column();
    s.prescribed.field = PrescribedField::Uniform;
    s.strokes.emplace_back().keys = {{0.0f, glm::vec3(0.5f)}, {1.0f, glm::vec3(1.0f)}};
    EXPECT_THAT(keysOf(s), testing::IsSupersetOf({"prescribed.field", "stroke"}));
}

TEST(LiquidSettings, NeedsAGridWithDepth) {
    Settings s = column();
    s.grid.cells.z = 1;
    s.grid.size.z = s.grid.cellSize();
    EXPECT_THAT(keysOf(s), testing::Contains("grid.cells"));
    s.initial[0].liquid = false;
    EXPECT_THAT(keysOf(s), IsEmpty());
}

TEST(LiquidSettings, InitialLiquidMustBeAShape) {
    Settings s = column();
    s.initial[0].field = InitialField::Checkerboard;
    EXPECT_THAT(keysOf(s), testing::Contains("initial[0].liquid"));
}

TEST(LiquidSettings, InitialShapesAreNoMeshes) {
    Settings s = column();
    s.initial[0].shape.kind = ShapeKind::Mesh;
    EXPECT_THAT(keysOf(s), ElementsAre("initial[0].shape"));
    s = column();
    s.emitters.emplace_back().liquid = true;
    s.emitters[0].shape.kind = ShapeKind::Mesh;
    EXPECT_THAT(keysOf(s), ElementsAre("emitter[0].file"));  // there is none
    s.meshes = {test::shared(test::cuboid(glm::vec3(1.0f)))};
    EXPECT_THAT(keysOf(s), testing::IsEmpty());
    s.emitters[0].fill = EmitterFill::Surface;
    EXPECT_THAT(keysOf(s), ElementsAre("emitter[0].fill"));
}

TEST(LiquidSettings, CapacityFollowsTheShapes) {
    Settings s = column();
    const double inside = 8.0 * 8.0 * 8.0;  // cells of the column
    for (const std::uint32_t count : {1u, 8u, 27u}) {
        s.liquid.particlesPerCell = count;
        EXPECT_GE(static_cast<double>(s.liquidCapacity()), 2.5 * inside * count) << "twice the initial liquid, and a quarter of that";
        EXPECT_LE(static_cast<double>(s.liquidCapacity()), 2.5 * 12.0 * 12.0 * 12.0 * count + count)
            << "at most two cells around the column";
    }
    s.liquid.capacity = 77;
    EXPECT_EQ(s.liquidCapacity(), 77u);
    // With any number of shapes and with emitters that fill the box, the capacity is at most that of a full box, plus a quarter.
    s.liquid = {};
    s.initial[0].shape.half = glm::vec3(5.0f);
    s.initial.resize(9, s.initial[0]);
    s.emitters.emplace_back().liquid = true;
    EXPECT_EQ(s.liquidCapacity(), (32u * 24 * 16 * 5 / 4 + 1) * 8);
    s = column();
    s.emitters.emplace_back().liquid = true;
    EXPECT_GE(s.liquidCapacity(), (8u * 8 * 8 + 32u * 24 * 16 / 2) * 8) << "there must be room for half of the box, for the emitter";
}

TEST(LiquidSettings, TooManyParticlesAreReported) {
    Settings s = column();
    s.grid.cells = {128, 96, 64};
    s.liquid.particlesPerCell = 27;
    s.initial[0].shape.half = glm::vec3(5.0f);
    const std::vector<Problem> problems = validate(s);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].key, "grid.cells");
    EXPECT_THAT(problems[0].message, HasSubstr("must be at most 16776192"));
    s.liquid.capacity = 1000;
    EXPECT_THAT(keysOf(s), IsEmpty()) << "fewer particles per cell must be valid";
}

}  // namespace
}  // namespace wisp
