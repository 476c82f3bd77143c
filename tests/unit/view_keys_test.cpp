// SPDX-License-Identifier: MIT
// The [view] table of scene files.
#include "compute/picture/field_view.h"
#include "files/scene/scene.h"
#include "files/scene/scene_writer.h"

#include <gmock/gmock.h>

namespace wisp::app {
namespace {

using testing::HasSubstr;

std::string viewErrorOf(const std::string& text) {
    try {
        parseScene(text, "t.toml");
    } catch (const SceneFailure& e) {
        EXPECT_EQ(e.errors().size(), 1u) << e.what();
        return e.errors().front().text();
    }
    return {};
}

TEST(ViewKeys, AreAllReadBack) {
    const ViewSettings v =
        parseScene("[view]\nfield = \"divergence\"\nslice = \"y\"\nposition = 0.25\nrange = [-1, 2.5]\narrows = 7\nlegend = false",
                   "t.toml")
            .view;
    EXPECT_EQ(v.field, ViewField::Divergence);
    EXPECT_EQ(v.slice, SliceAxis::Y);
    EXPECT_EQ(v.position, 0.25f);
    EXPECT_EQ(v.range, glm::vec2(-1.0f, 2.5f));
    EXPECT_EQ(v.arrows, 7u);
    EXPECT_FALSE(v.legend);
    EXPECT_EQ(parseScene("", "t.toml").view.field, ViewField::Smoke);
}

TEST(ViewKeys, ErrorsSayWhatIsAllowed) {
    const std::pair<std::string, std::string> cases[] = {
        {"field = \"sped\"",
         "view.field: is \"sped\", must be one of: smoke, density, temperature, speed, vorticity, pressure, divergence, fuel, flame; did "
         "you mean \"speed\"?"},
        {"field = \"speed\"\nslice = \"w\"", "view.slice: is \"w\", must be one of: none, x, y, z"},
        {"field = \"speed\"\nslice = \"y\"\nposition = 1.01", "view.position: is 1.01, must be from 0 to 1"},
        {"field = \"speed\"\nposition = 0.5", "view.position: is the position of a slice"},
        {"field = \"speed\"\narrows = 4", "view.arrows: lie on a slice"},
        {"field = \"speed\"\nrange = [2, 2]", "view.range: is [2, 2], must be two numbers from"},
        {"field = \"speed\"\nrange = [nan, 2]", "view.range: is [nan, 2]"},
        {"field = \"speed\"\nrange = [1]", "view.range: is a list of 1, must be a list of 2 numbers"},
        {"field = \"temperature\"", "view.field: is \"temperature\", which this scene does not have"},
        {"field = \"fuel\"", "view.field: is \"fuel\", which this scene does not have: set fuel"},
        {"field = \"flame\"", "view.field: is \"flame\", which this scene does not have: set fuel"},
        {"slice = \"z\"", "view.slice: needs view.field to be"},
        {"range = [0, 1]", "view.range: needs view.field to be"},
    };
    for (const auto& [text, expected] : cases) EXPECT_THAT(viewErrorOf("[view]\n" + text), HasSubstr(expected)) << text;
}

TEST(ViewKeys, ArrowsMayLieOverDyeThatIsCarriedByAPrescribedVelocity) {
    const std::string flat = "[grid]\ncells = [32, 32, 1]\nsize = [1, 1, 0.03125]\n", given = "[prescribed]\nfield = \"shear\"\n",
                      arrows = "[view]\narrows = 4\n";
    const Settings s = parseScene(flat + given + arrows, "t.toml");
    EXPECT_EQ(s.view.arrows, 4u);
    EXPECT_THAT(writeScene(s, {}), HasSubstr("arrows = 4"));
    for (const std::string& text : {flat + arrows, "[grid]\ncells = [32, 32, 32]\nsize = [1, 1, 1]\n" + given + arrows})
        EXPECT_THAT(viewErrorOf(text), HasSubstr("view.arrows: needs a flat grid with a prescribed velocity, or view.field to be"));
    EXPECT_THAT(viewErrorOf(flat + given + "[view]\narrows = 1025\n"), HasSubstr("view.arrows: is 1025, must be from 0 to 1024"));
    EXPECT_THAT(viewErrorOf(flat + given + "[view]\nslice = \"z\"\n"), HasSubstr("view.slice: needs view.field to be"));
}

/// The plot keeps the proportions of the box, does not overlap the legend and has the documented axes.
TEST(SlicePlot, FitsBesideTheLegend) {
    Settings s;
    s.grid.origin = {1.0f, 2.0f, 3.0f};
    s.view.field = ViewField::Speed;
    for (const glm::uvec2 size : {glm::uvec2(640, 360), glm::uvec2(1280, 720), glm::uvec2(360, 640), glm::uvec2(64, 36)})
        for (const SliceAxis slice : {SliceAxis::X, SliceAxis::Y, SliceAxis::Z}) {
            s.render.size = size;
            s.view.slice = slice;
            const gpu::SlicePush plot = slicePlot(s);
            const int axis = static_cast<int>(slice) - 1;
            EXPECT_FLOAT_EQ(glm::length(plot.right), glm::length(plot.down));
            EXPECT_EQ(glm::dot(plot.right, plot.down), 0.0f);
            EXPECT_FLOAT_EQ(plot.corner[axis], s.grid.origin[axis] + 0.5f * s.grid.size[axis]);
            // The corners of the box in pixels.
            for (const glm::vec3 corner : {s.grid.origin, s.grid.origin + s.grid.size}) {
                const glm::vec3 from = corner - plot.corner;
                const float x = glm::dot(from, plot.right) / glm::dot(plot.right, plot.right),
                            y = glm::dot(from, plot.down) / glm::dot(plot.down, plot.down);
                EXPECT_GE(x, 0.0f);
                EXPECT_LE(x, static_cast<float>(size.x - legendWidth(s)));
                EXPECT_GE(y, 0.0f);
                EXPECT_LE(y, static_cast<float>(size.y));
            }
        }
}

}  // namespace
}  // namespace wisp::app
