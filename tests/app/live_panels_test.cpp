// SPDX-License-Identifier: MIT
// Panels and legend that the window draws over its picture, with real numbers of a device, without a window.
#include "app/live/profiler_panel.h"
#include "app/live/video_recording.h"
#include "app/live/window_legend.h"
#include "compute/scene/view_fields.h"
#include "files/base/bytes.h"
#include "files/scene/scene.h"
#include "tests/app/window_scene.h"
#include "tests/support/gpu_test.h"
#include "tests/support/gui_user.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/window_library.h"

#include <gmock/gmock.h>
#include <imgui.h>

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace wisp::app {
namespace {

using test::Seen;
using testing::HasSubstr;
using testing::Not;

class ProfilerPanelTest : public test::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        panel.emplace(device(), test::windowLibrary(device()));
        user.emplace([this] { panel->draw(open, profile); });
    }
    void TearDown() override {
        user.reset();
        panel.reset();
        GpuTest::TearDown();
    }
    static PassTime pass(const std::string& name, double ms, std::uint32_t calls = 1) { return {.name = name, .calls = calls, .ms = ms}; }
    /// The texts in a row of the table of passes.
    std::vector<std::string> row(const std::string& name) {
        std::vector<std::string> cells;
        for (Seen at = user->find(name); cells.size() < 5; cells.push_back(at.text)) at = user->beside(at);
        return cells;
    }
    float lineOf(const std::string& name) { return user->find(name).centre().y; }

    bool open = true;
    Profile profile;
    std::optional<ProfilerPanel> panel;
    std::optional<test::GuiUser> user;
};

TEST_F(ProfilerPanelTest, IsEmptyBeforeTheFirstPicture) {
    user->look(3);
    for (const char* text : {"GPU 0.00 ms per frame", "frame", "CPU: commands", "input latency", "residual"})
        EXPECT_THAT(user->page(), HasSubstr(text));
    EXPECT_EQ(user->beside("residual").text, "-");
    user->closeWindow("Profiler");
    EXPECT_FALSE(open);
    EXPECT_EQ(user->page(), "");
}

TEST_F(ProfilerPanelTest, RowsAreThoseOfTheProfileAndAreSorted) {
    for (int i = 0; i < 4; ++i)
        profile.add({pass("advect", 2.0, 3), pass("zebra", 0.5), pass("project", 1.5 + 0.125 * i)},
                    {.frame = 10.0 + i, .record = 0.5, .panels = 0.25});
    profile.addInputAge(30.0);
    Quality q;
    q.residual = 0.0125;
    q.maxSpeed = 3.0;
    profile.addQuality(q);
    user->look(3);
    EXPECT_THAT(user->page(), HasSubstr("GPU 4.19 ms per frame"));
    EXPECT_THAT(row("advect"), testing::ElementsAre("3", "2.000", "2.000", "2.000", fmt::format("{:.1f} %", 200.0 / 4.1875)));
    EXPECT_THAT(row("project"), testing::ElementsAre("1", "1.688", "1.875", "1.875", fmt::format("{:.1f} %", 168.75 / 4.1875)));
    EXPECT_LT(lineOf("advect"), lineOf("project")) << "the slowest pass first";
    EXPECT_LT(lineOf("project"), lineOf("zebra"));
    EXPECT_EQ(user->beside("residual").text, "0.0125");
    EXPECT_EQ(user->beside("fastest").text, "3");
    EXPECT_EQ(user->beside("input latency").text, "30.00");
    user->click("pass");
    EXPECT_LT(lineOf("advect"), lineOf("project")) << "sorted by name";
    user->click("pass");
    EXPECT_LT(lineOf("zebra"), lineOf("project"));
    EXPECT_LT(lineOf("project"), lineOf("advect"));
    for (const char* column : {"calls", "mean ms", "p95 ms", "last ms", "share"}) {
        user->click(column);
        EXPECT_LT(lineOf("advect"), lineOf("project")) << column << ": sorted from large to small";
        EXPECT_LT(lineOf("advect"), lineOf("zebra")) << column;
    }
    for (const auto& [name, meaning] :
         {std::pair("residual", "of the last pressure solve"), std::pair("frame", "Wall-clock time between two frames"),
          std::pair("input latency", "Age of the oldest input event")}) {
        user->hover(name);
        EXPECT_THAT(user->page(), HasSubstr(meaning));
    }
    user->click("Copy as CSV");
    EXPECT_EQ(ImGui::GetClipboardText(), profile.csv());
}

