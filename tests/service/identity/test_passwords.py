"""Passwords are hashed by argon2id, a few at a time, and guesses are counted (docs/interface.md 12.1)."""

from __future__ import annotations

import re
import secrets
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from acctcli.service.identity import passwords
from acctcli.service.identity.passwords import Guesses, check_new, forgive, hash_password, is_right
from acctcli.service.problems import Invalid, Throttled, Unavailable
from acctcli.service.store.engine.database import Database
from tests.service.actor import INSTALLATION, START

RIGHT = "correct horse battery"


def test_a_password_is_the_one_that_was_hashed() -> None:
    hashed = hash_password(RIGHT, secrets.token_bytes)
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert hashed != hash_password(RIGHT, secrets.token_bytes)
    assert is_right(RIGHT, hashed)
    assert not is_right(f"{RIGHT} ", hashed)
    assert not is_right("", hashed)


def test_the_same_letters_are_the_same_on_every_keyboard() -> None:
    assert is_right("p\u00e4\u00e4siainen1", hash_password("pa\u0308a\u0308siainen1", secrets.token_bytes))


def test_nobody_has_a_password_and_takes_as_long() -> None:
    assert not is_right(RIGHT, None)
    assert passwords.NOBODY.startswith(f"$argon2id$v=19$m={passwords.MEMORY_KIB},t={passwords.PASSES},p=1$")


@pytest.mark.parametrize("password", ["", "short", "x" * 9, "x" * 257])
def test_what_is_too_short_or_too_long_is_none(password: str) -> None:
    with pytest.raises(Invalid) as refused:
        check_new(password)
    assert refused.value.fields == {"password": ["A password has 10 to 256 characters."]}


def test_two_are_computed_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once: list[int] = []
    running, lock = [0], threading.Lock()

    def slow(password: str) -> bytes:
        with lock:
            running[0] += 1
            at_once.append(running[0])
        time.sleep(0.02)
        with lock:
            running[0] -= 1
        return password.encode()

    monkeypatch.setattr(passwords, "_bytes", slow)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda _: is_right("x", None), range(8))) == [False] * 8
    assert max(at_once) == passwords.AT_ONCE


def test_whose_turn_does_not_come_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "WAIT_SECONDS", 0.01)
    with passwords._turn(), passwords._turn(), pytest.raises(Unavailable, match="nothing was changed"):
        is_right("x", None)


def guess(database: Database, email: str, address: str, minutes: int = 0, *, is_right: bool = False) -> None:
    now = START + timedelta(minutes=minutes)
    found = Guesses(INSTALLATION, email, address).look(database, lambda: now, lambda: True if is_right else None)
    assert (found is True) == is_right


def test_a_person_may_guess_five_times_from_an_address(database: Database) -> None:
    for spelling in ("ada@example.com", "ADA@example.com ", "ada@example.com", "ada@example.com", "Ada@example.com"):
        guess(database, spelling, "192.0.2.1")
    for one in (False, True):
        with pytest.raises(Throttled):
            guess(database, "ada@example.com", "192.0.2.1", is_right=one)
    guess(database, "ada@example.com", "192.0.2.2")
    guess(database, "bert@example.com", "192.0.2.1")
    guess(database, "ada@example.com", "192.0.2.1", minutes=15)


def test_whoever_has_a_like_address_resets_nobody_elses_guesses(database: Database) -> None:
    for _ in range(passwords.OF_BOTH):
        guess(database, "gross@example.com", "192.0.2.1")
    guess(database, "groß@example.com", "192.0.2.1", is_right=True)
    with pytest.raises(Throttled):
        guess(database, "gross@example.com", "192.0.2.1")


@pytest.mark.everywhere
def test_of_many_guesses_at_once_none_is_free(database: Database) -> None:
    looked_at = list[int]()

    def is_let(number: int) -> bool:
        try:
            Guesses(INSTALLATION, "ada@example.com", "192.0.2.1").look(
                database, lambda: START, lambda: looked_at.append(number)
            )
        except Throttled:
            return False
        return True

    with ThreadPoolExecutor(30) as pool:
        assert sum(pool.map(is_let, range(30))) == len(looked_at) == passwords.OF_BOTH == 5


@pytest.mark.everywhere
def test_of_many_who_are_right_at_once_none_is_refused(database: Database) -> None:
    """Though there was a wrong one before; at no time are there more than might be wrong."""
    at_once, most, lock = set[int](), list[int](), threading.Lock()
    guess(database, "ada@example.com", "192.0.2.1")

    def look(number: int) -> int | None:
        def prove() -> int:
            with lock:
                at_once.add(number)
                most.append(len(at_once))
            time.sleep(0.02)
            with lock:
                at_once.remove(number)
            return number

        return Guesses(INSTALLATION, "ada@example.com", "192.0.2.1").look(database, lambda: START, prove)

    with ThreadPoolExecutor(12) as pool:
        assert list(pool.map(look, range(12))) == list(range(12))
    assert max(most) <= 5


def test_a_guess_that_was_not_looked_at_is_none(database: Database) -> None:
    def fail() -> None:
        raise Unavailable

    for _ in range(6):
        with pytest.raises(Unavailable):
            Guesses(INSTALLATION, "ada@example.com", "192.0.2.1").look(database, lambda: START, fail)
    guess(database, "ada@example.com", "192.0.2.1")


def test_who_waits_too_long_for_others_is_told(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was killed leaves its guesses looked at; they are forgotten soon."""
    monkeypatch.setattr(passwords, "WAIT_SECONDS", 0.01)
    for _ in range(5):
        Guesses(INSTALLATION, "ada@example.com", "192.0.2.1")._begin(database, lambda: START)
    with pytest.raises(Unavailable, match="nothing was changed"):
        guess(database, "ada@example.com", "192.0.2.1", is_right=True)
    guess(database, "ada@example.com", "192.0.2.1", minutes=1, is_right=True)


def test_an_address_may_guess_a_hundred_times(database: Database) -> None:
    for number in range(100):
        guess(database, f"person-{number}@example.com", f"2001:db8::{number:x}")
    with pytest.raises(Throttled):
        guess(database, "somebody@example.com", "2001:db8::ffff")
    guess(database, "somebody@example.com", "2001:db8:0:1::1")


@pytest.mark.everywhere
def test_a_person_may_be_guessed_at_fifty_times_until_that_is_forgiven(database: Database) -> None:
    for number in range(50):
        guess(database, "ada@example.com", f"198.51.100.{number}")
    with pytest.raises(Throttled):
        guess(database, "ada@example.com", "192.0.2.1")
    for _ in range(5):
        guess(database, "bert@example.com", "192.0.2.1")
    database.write(lambda conn: forgive(conn, INSTALLATION, "Ada@example.com"))
    guess(database, "ada@example.com", "192.0.2.1", is_right=True)
    with pytest.raises(Throttled):
        guess(database, "bert@example.com", "192.0.2.1")


def test_who_was_right_begins_anew(database: Database) -> None:
    for _ in range(12):
        for _ in range(4):
            guess(database, "ada@example.com", "192.0.2.1")
        guess(database, "ada@example.com", "192.0.2.1", is_right=True)


def test_nobody_is_named_where_guesses_are_counted(database: Database) -> None:
    guess(database, "ada@example.com", "192.0.2.1")
    with database.read() as conn:
        rows = conn.fetch("SELECT name FROM guess")[1]
    assert len(rows) == 6
    assert all(re.fullmatch(r"[0-9a-f]{32}[0-9a-f]{0,32}(any?)?[+]?", name) for (name,) in rows)
