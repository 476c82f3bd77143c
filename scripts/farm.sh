#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: farm.sh slurm|openjd [WISP]. Runs job files of wisp with a real scheduler: a cluster of Slurm with one node (needs root), or openjd
# (root or user namespaces). The scheduler runs in namespaces of its own, and ends with them, however the test ends. WISP is the program
# (default: a release build). Exits with 77 if it cannot run here; with WISP_REQUIRE_VULKAN=1 it fails instead. Without network openjd is
# skipped either way.
set -euo pipefail
part=${1:-}
program=${2:+$(realpath "$2")}
cd "$(dirname "$0")/.."
version=0.8.0
export OPENJD=$PWD/build/farm/openjd-$version/bin/openjd

skip() {
    echo "farm.sh: $1" >&2
    [[ ${WISP_REQUIRE_VULKAN:-} == 1 && ${2:-} != network ]] && exit 1
    exit 77  # ctest counts it as skipped
}

case $part in
    slurm) scripts/setup.sh slurm-wlm munge iproute2 procps || skip "packages are missing" ;;
    openjd)
        scripts/setup.sh python3-venv procps || skip "packages are missing"
        folder=$(dirname "$OPENJD")
        [[ -x $OPENJD ]] || python3 -m venv "$(dirname "$folder")"
        [[ -x $OPENJD ]] || "$folder/pip" install --quiet "openjd-cli==$version" || skip "openjd-cli cannot be downloaded" network
        ;;
    *)
        echo "farm.sh: \"$part\" must be slurm or openjd" >&2
        exit 2
        ;;
esac
if [[ -z $program ]]; then
    scripts/build.sh release wisp
    program=$PWD/build/release/wisp
fi

# A mount, process and network namespace. Its processes die with this one, and its file systems and ports with them.
mkdir -p build/farm/work
isolated=(unshare --mount --net --pid --fork --kill-child --mount-proc)
if ! "${isolated[@]}" true 2>/dev/null; then
    [[ $part == openjd ]] || skip "munge and Slurm need root"
    isolated+=(--user --map-root-user)
    "${isolated[@]}" true 2>/dev/null || skip "namespaces need root, or the right of users to make them"
fi
PATH=$(dirname "$program"):$PATH exec "${isolated[@]}" bash "tests/farm/$part.sh"
