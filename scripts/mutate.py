#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutation testing: applies the mutants of tests/mutants.toml to copies of the code, one at a time, and counts how many the tests detect.

usage: mutate.py [--jobs N] [--part I/N] [PART...]   all mutants, or the mutants whose file path contains one of PART
       mutate.py --tests-of-files BUILD              runs the tests that mutants name for the files of standard input

A mutant that builds is killed if a test fails or takes ten minutes. The tests that it names run first: without what only `test.sh --all`
runs, then with it. If none fails, all tests of unit, gpu and physics run, then app. Ends with the number of survivors and the percentages
that the middle tier and all tests have killed. The exit status is 1 if the middle tier has killed fewer than 97 %, or if a mutant survived
or is invalid. The copies are in build/mutate."""
import argparse
import os
import queue
import shutil
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITES = "unit/|gpu/|physics/|app/"
EXECUTABLES = {name: f"wisp_{name}_tests" for name in ("unit", "gpu", "physics", "app", "api")} | {"properties": "wisp_property_tests"}
NO_TEST = 77  # status of a test executable if the tier leaves out all of its chosen tests
FAST = dict(os.environ, WISP_REQUIRE_VULKAN="1", LP_NUM_THREADS="1")


def commands(tests, build):
    """One command per alternative of `tests`: MODULE/SUITE, MODULE/SUITE.TEST (their beginnings suffice) or MODULE/."""
    for name in tests.split("|"):
        module, _, suite = name.partition("/")
        if module in EXECUTABLES:
            yield [build / "tests" / EXECUTABLES[module], "--gtest_brief=1", f"--gtest_filter={suite}*:*/{suite}*", "--gtest_fail_fast"]
        else:
            yield ["ctest", "--test-dir", build, "-R", f"^{name}$", "--output-on-failure", "--no-tests=error"]


def targets(tests):
    return {EXECUTABLES.get(name.split("/")[0], "wisp") for name in tests.split("|")}


def passes(tests, source, build, tier):
    for command in commands(tests, build):
        try:
            status = subprocess.run(command, cwd=source, env=dict(FAST, WISP_TEST_TIER=tier), capture_output=True, timeout=600).returncode
            if status not in (0, NO_TEST):
                return False
        except subprocess.TimeoutExpired:
            return False
    return True


class Copy:
    """A copy of the working tree, with a build folder."""

    def __init__(self, number):
        self.source, self.build = ROOT / f"build/mutate/{number}/source", ROOT / f"build/mutate/{number}/build"

    def take(self):
        """Copies the tracked and new files, and removes all others. Unchanged files keep their times: no rebuild."""
        tracked = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
        for name in filter(None, tracked):
            source, copy = ROOT / name, self.source / name
            if not source.is_file() or (copy.exists() and copy.read_bytes() == source.read_bytes()):
                continue
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
        for copy in self.source.rglob("*"):
            if copy.is_file() and str(copy.relative_to(self.source)) not in tracked:
                copy.unlink()

    def make(self, wanted):
        # One file a mutant is compiled: alone it takes less time than with others. Without precompiled headers, which differ from build to
        # build, a compiler cache has all files for the second copy.
        if not (self.build / "build.ninja").exists():
            subprocess.run(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DWISP_UNITY=OFF",
                            "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"], check=True, stdout=subprocess.DEVNULL)
        return subprocess.run(["cmake", "--build", self.build, "--target", *sorted(wanted)], capture_output=True, text=True)

    def outcome(self, mutant):
        """The tests that killed the mutant, "SURVIVED", or why it is invalid."""
        file = self.source / mutant["file"]
        whole = file.read_text()
        if whole.count(mutant["from"]) != 1:
            return f"INVALID: `from` occurs {whole.count(mutant['from'])} times in the file, must be once"
        try:
            file.write_text(whole.replace(mutant["from"], mutant["to"]))
            for tests in (mutant["tests"], SUITES):
                if self.make(targets(tests)).returncode:
                    return "INVALID: does not build"
                for tier in ("middle", "all"):
                    if not passes(tests, self.source, self.build, tier):
                        return f"killed by {tests}" + (", only in --all" if tier == "all" else "")
            return "SURVIVED"
        finally:
            file.write_text(whole)


def run_mutants(mutants, jobs):
    copies = queue.SimpleQueue()
    wanted = "|".join(sorted({m["tests"] for m in mutants}))
    for number in range(jobs):
        copy = Copy(number)
        copy.take()
        first_build = copy.make(targets(wanted))
        if first_build.returncode:
            sys.exit(first_build.stdout)
        copies.put(copy)

    def run(numbered):
        n, mutant = numbered
        copy = copies.get()
        start = time.monotonic()
        result = copy.outcome(mutant)
        copies.put(copy)
        print(f"{n:3}/{len(mutants)} {mutant['file']}: {mutant['from'].strip()!r} -> {mutant['to'].strip()!r}: {result} ({time.monotonic() - start:.0f} s)", flush=True)
        return result

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(run, enumerate(mutants, 1)))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--part", default="1/1", help="I/N: of the mutants, every N-th from the I-th on")
    options.add_argument("--tests-of-files", metavar="BUILD", type=Path)
    options.add_argument("parts", nargs="*")
    chosen = options.parse_args()
    mutants = tomllib.loads((ROOT / "tests/mutants.toml").read_text())["mutant"]
    if chosen.tests_of_files:
        files = set(sys.stdin.read().split("\n"))
        tests = sorted({name for m in mutants if m["file"] in files for name in m["tests"].split("|")})
        print("tests that mutants of the changed files name:", ", ".join(tests) or "none", flush=True)
        sys.exit(any([subprocess.run(c, cwd=ROOT, env=dict(FAST, WISP_TEST_TIER="all")).returncode for name in tests for c in commands(name, ROOT / chosen.tests_of_files)]))
    mutants = [m for m in mutants if not chosen.parts or any(p in m["file"] for p in chosen.parts)]
    first, every = map(int, chosen.part.split("/"))
    mutants = mutants[first - 1::every]
    outcomes = run_mutants(mutants, chosen.jobs)
    killed, only_all = (sum(o.startswith("killed") for o in outcomes), sum(o.endswith("only in --all") for o in outcomes))
    print(f"{len(mutants)} mutants: {killed} killed, {100 * killed / len(mutants):.1f} %; by the middle tier {killed - only_all}, {100 * (killed - only_all) / len(mutants):.1f} %; "
          f"{outcomes.count('SURVIVED')} survived, {sum(o.startswith('INVALID') for o in outcomes)} invalid")
    sys.exit(0 if killed == len(mutants) and killed - only_all >= 0.97 * len(mutants) else 1)


if __name__ == "__main__":
    main()
