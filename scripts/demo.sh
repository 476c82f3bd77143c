#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs missing packages, builds wisp and opens the smoke demo in a window. If no window can be opened, renders the demo to smoke.mp4; on
# a device that is a CPU, first one frame to smoke.png. Arguments are passed to `wisp run smoke` or `wisp render smoke`.
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
if "$wisp" info --json | grep -Eq '"type": "(discrete|integrated|virtual)"'; then
    exec "$wisp" render smoke --out smoke.mp4 --overwrite --quality auto "$@"
fi

# On coarse grids the steps are longer than those of the scene: smoke still moves about one cell per step. Half as many cells along an edge
# for multiple scattering are a sixteenth of the work, and the pictures look the same.
on_cpu=(--set render.scattering_cells=12)
# In this frame the ball is inside the smoke. A third of the cells of the scene along an edge is the finest grid that is fast enough.
"$wisp" render smoke --quality standard --set 'grid.cells=[64,32,32]' "${on_cpu[@]}" --set time.step=0.02 --size 960x540 "$@" \
    --frames 129-129 --fps 50 --steps-per-frame 1 --out smoke.png --overwrite
echo "$PWD/smoke.png is one frame of the demo. A film of at most 4 s follows, in about 2 minutes: $PWD/smoke.mp4"
echo "Press Ctrl+C once to end it early: smoke.mp4 then has the frames so far, and can be played."
# 4 s are the path of the ball. With exec, Ctrl+C reaches wisp alone, which finishes the film.
exec "$wisp" render smoke "${on_cpu[@]}" --set time.step=0.0166667 --minutes 2 --fps 30 --frames 120 --out smoke.mp4 --overwrite "$@"
