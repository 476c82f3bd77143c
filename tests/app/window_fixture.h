// SPDX-License-Identifier: MIT
// The window, in a real X server (Xvfb) with a window manager, driven as a user would.
#pragma once

#include "tests/app/run_program.h"

#include <gtest/gtest.h>

namespace wisp::test {

// A scene so small that pictures come quickly on a software device.
inline constexpr const char* kWindowScene = R"(
name = "window"
[grid]
cells = [16, 16, 16]
size = [1.0, 1.0, 1.0]
[[emitter]]
centre = [0.5, 0.2, 0.5]
radius = 0.15
velocity = [0.0, 1.0, 0.0]
density = 1.0
[[obstacle]]
centre = [0.5, 0.6, 0.5]
radius = 0.15
[[light]]
intensity = 10.0
[camera]
eye = [0.5, 0.5, 2.5]
target = [0.5, 0.5, 0.5]
)";

class WindowTest : public testing::Test {
protected:
    /// Runs `wisp run` on the scene in a display of its own, and `script` beside it, in which $WISP is its process. `environment`
    /// is wisp's alone: "NAME=VALUE".
    Outcome drive(const std::string& script, const std::string& environment = "") {
        const std::string command = "cat > scene.toml <<'END'\n" + std::string(kWindowScene) +
                                    "END\n"
                                    "xvfb-run -a -s '-screen 0 900x700x24' bash -c '\n"
                                    "openbox & MANAGER=$!\n" +
                                    environment + " " WISP_BINARY
                                    " run scene.toml --validate & WISP=$!\n"
                                    "for i in $(seq 300); do ID=$(xdotool search --onlyvisible --class wisp 2>/dev/null | tail -1); [ -n \"$ID\" ] && break; sleep 0.1; done\n"
                                    "xdotool windowactivate --sync $ID; sleep 2\n" +
                                    script +
                                    "\nfor i in $(seq 100); do kill -0 $WISP 2>/dev/null || break; sleep 0.1; done\n"
                                    "kill -9 $WISP 2>/dev/null && echo it did not end\n"
                                    "wait $WISP; STATUS=$?; kill $MANAGER; exit $STATUS'";
        return runShell(command, folder.path());
    }
    /// By itself, without an error or a message of the validation layers.
    static void expectEnded(const Outcome& o) {
        EXPECT_EQ(o.status, 0) << o.output << o.errors;
        EXPECT_EQ(o.output.find("did not end"), std::string::npos);
    }
    ScratchFolder folder;
};

}  // namespace wisp::test
