// SPDX-License-Identifier: MIT
#include "compute/scene/scene_warnings.h"

#include <gmock/gmock.h>

namespace wisp {
namespace {

using testing::HasSubstr;

/// A box from (1, 0, 0) to (3, 1, 1).
Settings withEmitter(const Shape& shape) {
    Settings s;
    s.grid.cells = {32, 16, 16};
    s.grid.size = {2.0f, 1.0f, 1.0f};
    s.grid.origin = {1.0f, 0.0f, 0.0f};
    s.emitters.push_back({.shape = shape, .density = 1.0f});
    return s;
}

TEST(SceneWarnings, AnEmitterOutsideTheBox) {
    const glm::vec3 half(0.2f, 0.1f, 0.1f);
    const std::pair<Shape, bool> cases[] = {
        {{.kind = ShapeKind::Sphere, .centre = {0.5f, 0.5f, 0.5f}, .radius = 0.4f}, true},
        {{.kind = ShapeKind::Sphere, .centre = {0.5f, 0.5f, 0.5f}, .radius = 0.6f}, false},
        {{.kind = ShapeKind::Sphere, .centre = {0.7f, -0.3f, 0.5f}, .radius = 0.4f}, true},  // near an edge, at a distance of 0.42
        {{.kind = ShapeKind::Sphere, .centre = {2.0f, 0.5f, 0.5f}, .radius = 0.1f}, false},
        {{.kind = ShapeKind::Box, .centre = {3.3f, 0.5f, 0.5f}, .half = half}, true},
        {{.kind = ShapeKind::Box, .centre = {3.1f, 0.5f, 0.5f}, .half = half}, false},
        {{.kind = ShapeKind::Box, .centre = {2.0f, 0.5f, -0.2f}, .half = half}, true},
    };
    for (const auto& [shape, outside] : cases) {
        Settings s = withEmitter(shape);
        const std::vector<Problem> warnings = sceneWarnings(s);
        ASSERT_EQ(warnings.size(), outside ? 1u : 0u) << shape.centre.x;
        if (!outside) continue;
        EXPECT_EQ(warnings[0].key, "emitter[0].centre");
        EXPECT_THAT(warnings[0].message, HasSubstr("from [1, 0, 0] to [3, 1, 1]"));
        s.follow.keys.push_back({});
        EXPECT_TRUE(sceneWarnings(s).empty()) << "a following box may reach the emitter";
    }
}

TEST(SceneWarnings, KeysThatHaveNoEffect) {
    Settings s = withEmitter({.centre = {2.0f, 0.5f, 0.5f}, .radius = 0.1f});
    s.camera.keys.push_back({.eye = {0.0f, 0.0f, 1.0f}});
    s.environment = {.ground = true, .groundRadius = 1.0f};
    EXPECT_TRUE(sceneWarnings(s).empty());
    s.camera.eye = {9.0f, 1.0f, 2.0f};
    s.environment.ground = false;
    ASSERT_EQ(sceneWarnings(s).size(), 2u);
    EXPECT_EQ(sceneWarnings(s)[0].key, "camera.keys");
    EXPECT_EQ(sceneWarnings(s)[1].key, "environment.ground_radius");
}

TEST(SceneWarnings, AnEmptyScene) {
    Settings s;
    ASSERT_EQ(sceneWarnings(s).size(), 1u);
    EXPECT_EQ(sceneWarnings(s)[0].key, "emitter");
    s.initial.emplace_back();
    EXPECT_TRUE(sceneWarnings(s).empty());
}

// Cells are 1/16 m. A thin body stops smoke only where it closes faces of cells at all times.
TEST(SceneWarnings, BodiesThinnerThanACell) {
    const float quarter = 1.5707963f;
    const Shape plate{.kind = ShapeKind::Box, .centre = {2.0f, 0.5f, 0.5f}, .half = {0.5f, 0.03f, 0.5f}};
    Shape thick = plate;
    thick.half.y = 0.04f;
    const Shape rod{.kind = ShapeKind::Capsule, .centre = {2.0f, 0.5f, 0.5f}, .radius = 0.03f, .half = {0.3f, 0.0f, 0.0f}};
    Shape tilted = rod;
    tilted.half = {0.3f, 0.1f, 0.0f};
    const Shape ball{.kind = ShapeKind::Sphere, .centre = {2.0f, 0.5f, 0.5f}, .radius = 0.03f};
    const std::pair<ObstacleSettings, bool> cases[] = {
        {{.shape = plate}, false},
        {{.shape = plate, .rotation = {0.0f, 0.0f, 0.5f}}, true},
        {{.shape = plate, .rotation = {0.0f, 0.0f, quarter}}, false},
        {{.shape = plate, .rotation = {0.0f, 0.001f, 0.0f}}, true},
        {{.shape = plate, .velocity = {0.0f, 1.0f, 0.0f}}, true},
        {{.shape = plate, .angularVelocity = {0.0f, 1.0f, 0.0f}}, true},
        {{.shape = thick, .rotation = {0.0f, 0.0f, 0.5f}}, false},
        {{.shape = rod}, false},
        {{.shape = rod, .rotation = {0.0f, 0.0f, 0.5f}}, true},
        {{.shape = tilted}, true},
        {{.shape = ball}, false},
    };
    for (const auto& [body, warned] : cases) {
        Settings s = withEmitter({.kind = ShapeKind::Sphere, .centre = {2.0f, 0.5f, 0.5f}, .radius = 0.1f});
        s.obstacles = {body};
        const std::vector<Problem> warnings = sceneWarnings(s);
        ASSERT_EQ(warnings.size(), warned ? 1u : 0u) << body.rotation.y << body.rotation.z << body.shape.half.y;
        if (!warned) continue;
        EXPECT_EQ(warnings[0].key, body.shape.kind == ShapeKind::Box ? "obstacle[0].half" : "obstacle[0].radius");
        EXPECT_THAT(warnings[0].message, HasSubstr("the body is 0.06 m thin, less than a cell (0.0625 m)"));
    }
}

}  // namespace
}  // namespace wisp
