"""The life of sales invoices and what it does to the books, on both databases (docs/interface.md 7.1, 7.5)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from sqlalchemy import Insert, Table, insert, literal, select

from acctcli.models.enums import InvoiceStatus
from acctcli.service.store.engine.connection import IntegrityFault
from acctcli.service.store.schema.books import document
from acctcli.service.store.schema.invoicing import sales_invoice
from tests.service.actor import World
from tests.service.routes.books import Books, open_books
from tests.service.routes.shop import EXAMPLES, Shop, row
from tests.service.rules.test_invoices import LIFE
from tests.sizes import sized
from tests.sql import execute

D = Decimal
# how an invoice comes to each status
WAYS: dict[str, tuple[str, ...]] = {
    "DRAFT": (),
    "ACCEPTED": ("accept",),
    "PAID": ("accept", "paid"),
    "CREDIT_LOSS": ("accept", "credit_loss"),
}
PAIRS = [(status, action) for status, actions in LIFE.items() for action in actions]


@pytest.fixture
def shop(books: Books) -> Shop:
    return Shop(books)


def bring(shop: Shop, status: str) -> Any:
    """Return an invoice that came to a status."""
    invoice = shop.draft()
    for action in WAYS[status]:
        invoice = shop.act(invoice, action)
    assert invoice["status"] == status
    return invoice


# --- every status, every action ---


@pytest.mark.parametrize("keeps_accruals", [True, False])
@pytest.mark.parametrize(("status", "action"), PAIRS)
def test_every_action_in_every_status(shop: Shop, status: str, action: str, keeps_accruals: bool) -> None:
    if keeps_accruals:
        shop.keep_accruals()
    invoice = bring(shop, status)
    booked = shop.documents()
    reply = shop.try_act(invoice, action)
    to = LIFE[status][action]
    if to is None:
        assert (reply.status, reply.body["code"]) == (412, "precondition_failed")
        assert f" is {status}: " in reply.body["detail"]
    else:
        assert (reply.status, reply.body["status"]) == (200, to)
    after = shop.get(invoice)
    if to in (None, status):  # refused, or there already: nothing has happened
        assert (after, shop.documents()) == (invoice, booked)
    assert shop.books.balance("1700") == (shop.owed() if keeps_accruals else "0.00")


@pytest.mark.together
@pytest.mark.parametrize("status", WAYS)
@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE"])
def test_only_drafts_are_written(shop: Shop, status: str, method: str) -> None:
    invoice = bring(shop, status)
    path = f"invoice/{invoice['id']}/"
    reply = shop.invoicing.send(method, path, None if method == "DELETE" else shop.body(description="x"))
    if status == "DRAFT":
        assert reply.status in (200, 204)
    else:
        text = f"Invoice 1 is {status} and no longer a draft: write a credit note for it instead."
        assert (reply.status, reply.body) == (423, {"code": "locked", "detail": text})
        assert shop.get(invoice) == invoice


def test_accepting_numbers_refers_and_fixes(shop: Shop) -> None:
    drafts = [shop.draft(), shop.draft(reference="12345678907"), shop.draft()]
    for number, reference, draft in zip((1, 2, 3), ("10016", "12345678907", "10032"), drafts, strict=True):
        accepted = shop.act(draft, "accept")
        pdf = accepted["pdf"]
        assert accepted == {
            **draft,
            "status": "ACCEPTED",
            "friendly_name": f"Invoice {number}",
            "invoice_number": number,
            "reference": reference,
            "pdf": pdf,
            "is_editable": False,
            "is_deletable": False,
            "is_sendable": True,
        }
        assert (pdf["name"], pdf["type"], pdf["is_deletable"]) == (f"invoice-{number}.pdf", "application/pdf", False)
        assert shop.get(draft) == accepted


def test_it_is_paid_on_the_day_where_the_business_is(shop: Shop, shared: World) -> None:
    accepted = shop.accepted()
    shared.clock.now = datetime(2026, 12, 31, 23, tzinfo=UTC)  # one o'clock at night in Helsinki
    refused = shop.try_act(accepted, "paid")
    text = "2027-01-01 lies in no accounting period: one ends on 2026-12-31."
    assert (refused.status, refused.body["detail"]) == (412, text)
    shop.books.keep_books(2026, 2027)
    assert shop.act(accepted, "paid")["payment_date"] == "2027-01-01"
    assert [day for day, _, _ in shop.documents()][-1] == "2027-01-01"


def test_time_makes_an_open_invoice_overdue(shop: Shop, shared: World) -> None:
    accepted, draft, paid = shop.accepted(), shop.draft(), shop.act(shop.accepted(), "paid")
    shared.clock.move(timedelta(days=13))  # 2026-04-15, when it is due
    assert shop.get(accepted)["is_past_due"] is False
    shared.clock.move(timedelta(days=1))
    assert [shop.get(one)["is_past_due"] for one in (accepted, draft, paid)] == [True, False, False]


@pytest.mark.parametrize(
    ("receiver", "rows", "fields"),
    [
        ({}, [], {"rows": ["An invoice needs a row: it says what was sold (AVL 209 e §)."]}),
        (
            {"is_invoicing_enabled": False},
            None,
            {"receiver": ["Invoicing is not enabled for Meyer: set is_invoicing_enabled to true."]},
        ),
        (
            {"is_invoicing_enabled": False, "invoicing_city": None},
            [],
            {
                "rows": ["An invoice needs a row: it says what was sold (AVL 209 e §)."],
                "receiver": [
                    "Meyer cannot be invoiced without invoicing_city: an invoice names the buyer's address "
                    "(AVL 209 e §)."
                ],
            },
        ),
    ],
)
def test_what_cannot_be_accepted(
    shop: Shop, receiver: dict[str, Any], rows: list[Any] | None, fields: dict[str, list[str]]
) -> None:
    changes: dict[str, Any] = {"receiver": shop.new_customer("Meyer", **receiver)}
    draft = shop.draft(**changes | ({} if rows is None else {"rows": rows}))
    reply = shop.try_act(draft, "accept")
    detail = " ".join(texts[0] for texts in fields.values())
    assert (reply.status, reply.body) == (412, {"code": "precondition_failed", "detail": detail, **fields})
    assert shop.get(draft) == draft
    assert shop.accepted()["invoice_number"] == 1  # what was refused took no number


# --- books by claims ---


def test_a_claim_its_payment_and_its_reopening(shop: Shop) -> None:
    shop.keep_accruals()
    accepted = shop.accepted(*(row(*example) for example in EXAMPLES))
    claim = (
        "2026-04-01",
        "Invoice 1",
        [
            ("D", "1700", "374.07", 3, "0.00"),
            ("C", "3000", "200.00", 1, "25.50"),
            ("C", "2939", "51.00", 1, "25.50"),
            ("C", "3000", "59.97", 1, "13.50"),
            ("C", "2939", "8.10", 1, "13.50"),
            ("C", "3000", "50.00", 1, "10.00"),
            ("C", "2939", "5.00", 1, "10.00"),
        ],
    )
    assert shop.documents() == [claim]
    assert (accepted["document"]["description"], accepted["document"]["contact_id"]) == ("Invoice 1", shop.customer)
    assert (shop.books.balance("1700"), shop.owed()) == ("374.07", "374.07")
    paid = shop.act(accepted, "paid")
    payment = ("2026-04-02", "Invoice 1", [("D", "1910", "374.07", 3, "0.00"), ("C", "1700", "374.07", 3, "0.00")])
    assert shop.documents() == [claim, payment]
    relation = paid["document"]["relations"][0]
    assert (relation["role"], relation["related_document_summary"]["date"]) == ("ACCRUAL", "2026-04-02")
    assert paid == {**accepted, "status": "PAID", "payment_date": "2026-04-02", "document": paid["document"]}
    assert (shop.books.balance("1700"), shop.owed()) == ("0.00", "0.00")
    assert shop.act(accepted, "unpaid") == accepted
    assert shop.documents() == [claim]


def test_a_loss_and_its_reopening(shop: Shop) -> None:
    shop.keep_accruals()
    accepted = shop.accepted()
    lost = shop.act(accepted, "credit_loss")
    assert lost == {**accepted, "status": "CREDIT_LOSS", "document": lost["document"]}
    assert [one["role"] for one in lost["document"]["relations"]] == ["ACCRUAL"]
    assert shop.documents()[1:] == [
        (
            "2026-04-02",
            "Invoice 1",
            [
                ("D", "8600", "200.00", 1, "25.50"),
                ("D", "2939", "51.00", 1, "25.50"),
                ("C", "1700", "251.00", 3, "0.00"),
            ],
        )
    ]
    assert shop.books.balance("1700") == "0.00"
    assert shop.act(accepted, "unpaid") == accepted
    assert len(shop.documents()) == 1
    assert shop.act(shop.act(accepted, "paid"), "unpaid") == accepted


def test_books_kept_by_payments(shop: Shop) -> None:
    accepted = shop.accepted()
    assert (accepted["document"], shop.documents()) == (None, [])
    paid = shop.act(accepted, "paid")
    sale = [("D", "1910", "251.00", 3, "0.00"), ("C", "3000", "200.00", 1, "25.50"), ("C", "2939", "51.00", 1, "25.50")]
    assert shop.documents() == [("2026-04-02", "Invoice 1", sale)]
    assert paid["document"]["date"] == "2026-04-02"
    assert shop.act(paid, "unpaid") == accepted
    assert shop.act(accepted, "credit_loss")["document"] is None
    assert shop.documents() == []


def test_what_was_claimed_is_settled_whatever_the_setting_is_by_then(shop: Shop) -> None:
    unclaimed = shop.accepted()
    shop.keep_accruals()
    claimed = shop.accepted()
    shop.books.change("", has_accrual_based_entries_for_invoicing=False)
    shop.act(claimed, "paid")
    assert shop.books.balance("1700") == "251.00"  # the one that was open when claims began to be kept
    shop.keep_accruals()
    shop.act(unclaimed, "paid")
    assert (shop.books.balance("1700"), shop.books.balance("1910")) == ("0.00", "502.00")


@pytest.mark.parametrize(("action", "taken_by"), [("paid", "1910"), ("credit_loss", "8600")])
def test_a_claim_is_settled_where_it_stands(shop: Shop, action: str, taken_by: str) -> None:
    """Whichever account the business has set for its claims by then, if any."""
    shop.keep_accruals()
    accepted = shop.accepted(row(rate="0.00"))
    shop.books.change("", account_trade_receivables=None)
    shop.act(accepted, action)
    assert (shop.books.balance("1700"), shop.books.balance(taken_by)) == ("0.00", "200.00")


def test_accounts_that_are_hidden_are_the_last_to_be_posted_to(shop: Shop) -> None:
    for number in ("1910", "3000"):
        shop.books.act(f"account/{shop.books.ids[number]}/hide/")
    shop.act(shop.accepted(row(rate="13.50")), "paid")
    assert [account for _, account, *_ in shop.documents()[0][2]] == ["1920", "3100", "2939"]
    shop.books.act(f"account/{shop.books.ids['1920']}/hide/")
    shop.act(shop.accepted(), "paid")
    assert shop.documents()[1][2][0][1] == "1910"


def test_a_negative_invoice_is_posted_on_the_other_sides(shop: Shop) -> None:
    shop.keep_accruals()
    accepted = shop.accepted(row(count="-2"))
    assert shop.documents()[0][2] == [
        ("C", "1700", "251.00", 3, "0.00"),
        ("D", "3000", "200.00", 1, "25.50"),
        ("D", "2939", "51.00", 1, "25.50"),
    ]
    assert (shop.books.balance("1700"), shop.owed()) == ("-251.00", "-251.00")
    shop.act(accepted, "paid")
    assert shop.books.balance("1910") == "-251.00"


def test_the_account_of_a_row(shop: Shop) -> None:
    """Its own, else that of its product, else the first for sales with its VAT code."""
    shop.keep_accruals()
    ids = shop.books.ids
    product = {"name": "x", "unit": "h", "amount": 1, "account_id": ids["3900"]}
    product_id = shop.invoicing.create("product/", product)["id"]
    one = {"price": "1.00", "count": "1", "rate": "0.00"}
    shop.books.create("identifiers/", {"type": "vat_code", "value": "FI01120389"})
    # to whom every one of these codes may be invoiced
    shop.customer = shop.new_customer("Bjork AS", invoicing_country="NO", invoicing_tax_code="SE556000000101")
    shop.accepted(
        row(**one, account_id=ids["3200"], product=product_id),
        row(**one, product=product_id),
        row(**one),
        row(**one, vat_code=6),
        row(**one, vat_code=13),
    )
    credited = [account for side, account, *_ in shop.documents()[0][2] if side == "C"]
    assert credited == ["3200", "3900", "3000", "3380", "3000"]


def test_german_books(shop: Shop, bookkeeper: Any) -> None:
    books = open_books(bookkeeper, form="DE_UG")
    german = Shop(books)
    german.keep_accruals()
    accepted = german.accepted(row(rate="19.00"))
    assert [line[:3] for line in german.documents()[0][2]] == [
        ("D", "1200", "238.00"),
        ("C", "4400", "200.00"),
        ("C", "3800", "38.00"),
    ]
    german.act(accepted, "credit_loss")
    assert [line[:3] for line in german.documents()[1][2]] == [
        ("D", "6930", "200.00"),
        ("D", "3800", "38.00"),
        ("C", "1200", "238.00"),
    ]
    german.act(accepted, "unpaid")
    german.act(accepted, "paid")
    assert [line[:3] for line in german.documents()[1][2]] == [("D", "1800", "238.00"), ("C", "1200", "238.00")]


@pytest.mark.parametrize("role", ["account_trade_receivables", "account_vat_liabilities"])
def test_an_account_that_is_not_set_is_told(shop: Shop, role: str) -> None:
    shop.keep_accruals()
    shop.books.change("", **{role: None})
    draft = shop.draft()
    reply = shop.try_act(draft, "accept")
    assert (reply.status, reply.body["code"]) == (412, "precondition_failed")
    assert reply.body == {
        "code": "precondition_failed",
        "detail": f"The business has no account set as {role}.",
        role: ["No account is set."],
    }
    assert shop.get(draft) == draft


# --- locks ---


@pytest.mark.parametrize("table", ["period", "vat_period"])
def test_nothing_is_booked_into_a_locked_period(
    shop: Shop, lock_days: Callable[[str, str, str], str], table: str
) -> None:
    shop.keep_accruals()
    draft, later = shop.draft(invoicing_date="2026-01-31"), shop.draft()
    closed = lock_days(table, "2026-01-01", "2026-01-31")
    reply = shop.try_act(draft, "accept")
    assert (reply.status, reply.body) == (423, {"code": "locked", "detail": closed})
    assert (shop.get(draft), shop.documents()) == (draft, [])
    assert shop.act(later, "accept")["invoice_number"] == 1


@pytest.mark.parametrize("action", ["paid", "credit_loss"])
def test_nothing_is_taken_out_of_a_locked_period(
    shop: Shop, lock_days: Callable[[str, str, str], None], action: str
) -> None:
    shop.keep_accruals()
    closed = shop.act(shop.accepted(), action)
    open_ = shop.accepted()
    lock_days("period", "2026-04-01", "2026-04-30")
    locked = {"code": "locked", "detail": "The accounting period 2026-04-01 - 2026-04-30 is locked."}
    for invoice, step in ((closed, "unpaid"), (open_, action)):
        reply = shop.try_act(invoice, step)
        assert (reply.status, reply.body) == (423, locked)
        assert shop.get(invoice) == invoice


def test_a_claim_whose_vat_is_reported_can_be_paid(shop: Shop, lock_days: Callable[[str, str, str], None]) -> None:
    shop.keep_accruals()
    accepted = shop.accepted(invoicing_date="2026-01-31")
    lock_days("vat_period", "2026-01-01", "2026-01-31")
    shop.act(accepted, "paid")
    assert shop.books.balance("1700") == "0.00"
    shop.act(accepted, "unpaid")
    assert shop.books.balance("1700") == "251.00"


def test_a_document_locked_by_hand_keeps_its_invoice_where_it_is(shop: Shop) -> None:
    shop.keep_accruals()
    accepted = shop.accepted()
    path = f"document/{accepted['document']['id']}/action"
    paid, settled = (shop.act(shop.accepted(), "paid") for _ in range(2))
    payment_id = paid["document"]["relations"][0]["related_document"]
    shop.books.act(f"{path}/lock/")
    for document_id in (payment_id, settled["document"]["id"]):
        shop.books.act(f"document/{document_id}/action/lock/")
    for invoice, action in ((accepted, "paid"), (accepted, "credit_loss"), (paid, "unpaid"), (settled, "unpaid")):
        before = shop.get(invoice)
        reply = shop.try_act(invoice, action)
        assert (reply.status, reply.body["code"]) == (423, "locked")
        assert shop.get(invoice) == before
    shop.books.act(f"{path}/unlock/")
    assert shop.act(accepted, "paid")["status"] == "PAID"


# --- documents from the other side ---


def test_a_document_of_an_invoice_is_not_parted_from_it(shop: Shop) -> None:
    shop.keep_accruals()
    document = shop.accepted()["document"]
    path = f"document/{document['id']}/"
    text = "A sales invoice is booked by document 260401-1: the actions of the invoice change it."
    changes: tuple[tuple[str, Any], ...] = (
        ("PATCH", {"date": "2026-04-02"}),
        ("PATCH", {"is_draft": True}),
        ("PATCH", {"contact_id": None}),
        ("PATCH", {"type": 3}),
        ("PATCH", {"blueprint": shop.books.simple("1.00")}),
        ("PUT", {}),
        ("DELETE", None),
    )
    before = shop.books.get(path).body
    assert before["is_deletable"] is False
    for method, body in changes:
        reply = shop.books.send(method, path, body)
        assert (reply.status, reply.body) == (412, {"code": "precondition_failed", "detail": text}), (method, body)
        assert shop.books.get(path).body == before
    told = {"description": "Work", "is_flagged": True, "attachment_ids": [shop.books.file("x.txt")]}
    assert shop.books.change(path, **told, blueprint=document["blueprint"], date=document["date"]) == {**before, **told}
    assert shop.books.balance("1700") == shop.owed()


def test_a_copy_of_such_a_document_is_nobodys(shop: Shop) -> None:
    shop.keep_accruals()
    accepted = shop.accepted()
    copy = shop.books.send("POST", f"document/{accepted['document']['id']}/action/copy/").body
    assert copy["is_deletable"] is True
    assert shop.get(accepted)["document"]["id"] == accepted["document"]["id"]
    assert shop.books.send("DELETE", f"document/{copy['id']}/").status == 204


# --- whatever happens ---

STEPS = ("draft", "draft", *["accept"] * 5, "paid", "paid", "credit_loss", "credit", "credit", "unpaid")


def random_row(dice: Random) -> dict[str, Any]:
    price, count = D(dice.randrange(-500, 100_000)).scaleb(-2), D(dice.randrange(1, 40_000)).scaleb(-4)
    rate, code = dice.choice((("25.50", 1), ("13.50", 1), ("10.00", 1), ("0.00", 1), ("0.00", 4), ("0.00", 6)))
    return row(str(price), str(count), rate, vat_code=code)


def random_step(shop: Shop, dice: Random, ids: list[int]) -> None:
    """Do something to one of the invoices, or make another one; what is refused is as good."""
    step, one = dice.choice(STEPS), {"id": dice.choice(ids)} if ids else {}
    if step == "draft" or not one:
        ids.append(shop.draft(*(random_row(dice) for _ in range(dice.randrange(1, 4))))["id"])
    elif step == "credit":
        part = [dice.choice(shop.get(one)["rows"])]
        body = shop.body(*({**line, "product_count": -line["product_count"]} for line in part))
        reply = shop.invoicing.send("POST", "invoice/", body | {"is_credit_note_for": one["id"]})
        ids += [reply.body["id"]] if reply.status == 201 else []
    else:
        shop.try_act(one, step)


@pytest.mark.parametrize("seed", [1, 2])
def test_books_tie_to_invoices_after_every_step(shop: Shop, seed: int) -> None:
    """Receivables are the open invoices, money the paid ones; VAT and sales are those of all but what was lost."""
    shop.keep_accruals()
    dice, ids = Random(seed), list[int]()
    for _ in range(50):
        random_step(shop, dice, ids)
        assert shop.books.balance("1700") == shop.owed()
    every = shop.invoicing.get("invoice/", page_size="200").body["results"]
    by_status = {status: [one for one in every if one["status"] == status] for status in WAYS}
    accepted = [one for one in every if one["status"] != "DRAFT"]
    kept = [one for one in accepted if one["status"] != "CREDIT_LOSS"]
    sales = sum(D(shop.books.balance(number)) for number in ("3000", "3200", "3380"))
    assert D(shop.books.balance("1910")) == total(by_status["PAID"])
    assert D(shop.books.balance("2939")) == total(kept, "total_vat_amount")
    assert sales == total(accepted) - total(accepted, "total_vat_amount")
    lost = by_status["CREDIT_LOSS"]
    assert D(shop.books.balance("8600")) == total(lost) - total(lost, "total_vat_amount")
    assert len(accepted) > 3  # the dice have come to something


def total(invoices: list[Any], name: str = "total_amount") -> Decimal:
    return sum((invoice[name] for invoice in invoices), D("0.00"))


# --- what the database keeps, whoever writes ---


def copied(table: Table, record_id: int, **changed: object) -> Insert:
    """Insert another record like one, but for some columns."""
    kept = [column for column in table.columns if column.name not in {"id", *changed}]
    values = [literal(value, table.c[name].type) for name, value in changed.items()]
    found = select(*kept, *values).where(table.c.id == record_id)
    return insert(table).from_select([*(column.name for column in kept), *changed], found)


@pytest.mark.everywhere
def test_an_invoice_has_one_claim(shop: Shop, shared: World) -> None:
    shop.keep_accruals()
    claim = copied(document, shop.accepted()["document"]["id"], number=None, is_draft=True)
    with pytest.raises(IntegrityFault, match=r"ix_document_invoice|document\.invoice_role"):
        shared.database.write(lambda conn: execute(conn, claim))


@pytest.mark.everywhere
def test_a_template_has_one_invoice_a_day(shop: Shop, shared: World) -> None:
    parent_id = shop.accepted()["id"]
    child = copied(
        sales_invoice, parent_id, recurrence_parent_id=parent_id, invoice_number=None, status=InvoiceStatus.DRAFT.value
    )
    shared.database.write(lambda conn: execute(conn, child))
    with pytest.raises(IntegrityFault, match=r"ix_sales_invoice_parent|sales_invoice\.recurrence_parent_id"):
        shared.database.write(lambda conn: execute(conn, child))


# --- numbers ---

ACCEPTED_AT_ONCE, AT_ONCE = sized(200), 16


@pytest.mark.everywhere
def test_many_accepts_at_once_leave_no_gap_and_no_double(shop: Shop) -> None:
    shop.keep_accruals()
    drafts = [shop.draft(row("1.00", "1", "0.00")) for _ in range(ACCEPTED_AT_ONCE)]
    refused = [shop.draft(rows=[]) for _ in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        replies = list(pool.map(lambda draft: shop.try_act(draft, "accept"), [*drafts, *refused]))
    assert [reply.status for reply in replies] == [200] * ACCEPTED_AT_ONCE + [412] * AT_ONCE
    numbers = [reply.body["invoice_number"] for reply in replies[:ACCEPTED_AT_ONCE]]
    assert sorted(numbers) == list(range(1, ACCEPTED_AT_ONCE + 1))
    assert len({reply.body["reference"] for reply in replies[:ACCEPTED_AT_ONCE]}) == ACCEPTED_AT_ONCE
    assert shop.books.balance("1700") == shop.owed() == f"{ACCEPTED_AT_ONCE}.00"


@pytest.mark.everywhere
def test_an_invoice_accepted_by_many_at_once_is_accepted_once(shop: Shop) -> None:
    draft = shop.draft()
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: shop.try_act(draft, "accept"), range(8)))
    assert {reply.status for reply in replies} == {200}
    assert {reply.body["invoice_number"] for reply in replies} == {1}
    assert shop.accepted()["invoice_number"] == 2
