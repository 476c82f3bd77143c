# SPDX-License-Identifier: MIT
import os
import signal
import threading
import time

import pytest
import wisp
from conftest import PLUME


@pytest.fixture
def interrupts():
    """Ctrl+C works, although a shell ignores it in background jobs."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_and_a_second_thread(sim, interrupts):
    """A thread sees that the first one is inside step(), and that its calls are refused; then it interrupts the first one."""
    seen = {}

    def other():
        while sim.steps < 2:
            time.sleep(0.001)
        for name, use in {"step": sim.step, "read": lambda: sim["density"], "place": lambda: sim.obstacles[0].place((0, 0, 0))}.items():
            try:
                use()
            except wisp.BusyError as error:
                seen[name] = error.code
        seen["time"] = sim.time  # always readable
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=other)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        sim.step(10_000_000)
    thread.join()
    assert seen.pop("time") >= 2 * sim.dt
    assert seen == dict.fromkeys(["step", "read", "place"], wisp.ErrorCode.BUSY)
    # The simulation can go on, after a whole number of steps, and is the same as one without an interruption.
    steps = sim.steps
    assert 2 <= steps < 10_000_000
    sim.step()
    assert (sim.steps, sim.time) == (steps + 1, (steps + 1) * sim.dt)
    result = sim["density"]
    sim.reset()
    sim.step(steps + 1)
    assert (sim["density"] == result).all()


def test_ctrl_c_in_a_path_traced_picture(sim, interrupts):
    """It ends between two samples, and the next picture is complete."""
    sim.set({"render.mode": "path", "render.samples": 2})
    sim.step(4)
    expected = sim.render(16, 16)
    sim.set("render.samples", 1_000_000)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sim.render(16, 16)
    timer.join()
    sim.set("render.samples", 2)
    assert (sim.render(16, 16) == expected).all()


def test_a_signal_handler_that_raises_something_else(sim):
    def handler(*_):
        raise LookupError("from the handler")

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(LookupError, match="from the handler"):
            sim.step(10_000_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    sim.step()


def test_simulations_in_threads_are_independent(sim):
    sim.step(4)
    expected = sim["density"]
    results = {}

    def work(number):
        with wisp.Simulation(PLUME) as own:
            for _ in range(4):
                own.step()
            results[number] = own["density"]

    threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 2 and all((result == expected).all() for result in results.values())


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork(sim):
    child = os.fork()
    if child == 0:
        status = 1
        try:
            for use in (sim.step, lambda: sim["density"], lambda: sim.device.name, sim.close):
                try:
                    use()
                    break
                except wisp.OutdatedError:
                    pass
            else:
                from wisp import _device

                status = 0 if _device._default is None else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    sim.step()  # the parent goes on
