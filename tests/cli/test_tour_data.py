"""The tour's month: enough documents, of every kind, that the service will take."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from importlib.resources import files
from typing import Any

import pytest
from pydantic import BaseModel

from acctcli.models.document import Blueprint, BlueprintRow, DocumentRequest

SIDES = ("debet_entries", "credit_entries", "expense_entries")
SHORTCUTS = ("debet_account_id", "credit_account_id")
STYLE_FIELDS = {
    "SALES": {"debet_account_id", "credit_entries"},
    "SALES with fees": {"debet_account_id", "credit_entries", "expense_entries"},
    "PURCHASE": {"credit_account_id", "debet_entries"},
    "MANUAL": {"debet_entries", "credit_entries"},
}
# the default chart of a new business (docs/interface.md 4.4)
CHART = {
    *(1160, 1500, 1700, 1763, 1800, 1850, 1900, 1910, 1920),
    *(2000, 2251, 2370, 2620, 2871, 2939, 2945, 2950, 2960, 2970),
    *(3000, 3100, 3200, 3370, 3380, 3390, 3900, 3990),
    *(4000, 4380, 4450, 4470, 5000, 6800, 7160, 7680, 7800, 7950),
    *(8500, 8600, 8700, 9900, 9910, 9980),
}

TEXT = files("acctcli.cli").joinpath("tour_month.jsonl").read_text("utf-8")
LINES = TEXT.splitlines()
DOCUMENTS: list[dict[str, Any]] = [json.loads(line, parse_float=Decimal) for line in LINES]


def rows_of(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for side in SIDES:
        yield from document["blueprint"].get(side, [])


ROWS = [row for document in DOCUMENTS for row in rows_of(document)]


def handlings(codes: set[int]) -> set[tuple[int, Decimal]]:
    return {(row["vat_code"], row["vat_rate"]) for row in ROWS if row["vat_code"] in codes}


def unknown_keys(body: dict[str, Any], model: type[BaseModel]) -> set[str]:
    return set(body) - set(model.model_fields)


def test_a_month_of_at_least_sixty_documents() -> None:
    days = [date.fromisoformat(document["date"]) for document in DOCUMENTS]
    assert len(days) >= 60
    assert {(day.year, day.month) for day in days} == {(2026, 3)}
    assert days == sorted(days)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document["description"])
def test_every_line_is_a_document_request(document: dict[str, Any]) -> None:
    blueprint = document["blueprint"]
    faults = unknown_keys(document, DocumentRequest) | unknown_keys(blueprint, Blueprint)
    assert faults.union(*(unknown_keys(row, BlueprintRow) for row in rows_of(document))) == set()
    assert set(blueprint) in STYLE_FIELDS.values()
    DocumentRequest.model_validate(document)


def test_every_style_is_there() -> None:
    shapes = [set(document["blueprint"]) for document in DOCUMENTS]
    assert [style for style, fields in STYLE_FIELDS.items() if fields not in shapes] == []


def test_accounts_are_numbers_of_the_default_chart() -> None:
    named = {row["account_id"] for row in ROWS}
    named |= {d["blueprint"][key] for d in DOCUMENTS for key in SHORTCUTS if key in d["blueprint"]}
    assert named - CHART == set()


def test_money_always_has_two_decimals() -> None:
    amounts = re.findall(r'"(?:amount|vat_rate)":([^,}]*)', TEXT)
    assert [amount for amount in amounts if not re.fullmatch(r"-?\d+\.\d\d", amount)] == []
    assert len(amounts) == 2 * len(ROWS)


def test_sales_and_purchases_at_every_rate() -> None:
    rates = {Decimal("25.50"), Decimal("13.50"), Decimal("10.00")}
    assert handlings({1}) >= {(1, rate) for rate in rates}
    assert handlings({2}) >= {(2, rate) for rate in rates}


def test_every_vat_handling_is_there() -> None:
    # 15 is a second code for 9, 0 lives only in stored blueprints (docs/interface.md 5.3)
    assert {row["vat_code"] for row in ROWS} == set(range(1, 15))


def test_reverse_charge_has_a_rate() -> None:
    standard = Decimal("25.50")
    assert handlings({7, 8, 9, 11, 14}) == {(code, standard) for code in (7, 8, 9, 11, 14)}


def test_net_rows_negative_rows_and_depreciation() -> None:
    assert any(row.get("vat_method") == 1 for row in ROWS)
    assert {row["vat_code"] for row in ROWS if row["amount"] < 0} == {1, 2}
    assert {document.get("type", 0) for document in DOCUMENTS} >= {0, 4}


def test_invoices_on_credit_are_settled_on_another_day() -> None:
    invoiced = {d["date"] for d in DOCUMENTS if d["blueprint"].get("debet_account_id") == 1700}
    settled = {d["date"] for d in DOCUMENTS for row in rows_of(d) if row["account_id"] == 1700}
    assert invoiced
    assert settled
    assert min(invoiced) < min(settled)


def test_manual_documents_balance() -> None:
    # they carry no VAT lines of their own (E9), so their rows must add up as they stand
    manual = [d["blueprint"] for d in DOCUMENTS if set(d["blueprint"]) == STYLE_FIELDS["MANUAL"]]
    sums = [[sum(row["amount"] for row in b[side]) for side in SIDES[:2]] for b in manual]
    assert [pair for pair in sums if pair[0] != pair[1]] == []


def test_wages_leave_tax_liabilities() -> None:
    wages = [d for d in DOCUMENTS if d["description"].startswith("Wages")]
    assert len(wages) >= 2
    for document in wages:
        credited = [row["account_id"] for row in document["blueprint"]["credit_entries"]]
        assert (credited[0], set(credited[1:])) == (1910, {2960})
