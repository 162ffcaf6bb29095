"""Invoices and what settles them, by commands: payments, refunds, set-offs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from acctcli.cli.document import settling
from acctcli.cli.invoice import paying
from tests.journeys.places import Place
from tests.journeys.test_invoices import ADDRESS, accepted, receivable, seller
from tests.journeys.test_life import refused

D = Decimal
# 125.50
WORK = "code=A1,count=1"


def stands(place: Place, *ids: str) -> list[tuple[str, str | None]]:
    found = [place.json("invoice", "get", one) for one in ids]
    return [(one["status"], one["payment_date"]) for one in found]


def balance(place: Place, number: str) -> Decimal:
    found: Decimal = place.json("account", "get", number)["balance"]
    return found


def test_an_invoice_is_paid_in_parts_on_any_day_and_account(place: Place) -> None:
    seller(place)
    number = accepted(place, WORK)
    part = place.json("invoice", "pay", number, "--date", "2026-03-05", "--account", "1920", "--amount", "100")
    assert (part["status"], receivable(place), balance(place, "1920")) == ("ACCEPTED", D("25.50"), D("100.00"))
    done = place.run("invoice", "pay", number, "--date", "2026-03-09")
    assert "is posted, and related to Invoice 1" in done.err
    assert stands(place, number) == [("PAID", "2026-03-09")]
    assert (receivable(place), balance(place, "1910")) == (D("0.00"), D("25.50"))
    assert "nothing is open" in refused(place, 2, "invoice", "pay", number)
    days = {day: place.json("invoice", "aging", "--date", day)["totals"]["total"] for day in
            ("2026-02-28", "2026-03-01", "2026-03-04", "2026-03-05", "2026-03-08", "2026-03-09")}  # fmt: skip
    assert list(days.values()) == [D("0.00"), D("125.50"), D("125.50"), D("25.50"), D("25.50"), D("0.00")]


def test_one_payment_of_many_invoices_goes_on_where_it_stopped(place: Place) -> None:
    seller(place)
    ids = [accepted(place, WORK) for _ in range(3)]
    plan = place.json("invoice", "pay", *ids, "--date", "2026-03-09", "--dry-run")
    assert [row["amount"] for row in plan["body"]["blueprint"]["credit_entries"]] == [D("125.50")] * 3
    # as if the command had been stopped before its last relation: what is over stands on the second invoice
    place.run("invoice", "pay", *ids, "--date", "2026-03-09", "--idempotency-key", "first")
    (posted,) = (one for one in place.json("document", "list", "--all") if one["description"].startswith("Payment"))
    last = posted["relations"][-1]
    place.run("document", "relation", "delete", str(posted["id"]), str(last["id"]), "--yes")
    assert [status for status, _ in stands(place, *ids)] == ["PAID", "ACCEPTED", "ACCEPTED"]
    place.run("invoice", "pay", *ids, "--date", "2026-03-09", "--idempotency-key", "second")
    assert stands(place, *ids) == [("PAID", "2026-03-09")] * 3
    assert (receivable(place), balance(place, "1910")) == (D("0.00"), D("376.50"))


@pytest.mark.everywhere
def test_the_same_command_under_the_same_key_pays_once(place: Place) -> None:
    seller(place)
    number = accepted(place, WORK)
    command = ("invoice", "pay", number, "--amount", "50", "--date", "2026-03-09", "--idempotency-key", "k")
    place.run(*command)
    place.run(*command)
    assert (receivable(place), balance(place, "1910")) == (D("75.50"), D("50.00"))


def test_what_was_paid_too_much_and_what_was_credited_late_are_given_back(place: Place) -> None:
    seller(place)
    number = accepted(place, WORK)
    place.run("invoice", "pay", number, "--amount", "130", "--date", "2026-03-09")
    again = place.try_run("invoice", "pay", number)
    assert (again.code, "it cannot be paid" in again.err, f"acctcli invoice refund {number}" in again.err) == (
        2,
        True,
        True,
    )
    place.run("invoice", "refund", number, "--date", "2026-03-10")
    assert stands(place, number) == [("PAID", "2026-03-10")]
    note = str(place.json("invoice", "credit-note", number, "--date", "2026-03-11")["id"])
    place.run("invoice", "accept", note)
    assert (stands(place, note), receivable(place)) == ([("ACCEPTED", None)], D("-125.50"))
    place.run("invoice", "refund", note, "--date", "2026-03-12")
    assert stands(place, number, note) == [("PAID", "2026-03-10"), ("PAID", "2026-03-12")]
    assert (receivable(place), balance(place, "1910")) == (D("0.00"), D("0.00"))


def test_a_credit_note_is_set_off_against_another_invoice(place: Place) -> None:
    seller(place)
    one, two = accepted(place, WORK), accepted(place, WORK, "code=A1,count=1")
    place.run("invoice", "pay", one, "--date", "2026-03-03")
    note = str(place.json("invoice", "credit-note", one, "--date", "2026-03-04")["id"])
    place.run("invoice", "accept", note)
    assert "there is nothing to set off" in refused(place, 2, "invoice", "set-off", two, note)
    place.run("invoice", "set-off", note, two)
    assert stands(place, note, two) == [("PAID", "2026-03-04"), ("ACCEPTED", None)]
    place.run("invoice", "pay", two, "--date", "2026-03-05")
    assert (stands(place, two), receivable(place)) == ([("PAID", "2026-03-05")], D("0.00"))


def test_who_is_not_in_the_books_is_told_so(place: Place) -> None:
    seller(place)
    assert "payment basis" not in place.run("vat", "return", "--period", "2026-03").err
    setting = ("--set", "has_accrual_based_entries_for_invoicing=false")
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], *setting)
    number = accepted(place, WORK)
    assert "is not in the books yet" in place.run("invoice", "accept", number).err
    for command in (("invoice", "aging"), ("vat", "return", "--period", "2026-03")):
        assert "payment basis" in place.run(*command).err


def test_on_payment_basis_a_payment_posts_its_share_of_the_sale_on_its_day(place: Place) -> None:
    seller(place)
    setting = ("--set", "has_accrual_based_entries_for_invoicing=false")
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], *setting)
    number, other = accepted(place, WORK), accepted(place, WORK)
    assert "is not in the books: what posts a sale pays one invoice" in refused(
        place, 2, "invoice", "pay", number, other
    )
    paid = ("invoice", "pay", number, "--date")
    early = place.run(*paid, "2026-02-28", "--dry-run").err
    assert "note: 2026-02-28 is before Invoice 1 (id" in early
    plan = place.json(*paid, "2026-03-05", "--amount", "100", "--dry-run")
    assert (plan["path"].rpartition("/invoice/")[2], plan["body"]) == (
        f"{number}/actions/paid/", {"amount": 100, "date": "2026-03-05"},
    )  # fmt: skip
    part = place.json(*paid, "2026-03-05", "--account", "1920", "--amount", "100")
    assert (part["status"], balance(place, "1920"), receivable(place)) == ("ACCEPTED", D("100.00"), D("0.00"))
    assert "has 25.50 open" in refused(place, 2, *paid, "2026-03-06", "--amount", "25.51")
    assert "25.50 of Invoice 1 (id" in place.run(*paid, "2026-04-09").err
    assert stands(place, number, other) == [("PAID", "2026-04-09"), ("ACCEPTED", None)]
    assert "posted the sale with its payment" in refused(place, 2, *paid, "2026-04-10")
    days = {day: place.json("invoice", "aging", "--date", day)["totals"]["total"] for day in
            ("2026-02-28", "2026-03-04", "2026-03-05", "2026-04-08", "2026-04-09", "2026-09-09")}  # fmt: skip
    assert list(days.values()) == [D("0.00"), D("251.00"), D("151.00"), D("151.00"), D("125.50"), D("125.50")]
    filed = {month: place.json("vat", "return", "--period", month)[0] for month in ("2026-03", "2026-04")}
    assert {month: (box["box"], str(box["amount"])) for month, box in filed.items()} == {
        "2026-03": ("301", "20.32"), "2026-04": ("301", "5.18"),
    }  # fmt: skip
    assert (balance(place, "2939"), balance(place, "3000")) == (D("25.50"), D("100.00"))


def test_what_was_paid_in_part_is_named_where_books_begin_to_be_kept_by_claims(place: Place) -> None:
    seller(place)
    setting, slug = "has_accrual_based_entries_for_invoicing", place.environ["ACCTCLI_BUSINESS"]
    place.run("business", "update", slug, "--set", f"{setting}=false")
    settled, part, whole = (accepted(place, WORK) for _ in range(3))
    place.run("invoice", "pay", settled, "--date", "2026-03-05")
    place.run("invoice", "pay", part, "--date", "2026-03-05", "--amount", "25.50")
    told = place.run("business", "update", slug, "--set", f"{setting}=true").err
    assert "1 open invoice is in the books, 125.50 in all" in told
    assert "Invoice 2; when they are paid" in told
    assert place.json("invoice", "aging")["totals"]["total"] == D("225.50")
    place.run("invoice", "pay", part, "--date", "2026-03-06")
    assert stands(place, part, whole) == [("PAID", "2026-03-06"), ("ACCEPTED", None)]


def test_what_is_over_stands_where_the_rows_put_it(place: Place) -> None:
    seller(place)
    one, two = accepted(place, WORK), accepted(place, "code=A1,count=2", day="2026-03-02")
    place.run("invoice", "pay", two, one, "--date", "2026-03-09", "--amount", "400")
    (posted,) = (row for row in place.json("document", "list", "--all", "--columns", "all") if row["balance"])
    shares = {row["description"]: row["amount"] for row in posted["blueprint"]["credit_entries"]}
    assert shares == {"Invoice 1": D("125.50"), "Invoice 2": D("274.50")}
    assert stands(place, one, two) == [("PAID", "2026-03-09"), ("ACCEPTED", None)]
    assert place.json("invoice", "aging", "--date", "2026-09-09")["totals"]["not_due"] == D("-23.50")


def test_ceasing_to_keep_claims_says_what_stays_in_the_books(place: Place) -> None:
    seller(place)
    accepted(place, WORK)
    setting, slug = "has_accrual_based_entries_for_invoicing", place.environ["ACCTCLI_BUSINESS"]
    told = place.run("business", "update", slug, "--set", f"{setting}=false").err
    assert "1 open invoice is in the books, 125.50 in all" in told
    assert "they stay there" in told
    assert "an open one only if the books have it" in place.run("vat", "return", "--period", "2026-03").err


def test_beginning_to_keep_claims_books_what_is_open_and_names_the_rest(place: Place) -> None:
    seller(place)
    setting, slug = "has_accrual_based_entries_for_invoicing", place.environ["ACCTCLI_BUSINESS"]
    place.run("business", "update", slug, "--set", f"{setting}=false")
    accepted(place, WORK)
    accepted(place, WORK, day="2025-12-31")
    period = place.json("period", "create", "--start", "2025-01-01", "--end", "2025-12-31")
    place.run("period", "lock", str(period["id"]))
    told = place.run("business", "update", slug, "--set", f"{setting}=true").err
    assert "cannot be posted on their days: Invoice 2;" in told
    assert "1 open invoice is in the books, 125.50 in all" in told
    assert receivable(place) == D("125.50")


def test_crediting_all_that_is_left_never_fails_by_a_cent(place: Place) -> None:
    seller(place)
    for price, count, part, rate in (
        ("99.99", 3, "0.5", "25.5"),
        ("0.33", 10, "3", "25.5"),
        ("33.33", 7, "1.35", "13.5"),
    ):
        number = accepted(place, f"name=Work,unit=h,count={count},amount={price},vat={rate}")
        for options in (("--part", f"1:{part}"), ("--part", f"1:{part}"), ()):
            note = place.json("invoice", "credit-note", number, "--date", "2026-03-04", *options)
            place.run("invoice", "accept", str(note["id"]))
        assert (stands(place, number), receivable(place)) == ([("PAID", "2026-03-04")], D("0.00"))
        assert "nothing of invoice" in refused(place, 2, "invoice", "credit-note", number)
    assert balance(place, "2939") == D("0.00")


def test_a_credit_note_takes_back_no_more_at_a_rate_than_was_sold(place: Place) -> None:
    seller(place)
    number = accepted(place, "name=Work,unit=h,count=10,amount=100,vat=25.5")
    other = "name=Food,unit=kg,count=5,amount=100,vat=13.5"
    assert "no more than 0.00 without VAT is left to credit at 13.5 %" in refused(
        place, 8, "invoice", "credit-note", number, "--row", other
    )


@pytest.mark.parametrize("step", [("credit-loss",), ("pay", "--date", "2026-03-09"), None])
def test_what_an_invoice_claims_is_taken_back_by_a_credit_note_only(place: Place, step: tuple[str, ...] | None) -> None:
    seller(place)
    number = accepted(place, WORK)
    claim = str(place.json("invoice", "get", number)["document"]["id"])
    if step is not None:
        place.run("invoice", step[0], number, *step[1:])
    before = receivable(place)
    for command in ("reverse", "correct"):
        changed = ("--description", "Other") if command == "correct" else ()
        told = place.try_run("document", command, claim, *changed)
        assert (told.code, f"acctcli invoice credit-note {number}" in told.err) == (2, True), told.err
    assert receivable(place) == before


def test_an_invoice_is_not_paid_with_itself(place: Place) -> None:
    seller(place)
    number = accepted(place, WORK)
    assert "nothing would be paid" in refused(place, 2, "invoice", "pay", number, "--account", "1700")
    assert (stands(place, number), receivable(place)) == ([("ACCEPTED", None)], D("125.50"))


@pytest.mark.parametrize("by_claims", ["true", "false"])
def test_a_row_is_not_posted_where_the_whole_is(place: Place, by_claims: str) -> None:
    """A sale on the account of its own claim, or of its payment, would be owed in part, or in no books."""
    seller(place)
    setting = f"has_accrual_based_entries_for_invoicing={by_claims}"
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], "--set", setting)
    account = place.json("account", "get", "1700" if by_claims == "true" else "1910")["id"]
    row = {"name": "Work", "unit": "h", "amount": 100, "vat_rate": "25.5", "vat_code": 1, "product_count": 1}
    rows = place.write("draft.json", {"rows": [{**row, "account_id": account}]})
    number = str(place.json("invoice", "create", "--to", "C-12", "--date", "2026-03-01", "--file", rows)["id"])
    if by_claims == "false":
        place.run("invoice", "accept", number)
    step = "accept" if by_claims == "true" else "paid"
    assert "posts to the account" in refused(place, 8, "invoice", step, number)
    assert place.json("document", "list") == []


def test_a_payment_of_all_that_is_open_leaves_what_was_set_off_before(place: Place) -> None:
    seller(place)
    one, two = accepted(place, WORK), accepted(place, WORK, "code=A1,count=1")
    note = str(place.json("invoice", "credit-note", one, "--part", "1:0.4", "--date", "2026-03-05")["id"])
    place.run("invoice", "accept", note)
    place.run("invoice", "pay", one, two, "--date", "2026-03-09")
    paid = ("PAID", "2026-03-09")
    assert stands(place, one, two, note) == [paid, paid, ("PAID", "2026-03-05")]
    assert (receivable(place), place.json("invoice", "aging")["totals"]["total"]) == (D("0.00"), D("0.00"))


def test_a_credit_note_pays_for_its_own_customer_only(place: Place) -> None:
    seller(place)
    one = accepted(place, WORK)
    place.run("invoice", "pay", one, "--date", "2026-03-03")
    note = str(place.json("invoice", "credit-note", one, "--date", "2026-03-04")["id"])
    place.run("invoice", "accept", note)
    place.run("contact", "create", "--name", "Muu Oy", "--customer-id", "C-13", "--email", "x@example.com", *ADDRESS)
    two = str(place.json("invoice", "create", "--to", "C-13", "--date", "2026-03-05", "--row", WORK)["id"])
    place.run("invoice", "accept", two)
    told = refused(place, 2, "invoice", "set-off", note, two)
    assert ("is for Meyer Oy" in told, "for Muu Oy" in told) == (True, True)
    assert stands(place, note, two) == [("ACCEPTED", None)] * 2


def test_what_was_reported_is_set_off_against_what_came_later(place: Place) -> None:
    seller(place)
    one = accepted(place, WORK)
    place.run("invoice", "pay", one, "--date", "2026-03-03")
    notes = [
        str(place.json("invoice", "credit-note", one, "--part", "1:0.4", "--date", day)["id"])
        for day in ("2026-03-04", "2026-03-05")
    ]
    place.run("invoice", "accept", *notes)
    two = accepted(place, WORK, day="2026-04-05")
    for made in place.json("vat", "period", "list"):
        place.run("vat", "period", "delete", str(made["id"]), "--yes")
    first = str(place.json("vat", "period", "create", "--set", "start_date=2026-03-01")["id"])
    second = str(place.json("vat", "period", "create")["id"])
    place.run("vat", "period", "report", first, "--yes")
    place.run("invoice", "set-off", notes[0], two)
    assert stands(place, *notes) == [("PAID", "2026-04-05"), ("ACCEPTED", None)]
    days = [place.json("invoice", "aging", "--date", day)["totals"]["total"] for day in ("2026-04-04", "2026-04-05")]
    assert days == [D("-100.40"), D("25.10")]
    place.run("vat", "period", "report", second, "--yes")
    told = place.try_run("invoice", "set-off", notes[1], two)
    goes_on = f"on an open day: acctcli invoice refund {notes[1]} and acctcli invoice pay {two}"
    assert (told.code, "is locked" in told.err, goes_on in told.err) == (8, True, True), told.err
    assert stands(place, notes[1]) == [("ACCEPTED", None)]


def test_two_who_pay_at_once_post_one_payment(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both looked before either had posted; what is paid later is paid, too, also the same once it was deleted."""
    seller(place)
    number = accepted(place, WORK)
    part = ("invoice", "pay", number, "--date", "2026-03-09", "--amount", "50")
    before_posting(monkeypatch, lambda: place.run(*part))
    place.run(*part)
    assert balance(place, "1910") == D("50.00")
    place.run(*part)
    assert balance(place, "1910") == D("100.00")
    last = place.json("document", "list", "--search", "Payment")[0]
    place.run("document", "relation", "delete", str(last["id"]), str(last["relations"][0]["id"]), "--yes")
    place.run("document", "delete", str(last["id"]), "--yes")
    place.run(*part)
    assert (balance(place, "1910"), receivable(place)) == (D("100.00"), D("25.50"))
    before_posting(monkeypatch, lambda: place.run("invoice", "pay", number, "--date", "2026-03-10"))
    assert "was posted for it meanwhile" in refused(place, 8, "invoice", "pay", number, "--date", "2026-03-11")
    assert balance(place, "1910") == D("125.50")
    assert [len(one["relations"]) for one in place.json("document", "list", "--search", "Payment")] == [1, 1, 1]
    # the other one has paid between this one's first look and its second
    whole = ("invoice", "pay", accepted(place, WORK), "--date", "2026-03-12")
    before_posting(monkeypatch, lambda: place.run(*whole), paying, "_claim")
    refused(place, 2, *whole)
    assert balance(place, "1910") == D("251.00")


