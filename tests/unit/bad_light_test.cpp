// SPDX-License-Identifier: MIT
// Invalid values of light, camera and render keys give one error with line and key. Values at the limits of the allowed range are accepted.
#include "compute/picture/camera.h"
#include "files/scene/scene.h"

#include <glm/geometric.hpp>
#include <gmock/gmock.h>

namespace wisp::app {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string errorsOf(const std::string& text) {
    try {
        parseScene(text, "t.toml");
    } catch (const SceneFailure& e) {
        EXPECT_EQ(e.status(), Exit::Usage);
        return e.what();
    }
    return {};
}

struct Key {
    std::string section;  ///< header in the scene file
    std::string name;     ///< name in error messages
    std::string key;
    std::vector<std::string> bad, good;
};

std::ostream& operator<<(std::ostream& out, const Key& k) { return out << k.name; }

const std::string kSpot = "[[light]]\ntype = \"spot\"\n";

class BadLight : public testing::TestWithParam<Key> {};

TEST_P(BadLight, ErrorsNameKeyAndLine) {
    const Key& k = GetParam();
    const auto lines = std::count(k.section.begin(), k.section.end(), '\n') + 1;
    for (const std::string& value : k.bad) {
        const std::string errors = errorsOf(k.section + k.key + " = " + value);
        EXPECT_THAT(errors, StartsWith("t.toml:" + std::to_string(lines) + ":")) << value;
        EXPECT_THAT(errors, HasSubstr(": " + k.name + ": ")) << value;
        EXPECT_EQ(errors.find('\n'), std::string::npos) << value << ": must be exactly one error";
    }
}

TEST_P(BadLight, LimitsAreAllowed) {
    const Key& k = GetParam();
    for (const std::string& value : k.good) EXPECT_EQ(errorsOf(k.section + k.key + " = " + value), "") << value;
}

const std::vector<std::string> kNoNumbers{"nan", "inf", "-inf", "\"1\"", "true", "[]"};

std::vector<std::string> also(std::vector<std::string> values) {
    values.insert(values.end(), kNoNumbers.begin(), kNoNumbers.end());
    return values;
}

INSTANTIATE_TEST_SUITE_P(
    Keys, BadLight,
    testing::Values(
        Key{"[medium]\n", "medium.extinction", "extinction", also({"-1", "-1e-30", "1.1e6", "1e300"}), {"0", "1e-30", "1e6"}},
        Key{"[medium]\n",
            "medium.albedo",
            "albedo",
            {"1", "[1.0001, 1, 1]", "[1, -0.1, 1]", "[1, 1, nan]", "[0.5, 0.5]"},
            {"[0, 0, 0]", "[1, 1, 1]"}},
        Key{"[medium]\n", "medium.emission", "emission", {"[-1, 0, 0]", "[0, inf, 0]", "[0, 0, 1e7]"}, {"[0, 0, 1e6]"}},
        Key{"[medium.phase]\n", "medium.phase.g", "g", also({"1", "-1", "1.5", "0.99999999999"}), {"0.9999999", "-0.9999999", "0"}},
        Key{"[medium.phase]\n", "medium.phase.g_back", "g_back", also({"1", "-1", "-7"}), {"0.9999999", "-0.9999999"}},
        Key{"[medium.phase]\n", "medium.phase.blend", "blend", also({"-0.1", "1.1"}), {"0", "1"}},
        Key{"[medium]\n", "medium.octaves", "octaves", {"0", "9", "-1", "1.5", "nan"}, {"1", "8"}},
        Key{"[[light]]\n",
            "light[0].direction",
            "direction",
            {"[0, 0, 0]", "[-0.0, 0, 0]", "[nan, 0, 1]", "[inf, 0, 0]", "[1, 2]", "1"},
            {"[1e-30, 0, 0]", "[0, -1e6, 0]"}},
        Key{"[[light]]\ntype = \"point\"\n",
            "light[0].position",
            "position",
            {"[nan, 0, 0]", "[0, -inf, 0]", "[0, 0, 1e7]"},
            {"[0, 0, 0]", "[-1e6, 0, 0]"}},
        Key{"[[light]]\n", "light[0].colour", "colour", {"[-1, 0, 0]", "[nan, 0, 0]", "[0, 1e7, 0]"}, {"[0, 0, 0]", "[1e6, 0, 0]"}},
        Key{"[[light]]\n", "light[0].intensity", "intensity", also({"-1", "1e7"}), {"0", "1e6"}},
        Key{"[[light]]\n", "light[0].type", "type", {"\"moon\"", "1"}, {"\"sun\"", "\"point\"", "\"spot\""}},
        Key{kSpot, "light[0].angle", "angle", also({"0", "-10", "0.05", "361"}), {"0.1", "180", "360"}},
        Key{"[[light]]\n", "light[0].size", "size", also({"-1", "90.1"}), {"0", "0.53", "90"}},
        Key{kSpot, "light[0].size", "size", also({"-0.1", "1e7"}), {"0", "2"}},
        Key{kSpot, "light[0].softness", "softness", also({"-0.1", "1.1"}), {"0", "1"}},
        Key{"[environment]\n", "environment.colour", "colour", {"[-1, 0, 0]", "[nan, 0, 0]", "[0, 1e7, 0]"}, {"[0, 0, 0]", "[1e6, 0, 0]"}},
        Key{"[environment]\n", "environment.bottom", "bottom", {"[-1, 0, 0]", "[0, inf, 0]"}, {"[0, 0, 0]"}},
        Key{"[environment]\n", "environment.ground_radius", "ground_radius", also({"-0.1", "1e7"}), {"0", "1e6"}},
        Key{"[environment]\n", "environment.intensity", "intensity", also({"-1", "1e7"}), {"0", "1e6"}},
        Key{"[environment]\n",
            "environment.image",
            "image",
            {"\"\"", "\".\"", "\"/dev/zero\"", "\"none.hdr\"", "3", "\"" + std::string(5000, 'x') + "\""},
            {}},
        Key{"[camera]\n", "camera.fov", "fov", also({"0", "-40", "0.5", "180", "360"}), {"1", "179"}},
        Key{"[camera]\n", "camera.shutter", "shutter", also({"-1", "-0.001", "361", "1e9"}), {"0", "180", "360"}},
        Key{"[grid]\ncells = [8, 4, 1]\n[camera]\n", "camera.shutter", "shutter", {"180"}, {"0"}},
        Key{"[render]\n", "render.shutter_samples", "shutter_samples", {"0", "257", "-2", "2.0", "\"2\"", "nan"}, {"1", "8", "256"}},
        Key{"[camera]\neye = [1, 2, 3]\n",
            "camera.target",
            "target",
            {"[1, 2, 3]", "[nan, 0, 0]", "[0, inf, 0]", "[0, 0, 1e7]"},
            {"[1, 9, 3]", "[1, 2, 3.0000003]"}},
        Key{"[render]\n",
            "render.size",
            "size",
            {"[0, 1]", "[1, 0]", "[16385, 1]", "[-1, 1]", "[1.5, 1]", "[4294967297, 1]", "[1]"},
            {"[1, 1]", "[16384, 1]"}},
        Key{"[render]\n", "render.step", "step", also({"-1", "-1e-9", "1e-9", "2e-4", "1e7"}), {"0", "4e-4", "1e6"}},
        Key{"[render]\n", "render.exposure", "exposure", also({"1e9", "-1e9", "33"}), {"32", "-32"}},
        Key{"[render]\n", "render.scattering_cells", "scattering_cells", {"0", "257", "-2", "2.0", "\"2\"", "nan"}, {"1", "32", "256"}},
        Key{"[render]\n", "render.light_ratio", "light_ratio", {"0", "3", "8", "-2", "2.0", "\"2\"", "nan"}, {"1", "2", "4"}},
        Key{"[render]\n", "render.obstacle_specular", "obstacle_specular", also({"-0.1", "1.1"}), {"0", "0.04", "1"}},
        Key{"[render]\n", "render.obstacle_roughness", "obstacle_roughness", also({"0", "0.09", "1.1"}), {"0.1", "1"}},
        Key{"[[obstacle]]\nradius = 0.1\n",
            "obstacle[0].colour",
            "colour",
            {"[1.1, 0, 0]", "[-0.1, 0, 0]", "[nan, 0, 0]"},
            {"[0, 0, 0]", "[1, 1, 1]"}},
        Key{"[render]\n",
            "render.ground_colour",
            "ground_colour",
            {"[1.1, 0, 0]", "[-0.1, 0, 0]", "[nan, 0, 0]"},
            {"[0, 0, 0]", "[1, 1, 1]"}}));

TEST(BadSteps, AreRefusedOnlyWithRaymarch) {
    const std::string tiny = "[render]\nstep = 1e-6\n";
    EXPECT_EQ(errorsOf(tiny), "t.toml:2:8: render.step: is 1e-06, must be at least 0.000307 in this box: a ray takes at most 8192 steps");
    EXPECT_EQ(errorsOf(tiny + "mode = \"path\""), "");
    EXPECT_EQ(errorsOf(tiny + "[view]\nfield = \"density\""), "");
    // The default step is one cell, which is too small in a grid of very many cells.
    EXPECT_THAT(errorsOf("[grid]\ncells = [4096, 256, 256]\nsize = [16, 1, 1]\nscalar_ratio = 2"),
                HasSubstr("render.step: is 0, which is one scalar cell, must be at least 0.00"));
    EXPECT_EQ(errorsOf("[grid]\ncells = [4096, 256, 256]\nsize = [16, 1, 1]"), "");
}

TEST(BadCameras, NearTargetsAreAllowed) {
    for (const glm::vec3 d :
         {glm::vec3(1e-30f, 0, 0), glm::vec3(0, 1e-25f, 0), glm::vec3(0, 1, 0), glm::vec3(0, -1, 1e-7f), glm::vec3(0, 0, 1e6f)}) {
        gpu::ViewData v{};
        setCamera(v, {.eye = glm::vec3(0.0f), .target = d, .fov = 1.0f}, {3, 2});
        EXPECT_NEAR(glm::length(v.forward), 1.0f, 1e-6f) << d.x << " " << d.y << " " << d.z;
        EXPECT_NEAR(glm::dot(v.forward, glm::vec3(glm::normalize(glm::dvec3(d)))), 1.0f, 1e-6f);
        EXPECT_NEAR(glm::dot(v.right, v.forward), 0.0f, 1e-6f);
        EXPECT_NEAR(glm::length(v.right) / glm::length(v.up), 1.5f, 1e-5f);
    }
}

}  // namespace
}  // namespace wisp::app
