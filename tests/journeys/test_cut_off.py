"""Payments that were cut off between their writes: the same command goes on, and what is meant twice is paid twice."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from tests.journeys import cutting
from tests.journeys.places import Place
from tests.journeys.test_invoices import accepted, receivable, seller
from tests.journeys.test_settlement import WORK, balance, stands
from tests.programs import require_path

D = Decimal
GOES_ON = "was posted by a run that was cut off; nothing more is posted"


def cut_off(place: Place, writes: int, *argv: str) -> None:
    """Run a command that is killed after so many writes."""
    assert cutting.cut_off(place, writes, *argv, of="writes") == -signal.SIGKILL


def paid(place: Place) -> list[str]:
    return [one["description"] for one in place.json("document", "list", "--all") if D(one["balance"])]


def test_a_payment_of_an_invoice_is_posted_once_and_a_second_one_twice(place: Place) -> None:
    seller(place)
    number = accepted(place, WORK)
    part = ("invoice", "pay", number, "--date", "2026-03-09", "--amount", "50")
    cut_off(place, 1, *part)
    assert (receivable(place), balance(place, "1910")) == (D("75.50"), D("50.00"))
    assert GOES_ON in place.run(*part).err
    assert (receivable(place), balance(place, "1910")) == (D("75.50"), D("50.00"))
    assert GOES_ON not in place.run(*part).err
    assert balance(place, "1910") == D("100.00")
    rest = ("invoice", "pay", number, "--date", "2026-03-09")
    cut_off(place, 2, *rest)
    assert "nothing is open" in place.try_run(*rest).err
    assert stands(place, number) == [("PAID", "2026-03-09")]
    assert (receivable(place), len(paid(place))) == (D("0.00"), 3)


def test_a_payment_that_was_made_a_draft_meanwhile_is_none(place: Place) -> None:
    seller(place)
    number = accepted(place, WORK)
    payment = ("invoice", "pay", number, "--date", "2026-03-09")
    cut_off(place, 1, *payment)
    (draft,) = [one for one in place.json("document", "list", "--all") if one["date"] == "2026-03-09"]
    place.run("document", "update", str(draft["id"]), "--set", "is_draft=true")
    assert GOES_ON not in place.run(*payment).err
    assert (receivable(place), balance(place, "1910")) == (D("0.00"), D("125.50"))
    assert place.json("document", "get", str(draft["id"]))["relations"] == []


def owed(place: Place) -> str:
    """Post a purchase of 125.50; return the id of its invoice."""
    seller(place)
    bill = ("--sender", "Paperi Oy", "--date", "2026-03-02", "--due", "2026-03-16", "--amount", "125.50")
    number = str(place.json("purchase", "create", *bill, "--source", "upload")["id"])
    place.run("purchase", "post", number, "--account", "4000")
    return number


def told_to_repeat(place: Place, *argv: str) -> tuple[str, ...]:
    """Run a command whose reply cannot be written; return the command that it says repeats it safely."""
    require_path("/dev/full")
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        command = (sys.executable, "-m", "acctcli", *argv, "--json")
        done = subprocess.run(command, env=place.environ, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    told = json.loads(done.stderr.splitlines()[-1])["error"]["doubt"]
    assert told["repeat"].split()[0] == "acctcli"
    return tuple(shlex.split(told["repeat"])[1:])


def test_a_part_payment_is_posted_once_by_the_command_that_is_said_to_repeat_it(place: Place) -> None:
    seller(place)
    number = accepted(place, WORK)
    again = told_to_repeat(place, "invoice", "pay", number, "--date", "2026-03-09", "--amount", "50")
    assert (receivable(place), balance(place, "1910")) == (D("75.50"), D("50.00"))
    place.run(*again)
    assert (receivable(place), balance(place, "1910"), len(paid(place))) == (D("75.50"), D("50.00"), 1)


def test_a_part_of_a_purchase_is_paid_once_by_the_command_that_is_said_to_repeat_it(place: Place) -> None:
    number = owed(place)
    again = told_to_repeat(place, "purchase", "pay", number, "--date", "2026-03-09", "--amount", "50")
    place.run(*again)
    assert (balance(place, "1910"), len(paid(place))) == (D("-50.00"), 1)


@pytest.mark.parametrize("writes", [1, 2])
def test_a_refund_is_posted_once(place: Place, writes: int) -> None:
    seller(place)
    number = accepted(place, WORK)
    place.run("invoice", "pay", number, "--date", "2026-03-09", "--amount", "130")
    back = ("invoice", "refund", number, "--date", "2026-03-10")
    cut_off(place, writes, *back)
    place.try_run(*back)
    assert stands(place, number) == [("PAID", "2026-03-10")]
    assert (balance(place, "1910"), len(paid(place))) == (D("125.50"), 2)


@pytest.mark.parametrize("writes", [1, 2, 3])
def test_a_payment_of_several_invoices_is_posted_once(place: Place, writes: int) -> None:
    seller(place)
    ids = [accepted(place, WORK) for _ in range(2)]
    command = ("invoice", "pay", *ids, "--date", "2026-03-09")
    cut_off(place, writes, *command)
    assert (GOES_ON in place.try_run(*command).err) is (writes < 3)
    assert stands(place, *ids) == [("PAID", "2026-03-09")] * 2
    assert (balance(place, "1910"), len(paid(place))) == (D("251.00"), 1)


@pytest.mark.parametrize("writes", [1, 2, 3])
def test_a_payment_of_a_purchase_is_posted_once(place: Place, writes: int) -> None:
    number = owed(place)
    command = ("purchase", "pay", number, "--date", "2026-03-09")
    cut_off(place, writes, *command)
    assert (GOES_ON in place.try_run(*command).err) is (writes == 1)
    assert place.json("purchase", "get", number)["is_paid"] is True
    assert (balance(place, "1910"), paid(place)) == (D("-125.50"), ["Payment: Paperi Oy"])
