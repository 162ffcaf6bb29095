"""Books that begin, or cease, to be kept by claims: what was open before is open after, in the books or named."""

from __future__ import annotations

import json
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from tests.journeys.places import Place
from tests.journeys.test_invoices import accepted, receivable, seller
from tests.journeys.test_settlement import WORK, balance
from tests.sizes import is_full

D = Decimal
SETTING = "has_accrual_based_entries_for_invoicing"
FIRST, CLOSED = date(2025, 11, 1), date(2025, 12, 31)
SEEDS, SALES = (range(1, 9), 30) if is_full() else (range(1, 3), 12)


def keep(place: Place, *, by_claims: bool) -> str:
    """Say how books are kept from now on, and return what is told of it."""
    setting = f"{SETTING}={str(by_claims).lower()}"
    return place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], "--set", setting).err


def close_last_year(place: Place) -> None:
    period = place.json("period", "create", "--start", "2025-01-01", "--end", CLOSED.isoformat())
    place.run("period", "lock", str(period["id"]))


def credit(place: Place, invoice: str, *part: str, day: str = "2026-03-02") -> str:
    note = str(place.json("invoice", "credit-note", invoice, "--date", day, *part)["id"])
    place.run("invoice", "accept", note)
    return note


def status_of(place: Place, invoice: str) -> str:
    return str(place.json("invoice", "get", invoice)["status"])


def owed(place: Place) -> Decimal:
    found: Decimal = place.json("invoice", "aging")["totals"]["total"]
    return found


def random_sales(place: Place, dice: Random) -> None:
    """Sell, credit, collect and give up on days of two years, in books that know nothing of it before it is paid."""
    ids = []
    for _ in range(SALES):
        day = FIRST + timedelta(days=dice.randrange(150))
        row = f"name=Work,unit=h,count={dice.randrange(1, 9)},amount={dice.randrange(1, 99)}.37,vat=25.5"
        ids.append(accepted(place, row, day=day.isoformat()))
    for one in dice.sample(ids, SALES // 2):
        later = FIRST + timedelta(days=dice.randrange(150))
        credit(place, one, *dice.choice(((), ("--part", "1:0.5"))), day=later.isoformat())
    for one in dice.sample(ids, SALES // 4):
        place.run("invoice", dice.choice(("paid", "credit-loss")), one)
    place.run("invoice", "create", "--to", "C-12", "--row", WORK)


def beside(invoices: dict[int, dict[str, Any]]) -> set[int]:
    """Say which open invoices cannot be posted: theirs is a closed day, or what they credit is in no books."""
    groups: dict[int, list[dict[str, Any]]] = {}
    for one in invoices.values():
        groups.setdefault(one["is_credit_note_for"] or one["id"], []).append(one)
    found = set()
    for first, group in groups.items():
        sale = invoices[first]
        rest = [one for one in group if one["status"] == "ACCEPTED"]
        if sale["status"] == "CREDIT_LOSS":
            found |= {one["id"] for one in rest}
        elif sale["status"] == "PAID":
            found |= {one["id"] for one in rest if one["invoicing_date"] <= CLOSED.isoformat()}
        elif any(one["invoicing_date"] <= CLOSED.isoformat() for one in rest):
            found |= {one["id"] for one in rest}
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_open_before_is_open_after(place: Place, seed: int) -> None:
    """Two ways: what is owed by status before is what books and names say after, and VAT is that of what is in them."""
    seller(place)
    place.run("period", "create", "--start", "2025-01-01", "--end", "2025-12-31")
    keep(place, by_claims=False)
    random_sales(place, Random(seed))
    before, year = owed(place), place.json("period", "list", "--all")
    place.run("period", "lock", str(next(one["id"] for one in year if one["start_date"] == "2025-01-01")))
    invoices = {one["id"]: one for one in place.json("invoice", "list", "--all", "--columns", "all")}
    invoices = {number: one for number, one in invoices.items() if one["status"] != "DRAFT"}
    vat, left = balance(place, "2939"), beside(invoices)
    told = keep(place, by_claims=True)
    now = {number: place.json("invoice", "get", str(number)) for number in invoices}
    opened = [one for one in invoices.values() if one["status"] == "ACCEPTED"]
    assert {one["id"] for one in opened if now[one["id"]]["document"] is None} == left
    posted = [one for one in opened if one["id"] not in left]
    assert receivable(place) == sum((one["total_amount"] for one in posted), D(0))
    assert balance(place, "2939") == vat + sum((one["total_vat_amount"] for one in posted), D(0))
    assert owed(place) == before
    for one in opened:
        assert (f"{one['friendly_name']}," in f"{told.replace(';', ',')},") == (one["id"] in left), told
    assert f", {receivable(place)} in all" in told or not posted
    assert [one for one in json.loads(place.try_run("check", "--json").out) if one["part"] == "receivables"] == []


def test_a_part_of_a_sale_that_was_credited_is_refused_with_the_way_to_pay_it_whole(place: Place) -> None:
    seller(place)
    keep(place, by_claims=False)
    invoice = accepted(place, WORK, day="2026-03-02")
    note = credit(place, invoice, "--part", "1:0.5", day="2026-03-03")
    refused = place.try_run("invoice", "pay", invoice, "--date", "2026-03-09", "--amount", "1")
    steps = (("invoice", "refund", note), ("invoice", "pay", invoice))
    assert refused.code == 8
    assert "; ".join(f"acctcli {' '.join(one)} --date 2026-03-09" for one in steps) in refused.err
    for one in steps:
        place.run(*one, "--date", "2026-03-09")
    assert (status_of(place, invoice), status_of(place, note)) == ("PAID", "PAID")


def test_a_credit_note_of_a_sale_beside_the_books_gives_back_no_vat(place: Place) -> None:
    seller(place)
    keep(place, by_claims=False)
    late = accepted(place, WORK, day="2025-12-31")
    close_last_year(place)
    early = credit(place, late, "--part", "1:0.4")
    keep(place, by_claims=True)
    note = credit(place, late)
    assert [place.json("invoice", "get", one)["document"] for one in (late, early, note)] == [None] * 3
    assert (receivable(place), balance(place, "2939")) == (D("0.00"), D("0.00"))


def test_a_credit_note_of_a_claim_takes_it_back_whatever_is_posted_from_then_on(place: Place) -> None:
    seller(place)
    sold = accepted(place, WORK)
    keep(place, by_claims=False)
    note = credit(place, sold)
    assert [status_of(place, one) for one in (sold, note)] == ["PAID", "PAID"]
    assert (receivable(place), balance(place, "2939"), owed(place)) == (D("0.00"), D("0.00"), D("0.00"))


def test_what_is_told_is_of_the_business_that_was_changed(place: Place) -> None:
    """Not of the one in use: its invoices are none of the other's."""
    seller(place)
    accepted(place, WORK)
    other = f"{place.environ['ACCTCLI_BUSINESS']}-o"
    place.run("business", "create", "--name", "Other Oy", "--form", "FI_OY", "--slug", other)
    told = place.run("business", "update", other, "--set", f"{SETTING}=false", "--set", f"slug={other}2").err
    assert "open invoice" not in told


def test_replacing_the_settings_says_what_becomes_of_open_invoices(place: Place) -> None:
    seller(place)
    keep(place, by_claims=False)
    accepted(place, WORK)
    official = ("--set", "business_id=0112038-9")
    told = place.run(
        "business", "replace", place.environ["ACCTCLI_BUSINESS"], "--name", "Journey Oy", "--form", "FI_OY", *official
    ).err
    assert "1 open invoice is in the books, 125.50 in all" in told
