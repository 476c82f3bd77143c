// SPDX-License-Identifier: MIT
// Faults of the host: no memory, no threads, a full disk, failing calls on files, an encoder that dies.
#include "tests/app/fault_fixture.h"

#include <algorithm>
#include <cerrno>
#include <fstream>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kShaded = "render ../tiny.toml --log-level quiet --size 16x16 --steps-per-frame 1";
const std::string kTiny = kShaded + kPlain;
const std::string kFiles = " --frames 2 --out a --stats s.jsonl --trace t.json";
const std::string kEverything = kTiny + kFiles;

class FaultHost : public FaultTest {
protected:
    void SetUp() override {
        if (!std::string_view(WISP_SANITIZER).empty()) GTEST_SKIP() << "a sanitizer replaces the allocator and must be loaded first";
        ASSERT_EQ(run(kEverything).status, 0);  // the caches are filled from here on; they are files, too
    }
};

/// Every large allocation fails once; of the small ones an ever smaller part.
TEST_F(FaultHost, EveryAllocationMayFail) {
    const std::string nothing = hostFault("none", 1, "0");
    const std::string shaded = kShaded + kFiles;
    const Run whole = run(shaded, nothing);
    ASSERT_GT(whole.calls.at("new"), 10000);
    ASSERT_GT(whole.calls.at("large"), 20) << "the program alone makes none of them: the faults do not reach the library";
    std::vector<std::pair<std::string, long>> places;
    for (long n = 1; n <= whole.calls.at("large"); n += 1 + n / 12) places.emplace_back("large", n);
    for (long n = 1; n <= whole.calls.at("new"); n += 1 + n / 2) places.emplace_back("new", n);
    for (const auto& [call, n] : places) {
        const Run r = run(shaded, hostFault(call, n, "0"));
        if (r.calls.contains(call) && r.calls.at(call) < n) continue;  // the number of calls varies with the scheduling of threads
        // Destructors after the last complete file continue without the memory; no result is lost.
        if (r.status == 0) {
            EXPECT_EQ(r.files, whole.files) << call << " " << n;
            EXPECT_GT(n, whole.calls.at(call) * 95 / 100) << call;
        } else {
            EXPECT_EQ(r.status, 4) << call << " " << n << "\n" << r.errors;
            EXPECT_THAT(r.errors, HasSubstr("the host is out of memory")) << call << " " << n;
        }
        expectClean(r);
    }
}

/// If threads for frames, progress or a codec do not start, the run continues with fewer or reports an error.
TEST_F(FaultHost, ThreadsMayNotStart) {
    const std::string loud = "render ../tiny.toml --size 16x16 --steps-per-frame 1 --frames 2 --out a" + kPlain;
    const long all = run(loud, hostFault("none", 1, "0")).calls.at("thread");
    for (long n = 1; n <= all; ++n) {
        const Run r = run(loud, hostFault("thread", n, std::to_string(EAGAIN)));
        EXPECT_TRUE(r.status == 0 || r.status == 4) << n << ": " << r.status << "\n" << r.errors;
        expectClean(r);
    }
    const Run none = run(loud, hostFault("thread", 1, std::to_string(EAGAIN), true));
    EXPECT_EQ(none.status, 4) << none.errors;
    EXPECT_THAT(none.errors, HasSubstr("no thread could be started to encode frames"));
    EXPECT_THAT(none.files, IsEmpty());
}

/// Each call on each output file of each format fails once.
TEST_F(FaultHost, EveryCallOnAFileMayFail) {
    for (const char* out : {"a", "x_%02d.exr", "x_%02d.pfm", "v.mp4"}) {
        const bool all = out == std::string("a");  // statistics and trace only once
        const std::string command = all ? kEverything : kTiny + " --frames 2 --out " + out;
        const Run whole = run(command, hostFault("none", 1, "0"));
        for (const char* call : {"open", "write", "close", "rename"}) {
            const long count = whole.calls.at(call);
            // The first file that is closed is the empty one that tests whether the output can be created.
            const bool probed = call == std::string("close") && out != std::string("v.mp4");
            for (long n = probed ? 2 : 1; n <= count; ++n) {
                const Run r = run(command, hostFault(call, n, std::to_string(ENOSPC)));
                EXPECT_EQ(r.status, 6) << out << ": " << call << " " << n << "\n" << r.errors;
                EXPECT_THAT(r.errors, HasSubstr("No space left on device")) << out << ": " << call << " " << n;
                EXPECT_LT(r.files.size(), whole.files.size()) << out << ": " << call << " " << n;
                expectClean(r);
            }
        }
    }
}

