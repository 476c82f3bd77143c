// SPDX-License-Identifier: MIT
// Meshes without a GPU: files and their errors, and whether a mesh is closed and thick enough.
#include "compute/scene/double_sided.h"
#include "compute/scene/mesh_report.h"
#include "compute/scene/validate.h"
#include "files/scene/mesh_file.h"
#include "files/scene/scene.h"
#include "tests/support/meshes.h"

#include <glm/geometric.hpp>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>

#include <unistd.h>

namespace wisp::app {
namespace {

using test::cuboid;
using test::icosphere;
using test::shared;
using test::torus;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

/// A temporary folder with mesh files.
class MeshFile : public testing::Test {
protected:
    void SetUp() override { std::filesystem::create_directories(folder); }
    void TearDown() override { std::filesystem::remove_all(folder); }

    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder / name) << text;
        return (folder / name).string();
    }
    /// The error message for an OBJ file with this text.
    std::string problemOf(const std::string& text) {
        try {
            readMesh(write("x.obj", text));
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return {};
    }
    /// The errors of a scene with an obstacle of this mesh file.
    std::string sceneErrors(const std::string& file, const std::string& more = "") {
        try {
            parseScene("[[obstacle]]\nshape = \"mesh\"\nfile = \"" + file + "\"\n" + more, (folder / "t.toml").string());
        } catch (const SceneFailure& e) {
            EXPECT_EQ(e.status(), Exit::Usage);
            return e.what();
        }
        return {};
    }
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("wisp-mesh-" + std::to_string(::getpid()));
};

TEST_F(MeshFile, IsReadWithEverythingThatObjAllows) {
    const std::string square = "# comment\r\nmtllib none.mtl\no a\nv 0 0 0 1\r\nv +1 0 0\nv 1 1 0 0.5 0.5 0.5\nv 0 1 0\nv .5 .5 1e0\n";
    const Mesh mesh = readMesh(
        write("x.obj", square + "vt 0 0\nvn 0 0 1\ns off\nf 4/1/1 3//1 2/1 1\nf -5 -4 -1\ng b\nusemtl c\nf 2 3 5\n\tf 3 4 5\nf 4 1 5"));
    EXPECT_EQ(mesh.positions.size(), 5u);
    EXPECT_EQ(mesh.triangles.size(), 6u);
    EXPECT_EQ(mesh.positions[1], glm::vec3(1, 0, 0));
    EXPECT_TRUE(inspectMesh(mesh, 0.0).closed());
}

// What exporters on Windows and of CAD write: marks of the encoding, ends of lines, lines that go on, comments with paths.
TEST_F(MeshFile, IsReadFromOtherPrograms) {
    const std::string plain = test::objOf(cuboid(glm::vec3(1.0f)));
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string text = plain;
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
        return text;
    };
    const Mesh expected = readMesh(write("plain.obj", plain));
    const std::pair<const char*, std::string> texts[] = {
        {"byte order mark", "\xef\xbb\xbf" + plain},
        {"CR LF", replaced("\n", "\r\n")},
        {"CR", replaced("\n", "\r")},
        {"tabs", replaced(" ", " \t ")},
        {"comments", "# C:\\parts\\\n" + replaced("\n", " # C:\\parts\\\n")},
        {"materials", "mtllib C:\\a b\\c.mtl\nusemtl \\\n" + plain + "usemtl C:\\\n"},
        {"lines that go on", replaced(" ", " \\\n ")},
        {"lines that go on, CR LF", replaced(" ", " \\\r\n ")},
        {"blanks after the backslash", replaced(" ", " \\ \t\n ")},
        {"empty lines", replaced("\n", "\n\n \n")},
        {"no end", plain.substr(0, plain.size() - 1) + "\\"},
    };
    for (const auto& [what, text] : texts) {
        ASSERT_EQ(problemOf(text), "") << what;
        Mesh mesh = readMesh(write("x.obj", text));
        mesh.source = expected.source;
        EXPECT_TRUE(mesh == expected) << what;
    }
    EXPECT_EQ(problemOf("\xff\xfev"), "is text of 16 bits a character, must be ASCII or UTF-8");
    EXPECT_EQ(problemOf("v 0 0 0\nv 0 \\\n0 \\\nx\nv 0 0 0"), "line 2: \"x\" is not a number");
    EXPECT_EQ(problemOf("v 0 \\\n0 0\nv 0 x 0"), "line 3: \"x\" is not a number");
}

