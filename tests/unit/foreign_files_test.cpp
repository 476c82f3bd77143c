// SPDX-License-Identifier: MIT
// Files as other programs write them, which failed in other programs. docs/testing.md names the reports.
#include "compute/scene/mesh_report.h"
#include "files/scene/environment_file.h"
#include "files/scene/gltf_file.h"
#include "files/scene/mesh_file.h"
#include "files/scene/mesh_loader.h"
#include "files/scene/scene.h"
#include "files/scene/scene_files.h"
#include "files/scene/volume_file.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/source_folder.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <tinyexr.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include <sys/stat.h>

namespace wisp::app {
namespace {

using testing::HasSubstr;

class ForeignFiles : public testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& bytes) {
        std::ofstream(scratch.path() / name, std::ios::binary) << bytes;
        return scratch.path() / name;
    }
    template <class Work>
    static std::string problemOf(Work work) {
        try {
            work();
        } catch (const std::runtime_error& e) {
            return e.what();
        }
        return {};
    }
    Mesh meshOf(const std::string& name, const std::string& bytes) { return loadMesh({.file = write(name, bytes).string()}); }
    std::string problemOfImage(const std::string& bytes) {
        return problemOf([&] { readEnvironment(write("x", bytes)); });
    }
    /// Red of each texel.
    std::vector<float> redOf(const std::string& bytes) {
        std::vector<float> red;
        for (const glm::vec3& t : readEnvironment(write("x", bytes)).texels) red.push_back(t.x);
        return red;
    }
    const test::ScratchFolder scratch;
};

const std::string kCube = test::objOf(test::cuboid(glm::vec3(0.5f)));

TEST_F(ForeignFiles, ExtensionsMayHaveCapitalLetters) {
    EXPECT_EQ(meshOf("A.OBJ", kCube).triangles.size(), 12u);
    EXPECT_TRUE(isGltf("A.GLB"));
    EXPECT_TRUE(isGltf("a.glTF"));
    EXPECT_TRUE(isVolumeMesh("A.VDB"));
    EXPECT_EQ(findScene("A.TOML"), "A.TOML");
}

TEST_F(ForeignFiles, NumbersOfObjTooSmallForFloatsAre0) {
    const std::string tiny = "v 1e-46 0 0\nv -4.9e-324 0 0\nv 1E-999 0 0\n";
    EXPECT_EQ(meshOf("x.obj", kCube + tiny).positions.back(), glm::vec3(0.0f));
    EXPECT_THAT(problemOf([&] { meshOf("x.obj", kCube + "v 1e39 0 0\n"); }), HasSubstr("must be finite"));
    EXPECT_THAT(problemOf([&] { meshOf("x.obj", kCube + "v 0 -1E999 0\n"); }), HasSubstr("must be finite"));
}

// A cube of 1 m in coordinates of a map, where floats are 0.5 m apart.
TEST_F(ForeignFiles, ObjFarFromTheOriginKeepsItsShape) {
    const Mesh cube = test::cuboid(glm::vec3(0.5f));
    std::string text;
    for (const glm::vec3& p : cube.positions)
        text += fmt::format("v {} {} {}\n", 500000.3 + static_cast<double>(p.x), 4649776.9 + static_cast<double>(p.y),
                            100.1 + static_cast<double>(p.z));
    for (const glm::uvec3& t : cube.triangles) text += fmt::format("f {} {} {}\n", t.x + 1, t.y + 1, t.z + 1);
    const Mesh mesh = meshOf("x.obj", text);
    ASSERT_EQ(mesh.positions.size(), cube.positions.size());
    // The text has doubles, 1e-9 apart; moved to the origin, floats are 6e-8 apart.
    for (std::size_t n = 0; n < mesh.positions.size(); ++n) EXPECT_LT(glm::distance(mesh.positions[n], cube.positions[n]), 1e-7f) << n;
    const Mesh near = meshOf("y.obj", kCube + "v 9 0 0\n");  // stays where it is
    EXPECT_EQ(near.positions.back(), glm::vec3(9, 0, 0));
}

