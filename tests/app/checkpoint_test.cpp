// SPDX-License-Identifier: MIT
// Runs that stop and resume, and runs that must be bit-identical.
#include "files/checkpoint/checkpoint_file.h"
#include "tests/app/run_program.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

namespace wisp::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// A scene with every kind of pass in a step, and moving obstacles.
constexpr const char* kBusy = R"(
[grid]
cells = [24, 18, 12]
size = [2.0, 1.5, 1.0]
sides = { y0 = "wall", x1 = "inflow" }
[time]
step = 0.01
[flow]
buoyancy = 0.02
weight = 0.1
vorticity = 0.8
viscosity = 1e-4
detail_decay = 1.2
inflow = [-0.2, 0.0, 0.0]
[[emitter]]
centre = [0.5, 0.25, 0.5]
radius = 0.2
velocity = [0.3, 0.8, 0.0]
turbulence = 0.3
density = 1.0
temperature = 80.0
colour = [0.9, 0.4, 0.2]
[[obstacle]]
centre = [0.7, 0.8, 0.5]
radius = 0.15
velocity = [0.2, 0.0, 0.0]
angular_velocity = [0.0, 1.0, 0.0]
[[obstacle]]
shape = "box"
centre = [1.2, 0.5, 0.5]
half = [0.1, 0.2, 0.1]
angular_velocity = [0.0, 2.0, 1.0]
[[light]]
direction = [-0.5, -1.0, -0.3]
[render]
size = [32, 24]
)";

class Checkpoint : public testing::Test {
protected:
    void SetUp() override { std::ofstream(scratch.path() / "busy.toml") << kBusy; }
    Outcome wisp(const std::string& arguments, const std::string& before = "") {
        return runShell(before + " " WISP_BINARY " " + arguments + " --log-level quiet", scratch.path());
    }
    /// Requires that the run succeeds; returns its output.
    std::string good(const std::string& arguments, const std::string& before = "") {
        const Outcome o = wisp(arguments, before);
        EXPECT_EQ(o.status, 0) << arguments << "\n" << o.output << o.errors;
        return o.output;
    }
    void expectRefused(const std::string& arguments, const std::string& why) {
        const Outcome o = wisp(arguments);
        EXPECT_EQ(o.status, 2) << arguments << "\n" << o.errors;
        EXPECT_THAT(o.errors, HasSubstr(why)) << arguments;
    }
    static std::string numbered(std::uint64_t n) {
        const std::string digits = std::to_string(n);
        return std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits + ".png";
    }
    [[nodiscard]] std::map<std::string, std::string> pictures(const std::string& folder) const {
        std::map<std::string, std::string> bytes;
        for (const auto& entry : fs::directory_iterator(scratch.path() / folder))
            bytes[entry.path().filename().string()] = readFile(entry.path());
        return bytes;
    }
    /// Lines of --stats without the pass times, which differ between runs.
    [[nodiscard]] std::vector<std::string> stats(const std::string& file) const {
        std::vector<std::string> lines;
        std::istringstream in(readFile(scratch.path() / file));
        for (std::string line; std::getline(in, line);) {
            auto json = nlohmann::json::parse(line);
            json.erase("passes");
            lines.push_back(json.dump());
        }
        return lines;
    }
    [[nodiscard]] nlohmann::json head(const std::string& file) const {
        const std::string bytes = readFile(scratch.path() / file);
        return nlohmann::json::parse(bytes.substr(32, bytes.find("\n}\n") + 3 - 32));
    }
    /// `frames` frames in one run give the same files and numbers as a run that stops after frame `stop` and a run that resumes it.
    void expectSame(const std::string& scene, int frames, int stop) {
        const std::string all = scene + " --frames " + std::to_string(frames);
        const std::string hashes = good("render " + all + " --out a --stats a.jsonl --hash");
        good("render " + scene + " --frames " + std::to_string(stop) + " --out b --stats b1.jsonl --checkpoint x");
        EXPECT_EQ(pictures("b").size(), static_cast<std::size_t>(stop));
        EXPECT_EQ(good("render " + all + " --out b --stats b2.jsonl --hash --resume x"), hashes);
        EXPECT_THAT(hashes, HasSubstr("  velocity\n"));
        EXPECT_EQ(pictures("a"), pictures("b"));
        std::vector<std::string> parts = stats("b1.jsonl");
        for (const std::string& line : stats("b2.jsonl")) parts.push_back(line);
        EXPECT_EQ(stats("a.jsonl"), parts);
    }
    ScratchFolder scratch;
};

