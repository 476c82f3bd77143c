#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the code stands in order: a room includes only rooms before it, and no unit (a header with its .cpp) includes
itself by way of others. Prints a table of the rooms. usage: scripts/rooms.py"""
import os
import re
import sys

# In order: what a file of a room includes is in that room or in one before it. Folders within a room belong to it.
ROOMS = ["engine",
         "compute/scene", "compute/domain", "compute/pressure", "compute/smoke", "compute/liquid", "compute/sim", "compute/picture",
         "app/base", "app/scene", "app/output", "app/run", "app/bench", "app/live", "app/cli", "app"]


def room_of(path):
    """The room with the longest name that the file lies in."""
    return max((room for room in ROOMS if path.startswith(room + "/")), key=len, default=None)


def unit_of(path):
    return os.path.splitext(path)[0]


def read_sources():
    """Lines of every source by its path."""
    sources = {}
    for top in sorted({room.split("/")[0] for room in ROOMS}):
        for folder, _, names in os.walk(top):
            for name in sorted(names):
                if name.endswith((".h", ".cpp")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        sources[path] = file.read().splitlines()
    return sources


def includes_of(sources):
    """(file, line number, included file) of every include of another of these files."""
    for path, lines in sources.items():
        for number, line in enumerate(lines, 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if match and match[1] in sources:
                yield path, number, match[1]


def circles_of(graph):
    """Sets of units each of which includes all others by some way (Tarjan's strongly connected components)."""
    index, low, stack, found = {}, {}, [], []

    def visit(unit):
        index[unit] = low[unit] = len(index)
        stack.append(unit)
        for other in graph[unit]:
            if other not in index:
                visit(other)
            if other in stack:
                low[unit] = min(low[unit], low[other])
        if low[unit] == index[unit]:
            circle = stack[stack.index(unit):]
            del stack[stack.index(unit):]
            if len(circle) > 1:
                found.append(sorted(circle))

    for unit in sorted(graph):
        if unit not in index:
            visit(unit)
    return found


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    sys.setrecursionlimit(10000)
    sources = read_sources()
    problems = [f"{path}: is in no room; scripts/rooms.py lists them" for path in sources if room_of(path) is None]
    up = dict.fromkeys(ROOMS, 0)
    graph = {unit_of(path): set() for path in sources}
    for path, number, other in includes_of(sources):
        here, there = room_of(path), room_of(other)
        if unit_of(path) != unit_of(other):
            graph[unit_of(path)].add(unit_of(other))
        if here and there and ROOMS.index(there) > ROOMS.index(here):
            up[here] += 1
            problems.append(f"{path}:{number}: includes {other}, but {there} comes after {here}")
    for circle in circles_of(graph):
        members = set(circle)
        ways = "".join(f"\n    {unit} includes {', '.join(sorted(graph[unit] & members))}" for unit in circle)
        problems.append(f"{circle[0]}: a circle of {len(circle)} units:{ways}")
    print(f"{'room':<18}{'files':>6}{'lines':>7}{'up':>4}  longest file")
    for room in ROOMS:
        files = {path: len(lines) for path, lines in sources.items() if room_of(path) == room}
        longest = max(files, key=files.get, default=None)
        text = f"{longest} ({files[longest]})" if longest else ""
        print(f"{room:<18}{len(files):>6}{sum(files.values()):>7}{up[room]:>4}  {text}")
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit(f"scripts/rooms.py: {len(problems)} problems")


if __name__ == "__main__":
    main()
