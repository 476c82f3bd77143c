#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sets up, builds, and renders the smoke demo to smoke.mp4. Arguments are passed on to `wisp render smoke`.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build.sh release wisp
wisp=build/release/wisp

arguments=(--out smoke.mp4)
# A software device needs a smaller grid and picture to be done in minutes.
if ! "$wisp" info --json | grep -Eq '"type": "(discrete|integrated|virtual)"'; then
    arguments+=(--quality preview --size 640x360 --frames 240)
fi
exec "$wisp" render smoke "${arguments[@]}" "$@"
