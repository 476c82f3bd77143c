# SPDX-License-Identifier: MIT
"""Shared code of the comparisons: runs wisp, reads its volumes, and writes rows of the table."""
import json
import os
import struct
import subprocess
import sys
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
WISP = os.environ.get("WISP", os.path.join(HERE, "../../build/release/wisp"))


def wisp(*arguments):
    done = subprocess.run([WISP, *arguments, "--log-level", "quiet"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"wisp {' '.join(arguments)}\n{done.stdout}exit status {done.returncode}, must be 0")


class Rows:
    """Writes the rows of the table, one JSON object a line. `bound` is (low, high), or None for a value that is only reported."""

    def __init__(self, path, case):
        self.file, self.case = open(path, "a"), case

    def add(self, what, got, bound=None, required=True):
        kept = bound is None or bool(bound[0] <= got <= bound[1])
        verdict = "reported" if bound is None else "kept" if kept else "missed" if required else "wanted"
        expected = "-" if bound is None else f"in [{bound[0]:.4g}, {bound[1]:.4g}]"
        row = {"case": self.case, "what": what, "expected": expected, "got": f"{got:.4g}", "verdict": verdict}
        self.file.write(json.dumps(row) + "\n")
        self.file.flush()
        print(f"  {what}: {got:.4g} ({expected}, {verdict})", flush=True)


def read_grid(path, name, cells):
    """Reads a float grid of a NanoVDB 32.4 file as an array [z][y][x] with `cells` along each axis. Values that are not stored are 0."""
    data = open(path, "rb").read()
    _, version, count, codec = struct.unpack_from("<QIHH", data, 0)
    if version >> 21 != 32 or codec != 1:
        raise ValueError(f"{path}: is NanoVDB {version >> 21}, codec {codec}; must be 32, codec 1 (ZIP)")
    at, heads = 16, []
    for _ in range(count):
        size, stored = struct.unpack_from("<QQ", data, at)
        length, = struct.unpack_from("<I", data, at + 136)
        heads.append((data[at + 176:at + 176 + length].split(b"\0")[0].decode(), size, stored))
        at += 176 + length
    for grid, size, stored in heads:
        if grid == name:
            return _dense(zlib.decompress(data[at + 8:at + stored], bufsize=size), cells)
        at += stored
    raise ValueError(f"{path}: has no grid {name}; it has {[h[0] for h in heads]}")


def _dense(grid, cells):
    # Sizes of GridData and of a leaf of 8^3 floats. Offsets in a leaf: corner 0, mask 16, statistics 80, values 96.
    head, leaf_bytes = 672, 2144
    leaves, = struct.unpack_from("<Q", grid, head)
    count, = struct.unpack_from("<I", grid, head + 32)
    out = np.zeros([n + -n % 8 for n in cells[::-1]], np.float32)
    for n in range(count):
        at = head + leaves + n * leaf_bytes
        x, y, z = (v & ~7 for v in struct.unpack_from("<3i", grid, at))
        active = np.unpackbits(np.frombuffer(grid, np.uint8, 64, at + 16), bitorder="little").reshape(8, 8, 8)
        values = np.frombuffer(grid, "<f4", 512, at + 96).reshape(8, 8, 8)  # [x][y][z]
        out[z:z + 8, y:y + 8, x:x + 8] = np.where(active, values, 0.0).transpose(2, 1, 0)
    return out[:cells[2], :cells[1], :cells[0]]
