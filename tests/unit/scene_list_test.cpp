// SPDX-License-Identifier: MIT
// The list of scenes in the window: names, descriptions, and thumbnails in the texture of the panels.
#include "app/live/scene_list.h"
#include "files/scene/scene.h"
#include "tests/support/gui_user.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/source_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace wisp::app {
namespace {

TEST(SceneList, HasEachSceneWithItsDescriptionAndPicture) {
    const std::vector<SceneEntry> entries = sceneEntries();
    EXPECT_EQ(entries.size(), builtInScenes().size());
    ASSERT_FALSE(entries.empty());
    EXPECT_EQ(entries.front().name, "smoke");
    for (const SceneEntry& e : entries) {
        EXPECT_GT(e.description.size(), 10u) << e.name;
        EXPECT_EQ(e.description.find("SPDX"), std::string::npos) << e.name;
        if (std::filesystem::exists(test::sourceFolder() + "/scenes/thumbnails/" + e.name + ".png"))
            EXPECT_EQ(e.size, glm::uvec2(160, 90)) << e.name << ": run scripts/thumbnails.sh to create the thumbnail";
        else EXPECT_EQ(e.size, glm::uvec2(0)) << e.name;
        EXPECT_EQ(e.pixels.size(), std::size_t{e.size.x} * e.size.y) << e.name;
    }
}

TEST(SceneList, ADescriptionIsTheFirstComment) {
    const test::ScratchFolder folder;
    const auto description = [&](const char* text) {
        std::ofstream(folder.path() / "a.toml") << text;
        return descriptionOf(folder.path() / "a.toml");
    };
    EXPECT_EQ(description("# SPDX-License-Identifier: MIT\n# A jet\n# of smoke.\nname = \"a\"\n# no part of it\n"), "A jet of smoke.");
    EXPECT_EQ(description("name = \"a\"\n# no part of it\n"), "");
    EXPECT_EQ(descriptionOf(folder.path() / "missing.toml"), "");
}

TEST(SceneList, PicturesAreInTheAtlas) {
    std::vector<SceneEntry> scenes(3);
    scenes[0] = {.name = "red", .size = {2, 1}, .pixels = {0xff0000ffu, 0xff0000feu}};
    scenes[2] = {.name = "tall", .size = {1, 2}, .pixels = {0xff123456u, 0xff654321u}};
    std::string chosen;
    test::GuiUser user([&] {
        ImGui::SetNextWindowSize({400.0f, 300.0f});
        ImGui::Begin("list");
        if (const std::string scene = chooseScene(scenes, "none"); !scene.empty()) chosen = scene;
        ImGui::End();
    });
    ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
    fonts.Clear();
    fonts.AddFontDefault();
    reservePictures(scenes, fonts);
    fonts.Build();
    paintPictures(scenes, fonts);
    EXPECT_EQ(scenes[1].place, -1);
    unsigned char* texels = nullptr;
    int width = 0, height = 0;
    fonts.GetTexDataAsRGBA32(&texels, &width, &height);
    for (const SceneEntry& e : scenes) {
        if (e.place < 0) continue;
        const ImFontAtlasCustomRect& at = *fonts.GetCustomRectByIndex(e.place);
        for (std::uint32_t n = 0; n < e.pixels.size(); ++n) {
            std::uint32_t found = 0;
            std::memcpy(&found, texels + 4 * ((at.Y + n / e.size.x) * static_cast<std::size_t>(width) + at.X + n % e.size.x), sizeof found);
            EXPECT_EQ(found, e.pixels[n]) << e.name << " " << n;
        }
    }
    user.look(3);
    user.click("none");
    user.look(2);
    user.click("tall");
    EXPECT_EQ(chosen, "tall");
}

}  // namespace
}  // namespace wisp::app
