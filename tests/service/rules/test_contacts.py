"""Who can be invoiced, and how."""

from __future__ import annotations

from typing import Any

import pytest

from acctcli.law.invoices import ADDRESS, missing_address
from acctcli.service.rules.contacts import (
    can_be_invoiced,
    takes_einvoice,
    takes_email,
    takes_xrechnung,
)

EMPTY: dict[str, Any] = {
    **dict.fromkeys(ADDRESS),
    "is_invoicing_enabled": False,
    "invoicing_email": None,
    "invoicing_electronic_address": None,
    "invoicing_einvoice_address": None,
    "invoicing_einvoice_operator": None,
}
WHOLE = EMPTY | dict.fromkeys(ADDRESS, "x") | {"is_invoicing_enabled": True}


@pytest.mark.parametrize("name", ADDRESS)
@pytest.mark.parametrize("nothing", [None, "", " \t"])
def test_every_part_of_the_address_is_needed(name: str, nothing: str | None) -> None:
    contact = WHOLE | {name: nothing, "invoicing_email": "a@b.fi", "invoicing_electronic_address": "x"}
    assert missing_address(contact) == [name]
    assert [check(contact) for check in (can_be_invoiced, takes_email, takes_einvoice)] == [False, False, False]


def test_an_empty_address_misses_everything_in_order() -> None:
    assert missing_address(EMPTY) == list(ADDRESS)
    assert missing_address(WHOLE) == []


def test_invoicing_must_be_on() -> None:
    assert can_be_invoiced(WHOLE)
    assert not can_be_invoiced(WHOLE | {"is_invoicing_enabled": False})


def test_ways_to_send() -> None:
    assert (takes_email(WHOLE), takes_einvoice(WHOLE)) == (False, False)
    assert takes_email(WHOLE | {"invoicing_email": "a@b.fi"})
    assert takes_einvoice(WHOLE | {"invoicing_electronic_address": "x"})
    assert takes_einvoice(WHOLE | {"invoicing_einvoice_address": "x", "invoicing_einvoice_operator": "y"})
    assert not takes_einvoice(WHOLE | {"invoicing_einvoice_address": "x"})
    assert not takes_einvoice(WHOLE | {"invoicing_electronic_address": " "})
    assert not takes_einvoice(WHOLE | {"invoicing_einvoice_address": " ", "invoicing_einvoice_operator": "y"})
    assert not takes_einvoice(WHOLE | {"invoicing_einvoice_address": "x", "invoicing_einvoice_operator": " "})


@pytest.mark.parametrize("field", ["xrechnung_buyer_reference", "invoicing_electronic_address"])
def test_where_an_xrechnung_goes(field: str) -> None:
    nowhere = {"xrechnung_buyer_reference": None, "invoicing_electronic_address": None}
    assert [takes_xrechnung(nowhere | {field: text}) for text in (None, "", " \t", " x")] == [False, False, False, True]
