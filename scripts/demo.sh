#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sets up, builds, and opens the smoke demo in a window; where none can be opened, renders it to smoke.mp4 instead.
# Arguments are passed on to `wisp run smoke` or `wisp render smoke`.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build.sh release wisp
wisp=build/release/wisp

# The grid is as fine as the device runs it; `--quality LEVEL` among the arguments wins.
if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
    status=0
    "$wisp" run smoke --quality auto "$@" || status=$?
    # 3: no window could be opened there.
    ((status == 3)) || exit "$status"
fi
arguments=(--quality auto)
# On a software device a picture takes long on any grid.
"$wisp" info --json | grep -Eq '"type": "(discrete|integrated|virtual)"' || arguments+=(--size 640x360 --frames 240)
exec "$wisp" render smoke --out smoke.mp4 --overwrite "${arguments[@]}" "$@"
