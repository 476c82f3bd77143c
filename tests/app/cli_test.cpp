// SPDX-License-Identifier: MIT
// The real binary, end to end.
#include "tests/app/run_program.h"
#include "tests/support/source_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <png.h>
#include <tinyexr.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kTiny = " jet --set grid.cells=[32,16,16] --size 64x36 --validate";
const std::string kHuge = " jet --set grid.cells=[1280,640,640]";

class Cli : public testing::Test {
protected:
    Outcome wisp(const std::string& arguments, const std::string& before = "") {
        return runShell(before + " " WISP_BINARY " " + arguments, scratch.path());
    }
    /// Requires that the newest run ended with `status`; otherwise shows its messages.
    static void expect(const Outcome& o, int status) { EXPECT_EQ(o.status, status) << o.output << o.errors; }
    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(scratch.path() / name) << text;
        return name;
    }
    ScratchFolder scratch;
};

TEST_F(Cli, RendersPng) {
    expect(wisp("render" + kTiny + " --frames 3 --out a/b"), 0);
    ASSERT_THAT(scratch.files(), ElementsAre("a/b/0000.png", "a/b/0001.png", "a/b/0002.png"));
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_file(&image, (scratch.path() / "a/b/0002.png").c_str()), 0);
    EXPECT_EQ(image.width, 64u);
    EXPECT_EQ(image.height, 36u);
    image.format = PNG_FORMAT_RGB;
    std::vector<png_byte> pixels(PNG_IMAGE_SIZE(image));
    ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
    EXPECT_NE(*std::max_element(pixels.begin(), pixels.end()), *std::min_element(pixels.begin(), pixels.end()));
}

TEST_F(Cli, RendersExr) {
    expect(wisp("render" + kTiny + " --frames 3 --out 'x_%02d.exr'"), 0);
    ASSERT_THAT(scratch.files(), ElementsAre("x_00.exr", "x_01.exr", "x_02.exr"));
    float* rgba = nullptr;
    int width = 0;
    int height = 0;
    const char* error = nullptr;
    ASSERT_EQ(LoadEXR(&rgba, &width, &height, (scratch.path() / "x_02.exr").c_str(), &error), TINYEXR_SUCCESS);
    EXPECT_EQ(width, 64);
    EXPECT_EQ(height, 36);
    for (int i = 0; i < 4 * width * height; ++i) ASSERT_TRUE(std::isfinite(rgba[i]) && rgba[i] >= 0.0f) << i;
    std::free(rgba);
}

TEST_F(Cli, ChecksMeshes) {
    const Outcome knot = wisp("check knot");
    expect(knot, 0);
    EXPECT_THAT(knot.output, HasSubstr("obstacle[0]: 4032 triangles, 48.0x44.9x21.4 cells, 52x49x26 voxels, closed"));
    write("plate.obj",
          "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 .01\nv 1 0 .01\nv 1 1 .01\nv 0 1 .01\n"
          "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    write("thin.toml", "[[obstacle]]\nshape = \"mesh\"\nfile = \"plate.obj\"\nsize = 0.4\ncentre = [1, 0.5, 0.5]\n");
    const Outcome thin = wisp("check thin.toml");
    expect(thin, 0);
    EXPECT_THAT(thin.output, HasSubstr("warning: obstacle[0].file: is thinner than 1.6 cells behind 98.0 % of its surface"));
    const Outcome bench = wisp("bench thin.toml --set grid.cells=[32,16,16] --steps 1 --warmup 1 --validate");
    expect(bench, 0);
    EXPECT_THAT(bench.errors, HasSubstr("warning: obstacle[0].file: is thinner than 1.6 cells"));
    write("none.toml", "[[obstacle]]\nshape = \"mesh\"\nfile = \"none.obj\"\n");
    const Outcome none = wisp("check none.toml");
    expect(none, 2);
    EXPECT_THAT(none.errors, HasSubstr("none.toml:3:8: obstacle[0].file: none.obj: does not exist"));
}