TEST_F(Checkpoint, ResumeEqualsUninterrupted) { expectSame("busy.toml --steps-per-frame 3 --validate", 6, 4); }

TEST_F(Checkpoint, ResumeEqualsUninterruptedInPathMode) {
    expectSame("busy.toml --steps-per-frame 2 --set render.mode=path --samples 20 --error 0.05", 4, 2);
}

TEST_F(Checkpoint, ResumeEqualsUninterruptedWithTemporalHistory) {
    expectSame("busy.toml --steps-per-frame 2 --set render.temporal=true", 6, 3);
}

TEST_F(Checkpoint, ResumeEqualsUninterruptedWithAView) {
    expectSame("busy.toml --view vorticity --slice z --arrows 4 --size 400x300", 4, 2);
}

TEST_F(Checkpoint, ResumeEqualsUninterruptedAroundAMesh) { expectSame("knot --set grid.cells=[32,16,16] --size 32x24", 4, 2); }

// More tracers than one readback of the state holds.
TEST_F(Checkpoint, ResumeEqualsUninterruptedWithManyTracers) {
    expectSame("wind --set grid.cells=[16,8,16] --set tracers.count=300001 --set grass.count=100 --size 32x24", 3, 2);
}

// The grid in a checkpoint is the one that ran. The quality level does not scale it again.
TEST_F(Checkpoint, ResumeDoesNotScaleTheGridAgain) {
    const std::string preview = kPlain + "--steps-per-frame 2 --quality preview --hash --frames ";
    const std::string hashes = good("render busy.toml --out a" + preview + "2");
    good("render busy.toml --out b --checkpoint x" + preview + "1");
    EXPECT_EQ(good("render --resume x --out b" + preview + "2"), hashes) << "with --quality";
    EXPECT_EQ(good("render --resume x --out c --steps-per-frame 2 --hash --frames 2" + kPlain), hashes) << "without --quality";
    EXPECT_EQ(good("render busy.toml --resume x --out d" + preview + "2"), hashes) << "a given scene is scaled";
    expectRefused("render busy.toml --resume x --out e --frames 2", "grid.cells");
}

// Checkpoints in the middle of a frame. The run resumes without the scene file, from another folder, with other file names.
TEST_F(Checkpoint, IsWrittenEveryNSteps) {
    const Outcome o = runShell("(ulimit -t 100; exec " WISP_BINARY
                               " render busy.toml --frames 100000 --steps-per-frame 5 --out b --checkpoint x --every 7 --log-level quiet" +
                                   kPlain +
                                   ") & "
                                   "until test -e x; do sleep 0.02; done; cp x x7; kill -9 $!; wait $!; true",
                               scratch.path());
    ASSERT_EQ(o.status, 0) << o.errors;
    const auto table = head("x7");
    const auto steps = table.at("run").at("steps").get<std::uint64_t>();
    EXPECT_EQ(steps % 7, 0u);
    EXPECT_EQ(table.at("pictures"), steps / 5);
    EXPECT_EQ(table.at("steps_since_picture"), steps % 5);
    const auto before = pictures("b");
    for (std::uint64_t n = 0; n < steps / 5; ++n)
        EXPECT_TRUE(before.contains(numbered(n))) << "the frames must be written before the checkpoint";
    const std::string frames = kPlain + "--steps-per-frame 5 --frames " + std::to_string(steps / 5 + 2);
    good("render busy.toml --out a" + frames);
    fs::create_directory(scratch.path() / "elsewhere");
    const Outcome rest = runShell(WISP_BINARY " render --resume ../x7 --out c" + frames, scratch.path() / "elsewhere");
    EXPECT_EQ(rest.status, 0) << rest.errors;
    const auto all = pictures("a"), later = pictures("elsewhere/c");
    EXPECT_EQ(later.size(), 2u);
    for (const auto& [name, bytes] : later) EXPECT_EQ(bytes, all.at(name)) << name;
}

