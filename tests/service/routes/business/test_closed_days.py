"""What a closed period keeps from being written, each by its refusal (docs/interface.md 3.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.service.routes.books import Books

Lock = Callable[[str, str, str], str]
CLOSED = "The VAT period 2026-02-01 - 2026-02-28 is locked"
WOULD = "cannot change, because figures of closed days would."


@pytest.fixture
def closed(books: Books, lock_days: Lock) -> Books:
    """A company that sold in January, posts to 1700 in April only, and whose February is closed."""
    books.change(f"account/{books.ids['1910']}/", opening_balance=100)
    sale = books.sales("1910", [books.row("3000", "125.50", 1, "25.50")])
    books.create("document/", {"date": "2026-01-10", "blueprint": sale})
    books.document("2026-04-02", "5.00", blueprint=books.simple("5.00", "1700"))
    lock_days("vat_period", "2026-02-01", "2026-02-28")
    return books


def refused(books: Books, method: str, path: str, body: object = None) -> str:
    """Return how a write is refused, which it must be."""
    reply = books.send(method, path, body)
    assert (reply.status, reply.body["code"]) == (423, "locked"), reply
    return str(reply.body["detail"])


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize(
    ("number", "fields", "what"),
    [
        ("1910", {"opening_balance": 500}, "the opening balance of account 1910"),
        ("1700", {"opening_balance": 500}, "the opening balance of account 1700"),
        ("3000", {"type": "EXP"}, "the type of account 3000"),
        ("2939", {"type": "LIA_ACC"}, "the type of account 2939"),
        ("3000", {"number": "3001"}, "the number of account 3000"),
    ],
)
def test_accounts_stand_in_closed_days_as_they_did(
    closed: Books, number: str, fields: dict[str, object], what: str
) -> None:
    path = f"account/{closed.ids[number]}/"
    before = closed.get(path).body
    assert refused(closed, "PATCH", path, fields) == f"{CLOSED}: {what} {WOULD}"
    assert closed.get(path).body == before
    assert closed.change(path, default_vat_code=3, name_translations=[{"key": "fi", "value": "x"}])["name"] == "x"


@pytest.mark.everywhere
def test_accounts_that_are_in_no_closed_report_may_change(closed: Books) -> None:
    assert closed.change(f"account/{closed.ids['1920']}/", type="ASS", number="1799")["type"] == "ASS"
    names = [{"key": "fi", "value": "x"}]
    made = closed.create("account/", {"number": "78", "name_translations": names})
    assert closed.send("DELETE", f"account/{made['id']}/").status == 204
    opened = {"number": "1979", "name_translations": names, "type": "ASS", "opening_balance": 1}
    assert refused(closed, "POST", "account/", opened) == f"{CLOSED}: an opening balance {WOULD}"


@pytest.mark.everywhere
def test_an_account_that_opened_with_something_stays(books: Books, lock_days: Lock) -> None:
    names = [{"key": "fi", "value": "x"}]
    body = {"number": "1979", "name_translations": names, "type": "ASS", "opening_balance": 1}
    path = f"account/{books.create('account/', body)['id']}/"
    lock_days("period", "2026-01-01", "2026-12-31")
    closing = "The accounting period 2026-01-01 - 2026-12-31 is locked"
    assert refused(books, "DELETE", path) == f"{closing}: the opening balance of account 1979 {WOULD}"
    header = books.create("header/", {"name_translations": names, "type": "B"})
    assert refused(books, "PATCH", path, {"header_id": header["id"]}).startswith(f"{closing}: the header")


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize("fields", [{"form": "DE_UG"}, {"vat_reporting_method": "DE_CASH_BASIS"}])
def test_a_business_reports_its_closed_days_as_it_did(closed: Books, fields: dict[str, object]) -> None:
    before = closed.get("").body
    assert refused(closed, "PATCH", "", fields) == f"{CLOSED}: {', '.join(fields)} {WOULD}"
    assert closed.get("").body == before
    assert closed.change("", name="Other", vat_posting_method="SPLIT")["name"] == "Other"


def test_an_account_of_closed_days_keeps_its_role(closed: Books) -> None:
    taken = {"account_vat_liabilities": closed.ids["1700"]}
    assert refused(closed, "PATCH", "", taken) == f"{CLOSED}: account_vat_liabilities {WOULD}"
    # nothing was posted there by then
    names = [{"key": "en", "value": "Other receivables of trade"}]
    other = closed.create("account/", {"number": "1705", "type": "ASS_DUE", "name_translations": names})["id"]
    assert closed.change("", account_trade_receivables=other)["account_trade_receivables"] == other


def test_days_before_a_closed_period_are_closed(closed: Books) -> None:
    before = f"{CLOSED}, and 2026-01-10 lies before its end: what is written there would change what it opens with."
    (sold,) = closed.listed(date_to="2026-01-31")
    blueprint = closed.simple("1.00")
    writes: list[tuple[str, str, Any]] = [
        ("POST", "document/", {"date": "2026-01-10", "blueprint": blueprint}),
        ("PATCH", f"document/{sold}/", {"description": "x"}),
        ("DELETE", f"document/{sold}/", None),
    ]
    for method, path, body in writes:
        assert refused(closed, method, path, body) == before
    assert closed.document("2026-03-01", "1.00")["number"] == "260301-1"


def test_the_result_of_a_closed_day_begins_where_it_did(closed: Books) -> None:
    year = f"period/{closed.get('').body['period_id']}/"
    assert refused(closed, "PATCH", year, {"start_date": "2026-01-05"}) == (
        f"{CLOSED}: the result of 2026-01-05 would begin on another day, and that day is closed."
    )
    assert closed.change(year, end_date="2026-11-30")["end_date"] == "2026-11-30"
    assert refused(closed, "POST", "period/", {"start_date": "2025-07-01", "end_date": "2025-12-31"})
    assert closed.create("period/", {"start_date": "2025-01-01", "end_date": "2025-12-31"})["start_date"]