/// The same picture in two formats: a difference would be a flip or a wrong channel.
TEST_F(Cli, PfmAndExrAgree) {
    expect(wisp("render" + kTiny + " --frames 2 --out p%01d.pfm"), 0);
    expect(wisp("render" + kTiny + " --frames 2 --out p%01d.exr"), 0);
    const std::string pfm = readFile(scratch.path() / "p1.pfm");
    const std::string header = "PF\n64 36\n-1.0\n";
    ASSERT_EQ(pfm.substr(0, header.size()), header);
    ASSERT_EQ(pfm.size(), header.size() + std::size_t{64} * 36 * 12);
    float* rgba = nullptr;
    int width = 0;
    int height = 0;
    const char* error = nullptr;
    ASSERT_EQ(LoadEXR(&rgba, &width, &height, (scratch.path() / "p1.exr").c_str(), &error), TINYEXR_SUCCESS);
    for (int y = 0; y < 36; ++y)
        for (int x = 0; x < 64; ++x) {
            float rgb[3];
            std::memcpy(rgb, pfm.data() + header.size() + static_cast<std::size_t>((35 - y) * 64 + x) * 12, sizeof rgb);
            for (int c = 0; c < 3; ++c) ASSERT_EQ(rgb[c], rgba[4 * (y * 64 + x) + c]) << x << ' ' << y;
        }
    std::free(rgba);
}

TEST_F(Cli, RendersVideoOfOddSize) {
    expect(wisp("render jet --set grid.cells=[32,16,16] --size 65x37 --frames 3 --fps 30 --out v.mp4"), 0);
    EXPECT_THAT(scratch.files(), ElementsAre("v.mp4"));
    const Outcome probe = runShell(
        "ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames,codec_name,r_frame_rate -of "
        "csv=p=0 v.mp4",
        scratch.path());
    EXPECT_EQ(probe.output, "h264,66,38,30/1,3\n");
}

TEST_F(Cli, VideoIsNamedAfterTheScene) {
    expect(wisp("render" + kTiny + " --frames 1"), 0);
    EXPECT_THAT(scratch.files(), ElementsAre("jet.mp4"));
}

TEST_F(Cli, WithoutFfmpegFramesBecomePngs) {
    const Outcome o = wisp("render" + kTiny + " --frames 2 --out v.mp4", "PATH=/nonexistent");
    expect(o, 0);
    EXPECT_THAT(o.errors, AllOf(HasSubstr("ffmpeg cannot be started"), HasSubstr("v/")));
    EXPECT_THAT(scratch.files(), ElementsAre("v/0000.png", "v/0001.png"));
}

TEST_F(Cli, FfmpegThatDiesIsReported) {
    write("ffmpeg", "#!/bin/sh\nexec <&-\necho no encoder >&2\nsleep 0.1\nexit 1\n");
    std::filesystem::permissions(scratch.path() / "ffmpeg", std::filesystem::perms::owner_all);
    const Outcome o = wisp("render jet --set grid.cells=[32,16,16] --size 640x360 --frames 2 --out v.mp4", "PATH=.:$PATH");
    EXPECT_THAT(o.errors, AllOf(HasSubstr("ffmpeg stopped"), HasSubstr("no encoder")));
    EXPECT_THAT(scratch.files(), ElementsAre("ffmpeg", "v/0000.png", "v/0001.png"));
    expect(o, 0);
}

TEST_F(Cli, TwoRunsGiveTheSameBytes) {
    expect(wisp("render" + kTiny + " --frames 3 --out a"), 0);
    expect(wisp("render" + kTiny + " --frames 3 --out b"), 0);
    for (const char* name : {"0000.png", "0001.png", "0002.png"})
        EXPECT_EQ(readFile(scratch.path() / "a" / name), readFile(scratch.path() / "b" / name)) << name;
}

TEST_F(Cli, StatsHaveALineAStep) {
    expect(wisp("render" + kTiny + " --frames 2 --steps-per-frame 2 --out a --stats s.jsonl"), 0);
    std::istringstream lines(readFile(scratch.path() / "s.jsonl"));
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto json = nlohmann::json::parse(line);
        EXPECT_EQ(json.at("step"), ++count);
        EXPECT_NEAR(json.at("time").get<double>(), count / 120.0, 1e-6);
        EXPECT_TRUE(json.at("finite"));
        const auto has = [&](const char* name) {
            return std::ranges::any_of(json.at("passes"), [&](const nlohmann::json& pass) { return pass.at("name") == name; });
        };
        EXPECT_TRUE(has("advect_velocity"));
        EXPECT_EQ(has("raymarch"), count % 2 == 0) << "the picture belongs to the last step of its frame";
        EXPECT_TRUE(has("measure_velocity"));
    }
    EXPECT_EQ(count, 4);
}

