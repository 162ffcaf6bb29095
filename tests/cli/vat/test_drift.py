"""What came after a filing is named: posted, changed and deleted documents, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.check.company import found_company
from tests.journeys.places import Place, fresh

SALE = ("--debit", "1910", "--credit", "3000:125.50@1")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A company whose VAT of March was filed, and opened again."""
    place = found_company(tmp_path / "books")
    (period,) = place.json("vat", "period", "list")
    place.run("vat", "period", "reopen", str(period["id"]), "--reason", "a late bill", "--yes")
    return place


def test_what_was_filed_has_no_drift(place: Place) -> None:
    assert place.json("vat", "drift") == []
    assert "no VAT period" in place.run("vat", "drift", "2025").err


def test_a_late_entry_is_named(place: Place) -> None:
    late = place.json("document", "create", "--date", "2026-03-31", *SALE)
    place.run("document", "create", "--date", "2026-03-31", "--debit", "1910", "--credit", "3900:10", "--json")
    place.run("document", "create", "--date", "2026-04-30", *SALE, "--json")
    sold = place.json("document", "list", "--from", "2026-03-01", "--to", "2026-03-31", "--all")
    taken = next(one for one in sold if any(row["vat_code"] == 2 for row in one["entry_ui_rows"]))
    place.run("document", "delete", str(taken["id"]), "--yes")
    place.run("document", "update", str(sold[0]["id"]), "--description", "other words", "--json")
    posted, deleted = place.json("vat", "drift", "2026-03")
    assert (posted["document"], posted["done"]) == (late["number"], "posted")
    assert (posted["date"], posted["vat_codes"], posted["period"]) == ("2026-03-31", "1", "2026-03-01 - 2026-03-31")
    assert (deleted["document"], deleted["done"]) == (taken["number"], "deleted")
    assert "2" in deleted["vat_codes"]
    assert "report the period again" in place.run("vat", "drift").err


def test_where_vat_follows_payments_they_and_what_is_related_to_them_are_named(tmp_path: Path) -> None:
    place = fresh("paid", tmp_path)
    for line in (
        "business create --name Paid --form FI_OY --slug paid --business-id 0112038-9",
        "business use paid",
        "business update paid --set vat_reporting_method=FI_CASH_BASIS",
        "vat period delete 1 --yes",
        "vat period create --start 2026-03-01 --period month",
        "document create --date 2026-02-15 --debit 1700 --credit 3000:1255@1/25.5",
        "document create --date 2026-02-16 --debit 1700 --credit 3000:1140@1/13.5",
        "document create --date 2026-03-03 --debit 1910 --credit 3000:125.50@1/25.5",
        "vat period report 2 --yes",
        "vat period reopen 2 --reason missing --yes",
    ):
        place.run(*line.split())
    payment = place.json("document", "create", "--date", "2026-03-20", "--debit", "1910", "--credit", "1700:1255")
    late = place.json("document", "create", "--date", "2026-04-20", "--debit", "1910", "--credit", "1700:5")
    relate = ("document", "relation", "create")
    first = place.json(*relate, str(payment["id"]), "--related", "1", "--role", "settlement")
    place.run(*relate, str(late["id"]), "--related", "2", "--role", "settlement")
    (found,) = place.json("vat", "drift", "2026-03")
    assert (found["document"], found["done"], found["vat_codes"]) == (payment["number"], "posted", "")
    for line in ("vat period report 2 --yes", "vat period reopen 2 --reason wrong --yes"):
        place.run(*line.split())
    assert place.json("vat", "drift", "2026-03") == []
    place.run("document", "relation", "delete", str(payment["id"]), str(first["id"]), "--yes")
    place.run(*relate, str(payment["id"]), "--related", "2", "--role", "settlement")
    gone, made = place.json("vat", "drift", "2026-03")
    assert (gone["done"], gone["date"], made["done"], made["document"]) == (
        "unrelated", "2026-02-15", "related", payment["number"],
    )  # fmt: skip
