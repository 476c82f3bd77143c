#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: test.sh [--quick] [CTEST ARGUMENT...]. Installs missing packages, builds with warnings as errors, and runs every test.
# --quick: runs only the unit, gpu and properties tests.
set -euo pipefail
cd "$(dirname "$0")/.."

targets=()
if [[ ${1:-} == --quick ]]; then
    shift
    targets=(wisp_unit_tests wisp_gpu_tests wisp_property_tests)
    set -- -L '^(unit|gpu|properties)$' "$@"
else
    scripts/setup.sh --tests
fi
scripts/build.sh ci "${targets[@]}"
# WISP_REQUIRE_VULKAN: without a Vulkan device tests fail instead of being skipped.
WISP_REQUIRE_VULKAN=1 exec ctest --test-dir build/ci --output-on-failure -j2 "$@"
