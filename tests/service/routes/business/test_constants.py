"""Value sets over HTTP, on both databases (docs/interface.md 3.3; docs/law.md 1)."""

from __future__ import annotations

from typing import Any

import pytest

from acctcli.models.constants import Choices, VatCodes, VatRates
from acctcli.models.enums import IdentifierType, PermissionGroup, PermissionKey, VatPostingMethod, VatReportingMethod
from tests.replies import check_reply
from tests.service.actor import Actor, World
from tests.service.routes.books import Books, open_books


@pytest.fixture
def german_books(bookkeeper: Actor) -> Books:
    return open_books(bookkeeper, form="DE_UG")


def constant(books: Books, name: str, **query: str) -> Any:
    reply = books.get(f"constants/{name}/", **query)
    assert reply.status == 200, reply
    return reply.body


def values(books: Books, name: str) -> list[str]:
    choices = constant(books, name)
    check_reply(Choices, choices)
    assert all(choice.keys() == {"value", "label"} and choice["label"].strip() for choice in choices)
    assert len({choice["label"] for choice in choices}) == len(choices)
    return [choice["value"] for choice in choices]


def test_vat_codes(books: Books) -> None:
    codes = constant(books, "vat_codes")
    check_reply(VatCodes, codes)
    assert [code["value"] for code in codes] == list(range(1, 16))
    assert codes[0] == {"value": 1, "label": "Domestic taxable sale", "tags": ["sale", "domestic"]}
    assert codes[7] == {
        "value": 8,
        "label": "Services bought from other EU countries",
        "tags": ["purchase", "eu", "services", "reverse_charge"],
    }


@pytest.mark.together
@pytest.mark.parametrize(
    ("day", "since", "rates"),
    [
        ("2000-01-01", "2013-01-01", "24.00 14.00 10.00 0.00"),
        ("2024-08-31", "2013-01-01", "24.00 14.00 10.00 0.00"),
        ("2024-09-01", "2024-09-01", "25.50 14.00 10.00 0.00"),
        ("2025-12-31", "2024-09-01", "25.50 14.00 10.00 0.00"),
        ("2026-01-01", "2026-01-01", "25.50 13.50 10.00 0.00"),
        ("9999-12-31", "2026-01-01", "25.50 13.50 10.00 0.00"),
    ],
)
def test_finnish_vat_rates(books: Books, day: str, since: str, rates: str) -> None:
    found = constant(books, "vat_rates", date_at=day)
    check_reply(VatRates, found)
    labels = ("standard", "reduced_a", "reduced_b", "zero")
    assert found == {
        "effective_from": since,
        "default_vat_rate_label": "standard",
        "default_vat_rate": rates.split(maxsplit=1)[0],
        "vat_rate_options": [{"label": label, "rate": rate} for label, rate in zip(labels, rates.split(), strict=True)],
    }


@pytest.mark.parametrize(
    ("day", "since", "rates"),
    [
        ("2020-06-30", "2007-01-01", ["19.00", "7.00", "0.00", "0.00"]),
        ("2020-07-01", "2020-07-01", ["16.00", "5.00", "0.00", "0.00"]),
        ("2021-01-01", "2021-01-01", ["19.00", "7.00", "0.00", "0.00"]),
    ],
)
def test_german_vat_rates(german_books: Books, day: str, since: str, rates: list[str]) -> None:
    found = constant(german_books, "vat_rates", date_at=day)
    assert (found["effective_from"], found["default_vat_rate"]) == (since, rates[0])
    assert [option["rate"] for option in found["vat_rate_options"]] == rates


@pytest.mark.together
@pytest.mark.parametrize("query", [{}, {"date_at": ""}, {"date_at": "2026"}, {"date_at": "2026-02-30"}])
def test_vat_rates_need_a_day(books: Books, query: dict[str, str]) -> None:
    reply = books.get("constants/vat_rates/", **query)
    assert (reply.status, reply.faults) == (400, ["date_at"])


def test_the_sets_of_the_interface_are_whole(books: Books) -> None:
    assert values(books, "business_identifiers") == list(IdentifierType)
    assert values(books, "permission_groups") == list(PermissionGroup)
    assert values(books, "permissions") == list(PermissionKey)
    assert values(books, "vat_posting_methods") == list(VatPostingMethod)
    assert values(books, "vat_reporting_methods") == list(VatReportingMethod)


def test_countries(books: Books) -> None:
    assert constant(books, "business_invoicing_countries") == [
        {"value": "FI", "label": "Finland"},
        {"value": "DE", "label": "Germany"},
    ]
    codes = values(books, "countries")
    assert (len(codes), codes) == (249, sorted(set(codes)))
    assert all(len(code) == 2 and code.isupper() for code in codes)
    european = "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE AX NO GB CH"
    assert set(european.split()) <= set(codes)


def test_operators_have_the_id_of_their_company_or_bank(books: Books) -> None:
    from stdnum import bic
    from stdnum.fi import ytunnus

    for operator in values(books, "einvoice_operators"):
        if operator.startswith("0037"):
            assert ytunnus.is_valid(operator.removeprefix("0037")), operator
        else:
            assert bic.is_valid(operator) or operator == "E204503", operator


def test_every_member_may_ask(shared: World, bookkeeper: Actor, books: Books) -> None:
    member = shared.user()
    shared.permit(member, books.business_id)
    assert member.send("GET", f"{books.path}constants/vat_codes/").status == 200
    assert bookkeeper.send("GET", f"{books.path}constants/nothing/").error == (404, "not_found")
    assert bookkeeper.send("POST", f"{books.path}constants/countries/", {}).error == (405, "method_not_allowed")