TEST_F(Cli, BenchReports) {
    expect(wisp("bench" + kTiny + " --steps 4 --warmup 1 --render --json b.json"), 0);
    const auto json = nlohmann::json::parse(readFile(scratch.path() / "b.json"));
    EXPECT_EQ(json.at("scene"), "jet");
    EXPECT_EQ(json.at("grid"), nlohmann::json({32, 16, 16}));
    EXPECT_EQ(json.at("pressure_grid"), nlohmann::json({16, 8, 8}));
    EXPECT_EQ(json.at("steps"), 4);
    EXPECT_GT(json.at("memory_bytes"), 0);
    EXPECT_GT(json.at("gpu_ms").at("step").at("median"), 0.0);
    EXPECT_GE(json.at("gpu_ms").at("frame").at("p95"), json.at("gpu_ms").at("frame").at("median"));
    EXPECT_FALSE(json.at("passes").empty());
    EXPECT_TRUE(json.at("quality").at("finite"));
    EXPECT_GT(json.at("quality").at("mass"), 0.0);
}

TEST_F(Cli, DryRunReportsTheMemory) {
    const std::string command = "render jet --set grid.cells=[64,32,32] --size 320x180 --frames 1 --out a --log-level debug";
    const Outcome plan = wisp(command + " --dry-run");
    expect(plan, 0);
    EXPECT_THAT(scratch.files(), IsEmpty());
    const Outcome real = wisp(command);
    expect(real, 0);
    const double planned = std::stod(plan.output.substr(plan.output.find("total") + 5));
    const double allocated = std::stod(real.errors.substr(real.errors.find("memory:") + 7));
    EXPECT_NEAR(planned / allocated, 1.0, 0.05);
}

TEST_F(Cli, ColoursTakeMemoryOnlyIfUsed) {
    const auto total = [this](const std::string& sets) {
        const Outcome plan = wisp("render jet --set grid.cells=[64,32,32] --dry-run" + sets);
        expect(plan, 0);
        return std::stod(plan.output.substr(plan.output.find("total") + 5));
    };
    const double without = total("");
    EXPECT_EQ(total(" --set emitter[0].colour=[1,1,1]"), without);
    EXPECT_EQ(total(" --set emitter[0].colour=[1,0.5,1]"), without + 3.0 * 8.0 * 64 * 32 * 32);  // three images of four halves
}

TEST_F(Cli, InfoListsDevices) {
    const Outcome o = wisp("info --json");
    expect(o, 0);
    const auto devices = nlohmann::json::parse(o.output);
    ASSERT_FALSE(devices.empty());
    EXPECT_TRUE(devices[0].contains("refusals"));
    EXPECT_EQ(devices[0]["features"].at("synchronization2"), true);  // a usable device has all features
    EXPECT_THAT(wisp("info").output, HasSubstr("has scalarBlockLayout"));
}

TEST_F(Cli, ListsAndChecksScenes) {
    EXPECT_THAT(wisp("scenes").output, AllOf(HasSubstr("smoke "), HasSubstr("jet "), HasSubstr("plume "), HasSubstr("moving_sphere ")));
    expect(wisp("check smoke"), 0);
    expect(wisp("check plume --quality ultra"), 0);
}

TEST_F(Cli, NamesMayHaveAnyCharacter) {
    write("a.toml",
          "name = \"\xf0\x9f\x94\xa5 \\\" \xc3\xa9\"\n[grid]\ncells = [16, 8, 8]\nsize = [1, 0.5, 0.5]\n[[emitter]]\nradius = 0.1\n");
    const Outcome o = wisp("render a.toml --frames 1 --no-picture --stats s.jsonl");
    expect(o, 0);
    EXPECT_THAT(o.errors, HasSubstr("\xf0\x9f\x94\xa5 \" \xc3\xa9: 16x8x8 cells"));
}

TEST_F(Cli, BadSceneIsUsage) {
    write("bad.toml", "[grid]\ncells = [32, 16, 15]\n[flow]\nvortcity = 1\n");
    for (const char* command : {"check bad.toml", "render bad.toml", "bench bad.toml"}) {
        const Outcome o = wisp(command);
        expect(o, 2);
        EXPECT_THAT(o.errors, AllOf(HasSubstr("bad.toml:2:9: grid.cells: "),
                                    HasSubstr("bad.toml:4:1: flow.vortcity: unknown key; did you mean \"vorticity\"?")));
    }
    EXPECT_THAT(scratch.files(), ElementsAre("bad.toml"));
}

