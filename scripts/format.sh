#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: format.sh [--check]. Formats all C++ files with .clang-format. With --check only lists differences, and lines of shaders with more
# than 140 columns.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh clang-format-14
mapfile -t files < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.h' ':!shaders/*')
if [[ ${1:-} != --check ]]; then
    printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 20 clang-format-14 -i
    exit
fi
printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 20 clang-format-14 --dry-run -Werror
long=$(git ls-files 'shaders/*' 'engine/*.comp' 'app/*.comp' 'include/*' | xargs awk 'length > 140 {print FILENAME ":" FNR ": more than 140 columns"}')
[[ -z $long ]] || { echo "$long" >&2; exit 1; }
