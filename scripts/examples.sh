#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: examples.sh BUILD. Installs the library of a build folder into an empty folder, builds the examples from there, by CMake and by
# pkg-config, and runs them. Nothing of the source tree but examples/ is used.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for component in library development; do
    cmake --install "$build" --prefix "$folder/wisp" --component "$component" >/dev/null
done
cp -r "$source/examples" "$folder/examples"
cmake -G Ninja -S "$folder/examples" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$folder/wisp" >/dev/null
cmake --build "$folder/build"

export PKG_CONFIG_PATH=$folder/wisp/lib/pkgconfig LD_LIBRARY_PATH=$folder/wisp/lib
[[ $(pkg-config --modversion wisp) == "$(sed -n 's/^Version: //p' "$PKG_CONFIG_PATH/wisp.pc")" ]]
# Flags are words.
# shellcheck disable=SC2046
"${CXX:-c++}" -std=c++20 -Wall -Wextra -Werror -o "$folder/by_pkg_config" "$folder/examples/move_sphere.cpp" \
    $(pkg-config --define-variable=prefix="$folder/wisp" --cflags --libs wisp)

cd "$folder"
"$folder/by_pkg_config" 10 | tee moved.txt
grep -q 'sphere at (0.7[0-9]*, 0.500, 0.5[0-9]*)' moved.txt
"$folder/build/smoke_png" smoke.png 12
# A picture of smoke has many colours.
(($(identify -format '%k' smoke.png) > 100))
echo "the examples work"
