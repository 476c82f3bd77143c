# SPDX-License-Identifier: MIT
"""Writes the rows as the last section of a page. Fails if a result is out of bounds. usage: table.py ROWS PAGE REVISION"""
import datetime
import importlib.metadata
import json
import os
import sys

from light import CASES

HEADING = "\n## Against other programs\n"  # wisp_verify_table keeps the section with this heading


def main(path, page, revision):
    rows = [json.loads(line) for line in open(path)]
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("mitsuba", "phiflow", "numpy"))
    run = sum(": path / Mitsuba" in row["what"] for row in rows)
    text = HEADING + "\nWritten by `scripts/outside.sh`. Path mode must agree with Mitsuba's volpath. Raymarch is an approximation: its bounds are goals, not yet requirements.\n\n"
    text += f"{datetime.date.today()}, revision {revision}, {versions}. {run} of {len(CASES)} light cases were run.\n\n| case | what | expected | got | verdict |\n|---|---|---|---|---|\n"
    before = ""
    for row in rows:
        case = "" if row["case"] == before else row["case"]
        before = row["case"]
        verdict = row["verdict"] if row["verdict"] in ("kept", "reported") else f"**{row['verdict']}**"
        text += f"| {case} | {row['what']} | {row['expected']} | {row['got']} | {verdict} |\n"
    old = open(page).read().split(HEADING)[0].rstrip("\n") + "\n" if os.path.exists(page) else ""
    with open(page, "w") as out:
        out.write(old + text)
    missed = sum(row["verdict"] == "missed" for row in rows)
    wanted = sum(row["verdict"] == "wanted" for row in rows)
    print(f"{page}: {len(rows)} rows, {missed} missed, {wanted} bounds of raymarch (goals only) not met")
    return 1 if missed or (wanted and os.environ.get("WISP_OUTSIDE_RAYMARCH") == "1") else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
