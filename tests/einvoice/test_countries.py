"""The list of countries, beside the one that letters are addressed by."""

from __future__ import annotations

from acctcli.einvoice.countries import COUNTRIES
from acctcli.service.rules.countries import COUNTRIES as NAMES


def test_both_lists_have_the_same_countries() -> None:
    assert {*NAMES, "XI"} == COUNTRIES
