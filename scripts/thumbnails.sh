#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: scripts/thumbnails.sh [NAME...]
# Renders the thumbnails in the window's list of scenes, scenes/thumbnails/NAME.png, for the named built-in scenes (default: all).
# Environment variables: WISP is the program (default: build/release/wisp). COARSER divides the cells along each edge of --quality preview,
# for slow devices (default: 1).
set -euo pipefail
cd "$(dirname "$0")/.."
wisp=${WISP:-build/release/wisp}
coarser=${COARSER:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Simulated time at which an image of the scene is characteristic [s].
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
    # Renders few frames, because each is averaged with the previous ones. The thumbnail is the last frame.
    "$wisp" render "scenes/$name.toml" --quality preview ${cells:+--set "$cells"} --size 160x90 --fps "$(awk "BEGIN { print 4 / $(seconds "$name") }")" --frames 5 --out "$folder/$name" --log-level quiet
    mv "$folder/$name/0004.png" "scenes/thumbnails/$name.png"
    echo "scenes/thumbnails/$name.png"
done
