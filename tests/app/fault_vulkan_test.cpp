// SPDX-License-Identifier: MIT
// Faults of the driver: out of memory, a lost device, no device, devices without a required feature. Each fault is injected at every call
// that can return it, until a run makes fewer calls and so succeeds.
#include "tests/app/fault_fixture.h"

#include <algorithm>
#include <set>

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

constexpr const char* kOutOfHostMemory = "-1";
constexpr const char* kOutOfDeviceMemory = "-2";
constexpr const char* kInitializationFailed = "-3";

const std::string kRender =
    "render ../tiny.toml --log-level quiet --size 16x16 --frames 2 --steps-per-frame 1 --out a --stats s.jsonl --trace t.json";

using FaultMemory = FaultTest;

/// Out of device memory at every allocation.
TEST_F(FaultMemory, EveryFailedAllocationReportsTheMemory) {
    const long all = run(kRender).calls["vkAllocateMemory"];
    ASSERT_GT(all, 20);
    bool fitting = false;
    for (long n = 1; n <= all; ++n) {
        const Run r = run(kRender, fault("vkAllocateMemory", n, kOutOfDeviceMemory));
        ASSERT_EQ(r.status, 4) << "allocation " << n << "\n" << r.errors;
        EXPECT_THAT(r.errors, AllOf(HasSubstr(": needs "), HasSubstr("MiB seemed to be available"),
                                    HasSubstr("the driver refused: VK_ERROR_OUT_OF_DEVICE_MEMORY"), HasSubstr("were in use"),
                                    HasSubstr("the run needs ")))
            << n;
        fitting = fitting || r.errors.find("would fit into the memory that was in use: --set grid.cells=[") != std::string::npos;
        EXPECT_THAT(r.files, testing::Each(AnyOf("s.jsonl", "t.json"))) << n;
        expectClean(r);
    }
    EXPECT_TRUE(fitting);
}

/// All allocations fail from one call on, as on a full device.
TEST_F(FaultMemory, ADeviceThatStaysFullLeavesNoObjects) {
    for (const long n : {1, 2, 10, 30}) {
        const Run r = run(kRender + " --validate", fault("vkAllocateMemory", n, kOutOfDeviceMemory, true));
        EXPECT_EQ(r.status, 4) << r.errors;
        expectClean(r);
    }
}

/// Out of host memory in every kind of call: the first, one in the middle and the last of each.
TEST_F(FaultMemory, EveryCallMayRunOutOfHostMemory) {
    const Run whole = run(kRender);
    ASSERT_EQ(whole.status, 0) << whole.errors;
    // If an object name, the pipeline cache or the calibration of the GPU clock fails, the run continues.
    const std::set<std::string> survived{"vkSetDebugUtilsObjectNameEXT", "vkCreatePipelineCache", "vkGetPipelineCacheData"};
    for (const auto& [call, count] : whole.calls) {
        if (!call.starts_with("vk")) continue;
        const std::set<long> places{1, (count + 1) / 2, count};
        for (const long n : places) {
            const Run r = run(kRender, fault(call, n, kOutOfHostMemory));
            // The last calls are in destructors, which cannot report errors.
            const bool leaving = call == "vkDeviceWaitIdle" || call == "vkQueueWaitIdle" ||
                                 ((call == "vkGetSemaphoreCounterValue" || call == "vkWaitSemaphores") && n == count);
            EXPECT_EQ(r.status, survived.contains(call) || leaving ? 0 : 4) << call << " " << n << "\n" << r.errors;
            if (r.status == 4) {
                EXPECT_THAT(r.errors, HasSubstr("VK_ERROR_OUT_OF_HOST_MEMORY")) << call << " " << n;
            }
            expectClean(r);
        }
    }
}

using FaultLost = FaultTest;

/// The device is lost at each submit, wait and query.
TEST_F(FaultLost, NamesTheLastPassAndKeepsWhatWasWritten) {
    const std::string film = "render ../tiny.toml --log-level quiet --size 16x16 --frames 4 --steps-per-frame 1 --out a --stats s.jsonl" +
                             kPlain + "--trace t.json";
    const Run whole = run(film);
    ASSERT_EQ(whole.status, 0) << whole.errors;
    std::vector<std::string> pictures;
    for (const std::string& name : whole.files)
        if (name.starts_with("a/")) pictures.push_back(readFile(path(name)));
    std::size_t written = 0;
    for (const std::string call : {"vkQueueSubmit2", "vkWaitSemaphores", "vkGetSemaphoreCounterValue", "vkGetQueryPoolResults"}) {
        // The last calls are in the destructors of renderer, simulation and device, which cannot report errors: all is written.
        const long ends = call == "vkGetSemaphoreCounterValue" ? 3 : call == "vkWaitSemaphores" ? 1 : 0;
        const long count = whole.calls.at(call), most = count - ends;
        for (long n = 1; n <= count; n += most > 8 ? 3 : 1) {
            const Run r = run(film, fault(call, n, kDeviceLost));
            ASSERT_EQ(r.status, n > most ? 0 : 5) << call << " " << n << "\n" << r.errors;
            const bool early = n == 1 && ends > 0;  // before the first pass
            if (n <= most) {
                EXPECT_THAT(r.errors, AllOf(HasSubstr("VK_ERROR_DEVICE_LOST: the device was lost; "),
                                            HasSubstr(early ? "no pass was recorded" : "the last pass recorded was ")))
                    << call << " " << n;
            }
            expectClean(r);
            std::size_t frames = 0;
            for (const std::string& name : r.files) {
                if (!name.starts_with("a/")) continue;
                EXPECT_EQ(readFile(path(name)), pictures.at(frames++)) << name << " of " << call << " " << n;  // in order and equal
            }
            EXPECT_GE(frames, n > most ? pictures.size() : 0) << call << " " << n;
            written = std::max(written, frames);
        }
    }
    EXPECT_GE(written, 2u) << "no run wrote a picture";
}

