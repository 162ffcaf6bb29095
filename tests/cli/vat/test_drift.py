"""What came after a filing is named: posted, changed and deleted documents, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.check.company import found_company
from tests.journeys.places import Place

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
