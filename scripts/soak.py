#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Soak test: finds in about an hour the problems of a long run, which are memory growth, messages and invalid numbers.

usage: soak.py steps [STEPS]     STEPS steps (default: 100,000) of 16^3 cells with statistics, one image every 100 steps
       soak.py window [SECONDS]  a window on its own display (Xvfb, openbox) with random input for SECONDS (default: 3,600), with validation
       soak.py memory [SECONDS]  the same without validation, whose memory use would hide a growth of wisp's memory

Ends with a line `steps: ...`, `window: ...` or `memory: ...`. The exit status is 1 if a problem was found. Environment variables: WISP is
the program (default: build/release/wisp), SEED is the seed of the random input (default: 1). Files that the window writes go to a temporary
folder."""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WISP = os.path.abspath(os.environ.get("WISP", "build/release/wisp"))
SCENE = """
name = "soak"
[grid]
cells = [16, 16, 16]
size = [1.0, 1.0, 1.0]
[flow]
buoyancy = 0.01
[[emitter]]
centre = [0.5, 0.2, 0.5]
radius = 0.15
velocity = [0.0, 1.0, 0.0]
density = 1.0
temperature = 20.0
colour = [0.9, 0.6, 0.3]
turbulence = 0.2
[[obstacle]]
centre = [0.4, 0.6, 0.5]
radius = 0.12
[[obstacle]]
shape = "box"
centre = [0.7, 0.7, 0.5]
half = [0.08, 0.1, 0.08]
angular_velocity = [0.0, 1.0, 0.5]
[[light]]
intensity = 10.0
[camera]
eye = [0.5, 0.5, 2.5]
target = [0.5, 0.5, 0.5]
"""


def resident(pid):
    """Resident memory of a process [KiB]; None if it has ended."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    except OSError:
        pass
    return None


class Memory:
    """Samples of a process's resident memory. Its growth is the minimum of the last fifth of the samples minus that of the second fifth."""

    def __init__(self):
        self.samples = []

    def sample(self, pid):
        kib = resident(pid)
        if kib:
            self.samples.append(kib)

    def growth(self):
        fifth = len(self.samples) // 5
        return min(self.samples[4 * fifth :]) - min(self.samples[fifth : 2 * fifth]) if fifth else 0

    def __str__(self):
        mib = [s / 1024 for s in self.samples] or [0.0]
        return f"{mib[0]:.0f} to {max(mib):.0f} MiB, at last {mib[-1]:.0f}, growth after the first fifth {self.growth() / 1024:+.1f} MiB"


