# SPDX-License-Identifier: MIT
# What the tests of the schedulers share. scripts/farm.sh starts them, in namespaces of their own and with wisp in PATH.
set -euo pipefail
repository=$PWD
export XDG_CONFIG_HOME=$repository/build/farm/work/config

# A file system of its own, which goes with the namespace.
mount -t tmpfs -o size=256m farm build/farm/work
cd build/farm/work

fail() {
    echo "FAILED: $1" >&2
    tail --verbose --lines=20 -- *.log >&2 || true
    exit 1
}

# Whatever else ends the script, too.
trap 'fail "line $LINENO: $BASH_COMMAND"' ERR
set -o errtrace

# await SECONDS WHAT COMMAND...: until the command succeeds.
await() {
    local end=$((SECONDS + $1)) what=$2
    shift 2
    until "$@"; do
        ((SECONDS < end)) || fail "waited too long for $what"
        sleep 0.05
    done
}

# Kills the task that renders the frames $1 once it has written the first of them, $2, and before it has written the last, $3.
kill_in_the_middle() {
    rendering() { task=$(pgrep --full "^wisp render .*--frames $1 "); }
    await 300 "the task of the frames $1" rendering "$1"
    # On a fast machine the frames follow each other within milliseconds.
    until [[ -e $2 ]]; do
        kill -0 "$task" || fail "the task of the frames $1 ended without $2"
        sleep 0.001
    done
    kill -KILL "$task"
    # The process has gone, and its file with it, if it was not whole.
    [[ ! -e $3 ]] || fail "the task of the frames $1 was killed too late"
}

cat >plume.toml <<'END'
name = "plume"
[grid]
cells = [32, 32, 16]
size = [1.0, 1.0, 0.5]
[flow]
buoyancy = 0.05
[[emitter]]
centre = [0.5, 0.2, 0.25]
radius = 0.1
density = 1.0
temperature = 100.0
velocity = [0.0, 0.5, 0.0]
END
picture=(--view density --size 320x180)
# Six chunks of four frames.
frames=(--frames 24 --every 4)

# What all tasks together must write.
wisp render plume.toml "${picture[@]}" --frames 24 --out expected/%04d.png
