#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: sanitize.sh [address|thread|gpu ...]. Runs the tests under what watches them, all three by default, and ends with a table of verdicts. Logs are in
# build/sanitize.
#   address   AddressSanitizer, UndefinedBehaviorSanitizer with divisions by 0 and casts of floats, and LeakSanitizer: the whole suite
#   thread    ThreadSanitizer: what starts threads of ours, which are the writers of frames, checkpoints and videos, the progress bar and the cache of pipelines
#   gpu       GPU-assisted validation: the tests of passes, those that come in many sizes in a few of them, and thereby every shader
set -uo pipefail
cd "$(dirname "$0")/.."
(($#)) || set -- address thread gpu
logs=build/sanitize
mkdir -p "$logs"
export WISP_REQUIRE_VULKAN=1

# Tests that put a library of their own before the sanitizer's skip themselves there: see WISP_SANITIZER in tests/app.
address() {
    scripts/build.sh asan || return
    ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 \
        ctest --test-dir build/asan --output-on-failure --timeout 1800 -j2
}

thread() {
    for target in wisp wisp_unit_tests wisp_app_tests; do scripts/build.sh tsan "$target" || return; done
    TSAN_OPTIONS=halt_on_error=1:exitcode=66:second_deadlock_stack=1:suppressions=$PWD/cmake/tsan.supp \
        ctest --test-dir build/tsan --output-on-failure --timeout 1800 -j2 -R '^unit/CacheFile|^app/(Output|RecordTest|Checkpoint|Cli|WindowTest)'
}

gpu() {
    scripts/build.sh release wisp_gpu_tests || return
    local ran
    ran=$(mktemp)
    VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT WISP_GPU_ASSISTED_RAN=$ran \
        build/release/tests/wisp_gpu_tests --gtest_brief=1 \
        --gtest_filter='Pass*:*/12x9x7_ratio2_scalars1_half:*/10x12x6_ratio2_scalars2_half_periodic7:*/8x8x8_*:*/9x10x11_*:*/40x6x7_*:*/40x16x21_*:*/5x1x3_*:*/PassFlat.*:PeriodicAxes/*:Axes*:EngineRoofs.AreMeasured:EngineOutOfBounds.*'
    local status=$? missed
    missed=$(comm -23 <(git ls-files "shaders/*.comp" "engine/*.comp" | xargs basename -s .comp -a | sort) <(sort -u "$ran"))
    echo "shaders that ran: $(sort -u "$ran" | wc -l); of the program's did not: ${missed:-none}"
    rm -f "$ran"
    [[ -z $missed ]] && return "$status"
}

result=0
verdicts=()
for job in "$@"; do
    case $job in
        address | thread | gpu) ;;
        *) echo "no such job: $job" >&2; exit 2 ;;
    esac
    began=$SECONDS
    if "$job" 2>&1 | tee "$logs/$job.log"; then verdict=passed; else verdict=FAILED result=1; fi
    verdicts+=("$(printf '%-9s %s, %d s' "$job" "$verdict" $((SECONDS - began)))")
done
printf '%s\n' "${verdicts[@]}"
exit "$result"