// As when a batch system stops a job repeatedly. The program handles an interrupt at the end of a frame or of some samples, so each run
// makes progress. On a busy machine the first interrupts may come before the program handles them, and the times become longer.
TEST_F(Checkpoint, InterruptsLoseNothing) {
    for (const std::string& scene :
         {"busy.toml --steps-per-frame 2" + kPlain, std::string("busy.toml --steps-per-frame 2 --set render.mode=path --samples 100")}) {
        ScratchFolder fresh;
        std::ofstream(fresh.path() / "busy.toml") << kBusy;
        const std::string render = WISP_BINARY " render " + scene + " --frames 5 --out ";
        const Outcome whole = runShell(render + "a --log-level quiet", fresh.path());
        ASSERT_EQ(whole.status, 0) << whole.errors;
        const Outcome o = runShell(
            "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do if test -e x; then from='--resume x'; else from=; fi; "
            "tenths=$(((i * 137 % 7 + 3) * (i / 4 + 1) * " +
                std::to_string(kPatience) + ")); timeout --preserve-status -s INT $((tenths / 10)).$((tenths % 10)) " + render +
                "b --checkpoint x $from; s=$?; "
                "test $s = 0 && break; test $s = 130 || exit $s; done; " +
                render + "b --resume x --checkpoint x",
            fresh.path());
        EXPECT_EQ(o.status, 0) << o.output << o.errors;
        EXPECT_EQ(runShell("diff -r a b", fresh.path()).status, 0) << scene << o.errors;
    }
}

TEST_F(Checkpoint, KeysOfTheStateMustNotChange) {
    good("render busy.toml --frames 2 --out a --checkpoint x" + kPlain);
    for (const auto& [change, why] : std::map<std::string, std::string>{
             {"--set grid.cells=[48,36,24]", "x: grid.cells is [24, 18, 12] in the checkpoint and [48, 36, 24] in the scene"},
             {"--quality high", "grid.cells is [24, 18, 12] in the checkpoint"},
             {"--set grid.pressure_ratio=4", "grid.pressure_ratio is 2 in the checkpoint and 4 in the scene"},
             {"--set grid.precision=float", "grid.precision is \"half\" in the checkpoint and \"float\" in the scene"},
             {"--set grid.scalar_ratio=2", "grid.scalar_ratio"},
             {"--frames 1", "--frames 1: must be at least 2, the number of frames before the checkpoint x"}}) {
        // Without a scene file the grid is that of the checkpoint at any level: see ResumeDoesNotScaleTheGridAgain.
        if (change != "--quality high") expectRefused("render --frames 3 --out b --resume x " + change, why);
        if (change != "--frames 1") expectRefused("render busy.toml --frames 3 --out b --resume x " + change, why);
    }
    expectRefused("render jet --frames 3 --out b --resume x", "x: grid.cells is");
    EXPECT_FALSE(fs::exists(scratch.path() / "b"));
    // All of them in two runs: a key that must not change would be named.
    for (const char* changes :
         {"--size 20x10 --set render.mode=path --samples 2 --set camera.fov=50 --set light[0].intensity=2 --set flow.vorticity=0.2 "
          "--set time.step=0.005",
          "--set obstacle[0].centre=[0.8,0.2,0.5] --set obstacle[0].velocity=[0,0.4,0] --fps 24 --set flow.inflow=[0.5,0,0] "
          "--set grid.sides.y1=wall --set pressure.iterations=4 --view speed"}) {
        good("render --frames 3 --out c --validate --resume x " + std::string(changes));
        EXPECT_EQ(pictures("c").size(), 1u) << changes;
        fs::remove_all(scratch.path() / "c");
    }
}

// Nothing can be appended to a video or to a file of statistics.
TEST_F(Checkpoint, EarlierFilesAreNotOverwritten) {
    good("render busy.toml --frames 1 --out a.mp4 --stats s --checkpoint x" + kPlain);
    const std::string video = readFile(scratch.path() / "a.mp4"), numbers = readFile(scratch.path() / "s");
    expectRefused("render --frames 2 --out a.mp4 --resume x", "a.mp4: exists already, and the run resumes at frame 1");
    expectRefused("render --frames 2 --out b.mp4 --stats s --resume x", "s: exists already");
    EXPECT_EQ(readFile(scratch.path() / "a.mp4"), video);
    EXPECT_EQ(readFile(scratch.path() / "s"), numbers);
    good("render --frames 2 --out b.mp4 --stats s2 --resume x --checkpoint x" + kPlain);
    good("render --frames 2 --out b --resume x" + kPlain);  // no frame is left to render
}

TEST_F(Checkpoint, DamagedCheckpointsAreRejected) {
    good("render busy.toml --frames 1 --out a --checkpoint x" + kPlain);
    const std::string whole = readFile(scratch.path() / "x");
    const auto put = [&](const std::string& bytes) { std::ofstream(scratch.path() / "y", std::ios::binary) << bytes; };
    std::string bad = whole;
    bad[whole.size() - 100] ^= 1;  // pressure is the last field
    put(bad);
    expectRefused("render --frames 2 --out b --resume y", "y: is damaged: block 0 of pressure");
    put(whole.substr(0, whole.size() - 1));
    expectRefused("render --frames 2 --out b --resume y", "y: is truncated: it ends in the hash of pressure");
    put("nothing of this kind, but longer than the first bytes");
    expectRefused("render --frames 2 --out b --resume y", "y: is not a wisp checkpoint");
    expectRefused("run --resume y", "y: is not a wisp checkpoint");
}

