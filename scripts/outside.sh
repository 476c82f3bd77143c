#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: outside.sh [PAGE]. Compares wisp with Mitsuba 3 and PhiFlow, which it installs into build/outside-venv, and writes the last section of PAGE
# (docs/verification.md if left out). Fails if a bound is not met. No part of CI: it takes about a quarter of an hour on two cores.
# Raymarch's errors have the bounds that are wanted of them; with WISP_OUTSIDE_RAYMARCH=1 it must meet them. WISP is another binary to test.
set -euo pipefail
cd "$(dirname "$0")/.."
page=${1:-docs/verification.md}

venv=build/outside-venv
[[ -x $venv/bin/python ]] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --requirement scripts/outside/requirements.txt
if [[ -z ${WISP:-} ]]; then
    scripts/build.sh release wisp
    WISP=$PWD/build/release/wisp
fi
export WISP

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for part in light plume volumes; do
    echo "== $part"
    "$venv/bin/python" "scripts/outside/$part.py" "$folder/rows" "$folder"
done
"$venv/bin/python" scripts/outside/table.py "$folder/rows" "$page" "$(git describe --always --dirty 2>/dev/null || echo unknown)"
echo "took $((SECONDS / 60)) min $((SECONDS % 60)) s"
