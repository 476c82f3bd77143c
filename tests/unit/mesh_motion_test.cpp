// SPDX-License-Identifier: MIT
// Meshes that deform, from sequences of OBJ files and from animated glTF files (see also gltf_test.cpp), and meshes that cross themselves.
#include "compute/scene/mesh_crossing.h"
#include "compute/scene/mesh_report.h"
#include "files/scene/mesh_loader.h"
#include "files/scene/scene.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

namespace wisp::app {
namespace {

using test::cuboid, test::icosphere, test::joined, test::moved, test::torus;
using testing::AllOf, testing::HasSubstr;

class MeshMotionFile : public testing::Test {
protected:
    void write(const std::string& name, const Mesh& mesh) { std::ofstream(scratch.path() / name) << test::objOf(mesh); }
    [[nodiscard]] std::string at(const std::string& name) const { return (scratch.path() / name).string(); }
    /// Poses 3 to 7 of a cube that is (1 + n^2 / 10) times as long along x in pose n, counted from 0.
    void writeSequence() {
        for (int n = 0; n < 5; ++n) write(fmt::format("body_{:04}.obj", n + 3), cuboid({1.0f + 0.1f * float(n * n), 1.0f, 1.0f}));
    }
    std::string problemOf(const MeshSource& source) {
        try {
            (void)loadMesh(source);
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return {};
    }
    std::string errorsOf(const std::string& keys, const std::string& table = "obstacle") {
        try {
            (void)parseScene("[[" + table + "]]\nshape = \"mesh\"\n" + keys, at("t.toml"));
        } catch (const SceneFailure& e) {
            return e.what();
        }
        return {};
    }
    test::ScratchFolder scratch;
};

// Half of the length along x, at a time.
double lengthAt(const Mesh& mesh, double t) { return double(boundsOf(mesh, mesh.motion->positions(t)).high.x); }

TEST_F(MeshMotionFile, SequenceFollowsASplineThroughItsPoses) {
    writeSequence();
    const Mesh mesh = loadMesh({.file = at("body_%04d.obj"), .fps = 10.0f, .start = 2.0f});
    ASSERT_TRUE(mesh.motion);
    EXPECT_EQ(mesh.positions, cuboid(glm::vec3(1.0f)).positions);
    constexpr double kRounding = 3.0 * 2.6 / (1 << 23);
    for (int n = 0; n < 5; ++n) EXPECT_NEAR(lengthAt(mesh, 2.0 + 0.1 * n), 1.0 + 0.1 * n * n, kRounding) << n;
    // A Catmull-Rom spline follows a parabola exactly, but in the first and the last interval.
    for (const double n : {1.25, 1.5, 2.9}) EXPECT_NEAR(lengthAt(mesh, 2.0 + 0.1 * n), 1.0 + 0.1 * n * n, kRounding) << n;
    // There the slope at the end is that of the interval: f(1/2) = (f0 + f1) / 2 + (m0 - m1) / 8.
    EXPECT_NEAR(lengthAt(mesh, 2.05), 1.05 + (0.1 - 0.2) / 8.0, kRounding);
    EXPECT_NEAR(lengthAt(mesh, 2.35), 0.5 * (1.9 + 2.6) + (0.6 - 0.7) / 8.0, kRounding);
    for (const double t : {-1.0, 1.99}) EXPECT_EQ(mesh.motion->positions(t), mesh.positions) << "at rest before its first pose";
    EXPECT_EQ(mesh.motion->positions(2.41), mesh.motion->positions(99.0)) << "at rest after its last pose";
    EXPECT_EQ(glm::vec3(mesh.range.extent), glm::vec3(2.0f * 2.6f, 2.0f, 2.0f));
    EXPECT_NEAR(mesh.range.speed, 7.0, 1e-4) << "0.7 in the last of the intervals of 0.1 s";
    // By default 24 poses a second, from 0 s on.
    EXPECT_NEAR(lengthAt(loadMesh({.file = at("body_%04d.obj")}), 3.0 / 24.0), 1.9, kRounding);

    write("one_1.obj", cuboid(glm::vec3(1.0f)));
    EXPECT_EQ(loadMesh({.file = at("one_%01d.obj")}).motion->positions(0.3), mesh.positions) << "a sequence of one pose";
}

TEST_F(MeshMotionFile, SequencesThatAreWrong) {
    writeSequence();
    const MeshSource source{.file = at("body_%04d.obj")};
    const std::uint64_t hash = loadMesh(source).motionHash;
    write("body_0006.obj", cuboid({1.5f, 1.0f, 1.0f}));
    EXPECT_NE(loadMesh(source).motionHash, hash) << "a checkpoint must notice that a pose has changed";
    write("body_0006.obj", icosphere(1, 1.0f));
    EXPECT_EQ(problemOf(source),
              "body_0006.obj: has 42 vertices and 80 triangles, but body_0003.obj has 8 and 12: all files of a sequence "
              "must have the same triangles");
    Mesh other = cuboid(glm::vec3(1.0f));
    std::swap(other.triangles[2], other.triangles[3]);
    write("body_0006.obj", other);
    EXPECT_THAT(problemOf(source), AllOf(HasSubstr("body_0006.obj: has a triangle 3 of the vertices "), HasSubstr("in body_0003.obj")));
    std::ofstream(at("body_0006.obj")) << "v 0 0 nan\n";
    EXPECT_THAT(problemOf(source), HasSubstr("body_0006.obj: line 1: z is nan"));
    std::filesystem::remove(at("body_0006.obj"));
    EXPECT_EQ(problemOf(source), "body_0006.obj is missing");
    EXPECT_EQ(problemOf({.file = at("none_%04d.obj")}), "no file has a name like this");
    EXPECT_EQ(problemOf({.file = at("body_%04d.glb")}), "is a sequence, which must be of .obj files");
    EXPECT_THAT(errorsOf("file = \"body_%04d.obj\"\n"), HasSubstr("obstacle[0].file: body_%04d.obj: body_0006.obj is missing"));
}

// What a sequence would take is known from its first file and the number of files.
TEST_F(MeshMotionFile, SequenceThatIsTooLargeIsRefusedBeforeItIsRead) {
    constexpr int kVertices = 600'000;
    {
        std::ofstream out(at("b_0000.obj"));
        out << test::objOf(cuboid(glm::vec3(1.0f)));
        for (int n = 8; n < kVertices; ++n) out << "v 0 0 0\n";
    }
    const auto files = static_cast<int>(kMaxSequenceBytes / (kVertices * sizeof(glm::vec3))) + 1;
    for (int n = 1; n < files; ++n) std::filesystem::create_hard_link(at("b_0000.obj"), at(fmt::format("b_{:04}.obj", n)));
    EXPECT_EQ(problemOf({.file = at("b_%04d.obj")}),
              fmt::format("has {} files of 600000 vertices, which take 4.3 GB of memory, at most 4.3 GB are allowed", files));
}

TEST_F(MeshMotionFile, RatesMayBeFractions) {
    writeSequence();
    const auto rateOf = [&](const std::string& fps, const SceneOptions& options) {
        const std::string scene = "[[obstacle]]\nshape = \"mesh\"\nfile = \"body_%04d.obj\"\nfps = " + fps;
        return parseScene(scene, at("t.toml"), options).meshes.at(0)->source.fps.value_or(0.0f);
    };
    EXPECT_EQ(rateOf("\"24000/1001\"", {}), static_cast<float>(24000.0 / 1001.0));
    EXPECT_EQ(rateOf("24", {.overrides = {{"--set", "obstacle[0].fps", "30000/1001"}}}), static_cast<float>(30000.0 / 1001.0));
    for (const std::string text : {"30000/", "/1001", "24", "1/2/3", "1/0", "1/-2", " 1/2"})
        EXPECT_THAT(errorsOf("file = \"body_%04d.obj\"\nfps = \"" + text + "\"\n"),
                    HasSubstr("obstacle[0].fps: is the string \"" + text + "\", must be a number, or a fraction such as \"24000/1001\""));
}

TEST_F(MeshMotionFile, KeysAreForTheirKindOfFile) {
    writeSequence();
    write("still.obj", cuboid(glm::vec3(1.0f)));
    EXPECT_EQ(errorsOf("file = \"body_%04d.obj\"\nfps = 30\nstart = 1\n"), "");
    EXPECT_EQ(errorsOf("file = \"body_%04d.obj\"\nfps = 30\nstart = 1\n", "emitter"), "");
    EXPECT_THAT(errorsOf("file = \"body_%04d.obj\"\nfps = 0\n"), HasSubstr("obstacle[0].fps: is 0, must be above 0"));
    EXPECT_THAT(errorsOf("file = \"still.obj\"\nfps = 30\n"), HasSubstr("obstacle[0].fps: is only for a sequence"));
    EXPECT_THAT(errorsOf("file = \"still.obj\"\nstart = 1\n"), HasSubstr("obstacle[0].start: is only for a sequence of files or a glTF"));
    EXPECT_THAT(errorsOf("file = \"still.obj\"\nnode = \"a\"\n"), HasSubstr("obstacle[0].node: is only for a glTF file"));
    for (const char* keys : {"fps = 30\n", "start = 1\n", "node = \"a\"\n", "overlap = true\n"})
        for (const char* table : {"obstacle", "emitter"}) {
            try {
                (void)parseScene(fmt::format("[[{}]]\nshape = \"sphere\"\n{}", table, keys), at("t.toml"));
                ADD_FAILURE() << keys << " was accepted for a sphere of an " << table;
            } catch (const SceneFailure& e) {
                EXPECT_THAT(e.what(), HasSubstr("is only for shape = "));
            }
        }
    const Settings s = parseScene(
        "[[obstacle]]\nshape = \"mesh\"\nfile = \"body_%04d.obj\"\nsize = 0.1\n"
        "[[emitter]]\nshape = \"mesh\"\nfile = \"body_%04d.obj\"\nstart = 1\ninherit_velocity = 0.5\n"
        "[[emitter]]\nshape = \"mesh\"\nfile = \"body_%04d.obj\"\nstart = 1\n",
        at("t.toml"));
    EXPECT_EQ(s.meshes.size(), 2u) << "the same file with other keys is another mesh";
    EXPECT_EQ(s.emitters[0].inheritVelocity, 0.5f);
}

TEST_F(MeshMotionFile, FastSurfacesAreWarnedAbout) {
    writeSequence();
    Settings s;
    s.meshes = {test::shared(loadMesh({.file = at("body_%04d.obj"), .fps = 10.0f}))};
    s.obstacles.resize(1);
    s.obstacles[0].shape = {.kind = ShapeKind::Mesh, .centre = s.grid.origin + 0.5f * s.grid.size};
    s.obstacles[0].shape.scale = 0.1f;
    const double cells = 0.1 * 7.0 * double(s.timeStep) / double(s.grid.cellSize());
    EXPECT_LT(cells, 1.0);
    EXPECT_TRUE(meshWarnings(s).empty());
    // Its walls move, so that thicker ones let smoke through than those of a mesh at rest.
    EXPECT_THAT(describeMesh(s, s.obstacles[0]), HasSubstr("thinner than 2.5 cells, deforms by up to 0.7 m/s"));
    s.timeStep *= static_cast<float>(1.5 / cells);
    ASSERT_EQ(meshWarnings(s).size(), 1u);
    EXPECT_THAT(meshWarnings(s)[0].message, HasSubstr("moves by up to 1.5 cells in a step"));
}

TEST_F(MeshMotionFile, MeshesThatCrossThemselves) {
    for (const Mesh& sound : {cuboid(glm::vec3(1.0f)), icosphere(3, 1.0f), torus(1.0f, 0.3f, 32, 16),
                              joined(icosphere(2, 1.0f), test::insideOut(icosphere(2, 0.5f))),
                              joined(cuboid(glm::vec3(1.0f)), moved(cuboid(glm::vec3(1.0f)), {2.0f, 0.0f, 0.0f})),   // with a common side
                              joined(cuboid(glm::vec3(1.0f)), moved(cuboid(glm::vec3(0.5f)), {1.5f, 0.2f, 0.1f}))})  // on its side
        EXPECT_EQ(crossingProblem(sound), "");
    const Mesh two = joined(icosphere(2, 1.0f), moved(icosphere(2, 1.0f), {1.5f, 0.1f, 0.2f}));
    EXPECT_THAT(crossingProblem(two), AllOf(HasSubstr("intersects itself near [0."), HasSubstr("pairs of triangles cross")));
    // A single spike through the other side, far from the origin.
    const glm::vec3 centre(100.0f);
    Mesh spiked = moved(icosphere(3, 1.0f), centre);
    spiked.positions[0] = centre - 1.6f * (spiked.positions[0] - centre);
    EXPECT_THAT(crossingProblem(spiked), HasSubstr("intersects itself near ["));
    // Deeper than 1e-5 of its length or not.
    for (const float depth : {1e-6f, 1e-3f}) {
        const Mesh pair = joined(cuboid(glm::vec3(0.5f)), moved(cuboid(glm::vec3(0.25f)), {0.75f - depth, 0.01f, 0.02f}));
        EXPECT_EQ(crossingProblem(pair).empty(), depth < 1e-5f) << depth;
    }
    write("two.obj", two);
    EXPECT_THAT(errorsOf("file = \"two.obj\"\n"),
                AllOf(HasSubstr("obstacle[0].file: two.obj: intersects itself near"), HasSubstr("set overlap = true")));
    EXPECT_EQ(errorsOf("file = \"two.obj\"\noverlap = true\n"), "");
}

}  // namespace
}  // namespace wisp::app
