// SPDX-License-Identifier: MIT
// A device that is lost while a window is open.
#include "tests/app/fault_fixture.h"
#include "tests/support/virtual_display.h"

namespace wisp::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class FaultLostWindow : public FaultTest {
protected:
    void SetUp() override { ASSERT_TRUE(display) << "Xvfb is not installed"; }
    /// Runs `wisp run` in a window and `script` in parallel. In the script $W is the process of wisp and $ID its window. `said TEXT N`
    /// waits until N lines of its messages contain TEXT. Without a window manager, key events go to the window under the mouse.
    Run window(const std::string& script, const std::string& environment) {
        Run r = run(
            "run ../tiny.toml --quality standard --log-level debug 2>../said & W=$!\n"
            "until_true() { for i in $(seq 600); do eval \"$1\" && return; kill -0 $W 2>/dev/null || break; sleep 0.1; done; echo \"waited "
            "in vain: $1\"; }\n"
            "said() { until_true \"[ \\$(grep -c \\\"$1\\\" ../said) -ge $2 ]\"; }\n" +
                script + "\nwait $W",
            environment);
        r.errors += readFile(scratch_.path() / "said");
        return r;
    }
    VirtualDisplay display;
};

TEST_F(FaultLostWindow, EndsWithItsStatusAndLeavesNothing) {
    for (const char* call : {"vkQueueSubmit2", "vkWaitSemaphores", "vkGetSemaphoreCounterValue", "vkGetQueryPoolResults",
                             "vkAcquireNextImageKHR", "vkQueuePresentKHR"})
        for (const long n : {1, 30}) {
            const Run r = window("", fault(call, n, kDeviceLost));
            EXPECT_EQ(r.status, 5) << call << " " << n << "\n" << r.errors;
            EXPECT_THAT(r.errors, AllOf(HasSubstr("wisp: "), HasSubstr(call), HasSubstr("VK_ERROR_DEVICE_LOST"))) << call << " " << n;
            EXPECT_THAT(r.files, testing::IsEmpty());
            expectClean(r);
        }
}

TEST_F(FaultLostWindow, AWindowWithoutASurfaceIsReported) {
    const Run without = window("", "WISP_FAULT_LACKS=VK_KHR_swapchain");
    EXPECT_EQ(without.status, 3) << without.errors;
    EXPECT_THAT(without.errors, HasSubstr("VK_KHR_swapchain"));
    expectClean(without);
    int refused = 0;  // GLFW uses only one of the two
    for (const char* call : {"vkCreateXcbSurfaceKHR", "vkCreateXlibSurfaceKHR"}) {
        const Run r = window("until_true '[ -e ../said ]'; sleep 3; kill -INT $W 2>/dev/null", fault(call, 1, "-3"));
        if (r.status == 130) continue;
        ++refused;
        EXPECT_EQ(r.status, 3) << r.errors;
        EXPECT_THAT(r.errors, HasSubstr("cannot create a Vulkan surface for the window: "));
        EXPECT_THAT(r.files, testing::IsEmpty());
        expectClean(r);
    }
    EXPECT_EQ(refused, 1);
}

TEST_F(FaultLostWindow, AVideoContainsThePicturesUntilThen) {
    for (const char* call : {"vkQueueSubmit2", "vkWaitSemaphores", "vkQueuePresentKHR"}) {
        std::filesystem::remove(scratch_.path() / "now");
        const Run r = window(
            "ID=$(xdotool search --sync --onlyvisible --class wisp | tail -1); xdotool mousemove --window $ID 60 60; said 't = ' 1\n"
            "xdotool key F9; until_true '[ -e .tiny-000.mp4.tmp-'$W' ]'; said 't = ' $(($(grep -c 't = ' ../said) + 5)); touch ../now",
            "WISP_FAULT_WHEN=../now " + fault(call, 1, kDeviceLost));
        EXPECT_EQ(r.status, 5) << call << "\n" << r.errors;
        EXPECT_EQ(r.output, "");
        EXPECT_THAT(r.errors, AllOf(HasSubstr("VK_ERROR_DEVICE_LOST"), HasSubstr("wrote " + path("tiny-000.mp4").string() + ": "))) << call;
        EXPECT_THAT(r.files, testing::ElementsAre("tiny-000.mp4"));
        expectClean(r);
        EXPECT_GT(std::atoi(runShell("ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 tiny-000.mp4", folder_)
                                .output.c_str()),
                  3);
    }
}

}  // namespace
}  // namespace wisp::test
