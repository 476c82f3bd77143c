#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs missing packages, builds wisp and opens the smoke demo in a window. If no window can be opened, renders the demo to smoke.mp4.
# Arguments are passed to `wisp run smoke` or `wisp render smoke`.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build.sh release wisp
wisp=build/release/wisp

# --quality auto selects the finest grid that the device can run at 60 frames per second. A later `--quality LEVEL` overrides it.
if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
    status=0
    "$wisp" run smoke --quality auto "$@" || status=$?
    # 3: no window could be opened.
    ((status == 3)) || exit "$status"
fi
arguments=(--quality auto)
# On a software device rendering is slow for every grid size.
"$wisp" info --json | grep -Eq '"type": "(discrete|integrated|virtual)"' || arguments+=(--size 640x360 --frames 240)
exec "$wisp" render smoke --out smoke.mp4 --overwrite "${arguments[@]}" "$@"