// All hashes are correct, but the contents do not match the scene.
TEST_F(Checkpoint, InconsistentCheckpointsAreRejected) {
    good("render busy.toml --frames 1 --out a --checkpoint x" + kPlain);
    CheckpointFile whole(scratch.path() / "x");
    const auto forge = [&](const std::function<void(CheckpointHeader&)>& change) {
        CheckpointHeader head = whole.head();
        change(head);
        writeCheckpoint(scratch.path() / "y", head,
                        [](std::size_t, std::uint64_t, std::span<std::byte> into) { std::ranges::fill(into, std::byte{0}); });
    };
    const auto named = [](CheckpointHeader& head, const std::string& name) {
        return std::ranges::find(head.fields, name, &StoredField::name);
    };
    const std::pair<std::function<void(CheckpointHeader&)>, const char*> forgeries[] = {
        {[&](auto& head) { named(head, "velocity")->name = "speed"; }, "y: has no field \"velocity\", which its scene needs"},
        {[&](auto& head) { named(head, "velocity")->size.x += 1; }, "y: its fields do not match its scene"},
        {[&](auto& head) { std::swap(head.fields[0], head.fields[1]); }, "y: its fields do not match its scene"},
        {[&](auto& head) {
             head.fields.push_back({"more", {1, 1, 1}, head.fields[0].format});
         },
         "y: its fields do not match its scene"},
        {[&](auto& head) { head.run.overrides[99] = {}; },
         "y: it contains the motion of a dragged obstacle that does not exist in its scene"},
        {[&](auto& head) { head.scene += "nonsense"; }, "y:"},
    };
    for (const auto& [change, why] : forgeries) {
        forge(change);
        expectRefused("render --frames 2 --out b --resume y", why);
    }
    forge([](auto&) {});
    good("render --frames 2 --out b --resume y" + kPlain);
    forge([&](auto& head) { head.fields.erase(named(head, "crossed mass")); });  // as files of older versions
    good("render --frames 2 --out b --resume y" + kPlain);
}

