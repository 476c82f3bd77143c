// SPDX-License-Identifier: MIT
// Which files a scene reads, for programs that move it to another machine.
#include "tests/api/small_scene.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/source_folder.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>

namespace wisp::test {
namespace {

using testing::ElementsAre;
namespace fs = std::filesystem;

constexpr float kFileCorners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr std::uint16_t kTriangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

class ApiSceneFiles : public testing::Test {
protected:
    ApiSceneFiles() { fs::create_directories(folder / "parts of it"); }
    [[nodiscard]] std::string path(const std::string& name) const { return (folder / name).string(); }
    void writeObj(const std::string& name) const {
        std::ofstream out(path(name));
        for (const auto& v : kFileCorners) out << "v " << v[0] << " " << v[1] << " " << v[2] << "\n";
        for (const auto& t : kTriangles) out << "f " << t[0] + 1 << " " << t[1] + 1 << " " << t[2] + 1 << "\n";
    }
    /// A .gltf file with a buffer of its own, whose name has a space, and an empty one within the text.
    void writeGltf() const {
        std::ofstream(path("parts of it/a.bin"), std::ios::binary)
            .write(reinterpret_cast<const char*>(kFileCorners), sizeof kFileCorners)
            .write(reinterpret_cast<const char*>(kTriangles), sizeof kTriangles);
        std::ofstream(path("body.gltf")) << R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
                          {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
            "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
            "buffers": [{"uri": "parts%20of%20it/a.bin", "byteLength": 72},
                        {"uri": "data:application/octet-stream;base64,AAAA", "byteLength": 3}]})";
    }
    ScratchFolder scratch;
    const fs::path& folder = scratch.path();
};

TEST_F(ApiSceneFiles, ListsMeshesSequencesBuffersAndVolumes) {
    EXPECT_TRUE(Scene::load("smoke").files().empty()) << "what is built in is everywhere";
    writeObj("body.obj");
    writeGltf();
    for (const char* name : {"pose_1.obj", "pose_2.obj"}) writeObj(name);
    {
        Simulation simulation(device(), smallScene());
        simulation.step();
        VolumeWriter(simulation).write(path("puff.nvdb"));
    }
    Scene scene = Scene::parse(kSmallScene, folder.string());
    scene.remove("emitter", 0).remove("obstacle", 0);
    scene.add("obstacle", "{shape = \"mesh\", file = \"body.obj\", scale = 0.1, centre = [0.4, 0.4, 0.4]}");
    scene.add("obstacle", "{shape = \"mesh\", file = \"body.gltf\", scale = 0.1, centre = [0.2, 0.2, 0.2]}");
    scene.add("obstacle", "{shape = \"mesh\", file = \"pose_%01d.obj\", fps = 2, scale = 0.1, centre = [0.6, 0.6, 0.6]}");
    scene.add("obstacle", "{shape = \"sphere\", radius = 0.05, centre = [0.4, 0.8, 0.4]}");
    scene.add("initial", "{shape = \"volume\", file = \"puff.nvdb\", density = 1}");
    const std::vector<SceneFiles> files = scene.files();
    ASSERT_EQ(files.size(), 4u);
    EXPECT_EQ(files[0].key, "obstacle[0].file");
    EXPECT_EQ(files[0].name, path("body.obj"));
    EXPECT_THAT(files[0].files, ElementsAre(path("body.obj")));
    EXPECT_EQ(files[1].key, "obstacle[1].file");
    EXPECT_THAT(files[1].files, ElementsAre(path("body.gltf"), path("parts of it/a.bin")));
    EXPECT_EQ(files[2].name, path("pose_%01d.obj"));
    EXPECT_THAT(files[2].files, ElementsAre(path("pose_1.obj"), path("pose_2.obj")));
    EXPECT_EQ(files[3].key, "initial[0].file");
    EXPECT_THAT(files[3].files, ElementsAre(path("puff.nvdb")));
}

TEST_F(ApiSceneFiles, MemoryIsNoFile) {
    Scene scene = smallScene();
    scene.mesh("body", std::vector<std::array<float, 3>>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
               std::vector<std::array<std::uint32_t, 3>>{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
    scene.add("obstacle", "{shape = \"mesh\", file = \"memory:body\", scale = 0.1, centre = [0.4, 0.4, 0.4]}");
    EXPECT_TRUE(scene.files().empty());
}

// A file that was written again with the same contents is the same: it stops neither a run nor the resuming of one.
TEST_F(ApiSceneFiles, AnImageWrittenAgainIsTheSame) {
    const std::string image = path("a.png");
    fs::copy_file(sourceFolder() + "/app/desktop/wisp.png", image, fs::copy_options::overwrite_existing);
    const auto writtenAgain = [&] { fs::last_write_time(image, fs::last_write_time(image) + std::chrono::seconds(2)); };
    const auto scene = [&] {
        return Scene::parse("[grid]\ncells = [16, 16, 1]\nsize = [1.0, 1.0, 0.0]\n", folder.string())
            .add("initial", R"({field = "image", file = "a.png", density = 1.0})");
    };
    const Scene before = scene();
    Simulation simulation(device(), before);
    simulation.step();
    simulation.save(path("run.wisp"));
    writtenAgain();
    EXPECT_NO_THROW(Simulation::resume(device(), path("run.wisp"), before));
    EXPECT_NO_THROW(simulation.change(scene().set("flow.vorticity", 0.5)));
}

}  // namespace
}  // namespace wisp::test
