// SPDX-License-Identifier: MIT
// Text over the image in the window.
#include "app/live/picture_text.h"
#include "files/scene/scene.h"
#include "tests/support/gui_user.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wisp::app {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HintText, SaysWhatCanBeDoneInTheScene) {
    const auto hint = [](const char* scene) { return hintText(loadScene(findScene(scene))); };
    EXPECT_EQ(hint("smoke"), "Drag the sphere. Right button paints smoke. F1: keys");
    EXPECT_EQ(hint("dam_break"), "Drag the sphere. Right button paints liquid. F1: keys");
    EXPECT_EQ(hint("knot"), "Drag the obstacle. Right button paints smoke. F1: keys");
    EXPECT_EQ(hint("arrows"), "Drag an arrow. Right button paints dye. F1: keys");
    Settings s;
    EXPECT_EQ(hintText(s), "Right button paints smoke. F1: keys");
    s.emitters.emplace_back();
    EXPECT_EQ(hintText(s), "Drag the emitter. Right button paints smoke. F1: keys");
    s.grid.cells = {32, 32, 1};
    s.grid.size = {1.0f, 1.0f, 1.0f / 32};
    EXPECT_EQ(hintText(s), "Drag the emitter. Left button paints dye. F1: keys");
}

class PictureText : public testing::Test {
protected:
    Hint hint;
    StatusLine status;
    Area area{{0.0f, 0.0f}, {500.0f, 600.0f}};
    Settings settings;
    bool used = false;
    test::GuiUser user{[this] {
                           status.update({.frameSeconds = 0.025, .stepMs = 12.4, .pictureMs = 3.256}, {192, 96, 96}, 12.345);
                           hint.update(used, 0.25);
                           status.draw(area);
                           hint.draw(area, status.top(area), settings);
                       },
                       glm::vec2(800.0f, 600.0f)};
};

TEST_F(PictureText, HintDisappearsAfterAnAction) {
    user.look(8);
    EXPECT_THAT(user.page(), HasSubstr("F1: keys"));
    used = true;
    user.look();
    used = false;
    EXPECT_THAT(user.page(), HasSubstr("F1: keys")) << "the hint fades out slowly";
    user.look(4);
    EXPECT_THAT(user.page(), Not(HasSubstr("F1: keys")));
    EXPECT_FALSE(hint.shown());
}

TEST_F(PictureText, HintDisappearsAfterAWhile) {
    user.look(static_cast<int>(Hint::kShown / 0.25) - 1);
    EXPECT_TRUE(hint.shown());
    user.look();
    EXPECT_FALSE(hint.shown());
    EXPECT_THAT(user.page(), Not(HasSubstr("F1: keys")));
}

// The first image has no image before it. The time since the window was opened must not count.
TEST_F(PictureText, FrameRateStartsWithTheSecondFrame) {
    user.look();
    EXPECT_THAT(user.page(), Not(HasSubstr("fps")));
    user.look();
    EXPECT_THAT(user.page(), HasSubstr("40 fps"));
}

TEST_F(PictureText, TheStatusIsBelowTheHintAndInThePicture) {
    user.look(3);
    for (const char* text : {"40 fps", "step 12 ms", "render 3.26 ms", "192 x 96 x 96 cells", "t = 12.35 s"})
        EXPECT_THAT(user.page(), HasSubstr(text));
    for (const glm::vec2 size : {glm::vec2(500.0f, 600.0f), glm::vec2(250.0f, 300.0f)}) {
        area = {{800.0f - size.x, 0.0f}, size};
        user.look();
        for (const test::Seen& piece : user.seen()) {
            if (piece.text.find("F1") == std::string::npos) {
                EXPECT_GT(piece.low.y, user.find("F1: keys").high.y) << piece.text;
                EXPECT_LT(piece.high.x, area.low.x + area.size.x) << piece.text;
            }
            EXPECT_GE(piece.low.x, area.low.x) << piece.text;
            EXPECT_LT(piece.high.y, size.y) << piece.text;
        }
    }
}

}  // namespace
}  // namespace wisp::app
