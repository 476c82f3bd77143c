#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sets up, builds, and opens the smoke demo in a window; where none can be opened, renders it to smoke.mp4 instead.
# Arguments are passed on to `wisp run smoke` or `wisp render smoke`.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build.sh release wisp
wisp=build/release/wisp

# A software device needs a smaller grid and picture to be quick enough.
arguments=()
software=true
if "$wisp" info --json | grep -Eq '"type": "(discrete|integrated|virtual)"'; then software=false; fi
"$software" && arguments+=(--quality preview)

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
    status=0
    "$wisp" run smoke "${arguments[@]}" "$@" || status=$?
    # 3: no window could be opened there.
    ((status == 3)) || exit "$status"
fi
"$software" && arguments+=(--size 640x360 --frames 240)
exec "$wisp" render smoke --out smoke.mp4 --overwrite "${arguments[@]}" "$@"
