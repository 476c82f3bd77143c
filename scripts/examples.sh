#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: examples.sh BUILD. Installs the library of a build folder into an empty folder, builds the examples from there, by CMake and by
# pkg-config, and runs them. Also tests that the library finds what is installed with it. Nothing of the source tree but examples/ and
# tests/installed/ is used.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for component in library development openvdb; do
    cmake --install "$build" --prefix "$folder/wisp" --component "$component" >/dev/null
done
cp -r "$source/examples" "$folder/examples"
cmake -G Ninja -S "$folder/examples" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$folder/wisp" >/dev/null
cmake --build "$folder/build"

export PKG_CONFIG_PATH=$folder/wisp/lib/pkgconfig LD_LIBRARY_PATH=$folder/wisp/lib
[[ $(pkg-config --modversion wisp) == "$(sed -n 's/^Version: //p' "$PKG_CONFIG_PATH/wisp.pc")" ]]
# Flags are words.
# shellcheck disable=SC2046
for program in "$folder/examples/move_sphere.cpp" "$source/tests/installed/scenes.cpp"; do
    "${CXX:-c++}" -std=c++20 -Wall -Wextra -Werror -o "$folder/$(basename "$program" .cpp)" "$program" \
        $(pkg-config --cflags --libs wisp)
done

cd "$folder"
./move_sphere 10 | tee moved.txt
grep -q 'sphere at (0.7[0-9]*, 0.500, 0.5[0-9]*)' moved.txt
"$folder/build/smoke_png" smoke.png 12
# A picture of smoke has many colours.
(($(identify -format '%k' smoke.png) > 100))
# The validation layer is on: any message of it is an error.
"$folder/build/host/host" --frames 3 --size 96x54 --skip 4 --validate --out host_%d.png
(($(identify -format '%k' host_3.png) > 100))
xvfb-run --auto-servernum "$folder/build/host/host" --window --seconds 1 --size 96x54 --validate | tee window.txt
grep -q '^[1-9][0-9]* pictures$' window.txt

# A scene of this installation only, and a volume, in a program that is not installed with the library.
mkdir -p wisp/share/wisp/scenes
echo 'name = "here"' >wisp/share/wisp/scenes/installed_only.toml
if [[ -e $folder/wisp/lib/wisp/wisp_openvdb.so ]]; then
    "$build/wisp" render plume --set 'grid.cells=[20,28,20]' --steps-per-frame 4 --frames 1 --no-picture --volume smoke.vdb >/dev/null
    ./scenes installed_only smoke.vdb
fi
echo "the examples work"
