#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: blender.sh [WISP]. Tests .vdb files with Blender as a Python module (350 MB, downloaded by pip at the first run). WISP: program to
# test (default: build/ci/wisp). Not part of test.sh, because of the download.
set -euo pipefail
cd "$(dirname "$0")/.."
wisp=$(realpath "${1:-build/ci/wisp}")
environment=build/blender
if ! "$environment/bin/python" -c 'import bpy' 2>/dev/null; then
    scripts/setup.sh python3-venv
    python3.11 -m venv "$environment"
    "$environment/bin/pip" install --quiet bpy==4.5.0 numpy==1.26.4
fi
exec "$environment/bin/python" tests/blender/blender_test.py "$wisp"