double volumeOf(const Mesh& mesh) {
    double six = 0.0;
    for (const glm::uvec3& t : mesh.triangles)
        six += glm::dot(glm::dvec3(mesh.positions[t.x]), glm::cross(glm::dvec3(mesh.positions[t.y]), glm::dvec3(mesh.positions[t.z])));
    return six / 6.0;
}

// The back of each triangle is there, too, in any order, with its own vertices or those of the front.
TEST(MeshDoubleSided, BackFacesAreDropped) {
    const Mesh ball = icosphere(1, 1.0f);
    const double volume = volumeOf(ball);
    EXPECT_GT(volume, 3.0);
    std::mt19937 generator(3);
    for (const bool ownVertices : {false, true}) {
        Mesh both = ball;
        if (ownVertices) both = test::joined(ball, test::insideOut(ball));
        else
            for (const glm::uvec3& t : ball.triangles) both.triangles.push_back({t.x, t.z, t.y});
        for (int order = 0; order < 4; ++order) {
            Mesh mesh = both;
            if (order > 0) std::ranges::shuffle(mesh.triangles, generator);
            EXPECT_EQ(leakProblem(inspectMesh(mesh, 0.0)).substr(0, 29), "has all of its surface twice,");
            dropBackFaces(mesh);
            EXPECT_EQ(mesh.triangles.size(), ball.triangles.size());
            EXPECT_NEAR(std::abs(volumeOf(mesh)), volume, 1e-6) << ownVertices << order;  // rounding of floats
            EXPECT_TRUE(inspectMesh(mesh, 0.0).closed());
        }
        Mesh twice = test::joined(ball, ball);  // and beside a part that is not double-sided
        twice = test::joined(twice, test::moved(ball, glm::vec3(3.0f, 0.0f, 0.0f)));
        dropBackFaces(twice);
        EXPECT_EQ(twice.triangles.size(), 2 * ball.triangles.size());
    }
    for (Mesh odd : {ball, test::joined(ball, test::joined(ball, test::insideOut(ball)))}) {  // once, three times
        const Mesh before = odd;
        dropBackFaces(odd);
        EXPECT_TRUE(odd == before);
    }
    // Two cubes side by side have a wall in between, from both sides: it encloses both.
    Mesh pair = test::joined(cuboid(glm::vec3(1.0f)), test::moved(cuboid(glm::vec3(1.0f)), glm::vec3(2.0f, 0.0f, 0.0f)));
    const std::size_t count = pair.triangles.size();
    dropBackFaces(pair);
    EXPECT_EQ(pair.triangles.size(), count);
    EXPECT_EQ(leakProblem(inspectMesh(pair, 0.0)), "");
}

// Squares, whose back may be split along the other diagonal.
TEST_F(MeshFile, DoubleSidedSquares) {
    const char* const cube =
        "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
        "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
        "f 2 3 4 1\nf 8 7 6 5\nf 5 6 2 1\nf 6 7 3 2\nf 7 8 4 3\nf 8 5 1 4\n";
    const Mesh mesh = readMesh(write("x.obj", cube));
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_EQ(volumeOf(mesh), 8.0);
    EXPECT_TRUE(inspectMesh(mesh, 0.0).closed());
}

