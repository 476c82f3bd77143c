#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: build.sh PRESET [TARGET]. Sets up, configures and builds into build/PRESET; what is up to date is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
(($# > 1)) || set -- "$1" all

scripts/setup.sh

# A template-heavy file can take longer than anyone likes to look at a still screen.
heartbeat() {
    local start=$SECONDS
    while sleep 1.9; do echo "  ... $((SECONDS - start)) s"; done
}
heartbeat &
beat=$!
trap 'kill "$beat" 2>/dev/null || true' EXIT

[[ -f build/$preset/build.ninja ]] || cmake --preset "$preset"
cmake --build "build/$preset" --target "${@:2}" --parallel "$(nproc)"
