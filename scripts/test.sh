#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: test.sh [--quick | --all | --changed] [CTEST ARGUMENT...]. Installs missing packages, builds with warnings as errors, runs tests, and
# prints the seconds of each module. docs/testing.md says what the tiers contain.
# --quick: units and passes. --changed: the tests that tests/mutants.toml names for files that differ from the main branch, then --quick.
# --all: everything, also sanitizers. In CI, the tier without an option fails if its tests take more than 15 minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

tier=middle
case ${1:-} in
    --quick | --all | --changed) tier=${1#--}; shift ;;
esac
tests=(wisp_{unit,gpu,physics,property,app,api}_tests)
case $tier in
    quick | changed) targets=(wisp_{unit,gpu,property}_tests) select=(-L '^(unit|gpu|properties)$') ;;
    middle) targets=("${tests[@]}") select=(-LE '^all$') ;;
    all) targets=(all) select=() ;;
esac
[[ $tier != changed ]] || targets=("${tests[@]}")
[[ $tier == quick ]] || scripts/setup.sh --tests
[[ $tier != all ]] || cmake --preset ci -DWISP_ABI=ON
began=$(date +%s)
scripts/build.sh ci "${targets[@]}"

# Without a Vulkan device tests fail instead of being skipped. Two tests run at once, so that more threads of lavapipe would only wait.
export WISP_REQUIRE_VULKAN=1 LP_NUM_THREADS=1 WISP_TEST_TIER=middle
[[ $tier != all ]] || WISP_TEST_TIER=all
if [[ $tier == changed ]]; then
    base=$(git merge-base HEAD origin/main 2>/dev/null || git rev-parse HEAD)
    { git diff --name-only "$base"; git ls-files --others --exclude-standard; } | scripts/mutate.py --tests-of-files build/ci
fi
status=0
ctest --test-dir build/ci --output-on-failure -j2 --output-junit "$PWD/build/ci/tests.xml" "${select[@]}" "$@" || status=$?
limit=()
[[ $tier != middle || -z ${CI:-} ]] || limit=(--limit 900)
scripts/times.py build/ci "$began" "${limit[@]}" || status=1
((status == 0)) || exit "$status"
[[ $tier != all ]] || scripts/sanitize.sh
[[ $tier != all ]] || scripts/fuzz.sh 5