// The frames of the first run had more steps than those of the resumed run. So a picture is overdue and must be rendered at once.
TEST_F(Checkpoint, AnOverduePictureIsRenderedAtOnce) {
    good("render busy.toml --steps-per-frame 2 --frames 1 --out a --checkpoint x" + kPlain);
    CheckpointFile whole(scratch.path() / "x");
    std::vector<std::vector<std::byte>> fields(whole.head().fields.size());
    whole.read([&](std::size_t field, std::uint64_t, std::span<const std::byte> bytes) {
        fields[field].insert(fields[field].end(), bytes.begin(), bytes.end());
    });
    CheckpointHeader head = whole.head();
    head.stepsSincePicture = 5;
    writeCheckpoint(scratch.path() / "y", head, [&](std::size_t field, std::uint64_t offset, std::span<std::byte> into) {
        std::copy_n(fields[field].begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
    });
    good("render --steps-per-frame 2 --frames 2 --out b --resume y" + kPlain);
    EXPECT_EQ(pictures("b").at("0001.png"), pictures("a").at("0000.png")) << "the picture must show the same smoke";
}

// The stored history of temporal accumulation has another size, so accumulation restarts.
TEST_F(Checkpoint, TemporalHistoryOfAnotherSizeIsIgnored) {
    good("render busy.toml --frames 2 --out a --checkpoint x --set render.temporal=true");
    good("render --frames 3 --out b --validate --resume x --size 20x10");
    EXPECT_EQ(pictures("b").size(), 1u);
}

TEST_F(Checkpoint, AMeshThatHasChangedIsRefused) {
    const std::string cube =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
        "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    fs::create_directory(scratch.path() / "meshes");
    std::ofstream(scratch.path() / "meshes/cube.obj") << cube;
    std::ofstream(scratch.path() / "mesh.toml") << "[grid]\ncells = [16, 16, 16]\nsize = [1, 1, 1]\n[[obstacle]]\nshape = \"mesh\"\nfile = "
                                                   "\"meshes/cube.obj\"\nsize = 0.3\ncentre = [0.5, 0.5, 0.5]\n";
    good("render mesh.toml --frames 1 --size 16x16 --out a --checkpoint x" + kPlain);
    good("render --frames 2 --out a --resume x" + kPlain);
    std::ofstream(scratch.path() / "meshes/cube.obj")
        << "v 9 9 9\n"
        << cube.substr(0, cube.find("f ")) << "f 5 4 3 2\nf 6 7 8 9\nf 2 3 7 6\nf 3 4 8 7\nf 4 5 9 8\nf 5 2 6 9\n";
    expectRefused("render --frames 2 --out a --resume x", "x: its mesh files have changed");
    fs::remove(scratch.path() / "meshes/cube.obj");
    expectRefused("render --frames 2 --out a --resume x", "meshes/cube.obj");
}

TEST_F(Checkpoint, AnUnwritableCheckpointIsAnError) {
    const Outcome folder = wisp("render busy.toml --frames 1 --out a --checkpoint /proc/x" + kPlain);
    EXPECT_EQ(folder.status, 6) << folder.errors;
    EXPECT_FALSE(fs::exists(scratch.path() / "a/0000.png")) << "the error must be found before the first frame";
    const Outcome full = wisp("render busy.toml --frames 2 --out a --checkpoint /dev/full --every 1" + kPlain);
    EXPECT_EQ(full.status, 6);
    EXPECT_THAT(full.errors, HasSubstr("/dev/full: cannot be written: No space left on device"));
}

// The disk fills up during the run. The last checkpoint and all frames before it must be complete.
TEST_F(Checkpoint, AFullDiskKeepsThePreviousCheckpoint) {
    const std::string unshare = mountsOfItsOwn();
    if (unshare.empty()) {
        ASSERT_FALSE(everythingRequired()) << "no file system may be mounted here";
        GTEST_SKIP() << "no file system may be mounted here";
    }
    const Outcome o = runShell(unshare +
                                   " sh -c 'mkdir small && mount -t tmpfs -o size=1m none small && " WISP_BINARY
                                   " render busy.toml --frames 3 --out small/a --checkpoint small/x --log-level quiet" +
                                   kPlain +
                                   "; echo $? > "
                                   "first; cp small/x whole; head -c 1m /dev/zero > small/fill; " WISP_BINARY
                                   " render busy.toml --frames 6 --out b --checkpoint small/x --resume small/x --log-level quiet" +
                                   kPlain +
                                   "; "
                                   "echo $? > second; cp small/x after; ls -A small > files'",
                               scratch.path());
    EXPECT_EQ(readFile(scratch.path() / "first"), "0\n") << o.errors;
    EXPECT_EQ(readFile(scratch.path() / "second"), "6\n") << o.errors;
    EXPECT_THAT(o.errors, HasSubstr("small/x: cannot be written: No space left on device"));
    EXPECT_GT(readFile(scratch.path() / "whole").size(), 1000u);
    EXPECT_EQ(readFile(scratch.path() / "whole"), readFile(scratch.path() / "after"));
    EXPECT_EQ(readFile(scratch.path() / "files"), "a\nfill\nx\n") << "a temporary file was left";
    EXPECT_EQ(pictures("b").size(), 3u) << "complete frames must stay";
}

class Hashes : public Checkpoint {};

// With the same binary, driver, device and seed the result is bit-identical for any distribution of the work over threads and vector lanes.
TEST_F(Hashes, AreTheSameHoweverItRuns) {
    const std::string busy = "render busy.toml --steps-per-frame 100 --set grid.cells=[16,12,8]",
                      render = busy + " --frames 2 --hash --overwrite --out ";
    const std::string hashes = good(render + "a");
    EXPECT_THAT(hashes, AllOf(HasSubstr("  velocity\n"), HasSubstr("  scalars\n"), HasSubstr("  colours\n"),
                              HasSubstr("  centre velocity\n"), HasSubstr("  pressure\n")));
    for (const char* environment : {"", "LP_NUM_THREADS=1", "LP_NUM_THREADS=2", "LP_NATIVE_VECTOR_WIDTH=128", "LP_NATIVE_VECTOR_WIDTH=256",
                                    "LP_NATIVE_VECTOR_WIDTH=512"}) {
        EXPECT_EQ(good(render + "b", environment), hashes) << environment;
        EXPECT_EQ(pictures("b"), pictures("a")) << environment;
    }
    EXPECT_EQ(good(render + "b --validate"), hashes);
    EXPECT_EQ(good(render + "b --stats s.jsonl --trace t.json"), hashes);
    good(busy + " --frames 1 --out c --checkpoint x");
    EXPECT_EQ(good(render + "c --resume x"), hashes);
    EXPECT_EQ(pictures("c"), pictures("a"));
    EXPECT_NE(good(render + "d --seed 2"), hashes) << "another seed must change the hash";
}

}  // namespace
}  // namespace wisp::test
