# SPDX-License-Identifier: MIT
"""Compares the mass in a volume file with the mass that wisp reports. usage: volumes.py ROWS FOLDER"""
import json
import sys

from common import HERE, Rows, read_grid, wisp


def main(path, folder):
    rows = Rows(path, "mass in .nvdb files")
    for precision in ("float", "half"):
        wisp("render", f"{HERE}/cloud.toml", "--frames", "2", "--steps-per-frame", "10", "--size", "16x16", "--out", f"{folder}/m%01d.png", "--overwrite",
             "--volume", f"{folder}/m%01d.nvdb", "--volume-threshold", "0", "--stats", f"{folder}/m.jsonl", "--set", f"grid.precision={precision}")
        steps = [json.loads(line) for line in open(f"{folder}/m.jsonl")]
        for frame, step in ((0, steps[9]), (1, steps[19])):
            mass = read_grid(f"{folder}/m{frame}.nvdb", "density", (48, 48, 48)).sum(dtype="f8") / 48**3
            # wisp sums floats within groups, then over the groups. 2e-6 corresponds to 34 rounding errors of 2^-24 in the same direction.
            rows.add(f"{precision}, after {10 * frame + 10} steps: integrated against reported, relative difference", abs(mass / step["mass"] - 1), (0, 2e-6))


if __name__ == "__main__":
    main(*sys.argv[1:])
