"""Addresses as they stand on letters."""

from __future__ import annotations

import pytest

from acctcli.papers.addresses import address_lines
from tests.papers.invoices import RECEIVER


@pytest.mark.parametrize(
    ("country", "sent_from", "last"),
    [
        ("FI", "FI", "00100 Helsinki"),
        ("FI", None, "FINLAND"),
        ("fi", "FI", "00100 Helsinki"),
        ("DE", "FI", "GERMANY"),
        ("de", "FI", "GERMANY"),
        ("BT", "FI", "BHUTAN"),
        ("XK", "FI", "KOSOVO"),
        ("US", "FI", "UNITED STATES OF AMERICA"),
        ("ZZ", "FI", "ZZ"),
        (None, "FI", "00100 Helsinki"),
    ],
)
def test_the_country_stands_on_letters_abroad(country: str | None, sent_from: str | None, last: str) -> None:
    lines = address_lines({**RECEIVER, "invoicing_country": country}, sent_from)
    assert lines[0] == "Mannerheimintie 12 B 34"
    assert lines[-1] == last


def test_what_is_missing_leaves_no_line() -> None:
    bare = dict.fromkeys(("invoicing_street", "invoicing_postal_code", "invoicing_country"))
    assert address_lines({**bare, "invoicing_city": "Oulu"}, "FI") == ["Oulu"]
