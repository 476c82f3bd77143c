#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the small pictures that the window shows in its list of scenes: scenes/thumbnails/NAME.png, of the built-in scenes that are named, or of all.
# usage: scripts/thumbnails.sh [NAME...]
# WISP is the program, by default build/release/wisp; COARSER how many times fewer cells there are along an edge than with --quality preview, by default 1, for slow devices.
set -euo pipefail
cd "$(dirname "$0")/.."
wisp=${WISP:-build/release/wisp}
coarser=${COARSER:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Seconds of the scene after which its picture shows what it is about.
seconds() {
    case $1 in
        arrows | lab) echo 1.0 ;;
        dam_break) echo 0.5 ;;
        ink) echo 3.0 ;;
        *) echo 1.2 ;;
    esac
}

[ $# -gt 0 ] || set -- $(cd scenes && ls -- *.toml | sed 's/\.toml$//')
mkdir -p scenes/thumbnails
for name in "$@"; do
    cells=$(sed -n 's/^cells = \[\([0-9]*\), \([0-9]*\), \([0-9]*\)\].*/\1 \2 \3/p' "scenes/$name.toml" | awk -v n="$coarser" '{ print "grid.cells=[" $1 / n "," $2 / n "," ($3 > 1 ? $3 / n : 1) "]" }')
    # Few pictures on the way, each a mean with those before it; the last one counts.
    "$wisp" render "scenes/$name.toml" --quality preview ${cells:+--set "$cells"} --size 160x90 --fps "$(awk "BEGIN { print 4 / $(seconds "$name") }")" --frames 5 --out "$folder/$name" --log-level quiet
    mv "$folder/$name/0004.png" "scenes/thumbnails/$name.png"
    echo "scenes/thumbnails/$name.png"
done
