// SPDX-License-Identifier: MIT
#include "files/scene/scene.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <fstream>

namespace wisp::test {
namespace {

using testing::HasSubstr;

class SceneLook : public testing::Test {
protected:
    void write(const std::string& name, const std::string& text) { std::ofstream(folder.path() / name) << text; }
    Settings load(const std::vector<Override>& overrides = {}) {
        SceneOptions options;
        options.overrides = overrides;
        return loadScene(folder.path() / "scene.toml", options);
    }
    std::string errorOf(const std::string& scene, const std::vector<Override>& overrides = {}) {
        write("scene.toml", scene);
        try {
            load(overrides);
        } catch (const SceneFailure& e) {
            return e.what();
        }
        return "";
    }
    ScratchFolder folder;
};

TEST_F(SceneLook, AppliesWhereTheSceneHasNoValue) {
    write("dark.toml",
          "[[light]]\nintensity = 3.0\n[[light]]\nintensity = 4.0\n[environment]\nground = true\ncolour = [0.1, 0.2, "
          "0.3]\n[render]\nexposure = 1.0\ntonemap = \"agx\"\n");
    write("scene.toml", "look = \"dark.toml\"\n[environment]\ncolour = [0.5, 0.5, 0.5]\n[render]\nexposure = 2.0\n");
    const Settings s = load();
    ASSERT_EQ(s.lights.size(), 2u);
    EXPECT_EQ(s.lights[1].intensity, 4.0f);
    EXPECT_TRUE(s.environment.ground);
    EXPECT_EQ(s.environment.colour, glm::vec3(0.5f));
    EXPECT_EQ(s.render.exposure, 2.0f);
    EXPECT_EQ(s.render.tonemap, Tonemap::Agx);
    write("scene.toml", "look = \"dark.toml\"\n[[light]]\nintensity = 5.0\n");
    EXPECT_EQ(load().lights.size(), 1u) << "lists must not be merged";
}

TEST_F(SceneLook, ComesBeforeOptions) {
    write("dark.toml", "[[light]]\nintensity = 3.0\n[render]\nexposure = 1.0\n");
    write("bright.toml", "[render]\nexposure = 3.0\n");
    write("scene.toml", "look = \"dark.toml\"\n");
    EXPECT_EQ(load({{"--set", "light[0].intensity", "7"}}).lights.at(0).intensity, 7.0f);
    EXPECT_EQ(load({{"--set", "look", "\"bright.toml\""}}).render.exposure, 3.0f);
    EXPECT_EQ(load({{"--set", "render.exposure", "2"}, {"--set", "look", "\"bright.toml\""}}).render.exposure, 2.0f);
}

TEST_F(SceneLook, ErrorsNameFileAndLine) {
    EXPECT_THAT(errorOf("\nlook = \"none.toml\"\n"), HasSubstr("scene.toml:2:8: look: "));
    EXPECT_THAT(errorOf("look = \"none\"\n"), HasSubstr("looks/none.toml"));
    EXPECT_THAT(errorOf("look = 3\n"), HasSubstr("scene.toml:1:8: look: "));
    write("chained.toml", "look = \"studio\"\n");
    EXPECT_THAT(errorOf("look = \"chained.toml\"\n"), HasSubstr("a look must not have a look"));
    write("broken.toml", "[render\n");
    EXPECT_THAT(errorOf("look = \"broken.toml\"\n"), HasSubstr("broken.toml:1:"));
    write("wrong.toml", "[render]\nexposure = \"much\"\n");
    EXPECT_THAT(errorOf("look = \"wrong.toml\"\n"), HasSubstr("wrong.toml:2:12: render.exposure: "));
}

TEST_F(SceneLook, IsBuiltIn) {
    write("scene.toml", "look = \"studio\"\n");
    EXPECT_TRUE(load().environment.ground);
    EXPECT_EQ(load().lights.size(), 2u);
}

}  // namespace
}  // namespace wisp::test