def test_who_pays_at_the_moment_of_another_user_gives_way(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are of one user: that of another is as good as another key."""
    seller(place)
    part = ("invoice", "pay", accepted(place, WORK), "--date", "2026-03-09", "--amount", "50")
    before_posting(monkeypatch, lambda: place.run(*part, "--idempotency-key", "theirs"))
    assert "posted a moment later, is deleted" in place.run(*part).err
    assert (balance(place, "1910"), receivable(place)) == (D("50.00"), D("75.50"))
    other = ("invoice", "pay", part[2], "--date", "2026-03-09", "--amount", "60")
    before_posting(monkeypatch, lambda: place.run(*other, "--idempotency-key", "of theirs"))
    done = place.try_run(*part)
    assert (done.code, "were posted for it at the same moment, and both are there" in done.err) == (10, True)


def before_posting(
    monkeypatch: pytest.MonkeyPatch, done: Callable[[], object], where: Any = settling, name: str = "described_alike"
) -> None:
    """Let another do something once this one has looked and is about to post."""
    looked, others = getattr(where, name), iter([done])

    def before_another(*given: Any) -> Any:
        found = looked(*given)
        found = list(found) if isinstance(found, Iterator) else found
        for other in others:
            other()
        return found

    monkeypatch.setattr(where, name, before_another)
