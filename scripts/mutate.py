#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutation testing: applies the mutants of tests/mutants.toml to a copy of the code, one at a time, and counts how many the tests detect.

usage: mutate.py [--jobs N] [PART...]   all mutants, or the mutants whose file path contains one of PART

A mutant that builds is killed if a test fails or takes ten minutes. The tests named by the mutant run first, then all tests of unit, gpu
and physics, then app. Ends with the number of survivors and the percentage of killed mutants. The exit status is 1 if fewer than 95 % were
killed or a mutant is invalid. The copy is in build/mutate."""
import argparse
import os
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPY, BUILD = ROOT / "build/mutate/source", ROOT / "build/mutate/build"
SUITES = ["^(unit|gpu|physics)/", "^app/"]


def copy_sources():
    """Copies the tracked and new files of the working tree, and removes all others. Unchanged files keep their times: no rebuild."""
    tracked = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, tracked):
        source, copy = ROOT / name, COPY / name
        if not source.is_file() or (copy.exists() and copy.read_bytes() == source.read_bytes()):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    for copy in COPY.rglob("*"):
        if copy.is_file() and str(copy.relative_to(COPY)) not in tracked:
            copy.unlink()


def build():
    return subprocess.run(["cmake", "--build", BUILD], capture_output=True, text=True)


def passes(tests, jobs):
    return subprocess.run(["ctest", "--test-dir", BUILD, "-R", tests, "-j", str(jobs), "--stop-on-failure", "--timeout", "600", "--no-tests=error"],
                          env=dict(os.environ, WISP_REQUIRE_VULKAN="1"), capture_output=True, text=True).returncode == 0


def outcome(mutant, jobs):
    """The tests that killed the mutant, "SURVIVED", or why it is invalid."""
    file = COPY / mutant["file"]
    whole = file.read_text()
    if whole.count(mutant["from"]) != 1:
        return f"INVALID: `from` occurs {whole.count(mutant['from'])} times in the file, must be once"
    try:
        file.write_text(whole.replace(mutant["from"], mutant["to"]))
        if build().returncode:
            return "INVALID: does not build"
        return next((f"killed by {tests}" for tests in [mutant["tests"], *SUITES] if not passes(tests, jobs)), "SURVIVED")
    finally:
        file.write_text(whole)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("parts", nargs="*")
    chosen = options.parse_args()
    mutants = [m for m in tomllib.loads((ROOT / "tests/mutants.toml").read_text())["mutant"] if not chosen.parts or any(p in m["file"] for p in chosen.parts)]
    copy_sources()
    if not (BUILD / "build.ninja").exists():
        subprocess.run(["cmake", "-S", COPY, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2"], check=True, stdout=subprocess.DEVNULL)
    first_build = build()
    if first_build.returncode:
        sys.exit(first_build.stdout)
    expected = "|".join(sorted({m["tests"] for m in mutants}))
    if not passes(expected, chosen.jobs):
        sys.exit("tests fail without a mutant; see build/mutate/build/Testing/Temporary/LastTest.log")

    outcomes = []
    for n, mutant in enumerate(mutants, 1):
        start = time.monotonic()
        outcomes.append(outcome(mutant, chosen.jobs))
        print(f"{n:3}/{len(mutants)} {mutant['file']}: {mutant['from'].strip()!r} -> {mutant['to'].strip()!r}: {outcomes[-1]} ({time.monotonic() - start:.0f} s)", flush=True)
    build()
    killed = sum(o.startswith("killed") for o in outcomes)
    print(f"{killed} of {len(mutants)} mutants killed, {100 * killed / len(mutants):.1f} %, {outcomes.count('SURVIVED')} survived, {sum(o.startswith('INVALID') for o in outcomes)} invalid")
    sys.exit(0 if killed >= 0.95 * len(mutants) and not any(o.startswith("INVALID") for o in outcomes) else 1)


if __name__ == "__main__":
    main()
