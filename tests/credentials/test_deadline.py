import threading

import pytest

from acctcli.credentials.deadline import CallError, call_within
from tests.credentials.terminal import run_on_terminal

HANG_WITH_ECHO_OFF = """
import termios, threading
from acctcli.credentials.deadline import call_within

asked = threading.Event()

def ask():
    modes = termios.tcgetattr(0)
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(0, termios.TCSANOW, modes)
    print("off" if not termios.tcgetattr(0)[3] & termios.ECHO else "on")
    asked.set()
    threading.Event().wait()

try:
    call_within(1, ask)
except TimeoutError:
    print("on" if asked.is_set() and termios.tcgetattr(0)[3] & termios.ECHO else "off")
"""


def test_an_answer_in_time_is_returned() -> None:
    assert call_within(10, lambda: "token") == "token"


def test_what_the_call_raises_is_told_with_its_cause() -> None:
    def fail() -> None:
        raise OSError("bus")

    with pytest.raises(CallError, match="OSError") as caught:
        call_within(10, fail)
    assert caught.value.error is caught.value.__cause__
    assert isinstance(caught.value.error, OSError)


def test_a_call_that_hangs_is_left_behind_in_a_daemon_thread() -> None:
    release, before = threading.Event(), set(threading.enumerate())
    with pytest.raises(TimeoutError):
        call_within(0.01, release.wait)
    assert [thread.daemon for thread in set(threading.enumerate()) - before] == [True]
    release.set()


def test_without_time_left_nothing_is_called() -> None:
    called: list[int] = []
    with pytest.raises(TimeoutError):
        call_within(0, lambda: called.append(1))
    assert called == []


def test_a_hanging_password_question_leaves_the_terminal_echoing() -> None:
    assert run_on_terminal(HANG_WITH_ECHO_OFF) == (0, b"off\r\non\r\n")