TEST_F(ProfilerPanelTest, ABarShowsTheTimesOfItsFrame) {
    for (int i = 0; i < 20; ++i) {
        std::vector<PassTime> passes;
        for (int n = 0; n < 14; ++n) passes.push_back(pass(fmt::format("pass{}", n), 0.25 * (n + 1)));
        passes[0].ms = i == 19 ? 8.0 : 0.25;
        profile.add(passes, {.frame = 20.0 + i});
    }
    user->look(3);
    // The newest frame is at the right end. A bar is 1/240 of the plot wide.
    const Seen plot = user->find("Copy as CSV");
    glm::vec2 newest(plot.high.x - 2.0f, plot.high.y + 40.0f);
    for (; newest.x < plot.high.x + 10.0f && user->page().find("\n0 frames ago") == std::string::npos; newest.x += 0.5f) {
        user->moveTo(newest);
        user->look(2);
    }
    // The tooltip is read column by column. It shows 12 of 14 passes; pass1 and pass2, of 0.5 and 0.75 ms, are summed.
    for (const char* text : {"\n0 frames ago: GPU 34.00 ms, frame 39.0 ms\npass0\npass13\n", "\npass3\n2 others\n8.000 ms\n3.500 ms\n",
                             "\n1.000 ms\n1.250 ms\n"})
        EXPECT_THAT(user->page(), HasSubstr(text));
    user->moveTo(newest - glm::vec2(400.0f, 0.0f));
    user->look(2);
    EXPECT_THAT(user->page(), Not(HasSubstr("frames ago"))) << "there was no picture at this time";
    // Scale of the plot: times at its ticks.
    EXPECT_THAT(user->page(), testing::ContainsRegex("[0-9]+ ms\n"));
    for (float x = user->find("max").high.x; x < newest.x && user->page().find("20 to 39 ms") == std::string::npos; x += 10.0f) {
        user->moveTo({x, user->find("frame").centre().y});
        user->look(2);
    }
    EXPECT_THAT(user->page(), HasSubstr("20 to 39 ms")) << "tooltip of the curve beside the times";
}

TEST_F(ProfilerPanelTest, ShowsTheMemoryOfTheDevice) {
    const engine::Image first = image("a large image", {64, 64, 64}), second = image("a large image", {64, 64, 64});
    user->look(3);
    EXPECT_THAT(user->page(), Not(HasSubstr("a large image")));
    user->click("Memory");
    user->look(2);
    EXPECT_THAT(user->page(), HasSubstr(device().report().name));
    EXPECT_THAT(user->page(), HasSubstr(device().report().driver));
    EXPECT_THAT(user->page(), HasSubstr(formatBytes(device().memory().used() + test::windowLibrary(device()).memoryUsed()) + " in use, "));
    EXPECT_EQ(user->beside("a large image").text, "2");
    EXPECT_EQ(user->beside(user->beside("a large image")).text, formatBytes(std::uint64_t{2} * 64 * 64 * 64 * 4));
    const engine::Image third = image("a larger image", {128, 64, 64});
    user->look(2);
    EXPECT_THAT(user->page(), HasSubstr("a larger image"));
}

class LiveOverPicture : public test::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        Settings warm = parseScene(test::kWindowScene, "warm.toml");
        warm.name = "warm";
        warm.flow.buoyancy = 0.02f;
        warm.emitters[0].temperature = 80.0f;
        warm.emitters[0].fuel = 0.5f;  // every field exists
        warm.fire.expansion = 0.0f;
        warm.obstacles.clear();
        session.emplace(test::windowLibrary(device()), warm);
        shaders = library({});
        rec.emplace(device(), *shaders, engine::RecorderOptions{.timing = engine::Timing::Off, .readbackBytes = 4096});
        session->resize({320, 240});
    }
    void TearDown() override {
        user.reset();
        rec.reset();
        shaders.reset();
        session.reset();
        GpuTest::TearDown();
    }
    void show() {
        ASSERT_EQ(session->apply(false), "");
        rec->begin();
        session->simulation().record(lend(*rec));
        session->renderer().record(lend(*rec));
        legend.read(*rec, session->renderer(), session->settings);
        rec->submit();
        rec->finish();
        user->look(2);
    }
    std::optional<SceneSession> session;
    std::unique_ptr<engine::ShaderLibrary> shaders;
    std::optional<engine::Recorder> rec;
    WindowLegend legend;
    std::optional<test::GuiUser> user;
    bool panel = false;
};

