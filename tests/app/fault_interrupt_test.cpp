// SPDX-License-Identifier: MIT
// Interrupts at any point of a render or a benchmark: every file that exists afterwards must be readable.
#include "tests/app/fault_fixture.h"

#include <set>

namespace wisp::test {
namespace {

const std::string kFilm = "render ../tiny.toml --log-level quiet --size 16x16 --steps-per-frame 1 --frames 6 --stats s.jsonl" + kPlain +
                          "--trace t.json --out ";

class FaultInterrupt : public FaultTest {
protected:
    /// Before the program handles the signal, an interrupt ends it by the signal itself. A shell reports this as 130, too.
    void expectInterrupted(const Run& r, const std::string& where) {
        EXPECT_EQ(r.status, 130) << where << "\n" << r.errors;
        expectClean(r);
    }
};

/// In Vulkan calls that are made during the whole run, from the first to the last.
TEST_F(FaultInterrupt, InAnyCallLeavesWholeFiles) {
    std::size_t most = 0;
    for (const char* out : {"a", "x_%02d.exr", "x_%02d.pfm", "v.mp4", "a --volume n_%02d.nvdb"}) {
        const Run whole = run(kFilm + out);
        ASSERT_EQ(whole.status, 0) << whole.errors;
        for (const char* call : {"vkQueueSubmit2", "vkWaitSemaphores"}) {
            const long count = whole.calls.at(call);
            for (const long n : std::set<long>{1, 2, count / 2, count - 2}) {
                const Run r = run(kFilm + out, fault(call, n, "SIGINT"));
                expectInterrupted(r, std::string(out) + ": " + call + " " + std::to_string(n));
                EXPECT_THAT(r.errors, testing::HasSubstr("interrupted; "));
                most = std::max(most, r.files.size());
            }
        }
    }
    EXPECT_GE(most, 4u) << "no run wrote a picture";
}

/// While the device and the simulation are created.
TEST_F(FaultInterrupt, AtTheStartLeavesNothingBehind) {
    for (const char* call :
         {"vkCreateInstance", "vkCreateDevice", "vkAllocateMemory", "vkCreateImage", "vkCreateQueryPool", "vkCreateComputePipelines"})
        for (const long n : {1, 5}) {
            const Run r = run(kFilm + "v.mp4", fault(call, n, "SIGINT"));
            if (r.calls.contains(call) && r.calls.at(call) < n) continue;
            EXPECT_EQ(r.status, 130) << call << " " << n << "\n" << r.errors;
            for (const std::string& name : r.files) expectOpens(name);
        }
}

/// During the calls that write a file.
TEST_F(FaultInterrupt, InAnyCallOnAFileLeavesWholeFiles) {
    if (!std::string_view(WISP_SANITIZER).empty()) GTEST_SKIP() << "a sanitizer must be loaded first";
    const Run whole = run(kFilm + "a", hostFault("none", 1, "0"));
    for (const char* call : {"open", "write", "rename"}) {
        const long count = whole.calls.at(call);
        for (long n = 1; n <= count; n += 2) {
            const Run r = run(kFilm + "a", hostFault(call, n, "SIGINT"));
            EXPECT_TRUE(r.status == 130 || n > count - 4) << call << " " << n << ": " << r.status << "\n"
                                                          << r.errors;  // too late: the run is already complete
            expectClean(r);
        }
    }
}

/// The driver hangs. The first interrupt waits for it, the second does not. Incomplete files are removed.
TEST_F(FaultInterrupt, TheSecondInterruptEndsAtOnce) {
    for (const char* out : {"a", "v.mp4"}) {
        const Run r = run(kFilm + out +
                              " & W=$!; for i in $(seq 600); do grep -q hanging \"$WISP_FAULT_LOG\" && break; sleep 0.05; done; ls -A; "
                              "kill -INT $W; sleep 0.5; kill -0 $W && echo still; kill -INT $W; wait $W",
                          fault("vkWaitSemaphores", 6, "HANG"));
        EXPECT_EQ(r.status, 130) << r.errors;
        EXPECT_THAT(r.output, testing::AllOf(testing::HasSubstr(".s.jsonl.tmp-"), testing::HasSubstr("still")));
        EXPECT_THAT(r.files, testing::Each(testing::StartsWith("a/")));
        for (const std::string& name : r.files) expectOpens(name);
    }
}

TEST_F(FaultInterrupt, InABenchmarkLeavesNoReport) {
    const std::string bench = "bench ../tiny.toml --log-level quiet --steps 3 --warmup 1 --json b.json --csv b.csv --trace t.json";
    const long count = run(bench).calls.at("vkQueueSubmit2");
    for (const long n : {count / 4, count / 2}) {
        const Run r = run(bench, fault("vkQueueSubmit2", n, "SIGINT"));
        expectInterrupted(r, "submit " + std::to_string(n));
    }
}

}  // namespace
}  // namespace wisp::test
