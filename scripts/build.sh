#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: build.sh PRESET [TARGET]. Installs missing packages, configures and builds into build/PRESET.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
(($# > 1)) || set -- "$1" all

scripts/setup.sh

# Shows progress while a template-heavy file compiles for a long time.
heartbeat() {
    local start=$SECONDS
    while sleep 1.9; do echo "  ... $((SECONDS - start)) s"; done
}
heartbeat &
beat=$!
trap 'kill "$beat" 2>/dev/null || true' EXIT

[[ -f build/$preset/build.ninja ]] || cmake --preset "$preset"
cmake --build "build/$preset" --target "${@:2}" --parallel "$(nproc)"
