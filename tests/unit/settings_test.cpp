// SPDX-License-Identifier: MIT
#include "compute/scene/settings.h"
#include "compute/scene/validate.h"

#include <gmock/gmock.h>

#include <cmath>
#include <utility>

namespace wisp {
namespace {

using testing::IsEmpty;

TEST(SettingsValidate, RejectsNanAndInfinity) {
    for (const float bad : {NAN, INFINITY, -INFINITY}) {
        Settings s;
        s.grid.size.y = bad;
        s.timeStep = bad;
        s.lights.resize(1);
        s.lights[0].intensity = bad;
        s.camera.fov = bad;
        EXPECT_EQ(validate(s).size(), 4u) << bad;
    }
    EXPECT_THAT(validate(Settings{}), IsEmpty());
}

// The box is 2 x 1 x 1 m.
TEST(SettingsValidate, LampsAreNearWithinAQuarterOfTheBox) {
    Settings s;
    EXPECT_FALSE(s.hasNearLamps());
    s.lights = {{.kind = LightKind::Sun}};
    EXPECT_FALSE(s.hasNearLamps());
    for (const auto& [position, near] : {std::pair{glm::vec3(1.0f, 0.5f, 0.5f), true}, std::pair{glm::vec3(1.0f, 1.45f, 0.5f), true},
                                         std::pair{glm::vec3(1.0f, 1.55f, 0.5f), false}, std::pair{glm::vec3(-0.4f, -0.4f, 0.5f), false}}) {
        s.lights = {{.kind = LightKind::Point, .position = position}};
        EXPECT_EQ(s.hasNearLamps(), near) << position.x << " " << position.y;
    }
    s.follow.keys.resize(2);  // the box moves
    EXPECT_TRUE(s.hasNearLamps());
}

TEST(SettingsValidate, CountsCellsIn64Bits) {
    Settings s;
    s.grid.cells = glm::uvec3(2048);
    s.grid.size = glm::vec3(1.0f);
    EXPECT_EQ(validate(s).size(), 1u);
    s.grid.cells = glm::uvec3(0);
    EXPECT_EQ(validate(s).size(), 1u);
}

TEST(SettingsValidate, ViscosityIsBoundedByItsStability) {
    Settings s;
    s.flow.viscosity = 1.01f * s.grid.cellSize() * s.grid.cellSize() / (6.0f * s.timeStep);
    ASSERT_EQ(validate(s).size(), 1u);
    EXPECT_EQ(validate(s).front().key, "flow.viscosity");
    s.flow.viscositySweeps = 20;
    EXPECT_TRUE(validate(s).empty()) << "implicit viscosity has no limit";
    s.flow.viscositySweeps = 0;
}

}  // namespace
}  // namespace wisp
