#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: python.sh [PYTEST ARGUMENT...]. Builds the Python package and runs its tests, in a virtual environment in build/python. The library
# is that of WISP_PREFIX=<where wisp is installed>, or else is built as in a wheel.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh python3-dev python3-venv

folder=$PWD/build/python
python=$folder/venv/bin/python
[[ -x $python ]] || python3 -m venv "$folder/venv"
if ! "$python" -m pip install --quiet nanobind numpy pytest; then
    echo "python.sh: nanobind, numpy and pytest cannot be downloaded" >&2
    exit 77  # ctest counts it as skipped
fi

if [[ -n ${WISP_PREFIX:-} ]]; then
    cmake -U wisp_DIR -S python -B "$folder/alone" -G Ninja -DCMAKE_PREFIX_PATH="$WISP_PREFIX" -DPython_EXECUTABLE="$python"
    cmake --build "$folder/alone"
    package=$folder/alone/python
else
    cmake --preset release -B "$folder/project" -DWISP_PYTHON=ON -DWISP_TESTS=OFF -DWISP_PROGRAM=OFF -DPython_EXECUTABLE="$python"
    cmake --build "$folder/project" --target wisp_python_stub
    package=$folder/project/python
fi
# WISP_REQUIRE_VULKAN: without a Vulkan device tests fail instead of being skipped.
PYTHONPATH=$package WISP_REQUIRE_VULKAN=1 exec "$python" -m pytest -q tests/python "$@"