TEST_F(LiveOverPicture, TheLegendNamesTheFieldOfThePicture) {
    user.emplace(
        [this] {
            legend.draw(session->settings, session->simulation().time(), wholeWindow());
            if (!panel) return;
            ImGui::SetNextWindowPos({500.0f, 0.0f});
            ImGui::SetNextWindowSize({140.0f, 480.0f});
            ImGui::Begin("wisp");
            ImGui::End();
        },
        glm::vec2(640.0f, 480.0f));
    show();
    EXPECT_EQ(user->page(), "") << "smoke has no legend";
    for (const ViewFieldInfo& info : viewFields()) {
        session->settings.view.field = info.field;
        user->look();
        EXPECT_EQ(user->page(), "") << info.name << ": the limits are still those of another field";
        show();
        EXPECT_EQ(user->seen().at(0).text, info.name);
        EXPECT_EQ(user->seen().at(1).text, fmt::format("[{}]", info.unit));
        EXPECT_THAT(user->page(), HasSubstr(fmt::format("t = {:.2f} s", session->simulation().time())));
        EXPECT_THAT(user->page(), testing::ContainsRegex("max [0-9.e-]+\n"));
        EXPECT_GT(user->seen().size(), 5u) << "ticks of the legend";
    }
    session->settings.view = {.field = ViewField::Temperature};
    session->settings.flow.ambient = 320.0f;
    show();
    EXPECT_THAT(user->page(), HasSubstr("max 400")) << "80 K above ambient";
    session->settings.view = {.field = ViewField::Speed, .slice = SliceAxis::Z, .position = 0.375f, .arrows = 4};
    show();
    EXPECT_THAT(user->page(), HasSubstr("z = 0.375 m"));
    EXPECT_THAT(user->page(), testing::ContainsRegex("[0-9.]+ m/s\n")) << "speed of an arrow";
    const float right = user->find("speed").high.x;
    EXPECT_GT(right, 540.0f);
    panel = true;
    user->look(3);
    EXPECT_LT(user->find("speed").high.x, 500.0f) << "the legend must not be below the panel";
    session->settings.view.legend = false;
    user->look();
    EXPECT_THAT(user->page(), Not(HasSubstr("speed")));
}

class LiveVideo : public LiveOverPicture {
protected:
    void SetUp() override {
        LiveOverPicture::SetUp();
        std::signal(SIGPIPE, SIG_IGN);  // like the program
        std::filesystem::current_path(folder.path());
    }
    void TearDown() override {
        std::filesystem::current_path(before);
        LiveOverPicture::TearDown();
    }
    void steps(VideoRecording& video, int count) {
        for (int i = 0; i < count; ++i) {
            session->simulation().step();
            session->renderer().draw();
            EXPECT_EQ(video.take(*session, 1.0), "");
        }
    }
    const std::filesystem::path before = std::filesystem::current_path();
    test::ScratchFolder folder;
    Log log{LogLevel::Quiet};
};

TEST_F(LiveVideo, ShowsItsLengthAndEndsWithTheSize) {
    const std::string film = (std::filesystem::current_path() / "warm-000.mp4").string();
    VideoRecording video(log);
    user.emplace([&] { video.drawSplat(640.0f); });
    user->look();
    EXPECT_EQ(user->page(), "");
    EXPECT_EQ(video.start(*session), "");
    EXPECT_TRUE(video.recording());
    user->look();
    EXPECT_EQ(user->page(), "0:00\n");
    session->settings.timeStep = 1.0f;
    ASSERT_EQ(session->apply(false), "");
    steps(video, 3);  // the first frame, then 60 per second
    user->look();
    EXPECT_EQ(user->page(), "0:02\n");
    session->resize({160, 120});
    EXPECT_EQ(video.take(*session, 1.0), "recording stopped because the image size has changed; writing " + film);
    EXPECT_FALSE(video.recording());
    EXPECT_EQ(video.take(*session, 1.0), "");
    EXPECT_EQ(video.finish(*session), "wrote " + film + ": 2.0 s");
    EXPECT_EQ(video.finish(*session), "");
    EXPECT_THAT(folder.files(), testing::ElementsAre("warm-000.mp4"));
}

