"""An end by two clocks: whichever comes to it first."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import msgspec
import pytest

from acctcli.settings import expiry
from acctcli.settings.expiry import MARGIN, Expiry

HOUR, DAY = 3600.0, 86_400.0


@dataclass
class Machine:
    """The clocks of a machine: `wall` may be set, `ticks` only go on; `boot` tells its runs apart."""

    wall: float = 1_790_000_000.0
    ticks: float = 5_000.0
    boot: str = "first"

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.wall += seconds
        self.ticks += seconds


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine()
    clocks = SimpleNamespace(time=lambda: made.wall, monotonic=lambda: made.ticks)
    monkeypatch.setattr(expiry, "time", clocks)
    monkeypatch.setattr(expiry, "boot", lambda: made.boot)
    return made


def test_it_is_over_a_minute_before_its_end(machine: Machine) -> None:
    end = Expiry.after(HOUR)
    machine.wait(HOUR - MARGIN - 1)
    assert (end.is_over(), end.is_over(0.0)) == (False, False)
    machine.wait(1)
    assert (end.is_over(), end.is_over(0.0)) == (True, False)
    machine.wait(MARGIN)
    assert end.is_over(0.0)


@pytest.mark.parametrize("back", [1.0, HOUR, DAY, 20 * 365 * DAY])
def test_a_wall_clock_that_is_set_back_makes_nothing_last(machine: Machine, back: float) -> None:
    end = Expiry.after(HOUR)
    machine.wall -= back
    assert not end.is_over()
    machine.wait(HOUR - MARGIN - 1)
    assert not end.is_over()
    machine.wait(1)
    assert end.is_over()


def test_a_wall_clock_that_is_set_forward_ends_it_until_it_is_set_right(machine: Machine) -> None:
    end = Expiry.after(HOUR)
    machine.wall += DAY
    assert end.is_over()
    machine.wall -= DAY
    assert not end.is_over()
    # what begins while the clock is wrong lasts its time by the clock that nobody sets
    machine.wall += DAY
    wrong = Expiry.after(HOUR)
    machine.wall -= DAY
    machine.wait(HOUR - MARGIN - 1)
    assert not wrong.is_over()
    machine.wait(1)
    assert wrong.is_over()


def test_a_machine_that_slept_goes_by_its_wall_clock(machine: Machine) -> None:
    """The clock that nobody sets may stand still meanwhile."""
    end = Expiry.after(HOUR)
    machine.wall += HOUR
    assert end.is_over()


@pytest.mark.parametrize("ticks", [0.0, 5_000.0, 10_000_000.0])
def test_after_a_new_start_the_other_clock_says_nothing(machine: Machine, ticks: float) -> None:
    end = Expiry.after(HOUR)
    machine.boot, machine.ticks = "second", ticks
    assert not end.is_over()
    machine.wall += HOUR
    assert end.is_over()


def test_what_is_kept_is_read_as_it_was(machine: Machine) -> None:
    end = Expiry.after(HOUR)
    assert msgspec.json.decode(msgspec.json.encode(end), type=Expiry) == end
    # an entry with one clock alone
    old = msgspec.json.decode(b"[1790003600.0]", type=Expiry)
    assert not old.is_over()
    machine.wait(HOUR)
    assert old.is_over()


def test_a_run_of_the_machine_has_one_name() -> None:
    assert expiry.boot() == expiry.boot() != ""