TEST_F(Cli, WrongUsage) {
    const std::pair<std::string, std::string> cases[] = {
        {"", "subcommand"},
        {"render --fames 3", "--fames"},
        {"render --frames 0", "--frames"},
        {"render --fps nan", "--fps: nan is not a number"},
        {"render --size 10", "--size 10: must be WIDTHxHEIGHT"},
        {"render --quality best", "--quality"},
        {"render smok", "did you mean smoke?"},
        {"check missing.toml", "missing.toml: cannot be read: No such file"},
        {"render --set flow.vorticity=x", "--set flow.vorticity=x: flow.vorticity: is the string \"x\", must be a number"},
        {"render --out a.gif", ".gif is not a known file type"},
        {"render --out -", "pictures are files, not standard output"},
        {"render --out a.png", "one file name for 240 images"},
        {"render --out '%s.png'", "% must be followed by 0, one digit and d"},
        {"render --out '%04d%n.png'", "exactly one %"},
        {"render --samples 4", "--samples 4 needs path mode: --set render.mode=path"},
        {"render --set render.mode=path --samples 0", "--samples 0: render.samples: is 0, must be from 1 to 1048576"},
        {"render --set render.mode=path --error -1", "--error -1: render.error: is -1, must be from 0 to 1"},
        {"render --size 0x10", "--size 0x10: render.size: is [0, 10], each must be from 1 to 16384"},
        {"render --every 3", "--every requires --checkpoint"},
        {"render --checkpoint t --every 0", "--every"},
        {"render --resume t", "t: cannot be read: No such file"},
        {"render --resume /", "/: is not a regular file"},
        {"render --resume /dev/zero", "/dev/zero: is not a regular file"},
        {"render --volume t.vdb", "one file name for 240 volumes"},
        {"render --volume %03d.png", ".png is not a known file type. Allowed: a pattern such as out/%04d.vdb, .nvdb or .exr"},
        {"render --volume folder", "--volume folder: the extension is missing"},
        {"render --volume t.nvdb", "one file name for 240 volumes"},
        {"render --volume %d.nvdb", "--volume %d.nvdb: % must be followed by 0, one digit and d"},
        {"render --out a/%02d.exr --volume ./a/../a/%02d.exr", "--out has the same name"},
    };
    for (const auto& [arguments, message] : cases) {
        const Outcome o = wisp(arguments);
        expect(o, 2);
        EXPECT_THAT(o.errors, HasSubstr(message)) << arguments;
    }
    EXPECT_THAT(scratch.files(), IsEmpty());
    expect(wisp("--help"), 0);
    EXPECT_THAT(wisp("--version").output, HasSubstr("wisp "));
}

TEST_F(Cli, NoDevice) {
    expect(wisp("render" + kTiny, "VK_ICD_FILENAMES=/nonexistent VK_DRIVER_FILES=/nonexistent"), 3);
    expect(wisp("info", "VK_ICD_FILENAMES=/nonexistent VK_DRIVER_FILES=/nonexistent"), 3);
    const Outcome o = wisp("render" + kTiny + " --device nosuch");
    expect(o, 3);
    EXPECT_THAT(o.errors, HasSubstr("nosuch"));
    EXPECT_THAT(scratch.files(), IsEmpty());
}

TEST_F(Cli, TooLargeGridSaysWhatWouldFit) {
    for (const char* command : {"render", "bench", "render --dry-run"}) {
        const Outcome o = wisp(command + kHuge);
        expect(o, 4);
        EXPECT_THAT(o.errors, AllOf(HasSubstr("available"), HasSubstr("would fit"))) << command;
        if (command == std::string("bench")) continue;  // a grid that fits a bench may leave no memory for a picture
        const std::size_t at = o.errors.find("--set grid.cells=");
        ASSERT_NE(at, std::string::npos);
        expect(wisp("render jet --dry-run " + o.errors.substr(at, o.errors.find('\n', at) - at)), 0);
    }
    EXPECT_THAT(scratch.files(), IsEmpty());
}