// Two videos of one frame of the same smoke.
TEST_F(LiveVideo, HasTheLegendOfItsField) {
    session->settings.view.field = ViewField::Speed;
    session->resize({640, 480});
    std::vector<std::string> grey;
    for (const bool shown : {true, false}) {
        session->settings.view.legend = shown;
        ASSERT_EQ(session->apply(false), "");
        session->renderer().draw();
        VideoRecording video(log);
        EXPECT_EQ(video.start(*session), "");
        EXPECT_EQ(video.take(*session, 1.0), "");
        const std::string file = fmt::format("warm-{:03}", grey.size());
        EXPECT_THAT(video.finish(*session), HasSubstr("wrote " + (folder.path() / (file + ".mp4")).string() + ": "));
        const std::string command = fmt::format("ffmpeg -v error -i {0}.mp4 -f rawvideo -pix_fmt gray {0}.grey", file);
        ASSERT_EQ(std::system(command.c_str()), 0);
        std::ifstream in(file + ".grey", std::ios::binary);
        grey.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        ASSERT_EQ(grey.back().size(), 640u * 480u);
    }
    const auto changed = [&](int from, int to) {
        int count = 0;
        for (int y = 0; y < 480; ++y)
            for (int x = from; x < to; ++x) {
                const auto at = static_cast<std::size_t>(y) * 640 + static_cast<std::size_t>(x);
                count += std::abs(static_cast<unsigned char>(grey[0][at]) - static_cast<unsigned char>(grey[1][at])) > 20;
            }
        return count;
    };
    EXPECT_GT(changed(540, 640), 500) << "letters, ticks and a colour bar";
    EXPECT_LT(100 * changed(0, 320), changed(540, 640)) << "elsewhere only the loss of the codec";
}

TEST_F(LiveVideo, WithoutAFrameNoVideoIsWritten) {
    VideoRecording video(log);
    EXPECT_EQ(video.start(*session), "");
    EXPECT_EQ(video.start(*session), "") << "the video has started";
    EXPECT_EQ(video.finish(*session), "");
    EXPECT_EQ(video.stop(*session), "");
    EXPECT_THAT(folder.files(), testing::IsEmpty());
}

TEST_F(LiveVideo, ReportsWhyNoVideoIsWritten) {
    const char* const usual = std::getenv("PATH");
    ASSERT_NE(usual, nullptr);
    const std::string path = usual;
    VideoRecording video(log);
    ::setenv("PATH", "/nonexistent", 1);
    EXPECT_THAT(video.start(*session), HasSubstr("cannot write the video: "));
    EXPECT_FALSE(video.recording());
    const auto encoder = [&](const char* script) {
        std::filesystem::create_directory("bin");
        std::ofstream("bin/ffmpeg") << script;
        std::filesystem::permissions("bin/ffmpeg", std::filesystem::perms::owner_all);
        ::setenv("PATH", (folder.path().string() + "/bin:" + path).c_str(), 1);
    };
    encoder("#!/bin/sh\ncat >/dev/null\necho the end is nigh >&2\nexit 1\n");
    EXPECT_EQ(video.start(*session), "");
    steps(video, 2);
    EXPECT_THAT(video.finish(*session), testing::AllOf(HasSubstr("cannot write the video: "), HasSubstr("the end is nigh")));
    encoder("#!/bin/sh\necho lost the plot >&2\nexit 1\n");
    EXPECT_EQ(video.start(*session), "");
    std::string told;
    for (int i = 0; i < 500 && told.empty(); ++i) {
        session->simulation().step();
        session->renderer().draw();
        told = video.take(*session, 1.0);
    }
    EXPECT_THAT(told, testing::AllOf(HasSubstr("cannot write the video: "), HasSubstr("lost the plot")));
    EXPECT_FALSE(video.recording());
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_THAT(folder.files(), testing::ElementsAre("bin/ffmpeg"));
}

}  // namespace
}  // namespace wisp::app