TEST_F(ForeignFiles, TrianglesThatAreLinesAreNoCrossings) {
    const std::size_t edges = inspectMesh(meshOf("x.obj", kCube), 0.0).edges;
    for (const char* lines : {"f 1 1 2\n", "f 1 2 1\nf 3 3 3\n", "v -0.5 -0.5 -0.5\nf 1 9 2\n"}) {
        const MeshReport report = inspectMesh(meshOf("x.obj", kCube + lines), 0.0);
        EXPECT_EQ(report.crossedEdges, 0u) << lines;
        EXPECT_EQ(report.openEdges, 0u) << lines;
        EXPECT_EQ(report.edges, edges) << lines;
    }
}

/// A cube from 0 to 100 with whole numbers of 16 bits as positions, and a buffer of this name beside it.
struct Whole {
    std::string json, buffer;
};
Whole wholeCube(const std::string& uri, bool normalised, const std::string& extension = "KHR_mesh_quantization") {
    const Mesh cube = test::cuboid(glm::vec3(0.5f));
    Whole whole;
    const auto add = [&](std::size_t number) { whole.buffer += {static_cast<char>(number & 255), static_cast<char>(number >> 8)}; };
    for (const glm::vec3& p : cube.positions)
        for (int n = 0; n < 4; ++n) add(n < 3 && p[n] > 0.0f ? 100 : 0);  // positions begin at multiples of four bytes
    for (const glm::uvec3& t : cube.triangles)
        for (int n = 0; n < 3; ++n) add(t[n]);
    whole.json = fmt::format(
        R"({{"asset":{{"version":"2.0"}},"extensionsRequired":["{}"],"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],)"
        R"("meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"accessors":[)"
        R"({{"bufferView":0,"componentType":5122,"count":8,"type":"VEC3","normalized":{}}},)"
        R"({{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}}],"bufferViews":[)"
        R"({{"buffer":0,"byteLength":64,"byteStride":8}},{{"buffer":0,"byteOffset":64,"byteLength":72}}],)"
        R"("buffers":[{{"byteLength":136,"uri":"{}"}}]}})",
        extension, normalised, uri);
    return whole;
}

TEST_F(ForeignFiles, GltfOfWholeNumbers) {
    for (const bool normalised : {false, true}) {
        const Whole whole = wholeCube("w.bin", normalised);
        write("w.bin", whole.buffer);
        const Mesh mesh = meshOf("w.gltf", whole.json);
        const MeshBounds bounds = boundsOf(mesh);
        EXPECT_EQ(bounds.low, glm::vec3(0.0f));
        EXPECT_EQ(bounds.high, glm::vec3(normalised ? 100.0f / 32767.0f : 100.0f));
    }
    for (const std::string name : {"KHR_xmp_json_ld", "EXT_texture_webp", "KHR_texture_basisu", "KHR_materials_unlit"})
        EXPECT_EQ(problemOf([&] { meshOf("w.gltf", wholeCube("w.bin", false, name + R"(","KHR_mesh_quantization)").json); }), "") << name;
    for (const auto& [name, without] : {std::pair("KHR_draco_mesh_compression", "compression"), std::pair("KHR_node_visibility", "it")})
        EXPECT_EQ(problemOf([&] { meshOf("w.gltf", wholeCube("w.bin", false, name).json); }),
                  fmt::format("needs the extension \"{}\", which is not supported: export without {}", name, without));
}

// Names of buffers, as they are or with codes of bytes. "10%.bin" is what Blender wrote for "10%.bin", and "10%25.bin" what is right.
TEST_F(ForeignFiles, BuffersOfGltfWithAnyName) {
    for (const auto& [uri, file] : {std::pair("my%20buffer.bin", "my buffer.bin"), std::pair("my buffer.bin", "my buffer.bin"),
                                    std::pair("10%.bin", "10%.bin"), std::pair("10%25.bin", "10%.bin"), std::pair("a%", "a%"),
                                    std::pair("k%C3%BChl.bin", "k\xc3\xbchl.bin"), std::pair("k\xc3\xbchl.bin", "k\xc3\xbchl.bin")}) {
        const Whole whole = wholeCube(uri, false);
        const std::filesystem::path beside = write(file, whole.buffer);
        EXPECT_EQ(problemOf([&] { meshOf("w.gltf", whole.json); }), "") << uri;
        std::filesystem::remove(beside);
        EXPECT_NE(problemOf([&] { meshOf("w.gltf", whole.json); }), "") << uri;
    }
}