/// Volumes are encoded by separate threads and a library.
TEST_F(FaultHost, VolumesMayFail) {
    for (const char* kind : {"vdb", "nvdb", "exr"}) {
        const std::string command = kTiny + " --frames 2 --out a --volume v_%02d." + kind;
        const Run whole = run(command, hostFault("none", 1, "0"));
        ASSERT_EQ(whole.files.size(), 4u);
        for (const std::string call : {"large", "new", "write", "rename", "thread"}) {
            // A library of OpenVDB ends the program if it cannot start its threads when it is loaded, before the first frame.
            if (kind == std::string("vdb") && call == "thread") continue;
            const bool memory = call == "large" || call == "new";
            const long count = whole.calls.at(call);
            // The allocations of volumes are in the second half.
            for (long n = memory ? count / 2 : 1; n <= count; n += memory ? 1 + count / 40 : 1) {
                const Run r = run(command, hostFault(call, n, memory ? "0" : std::to_string(ENOSPC)));
                const std::string where = std::string(kind) + ": " + call + " " + std::to_string(n) + "\n" + r.errors;
                if (call == "write" || call == "rename") EXPECT_EQ(r.status, 6) << where;
                else EXPECT_TRUE(r.status == 4 || r.status == 0) << where;
                expectClean(r);
            }
        }
    }
}

/// A cache that could not be written further is whole as far as it goes, and the same command goes on.
TEST_F(FaultHost, ACacheGoesOnAfterAFullDisk) {
    const std::string sim = "sim ../tiny.toml --log-level quiet --steps-per-frame 1 --frames 1 --every 1 --cache c";
    const Run whole = run(sim, hostFault("none", 1, "0"));
    ASSERT_EQ(whole.status, 0) << whole.errors;
    EXPECT_THAT(whole.files,
                ElementsAre("c/.lock", "c/checkpoints/0000.wisp", "c/checkpoints/0001.wisp", "c/manifest.json", "c/scene.toml"));
    const std::string again = " || { FIRST=$?; " WISP_BINARY " " + sim + " && exit $FIRST; }";
    for (const char* call : {"open", "write", "close", "rename"}) {
        const long count = whole.calls.at(call);
        EXPECT_GE(count, call == std::string("rename") ? 4 : 3) << call;
        // The first file that is opened is the lock, which no run closes before its end; the first of the checkpoints is an empty one, too.
        for (long n = 1; n <= count; n += 1 + n / 6) {
            const Run r = run(sim + again, hostFault(call, n, std::to_string(ENOSPC)));
            EXPECT_EQ(r.files, whole.files) << call << " " << n << "\n" << r.errors;
            if (r.status == 0 && call == std::string("close")) continue;  // of an empty file, or of the lock
            EXPECT_EQ(r.status, 6) << call << " " << n << "\n" << r.errors;
            EXPECT_THAT(r.errors, HasSubstr("No space left on device")) << call << " " << n;
        }
    }
}

TEST_F(FaultHost, ReportsMayFindAFullDisk) {
    const std::string bench = "bench ../tiny.toml --log-level quiet --steps 1 --warmup 0 --json b.json --csv b.csv --trace t.json";
    // The fault number 0 never happens. Unlike with "none", allocations are not counted: a benchmark makes millions.
    const Run whole = run(bench, hostFault("open", 0, "0"));
    for (const char* call : {"open", "write", "close"})
        for (long n = 1; n <= whole.calls.at(call); ++n) {
            const Run r = run(bench, hostFault(call, n, std::to_string(ENOSPC)));
            EXPECT_EQ(r.status, 6) << call << " " << n << "\n" << r.errors;
            EXPECT_THAT(r.errors, HasSubstr("No space left on device"));
            expectClean(r);
        }
}

class FaultDisk : public FaultTest {};

