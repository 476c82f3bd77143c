#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: sanitize.sh [address|thread|gpu ...]. Runs tests with sanitizers or GPU-assisted validation; all three jobs by default. Ends with a
# table of results. Logs are in build/sanitize.
#   address   AddressSanitizer, UndefinedBehaviorSanitizer (with float-divide-by-zero and float-cast-overflow) and LeakSanitizer: all tests
#   thread    ThreadSanitizer: tests of code that starts threads (writers of frames, checkpoints and videos, progress bar, pipeline cache)
#   gpu       GPU-assisted validation: tests of passes, with only a few sizes of each, and a few of whole runs, so that every shader runs
set -uo pipefail
cd "$(dirname "$0")/.."
(($#)) || set -- address thread gpu
logs=build/sanitize
mkdir -p "$logs"
export WISP_REQUIRE_VULKAN=1

# Tests that preload their own library before the sanitizer's are skipped: see WISP_SANITIZER in tests/app. So are programs that are built
# without it and load the library: it must be the first of a process.
address() {
    scripts/setup.sh --tests || return
    scripts/build.sh asan || return
    ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 \
        ctest --test-dir build/asan --output-on-failure --timeout 1800 -j2 -E '^library/(examples|python)$'
}

thread() {
    for target in wisp wisp_unit_tests wisp_app_tests; do scripts/build.sh tsan "$target" || return; done
    export TSAN_OPTIONS=halt_on_error=1:exitcode=66:second_deadlock_stack=1:suppressions=$PWD/cmake/tsan.supp
    build/tsan/tests/wisp_unit_tests --gtest_filter='CacheFile*' &&
        build/tsan/tests/wisp_app_tests --gtest_filter='Output*:RecordTest*:Checkpoint*:Cli*:WindowTest*'
}

gpu() {
    scripts/build.sh release wisp_gpu_tests || return
    scripts/build.sh release wisp_physics_tests || return
    local ran status=0 missed
    ran=$(mktemp)
    export VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT WISP_GPU_ASSISTED_RAN=$ran
    build/release/tests/wisp_gpu_tests --gtest_brief=1 \
        --gtest_filter='Pass*:*/12x9x7_ratio2_scalars1_half:*/10x12x6_ratio2_scalars2_half_periodic7:*/8x8x8_*:*/9x10x11_*:*/40x6x7_*:*/40x16x21_*:*/5x1x3_*:*/40x34x20_*:*/PassFlat.*:*/PassWind*:PeriodicAxes/*:Axes*:EngineDevicePeaks.AreMeasured:EngineOutOfBounds.*' || status=1
    # Shaders that no test of a pass runs: of moving boxes, volumes and reading.
    build/release/tests/wisp_physics_tests --gtest_brief=1 \
        --gtest_filter='Follow.ScrollingKeepsTheBits:Volumes.ALattice*:Volumes.TheirSmoke*:VolumeMotionTest.LinearFields*:*/ReadField.ColourIs*/half' || status=1
    missed=$(comm -23 <(git ls-files "shaders/*.comp" "engine/*.comp" "app/*.comp" | xargs basename -s .comp -a | sort) <(sort -u "$ran"))
    echo "shaders that ran: $(sort -u "$ran" | wc -l); shaders of the program that did not run: ${missed:-none}"
    rm -f "$ran"
    [[ -z $missed ]] && return "$status"
}

result=0
verdicts=()
for job in "$@"; do
    case $job in
        address | thread | gpu) ;;
        *) echo "unknown job: $job; must be address, thread or gpu" >&2; exit 2 ;;
    esac
    began=$SECONDS
    if "$job" 2>&1 | tee "$logs/$job.log"; then verdict=passed; else verdict=FAILED result=1; fi
    verdicts+=("$(printf '%-9s %s, %d s' "$job" "$verdict" $((SECONDS - began)))")
done
printf '%s\n' "${verdicts[@]}"
exit "$result"
