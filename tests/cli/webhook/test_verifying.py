"""`acctcli webhook verify`: what a receiver's tests ask of a delivery that they recorded."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from acctcli.models.signature import sign
from tests.journeys.places import Place, fresh

SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
KEY = b"0123456789abcdef01234567"
BODY = '{"type":"sales_invoice.accepted"}'
VERIFY = ("webhook", "verify", "--secret-env", "HOOK", "--id", "evt_1")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return fresh("verify", tmp_path)


def signed(at: int) -> tuple[str, ...]:
    return ("--timestamp", str(at), "--signature", sign(KEY, "evt_1", at, BODY.encode()))


def test_a_delivery_of_now_is_right(place: Place) -> None:
    done = place.try_run(*VERIFY, *signed(int(time.time())), "--json", stdin=BODY, HOOK=SECRET)
    assert (done.code, json.loads(done.out)) == (0, {"id": "evt_1", "valid": True, "bytes": len(BODY)}), done.err


def test_one_that_was_recorded_is_right_at_any_time(place: Place) -> None:
    late = place.try_run(*VERIFY, *signed(1767225600), stdin=BODY, HOOK=SECRET)
    assert (late.code, late.out) == (10, "")
    assert "its timestamp is" in late.err
    done = place.try_run(*VERIFY, *signed(1767225600), "--any-time", stdin=BODY, HOOK=SECRET)
    assert (done.code, done.out) == (0, "")


def test_one_that_was_changed_is_not(place: Place) -> None:
    done = place.try_run(*VERIFY, *signed(int(time.time())), stdin=BODY.replace("a", "b"), HOOK=SECRET)
    assert (done.code, done.out) == (10, "")
    assert done.err == "error: the delivery evt_1 is not to be trusted: no signature fits its id, timestamp and body\n"


def test_a_secret_where_the_name_belongs_is_not_repeated(place: Place) -> None:
    argv = [SECRET if word == "HOOK" else word for word in VERIFY]
    done = place.try_run(*argv, *signed(1), stdin=BODY)
    assert (done.code, done.out) == (2, "")
    assert "takes the name of a variable" in done.err or "stands among the arguments" in done.err
    assert SECRET.removeprefix("whsec_") not in done.err


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({}, "--secret-env HOOK: this variable is not set"),
        ({"HOOK": "sesame4711!"}, "--secret-env HOOK: a secret is whsec_ and Base64"),
    ],
)
def test_a_secret_is_needed_and_never_shown(place: Place, variables: dict[str, str], says: str) -> None:
    done = place.try_run(*VERIFY, *signed(1), stdin=BODY, **variables)
    assert (done.code, done.err.splitlines()[0]) == (2, f"error: {says}")
    assert "sesame" not in done.err
