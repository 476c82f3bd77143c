#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: fuzz.sh [SECONDS] [TARGET...]. Fuzzes the readers of untrusted files. Runs each target (a file of tests/fuzz; default: all) for
# SECONDS (default: 60), starting with the inputs in tests/fuzz/corpus, and prints the coverage. If a target finds an error, the exit status
# is 1 and the script prints the path of the input.
# New inputs are written to build/fuzz/found. WISP_FUZZ_MERGE=1 then adds the inputs that increase coverage to tests/fuzz/corpus.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=60
if [[ ${1:-} =~ ^[0-9]+$ ]]; then
    seconds=$1
    shift
fi
targets=("$@")
if ((${#targets[@]} == 0)); then
    for source in tests/fuzz/*.cpp; do targets+=("$(basename "$source" .cpp)"); done
fi

scripts/setup.sh clang libclang-rt-14-dev
scripts/build.sh fuzz wisp_fuzz
export ASAN_OPTIONS=allocator_may_return_null=1:${ASAN_OPTIONS:-} UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}
limits=(-rss_limit_mb=2048 -timeout=10)

# Sources that contain the keywords of a target's input: every short string literal becomes a dictionary word.
sourcesOf() {
    case $1 in
        scene) echo files/scene/scene_keys.cpp files/scene/scene_shapes.cpp ;;
        command_line) echo app/cli/command_line.cpp files/scene/scene_keys.cpp ;;
        checkpoint) echo files/checkpoint/checkpoint_head.cpp files/scene/scene_keys.cpp compute/sim/fields.cpp ;;
        report) echo app/bench/compare.cpp app/bench/bench_report.cpp ;;
        preferences) echo app/live/preferences.cpp ;;
        mesh) echo files/scene/mesh_file.cpp ;;
        gltf) echo files/scene/gltf_model.cpp files/scene/gltf_loader.cpp ;;
        image) echo files/scene/environment_file.cpp files/scene/initial_image_file.cpp ;;
    esac
}
dictionaryOf() { sourcesOf "$1" | xargs -r grep -ohE '"[A-Za-z0-9_.#?=-]{1,24}"' | sort -u; }

numberIn() { grep -oE "$1[ :]+[0-9]+" "$2" | tail -1 | grep -oE '[0-9]+$' || echo 0; }

status=0
rows=""
for target in "${targets[@]}"; do
    program=build/fuzz/tests/fuzz/wisp_fuzz_$target
    corpus=tests/fuzz/corpus/$target found=build/fuzz/found/$target findings=build/fuzz/findings log=build/fuzz/$target.log
    mkdir -p "$corpus" "$found" "$findings"
    dictionaryOf "$target" >"build/fuzz/$target.dict"
    dictionary=() # libFuzzer refuses an empty one
    [[ ! -s build/fuzz/$target.dict ]] || dictionary=(-dict="build/fuzz/$target.dict")
    verdict=fine
    if ! "$program" "${limits[@]}" "${dictionary[@]}" -max_total_time="$seconds" -print_final_stats=1 -close_fd_mask=1 \
        -artifact_prefix="$findings/$target-" "$found" "$corpus" 2>"$log"; then
        verdict=$(grep -oE "$findings/$target-[a-z]+-[0-9a-f]+" "$log" | tail -1 || true)
        verdict="FINDING: ${verdict:-see $log}"
        status=1
    elif [[ ${WISP_FUZZ_MERGE:-} == 1 ]]; then
        "$program" -merge=1 "${limits[@]}" "$corpus" "$found" 2>>"$log"
    fi
    rows+=$(printf '%-14s %12s %8s %9s %7s  %s' "$target" "$(numberIn stat::number_of_executed_units "$log")" "$(numberIn cov "$log")" \
        "$(numberIn ft "$log")" "$(find "$corpus" -type f | wc -l)" "$verdict")$'\n'
    tail -n 1 <<<"${rows%$'\n'}" >&2
done

printf '\n%-14s %12s %8s %9s %7s  %s\n%s' target executions edges features corpus verdict "$rows"
exit "$status"
