#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: test.sh [--quick] [CTEST ARGUMENT...]. Sets up, builds with warnings as errors, and runs every test; --quick: those of parts and passes alone.
set -euo pipefail
cd "$(dirname "$0")/.."

targets=()
if [[ ${1:-} == --quick ]]; then
    shift
    targets=(wisp_unit_tests wisp_gpu_tests wisp_property_tests)
    set -- -L '^(unit|gpu|properties)$' "$@"
fi
scripts/build.sh ci "${targets[@]}"
# Without a Vulkan device tests fail here, rather than being skipped.
WISP_REQUIRE_VULKAN=1 exec ctest --test-dir build/ci --output-on-failure -j2 "$@"
