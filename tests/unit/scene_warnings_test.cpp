// SPDX-License-Identifier: MIT
#include "compute/scene/scene_warnings.h"
#include "compute/scene/crossed_bodies.h"
#include "tests/support/meshes.h"
#include "tests/support/problem_keys.h"

#include <gmock/gmock.h>

namespace wisp {
namespace {

using test::keysOf;
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

// Cells of 1/16 m. An emitter fills cells up to one cell beyond its surface.
TEST(SceneWarnings, AnEmitterInsideAnObstacle) {
    const glm::vec3 centre(2.0f, 0.5f, 0.5f);
    const Shape ball{.kind = ShapeKind::Sphere, .centre = centre, .radius = 0.4f};
    const Shape block{.kind = ShapeKind::Box, .centre = centre, .half = glm::vec3(0.4f, 0.2f, 0.2f)};
    const Shape rod{.kind = ShapeKind::Capsule, .centre = centre, .radius = 0.25f, .half = {0.3f, 0.0f, 0.0f}};
    const Shape small{.kind = ShapeKind::Sphere, .centre = centre, .radius = 0.05f}, big{.centre = centre, .radius = 0.45f};
    const Shape shifted{.kind = ShapeKind::Sphere, .centre = {2.25f, 0.5f, 0.5f}, .radius = 0.05f};
    const Shape away{.kind = ShapeKind::Sphere, .centre = {1.3f, 0.5f, 0.5f}, .radius = 0.05f};
    for (const Shape& obstacle : {ball, block, rod}) {
        for (const auto& [emitter, covered] : {std::pair(small, true), {big, false}, {away, false}, {shifted, true}}) {
            Settings s = withEmitter(emitter);
            s.obstacles.push_back({.shape = obstacle});
            const std::vector<std::string> expected(covered ? 1 : 0, "emitter[0].centre");
            EXPECT_EQ(keysOf(sceneWarnings(s)), expected) << static_cast<int>(obstacle.kind) << " " << emitter.centre.x;
        }
    }
    Settings s = withEmitter(shifted);
    s.obstacles.push_back({.shape = block, .rotation = {0.0f, 0.0f, 1.5707963f}});  // it is then 0.2 m wide along x
    EXPECT_TRUE(keysOf(sceneWarnings(s)).empty());
    s.emitters[0].shape = small;
    ASSERT_EQ(keysOf(sceneWarnings(s)).size(), 1u);
    for (const auto& [key, move] :
         {std::pair<const char*, void (*)(Settings&)>{"it moves out", [](Settings& m) { m.obstacles[0].velocity.x = 1.0f; }},
          {"the emitter moves out", [](Settings& m) { m.emitters[0].keys.push_back({}); }},
          {"keys", [](Settings& m) {
               m.obstacles[0].keys = {{0.0f, {}}, {1.0f, {}}};
           }}}) {
        Settings moving = s;
        move(moving);
        EXPECT_TRUE(keysOf(sceneWarnings(moving)).empty()) << key;
    }
    // Two halves, neither of which covers the emitter.
    Settings halves = withEmitter(small);
    for (const float x : {1.8f, 2.2f})
        halves.obstacles.push_back({.shape = {.kind = ShapeKind::Box, .centre = {x, 0.5f, 0.5f}, .half = glm::vec3(0.21f)}});
    EXPECT_EQ(keysOf(sceneWarnings(halves)).size(), 1u);
}

TEST(SceneWarnings, AnEmitterInsideAMesh) {
    Mesh tetrahedron{.positions = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                     .triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};
    Settings s = withEmitter({.centre = {2.0f, 0.5f, 0.5f}, .radius = 0.02f});
    s.meshes.push_back(std::make_shared<const Mesh>(tetrahedron));
    s.obstacles.push_back({.shape = {.kind = ShapeKind::Mesh, .centre = {2.0f, 0.5f, 0.5f}, .mesh = 0, .scale = 0.4f}});
    EXPECT_EQ(keysOf(sceneWarnings(s)), std::vector<std::string>{"emitter[0].centre"});
    s.emitters[0].shape.centre = {2.3f, 0.2f, 0.5f};  // in the bounding box only
    EXPECT_TRUE(keysOf(sceneWarnings(s)).empty());
}

TEST(SceneWarnings, AWindThatDoesNotBlow) {
    Settings s = withEmitter({.centre = {2.0f, 0.5f, 0.5f}, .radius = 0.1f});
    s.flow.inflow = {-1.0f, 0.5f, 0.0f};
    ASSERT_EQ(keysOf(sceneWarnings(s)), std::vector<std::string>{"flow.inflow"});
    EXPECT_THAT(sceneWarnings(s)[0].message, HasSubstr("grid.sides.x1 = \"inflow\""));
    Settings jet = s;  // draws air in, which is no wind
    jet.emitters[0].velocity.y = 1.0f;
    jet.emitters[0].hasVelocity = true;
    EXPECT_EQ(keysOf(sceneWarnings(jet)), std::vector<std::string>{"flow.inflow"});
    Settings side = s, follows = s, starts = s;
    side.grid.sides[1] = Side::Inflow;
    follows.follow.keys = {{.t = 0.0f, .centre = {2.0f, 0.5f, 0.5f}}};
    starts.initial.push_back({.velocity = s.flow.inflow});
    for (const Settings& blows : {side, follows, starts}) EXPECT_TRUE(keysOf(sceneWarnings(blows)).empty());
    s.flow.inflow = glm::vec3(0.0f);
    s.flow.gust = 1.0f;
    EXPECT_EQ(keysOf(sceneWarnings(s)), std::vector<std::string>{"flow.gust"});
    jet.flow = s.flow;
    EXPECT_TRUE(keysOf(sceneWarnings(jet)).empty());
    s.flow.gust = 0.0f;
    s.flow.inflowDensity = 1.0f;
    EXPECT_EQ(keysOf(sceneWarnings(s)), std::vector<std::string>{"flow.inflow_density"});
}

// Cells of 1/16 m: 16 cells a step of 0.1 s are 10 m/s.
TEST(SceneWarnings, StepsOfManyCells) {
    const std::pair<const char*, void (*)(Settings&, float)> cases[] = {
        {"emitter[0].velocity",
         [](Settings& s, float v) {
             s.emitters[0].velocity.x = v;
             s.emitters[0].hasVelocity = true;
         }},
        {"initial[0].velocity", [](Settings& s, float v) { s.initial.emplace_back().velocity.y = v; }},
        {"obstacle[0].velocity",
         [](Settings& s, float v) {
             s.obstacles.push_back({.velocity = {0.0f, 0.0f, v}});
         }},
        {"obstacle[0].keys",
         [](Settings& s, float v) {
             s.obstacles.push_back({.keys = {{0.0f, glm::vec3(0.0f)}, {1.0f, glm::vec3(0.0f)}, {2.0f, {v, 0.0f, 0.0f}}}});
         }},
        {"flow.inflow",
         [](Settings& s, float v) {
             s.grid.sides[0] = Side::Inflow;
             s.flow.inflow.x = v;
         }},
        {"emitter[0].temperature", [](Settings& s, float v) {  // (v / 2)^2 = 2 a H / 4 with a = buoyancy T
             s.flow.buoyancy = 0.01f;
             s.emitters[0].temperature = v * v * 50.0f * 2.0f;
         }}};
    for (const auto& [key, set] : cases) {
        Settings s = withEmitter({.centre = {2.0f, 0.5f, 0.5f}, .radius = 0.1f});
        s.timeStep = 0.1f;
        Settings fast = s;
        set(s, 9.9f);
        EXPECT_TRUE(keysOf(sceneWarnings(s)).empty()) << key;
        set(fast, 10.1f);
        ASSERT_EQ(keysOf(sceneWarnings(fast)), std::vector<std::string>{"time.step"}) << key;
        EXPECT_THAT(sceneWarnings(fast)[0].message, testing::AllOf(HasSubstr(key), HasSubstr("16.2 cells")));
    }
}

// After (200 - 50) / 3 = 50 s. Within that time an emitter of 0.2 m must be left.
TEST(SceneWarnings, CoolingToAbsoluteZero) {
    Settings s = withEmitter({.centre = {2.0f, 0.5f, 0.5f}, .radius = 0.1f});
    s.flow.ambient = 200.0f;
    s.emitters[0].temperature = -50.0f;
    s.emitters[0].temperatureRate = -3.0f;
    ASSERT_EQ(keysOf(sceneWarnings(s)), std::vector<std::string>{"emitter[0].temperature_rate"});
    EXPECT_THAT(sceneWarnings(s)[0].message, testing::AllOf(HasSubstr("-3 K/s"), HasSubstr("after 50 s")));
    const auto expect = [&](bool warns, const char* why, const auto& change) {
        Settings other = s;
        change(other);
        EXPECT_EQ(!keysOf(sceneWarnings(other)).empty(), warns) << why;
    };
    for (const float speed : {0.0039f, 0.0041f}) {
        expect(speed < 0.004f, "its velocity", [&](Settings& o) {
            o.emitters[0].velocity.z = speed;
            o.emitters[0].hasVelocity = true;
        });
        expect(speed < 0.004f, "the wind", [&](Settings& o) {
            o.grid.sides[0] = Side::Inflow;
            o.flow.inflow.x = speed;
        });
    }
    // It falls by b (50 t^2 / 2 + 3 t^3 / 6) = 125000 b m.
    for (const float buoyancy : {1.5e-6f, 1.7e-6f})
        expect(buoyancy < 1.6e-6f, "it falls", [&](Settings& o) { o.flow.buoyancy = buoyancy; });
    expect(false, "a minimum", [](Settings& o) { o.emitters[0].temperature = 50.0f; });
    expect(false, "it heats", [](Settings& o) { o.emitters[0].temperatureRate = 3.0f; });
}

TEST(SceneWarnings, AnEmptyScene) {
    Settings s;
    ASSERT_EQ(sceneWarnings(s).size(), 1u);
    EXPECT_EQ(sceneWarnings(s)[0].key, "emitter");
    s.initial.emplace_back();
    EXPECT_TRUE(sceneWarnings(s).empty());
}

// Cells are 1/16 m. A thin body stops smoke only where it closes faces of cells at all times.
TEST(SceneWarnings, ThinBodies) {
    const float quarter = 1.5707963f;
    const Shape plate{.kind = ShapeKind::Box, .centre = {2.0f, 0.5f, 0.5f}, .half = {0.5f, 0.03f, 0.5f}};
    Shape thick = plate, thicker = plate;
    thick.half.y = 0.051f;    // 1.63 cells
    thicker.half.y = 0.079f;  // 2.53 cells
    const Shape rod{.kind = ShapeKind::Capsule, .centre = {2.0f, 0.5f, 0.5f}, .radius = 0.03f, .half = {0.3f, 0.0f, 0.0f}};
    Shape tilted = rod;
    tilted.half = {0.3f, 0.1f, 0.0f};
    Shape outside = rod, farOutside = rod, beside = rod;
    outside.centre = {2.0f, 1.04f, 0.52f};
    beside.centre = {0.97f, 0.5f, 0.52f};  // on the side of the box
    farOutside.centre = {2.0f, 1.4f, 0.52f};
    const Shape ball{.kind = ShapeKind::Sphere, .centre = {2.0f, 0.5f, 0.5f}, .radius = 0.03f};
    Shape between = plate, onItsSide = plate, besideLine = rod;  // 0.03 m are 0.48 cells
    between.centre.y = 0.531f;                                   // no plane of faces is in it
    onItsSide.centre.y = 0.53f;                                  // the plane at 0.5 is on its surface
    besideLine.centre.z = 0.525f;
    besideLine.centre.y = 0.525f;  // 0.035 m from a line of edges
    const std::pair<ObstacleSettings, bool> cases[] = {
        {{.shape = plate}, false},
        {{.shape = plate, .rotation = {0.0f, 0.0f, 0.5f}}, true},
        {{.shape = plate, .rotation = {0.0f, 0.0f, quarter}}, false},
        {{.shape = plate, .rotation = {0.0f, 0.001f, 0.0f}}, true},
        {{.shape = plate, .velocity = {0.0f, 1.0f, 0.0f}}, true},
        {{.shape = plate, .angularVelocity = {0.0f, 1.0f, 0.0f}}, true},
        {{.shape = thick, .rotation = {0.0f, 0.0f, 0.5f}}, false},
        {{.shape = thick}, false},
        {{.shape = thick, .velocity = {0.0f, 1.0f, 0.0f}}, true},
        {{.shape = thicker, .velocity = {0.0f, 1.0f, 0.0f}}, false},
        {{.shape = rod}, false},
        {{.shape = rod, .rotation = {0.0f, 0.0f, 0.5f}}, true},
        {{.shape = tilted}, true},
        {{.shape = between}, true},
        {{.shape = onItsSide}, false},
        {{.shape = besideLine}, true},
        {{.shape = outside}, false},
        {{.shape = beside, .rotation = {0.0f, 0.0f, quarter}}, false},
        {{.shape = outside, .rotation = {0.0f, 0.0f, 0.5f}}, true},
        {{.shape = outside, .velocity = {0.0f, -1.0f, 0.0f}}, true},
        {{.shape = farOutside, .rotation = {0.0f, 0.0f, 0.5f}}, false},
        {{.shape = ball}, false},
    };
    for (const auto& [body, warned] : cases) {
        Settings s = withEmitter({.kind = ShapeKind::Sphere, .centre = {2.0f, 0.5f, 0.5f}, .radius = 0.1f});
        s.obstacles = {body};
        const std::vector<Problem> warnings = sceneWarnings(s);
        ASSERT_EQ(warnings.size(), warned ? 1u : 0u) << body.rotation.y << body.rotation.z << body.shape.half.y;
        if (!warned) continue;
        EXPECT_EQ(warnings[0].key, body.shape.kind == ShapeKind::Box ? "obstacle[0].half" : "obstacle[0].radius");
        const bool moves = body.velocity != glm::vec3(0.0f) || body.angularVelocity != glm::vec3(0.0f);
        EXPECT_THAT(warnings[0].message, HasSubstr(fmt::format("the body is {} m thick, less than {} cells of 0.0625 m",
                                                               body.shape.half.y == thick.half.y ? 0.102 : 0.06, moves ? 2.5 : 1.6)));
    }
}

// Cells are 1/16 m. Bodies that may be walls and are thinner than four cells are measured.
TEST(ThinBodies, AreThoseThatSmokeMayCross) {
    const auto bitsOf = [](Settings s, const Shape& shape) {
        s.obstacles = {{.shape = {.radius = 0.01f}}, {.shape = shape}};  // a ball is no wall
        CrossedBodies bodies;
        bodies.update(s);
        return bodies.bits();
    };
    Settings s = withEmitter({});
    const Shape plate{.kind = ShapeKind::Box, .half = {0.5f, 0.1249f, 0.5f}},
        rod{.kind = ShapeKind::Capsule, .radius = 0.1249f, .half = {1.0f, 0.0f, 0.0f}};
    for (Shape shape : {plate, rod}) {
        EXPECT_EQ(bitsOf(s, shape), 2u);
        shape.half.y = shape.radius = 0.126f;
        EXPECT_EQ(bitsOf(s, shape), 0u);
    }
    s.meshes = {std::make_shared<const Mesh>(test::cuboid({1.0f, 0.1f, 1.0f}))};
    Shape mesh{.kind = ShapeKind::Mesh, .scale = 1.2f};
    EXPECT_EQ(bitsOf(s, mesh), 2u);
    mesh.scale = 1.3f;
    EXPECT_EQ(bitsOf(s, mesh), 0u);
    Settings flat = s;
    flat.grid.cells.z = 1;
    Shape slab = plate;
    slab.half = {0.5f, 0.5f, 0.001f};
    EXPECT_EQ(bitsOf(s, slab), 2u);
    EXPECT_EQ(bitsOf(flat, slab), 0u) << "its thickness is across the plane";
}

// What a run changes: a mesh is looked at again if it or its scale has changed, and obstacles that are gone are not measured.
TEST(ThinBodies, FollowChangesOfTheScene) {
    Settings s = withEmitter({});
    s.meshes = {std::make_shared<const Mesh>(test::cuboid({1.0f, 0.1f, 1.0f}))};
    s.obstacles = {{.shape = {.kind = ShapeKind::Mesh, .scale = 1.2f}}, {.shape = {.kind = ShapeKind::Box, .half = glm::vec3(0.01f)}}};
    CrossedBodies bodies;
    bodies.update(s);
    EXPECT_EQ(bodies.bits(), 3u);
    s.obstacles[0].shape.scale = 1.3f;
    bodies.update(s);
    EXPECT_EQ(bodies.bits(), 2u);
    s.obstacles[0].shape.scale = 1.2f;
    s.obstacles.pop_back();
    bodies.update(s);
    EXPECT_EQ(bodies.bits(), 1u);
    // Two meshes of one scale change their order.
    s.meshes.push_back(std::make_shared<const Mesh>(test::cuboid({1.0f, 1.0f, 1.0f})));
    s.obstacles.push_back({.shape = {.kind = ShapeKind::Mesh, .mesh = 1, .scale = 1.2f}});
    bodies.update(s);
    EXPECT_EQ(bodies.bits(), 1u);
    std::swap(s.obstacles[0], s.obstacles[1]);
    bodies.update(s);
    EXPECT_EQ(bodies.bits(), 2u);
}

}  // namespace
}  // namespace wisp
