// SPDX-License-Identifier: MIT
// Built-in scenes, and grids at other quality levels.
#include "files/scene/scene.h"
#include "tests/support/source_folder.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
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

}  // namespace
}  // namespace wisp::app
