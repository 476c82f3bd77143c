#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: outside.sh [PAGE]. Compares wisp with Mitsuba 3 and PhiFlow, which it installs into build/outside-venv. Writes the last section of
# PAGE (default: docs/verification.md). Fails if a result is out of bounds. Not part of CI: it takes about 35 minutes on two cores.
# The bounds for raymarch are goals, and missing them is not an error. With WISP_OUTSIDE_RAYMARCH=1 they are required. The environment
# variable WISP selects another wisp binary.
set -euo pipefail
cd "$(dirname "$0")/.."
page=${1:-docs/verification.md}

venv=build/outside-venv
[[ -x $venv/bin/python ]] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --requirement scripts/outside/requirements.txt
if [[ -z ${WISP:-} ]]; then
    scripts/build.sh release wisp wisp_openvdb
    WISP=$PWD/build/release/wisp
fi
export WISP

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for part in light directions near_lights plume volumes; do
    echo "== $part"
    "$venv/bin/python" "scripts/outside/$part.py" "$folder/rows" "$folder"
done
"$venv/bin/python" scripts/outside/table.py "$folder/rows" "$page" "$(git describe --always --dirty 2>/dev/null || echo unknown)"
echo "took $((SECONDS / 60)) min $((SECONDS % 60)) s"