TEST_F(MeshFile, RefusesInvalidMeshes) {
    const std::string sound = test::objOf(cuboid(glm::vec3(1.0f)));
    EXPECT_EQ(problemOf(sound), "");
    for (const char* const other : {"", "solid x\nfacet normal 0 0 1\n", "ply\nformat ascii 1.0\n", "Kaydara FBX Binary"})
        EXPECT_EQ(problemOf(other), "is no mesh that can be read, must be a .obj, .glb, .gltf, .vdb or .nvdb file") << other;
    EXPECT_EQ(problemOf("v 0 0 0\nv 1 0 0\nv 0 1 0\n"), "has no faces");
    EXPECT_EQ(problemOf("v 0 0 nan\n"), "line 1: z is nan, must be finite");
    EXPECT_EQ(problemOf("v 0 -inf 0\n"), "line 1: y is -inf, must be finite");
    EXPECT_EQ(problemOf("v 1e999 0 0\n"), "line 1: x is 1e999, must be finite");
    EXPECT_EQ(problemOf("v 0 0 1,5\n"), "line 1: \"1,5\" is not a number");
    EXPECT_EQ(problemOf(sound + "f 1 2 9\n"), "line 21: uses vertex 9, but the file has only 8");
    EXPECT_EQ(problemOf(sound + "f 1 2 -9\n"), "line 21: \"-9\" is before the first vertex");
    EXPECT_EQ(problemOf(sound + "f 1 2 0\n"), "line 21: \"0\" is not a vertex index");
    EXPECT_EQ(problemOf(sound + "f 1 2 99999999999999999999\n"), "line 21: \"99999999999999999999\" is not a vertex index");
    EXPECT_EQ(problemOf("v 0 0 0\nv 1 0"), "line 2: a vertex has no z");
    EXPECT_EQ(problemOf(sound + "f 1 2"), "line 21: a face has 2 corners, must have at least 3");
    EXPECT_EQ(problemOf(sound.substr(0, sound.find('f'))), "has no faces");
    EXPECT_EQ(problemOf(sound.substr(0, sound.find('-') + 1)), "line 1: \"-\" is not a number");
    EXPECT_EQ(problemOf("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "has no extent along z: a solid needs a volume");
    EXPECT_EQ(problemOf("v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n"), "has no extent along x: a solid needs a volume");
    EXPECT_THAT(problemOf("v 0 0 0\nv 1 0 0\nv 1e30 1 1\nf 1 2 3\n"), HasSubstr("each must be from -1000000000 to 1000000000"));
    std::string corners = "f";
    for (int n = 0; n < 1001; ++n) corners += " 1";
    EXPECT_EQ(problemOf(sound + corners), "line 21: a face has 1001 corners, must have at most 1000");
}

TEST_F(MeshFile, RefusesTooLargeMeshes) {
    std::ofstream(folder / "x.obj").close();
    std::filesystem::resize_file(folder / "x.obj", kMaxMeshFileBytes + 1);  // a sparse file, which needs no disk space
    EXPECT_THROW(readMesh(folder / "x.obj"), std::runtime_error);
    std::string faces = test::objOf(cuboid(glm::vec3(1.0f)));
    const auto fan = [](int corners) {
        std::string line = "f";
        for (int n = 0; n < corners; ++n) line += n % 2 == 0 ? " 1" : " 2";
        return line + "\n";
    };
    std::string many = faces;
    for (int n = 0; n < 5; ++n) many += fan(1000);
    EXPECT_EQ(problemOf(many), "line 25: has too many faces with many corners: triangulate the mesh first");
    for (std::size_t n = 0; n * 2 <= kMaxMeshTriangles; ++n) faces += "f 1 2 3 4\n";
    EXPECT_THAT(problemOf(faces), HasSubstr("has more than 1000000 triangles"));
}

TEST_F(MeshFile, SceneErrorsHaveALine) {
    const std::string at = (folder / "t.toml").string() + ":3:8: obstacle[0].file: ";
    EXPECT_EQ(sceneErrors("no.obj"), at + "no.obj: does not exist");
    EXPECT_EQ(sceneErrors("."), at + ".: is not a regular file");
    write("bad.obj", "v 0 0 0\nf 1 1 2\n");
    EXPECT_EQ(sceneErrors("bad.obj"), at + "bad.obj: line 2: uses vertex 2, but the file has only 1");
    Mesh open = icosphere(2, 1.0f);
    open.triangles.resize(open.triangles.size() / 2);
    write("open.obj", test::objOf(open));
    EXPECT_THAT(sceneErrors("open.obj"), AllOf(HasSubstr(at + "open.obj: is not closed"), HasSubstr("at most 10 % may along two axes")));
    write("good.obj", test::objOf(cuboid(glm::vec3(1.0f))));
    EXPECT_EQ(sceneErrors("good.obj"), "");
    EXPECT_THAT(sceneErrors("good.obj", "radius = 1"), HasSubstr("obstacle[0].radius: is not allowed for a mesh"));
    EXPECT_THAT(sceneErrors("good.obj", "size = -1"), HasSubstr(":4:8: obstacle[0].size: is -1, must be above 0"));
    EXPECT_THAT(sceneErrors("good.obj", "scale = 0"), HasSubstr(":4:9: obstacle[0].scale: is 0, must be above 0"));
    EXPECT_THAT(sceneErrors("good.obj", "scale = 1\nsize = 1"), HasSubstr("obstacle[0].size: cannot be combined with scale"));
    EXPECT_THAT(sceneErrors("good.obj", "scale = 1e6"), HasSubstr("obstacle[0].scale: makes the mesh 2e+06 m long"));
    EXPECT_THROW(parseScene("[[obstacle]]\nshape = \"mesh\"", "t.toml"), SceneFailure);
    EXPECT_THROW(parseScene("[[obstacle]]\nfile = \"x.obj\"", "t.toml"), SceneFailure);
}

TEST_F(MeshFile, IsReadOnceAndSized) {
    write("a.obj", test::objOf(cuboid({1.0f, 2.0f, 4.0f})));
    const Settings s = parseScene(
        "[[obstacle]]\nshape = \"mesh\"\nfile = \"a.obj\"\nsize = 2\nrotation = [0, 90, 0]\n[[obstacle]]\nshape = \"mesh\"\nfile = "
        "\"./a.obj\"\nscale = 3\n",
        (folder / "t.toml").string());
    ASSERT_EQ(s.meshes.size(), 1u);
    EXPECT_FLOAT_EQ(s.obstacles[0].shape.scale, 0.25f);
    EXPECT_FLOAT_EQ(s.obstacles[1].shape.scale, 3.0f);
    EXPECT_FLOAT_EQ(s.obstacles[0].rotation.y, 0.5f * 3.14159265f);
    EXPECT_THAT(validate(s), IsEmpty());
}

TEST(MeshReport, CountsEdges) {
    const Mesh whole = torus(1.0f, 0.3f, 32, 16);
    EXPECT_EQ(inspectMesh(whole, 0.0).triangles, 1024u);
    EXPECT_EQ(inspectMesh(whole, 0.0).edges, 1536u);
    EXPECT_TRUE(inspectMesh(whole, 0.0).closed());

    Mesh holed = whole;
    holed.triangles.erase(holed.triangles.begin() + 77);
    EXPECT_EQ(inspectMesh(holed, 0.0).openEdges, 3u);
    EXPECT_EQ(inspectMesh(holed, 0.0).crossedEdges, 0u);

    Mesh flipped = whole;
    std::swap(flipped.triangles[77].x, flipped.triangles[77].y);
    EXPECT_EQ(inspectMesh(flipped, 0.0).openEdges, 0u);
    EXPECT_EQ(inspectMesh(flipped, 0.0).crossedEdges, 3u);

    Mesh finned = whole;  // a third triangle at one edge, with two open edges
    finned.positions.emplace_back(0.0f, 0.0f, 5.0f);
    finned.triangles.emplace_back(whole.triangles[5].x, whole.triangles[5].y, static_cast<std::uint32_t>(finned.positions.size() - 1));
    EXPECT_EQ(inspectMesh(finned, 0.0).openEdges, 2u);
    EXPECT_EQ(inspectMesh(finned, 0.0).crossedEdges, 1u);

    Mesh split;  // every triangle with its own vertices
    for (const glm::uvec3& t : whole.triangles) {
        const auto first = static_cast<std::uint32_t>(split.positions.size());
        for (int n = 0; n < 3; ++n) split.positions.push_back(whole.positions[t[n]]);
        split.triangles.emplace_back(first, first + 1, first + 2);
    }
    EXPECT_TRUE(inspectMesh(split, 0.0).closed());
}

TEST(MeshReport, LeakyMeshesAreRefused) {
    EXPECT_EQ(leakProblem(inspectMesh(icosphere(3, 1.0f), 0.0)), "");
    EXPECT_EQ(leakProblem(inspectMesh(test::insideOut(icosphere(3, 1.0f)), 0.0)), "");
    Mesh lidless = cuboid(glm::vec3(1.0f));
    lidless.triangles.resize(10);  // only lines along z go in and not out, so five of six rays are right
    const MeshReport r = inspectMesh(lidless, 0.0);
    EXPECT_EQ(r.leaks, (std::array<double, 3>{0.0, 0.0, 1.0}));
    EXPECT_EQ(leakProblem(r), "");
    EXPECT_EQ(r.openEdges, 4u);
    Mesh sheets = cuboid(glm::vec3(1.0f));
    sheets.triangles.erase(sheets.triangles.begin(), sheets.triangles.begin() + 8);  // top and bottom: 8 of 10 edges
    EXPECT_EQ(leakProblem(inspectMesh(sheets, 0.0)), "is not closed: 8 of 10 edges are open, at most half may be");
    Mesh corner = cuboid(glm::vec3(1.0f));
    corner.triangles.erase(corner.triangles.begin(), corner.triangles.begin() + 2);
    corner.triangles.resize(8);
    EXPECT_NE(leakProblem(inspectMesh(corner, 0.0)), "");
}

TEST(MeshReport, FindsThinParts) {
    // A plate of 4 x 4 x 0.2. Its two faces are 32 of 35.2 of its area.
    const Mesh plate = cuboid({2.0f, 2.0f, 0.1f});
    EXPECT_NEAR(inspectMesh(plate, 0.21).thin, 32.0 / 35.2, 1e-6);
    EXPECT_NEAR(inspectMesh(test::insideOut(plate), 0.21).thin, 32.0 / 35.2, 1e-6);
    EXPECT_EQ(inspectMesh(plate, 0.19).thin, 0.0);
    EXPECT_EQ(inspectMesh(torus(1.0f, 0.3f, 64, 32), 0.5).thin, 0.0);
    EXPECT_NEAR(inspectMesh(torus(1.0f, 0.3f, 64, 32), 0.61).thin, 1.0, 1e-6);
}

TEST(MeshReport, WarnsAndDescribes) {
    Settings s;
    s.meshes = {shared(cuboid({0.25f, 0.25f, 0.25f})), shared(cuboid({0.25f, 0.25f, 0.003f}))};
    s.obstacles.resize(2);
    for (std::uint32_t n = 0; n < 2; ++n) {
        s.obstacles[n].shape.kind = ShapeKind::Mesh;
        s.obstacles[n].shape.mesh = n;
        s.obstacles[n].shape.centre = {1.0f, 0.5f, 0.5f};
    }
    const std::vector<Problem> thin = meshWarnings(s);
    ASSERT_EQ(thin.size(), 1u);
    EXPECT_EQ(thin[0].key, "obstacle[1].file");
    EXPECT_THAT(thin[0].message, HasSubstr("is thinner than 1.6 cells behind 97.7 % of its surface"));
    EXPECT_THAT(describeMesh(s, s.obstacles[0]),
                AllOf(HasSubstr("12 triangles, 64.0x64.0x64.0 cells, 68x68x68 voxels, closed (0 open and 0 crossed of 18 edges), 0.0 %")));
    s.obstacles.resize(1);
    s.obstacles[0].shape.centre = {9.0f, 0.5f, 0.5f};
    EXPECT_THAT(meshWarnings(s)[0].message, HasSubstr("outside the box"));
    s.obstacles[0].shape.centre = {1.0f, 0.5f, 0.5f};
    s.obstacles[0].shape.scale = 4.0f;
    EXPECT_THAT(meshWarnings(s)[0].message, HasSubstr("at most 128 voxels along an edge"));
}

TEST(MeshSettings, AreValidated) {
    Settings s;
    s.obstacles.resize(1);
    s.obstacles[0].shape.kind = ShapeKind::Mesh;
    ASSERT_EQ(validate(s).size(), 1u);
    EXPECT_EQ(validate(s)[0].key, "obstacle[0].file");
    const Mesh sound = cuboid(glm::vec3(0.1f));
    s.meshes = {shared(sound)};
    EXPECT_THAT(validate(s), IsEmpty());
    Mesh wrong = sound;
    wrong.triangles[0].x = 8;
    s.meshes = {shared(wrong)};
    EXPECT_EQ(validate(s).size(), 1u);
    wrong = sound;
    wrong.positions[3].y = NAN;
    s.meshes = {shared(wrong)};
    EXPECT_EQ(validate(s).size(), 1u);
    s.meshes = {shared(sound)};
    s.obstacles[0].shape.scale = INFINITY;
    EXPECT_FALSE(validate(s).empty());
    s.obstacles.clear();
    s.initial.resize(1);
    s.initial[0].shape.kind = ShapeKind::Mesh;
    ASSERT_EQ(validate(s).size(), 1u);
    EXPECT_EQ(validate(s)[0].key, "initial[0].shape");
    s.initial.clear();
    s.emitters.resize(1);
    s.emitters[0].shape.kind = ShapeKind::Mesh;
    EXPECT_TRUE(validate(s).empty());
    s.emitters[0].shape.mesh = 1;
    ASSERT_EQ(validate(s).size(), 1u);
    EXPECT_EQ(validate(s)[0].key, "emitter[0].file");
}

}  // namespace
}  // namespace wisp::app
