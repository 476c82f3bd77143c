#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: library_steps.py WISP WISP_LIBRARY_STEPS [SCENE [KEY=VALUE...]]

Compares the time of a step through the library with that of `wisp bench`, of the same steps of the same scene (default: jet), by the clock.
The two programs run in turn five times, and the medians are compared. Exit status 1 if the library takes more than 2 % longer."""
import json
import os
import statistics
import subprocess
import sys
import tempfile

WARMUP, STEPS, RUNS, MOST = 40, 400, 5, 2.0


def bench(program, scene, keys, folder):
    report = os.path.join(folder, "bench.json")
    options = [option for key in keys for option in ("--set", key)]
    subprocess.run([program, "bench", scene, "--warmup", str(WARMUP), "--steps", str(STEPS), "--json", report, *options], check=True,
                   stdout=subprocess.DEVNULL)
    with open(report, encoding="utf-8") as file:
        result = json.load(file)
    os.remove(report)
    return result["wall_ms"], result["gpu_ms"]["step"]["median"]


def library(program, scene, keys):
    return float(subprocess.run([program, scene, str(WARMUP), str(STEPS), *keys], check=True, capture_output=True, text=True).stdout)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    wisp, steps, scene, keys = sys.argv[1], sys.argv[2], (sys.argv[3:4] or ["jet"])[0], sys.argv[4:]
    benched, gpu, stepped = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(RUNS):
            wall, median = bench(wisp, scene, keys, folder)
            benched.append(wall)
            gpu.append(median)
            stepped.append(library(steps, scene, keys))
    one, other = statistics.median(benched), statistics.median(stepped)
    more = 100.0 * (other / one - 1.0)
    verdict = "met" if more <= MOST else "MISSED"
    print(f"{' '.join([scene, *keys])}: wisp bench {one:.4f} ms ({min(benched):.4f} to {max(benched):.4f}; "
          f"GPU {statistics.median(gpu):.4f}), library {other:.4f} ms ({min(stepped):.4f} to {max(stepped):.4f}): {more:+.2f} %, {verdict}")
    sys.exit(more > MOST)


if __name__ == "__main__":
    main()
