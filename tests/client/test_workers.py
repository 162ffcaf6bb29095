from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import Future

import pytest

from acctcli.client.workers import Workers


def test_results_come_to_whoever_asked() -> None:
    def square(number: int) -> int:
        return number * number

    with Workers(3, square) as workers:
        asked = [workers.submit(number) for number in range(50)]
        assert [future.result() for future in asked] == [number * number for number in range(50)]


def test_an_error_is_raised_where_the_result_is_wanted() -> None:
    def work(number: int) -> int:
        return 1 // number

    with Workers(2, work) as workers:
        bad, good = workers.submit(0), workers.submit(1)
        assert good.result() == 1
        with pytest.raises(ZeroDivisionError):
            bad.result()


def test_the_end_waits_for_no_stalled_call_and_starts_nothing_new() -> None:
    release, began = threading.Event(), threading.Event()
    started: list[int] = []

    def work(number: int) -> int:
        started.append(number)
        began.set()
        release.wait()
        return number

    asked: list[Future[int]] = []
    with Workers(1, work) as workers:
        asked = [workers.submit(1), workers.submit(2)]
        began.wait()
    # here although the first call still waits
    assert not asked[0].done()
    release.set()
    assert asked[0].result() == 1
    assert started == [1]


INTERRUPTED = """
import signal, time
from threading import Event, Thread
from acctcli.client.workers import Workers

def press():
    time.sleep(0.2)
    # taken by this thread: nothing wakes the main thread, as when the signal comes just before it waits
    signal.raise_signal(signal.SIGINT)

with Workers(1, lambda _: Event().wait()) as workers:
    Thread(target=press).start()
    try:
        workers.submit(None).result()
    except KeyboardInterrupt:
        print("noticed")
"""


def test_ctrl_c_is_noticed_although_nothing_wakes_the_wait() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout == "noticed\n", done.stderr