// Places for digits as Nuke, Houdini and shells have them. A file with such a name is a file.
TEST_F(ForeignFiles, PatternsOfOtherProgramsAreNamed) {
    for (const char* name : {"x.####.obj", "x.$F4.obj", "x.*.obj", "x_????.obj"}) {
        const std::string file = (scratch.path() / name).string();
        const auto refused = testing::AllOf(HasSubstr(file + ": does not exist"), HasSubstr("one %0Nd, such as x_%04d"));
        EXPECT_THAT(problemOf([&] { loadMesh({.file = file}); }), refused);
        EXPECT_THAT(problemOf([&] { openVolume({.file = file}); }), refused);
    }
    EXPECT_EQ(meshOf("x.#1.obj", kCube).triangles.size(), 12u);
}

// The numbers have as many digits as the pattern says, or more.
TEST_F(ForeignFiles, SequencesMayBeginAndEndAnywhere) {
    const std::filesystem::path volume = std::filesystem::path(test::sourceFolder()) / "tests/unit/volumes/tiles.nvdb";
    for (const char* name : {"a_-01", "a_998", "a_999", "a_1000", "a_1001", "b.9999", "b.10000"})
        std::filesystem::copy_file(volume, scratch.path() / (std::string(name) + ".nvdb"));
    for (const auto& [pattern, count] : {std::pair("a_%03d.nvdb", 4), std::pair("b.%04d.nvdb", 2)}) {
        const auto frames = openVolume({.file = scratch.path() / pattern, .fps = 1.0f});
        EXPECT_NE(frames->at(count - 0.5), nullptr) << pattern;
        EXPECT_EQ(frames->at(count + 0.5), nullptr) << pattern;
    }
}

TEST_F(ForeignFiles, ScenesOfEditorsOnWindows) {
    EXPECT_EQ(parseScene("\xef\xbb\xbfseed = 7\r\nname = \"x\"\r\n", "t.toml", {}).seed, 7u);
    EXPECT_THAT(problemOf([] { parseScene(std::string("\xff\xfes\0", 4), "t.toml", {}); }), HasSubstr("t.toml:1:1: "));
}

// A file has no size before it is read, and what is read is gone.
TEST_F(ForeignFiles, ASceneMayBeAPipe) {
    const std::filesystem::path pipe = scratch.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe) << "seed = 7\n"; });
    const Settings settings = loadScene(findScene(pipe.string()), {});
    writer.join();
    EXPECT_EQ(settings.seed, 7u);
}

std::string radiance(const std::string& rows, const std::string& size, const std::string& head = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n") {
    return head + size + "\n" + rows;
}
std::string pixel(int value) { return std::string(3, static_cast<char>(value)) + '\x81'; }  // value / 128

TEST_F(ForeignFiles, RadianceWithOldRuns) {
    std::vector<float> expected(300, 1.0f);
    expected.back() = 0.5f;
    const std::string run{"\x01\x01\x01", 3};
    // 1 + 42 + 256 times the first pixel
    const std::string row = pixel(128) + run + '\x2a' + run + '\x01' + pixel(64);
    EXPECT_EQ(redOf(radiance(row, "-Y 1 +X 300")), expected);
    EXPECT_THAT(problemOfImage(radiance(row, "-Y 1 +X 298")), HasSubstr("has a row of 299 pixels, must have 298"));
    EXPECT_THAT(problemOfImage(radiance(row, "-Y 2 +X 300")), HasSubstr("is truncated"));
    // A run begins again after a pixel, and the first pixel of a row is none.
    const std::string two = pixel(128) + run + '\x02' + pixel(64) + run + '\x01';
    EXPECT_EQ(redOf(radiance(two, "-Y 1 +X 5")), (std::vector<float>{1, 1, 1, 0.5f, 0.5f}));
    EXPECT_EQ(redOf(radiance(run + '\x81' + pixel(64), "-Y 1 +X 2")), (std::vector<float>{1.0f / 128.0f, 0.5f}));
}

