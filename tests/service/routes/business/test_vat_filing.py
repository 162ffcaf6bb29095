"""Reporting a VAT period over HTTP, on SQLite and on PostgreSQL: what is owed, netted, locked.

See docs/interface.md 9.3.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from acctcli.service.store.schema.books import document, vat_period
from acctcli.service.store.schema.invoicing import purchase_invoice
from tests.service.actor import Actor, World
from tests.service.routes.books import Books, blueprint, open_books
from tests.sql import execute

MAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
STAMP = "2026-05-04T09:00:00.000000Z"


def path_of(books: Books) -> str:
    """Return the path of the only VAT period: April 2026."""
    (row,) = books.get("vat_period/").body["results"]
    return f"vat_period/{row['id']}/"


def sale(books: Books, vat: str, day: str = "2026-04-15") -> Any:
    """Sell for 25.50 % VAT of this amount."""
    net = Decimal(vat) / Decimal("0.255")
    rows = [books.row("3000", str(net.quantize(Decimal("0.01"))), 1, "25.50", method=1)]
    return books.create("document/", {"date": day, "blueprint": books.sales("1910", rows)})


def purchase(books: Books, vat: str, day: str = "2026-04-15") -> Any:
    """Buy for 25.50 % VAT of this amount."""
    net = Decimal(vat) / Decimal("0.255")
    rows = [books.row("4000", str(net.quantize(Decimal("0.01"))), 2, "25.50", method=1)]
    return books.create("document/", {"date": day, "blueprint": books.purchase("1910", rows)})


def netting(books: Books) -> list[Any]:
    """Return the documents of type 3."""
    return [one for one in books.get("document/").body["results"] if one["type"] == 3]


@pytest.fixture
def april(shared: World, books: Books) -> Books:
    """The worked example: 51.00 of output VAT against 12.75 of input VAT in April; today is 4 May."""
    sale(books, "51.00")
    purchase(books, "12.75")
    shared.clock.now = MAY
    return books


def test_the_worked_example(april: Books, shared: World) -> None:
    before = april.get(path_of(april)).body
    reported = april.act(f"{path_of(april)}action/report/")
    assert reported == before | {
        "updated_at": STAMP,
        "is_locked": True,
        "is_reported": True,
        "filing_tax_to_be_paid": Decimal("38.25"),
        "filing_accepted_at": STAMP,
        "purchase_invoice_id": reported["purchase_invoice_id"],
    }
    assert april.get(path_of(april)).body == reported
    assert (april.balance("2939"), april.balance("1763")) == ("38.25", "0.00")
    assert april.listed(is_locked="false") == []
    with shared.database.read() as conn:
        invoice = execute(conn, select(purchase_invoice)).mappings().all()[-1]
    assert dict(invoice) == {
        **dict.fromkeys(column.name for column in purchase_invoice.columns),
        "id": reported["purchase_invoice_id"],
        "created_at": STAMP,
        "updated_at": STAMP,
        "business_id": april.business_id,
        "invoicing_date": date(2026, 5, 4),
        "due_date": date(2026, 6, 12),
        "amount_cents": 3825,
        "currency": "EUR",
        "import_source": "VAT_PURCHASE_INVOICE",
        "is_paid": False,
        "receiver_name": "Example Oy",
        "message": "VAT 2026-04-01 - 2026-04-30",
        "search_text": "\n\n",
    }


def test_what_nets_the_vat_needs_an_accounting_period_too(april: Books) -> None:
    (year,) = april.get("period/").body["results"]
    april.change(f"period/{year['id']}/", end_date="2026-04-29")
    reply = april.send("POST", f"{path_of(april)}action/report/")
    text = "2026-04-30 lies in no accounting period: one ends on 2026-04-29."
    assert (reply.status, reply.body["detail"]) == (412, text)
    assert netting(april) == []
    assert april.get(path_of(april)).body["is_locked"] is False


@pytest.mark.everywhere
def test_the_netting_document_is_numbered_posted_and_locked(april: Books, shared: World) -> None:
    sale(april, "25.50", "2026-04-30")
    reported = april.act(f"{path_of(april)}action/report/")
    (found,) = netting(april)
    rows = [april.row(number, "12.75") for number in ("2939", "1763")]
    told = ("number", "date", "description", "type", "is_locked", "is_draft", "balance", "blueprint", "blueprint_type")
    assert {name: found[name] for name in told} == {
        "number": "260430-2",
        "date": "2026-04-30",
        "description": "VAT 2026-04-01 - 2026-04-30",
        "type": 3,
        "is_locked": True,
        "is_draft": False,
        "balance": Decimal("0.00"),
        "blueprint": blueprint(debet_entries=rows[:1], credit_entries=rows[1:]),
        "blueprint_type": "MANUAL",
    }
    entries = [("D", "2939", "12.75", 3, "0.00"), ("C", "1763", "12.75", 3, "0.00")]
    assert april.entries(found["id"]) == entries
    assert april.listed(search="vat 2026-04") == [found["id"]]
    with shared.database.read() as conn:
        locked_by = select(document.c.locked_by).where(document.c.id == found["id"])
        kept = select(vat_period.c.netting_document_id).where(vat_period.c.id == reported["id"])
        assert (execute(conn, locked_by).scalar(), execute(conn, kept).scalar()) == (reported["id"], found["id"])


@pytest.mark.parametrize(
    ("sales", "purchases", "tax", "netted"),
    [
        ("51.00", "12.75", "38.25", "12.75"),
        ("12.75", "51.00", "-38.25", "12.75"),
        ("51.00", "51.00", "0.00", "51.00"),
        ("51.00", None, "51.00", None),
        (None, "51.00", "-51.00", None),
        ("-12.75", "51.00", "-63.75", None),
        ("51.00", "-12.75", "63.75", None),
        (None, None, "0.00", None),
    ],
)
def test_the_smaller_sum_is_netted_and_a_refund_is_no_invoice(
    books: Books, shared: World, sales: str | None, purchases: str | None, tax: str, netted: str | None
) -> None:
    if sales:
        sale(books, sales)
    if purchases:
        purchase(books, purchases)
    shared.clock.now = MAY
    reported = books.act(f"{path_of(books)}action/report/")
    assert str(reported["filing_tax_to_be_paid"]) == tax
    assert (reported["purchase_invoice_id"] is not None) == (Decimal(tax) > 0)
    made = [str(books.entries(one["id"])[0][2]) for one in netting(books)]
    assert made == ([netted] if netted else [])


def test_reverse_charge_is_owed_and_deducted_at_once(books: Books, shared: World) -> None:
    rows = [books.row("4450", "100.00", 8, "25.50")]
    books.create("document/", {"date": "2026-04-15", "blueprint": books.purchase("1910", rows)})
    shared.clock.now = MAY
    assert books.act(f"{path_of(books)}action/report/")["filing_tax_to_be_paid"] == Decimal("0.00")
    assert (books.balance("2939"), books.balance("1763")) == ("0.00", "0.00")


def test_split_books_keep_both_accounts(bookkeeper: Actor, shared: World) -> None:
    books = open_books(bookkeeper, vat_posting_method="SPLIT")
    sale(books, "51.00")
    purchase(books, "12.75")
    shared.clock.now = MAY
    reported = books.act(f"{path_of(books)}action/report/")
    assert reported["filing_tax_to_be_paid"] == Decimal("38.25")
    assert netting(books) == []
    assert (books.balance("2939"), books.balance("1763")) == ("51.00", "12.75")


def test_only_what_is_posted_inside_counts(april: Books) -> None:
    sale(april, "51.00", "2026-03-31")
    sale(april, "51.00", "2026-05-01")
    draft = sale(april, "51.00")
    april.change(f"document/{draft['id']}/", is_draft=True)
    rows = [april.row("2939", "7.00")], [april.row("1763", "7.00")]
    by_hand = {"date": "2026-04-10", "type": 3, "blueprint": blueprint(debet_entries=rows[0], credit_entries=rows[1])}
    april.create("document/", by_hand)
    assert april.act(f"{path_of(april)}action/report/")["filing_tax_to_be_paid"] == Decimal("38.25")


@pytest.mark.everywhere
def test_the_tax_office_is_named_where_it_is_known(bookkeeper: Actor, shared: World) -> None:
    office = {"finanzkasse_recipient_name": "Finanzkasse Mitte", "finanzkasse_iban": "DE89370400440532013000"}
    books = open_books(bookkeeper, **office)
    books.change("", name="x" * 256)
    sale(books, "51.00")
    shared.clock.now = MAY
    made = books.act(f"{path_of(books)}action/report/")["purchase_invoice_id"]
    columns = (purchase_invoice.c[name] for name in ("sender_name", "sender_bank_account", "receiver_name"))
    with shared.database.read() as conn:
        found = execute(conn, select(*columns).where(purchase_invoice.c.id == made)).one()
    assert tuple(found) == (*office.values(), "x" * 128)


# --- what is filed is what the return shows ---


def by_hand(books: Books, debit: str, credit: str, amount: str, **fields: object) -> Any:
    """Post an amount from one account to another, without VAT codes."""
    rows = [books.row(debit, amount)], [books.row(credit, amount)]
    body = {"date": "2026-04-20", "blueprint": blueprint(debet_entries=rows[0], credit_entries=rows[1])}
    return books.create("document/", body | fields)


def test_what_no_box_takes_is_refused_until_it_is_placed(april: Books) -> None:
    by_hand(april, "2939", "1910", "51.00")
    reply = april.send("POST", f"{path_of(april)}action/report/")
    told = "The VAT return of 2026-04-01 - 2026-04-30 cannot be filed: no box takes adjustments -51.00."
    assert (reply.status, reply.body["detail"]) == (412, told)
    assert (netting(april), april.get(path_of(april)).body["is_locked"]) == ([], False)
    for wrong in ({"adjustments": "300"}, {"special_prepayment": 5}):
        refused = april.send("POST", f"{path_of(april)}action/report/", wrong)
        assert (refused.status, refused.body.keys()) == (400, {"code", "detail", *wrong})
    filed = april.act(f"{path_of(april)}action/report/", {"adjustments": "none"})
    assert filed["filing_tax_to_be_paid"] == Decimal("38.25")
    # what was paid for another period takes nothing off what this one nets
    (netted,) = netting(april)
    assert april.entries(netted["id"])[0][:3] == ("D", "2939", "12.75")


def test_a_refund_that_came_in_leaves_the_netting_alone(april: Books) -> None:
    by_hand(april, "1910", "1763", "372.20")
    filed = april.act(f"{path_of(april)}action/report/", {"adjustments": "none"})
    (netted,) = netting(april)
    assert (filed["filing_tax_to_be_paid"], april.entries(netted["id"])[0][2]) == (Decimal("38.25"), "12.75")


def test_an_adjustment_is_filed_in_its_box(april: Books) -> None:
    by_hand(april, "2939", "8600", "51.00")
    filed = april.act(f"{path_of(april)}action/report/", {"adjustments": "301"})
    assert (filed["filing_tax_to_be_paid"], filed["purchase_invoice_id"]) == (Decimal("-12.75"), None)


@pytest.mark.parametrize(
    ("sold", "filed", "input_vat", "output_vat"),
    [
        ("1938.00", "178.22", "0.00", "368.22"),
        ("100.00", "-171.00", "171.00", "190.00"),
        (None, "-190.00", "190.00", "190.00"),
    ],
)
def test_import_vat_is_owed_to_customs(
    bookkeeper: Actor, shared: World, sold: str | None, filed: str, input_vat: str, output_vat: str
) -> None:
    """What is left on the VAT accounts is what the tax office gets or gives back, and what customs gets: 190.00."""
    books = open_books(bookkeeper, form="DE_UG")
    posted = [books.purchase("1800", [books.row("5400", "1000.00", 9, "19.00")])]
    if sold:
        posted.append(books.sales("1800", [books.row("4400", sold, 1, "19.00", method=1)]))
    for one in posted:
        books.create("document/", {"date": "2026-04-15", "blueprint": one})
    shared.clock.now = MAY
    reported = books.act(f"{path_of(books)}action/report/")
    assert reported["filing_tax_to_be_paid"] == Decimal(filed)
    assert (books.balance("1400"), books.balance("3800")) == (input_vat, output_vat)


def test_a_special_prepayment_is_credited_in_december_by_who_was_given_longer(bookkeeper: Actor, shared: World) -> None:
    books = open_books(bookkeeper, form="DE_UG", default_vat_period=0)
    sold = books.sales("1800", [books.row("4400", "1190.00", 1, "19.00")])
    for day in ("2026-04-15", "2026-12-15"):
        books.create("document/", {"date": day, "blueprint": sold})
    (april,) = books.get("vat_period/").body["results"]
    for _ in range(8):
        december = books.create("vat_period/")
    shared.clock.now = datetime(2027, 1, 4, 9, tzinfo=UTC)
    for has_extension, period, told in (
        (False, december, "The business has no Dauerfristverlängerung: nothing was prepaid."),
        (True, april, "2026-04 is not the last month of 2026: 2026-12 credits the prepayment."),
    ):
        books.change("", has_dauerfristverlaengerung=has_extension)
        path = f"vat_period/{period['id']}/action/report/"
        refused = books.send("POST", path, {"special_prepayment": 100})
        assert (refused.status, refused.body["special_prepayment"]) == (400, [told])
    path = f"vat_period/{december['id']}/action/report/"
    refused = books.send("POST", path, {"special_prepayment": "-0.01"})
    assert refused.faults == ["special_prepayment"]
    filed = books.act(path, {"special_prepayment": 100})
    assert filed["filing_tax_to_be_paid"] == Decimal("90.00")


# --- reopened ---


def test_a_reopened_period_is_corrected_and_reported_anew(
    april: Books, events: Callable[[Books], list[tuple[str, Any]]]
) -> None:
    path = path_of(april)
    before = april.get(path).body
    filed = april.act(f"{path}action/report/")
    reopened = april.act(f"{path}action/reopen/", {"reason": "Booked twice"})
    assert reopened == before | {"updated_at": STAMP, "filing_tax_to_be_paid": Decimal("0.00")}
    assert events(april)[-1] == ("vat_period.reopened", {**reopened, "reason": "Booked twice"})
    assert (netting(april), april.listed(is_locked="true")) == ([], [])
    assert (april.balance("2939"), april.balance("1763")) == ("51.00", "12.75")
    assert april.invoicing.get(f"purchase_invoice/{filed['purchase_invoice_id']}/").status == 404
    sale(april, "10.00")
    again = april.act(f"{path}action/report/")
    assert (again["filing_tax_to_be_paid"], april.balance("2939")) == (Decimal("48.25"), "48.25")
    debt = april.invoicing.get(f"purchase_invoice/{again['purchase_invoice_id']}/").body
    assert (debt["amount"], debt["is_paid"]) == (Decimal("48.25"), False)


@pytest.mark.parametrize("column", ["netting_document_id", "purchase_invoice_id"])
def test_nothing_is_deleted_that_reporting_did_not_make(april: Books, shared: World, column: str) -> None:
    path = path_of(april)
    april.act(f"{path}action/report/")
    other = min(april.listed())
    body = {"invoicing_date": "2026-04-01", "amount": 10, "import_source": "UPLOAD"}
    bought = april.invoicing.create("purchase_invoice/", body)["id"]
    wrong = other if column == "netting_document_id" else bought
    of_april = f"business_id = {april.business_id} AND {column} IS NOT NULL"
    shared.database.write(lambda conn: conn.run(f"UPDATE vat_period SET {column} = {wrong} WHERE {of_april}"))
    refused = april.send("POST", f"{path}action/reopen/", {"reason": "Booked twice"})
    assert (refused.status, "is not what reporting this period" in refused.body["detail"]) == (412, True)
    assert april.get(f"document/{other}/").status == april.invoicing.get(f"purchase_invoice/{bought}/").status == 200


def test_what_was_paid_is_not_owed_again(april: Books) -> None:
    path = path_of(april)
    owed: list[str] = []
    for vat in (None, "10.00", "5.00", "-50.00"):
        if vat is not None:
            reopened = april.act(f"{path}action/reopen/", {"reason": "More"})
            assert reopened["filing_tax_to_be_paid"] == sum(map(Decimal, owed), Decimal(0))
            sale(april, vat)
        filed = april.act(f"{path}action/report/")
        debt = april.invoicing.get(f"purchase_invoice/{filed['purchase_invoice_id']}/").body
        if not debt["is_paid"]:
            owed.append(str(debt["amount"]))
            april.invoicing.change(f"purchase_invoice/{debt['id']}/", is_paid=True)
    assert owed == ["38.25", "10.00", "5.00"]
    assert filed["filing_tax_to_be_paid"] == Decimal("3.25")


def test_a_payment_that_is_taken_back_opens_the_debt_again(
    april: Books, events: Callable[[Books], list[tuple[str, Any]]]
) -> None:
    debt = f"purchase_invoice/{april.act(f'{path_of(april)}action/report/')['purchase_invoice_id']}/"
    open_ = april.invoicing.get(debt).body

    def pay(amount: str) -> Any:
        return by_hand(april, "2939", "1910", amount, date="2026-05-04", type=3)

    def relate(one: Any, other: Any) -> None:
        april.create(f"document/{one['id']}/relation/", {"related_document": other["id"], "role": "SETTLEMENT"})

    paid = pay("38.25")
    april.invoicing.change(debt, is_paid=True, document={"id": paid["id"]})
    for other in (pay("-38.24"), by_hand(april, "1763", "1910", "-38.25", date="2026-05-04")):
        relate(other, paid)
        assert april.invoicing.get(debt).body["is_paid"] is True
    relate(pay("-38.25"), paid)
    assert april.invoicing.get(debt).body == open_
    assert events(april)[-1] == ("purchase_invoice.unpaid", open_)
    april.invoicing.change(debt, is_paid=True, document={"id": pay("38.25")["id"]})
    parted = april.invoicing.change(debt, document=None)
    assert (parted["is_paid"], parted["payment_date"]) == (False, None)


def test_a_period_that_was_filed_keeps_its_days(april: Books) -> None:
    path = path_of(april)
    debt = april.act(f"{path}action/report/")["purchase_invoice_id"]
    april.invoicing.change(f"purchase_invoice/{debt}/", is_paid=True)
    reopened = april.act(f"{path}action/reopen/", {"reason": "More"})
    moves: list[tuple[str, object]] = [
        ("DELETE", None),
        ("PATCH", {"start_date": "2026-05-01"}),
        ("PATCH", {"period": 1}),
        ("PUT", {"period": 1}),
    ]
    for method, body in moves:
        reply = april.send(method, path, body)
        assert (reply.status, reply.body["code"]) == (412, "precondition_failed"), (method, body)
        assert "The VAT of 2026-04-01 - 2026-04-30 was filed" in reply.body["detail"]
    assert april.change(path, start_date="2026-04-01") == reopened
    assert april.get(path).body == reopened
    assert april.act(f"{path}action/report/")["purchase_invoice_id"] == debt


def test_only_what_was_reported_is_reopened(april: Books, bookkeeper: Actor) -> None:
    path = path_of(april)
    reply = april.send("POST", f"{path}action/reopen/", {"reason": "x"})
    assert (reply.status, "has not been reported" in reply.body["detail"]) == (412, True)
    filed = april.act(f"{path}action/report/")
    for body in (None, {}, {"reason": " "}):
        assert april.send("POST", f"{path}action/reopen/", body).status == 400
    year = f"period/{april.get('').body['period_id']}/"
    april.act(f"{year}action/lock/")
    assert april.send("POST", f"{path}action/reopen/", {"reason": "x"}).status == 423
    assert april.get(path).body == filed | {"has_locked_accounting_period": True}


# --- once, whole, or not at all ---


def test_what_is_reported_stays(april: Books, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    path = path_of(april)
    reported = april.act(f"{path}action/report/")
    assert events(april)[-1] == ("vat_period.reported", april.closed(reported))
    owed = april.invoicing.get(f"purchase_invoice/{reported['purchase_invoice_id']}/").body
    assert events(april)[-2] == ("purchase_invoice.created", owed)
    told = len(events(april))
    assert april.act(f"{path}action/report/") == reported
    assert april.act(f"{path}action/lock/") == reported
    refused: list[tuple[str, str, object]] = [
        ("PATCH", path, {"period": 1}),
        ("PUT", path, {}),
        ("DELETE", path, None),
        ("POST", f"{path}action/unlock/", None),
    ]
    for method, address, body in refused:
        reply = april.send(method, address, body)
        assert (reply.status, reply.body["code"]) == (412, "precondition_failed"), (method, address)
        assert "reported" in reply.body["detail"]
    (found,) = netting(april)
    assert april.send("DELETE", f"document/{found['id']}/").status == 423
    assert april.get(path).body == reported
    assert len(events(april)) == told


def test_the_same_key_reports_once(april: Books, bookkeeper: Actor) -> None:
    path = f"{april.path}{path_of(april)}action/report/"
    first, again = (bookkeeper.send("POST", path, headers={"Idempotency-Key": "april"}) for _ in range(2))
    assert (first.status, again.status, again.headers["Idempotent-Replayed"]) == (200, 200, "true")
    assert first.raw == again.raw
    assert len(netting(april)) == 1


@pytest.mark.parametrize("today", ["2026-04-15", "2026-04-30", "2026-04-30T20:59"])
def test_a_period_is_reported_when_it_has_ended(april: Books, shared: World, today: str) -> None:
    shared.clock.now = datetime.fromisoformat(today).replace(tzinfo=UTC)
    before = april.get(path_of(april)).body
    reply = april.send("POST", f"{path_of(april)}action/report/")
    detail = "The VAT period 2026-04-01 - 2026-04-30 has not ended."
    assert (reply.status, reply.body) == (412, {"code": "precondition_failed", "detail": detail})
    assert april.get(path_of(april)).body == before


def test_a_period_has_ended_where_the_business_is(april: Books, shared: World) -> None:
    shared.clock.now = datetime(2026, 4, 30, 21, tzinfo=UTC)  # May begins in Helsinki
    owed = april.act(f"{path_of(april)}action/report/")["purchase_invoice_id"]
    assert april.invoicing.get(f"purchase_invoice/{owed}/").body["invoicing_date"] == "2026-05-01"


def test_a_locked_period_can_be_reported(april: Books) -> None:
    april.act(f"{path_of(april)}action/lock/")
    (sold,) = april.listed(income="true")
    april.act(f"document/{sold}/action/unlock/")
    assert april.act(f"{path_of(april)}action/report/")["is_locked"] is True
    assert (april.balance("2939"), april.balance("1763")) == ("38.25", "0.00")
    assert april.listed(is_locked="false") == []
    assert april.send("POST", "document/", {"date": "2026-04-30"}).status == 423


def test_nothing_is_netted_into_a_locked_accounting_period(
    april: Books, events: Callable[[Books], list[tuple[str, Any]]]
) -> None:
    year = f"period/{april.get('').body['period_id']}/"
    april.act(f"{year}action/lock/")
    april.act(f"{path_of(april)}action/lock/")
    before, told = april.get(path_of(april)).body, events(april)
    reply = april.send("POST", f"{path_of(april)}action/report/")
    detail = "The accounting period 2026-01-01 - 2026-12-31 is locked."
    assert (reply.status, reply.body) == (423, {"code": "locked", "detail": detail})
    assert (april.get(path_of(april)).body, netting(april), events(april)) == (before, [], told)
    assert before["has_locked_accounting_period"] is True
    april.act(f"{year}action/unlock/")
    assert april.act(f"{path_of(april)}action/report/")["is_reported"] is True


def test_what_was_reported_of_days_that_a_year_closed_is_not_reopened(april: Books) -> None:
    april.change("", vat_posting_method="SPLIT")  # nothing is posted that would have to go
    april.act(f"{path_of(april)}action/report/")
    year = f"period/{april.get('').body['period_id']}/"
    april.act(f"{year}action/lock/")
    before = april.get(path_of(april)).body
    asked = f"{path_of(april)}action/reopen/", {"reason": "late"}
    assert april.send("POST", *asked).error == (423, "locked")
    assert april.get(path_of(april)).body == before
    april.act(f"{year}action/unlock/")
    assert april.act(*asked)["is_reported"] is False


@pytest.mark.parametrize("field", ["account_vat_liabilities", "account_vat_receivables"])
def test_netting_needs_both_vat_accounts(april: Books, field: str) -> None:
    april.change("", **{field: None})
    reply = april.send("POST", f"{path_of(april)}action/report/")
    assert (reply.status, reply.body["code"], field in reply.body["detail"]) == (412, "precondition_failed", True)
    assert april.get(path_of(april)).body["is_reported"] is False
    april.change("", vat_posting_method="SPLIT")
    assert april.act(f"{path_of(april)}action/report/")["is_reported"] is True


def test_a_business_stays_while_days_of_it_are_closed(april: Books, bookkeeper: Actor) -> None:
    april.act(f"{path_of(april)}action/lock/")
    refused = april.send("DELETE", "")
    detail = "The VAT period 2026-04-01 - 2026-04-30 is locked: a business whose books were closed stays."
    assert (refused.status, refused.body) == (423, {"code": "locked", "detail": detail})
    april.act(f"{path_of(april)}action/unlock/")
    assert april.send("DELETE", "").status == 204
    assert bookkeeper.send("GET", april.path).status == 404
