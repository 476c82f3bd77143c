// SPDX-License-Identifier: MIT
// Videos that the window records.
#include "tests/app/window_fixture.h"

#include <gmock/gmock.h>

#include <sstream>

namespace wisp::test {
namespace {

class RecordTest : public WindowTest {
protected:
    // A video has the pixels of the window. In a small window a CPU device draws several pictures per second.
    const std::string kSmallWindow = "xdotool windowsize --sync $ID 300 200; sleep 1; ";
    struct Facts {
        int width = 0, height = 0, frames = 0;
        std::string rate;
    };
    Facts probe(const std::string& file) {
        const Outcome o = runShell(
            "ffprobe -v error -count_frames -select_streams v -show_entries stream=width,height,r_frame_rate,nb_read_frames -of csv=p=0 '" +
                file + "'",
            folder.path());
        EXPECT_EQ(o.status, 0) << o.errors;
        Facts f;
        char comma = 0;
        std::istringstream in(o.output);
        in >> f.width >> comma >> f.height >> comma;
        std::getline(in, f.rate, ',');
        in >> f.frames;
        return f;
    }
};

TEST_F(RecordTest, WritesAVideoBesideEarlierOnes) {
    // The second video ends when the window closes.
    const Outcome o = drive(kSmallWindow + "xdotool key F9; sleep 3; xdotool key F9; sleep 2; xdotool key F9; sleep 3; xdotool key ctrl+q");
    expectEnded(o);
    EXPECT_THAT(folder.files(), testing::ElementsAre("scene.toml", "window-000.mp4", "window-001.mp4"));
    for (const char* name : {"window-000.mp4", "window-001.mp4"}) {
        const Facts f = probe(name);
        EXPECT_EQ(f.rate, "60/1");
        EXPECT_GT(f.frames, 3) << name;
        EXPECT_GE(f.width, 160);
        EXPECT_EQ(f.width % 2 + f.height % 2, 0);
    }
    EXPECT_NE(o.errors.find("wrote " + (folder.path() / "window-001.mp4").string() + ": "), std::string::npos) << o.errors;
}

// On a CPU device the picture has fewer pixels than the window and is stretched.
TEST_F(RecordTest, HasThePixelsOfTheWindow) {
    const Outcome o = drive(
        "xdotool windowsize --sync $ID 420 300; sleep 1; shot 000; xdotool key F9; sleep 3; xdotool key F9; sleep 2; shot 001; xdotool key "
        "ctrl+q");
    expectEnded(o);
    const Facts f = probe("window-000.mp4");
    EXPECT_EQ(f.width, 420);
    EXPECT_EQ(f.height, 300);
    EXPECT_GT(f.frames, 3);
    for (const char* name : {"window-000.png", "window-001.png"}) {
        const Outcome size = runShell("ffprobe -v error -show_entries stream=width,height -of csv=p=0 " + std::string(name), folder.path());
        EXPECT_EQ(size.output, "420,300\n") << name;
    }
}

TEST_F(RecordTest, EndsWithTheSizeOfThePicture) {
    const Outcome o = drive(
        kSmallWindow + "xdotool key F9; sleep 2; xdotool windowsize $ID 500 400; sleep 3; xdotool key F12; sleep 1; xdotool key ctrl+q");
    expectEnded(o);
    EXPECT_THAT(folder.files(), testing::ElementsAre("scene.toml", "window-000.mp4", "window-000.png"));
    EXPECT_GT(probe("window-000.mp4").frames, 3);
}

TEST_F(RecordTest, WithoutFfmpegTheWindowGoesOn) {
    const Outcome o = drive("xdotool key F9; sleep 2; xdotool key F12; sleep 2; xdotool key ctrl+q", "PATH=/nonexistent");
    expectEnded(o);
    EXPECT_THAT(folder.files(), testing::ElementsAre("scene.toml", "window-000.png"));
    EXPECT_NE(o.errors.find("ffmpeg cannot be started"), std::string::npos) << o.errors;
}

TEST_F(RecordTest, WhenFfmpegDiesTheWindowGoesOn) {
    const Outcome o = drive(
        "xdotool key F9; for n in $(seq 40); do P=$(pgrep -P $WISP ffmpeg) && break; sleep 0.5; done; sleep 1; kill -9 $P || echo none; "
        "sleep 3; xdotool key F12; sleep 2; xdotool key ctrl+q");
    expectEnded(o);
    EXPECT_EQ(o.output.find("none"), std::string::npos) << "a video was written";
    EXPECT_THAT(folder.files(), testing::ElementsAre("scene.toml", "window-000.png"));
    EXPECT_NE(o.errors.find("ffmpeg stopped"), std::string::npos) << o.errors;
}

}  // namespace
}  // namespace wisp::test
