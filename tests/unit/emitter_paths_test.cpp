// SPDX-License-Identifier: MIT
// Emitters that move by keys or are meshes, without a GPU: positions in a step, cells, keys of a scene and their errors.
#include "compute/scene/mesh_report.h"
#include "compute/scene/motion.h"
#include "compute/scene/validate.h"
#include "files/scene/scene.h"
#include "files/scene/scene_writer.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

namespace wisp::app {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

GridSettings gridOf(float h) {
    GridSettings grid;
    grid.cells = glm::uvec3(32);
    grid.size = glm::vec3(32.0f * h);
    return grid;
}

EmitterSettings movingAt(glm::vec3 speed) {
    EmitterSettings e;
    e.keys = {{0.0f, glm::vec3(0.5f)}, {1.0f, glm::vec3(0.5f) + speed}};  // two keys: a straight path at constant speed
    return e;
}

// As docs/scenes.md says under "Paths": on both sides of a key the path has the mean velocity between its neighbours, m. On a piece of T s
// that starts and ends at 0 with the velocities 0 and m, x = -m T (s^2 - s^3), which is least at s = 2/3: -4/27 m T.
TEST(EmitterPaths, GoBeyondTheirKeysWhereTheVelocityChanges) {
    const auto lowest = [](const std::vector<std::pair<float, float>>& keys) {
        EmitterSettings e;
        for (const auto& [t, x] : keys) e.keys.push_back({t, glm::vec3(x, 0.0f, 0.0f)});
        float least = 0.0f;
        for (int n = 0; n <= 6000; ++n) least = std::min(least, emitterCentre(e, n / 3000.0).x);  // 1/3000 s: 2/3 s is one of the times
        return least;
    };
    EXPECT_FLOAT_EQ(lowest({{0, 0}, {1, 0}, {2, 1}}), -4.0f / 27 * 0.5f);
    // On 0.01 s from 0.99 s; the nearest of the times is within 1/6000 s of the least, where x'' = 2 m / T, so the error is below 3e-6 m.
    EXPECT_NEAR(lowest({{0, 0}, {0.99f, 0}, {1, 0}, {2, 1}}), -4.0f / 27 / 1.01f * 0.01f, 3e-6f);
    EXPECT_EQ(lowest({{0, 0}, {2, 1}}), 0.0f);
}

TEST(EmitterPaths, PositionsAreAtMostACellApartAndEndWithTheStep) {
    const GridSettings grid = gridOf(0.125f);
    for (const float speed : {0.0f, 0.5f, 1.0f, 1.1f, 3.0f, 7.9f}) {  // [m/s]; a cell in a step of 1/8 s is 1 m/s
        const EmitterSettings e = movingAt({speed, 0.0f, 0.0f});
        const std::vector<Shape> shapes = emitterShapes(e, grid, 0.25, 0.125);
        EXPECT_EQ(shapes.size(), static_cast<std::size_t>(std::max(1.0f, std::ceil(speed)))) << speed;
        EXPECT_NEAR(shapes.back().centre.x, 0.5f + 0.375f * speed, 1e-6f);
        float before = 0.5f + 0.25f * speed;
        for (const Shape& shape : shapes) {
            EXPECT_GE(shape.centre.x, before);
            EXPECT_LE(shape.centre.x - before, 0.125f * 1.0001f);
            before = shape.centre.x;
        }
    }
    // Within a step that begins before the last key, the emitter stops there.
    EXPECT_EQ(emitterShapes(movingAt({4.0f, 0.0f, 0.0f}), grid, 0.9375, 0.125).back().centre.x, 4.5f);
    EXPECT_EQ(emitterShapes(movingAt({1e4f, 0.0f, 0.0f}), grid, 0.0, 1.0).size(), kMaxEmitterPositions);
    EXPECT_EQ(emitterShapes(movingAt({9.0f, 0.0f, 0.0f}), grid, 0.5, 0.0).size(), 1u);
    // Without keys the shape is where it is, even outside of a periodic box.
    EmitterSettings still;
    still.shape.centre = {-3.0f, 0.0f, 0.0f};
    EXPECT_THAT(emitterShapes(still, grid, 0.0, 1.0), testing::ElementsAre(still.shape));
    GridSettings periodic = grid;
    periodic.sides[0] = periodic.sides[1] = Side::Periodic;
    EXPECT_NEAR(emitterShapes(movingAt({4.0f, 0.0f, 0.0f}), periodic, 1.0, 0.0)[0].centre.x, 0.5f, 1e-6f);
}

/// Whether the box has all cells or faces whose low corners are in the layer around the shape.
TEST(EmitterPaths, CellsContainTheTurnedShapeAndItsLayer) {
    const float h = 0.125f;
    const GridSettings grid = gridOf(h);
    EmitterSettings e;
    e.shape = {.kind = ShapeKind::Box, .centre = glm::vec3(2.0f), .half = {0.8f, 0.1f, 0.1f}};
    const auto box = [&] { return emitterCells(e, grid, {}, 0.0, 0.0).front(); };
    EXPECT_EQ(box().first.y, static_cast<int>(std::floor((2.0f - 0.1f - h) / h)));
    e.rotation = {0.0f, 0.0f, 1.5707963f};  // now long in y
    EXPECT_LE(box().first.y, static_cast<int>(std::floor((2.0f - 0.8f - h) / h)));
    EXPECT_GE(box().first.y + static_cast<int>(box().size.y), static_cast<int>(std::ceil((2.0f + 0.8f + h) / h)));
    e.rotation = glm::vec3(0.0f);
    const int inside = box().first.x;
    e.fill = EmitterFill::Surface;
    EXPECT_EQ(box().first.x, inside - 1);
}

TEST(EmitterPaths, AMeshHasItsOwnCells) {
    Settings s;
    s.grid = gridOf(0.125f);
    s.meshes = {test::shared(test::cuboid({1.0f, 2.0f, 4.0f}))};
    s.emitters.resize(1);
    s.emitters[0].shape = {.kind = ShapeKind::Mesh, .centre = glm::vec3(2.0f), .scale = 0.25f};
    EXPECT_THAT(validate(s), IsEmpty());
    const std::vector<MeshGrid> grids = meshGrids(s);
    ASSERT_EQ(grids.size(), 1u);
    EXPECT_NEAR(grids[0].voxel * 0.25, 0.125, 1e-6);  // a voxel per cell, as for an obstacle
    const CellBox box = emitterCells(s.emitters[0], s.grid, grids, 0.0, 0.0).front();
    for (int axis = 0; axis < 3; ++axis) {
        const float half = 0.25f * (axis == 0 ? 1.0f : axis == 1 ? 2.0f : 4.0f);
        EXPECT_LE(box.first[axis], static_cast<int>(std::floor((2.0f - half - 0.125f) / 0.125f)));
        EXPECT_GE(box.first[axis] + static_cast<int>(box.size[axis]), static_cast<int>(std::ceil((2.0f + half + 0.125f) / 0.125f)));
    }
}

class EmitterScene : public testing::Test {
protected:
    void SetUp() override {
        std::ofstream(scratch.path() / "ball.obj") << test::objOf(test::icosphere(2, 1.0f));
        std::ofstream(scratch.path() / "open.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n";
    }
    [[nodiscard]] Settings read(const std::string& emitter) const {
        return parseScene("[[emitter]]\n" + emitter, (scratch.path() / "t.toml").string());
    }
    [[nodiscard]] std::string errorsOf(const std::string& emitter) const {
        try {
            (void)read(emitter);
        } catch (const SceneFailure& e) {
            return e.what();
        }
        return {};
    }
    test::ScratchFolder scratch;
};

constexpr const char* kMesh = "shape = \"mesh\"\nfile = \"ball.obj\"\n";

TEST_F(EmitterScene, KeysAreReadAndWritten) {
    const Settings s = read(std::string(kMesh) +
                            "size = 0.5\nfill = \"surface\"\nrotation = [0, 90, 0]\ndensity = 1\n"
                            "keys = [{ t = 0.0, centre = [0, 0.5, 0.5] }, { t = 2.0, centre = [1, 0.5, 0.5] }]\n");
    ASSERT_EQ(s.emitters.size(), 1u);
    const EmitterSettings& e = s.emitters[0];
    EXPECT_EQ(e.shape.kind, ShapeKind::Mesh);
    EXPECT_NEAR(e.shape.scale, 0.25f, 1e-6f);
    EXPECT_EQ(e.fill, EmitterFill::Surface);
    EXPECT_NEAR(e.rotation.y, 1.5707963f, 1e-6f);
    ASSERT_EQ(e.keys.size(), 2u);
    EXPECT_EQ(emitterCentre(e, 1.0), glm::vec3(0.5f, 0.5f, 0.5f));
    const Settings again = parseScene(writeScene(s, scratch.path()), (scratch.path() / "again.toml").string());
    EXPECT_EQ(again.emitters, s.emitters);
}

TEST_F(EmitterScene, ErrorsNameTheKey) {
    EXPECT_THAT(errorsOf("fill = \"surface\"\n"), HasSubstr("emitter[0].fill"));
    EXPECT_THAT(errorsOf(std::string(kMesh) + "fill = \"surface\"\nliquid = true\n"), HasSubstr("emitter[0].fill"));
    EXPECT_THAT(errorsOf(std::string(kMesh) + "fill = \"both\"\n"), HasSubstr("emitter[0].fill"));
    EXPECT_THAT(errorsOf(std::string(kMesh) + "radius = 1\n"), HasSubstr("emitter[0].radius"));
    EXPECT_THAT(errorsOf("shape = \"mesh\"\n"), HasSubstr("emitter[0].shape"));
    EXPECT_THAT(errorsOf("shape = \"mesh\"\nfile = \"none.obj\"\n"), HasSubstr("none.obj"));
    EXPECT_THAT(errorsOf("shape = \"mesh\"\nfile = \"open.obj\"\n"), testing::AllOf(HasSubstr("emitter[0].file"), HasSubstr("not closed")));
    EXPECT_THAT(errorsOf("file = \"ball.obj\"\n"), HasSubstr("emitter[0].file"));
    EXPECT_THAT(errorsOf("keys = [{ t = 1, centre = [0, 0, 0] }, { t = 1, centre = [0, 0, 0] }]\n"), HasSubstr("emitter[0].keys"));
    EXPECT_THAT(errorsOf("rotation = [0, nan, 0]\n"), HasSubstr("emitter[0].rotation"));
    EXPECT_EQ(errorsOf(kMesh), "");
}

TEST_F(EmitterScene, AMeshOutsideOfTheBoxIsAWarning) {
    const std::string far = "centre = [40, 0, 0]\nsize = 0.2\n";
    const std::vector<Problem> warnings = meshWarnings(read(kMesh + far));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0].key, "emitter[0].file");
    EXPECT_THAT(meshWarnings(read(kMesh + far + "keys = [{ t = 0, centre = [40, 0, 0] }, { t = 9, centre = [0.5, 0.5, 0.5] }]\n")),
                IsEmpty());
}

}  // namespace
}  // namespace wisp::app
