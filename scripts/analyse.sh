#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: analyse.sh [cppcheck|tidy|coverage ...]. Runs static analysis and measures test coverage; all three jobs by default. Ends with a
# table of results. Logs are in build/analyse.
#   cppcheck  engine/, compute/, files/, api/ and app/ (cppcheck 2.10 cannot parse the tests' operators /): warnings, performance, portability.
#             Suppressions are in the source or in cmake/cppcheck.supp, each with its reason.
#   tidy      clang-tidy with .clang-tidy; WISP_TIDY="FILE..." selects these files instead of all
#   coverage  lines and branches of engine/, compute/, files/, api/ and app/ covered by all tests: build/analyse/coverage.txt and coverage.html
set -uo pipefail
cd "$(dirname "$0")/.."
(($#)) || set -- cppcheck tidy coverage
logs=build/analyse
mkdir -p "$logs"

cppcheck_() {
    scripts/setup.sh cppcheck || return
    cppcheck --quiet --error-exitcode=1 -j "$(nproc)" -DWISP_CPPCHECK -I. --std=c++20 --language=c++ --library=googletest --max-configs=1 \
        --enable=warning,performance,portability --inline-suppr --suppressions-list=cmake/cppcheck.supp \
        --template='{file}:{line}: {severity} [{id}] {message}' engine compute files api app
}

tidy() {
    scripts/setup.sh clang-tidy-16 || return  # version 14 does not support all of C++20
    # Creates generated sources and compile_commands.json, with a command for each file.
    cmake --preset release -B build/tidy -DWISP_UNITY=OFF && cmake --build build/tidy --parallel "$(nproc)" || return
    local files=${WISP_TIDY:-$(git ls-files "engine/*.cpp" "compute/*.cpp" "files/*.cpp" "api/*.cpp" "app/*.cpp" "tests/*.cpp")}
    # shellcheck disable=SC2086
    printf '%s\n' $files | xargs -P "$(nproc)" -n 1 clang-tidy-16 --quiet -p build/tidy
}

coverage() {
    scripts/setup.sh --tests gcovr || return
    scripts/build.sh coverage || return
    find build/coverage -name '*.gcda' -delete
    local status=0
    WISP_REQUIRE_VULKAN=1 ctest --test-dir build/coverage --output-on-failure --timeout 1800 -j2 || status=1
    # Exclude the branches that the compiler adds for exceptions.
    gcovr --root . --object-directory build/coverage --filter 'engine/' --filter 'compute/' --filter 'files/' --filter 'api/' --filter 'app/' --exclude-throw-branches \
        --exclude-unreachable-branches --gcov-ignore-parse-errors --html-details "$logs/coverage.html" --txt "$logs/coverage.txt" \
        --json-summary "$logs/coverage.json" --print-summary || status=1
    return "$status"
}

result=0
verdicts=()
for job in "$@"; do
    case $job in
        cppcheck) run=cppcheck_ ;;
        tidy | coverage) run=$job ;;
        *) echo "unknown job: $job; must be cppcheck, tidy or coverage" >&2; exit 2 ;;
    esac
    began=$SECONDS
    if "$run" 2>&1 | tee "$logs/$job.log"; then verdict=passed; else verdict=FAILED result=1; fi
    verdicts+=("$(printf '%-9s %s, %d s' "$job" "$verdict" $((SECONDS - began)))")
done
printf '%s\n' "${verdicts[@]}"
exit "$result"