TEST_F(Cli, UnwritableOutput) {
    for (const char* out : {"/proc/x", "/proc/%04d.png", "/proc/x.mp4", "/dev/full"}) {
        const Outcome o = wisp("render" + kTiny + " --frames 1 --out " + out);
        expect(o, 6);
        EXPECT_THAT(o.errors, HasSubstr(out[1] == 'd' ? "/dev/full" : "/proc")) << out;
    }
    expect(wisp("render" + kTiny + " --frames 1 --out a --stats /dev/full"), 6);
    expect(wisp("bench" + kTiny + " --steps 1 --warmup 0 --json /dev/full"), 6);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST_F(Cli, InterruptLeavesWholeFiles) {
    for (const char* delay : {"0.5", "1.0", "1.7", "2.5"}) {
        ScratchFolder fresh;
        // Without --foreground, timeout sends two interrupts. The second one ends the program at once.
        const Outcome o = runShell("timeout --foreground -s INT " + std::string(delay) + " " WISP_BINARY " render" + kTiny +
                                       " --frames 100000 --out v.mp4 --stats s.jsonl; test $? -eq 124",
                                   fresh.path());
        EXPECT_EQ(o.status, 0) << o.errors;
        for (const std::string& name : fresh.files()) {
            EXPECT_THAT(name, testing::AnyOf("v.mp4", "s.jsonl")) << "after " << delay;
            if (name != "v.mp4") continue;
            EXPECT_EQ(runShell("ffmpeg -v error -i v.mp4 -f null -", fresh.path()).errors, "");
        }
    }
}

/// Replaces a shader during the run by one that divides by zero.
TEST_F(Cli, NaNStopsTheRunAndKeepsTheGoodFrames) {
    std::filesystem::copy(sourceFolder() + "/shaders", scratch.path() / "shaders", std::filesystem::copy_options::recursive);
    const Outcome o = runShell(WISP_BINARY " render --quality standard" + kTiny +
                                   " --frames 4000 --out a --watch-shaders shaders & until test -e a/0000.png; do sleep 0.1; done;"
                                   "sed -i 's|toStorage(s)|s * (0.0 / 0.0)|' "
                                   "shaders/smoke/emit_scalars.comp; wait $!",
                               scratch.path());
    expect(o, 7);
    EXPECT_THAT(o.errors, AllOf(HasSubstr("emit_scalars: reloaded"),
                                testing::ContainsRegex("step [0-9]+: density is no longer finite; [0-9]+ good frames")));
    EXPECT_TRUE(std::filesystem::exists(scratch.path() / "a/0000.png"));
}

TEST_F(Cli, SecondInterruptEndsAtOnce) {
    const Outcome o = runShell(WISP_BINARY " render --quality standard" + kTiny +
                                   " --frames 100000 --out a --set pressure.iterations=10000 & sleep 1.5; kill -INT $!; "
                                   "sleep 0.4; kill -INT $!; wait $!",
                               scratch.path());
    expect(o, 130);
}

// HUP: the terminal was closed.
TEST_F(Cli, InterruptExitsWith130) {
    for (const std::string signal : {"INT", "TERM", "HUP"}) {
        const Outcome o = runShell("timeout --preserve-status -s " + signal + " 2 " WISP_BINARY " render --quality standard" + kTiny +
                                       " --frames 100000 --overwrite --out a",
                                   scratch.path());
        expect(o, 130);
        EXPECT_THAT(o.errors, HasSubstr("interrupted"));
        for (const std::string& name : scratch.files())
            EXPECT_TRUE(name.ends_with(".png") && name.find(".tmp") == std::string::npos) << signal << name;
    }
}

// ffmpeg takes "take:" for a protocol, and printf "% o" for a conversion.
TEST_F(Cli, OutputsMayHaveAnyName) {
    for (const std::string name : {"take:1.mp4", "-x.png", "50% off/x.png", "a b/k\xc3\xbchl.png"}) {
        expect(wisp("render" + kTiny + " --frames 1 --out='" + name + "'"), 0);
        EXPECT_TRUE(std::filesystem::is_regular_file(scratch.path() / name)) << name;
    }
}

TEST_F(Cli, NeedsNoHomeAndNoStreams) {
    const Outcome o = runShell(
        "env -u HOME -u XDG_CONFIG_HOME -u XDG_CACHE_HOME " WISP_BINARY " render" + kTiny + " --frames 1 --out x.png <&- >&- 2>&-",
        scratch.path());
    EXPECT_EQ(o.status, 0);
    EXPECT_TRUE(std::filesystem::is_regular_file(scratch.path() / "x.png"));
}

TEST_F(Cli, NohupGoesOn) {
    const Outcome o = runShell("(trap '' HUP; exec " WISP_BINARY " render" + kTiny +
                                   " --frames 30 --out a) & until test -e a/0000.png; do sleep 0.05; done; kill -HUP $!; wait $!",
                               scratch.path());
    expect(o, 0);
    EXPECT_TRUE(std::filesystem::exists(scratch.path() / "a/0029.png"));
}

}  // namespace
}  // namespace wisp::test
