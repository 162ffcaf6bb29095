"""Which addresses are the same, and which of them mail reaches (docs/interface.md 2.4)."""

from __future__ import annotations

import unicodedata

import pytest

from acctcli.service.rules.addresses import address_key, is_reached, is_same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Anna@Example.com", "anna@example.COM", True),
        ("PÄIVI@x.example", "päivi@x.example", True),
        (unicodedata.normalize("NFD", "päivi@x.example"), "PÄIVI@x.example", True),
        ("\u212aim@example.com", "kim@example.com", True),
        ("ceo@straße.example", "ceo@strasse.example", False),
        ("päivi@x.example", "paivi@x.example", False),
        ("a@päivi.example", "a@xn--pivi-loa.example", False),
    ],
)
def test_case_and_composition_make_no_other_address(one: str, other: str, same: bool) -> None:
    assert is_same(one, other) == same


@pytest.mark.parametrize("email", ["İ@x.example", "ΑΣ@x.example", "ﬁ@x.example", "\u1e9e@x.example"])
def test_a_key_is_its_own_key(email: str) -> None:
    assert address_key(address_key(email)) == address_key(email)


@pytest.mark.parametrize(
    "email",
    [
        "anna@example.com",
        "local@localhost",
        "plus+tag@example.com",
        "a!b%c@x.example",
        "päivi@x.example",
        unicodedata.normalize("NFD", "päivi@x.example"),
        "info@münchen.example",
        "日本@日本.example",
        "a@xn--strae-oqa.example",
    ],
)
def test_mail_reaches_what_is_written(email: str) -> None:
    assert is_reached(email)


@pytest.mark.parametrize(
    "email",
    [
        "b\u200bob@example.com",
        "bob@exam\u200bple.com",
        "bob@example.com\u200b",
        "\u202ebob@example.com",
        "bob@ex\u00adample.com",
        '"a"@example.com',
        "(c)a@x.example",
        "a<b>@example.com",
        "a,b@example.com",
        "a:b@x.example",
        "a\x1b[31m@example.com",
        "a\u2028b@x.example",
        "a@\u2460.example",
        "\u2460@x.example",
        "ceo@straße.example",
        "a@[127.0.0.1]",
        "a@b,c",
        "a@-",
        "a@x\x7f",
        "a..b@x.example",
        ".@x.example",
        "a@.",
        f"{'x' * 65}@example.com",
        f"a@{'x' * 64}.example",
        "a@x\u3002example",
    ],
)
def test_mail_does_not_reach_what_is_read_otherwise(email: str) -> None:
    assert not is_reached(email)
