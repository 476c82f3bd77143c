// SPDX-License-Identifier: MIT
// Built-in scenes, and grids at other quality levels.
#include "files/scene/scene.h"
#include "tests/support/source_folder.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

namespace wisp::app {
namespace {

TEST(SceneQuality, ScalesTheGridAndKeepsCellsCubic) {
    const auto cells = [](QualityLevel level, const char* text) { return parseScene(text, "t.toml", {{}, level}).grid.cells; };
    EXPECT_EQ(cells(QualityLevel::Draft, ""), glm::uvec3(64, 32, 32));
    EXPECT_EQ(cells(QualityLevel::Preview, ""), glm::uvec3(128, 64, 64));
    EXPECT_EQ(cells(QualityLevel::High, ""), glm::uvec3(384, 192, 192));
    EXPECT_EQ(cells(QualityLevel::Ultra, ""), glm::uvec3(512, 256, 256));
    EXPECT_EQ(cells(QualityLevel::Preview, "[grid]\ncells = [18, 9, 9]"), glm::uvec3(16, 8, 8));
    EXPECT_EQ(cells(QualityLevel::Preview, "[grid]\ncells = [2, 1, 1]"), glm::uvec3(2, 1, 1));
}

TEST(SceneFiles, BuiltInScenesAreValid) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(test::sourceFolder() + "/scenes"))
        if (entry.path().extension() == ".toml") files.push_back(entry.path().stem());
    EXPECT_THAT(builtInScenes(), testing::UnorderedElementsAreArray(files));
    for (const std::string& name : builtInScenes()) EXPECT_NO_THROW(loadScene(findScene(name))) << name;
    EXPECT_EQ(loadScene(findScene("knot")).meshes.at(0)->source.file, "builtin:/knot.obj")
        << "the test program has no scene folder, so it must use the built-in scene";
    EXPECT_THROW(findScene("smok"), Failure);
    EXPECT_EQ(findScene("my/own.toml"), "my/own.toml");
}

// What is no scene is named, by its contents or else by its name, and so is the option that takes it.
TEST(SceneFiles, OtherFilesAreNamed) {
    const auto messageOf = [](const std::string& path) -> std::string {
        try {
            (void)findScene(path);
        } catch (const Failure& e) {
            return e.what();
        }
        return {};
    };
    const std::filesystem::path folder = testing::TempDir() + "other_files";
    std::filesystem::create_directories(folder / "cache");
    const auto make = [&](const std::string& name, const std::string& bytes) {
        std::ofstream(folder / name, std::ios::binary) << bytes;
        return (folder / name).string();
    };
    const std::string vdb = std::string(" BDV") + std::string(4, '\0');
    EXPECT_THAT(messageOf("smoke.vdb"), testing::HasSubstr("wisp render --from smoke.vdb"));
    EXPECT_THAT(messageOf("a/smoke_0012.nvdb"), testing::HasSubstr("--from 'a/smoke_%04d.nvdb'"));
    for (const auto& [name, bytes, option] :
         std::vector<std::tuple<std::string, std::string, std::string>>{{"a.toml", vdb, "--from"},
                                                                        {"b", "NanoVDB2", "--from"},
                                                                        {"c.toml", "wispckpt", "--resume"},
                                                                        {"d.toml", "\x89PNG\r\n", "environment.image"},
                                                                        {"e.HDR", "", "environment.image"},
                                                                        {"f.toml", "\x76\x2f\x31\x01", "environment.image"},
                                                                        {"g.obj", "v 0 0 0", "[[obstacle]]"},
                                                                        {"h.bin", "glTF", "[[obstacle]]"},
                                                                        {"i.toml", std::string(4, '\0') + "ftypisom", "is a video"}}) {
        const std::string path = make(name, bytes);
        EXPECT_THAT(messageOf(path), testing::AllOf(testing::HasSubstr(path), testing::HasSubstr(option))) << name;
    }
    EXPECT_THAT(messageOf((folder / "cache").string()), testing::HasSubstr("is a folder"));
    make("cache/manifest.json", "{}");
    EXPECT_THAT(messageOf((folder / "cache").string()), testing::HasSubstr("--cache"));
    EXPECT_EQ(messageOf(make("scene.toml", "name = \"PF\"")), "");
    EXPECT_EQ(messageOf(make("empty.toml", "")), "");
    EXPECT_THAT(messageOf("smok"), testing::HasSubstr("did you mean smoke"));
    std::filesystem::remove_all(folder);
}

// Messages about a text that a program has made have no lines. Those about values of the user do not change.
TEST(SceneFiles, TextsOfProgramsHaveNoLines) {
    const auto messageOf = [](const std::string& text, const std::string& file, bool lines) -> std::string {
        try {
            (void)parseScene(text, file, {.overrides = {{"--set flow.viscosity=-1", "flow.viscosity", "-1"}}, .lines = lines});
        } catch (const SceneFailure& e) {
            return e.what();
        }
        return {};
    };
    const std::string text = "[flow]\nvorticity = -1", set = "--set flow.viscosity=-1: flow.viscosity: is -1";
    EXPECT_THAT(messageOf(text, "run.wisp", true), testing::HasSubstr("run.wisp:2:13: flow.vorticity: is -1"));
    EXPECT_THAT(messageOf(text, "run.wisp", false), testing::StartsWith("run.wisp: flow.vorticity: is -1"));
    EXPECT_THAT(messageOf(text, "/", false), testing::StartsWith("flow.vorticity: is -1"));
    EXPECT_THAT(messageOf("[flow", "run.wisp", false), testing::StartsWith("run.wisp: "));
    for (const bool lines : {true, false}) EXPECT_THAT(messageOf(text, "run.wisp", lines), testing::HasSubstr(set));
    // A default that does not fit is nowhere in the text.
    EXPECT_THAT(messageOf("[liquid]\ncapacity = 1\n[[emitter]]\nliquid = true", "run.wisp", false), testing::HasSubstr("run.wisp: grid."));
}

}  // namespace
}  // namespace wisp::app