/// A limit on file sizes acts like a full disk, also for the encoder.
TEST_F(FaultDisk, AnEncoderWithoutDiskSpaceIsReported) {
    const std::string film = kTiny + " --size 64x64 --frames 80 --out v.mp4";
    run(film);
    const auto size = static_cast<long>(std::filesystem::file_size(path("v.mp4")));
    ASSERT_GT(size, 4000);
    for (const long limit : {600l, 2000l, size / 2, size - 1}) {  // during the video, and in its index at the end
        const Run r = run(film, "prlimit --fsize=" + std::to_string(limit));
        EXPECT_EQ(r.status, 6) << limit << "\n" << r.errors;
        EXPECT_THAT(r.errors, AllOf(HasSubstr("v.mp4: "), HasSubstr("ffmpeg"), HasSubstr("File too large"))) << limit;
        EXPECT_THAT(r.files, IsEmpty());
    }
}

/// A separate file system that is full.
TEST_F(FaultDisk, AFullFileSystemIsAnError) {
    const std::string unshare = mountsOfItsOwn();
    if (unshare.empty()) {
        ASSERT_FALSE(everythingRequired()) << "no file system may be mounted here";
        GTEST_SKIP() << "no file system may be mounted here";
    }
    for (const std::string out : {"/mnt/a", "/mnt/%03d.exr", "/mnt/%03d.pfm", "/mnt/v.mp4"}) {
        const Run r = run(
            "", unshare +
                    " sh -c 'mount -t tmpfs -o size=4k none /mnt && \"$@\"; s=$?; find /mnt -name \".*\"; exit $s' wisp " WISP_BINARY " " +
                    kTiny + " --size 320x320 --frames 90 --out " + out + " # ");
        EXPECT_EQ(r.status, 6) << out << "\n" << r.errors;
        EXPECT_THAT(r.errors, HasSubstr("No space left on device")) << out;
        EXPECT_EQ(r.output, "") << "temporary files were left";
    }
}

/// stdout is a result like a file, so a failure is an error. A failure of stderr is ignored.
TEST_F(FaultDisk, StdoutMayBeFull) {
    for (const char* command : {"info", "scenes", "check smoke", "render ../tiny.toml --dry-run"})
        EXPECT_EQ(run(std::string(command) + " > /dev/full").status, 6) << command;
    const Run r = run("render ../tiny.toml --size 16x16 --frames 1 --steps-per-frame 1 --out a 2> /dev/full");
    EXPECT_EQ(r.status, 0);
    EXPECT_THAT(r.files, ElementsAre("a/0000.png"));
    EXPECT_EQ(run("check nosuch.toml 2> /dev/full").status, 2);
}

class FaultEncoder : public FaultTest {
protected:
    /// Renders a video with `script` as ffmpeg.
    Run film(const std::string& script, int frames) {
        std::ofstream(scratch_.path() / "ffmpeg") << "#!/bin/sh\n" << script;
        std::filesystem::permissions(scratch_.path() / "ffmpeg", std::filesystem::perms::owner_all);
        return run(kTiny + " --size 64x64 --frames " + std::to_string(frames) + " --out v.mp4", "PATH=..:$PATH");
    }
};

TEST_F(FaultEncoder, DyingDuringTheVideoLosesItsFrames) {
    const Run r = film("head -c 163840 >/dev/null\necho lost the plot >&2\nexit 1\n", 60);  // the size of ten pictures
    EXPECT_EQ(r.status, 6) << r.errors;
    EXPECT_THAT(r.errors, AllOf(HasSubstr("ffmpeg stopped (lost the plot): frame "), HasSubstr("frames 0 to "),
                                HasSubstr("were lost when ffmpeg stopped")));
    ASSERT_THAT(r.files, testing::Contains("v/0059.png"));
    EXPECT_THAT(r.files, testing::Each(testing::StartsWith("v/")));
    expectClean(r);
}

TEST_F(FaultEncoder, FailingAtTheEndIsReported) {
    const Run r = film("cat >/dev/null\necho the end is nigh >&2\nexit 1\n", 3);
    EXPECT_EQ(r.status, 6) << r.errors;
    EXPECT_THAT(r.errors, HasSubstr("v.mp4: ffmpeg failed: the end is nigh"));
    EXPECT_THAT(r.files, IsEmpty());
}

TEST_F(FaultEncoder, KilledAtTheEndIsReported) {
    const Run r = film("cat >/dev/null\nkill -9 $$\n", 3);
    EXPECT_EQ(r.status, 6) << r.errors;
    EXPECT_THAT(r.files, IsEmpty());
}

}  // namespace
}  // namespace wisp::test
