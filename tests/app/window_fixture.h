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
                                    "bash -c '\n"
                                    // The server chooses its number: two that are started at once by xvfb-run may take the same.
                                    "mkdir -p $XDG_CACHE_HOME; Xvfb -displayfd 3 -nolisten tcp -screen 0 900x700x24 3>$XDG_CACHE_HOME/display 2>/dev/null & SERVER=$!\n"
                                    "trap \"kill \\$MANAGER $SERVER\" EXIT\n"
                                    "for i in $(seq 100); do [ -s $XDG_CACHE_HOME/display ] && break; sleep 0.1; done; export DISPLAY=:$(cat $XDG_CACHE_HOME/display)\n"
                                    "openbox & MANAGER=$!\n"
                                    "for i in $(seq 100); do xdotool get_num_desktops >/dev/null 2>&1 && break; sleep 0.1; done\n"
                                    "start() {\n" +
                                    environment + " " WISP_BINARY
                                    " run scene.toml --validate & WISP=$!\n"
                                    "for i in $(seq 300); do ID=$(xdotool search --onlyvisible --class wisp 2>/dev/null | tail -1); [ -n \"$ID\" ] && break; sleep 0.1; done\n"
                                    "xdotool windowactivate --sync $ID; sleep 2\n}\n"
                                    "finish() {\n"
                                    "for i in $(seq 100); do kill -0 $WISP 2>/dev/null || break; sleep 0.1; done\n"
                                    "kill -9 $WISP 2>/dev/null && echo it did not end\n"
                                    "wait $WISP\n}\n"
                                    "start\n" +
                                    script + "\nfinish; exit $?'";
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
