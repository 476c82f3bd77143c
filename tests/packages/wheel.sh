#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the wheel in a Debian that has nothing but Python and a Vulkan driver, and uses it. See scripts/packages.sh.
set -euxo pipefail
export DEBIAN_FRONTEND=noninteractive XDG_CACHE_HOME=$PWD/cache XDG_CONFIG_HOME=$PWD/config
apt-get update --quiet
apt-get install --quiet --yes --no-install-recommends python3 python3-venv
python3 -m venv venv
venv/bin/pip install --no-index --find-links wheels wisp
cat >small.py <<'PYTHON'
import wisp
scene = wisp.Scene("plume", {"grid.cells": [20, 28, 20]})
try:
    sim = wisp.Simulation(scene)
except wisp.Error as error:
    print("error:", error)
    raise SystemExit(3)
sim.step(3)
mass, picture = sim["density"].sum(), sim.render(64, 36)
assert mass > 0.0 and picture.shape == (36, 64, 4), (mass, picture.shape)
sim.step(27)
assert sim["density"].sum() > mass, (mass, sim["density"].sum())  # the emitter goes on
assert (sim.render(64, 36) != picture).any()
print("mass", mass, sim["density"].sum())
PYTHON
# No Vulkan: an error, not a crash.
status=0
venv/bin/python small.py | tee none.txt || status=$?
((status == 3))
grep '^error: .*Vulkan' none.txt

apt-get install --quiet --yes --no-install-recommends mesa-vulkan-drivers
venv/bin/python small.py
[[ -f $(echo venv/lib/python3*/site-packages/wisp/wisp_openvdb.so) ]]  # for .vdb files, where libopenvdb is installed
venv/bin/python -m wisp --version
venv/bin/python -m wisp check smoke
venv/bin/python -m wisp render smoke --frames 1 --quality preview --size 64x36 --out 'frames/%04d.png'
[[ $(head -c 4 frames/0000.png | od -An -tx1) == " 89 50 4e 47" ]]
# Each library that is not wisp's own comes with its licence.
for name in nanobind libshaderc-dev libpng16-16 zlib1g; do
    grep -qi copyright venv/lib/python3*/site-packages/wisp/notices/$name
done
venv/bin/pip uninstall --yes wisp
left=$(find venv -iname '*wisp*')
[[ -z $left ]] || { echo "left: $left" >&2; exit 1; }
echo "the wheel works"
