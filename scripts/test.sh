#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sets up, builds with warnings as errors, and runs every test. Arguments are passed on to ctest.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/build.sh ci
# Without a Vulkan device tests fail here, rather than being skipped.
WISP_REQUIRE_VULKAN=1 exec ctest --test-dir build/ci --output-on-failure -j2 "$@"
