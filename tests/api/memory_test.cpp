// SPDX-License-Identifier: MIT
// Meshes and volumes that a program gives in memory.
#include "tests/api/small_scene.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>

namespace wisp::test {
namespace {

using testing::HasSubstr;
using Positions = std::vector<std::array<float, 3>>;
using Triangles = std::vector<std::array<std::uint32_t, 3>>;

/// An octahedron with corners at a distance of 1, seen from outside.
const Positions kCorners{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
const Triangles kFaces{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};

/// A box of 16 x 24 x 16 cells of 1/16 m with smoke that stays where it is.
Scene stillScene() {
    return Scene::parse(R"(
        [grid]
        cells = [16, 24, 16]
        size = [1.0, 1.5, 1.0]
        [time]
        step = 0.0078125
    )");
}
constexpr std::array<std::uint32_t, 3> kSize{16, 24, 16};
constexpr double kCell = 1.0 / 16;

/// Multiples of 1/256 below 2, which half floats hold exactly. Half of them are 0.
std::vector<float> numbers(std::size_t count) {
    std::mt19937 generator(7);
    std::vector<float> values(count);
    for (float& v : values) v = generator() % 2 == 0 ? static_cast<float>(generator() % 512) / 256.0f : 0.0f;
    return values;
}

/// Scale and translation.
std::array<double, 16> at(double cell, double x, double y, double z) { return {cell, 0, 0, 0, 0, cell, 0, 0, 0, 0, cell, 0, x, y, z, 1}; }

class ApiMemory : public testing::Test {
protected:
    ScratchFolder scratch_;
    const std::filesystem::path& folder_ = scratch_.path();
};

TEST_F(ApiMemory, SmokeOfAnArrayIsTheArray) {
    std::vector<float> values = numbers(16 * 24 * 16);
    values[5] = -1.0f;
    Scene scene = stillScene();
    scene.volume("cloud", {{.size = kSize, .toWorld = at(kCell, 0.5 * kCell, 0.5 * kCell, 0.5 * kCell), .values = values}});
    values[5] = 0.0f;
    scene.add("initial", R"({shape = "volume", file = "memory:cloud", density = 1.0})");
    Simulation simulation(device(), scene);
    EXPECT_EQ(simulation.read("density").values, values);
    // All values and sums are multiples of 1/256 below 2^24/256, so that floats add them exactly; volume and product are rounded.
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    EXPECT_GT(sum, 1000.0);
    EXPECT_NEAR(simulation.quality().mass, sum * kCell * kCell * kCell, 4e-7 * sum * kCell * kCell * kCell);
}

// Between a voxel with smoke and one of -1 there is as much smoke as between it and an empty one.
TEST_F(ApiMemory, NegativeDensitiesAreNone) {
    const auto between = [](float other) {
        Scene scene = stillScene();
        // Voxels of two cells: most cells lie between voxels.
        scene.volume("cloud", {{.size = {2, 1, 1}, .toWorld = at(2 * kCell, 0.25, 0.75, 0.5), .values = std::vector<float>{1.0f, other}}});
        scene.add("initial", R"({shape = "volume", file = "memory:cloud", density = 1.0})");
        return Simulation(device(), scene).read("density").values;
    };
    const std::vector<float> none = between(0.0f);
    EXPECT_GT(std::accumulate(none.begin(), none.end(), 0.0), 0.5);
    EXPECT_EQ(between(-1.0f), none);
}

// A quarter turn about y swaps two axes: index (i, j, k) is at (k, j, 15 - i) cells.
TEST_F(ApiMemory, ATransformTurnsAVolume) {
    const std::vector<float> values = numbers(16 * 24 * 16);
    constexpr double h = kCell;
    Scene scene = stillScene();
    scene.volume("cloud",
                 {{.size = kSize, .toWorld = {0, 0, -h, 0, 0, h, 0, 0, h, 0, 0, 0, 0.5 * h, 0.5 * h, 15.5 * h, 1}, .values = values}});
    scene.add("initial", R"({shape = "volume", file = "memory:cloud", density = 1.0})");
    const std::vector<float> read = Simulation(device(), scene).read("density").values;
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < 16; ++k)
        for (std::size_t j = 0; j < 24; ++j)
            for (std::size_t i = 0; i < 16; ++i) wrong += read[((15 - i) * 24 + j) * 16 + k] != values[(k * 24 + j) * 16 + i];
    EXPECT_EQ(wrong, 0u);
}

TEST_F(ApiMemory, FieldsOfASimulationStartAnother) {
    Simulation before(device(), smallScene());
    before.step(8);
    const FieldData density = before.read("density"), temperature = before.read("temperature");
    Scene scene = smallScene();
    scene.volume("smoke", {VolumeGrid::of(density), VolumeGrid::of(temperature)});
    scene.add("initial", R"({shape = "volume", file = "memory:smoke", density = 1.0, temperature = 1.0})");
    Simulation after(device(), scene);
    const double cell = static_cast<double>(density.lattice.cell);
    double mass = 0.0, largest = 0.0;
    const std::vector<float> again = after.read("density").values, hot = after.read("temperature").values;
    for (std::size_t n = 0; n < again.size(); ++n) {
        mass += static_cast<double>(density.values[n]) * cell * cell * cell;
        // Positions are exact to about 2^-24 of the box, 24 cells, so that neighbours get at most 3 axes * 24 * 2^-23 of their difference;
        // half floats round by 2^-11.
        EXPECT_NEAR(again[n], density.values[n], 1e-5 + std::ldexp(density.values[n], -11)) << n;
        EXPECT_NEAR(hot[n], temperature.values[n], 1e-3 + std::ldexp(std::abs(temperature.values[n]), -11)) << n;
        largest = std::max(largest, static_cast<double>(density.values[n]));
    }
    EXPECT_GT(largest, 0.5);
    EXPECT_NEAR(after.quality().mass, mass, mass * std::ldexp(1.0, -11));
}

TEST_F(ApiMemory, AVolumeOfAnEmitter) {
    const std::vector<float> values(8 * 8 * 8, 0.5f);
    Scene scene = stillScene();
    scene.volume("source", {{.field = "density", .size = {8, 8, 8}, .toWorld = at(kCell, 0.28125, 0.53125, 0.28125), .values = values}});
    scene.add("emitter", R"({shape = "volume", file = "memory:source", density = 2.0})");
    Simulation simulation(device(), scene);
    // 512 cells with a density of 1, whose sum is exact, and still air.
    EXPECT_EQ(simulation.quality().mass, 512 * kCell * kCell * kCell);
    simulation.step();
    EXPECT_EQ(simulation.quality().mass, 512 * kCell * kCell * kCell);
    EXPECT_EQ(simulation.read("density").values[(8 * 24 + 12) * 16 + 8], 1.0f);
}

TEST_F(ApiMemory, AMeshIsTheSameAsThatOfAFile) {
    std::ofstream file(folder_ / "body.obj");
    for (const auto& p : kCorners) file << "v " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
    for (const auto& t : kFaces) file << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    file.close();
    const auto scene = [&](const std::string& body) {
        Scene s = Scene::parse(kSmallScene, folder_.string());
        s.mesh("body", kCorners, kFaces);
        s.set("obstacle", Value::toml("[{shape = \"mesh\", file = \"" + body +
                                      "\", centre = [0.4, 0.7, 0.4], scale = 0.17, angular_velocity = [0, 90, 0]}]"));
        return s.add("emitter", "{shape = \"mesh\", file = \"" + body + "\", centre = [0.2, 0.4, 0.4], size = 0.2, density = 0.5}");
    };
    Simulation one(device(), scene("body.obj")), other(device(), scene("memory:body"));
    one.step(6);
    other.step(6);
    for (const std::string& field : one.fields()) EXPECT_EQ(one.read(field).values, other.read(field).values) << field;
    const Quality q = one.quality();
    ASSERT_EQ(q.bodies.size(), 1u);
    EXPECT_NE(q.bodies[0].force[1], 0.0);
    EXPECT_EQ(q.bodies[0].force, other.quality().bodies[0].force);
}

/// The small scene with the octahedron instead of its ball.
Scene meshScene() {
    Scene scene = smallScene();
    scene.mesh("body", kCorners, kFaces);
    return scene.set("obstacle", Value::toml(R"([{shape = "mesh", file = "memory:body", centre = [0.4, 0.7, 0.4], scale = 0.15}])"));
}

/// The octahedron, twice as wide.
Positions wide() {
    Positions corners = kCorners;
    for (auto& p : corners) p[0] *= 2.0f;
    return corners;
}

TEST_F(ApiMemory, OtherKeysChangeWhileItRuns) {
    Scene scene = meshScene();
    scene.volume("cloud", {{.size = kSize, .toWorld = at(0.05, 0, 0, 0), .values = numbers(16 * 24 * 16)}});
    scene.add("initial", R"({shape = "volume", file = "memory:cloud", density = 1.0})");
    Simulation simulation(device(), scene);
    simulation.step();
    simulation.set("flow.vorticity", 0.5);
    simulation.step();
    EXPECT_EQ(simulation.scene().get("flow.vorticity"), "0.5");
    EXPECT_TRUE(simulation.scene().sharesMemory(scene));
    scene.mesh("body", wide(), kFaces);
    const Error error = errorOf([&] { simulation.change(scene); });
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_THAT(error.what(), HasSubstr("obstacle[0].file"));
}

TEST_F(ApiMemory, AnEmittersMeshIsNamed) {
    Scene scene = smallScene();
    scene.mesh("body", kCorners, kFaces);
    scene.add("emitter", R"({shape = "mesh", file = "memory:body", centre = [0.4, 0.7, 0.4], scale = 0.15, density = 1.0})");
    Simulation simulation(device(), scene);
    scene.mesh("body", wide(), kFaces);
    const Error error = errorOf([&] { simulation.change(scene); });
    EXPECT_EQ(error.key(), "emitter[1].file") << "the scene has no obstacle";
}

TEST_F(ApiMemory, OtherKeysChangeWhileAMeshIsThatOfAFile) {
    std::ofstream file(folder_ / "body.obj");
    for (const auto& p : kCorners) file << "v " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
    for (const auto& t : kFaces) file << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    file.close();
    const auto scene = [&] {
        return Scene::parse(kSmallScene, folder_.string())
            .set("obstacle", Value::toml(R"([{shape = "mesh", file = "body.obj", centre = [0.4, 0.7, 0.4], scale = 0.15}])"));
    };
    Simulation simulation(device(), scene());
    EXPECT_NO_THROW(simulation.set("flow.vorticity", 0.5));
    // Written again, with the same mesh: it is read again.
    std::filesystem::last_write_time(folder_ / "body.obj", std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
    EXPECT_NO_THROW(simulation.change(scene()));
}

TEST_F(ApiMemory, CopiesShareTheDataAndReplaceItForThemselves) {
    Scene scene = meshScene(), copy = scene;
    EXPECT_TRUE(scene.hasMemory());
    EXPECT_FALSE(smallScene().hasMemory());
    EXPECT_TRUE(copy.sharesMemory(scene));
    copy.mesh("body", wide(), kFaces);
    EXPECT_FALSE(copy.sharesMemory(scene));
    Simulation one(device(), scene), other(device(), copy);
    one.step();
    other.step();
    EXPECT_NE(one.read("velocity").values, other.read("velocity").values);
}

TEST_F(ApiMemory, TextHasTheNameWithoutTheData) {
    const Scene scene = meshScene();
    const std::string text = scene.toml("/elsewhere");
    EXPECT_THAT(text, HasSubstr("file = \"memory:body\""));
    const Error error = errorOf([&] { (void)Scene::parse(text); });
    EXPECT_EQ(error.code(), ErrorCode::Scene);
    EXPECT_EQ(error.key(), "obstacle[0].file");
    EXPECT_THAT(error.what(), HasSubstr("there is no mesh \"body\" in memory, nor any other"));
    EXPECT_EQ(Scene::parse(text, "", scene).toml(), scene.toml());
    Scene other;
    other.mesh("ball", kCorners, kFaces);
    EXPECT_THAT(errorOf([&] { (void)Scene::parse(text, "", other); }).what(), HasSubstr("only ball"));
}

TEST_F(ApiMemory, CheckpointsRefuseTheKey) {
    Simulation simulation(device(), meshScene());
    const std::string file = (folder_ / "run.wisp").string();
    const Error error = errorOf([&] { simulation.save(file); });
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_THAT(error.what(), HasSubstr("obstacle[0].file = \"memory:body\""));
    EXPECT_FALSE(std::filesystem::exists(file));
    Scene volumes = smallScene();
    volumes.volume("cloud", {{.size = kSize, .toWorld = at(0.05, 0, 0, 0), .values = numbers(16 * 24 * 16)}});
    Simulation unused(device(), volumes);  // no key names it
    EXPECT_NO_THROW(unused.save(file));
    volumes.add("initial", R"({shape = "volume", file = "memory:cloud", density = 1.0})");
    EXPECT_THAT(errorOf([&] { Simulation(device(), volumes).save(file); }).what(), HasSubstr("initial[0].file = \"memory:cloud\""));
    volumes.add("emitter", R"({shape = "volume", file = "memory:cloud", density_rate = 1.0})");
    EXPECT_THAT(errorOf([&] { Simulation(device(), volumes).save(file); }).what(), HasSubstr("emitter[1].file = \"memory:cloud\""));
}

TEST_F(ApiMemory, WrongMeshesSayWhatIsWrong) {
    Scene scene = meshScene();
    const std::string before = scene.toml();
    const auto problemOf = [&](const Positions& positions, const Triangles& triangles, const std::string& name = "body") {
        const Error e = errorOf([&] { scene.mesh(name, positions, triangles); });
        EXPECT_EQ(e.code(), ErrorCode::Argument) << e.what();
        return std::string(e.what());
    };
    Positions corners = kCorners;
    corners[3][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(problemOf(corners, kFaces), HasSubstr("the mesh \"body\": vertex 3 is at [0, nan, 0]"));
    Triangles faces = kFaces;
    faces[5][1] = 6;
    EXPECT_THAT(problemOf(kCorners, faces), HasSubstr("triangle 5 has vertex 6, but there are only 6 vertices"));
    EXPECT_THAT(problemOf(kCorners, {}), HasSubstr("has no triangles"));
    EXPECT_THAT(problemOf({}, {}), HasSubstr("has no triangles"));
    faces = kFaces;
    faces.pop_back();
    EXPECT_THAT(problemOf(kCorners, faces), HasSubstr("not closed"));
    for (const char* name : {"", "a/b", "body.obj", "b%04d", "ball of wool"})
        EXPECT_THAT(problemOf(kCorners, kFaces, name), HasSubstr("letters, digits"));
    EXPECT_EQ(scene.toml(), before);
    EXPECT_NO_THROW(Simulation(device(), scene));
}

// Two octahedra that intersect are a solid only with overlap = true.
TEST_F(ApiMemory, AMeshThatIntersectsItselfNeedsOverlap) {
    Positions corners = kCorners;
    Triangles faces = kFaces;
    for (const auto& p : kCorners) corners.push_back({p[0] + 0.4f, p[1] + 0.3f, p[2] + 0.2f});
    for (const auto& t : kFaces) faces.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
    Scene scene = meshScene();
    const Error error = errorOf([&] { scene.mesh("body", corners, faces); });  // the obstacle uses it already
    EXPECT_EQ(error.code(), ErrorCode::Scene);
    EXPECT_EQ(error.key(), "obstacle[0].file");
    EXPECT_NO_THROW(Scene(scene).set("seed", 2));  // the old mesh is still there
    scene.set("obstacle[0].overlap", true).mesh("body", corners, faces);
    EXPECT_NO_THROW(scene.check());
}

TEST_F(ApiMemory, WrongVolumesSayWhatIsWrong) {
    Scene scene = stillScene();
    const auto problemOf = [&](const std::vector<VolumeGrid>& grids) {
        const Error e = errorOf([&] { scene.volume("cloud", grids); });
        EXPECT_EQ(e.code(), ErrorCode::Argument) << e.what();
        return std::string(e.what());
    };
    std::vector<float> values(24, 1.0f);
    const VolumeGrid good{.size = {4, 3, 2}, .toWorld = at(0.1, 0, 0, 0), .values = values};
    EXPECT_NO_THROW(scene.volume("cloud", {good}));
    EXPECT_THAT(problemOf({}), HasSubstr("the volume \"cloud\": has no fields"));
    EXPECT_THAT(problemOf({good, good}), HasSubstr("has density twice"));
    VolumeGrid bad = good;
    bad.field = "velocity";
    EXPECT_THAT(problemOf({bad}), HasSubstr("has a field \"velocity\", must be density, temperature or fuel"));
    bad = good;
    bad.size = {4, 3, 3};
    EXPECT_THAT(problemOf({bad}), HasSubstr("density: has 24 values, must have 4 x 3 x 3 = 36"));
    bad.size = {4, 0, 3};
    EXPECT_THAT(problemOf({bad}), HasSubstr("must have at least one"));
    bad.size = {1u << 31, 1u << 31, 4};  // their product is 0 in 64 bits
    EXPECT_THAT(problemOf({bad}), HasSubstr("must have at most 65536 along an axis"));
    bad.size = {1u << 12, 1u << 12, 1u << 12};
    EXPECT_THAT(problemOf({bad}), HasSubstr("at most"));
    bad = good;
    bad.toWorld[3] = 0.5;
    EXPECT_THAT(problemOf({bad}), HasSubstr("the last row of its transform has 0.5 in column 0"));
    for (const auto& [number, value] : {std::pair(0, 0.0), {5, 1e7}, {12, 1e9}, {0, std::numeric_limits<double>::quiet_NaN()}}) {
        bad = good;
        bad.toWorld[static_cast<std::size_t>(number)] = value;
        EXPECT_THAT(problemOf({bad}), testing::AnyOf(HasSubstr("edge"), HasSubstr("origin"), HasSubstr("not finite"))) << number;
    }
    values[1 + 4 * (2 + 3 * 1)] = std::numeric_limits<float>::infinity();
    EXPECT_THAT(problemOf({good}), HasSubstr("value (1, 2, 1) is inf, must be finite"));
    const Error lacks = errorOf(
        [&] { scene.add("initial", R"({shape = "volume", file = "memory:cloud", density = 1.0, temperature = 1.0})"); });
    EXPECT_EQ(lacks.key(), "initial[0].file");
    EXPECT_THAT(lacks.what(), HasSubstr("has no temperature"));
}

}  // namespace
}  // namespace wisp::test
