"""Addresses that are their own permission: for one file, for a while."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from acctcli.service.identity.signatures import content_address, is_in_force

NOW = datetime(2026, 4, 2, 10, 7, tzinfo=UTC)
NAME, SECRET = "a" * 32, "s" * 64


def taken_apart(address: str) -> tuple[str, str]:
    query = parse_qs(urlsplit(address).query)
    return query["expires"][0], query["signature"][0]


def test_the_address_holds_name_moment_and_signature() -> None:
    address = content_address("https://books.example", NAME, SECRET, NOW)
    expires, signature = taken_apart(address)
    assert address == f"https://books.example/v1/content/{NAME}/?expires={expires}&signature={signature}"
    assert datetime.fromtimestamp(int(expires), UTC) == datetime(2026, 4, 2, 11, 15, tzinfo=UTC)
    assert len(signature) == 64
    assert is_in_force(NAME, SECRET, expires, signature, NOW)


def test_it_stays_the_same_for_a_quarter_of_an_hour() -> None:
    found = {content_address("", NAME, SECRET, NOW + timedelta(minutes=minute)) for minute in range(9)}
    assert len(found) == 1
    assert content_address("", NAME, SECRET, NOW + timedelta(minutes=9)) not in found


@pytest.mark.parametrize(
    ("minutes", "seconds", "good"), [(0, 0, True), (67, 59, True), (68, 0, False), (600, 0, False)]
)
def test_it_ends(minutes: int, seconds: int, good: bool) -> None:
    parts = taken_apart(content_address("", NAME, SECRET, NOW))
    later = NOW + timedelta(minutes=minutes, seconds=seconds)
    assert is_in_force(NAME, SECRET, *parts, later) == good


def test_no_part_of_it_can_be_exchanged() -> None:
    expires, signature = taken_apart(content_address("", NAME, SECRET, NOW))
    assert not is_in_force("b" * 32, SECRET, expires, signature, NOW)
    assert not is_in_force(NAME, "t" * 64, expires, signature, NOW)
    assert not is_in_force(NAME, SECRET, str(int(expires) + 900), signature, NOW)
    assert not is_in_force(NAME, SECRET, f"0{expires}", signature, NOW)
    for wrong in ("", signature[:-1], signature.upper(), signature + "0", "ä" * 64, "\ud800", "0" * 64):
        assert not is_in_force(NAME, SECRET, expires, wrong, NOW)


@pytest.mark.parametrize("expires", ["", "x", "-1", "1e10", " 1", "٣", "9" * 13, "9" * 5000, "\ud800"])
def test_a_moment_is_digits(expires: str) -> None:
    from acctcli.service.identity import signatures

    signed = signatures._sign(SECRET, NAME, expires)
    assert not is_in_force(NAME, SECRET, expires, signed, NOW)
