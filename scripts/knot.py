#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Writes scenes/knot.obj: a tube around a trefoil knot, made of quadrilaterals that are counter-clockwise as seen from outside.
import math
import pathlib

ALONG, AROUND, RADIUS = 144, 14, 0.42


def curve(t):
    return (math.sin(t) + 2 * math.sin(2 * t), math.cos(t) - 2 * math.cos(2 * t), -math.sin(3 * t))


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def unit(a):
    length = math.sqrt(sum(x * x for x in a))
    return tuple(x / length for x in a)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


lines = ["# SPDX-License-Identifier: MIT", "# A trefoil knot, written by scripts/knot.py."]
for i in range(ALONG):
    t, e = 2 * math.pi * i / ALONG, 1e-3
    here = curve(t)
    forward = unit(minus(curve(t + e), curve(t - e)))
    # A parallel-transported frame does not close along a knot. A frame derived from the z axis closes.
    side = unit(cross(forward, (0.0, 0.0, 1.0)))
    up = cross(side, forward)
    for j in range(AROUND):
        a = 2 * math.pi * j / AROUND
        position = [h + RADIUS * (math.cos(a) * s + math.sin(a) * u) for h, s, u in zip(here, side, up)]
        lines.append("v " + " ".join(f"{x:.4f}" for x in position))
for i in range(ALONG):
    for j in range(AROUND):
        ring, after = i * AROUND, (i + 1) % ALONG * AROUND
        k = (j + 1) % AROUND
        lines.append("f " + " ".join(str(1 + n) for n in (ring + j, ring + k, after + k, after + j)))
path = pathlib.Path(__file__).resolve().parent.parent / "scenes" / "knot.obj"
path.write_text("\n".join(lines) + "\n")
