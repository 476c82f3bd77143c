#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the Debian packages of this folder in a Debian that has nothing else, uses them, and removes them. See scripts/packages.sh.
set -euxo pipefail
export DEBIAN_FRONTEND=noninteractive XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config
install="apt-get install --quiet --yes --no-install-recommends"
apt-get update --quiet

# With what they recommend apt would install a driver and the encoder of videos.
apt-get install --simulate ./*.deb >simulated.txt
for package in mesa-vulkan-drivers ffmpeg; do grep "^Inst $package " simulated.txt; done

# The program, with nothing but its own package, the library and a driver.
$install ./wisp_*.deb ./libwisp0*.deb mesa-vulkan-drivers
wisp --version
wisp check smoke
wisp render smoke --frames 2 --quality preview --size 64x36 --out 'frames/%04d.png'
[[ $(ls frames) == $'0000.png\n0001.png' ]]
[[ $(head -c 8 frames/0001.png | od -An -tx1) == " 89 50 4e 47 0d 0a 1a 0a" ]]
wisp render smoke --frames 1 --no-picture --volume x.vdb 2>message.txt && exit 1
grep "OpenVDB is missing" message.txt
$install ./wisp-openvdb_*.deb
wisp render smoke --frames 1 --quality preview --no-picture --volume x.vdb
[[ $(head -c 4 x.vdb) == " BDV" ]]

# The Python module.
$install ./python3-wisp_*.deb
cat >small.py <<'PYTHON'
import wisp
scene = wisp.Scene("plume", {"grid.cells": [20, 28, 20]})
sim = wisp.Simulation(scene)
sim.step(3)
mass = sim["density"].sum()
sim.step(27)
assert sim["density"].sum() > mass > 0.0, (mass, sim["density"].sum())  # the emitter goes on
print(wisp.__file__, sim["density"].shape, mass)
PYTHON
python3 small.py | tee small.txt
grep '^/usr/lib/python3/dist-packages/wisp/' small.txt
python3 -m wisp --version

# The licences of what is compiled into them.
for package in wisp libwisp0.1; do grep -qi copyright /usr/share/doc/$package/notices/libshaderc-dev; done
grep -qi copyright /usr/share/doc/python3-wisp/notices/nanobind

# Programs that use the library.
$install ./libwisp-dev_*.deb g++ cmake make pkg-config libpng-dev
mkdir by_cmake
cat >by_cmake/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
find_package(wisp 0.1 REQUIRED)
find_package(PNG REQUIRED)
add_executable(smoke_png ../examples/smoke_png.cpp)
target_link_libraries(smoke_png PRIVATE wisp::wisp PNG::PNG)
CMAKE
cmake -S by_cmake -B by_cmake
cmake --build by_cmake
by_cmake/smoke_png smoke.png 4
[[ $(head -c 4 smoke.png | od -An -tx1) == " 89 50 4e 47" ]]
# Flags are words.
# shellcheck disable=SC2046
g++ -std=c++20 -o by_pkg_config examples/move_sphere.cpp $(pkg-config --cflags --libs wisp)
./by_pkg_config 10 | grep 'sphere at (0.7'

# What a desktop and a shell find.
$install man-db desktop-file-utils bash-completion zsh fish
man wisp | col -b >manual.txt
grep 'wisp render' manual.txt
desktop-file-validate /usr/share/applications/wisp.desktop
bash -c 'source /usr/share/bash-completion/bash_completion; _completion_loader wisp; complete -p wisp'
zsh -f -c 'autoload -Uz compinit; compinit -u -D; [[ $_comps[wisp] == _wisp ]]'
fish -c 'complete -C "wisp che"' | grep '^check'

# Formatted pages in /var/cache/man belong to man-db, which deletes them after some days.
dpkg --purge python3-wisp libwisp-dev wisp-openvdb wisp "$(dpkg-query -W -f '${Package}\n' 'libwisp0*')"
left=$(find / -xdev -iname '*wisp*' -not -path "$PWD*" -not -path '/proc/*' -not -path '/var/cache/man/*')
[[ -z $left ]] || { echo "left: $left" >&2; exit 1; }
echo "the Debian packages work"