TEST_F(FaultLost, VideosHoldTheFramesThatWereDone) {
    const Run whole = run("render ../tiny.toml --log-level quiet --size 16x16 --frames 8 --steps-per-frame 1 --out v.mp4");
    const Run r = run("render ../tiny.toml --log-level quiet --size 16x16 --frames 8 --steps-per-frame 1 --out v.mp4",
                      fault("vkQueueSubmit2", whole.calls.at("vkQueueSubmit2"), kDeviceLost));
    EXPECT_EQ(r.status, 5) << r.errors;
    EXPECT_THAT(r.files, testing::ElementsAre("v.mp4"));
    expectClean(r);
    EXPECT_EQ(runShell("ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 v.mp4", folder_).output,
              "6\n");  // all frames except those in flight
}

/// The state of a lost device cannot be saved. This is reported, and the previous checkpoint stays complete.
TEST_F(FaultLost, KeepsThePreviousCheckpointAndReportsIt) {
    const std::string film =
        "render ../tiny.toml --log-level quiet --size 16x16 --steps-per-frame 1 --frames 6 --out a --checkpoint x.checkpoint" + kPlain +
        "--every 2";
    const Run whole = run(film);
    ASSERT_EQ(whole.status, 0) << whole.errors;
    const long submits = whole.calls.at("vkQueueSubmit2");
    const Run first = run(film, fault("vkQueueSubmit2", 2, kDeviceLost));
    EXPECT_EQ(first.status, 5);
    EXPECT_THAT(first.errors, HasSubstr("x.checkpoint: no checkpoint was written at the end of the run; the file does not exist"));
    EXPECT_THAT(first.files, testing::Each(testing::StartsWith("a/")));
    expectClean(first);
    int kept = 0;
    for (long n = submits / 3; n <= submits; n += submits / 6) {
        const Run r = run(film, fault("vkQueueSubmit2", n, kDeviceLost));
        ASSERT_EQ(r.status, 5) << r.errors;
        expectClean(r);
        const bool there = std::filesystem::exists(path("x.checkpoint"));
        EXPECT_THAT(r.errors, HasSubstr(there ? "no checkpoint was written at the end of the run; the file has the checkpoint of step "
                                              : "; the file does not exist"))
            << n;
        if (!there) continue;
        ++kept;
        EXPECT_EQ(runShell("XDG_CACHE_HOME=" + scratch_.path().string() +
                               "/cache " WISP_BINARY " render --log-level quiet --steps-per-frame 1 --size 16x16 --frames 6 --out a" +
                               kPlain + "--resume x.checkpoint && diff -r a ../0/a",
                           folder_)
                      .status,
                  0)
            << n;
    }
    EXPECT_GE(kept, 2);
    std::filesystem::copy_file(path("x.checkpoint"), scratch_.path() / "older");
    const Run again = run(film + " --resume x.checkpoint", "cp ../older x.checkpoint; " + fault("vkQueueSubmit2", 3, kDeviceLost));
    EXPECT_EQ(again.status, 5);
    EXPECT_THAT(again.errors, HasSubstr("x.checkpoint: no checkpoint was written at the end of the run; the file is older than this run"));
    EXPECT_EQ(readFile(path("x.checkpoint")), readFile(scratch_.path() / "older"));
    expectClean(again);
}

/// Other commands, and a device that is lost while it is created.
TEST_F(FaultLost, IsReportedByEveryCommand) {
    const std::string bench = "bench ../tiny.toml --log-level quiet --steps 2 --warmup 1 --json b.json --trace t.json";
    const long submits = run(bench).calls.at("vkQueueSubmit2");
    for (const long n : {1l, submits / 2, submits}) {
        const Run r = run(bench, fault("vkQueueSubmit2", n, kDeviceLost));
        // Device peaks are measured with as many threads as are needed for a long enough time, so the number of submits varies.
        if (n == submits && r.calls.at("vkQueueSubmit2") < n) continue;
        EXPECT_EQ(r.status, 5) << n << "\n" << r.errors;
        expectClean(r);
        EXPECT_THAT(r.files, testing::IsEmpty());
    }
    EXPECT_EQ(run(kRender, fault("vkCreateDevice", 1, kDeviceLost)).status, 5);
}

