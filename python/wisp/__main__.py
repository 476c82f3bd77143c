# SPDX-License-Identifier: MIT
"""python -m wisp ARGUMENTS runs the program wisp: the one of this package, or else the one on PATH."""
from __future__ import annotations

import os
import shutil
import sys


def program() -> str:
    """Path of the program. Raises FileNotFoundError."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "wisp")
    found = own if os.access(own, os.X_OK) else shutil.which("wisp")
    if found is None:
        raise FileNotFoundError("the program wisp is not part of this package, and not on PATH: build the package with "
                                "-C cmake.define.WISP_PROGRAM=ON, or install wisp")
    return found


def main() -> None:
    try:
        path = program()
        os.execv(path, ["wisp", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
