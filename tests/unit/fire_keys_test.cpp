// SPDX-License-Identifier: MIT
// Keys of fire: valid values, and what is refused.
#include "compute/scene/settings.h"
#include "compute/scene/validate.h"
#include "tests/support/problem_keys.h"

#include <gmock/gmock.h>

#include <cmath>

namespace wisp {
namespace {

using test::keysOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Settings burning() {
    Settings s;
    s.grid.cells = {32, 32, 32};
    s.grid.size = glm::vec3(1.0f);
    s.emitters.push_back({.shape = {.centre = glm::vec3(0.5f)}, .temperature = 800.0f, .fuel = 1.0f});
    return s;
}

TEST(FireKeys, DefaultsBurn) {
    EXPECT_THAT(keysOf(burning()), IsEmpty());
    EXPECT_TRUE(burning().usesFuel() && burning().usesTemperature() && burning().usesExpansion());
    EXPECT_FALSE(Settings().usesFuel());
}

TEST(FireKeys, StrokesBringFuelAndTheBrushDoesNot) {
    Settings s;
    s.brush.fuel = 1.0f;
    s.brush.ignite = true;
    EXPECT_FALSE(s.usesFuel()) << "memory for fuel would be allocated";
    s.strokes.push_back({.fuel = 0.25f});
    EXPECT_TRUE(s.usesFuel() && s.usesTemperature());
}

TEST(FireKeys, SootIsColouredUnlessItIsWhite) {
    Settings s = burning();
    EXPECT_TRUE(s.usesColour());
    s.fire.sootColour = glm::vec3(1.0f);
    EXPECT_FALSE(s.usesColour());
    s.fire.sootColour = glm::vec3(0.0f);
    s.fire.soot = 0.0f;
    EXPECT_FALSE(s.usesColour());
}

TEST(FireKeys, AFlameMustIgniteTheFuelBesideIt) {
    Settings s = burning();
    s.fire.ignition = s.fire.heat;
    EXPECT_THAT(keysOf(s), IsEmpty());
    s.fire.ignition = std::nextafter(s.fire.heat, 1e9f);
    EXPECT_THAT(keysOf(s), ElementsAre("fire.ignition"));
    EXPECT_THAT(validate(s).front().message, HasSubstr("at most fire.heat"));
    s.emitters.clear();
    EXPECT_THAT(keysOf(s), IsEmpty()) << "without fuel the keys have no effect";
}

TEST(FireKeys, ExpansionNeedsAnOpenSide) {
    Settings s = burning();
    s.grid.sides = {Side::Wall, Side::Wall, Side::Wall, Side::Wall, Side::Inflow, Side::Wall};
    EXPECT_THAT(keysOf(s), ElementsAre("fire.expansion"));
    EXPECT_THAT(validate(s).front().message, AllOf(HasSubstr("is 1"), HasSubstr("a side of grid.sides must be open")));
    s.fire.expansion = 0.0f;
    EXPECT_THAT(keysOf(s), IsEmpty());
    s.fire.expansion = 1.0f;
    s.grid.sides[3] = Side::Open;
    EXPECT_THAT(keysOf(s), IsEmpty());
}

TEST(FireKeys, FuelIsAShare) {
    for (const float bad : {-0.01f, 1.01f, NAN, INFINITY}) {
        Settings s = burning();
        s.emitters[0].fuel = bad;
        EXPECT_THAT(keysOf(s), testing::Contains("emitter[0].fuel")) << bad;
        s = burning();
        s.initial.push_back({.fuel = bad});
        EXPECT_THAT(keysOf(s), testing::Contains("initial[0].fuel")) << bad;
        s = burning();
        s.strokes.push_back({.fuel = bad, .keys = {{0.0f, glm::vec3(0.5f)}, {1.0f, glm::vec3(0.6f)}}});
        EXPECT_THAT(keysOf(s), ElementsAre("stroke[0].fuel")) << bad;
        s = burning();
        s.brush.fuel = bad;
        EXPECT_THAT(keysOf(s), ElementsAre("brush.fuel")) << bad;
    }
    Settings s = burning();
    s.emitters[0].fuelRate = -1.0f;
    EXPECT_THAT(keysOf(s), ElementsAre("emitter[0].fuel_rate"));
}

TEST(FireKeys, RefusesInvalidNumbers) {
    for (const float bad : {-1.0f, NAN, INFINITY}) {
        for (float FireSettings::*key : {&FireSettings::burnRate, &FireSettings::ignition, &FireSettings::heat, &FireSettings::cooling,
                                         &FireSettings::soot, &FireSettings::expansion}) {
            Settings s = burning();
            s.fire.*key = bad;
            EXPECT_FALSE(keysOf(s).empty()) << bad;
        }
    }
    Settings s = burning();
    s.flow.ambient = 0.0f;
    EXPECT_THAT(keysOf(s), ElementsAre("flow.ambient"));
}

TEST(FireKeys, NeedsSmokeMovedByTheSolver) {
    Settings given = burning();
    given.prescribed.field = PrescribedField::Rotation;
    EXPECT_THAT(keysOf(given), ElementsAre("prescribed.field"));
    Settings liquid = burning();
    liquid.grid.pressureRatio = 1;
    liquid.initial.push_back({.shape = {ShapeKind::Box, glm::vec3(0.5f), 0.0f, glm::vec3(0.2f)}, .liquid = true});
    EXPECT_THAT(keysOf(liquid), testing::Contains("liquid"));
}

}  // namespace
}  // namespace wisp