def soak_steps(folder, steps):
    """Fails if memory grows by more than 4 MiB plus 0.2 KiB per step, or a step is missing, has a wrong time or is not finite."""
    frames = max(steps // 100, 1)
    command = [WISP, "render", "scene.toml", "--frames", str(frames), "--steps-per-frame", "100", "--size", "32x32",
               "--out", "pictures", "--stats", "stats.jsonl", "--validate", "--log-level", "quiet"]
    memory = Memory()
    with open(folder / "log", "w") as log:
        wisp = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
        while wisp.poll() is None:
            if (folder / "pictures/0000.png").exists():  # by then all pipelines have been created
                memory.sample(wisp.pid)
            time.sleep(1)
    problems = [f"exit status {wisp.returncode}"] if wisp.returncode else []
    problems += [line for line in (folder / "log").read_text().splitlines() if line.strip()][:5]
    first, count, speed = None, 0, 0.0
    for line in open(folder / "stats.jsonl"):
        step = json.loads(line)
        count += 1
        first = first or step["time"]
        speed = max(speed, step["max_speed"])
        if step["step"] != count or step["time"] != count * first or not step["finite"]:
            problems.append(f"step {count}: {line[:100]}")
            break
    if count != frames * 100:
        problems.append(f"{count} steps instead of {frames * 100}")
    if memory.growth() > 4096 + 0.2 * steps:
        problems.append("memory grows")
    return f"{count} steps, time exact, fastest {speed:.2f} m/s; {memory}", problems


class RandomInput:
    """Sends random user input to a window: drags, clicks, mouse wheel, keys, resizing, minimising and restoring."""

    KEYS = ["space", "n", "r", "f", "Home", "Tab", "F1", "F3", "F9", "F11", "F12", "F5", "Escape", "ctrl+z", "ctrl+y", "ctrl+s", "ctrl+shift+s"]
    HOLD_KEYS = ["shift", "ctrl", "x", "y", "z", "w", "a", "s", "d", "q", "e"]

    def __init__(self, window, seed):
        self.window, self.random, self.calls = window, random.Random(seed), 0

    def xdotool(self, *arguments):
        subprocess.run(["xdotool", *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        self.calls += 1

    def random_position(self):
        """Arguments of xdotool that move the mouse to a random position in the window."""
        found = subprocess.run(["xdotool", "getwindowgeometry", "--shell", self.window], capture_output=True, text=True).stdout
        size = dict(line.split("=") for line in found.splitlines() if "=" in line)
        return ["mousemove", "--window", self.window, *(self.random.randrange(int(size.get(side, 8))) for side in ("WIDTH", "HEIGHT"))]

    def drag(self):
        held = self.random.choice([[], [], [], self.random.sample(self.HOLD_KEYS, 1)])
        button = self.random.choice([1, 1, 1, 3, 3, 2])
        self.xdotool(*self.random_position(), *(["keydown", held[0]] if held else []), "mousedown", button)
        for _ in range(self.random.randrange(1, 12)):
            self.xdotool(*self.random_position(), *(["click", self.random.choice([4, 5])] if self.random.random() < 0.1 else []))
            time.sleep(self.random.random() * 0.1)
        self.xdotool("mouseup", button, *(["keyup", held[0]] if held else []))

    def click(self):
        self.xdotool(*self.random_position(), "click", self.random.choice([1, 1, 1, 3, 4, 5]))

    def key(self):
        self.xdotool("key", self.random.choice(self.KEYS))

    def hold_key(self):
        key = self.random.choice(self.HOLD_KEYS)
        self.xdotool("keydown", key)
        time.sleep(self.random.random() * 0.3)
        self.xdotool("keyup", key)

    def resize(self):
        self.xdotool("windowsize", self.window, self.random.randrange(1, 1000), self.random.randrange(1, 760))

    def minimise(self):
        self.xdotool("windowminimize", self.window)
        time.sleep(self.random.random())
        self.xdotool("windowactivate", self.window)

    def act(self):
        self.random.choices([self.drag, self.click, self.key, self.hold_key, self.resize, self.minimise], [8, 6, 6, 3, 1, 0.3])[0]()
        time.sleep(self.random.random() * 0.3)


def open_display(folder):
    """Starts an X server with a free display number, and a window manager. Returns their processes."""
    display = folder / "display"
    with open(display, "w") as out:
        server = subprocess.Popen(["Xvfb", "-noreset", "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1024x768x24"],
                                  stdout=out, stderr=subprocess.DEVNULL)
    while not display.read_text().strip():
        time.sleep(0.1)
    os.environ["DISPLAY"] = ":" + display.read_text().strip()
    rules = folder / "openbox.xml"
    rules.write_text('<openbox_config xmlns="http://openbox.org/3.4/rc"/>')  # an empty configuration: the desktop menus of the default one start programs
    manager = subprocess.Popen(["openbox", "--config-file", str(rules)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    return server, manager


def find_window(wisp):
    while wisp.poll() is None:
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "wisp"], capture_output=True, text=True).stdout.split()
        if found:
            return found[-1]
        time.sleep(0.2)
    sys.exit("the window did not open")


def soak_window(folder, seconds, validate=True):
    """Fails if the window ends by itself or logs an error. Without validation, also fails if memory grows by more than 64 MiB after the
    first fifth of the time."""
    os.environ |= {"XDG_CONFIG_HOME": str(folder / "config"), "XDG_CACHE_HOME": str(folder / "cache")}
    server, manager = open_display(folder)
    log = open(folder / "log", "w")
    # Hide the built-in scenes: random input would open them, and they need different amounts of memory.
    without_scenes = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', str(ROOT / "scenes")]
    wisp = subprocess.Popen([*without_scenes, WISP, "run", "scene.toml", "--quality", "standard", *(["--validate"] if validate else []), "--log-level", "debug"], cwd=folder, stdout=log, stderr=log)
    user, memory = RandomInput(find_window(wisp), int(os.environ.get("SEED", "1"))), Memory()
    end, sampled = time.monotonic() + seconds, 0.0
    while time.monotonic() < end and wisp.poll() is None:
        user.act()
        if time.monotonic() > sampled + 10:
            sampled = time.monotonic()
            memory.sample(wisp.pid)
            for file in [*folder.glob("*.png"), *folder.glob("*.mp4"), *folder.glob("*.wisp")]:
                if time.time() - file.stat().st_mtime > 60:
                    file.unlink()
    problems = []
    if wisp.poll() is None:
        for _ in range(20):  # the keys may go to a text field that is being edited
            user.xdotool("windowsize", user.window, 800, 600, "windowactivate", user.window, "key", "Escape", "key", "ctrl+q")
            try:
                wisp.wait(10)
                break
            except subprocess.TimeoutExpired:
                pass
        else:
            problems.append("the window does not close")
            wisp.send_signal(signal.SIGKILL)
            wisp.wait()
    else:
        problems.append(f"the program ended by itself after {seconds - (end - time.monotonic()):.0f} s")
    if wisp.returncode:
        problems.append(f"exit status {wisp.returncode}")
    manager.kill()
    server.kill()
    logged = (folder / "log").read_text().splitlines()
    problems += [line for line in logged if any(word in line.lower() for word in ("error", "vuid", "validation", "nan", "not finite"))][:10]
    if not validate and memory.growth() > 64 * 1024:  # validation layer 1.3.239 keeps 100 kB for every swapchain size
        problems.append("memory grows")
    return f"{seconds} s, {user.calls} calls of xdotool, {len(logged)} log lines; {memory}", problems


def main():
    kinds = {"steps": (soak_steps, 100_000), "window": (soak_window, 3600), "memory": (lambda folder, seconds: soak_window(folder, seconds, validate=False), 3600)}
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    soak, amount = kinds[sys.argv[1]]
    with tempfile.TemporaryDirectory(prefix="wisp-soak-") as name:
        (Path(name) / "scene.toml").write_text(SCENE)
        result, problems = soak(Path(name), int(sys.argv[2]) if len(sys.argv) == 3 else amount)
        if problems:
            kept = Path(tempfile.mkdtemp(prefix="wisp-soak-failed-"))
            os.replace(Path(name) / "log", kept / "log")
            problems.append(f"log: {kept / 'log'}")
    print(f"{sys.argv[1]}: {result}: {'FAILED' if problems else 'passed'}", *problems, sep="\n  ")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
