// SPDX-License-Identifier: MIT
// Colours of smoke in scene files.
#include "files/scene/scene.h"

#include <gmock/gmock.h>

namespace wisp::app {
namespace {

TEST(ColourKeys, AreReadBackAndWhiteByDefault) {
    const Settings s = parseScene(
        "[[emitter]]\ncolour = [1, 0.5, 0]\n[[emitter]]\n[[initial]]\ncolour = [0.25, 0.5, 0.75]\n[[initial]]\nradius = 1", "t.toml");
    ASSERT_EQ(s.emitters.size(), 2u);
    EXPECT_EQ(s.emitters[0].colour, glm::vec3(1.0f, 0.5f, 0.0f));
    EXPECT_EQ(s.emitters[1].colour, glm::vec3(1.0f));
    ASSERT_EQ(s.initial.size(), 2u);
    EXPECT_EQ(s.initial[0].colour, glm::vec3(0.25f, 0.5f, 0.75f));
    EXPECT_EQ(s.initial[1].colour, glm::vec3(1.0f));
}

TEST(ColourKeys, AreUsedWhereAnyIsNotWhite) {
    EXPECT_FALSE(parseScene("[[emitter]]\ncolour = [1, 1, 1]\n[[initial]]", "t.toml").usesColour());
    EXPECT_TRUE(parseScene("[[emitter]]\n[[emitter]]\ncolour = [1, 1, 0.5]", "t.toml").usesColour());
    EXPECT_TRUE(parseScene("[[initial]]\ncolour = [0, 1, 1]", "t.toml").usesColour());
}

TEST(ColourKeys, AreRefusedOutOfRangeByName) {
    const std::pair<const char*, const char*> cases[] = {
        {"[[emitter]]\ncolour = [0.5, 1.1, 0.5]", "t.toml:2:10: emitter[0].colour: is [0.5, 1.1, 0.5], each must be from 0 to 1"},
        {"[[emitter]]\n[[emitter]]\ncolour = [-0.1, 1, nan]",
         "t.toml:3:10: emitter[1].colour: is [-0.1, 1, nan], each must be from 0 to 1"},
        {"[[initial]]\ncolour = [0, 0, 2]", "t.toml:2:10: initial[0].colour: is [0, 0, 2], each must be from 0 to 1"},
        {"[[emitter]]\ncolour = 1", "t.toml:2:10: emitter[0].colour: is the whole number 1, must be a list of 3 numbers"},
        {"[[emitter]]\ncolor = [1, 1, 1]", "t.toml:2:1: emitter[0].color: unknown key; did you mean \"colour\"?"},
    };
    for (const auto& [text, expected] : cases) {
        try {
            parseScene(text, "t.toml");
            ADD_FAILURE() << text;
        } catch (const SceneFailure& e) {
            ASSERT_EQ(e.errors().size(), 1u);
            EXPECT_EQ(e.errors().front().text(), expected);
        }
    }
}

}  // namespace
}  // namespace wisp::app
