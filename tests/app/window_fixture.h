// SPDX-License-Identifier: MIT
// The window, in a real X server (Xvfb) with a window manager, driven as a user would.
#pragma once

#include "tests/app/run_program.h"
#include "tests/app/window_scene.h"

#include <gtest/gtest.h>

namespace wisp::test {

class WindowTest : public testing::Test {
protected:
    /// Runs `wisp run` on a scene (or on $SCENE) in a separate display, and `script` in parallel. In the script $WISP is the process of
    /// wisp and $ID its window. `said TEXT N` waits until N lines of its messages contain TEXT. `later` waits for pictures that begin after
    /// the previous actions. `shot N` takes screenshot N and waits for the file. `environment` ("NAME=VALUE") is set only for wisp.
    /// `options` come before $SCENE. The default option keeps the cells of the scene on any device.
    Outcome drive(const std::string& script, const std::string& environment = "", const char* scene = kWindowScene,
                  const std::string& options = "--quality standard") {
        const std::string command =
            "cat > scene.toml <<'END'\n" + std::string(scene) +
            "END\n"
            "bash -c '\n"
            "sleep() { command sleep $(awk \"BEGIN { print $1 * " +
            std::to_string(kPatience) +
            " }\"); }\n"
            // The server chooses its display number without a lock. Of two servers that start at once one may take the other's socket.
            "mkdir -p $XDG_CACHE_HOME; exec 9>${TMPDIR:-/tmp}/wisp-tests-display.lock; flock 9\n"
            // -noreset: the server would start anew when its last client leaves, here xdotool, and drop the window manager, which
            // connects at that moment.
            "Xvfb -noreset -displayfd 3 -nolisten tcp -screen 0 900x700x24 3>$XDG_CACHE_HOME/display 2>/dev/null 9>&- & SERVER=$!\n"
            "for i in $(seq 100); do [ -s $XDG_CACHE_HOME/display ] && break; sleep 0.1; done; exec 9>&-; export DISPLAY=:$(cat "
            "$XDG_CACHE_HOME/display)\n"
            "LOG=$XDG_CACHE_HOME/log; touch $LOG; trap \"kill \\$MANAGER $SERVER; cat $LOG >&2\" EXIT\n"
            "until_true() { for i in $(seq 600); do eval \"$1\" && return; kill -0 $WISP || break; sleep 0.1; done; echo \"waited in vain: "
            "$1\"; }\n"
            "said() { until_true \"[ \\$(grep -c \\\"$1\\\" $LOG) -ge $2 ]\"; }\n"
            "later() { said \"t = \" $(($(grep -c \"t = \" $LOG) + ${1:-3})); }\n"
            "shot() { xdotool key F12; until_true \"[ -e window-$1.png ]\"; }\n"
            "openbox & MANAGER=$!\n"
            "for i in $(seq 100); do xdotool get_num_desktops >/dev/null 2>&1 && break; sleep 0.1; done\n"
            "start() {\n" +
            environment + " " WISP_BINARY " run " + options +
            " ${SCENE:-scene.toml} --validate --log-level debug 2>>$LOG & WISP=$!\n"
            "for i in $(seq 300); do ID=$(xdotool search --onlyvisible --class wisp 2>/dev/null | tail -1); [ -n \"$ID\" ] && break; sleep "
            "0.1; done\n"
            "xdotool windowactivate --sync $ID; sleep 2\n}\n"
            "finish() {\n"
            "for i in $(seq 100); do kill -0 $WISP 2>/dev/null || break; sleep 0.1; done\n"
            "kill -9 $WISP 2>/dev/null && echo it did not end\n"
            "wait $WISP\n}\n"
            "start\n" +
            script + "\nfinish; exit $?'";
        return runShell(command, folder.path());
    }
    /// Requires that the run ended by itself, without an error or a message of the validation layers.
    static void expectEnded(const Outcome& o) {
        EXPECT_EQ(o.status, 0) << o.output << o.errors;
        EXPECT_EQ(o.output.find("did not end"), std::string::npos);
        EXPECT_EQ(o.output.find("in vain"), std::string::npos) << o.output << o.errors;
    }
    ScratchFolder folder;
};

}  // namespace wisp::test
