// SPDX-License-Identifier: MIT
// Inflow without an outlet, and temperatures below absolute zero.
#include "compute/scene/settings.h"
#include "compute/scene/validate.h"
#include "tests/support/problem_keys.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>

namespace wisp {
namespace {

using test::keysOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A box of 2 m x 1 m x 0.5 m. `sides`: x0, x1, ..., o is open, w a wall, p periodic, i inflow.
Settings windBox(const std::string& sides, glm::vec3 inflow) {
    Settings s;
    s.grid.cells = {64, 32, 16};
    s.grid.size = {2.0f, 1.0f, 0.5f};
    for (std::size_t n = 0; n < 6; ++n)
        s.grid.sides[n] = sides[n] == 'o' ? Side::Open : sides[n] == 'w' ? Side::Wall : sides[n] == 'p' ? Side::Periodic : Side::Inflow;
    s.flow.inflow = inflow;
    return s;
}

TEST(InflowKeys, NeedAnOutlet) {
    const glm::vec3 along(1.0f, 0.0f, 0.0f);
    EXPECT_THAT(keysOf(windBox("iwwwww", along)), ElementsAre("grid.sides"));
    EXPECT_THAT(keysOf(windBox("iwwwww", -along)), ElementsAre("grid.sides")) << "nothing could enter";
    EXPECT_THAT(keysOf(windBox("iwppww", along)), ElementsAre("grid.sides"));
    EXPECT_THAT(validate(windBox("iwwwww", 3.0f * along)).front().message, AllOf(HasSubstr("1.5 m^3/s"), HasSubstr("leave it")));
    EXPECT_THAT(keysOf(windBox("iowwww", along)), IsEmpty());
    EXPECT_THAT(keysOf(windBox("iwwoww", along)), IsEmpty());
    EXPECT_THAT(keysOf(windBox("iiwwww", along)), IsEmpty()) << "as much leaves as enters";
    EXPECT_THAT(keysOf(windBox("iwwwww", {0.0f, 1.0f, 0.0f})), IsEmpty()) << "along the side";
    EXPECT_THAT(keysOf(windBox("iwwwww", glm::vec3(0.0f))), IsEmpty());
    // 1 m x 0.5 m at 0.2 m/s, and 2 m x 0.5 m at 0.1 m/s
    EXPECT_THAT(keysOf(windBox("iwiwww", {0.2f, -0.1f, 0.0f})), IsEmpty());
    EXPECT_THAT(keysOf(windBox("iwiwww", {0.2f, 0.1f, 0.0f})), ElementsAre("grid.sides"));
    Settings s = windBox("iwwwww", along);
    s.prescribed.field = PrescribedField::Uniform;  // no pressure is solved for
    EXPECT_THAT(keysOf(s), IsEmpty());
}

TEST(InflowKeys, SidesAlongZOfAFlatGridAreWalls) {
    Settings s = windBox("iwwwoo", {1.0f, 0.0f, 0.0f});
    s.grid.cells.z = 1;
    s.grid.size.z = 1.0f / 32;
    EXPECT_THAT(keysOf(s), ElementsAre("grid.sides"));
}

TEST(TemperatureKeys, AreAboveAbsoluteZero) {
    const std::pair<std::string, std::function<float&(Settings&)>> cases[] = {
        {"emitter[0].temperature", [](Settings& s) -> float& { return s.emitters[0].temperature; }},
        {"initial[0].temperature", [](Settings& s) -> float& { return s.initial[0].temperature; }},
        {"stroke[0].temperature", [](Settings& s) -> float& { return s.strokes[0].temperature; }},
        {"brush.temperature", [](Settings& s) -> float& { return s.brush.temperature; }}};
    for (const auto& [key, member] : cases) {
        for (const float ambient : {293.0f, 200.0f}) {
            Settings s = windBox("oooooo", glm::vec3(0.0f));
            s.flow.ambient = ambient;
            s.emitters.emplace_back();
            s.initial.emplace_back();
            s.strokes.emplace_back();
            member(s) = -ambient;
            EXPECT_THAT(keysOf(s), IsEmpty()) << key;
            member(s) = -ambient - 1.0f;
            ASSERT_THAT(keysOf(s), ElementsAre(key));
            EXPECT_THAT(validate(s)[0].message, AllOf(HasSubstr("absolute zero"), HasSubstr("flow.ambient")));
            member(s) = -1e9f;
            EXPECT_THAT(keysOf(s), ElementsAre(key));
        }
    }
}

// In the first step, of 1/16 s. With a minimum temperature gas is as warm as that before it is cooled.
TEST(TemperatureKeys, ARateDoesNotReachAbsoluteZeroInAStep) {
    for (const auto& [temperature, least] : {std::pair(0.0f, -3200.0f), {-50.0f, -2400.0f}, {50.0f, -4000.0f}}) {
        Settings s = windBox("oooooo", glm::vec3(0.0f));
        s.timeStep = 1.0f / 16;
        s.flow.ambient = 200.0f;
        EmitterSettings& e = s.emitters.emplace_back();
        e.temperature = temperature;
        e.temperatureRate = least;
        EXPECT_THAT(keysOf(s), IsEmpty()) << temperature;
        e.temperatureRate = least - 1.0f;
        ASSERT_THAT(keysOf(s), ElementsAre("emitter[0].temperature_rate")) << temperature;
        EXPECT_THAT(validate(s)[0].message, AllOf(HasSubstr("absolute zero"), HasSubstr(fmt::format("at least {}", least))));
        e.temperatureRate = -1e9f;
        EXPECT_THAT(keysOf(s), ElementsAre("emitter[0].temperature_rate"));
    }
}

}  // namespace
}  // namespace wisp
