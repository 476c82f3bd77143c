#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the include dependencies. A module ("module") includes only itself and modules before it in the list below. No unit (a header and
its .cpp) includes itself indirectly. Modules of INTERFACE_ONLY use the library by its interface. Prints a table of the modules.
usage: scripts/modules.py"""
import os
import re
import sys

# In order of dependency: a file includes only files of its own module and of modules before it. Subfolders belong to the module.
MODULES = ["engine",
         "compute/scene", "compute/domain", "compute/pressure", "compute/smoke", "compute/liquid", "compute/sim", "compute/picture",
         "files/base", "files/scene", "files/model", "files/volume", "files/openvdb", "files/checkpoint", "api",
         "app/base", "app/output", "app/run", "app/bench", "app/wedge", "app/job", "app/live", "app/cli", "app"]

# Modules of the program that use the library by its interface alone. Of the files above they include only these.
ALLOWED = ("app/", "files/base/")
INTERFACE_ONLY = {
    "app/base": ALLOWED,
    "app/output": ALLOWED,
    "app/run": ALLOWED,
    "app/bench": ALLOWED,
    "app/wedge": ALLOWED,
    "app/cli": ALLOWED,
    "app": ALLOWED,
    # The window is a host of the library: it has a device, a swapchain and shaders of its own, and edits a scene as plain data.
    "app/live": ALLOWED + ("files/scene/", "compute/scene/", "engine/", "shaders/shared/"),
}


def module_of(path):
    """The module that contains the file: of several, the one with the longest name."""
    return max((module for module in MODULES if path.startswith(module + "/")), key=len, default=None)


def unit_of(path):
    return os.path.splitext(path)[0]


def read_sources():
    """The lines of every source file, by its path."""
    sources = {}
    for top in sorted({module.split("/")[0] for module in MODULES}):
        for folder, _, names in os.walk(top):
            for name in sorted(names):
                if name.endswith((".h", ".cpp")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        sources[path] = file.read().splitlines()
    return sources


def includes_of(sources):
    """(file, line number, included file) for every include of one of these files."""
    for path, lines in sources.items():
        for number, line in enumerate(lines, 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if match and match[1] in sources:
                yield path, number, match[1]


def cycles_of(graph):
    """Sets of units that include each other, directly or indirectly (Tarjan's strongly connected components)."""
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
            cycle = stack[stack.index(unit):]
            del stack[stack.index(unit):]
            if len(cycle) > 1:
                found.append(sorted(cycle))

    for unit in sorted(graph):
        if unit not in index:
            visit(unit)
    return found


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    sys.setrecursionlimit(10000)
    sources = read_sources()
    problems = [f"{path}: is in no module; add its folder to MODULES in scripts/modules.py" for path in sources if module_of(path) is None]
    up = dict.fromkeys(MODULES, 0)
    graph = {unit_of(path): set() for path in sources}
    for path, number, other in includes_of(sources):
        here, there = module_of(path), module_of(other)
        if unit_of(path) != unit_of(other):
            graph[unit_of(path)].add(unit_of(other))
        if here and there and MODULES.index(there) > MODULES.index(here):
            up[here] += 1
            problems.append(f"{path}:{number}: includes {other}, but module {there} comes after module {here}")
        if here in INTERFACE_ONLY and not other.startswith(INTERFACE_ONLY[here]):
            problems.append(f"{path}:{number}: includes {other}, but module {here} uses the library by include/wisp alone")
    for cycle in cycles_of(graph):
        members = set(cycle)
        edges = "".join(f"\n    {unit} includes {', '.join(sorted(graph[unit] & members))}" for unit in cycle)
        problems.append(f"{cycle[0]}: an include cycle of {len(cycle)} units:{edges}")
    print(f"{'module':<18}{'files':>6}{'lines':>7}{'up':>4}  longest file")
    for module in MODULES:
        files = {path: len(lines) for path, lines in sources.items() if module_of(path) == module}
        longest = max(files, key=files.get, default=None)
        text = f"{longest} ({files[longest]})" if longest else ""
        print(f"{module:<18}{len(files):>6}{sum(files.values()):>7}{up[module]:>4}  {text}")
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit(f"scripts/modules.py: {len(problems)} problems")


if __name__ == "__main__":
    main()
