#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how many seconds each module took to compile and to test.

usage: times.py BUILD SINCE [--limit SECONDS]
BUILD: a build folder of Ninja with tests.xml, the JUnit report of ctest. SINCE: compile jobs that ended earlier are left out [s since 1970].
--limit: fails if the tests took longer from the first to the last."""
import argparse
import xml.etree.ElementTree as xml
from collections import Counter
from pathlib import Path


def module_of(output):
    """The module of a file that Ninja wrote: the first folder, and the test executable."""
    parts = output.split("/")
    if output.endswith(".spv"):
        return "shaders"
    if "CMakeFiles" not in parts:
        return "linking"
    return parts[0] if parts[0] != "tests" else "tests/" + parts[2].removesuffix(".dir").removeprefix("wisp_").removesuffix("_tests")


def compile_times(build, since):
    """Job seconds by module. A command may have several outputs: it is counted once."""
    jobs = {}
    for line in (build / ".ninja_log").read_text().splitlines()[1:]:
        begin, end, written, output, command = line.split("\t")
        if int(written) * 1e-9 >= since:
            jobs[begin, end, command] = module_of(output), (int(end) - int(begin)) / 1000
    times = Counter()
    for module, seconds in jobs.values():
        times[module] += seconds
    return times


def test_times(build):
    times = Counter()
    for case in xml.parse(build / "tests.xml").getroot().iter("testcase"):
        times[case.get("name").split("/")[0].split(".")[0]] += float(case.get("time"))
    return times


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build", type=Path)
    options.add_argument("since", type=float)
    options.add_argument("--limit", type=float)
    chosen = options.parse_args()
    for title, times in [("compiling", compile_times(chosen.build, chosen.since)), ("testing", test_times(chosen.build))]:
        print(f"{title:<24}{sum(times.values()):8.1f} s of one processor")
        for module, seconds in times.most_common():
            print(f"  {module:<22}{seconds:8.1f}")
    if chosen.limit:
        wall = float(xml.parse(chosen.build / "tests.xml").getroot().get("time", 0))
        print(f"tests: {wall:.0f} s from the first to the last, at most {chosen.limit:.0f} s are allowed")
        if wall > chosen.limit:
            raise SystemExit("scripts/times.py: the tests take too long; docs/testing.md says how tests move to another tier")


if __name__ == "__main__":
    main()