TEST_F(ForeignFiles, RadianceHeadersOfOtherPrograms) {
    const std::string rows = pixel(128) + pixel(64) + pixel(32) + pixel(16);
    const std::vector<float> usual{1, 0.5f, 0.25f, 0.125f};
    for (const char* head : {"#?RGBE\n\n", "#?AUTOPANO11\nFORMAT=32-bit_rle_rgbe\n\n", "#?RADIANCE\nFORMAT= 32-bit_rle_rgbe\n\n",
                             "#?RADIANCE\r\nFORMAT=32-bit_rle_rgbe\r\n\r\n"})
        EXPECT_EQ(redOf(radiance(rows, "-Y 2 +X 2", head)), usual) << head;
    EXPECT_EQ(redOf(radiance(rows, "-Y 2 +X 2\r")), usual);
    EXPECT_EQ(redOf(radiance(rows, "+Y 2 +X 2")), (std::vector<float>{0.25f, 0.125f, 1, 0.5f}));
    EXPECT_EQ(redOf(radiance(rows, "-Y 2 -X 2")), (std::vector<float>{0.5f, 1, 0.125f, 0.25f}));
    EXPECT_THAT(problemOfImage(radiance(rows, "+X 2 -Y 2")), HasSubstr("must end with -Y height +X width"));
    EXPECT_THAT(problemOfImage(radiance(rows, "-Y 2 +X 2", "#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n")),
                HasSubstr("FORMAT=32-bit_rle_xyze in its header, must be FORMAT=32-bit_rle_rgbe"));
}

/// An OpenEXR file of one pixel. Each channel has its number, from 1; those that begin with "id" are integers.
std::string exr(const std::vector<std::string>& names) {
    EXRHeader header;
    EXRImage image;
    InitEXRHeader(&header);
    InitEXRImage(&image);
    std::vector<EXRChannelInfo> channels(names.size());
    std::vector<float> values(names.size());
    std::vector<unsigned char*> planes;
    std::vector<int> types;
    for (std::size_t c = 0; c < names.size(); ++c) {
        names[c].copy(channels[c].name, 255);
        values[c] = static_cast<float>(c + 1);
        planes.push_back(reinterpret_cast<unsigned char*>(&values[c]));
        types.push_back(names[c].starts_with("id") ? TINYEXR_PIXELTYPE_UINT : TINYEXR_PIXELTYPE_FLOAT);
    }
    image.images = planes.data();
    image.width = image.height = 1;
    image.num_channels = header.num_channels = static_cast<int>(names.size());
    header.channels = channels.data();
    header.pixel_types = header.requested_pixel_types = types.data();
    header.compression_type = TINYEXR_COMPRESSIONTYPE_NONE;
    unsigned char* bytes = nullptr;
    const char* error = nullptr;
    const std::size_t size = SaveEXRImageToMemory(&image, &header, &bytes, &error);
    std::string file(reinterpret_cast<const char*>(bytes), size);
    std::free(bytes);
    return file;
}

TEST_F(ForeignFiles, ChannelsOfExr) {
    const auto texelOf = [&](const std::vector<std::string>& names) { return readEnvironment(write("x", exr(names))).texels[0]; };
    EXPECT_EQ(texelOf({"Y"}), glm::vec3(1, 1, 1));
    EXPECT_EQ(texelOf({"A", "Y"}), glm::vec3(2, 2, 2));
    EXPECT_EQ(texelOf({".B", ".G", ".R"}), glm::vec3(3, 2, 1));
    EXPECT_EQ(texelOf({"View.Combined.A", "View.Combined.B", "View.Combined.G", "View.Combined.R", "View.Depth.Z"}), glm::vec3(4, 3, 2));
    EXPECT_EQ(texelOf({"B", "G", "R", "diffuse.B", "diffuse.G", "diffuse.R"}), glm::vec3(3, 2, 1));
    EXPECT_EQ(texelOf({"B", "G", "R", "id"}), glm::vec3(3, 2, 1));
    EXPECT_THAT(problemOfImage(exr({"a.B", "a.G", "a.R", "b.B", "b.G", "b.R"})), HasSubstr("colours in several layers (a.R, b.R)"));
    EXPECT_THAT(problemOfImage(exr({"A", "Z"})), HasSubstr("has no channel R, but A, Z"));
}

}  // namespace
}  // namespace wisp::app
