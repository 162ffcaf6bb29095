"""A year is opened, closed and reported: every command on accounting and VAT periods, in four places."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.journeys.places import Place

SALE = {
    "debet_account_id": 1910,
    "credit_entries": [{"account_id": 3000, "amount": Decimal("251.00"), "vat_code": 1, "vat_rate": Decimal("25.5")}],
}
PURCHASE = {
    "credit_account_id": 1910,
    "debet_entries": [{"account_id": 4000, "amount": Decimal("62.75"), "vat_code": 2, "vat_rate": Decimal("25.5")}],
}


def post(place: Place, day: str, blueprint: dict[str, Any]) -> str:
    """Post a document and return its id."""
    body = place.write("document.json", {"date": day, "blueprint": blueprint})
    return str(place.json("document", "create", "--file", body, "--account-numbers")["id"])


def refused(place: Place, code: int, *argv: str) -> str:
    done = place.try_run(*argv)
    assert (done.code, done.out) == (code, ""), done.err
    return done.err.splitlines()[0]


@pytest.fixture
def quarter(place: Place) -> str:
    """The id of the first quarter of 2025: 51.00 of output VAT against 12.75 of input VAT."""
    (current,) = place.json("vat", "period", "list")
    place.run("vat", "period", "delete", str(current["id"]), "--yes")
    made = place.json("vat", "period", "create", "--start", "2025-01-01", "--period", "quarter")
    place.run("period", "create", "--start", "2025-01-01", "--end", "2025-12-31")
    post(place, "2025-02-03", SALE)
    post(place, "2025-03-31", PURCHASE)
    return str(made["id"])


def test_an_accounting_period_lives(place: Place) -> None:
    *later, current = place.json("period", "list")
    for one in later:
        place.run("period", "delete", str(one["id"]), "--yes")
    made = place.json("period", "create", "--start", "2024-07-01", "--end", "2025-12-31")
    number = str(made["id"])
    assert [one["id"] for one in place.json("period", "list")] == [current["id"], made["id"]]
    assert (made["has_began"], made["has_ended"], made["is_locked"]) == (True, True, False)
    assert "overlaps" in refused(place, 7, "period", "create", "--start", "2025-12-31", "--end", "2025-12-31")
    assert place.json("period", "update", number, "--start", "2025-01-01")["start_date"] == "2025-01-01"
    assert "No days lie between" in refused(place, 7, "period", "update", number, "--end", "2025-11-30")
    replaced = place.json("period", "replace", number, "--start", "2025-02-01", "--end", "2025-12-31")
    assert place.json("period", "get", number) == replaced
    post(place, "2025-02-03", SALE)
    assert "posted documents" in refused(place, 8, "period", "update", number, "--start", "2025-03-01")
    assert "posted documents" in refused(place, 8, "period", "delete", number, "--yes")
    outside = refused(place, 8, "document", "create", "--date", "2027-01-01")
    assert "2027-01-01 lies in no accounting period: one ends on 2026-12-31." in outside
    place.run("period", "create", "--next")
    place.run("document", "create", "--date", "2027-01-01")


def test_a_day_before_the_books_is_opened_by_the_command_that_its_refusal_names(place: Place) -> None:
    outside = place.try_run("document", "create", "--date", "2025-12-31")
    command = "period create --start 2025-01-01 --end 2025-12-31"
    assert (outside.code, command in outside.err) == (8, True)
    place.run(*command.split())
    place.run("document", "create", "--date", "2025-12-31")


def test_a_year_that_follows_is_made_longer_only_when_that_is_said(place: Place) -> None:
    latest, *_ = place.json("period", "list")
    last = f"{int(latest['end_date'][:4]) + 1}-12-31"
    added = place.json("period", "create", "--next")
    assert added["end_date"] == last
    longer = ("period", "update", str(added["id"]), "--end", f"{int(last[:4]) + 1}-06-30")
    assert "would change the financial year" in refused(place, 2, *longer)
    assert place.json("period", "get", str(added["id"]))["end_date"] == last
    assert place.json(*longer, "--change-of-year")["end_date"] == longer[-1]


@pytest.mark.everywhere
def test_a_closed_year_is_closed_until_it_is_opened(place: Place) -> None:
    number = str(place.json("period", "create", "--start", "2025-01-01", "--end", "2025-12-31")["id"])
    document = post(place, "2025-02-03", SALE)
    assert place.json("period", "lock", number)["is_locked"] is True
    assert "locked" in place.run("period", "list").out
    for argv in (
        ("document", "update", document, "--description", "x"),
        ("document", "delete", document, "--yes"),
        ("document", "create", "--date", "2025-12-31"),
        ("period", "update", number, "--end", "2025-11-30"),
        ("period", "delete", number, "--yes"),
    ):
        assert "is locked" in refused(place, 8, *argv), argv
    assert place.json("period", "unlock", number)["is_locked"] is False
    place.run("document", "delete", document, "--yes")
    place.run("period", "delete", number, "--yes")
    refused(place, 6, "period", "get", number)


def test_a_vat_period_lives(place: Place, quarter: str) -> None:
    made = place.json("vat", "period", "get", quarter)
    dates = ("start_date", "end_date", "due_date", "period")
    assert tuple(made[name] for name in dates) == ("2025-01-01", "2025-03-31", "2025-05-12", 1)
    following = place.json("vat", "period", "create")
    assert (following["start_date"], following["period"]) == ("2025-04-01", 0)
    assert "start_date" in refused(place, 7, "vat", "period", "create", "--start", "2025-08-01")
    changed = place.json("vat", "period", "update", str(following["id"]), "--period", "quarter")
    assert changed["end_date"] == "2025-06-30"
    replaced = place.json("vat", "period", "replace", str(following["id"]))
    assert (replaced["start_date"], replaced["end_date"]) == ("2025-04-01", "2025-04-30")
    place.run("vat", "period", "delete", str(following["id"]), "--yes")
    assert [str(one["id"]) for one in place.json("vat", "period", "list")] == [quarter]


def test_a_locked_vat_period_keeps_its_documents(place: Place, quarter: str) -> None:
    place.run("vat", "period", "lock", quarter)
    locked = place.json("document", "list", "--locked")
    assert len(locked) == 2
    assert "locked" in refused(place, 8, "document", "update", str(locked[0]["id"]), "--description", "x")
    assert "locked" in refused(place, 8, "vat", "period", "update", quarter, "--period", "month")
    assert place.json("vat", "period", "unlock", quarter)["is_locked"] is False
    assert place.json("document", "list", "--locked") == []


def test_the_worked_example_is_reported(place: Place, quarter: str) -> None:
    assert "cannot be taken back" in refused(place, 2, "vat", "period", "report", quarter)
    reported = place.json("vat", "period", "report", quarter, "--yes")
    assert (reported["is_locked"], reported["is_reported"]) == (True, True)
    assert (reported["filing_tax_to_be_paid"], reported["purchase_invoice_id"] is not None) == (Decimal("38.25"), True)
    (netting,) = [one for one in place.json("document", "list") if one["type"] == 3]
    assert (netting["number"], netting["is_locked"]) == ("250331-2", True)
    entries = place.json("document", "entries", str(netting["id"]))
    made = [f"{'D' if one['is_debet'] else 'C'}{one['account_number']} {one['amount']}" for one in entries]
    assert made == ["D2939 12.75", "C1763 12.75"]
    line = place.run("vat", "period", "list").out.splitlines()[-1].split()
    assert line == [quarter, "quarter", "2025-01-01", "2025-03-31", "2025-05-12", "reported", "38.25"]
    assert place.json("vat", "period", "report", quarter, "--yes") == reported
    assert "has been reported" in refused(place, 8, "vat", "period", "unlock", quarter)
    assert "has been reported" in refused(place, 8, "vat", "period", "delete", quarter, "--yes")
    refused(place, 8, "document", "create", "--date", "2025-03-31")


def test_unlocking_says_what_still_closes_a_document(place: Place, quarter: str) -> None:
    """It stays as it is while a period closes its day; what goes on is named, and does."""
    document = str(place.json("document", "list", "--columns", "id,number,date")[0]["id"])
    assert place.run("document", "unlock", document).err == ""
    place.run("vat", "period", "report", quarter, "--yes")
    told = place.run("document", "unlock", document).err
    assert "the VAT of 2025-01-01 to 2025-03-31 has been reported" in told
    assert f"acctcli document reverse {document} --date DAY" in told
    reopen = f"vat period reopen {quarter} --reason"
    assert reopen in told
    refused(place, 8, "document", "update", document, "--description", "x")
    place.run(*reopen.split(), "Wrong", "--yes")
    place.run("document", "update", document, "--description", "x")
    year = next(one for one in place.json("period", "list") if one["start_date"] <= "2025-03-31" <= one["end_date"])
    place.run("period", "lock", str(year["id"]))
    assert f"acctcli period unlock {year['id']}" in place.run("document", "unlock", document).err


def test_a_period_under_way_is_not_reported(place: Place) -> None:
    (current,) = place.json("vat", "period", "list")
    assert "has not ended" in refused(place, 8, "vat", "period", "report", str(current["id"]), "--yes")
