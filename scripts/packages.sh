#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: packages.sh [build|check]. Makes the Debian packages and the wheel for Python in build/packages, for the Debian on which it runs,
# and checks them (tests/packages) in a minimal Debian 12, which needs root. By default both.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
    build | check) jobs=("$1") ;;
    "") jobs=(build check) ;;
    *) echo "usage: packages.sh [build|check]" >&2; exit 2 ;;
esac
made=$PWD/build/packages

build() {
    scripts/setup.sh python3-dev python3-venv dpkg-dev
    local tree=$PWD/build/debian venv=$PWD/build/python/venv
    local python=$venv/bin/python
    [[ -x $python ]] || python3 -m venv "$venv"
    "$python" -m pip install --quiet nanobind numpy pytest
    rm -rf "$made"
    # The same flags as the tests: what is packaged was tested, and ccache has it. With the prefix /usr, libraries go where Debian has them.
    cmake --preset ci -B "$tree" -DCMAKE_INSTALL_PREFIX=/usr -DWISP_TESTS=OFF -DWISP_PYTHON=ON -DPython_EXECUTABLE="$python"
    cmake --build "$tree"
    cpack --config "$tree/CPackConfig.cmake" -B "$made"
    rm -rf "$made/_CPack_Packages"
    "$python" -m pip wheel --wheel-dir "$made/wheels" --config-settings=cmake.define.WISP_WERROR=ON .
    ls -l "$made"/*.deb "$made/wheels"
}

check() {
    local folder
    folder=$(mktemp -d)
    # shellcheck disable=SC2064
    trap "rm -rf '$folder'" EXIT
    cp -r "$made"/*.deb "$made/wheels" examples tests/packages/* "$folder"
    scripts/debian.sh --only "$folder" bookworm ./debian.sh
    scripts/debian.sh --only "$folder" bookworm ./wheel.sh
}

for job in "${jobs[@]}"; do
    SECONDS=0
    "$job"
    echo "$job: $SECONDS s"
done