/// One run of a sweep is out of memory. The other runs are measured.
TEST_F(FaultMemory, ARunOfASweepWithoutMemoryIsSkipped) {
    const std::string sweep = "bench ../tiny.toml --log-level quiet --steps 1 --warmup 0 --sweep flow.vorticity=0,0.5,1 --json b.json";
    const Run whole = run(sweep);
    ASSERT_EQ(whole.status, 0) << whole.errors;
    EXPECT_THAT(whole.output, testing::Not(HasSubstr("skipped")));
    const Run r = run(sweep, fault("vkAllocateMemory", whole.calls.at("vkAllocateMemory") / 2, kOutOfDeviceMemory));
    EXPECT_EQ(r.status, 0) << r.errors;
    EXPECT_THAT(r.output, testing::ContainsRegex("\n0.5 +skipped: .*VK_ERROR_OUT_OF_DEVICE_MEMORY.*\n1 +8x8x8 "));
    expectClean(r);
}

/// Error codes that the call should not return are neither out of memory nor a lost device.
TEST_F(FaultMemory, AnyOtherResultIsAFailureThatNamesTheCall) {
    for (const char* call : {"vkQueueSubmit2", "vkCreateImage", "vkMapMemory"}) {
        const Run r = run(kRender, fault(call, 3, "-11"));
        EXPECT_EQ(r.status, 1) << call << "\n" << r.errors;
        EXPECT_THAT(r.errors, AllOf(HasSubstr(call), HasSubstr("VK_ERROR_FORMAT_NOT_SUPPORTED"))) << call;
        expectClean(r);
    }
}

using FaultDevice = FaultTest;

TEST_F(FaultDevice, EveryMissingRequirementIsNamed) {
    const std::pair<const char*, const char*> cases[] = {
        {"synchronization2", "feature synchronization2 is missing"},
        {"maintenance4", "feature maintenance4 is missing"},
        {"timelineSemaphore", "feature timelineSemaphore is missing"},
        {"scalarBlockLayout", "feature scalarBlockLayout is missing"},
        {"hostQueryReset", "feature hostQueryReset is missing"},
        {"bufferDeviceAddress", "feature bufferDeviceAddress is missing"},
        {"subgroup arithmetic", "feature subgroup arithmetic is missing"},
        {"shaderStorageImageWriteWithoutFormat", "feature shaderStorageImageWriteWithoutFormat is missing"},
        {"VK_KHR_push_descriptor", "extension VK_KHR_push_descriptor is missing"},
        {"rgba16f", "format rgba16f does not support 3D images with linear filtering and storage access"},
        {"timestamps", "no compute queue with timestamps"},
        {"invocations", "invocations of a work group: 128, needed 1024"},
        {"shared memory", "bytes of shared memory of a work group: 16384, needed 32768"},
        {"vulkan1.3", "Vulkan 1.2; 1.3 or later is needed"},
        {"devices", "no Vulkan device: the loader finds none"},
    };
    for (const auto& [what, message] : cases) {
        const std::string lacking = std::string("WISP_FAULT_LACKS='") + what + "'";
        const Run r = run(kRender, lacking);
        EXPECT_EQ(r.status, 3) << what << "\n" << r.errors;
        EXPECT_THAT(r.errors, HasSubstr(message));
        EXPECT_THAT(r.files, testing::IsEmpty());
        expectClean(r);
        if (what != std::string("devices")) {
            EXPECT_THAT(r.errors, HasSubstr("no usable Vulkan device; devices found:\n  0: "));
            EXPECT_THAT(run("info", lacking).output, HasSubstr(message)) << "wisp info";
        }
    }
}

TEST_F(FaultDevice, OptionalFeaturesMayBeMissing) {
    for (const char* what : {"VK_EXT_memory_budget", "VK_EXT_calibrated_timestamps,VK_KHR_calibrated_timestamps", "VK_KHR_swapchain"}) {
        const Run r = run(kRender, std::string("WISP_FAULT_LACKS='") + what + "'");
        EXPECT_EQ(r.status, 0) << what << "\n" << r.errors;
        expectClean(r);
    }
}

TEST_F(FaultDevice, DriversThatDoNotStartAreNoDevice) {
    for (const char* call : {"vkCreateInstance", "vkEnumeratePhysicalDevices", "vkCreateDevice"}) {
        const Run r = run(kRender, fault(call, 1, kInitializationFailed));
        EXPECT_EQ(r.status, 3) << call << "\n" << r.errors;
        EXPECT_THAT(r.errors, AllOf(HasSubstr(call), HasSubstr("VK_ERROR_INITIALIZATION_FAILED")));
        expectClean(r);
    }
}

}  // namespace
}  // namespace wisp::test
