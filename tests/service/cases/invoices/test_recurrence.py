"""Recurrence as time passes, on both databases: each invoice that is due is made once, whatever happens between."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from datetime import UTC, date, datetime
from decimal import Decimal
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import pytest

from acctcli.service.cases.invoices.recurrence import CLAIM, Done, Recurrence
from acctcli.service.delivery.smtp import MailServer
from acctcli.service.http.embedded import open_embedded
from acctcli.service.problems import InFlight
from acctcli.service.store import businesses
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Statement, update
from acctcli.service.store.people import admission
from tests.databases import Factory, opened
from tests.mail_server import Mailbox, serving_mail
from tests.service.actor import Actor, World, world
from tests.service.routes.books import Books, open_books

NOW = datetime(2026, 4, 2, 10, tzinfo=UTC)
BIRCH: dict[str, Any] = {
    "name": "Birch Oy",
    "is_invoicing_enabled": True,
    "invoicing_email": "birch@example.com",
    "invoicing_street": "Hämeenkatu 1",
    "invoicing_city": "Tampere",
    "invoicing_postal_code": "33100",
    "invoicing_country": "FI",
}
ROW = {
    "name": "Hosting",
    "unit": "kk",
    "amount": Decimal("10.00"),
    "vat_rate": Decimal("25.50"),
    "vat_code": 1,
    "product_count": Decimal("1.00"),
}
MONTHLY = {
    "is_active_recurrence_template": True,
    "recurrence_rule": {"frequency": "MONTHLY", "interval": 1},
}
WAITING = Statement("SELECT 1 FROM pg_locks WHERE NOT granted")
MAILED = {
    "delivery_method": "EMAIL",
    "recurrence_email_subject": "Your invoice",
    "recurrence_email_content": "Here it is.\n",
}


@pytest.fixture
def books(service: World) -> Books:
    """A company that invoices."""
    service.clock.now = NOW
    return open_books(service.user(), slug="birches", invoicing_email="books@example.com")


def template(books: Books, day: str = "2026-01-31", said: object = None, **fields: Any) -> Any:
    """Accept a template, to a receiver of its own."""
    draft = {"receiver": books.contact(**BIRCH), "invoicing_date": day, "payment_condition_days": 14, "rows": [ROW]}
    made = books.invoicing.create("invoice/", {**draft, **MONTHLY, **fields})
    return books.invoicing.act(f"invoice/{made['id']}/actions/accept/", said)


def recurrence(service: World, most: int = 100) -> Recurrence:
    marker = service.installation.trail_marker
    return Recurrence(service.database, service.outbox, service.clock, service.entropy, most, marker)


def run(service: World, until: str, most: int = 100) -> list[Done]:
    return list(map(known, recurrence(service, most).run(date.fromisoformat(until))))


def known(done: Done) -> Done:
    """Return what people are told; the log has a reason of each problem, of one word."""
    assert (done.reason is None) == (done.problem is None)
    assert (done.reason or "word").isidentifier()
    return done._replace(reason=None)


def made(day: str, number: int, of: int = 1) -> Done:
    return Done("birches", date.fromisoformat(day), of, "made", number)


def mailed(day: str, number: int, problem: str | None = None) -> Done:
    return Done("birches", date.fromisoformat(day), 1, "not mailed" if problem else "mailed", number, problem)


def due(day: str, problem: str | None = None) -> Done:
    return Done("birches", date.fromisoformat(day), 1, "due", problem=problem)


def listed(books: Books) -> list[Any]:
    """Every invoice, the oldest first."""
    page = books.invoicing.get("invoice/", page_size="200").body
    assert page["count"] == len(page["results"])
    return list(reversed(page["results"]))


def days(books: Books) -> list[tuple[int, str]]:
    return [(invoice["invoice_number"], invoice["invoicing_date"]) for invoice in listed(books)]


@pytest.fixture
def mailbox(service: World) -> Iterator[Mailbox]:
    with serving_mail() as found:
        service.outbox.server = MailServer("127.0.0.1", found.port, None, is_tls=False, starts_tls=False)
        yield found


# --- what is made ---


def test_a_child_has_the_rate_in_force_on_its_day(service: World, books: Books) -> None:
    rows = [{**ROW, "vat_rate": Decimal("14.00")}, {**ROW, "vat_rate": Decimal("25.50")}]
    template(books, "2025-11-30", rows=rows)
    run(service, "2026-01-31")
    found = [([str(row["vat_rate"]) for row in one["rows"]], str(one["total_amount"])) for one in listed(books)]
    assert found == [
        (["14.00", "25.50"], "23.95"),
        (["14.00", "25.50"], "23.95"),
        (["13.50", "25.50"], "23.90"),
    ]


def test_a_rate_is_that_of_the_day_of_delivery(service: World, books: Books) -> None:
    # 14 % was in force when it was delivered, and no more when it was invoiced
    rows = [{**ROW, "vat_rate": Decimal("14.00")}]
    template(books, "2026-01-05", settlement_date="2025-12-31", rows=rows)
    assert run(service, "2026-02-05") == [made("2026-02-05", 2)]
    assert [str(one["rows"][0]["vat_rate"]) for one in listed(books)] == ["14.00", "13.50"]


def test_a_child_that_was_delivered_before_a_rate_changed_has_the_one_before(service: World, books: Books) -> None:
    template(books, "2025-12-05", settlement_date="2025-11-25", rows=[{**ROW, "vat_rate": Decimal("14.00")}])
    assert run(service, "2026-02-05") == [made("2026-01-05", 2), made("2026-02-05", 3)]
    found = [(one["settlement_date"], str(one["rows"][0]["vat_rate"])) for one in listed(books)]
    assert found == [("2025-11-25", "14.00"), ("2025-12-26", "14.00"), ("2026-01-26", "13.50")]


def test_a_day_of_delivery_stays_within_the_calendar(service: World, books: Books) -> None:
    template(books, "2026-01-31", settlement_date="9999-12-30")
    assert run(service, "2026-03-31") == [made("2026-02-28", 2), made("2026-03-31", 3)]
    assert [one["settlement_date"] for one in listed(books)] == ["9999-12-30", "9999-12-31", "9999-12-31"]


def test_a_child_is_an_accepted_copy_with_its_own_days(service: World, books: Books) -> None:
    tag, file = books.tag("hosting"), books.file("terms.pdf")
    parent = template(
        books,
        description="As agreed",
        contact_person="Bo",
        settlement_date="2026-01-20",
        seller_reference="S",
        buyer_reference="B",
        penalty_interest=Decimal("8.50"),
        tag_ids=[tag],
        attachments=[file],
        recurrence_reference_method="ROLL",
        recurrence_email_subject="not for paper",
    )
    service.clock.now = NOW.replace(day=3)
    assert run(service, "2026-02-28") == [made("2026-02-28", 2)]
    shown, child = listed(books)
    own = {
        "id": child["id"],
        "created_at": "2026-04-03T10:00:00.000000Z",
        "updated_at": "2026-04-03T10:00:00.000000Z",
        "friendly_name": "Invoice 2",
        "invoice_number": 2,
        "invoicing_date": "2026-02-28",
        "due_date": "2026-03-14",
        "settlement_date": "2026-02-17",
        "earliest_debt_collection_date": "2026-03-28",
        "reference": "10029",
        "pdf": child["pdf"],
        "rows": [{**shown["rows"][0], "id": child["rows"][0]["id"]}],
        "is_active_recurrence_template": False,
        "is_recurrence_active": False,
        "recurrence_rule": None,
        "recurrence_parent_id": parent["id"],
        "recurrence_reference_method": None,
        "recurrence_email_subject": None,
        "next_recurrences": [],
    }
    assert child == shown | own
    assert (parent["reference"], parent["status"], shown["is_recurrence_applied"]) == ("10016", "ACCEPTED", True)
    assert child["pdf"]["name"] == "invoice-2.pdf"


@pytest.mark.parametrize(
    ("method", "reference"), [("KEEP", "10016"), ("ROLL", "10029"), ("", "10029"), (None, "10029")]
)
def test_a_reference_is_kept_or_rolled_on(service: World, books: Books, method: str | None, reference: str) -> None:
    template(books, recurrence_reference_method=method)
    run(service, "2026-02-28")
    assert [invoice["reference"] for invoice in listed(books)] == ["10016", reference]


def test_month_ends_are_clamped_and_nothing_is_made_twice(service: World, books: Books) -> None:
    template(books)
    assert run(service, "2026-02-27") == []
    assert run(service, "2026-04-02") == [made("2026-02-28", 2), made("2026-03-31", 3)]
    assert run(service, "2026-04-02") == []
    assert run(service, "2026-04-30") == [made("2026-04-30", 4)]
    assert days(books) == [(1, "2026-01-31"), (2, "2026-02-28"), (3, "2026-03-31"), (4, "2026-04-30")]


def test_what_became_of_a_child_does_not_make_it_again(service: World, books: Books) -> None:
    parent = template(books)
    assert run(service, "2026-04-30") == [made("2026-02-28", 2), made("2026-03-31", 3), made("2026-04-30", 4)]
    paid, lost, credited = listed(books)[1:]
    for child, action in ((paid, "paid"), (lost, "credit_loss")):
        books.invoicing.act(f"invoice/{child['id']}/actions/{action}/")
    back = {"receiver": parent["receiver"], "invoicing_date": "2026-04-30", "payment_condition_days": 14}
    rows = [ROW | {"product_count": Decimal("-1.00")}]
    note = books.invoicing.create("invoice/", {**back, "rows": rows, "is_credit_note_for": credited["id"]})
    books.invoicing.act(f"invoice/{note['id']}/actions/accept/")
    assert run(service, "2026-05-30") == []
    assert run(service, "2026-05-31") == [made("2026-05-31", 6)]


def test_a_template_of_long_ago_does_not_fill_the_books_at_once(service: World, books: Books) -> None:
    template(books, "0001-01-01")
    for first in (2, 5):
        told = run(service, "9999-12-31", 3)
        expected = [made(f"0001-{month:02}-01", month) for month in range(first, first + 3)]
        assert told[:-1] == expected
        left = f"more than 3 are due of this template; the next run makes those from 0001-{first + 3:02}-01 on"
        assert told[-1] == Done("birches", date(1, first + 3, 1), 1, "not made", problem=left)
    assert len(listed(books)) == 7


def test_several_templates_take_turns_by_day(service: World, books: Books) -> None:
    template(books, "2026-01-31")
    template(books, "2026-01-01", recurrence_rule={"frequency": "WEEKLY", "interval": 4})
    other = open_books(service.user(), slug="oaks")
    template(other, "2026-02-01")
    assert run(service, "2026-03-01") == [
        made("2026-01-29", 3, of=2),
        made("2026-02-26", 4, of=2),
        made("2026-02-28", 5),
        Done("oaks", date(2026, 3, 1), 1, "made", 2),
    ]


def test_a_recurrence_ends(service: World, books: Books) -> None:
    template(books, recurrence_end="2026-03-31")
    assert run(service, "2026-12-31") == [made("2026-02-28", 2), made("2026-03-31", 3)]


def test_what_ends_later_is_made_up_to_the_day_asked_for(service: World, books: Books) -> None:
    template(books, recurrence_end="2026-12-31")
    assert run(service, "2026-03-01") == [made("2026-02-28", 2)]


def test_what_is_no_template_in_force_makes_nothing(service: World, books: Books) -> None:
    template(books, is_active_recurrence_template=False)
    books.invoicing.create(
        "invoice/",
        {"receiver": 1, "invoicing_date": "2026-01-01", "payment_condition_days": 1, "rows": [ROW], **MONTHLY},
    )
    disabled = template(books)
    books.invoicing.act(f"invoice/{disabled['id']}/actions/disable_recurrence/")
    assert run(service, "2026-12-31") == []


def test_a_paid_template_goes_on(service: World, books: Books) -> None:
    parent = template(books)
    books.invoicing.act(f"invoice/{parent['id']}/actions/paid/")
    assert run(service, "2026-02-28") == [made("2026-02-28", 2)]


def test_what_cannot_be_made_is_told_and_made_later(service: World, books: Books) -> None:
    parent = template(books)
    template(books, "2026-02-01")
    path = f"contacts/{parent['receiver']}/"
    books.change(path, is_invoicing_enabled=False)
    refused = Done(
        "birches",
        date(2026, 2, 28),
        1,
        "not made",
        None,
        "Invoicing is not enabled for Birch Oy: set is_invoicing_enabled to true.",
    )
    assert run(service, "2026-03-01") == [refused, made("2026-03-01", 3, of=2)]
    assert len(listed(books)) == 3
    books.change(path, is_invoicing_enabled=True)
    assert run(service, "2026-03-01") == [made("2026-02-28", 4)]


def test_a_preview_names_what_is_due_and_what_is_in_its_way_and_keeps_nothing(service: World, books: Books) -> None:
    parent = template(books, **MAILED)
    before = (listed(books), books.get(f"contacts/{parent['receiver']}/").body)

    def preview(until: str) -> list[Done]:
        return list(map(known, recurrence(service, 3).preview(date.fromisoformat(until))))

    assert preview("2026-04-02") == [due("2026-02-28"), due("2026-03-31")]
    left = "more than 3 are due of this template; the next run makes those from 2026-05-31 on"
    assert preview("2026-12-31")[-1] == due("2026-05-31", left)
    books.change(f"contacts/{parent['receiver']}/", is_invoicing_enabled=False)
    assert preview("2026-03-01") == [
        due("2026-02-28", "Invoicing is not enabled for Birch Oy: set is_invoicing_enabled to true.")
    ]
    books.change(f"contacts/{parent['receiver']}/", is_invoicing_enabled=True)
    assert listed(books) == before[0]
    assert run(service, "2026-02-28") == [made("2026-02-28", 2), mailed("2026-02-28", 2)]


@pytest.mark.parametrize(("hour", "expected"), [(20, 1), (22, 2)])
def test_what_is_due_today_is_due_when_the_day_begins_there(
    service: World, books: Books, hour: int, expected: int
) -> None:
    template(books)
    service.clock.now = datetime(2026, 2, 27, hour, 30, tzinfo=UTC)
    assert len(list(recurrence(service).run(None))) == expected - 1


def test_a_day_without_an_accounting_period_is_one_clear_row(service: World, books: Books) -> None:
    books.change("", has_accrual_based_entries_for_invoicing=True)
    template(books, "2026-12-31")
    text = "2027-01-31 lies in no accounting period: one ends on 2026-12-31."
    refused = Done("birches", date(2027, 1, 31), 1, "not made", problem=text)
    assert run(service, "2027-01-31") == [refused]
    books.keep_books(2026, 2027)
    assert run(service, "2027-01-31") == [made("2027-01-31", 2)]


STOP = """CREATE TRIGGER stop BEFORE INSERT ON sales_invoice_row WHEN new.name = 'Refused'
    BEGIN SELECT RAISE(ABORT, 'no row of this name'); END"""


def test_one_that_the_database_refuses_stops_no_other(sqlite_factory: Factory) -> None:
    with opened(sqlite_factory.fresh()) as database, world(database) as service:
        service.clock.now = NOW
        books = open_books(service.user(), slug="birches", invoicing_email="books@example.com")
        template(books, "2026-03-30", rows=[{**ROW, "name": "Refused"}])
        template(books, "2026-03-31")
        database.write(lambda conn: conn.run(STOP))
        refused, other = run(service, "2026-04-30")
        assert (refused.template, refused.invoice_number, other) == (1, None, made("2026-04-30", 3, 2))
        assert str(refused.problem).startswith("The database refuses it (SQLITE_CONSTRAINT")


def test_one_run_at_a_time(service: World, books: Books) -> None:
    template(books)
    with service.database.hold(CLAIM), pytest.raises(InFlight):
        run(service, "2026-02-28")
    assert run(service, "2026-02-28") == [made("2026-02-28", 2)]


def test_a_slow_mail_server_keeps_nobody_from_making_what_is_due(
    service: World, books: Books, mailbox: Mailbox
) -> None:
    template(books, **MAILED)
    mailbox.holds = True
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(run, service, "2026-02-28")
        assert mailbox.arrived.wait(10)
        problem = "another run is mailing"
        assert run(service, "2026-03-31") == [
            made("2026-03-31", 3),
            mailed("2026-02-28", 2, problem),
            mailed("2026-03-31", 3, problem),
        ]
        mailbox.free.set()
        assert first.result() == [made("2026-02-28", 2), mailed("2026-02-28", 2)]
    assert run(service, "2026-03-31") == [mailed("2026-03-31", 3)]


@pytest.mark.everywhere
def test_what_is_not_due_any_more_is_not_made(service: World, books: Books, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = template(books)
    monkeypatch.setattr(service.database, "hold", lambda _: nullcontext())
    first = recurrence(service).run(date(2026, 5, 31))
    assert next(first) == made("2026-02-28", 2)
    # another run overtakes this one, and then nobody wants any more
    assert run(service, "2026-03-31") == [made("2026-03-31", 3)]
    assert next(first) == made("2026-04-30", 4)
    books.invoicing.act(f"invoice/{parent['id']}/actions/disable_recurrence/")
    assert list(first) == []


@pytest.mark.everywhere
def test_a_period_that_is_being_closed_is_waited_for(service: World, books: Books) -> None:
    books.change("", has_accrual_based_entries_for_invoicing=True)
    template(books)
    period_id = books.get("period/").body["results"][0]["id"]

    def close(conn: Connection) -> Future[list[Done]]:
        admission.lock(conn, "birches")
        update(conn, "period", {"is_locked": True}, business_id=books.business_id, id=period_id)
        started = pool.submit(run, service, "2026-02-28")
        while conn.dialect == "postgresql" and not started.done() and not WAITING.value(conn):
            sleep(0.01)
        return started

    with ThreadPoolExecutor(1) as pool:
        locked = "The accounting period 2026-01-01 - 2026-12-31 is locked."
        refused = Done("birches", date(2026, 2, 28), 1, "not made", None, locked)
        assert service.database.write(close).result(30) == [refused]


# --- what is mailed ---


def test_a_child_is_mailed_as_its_template_says(service: World, books: Books, mailbox: Mailbox) -> None:
    parent = template(books, **MAILED)
    assert run(service, "2026-02-28") == [made("2026-02-28", 2), mailed("2026-02-28", 2)]
    assert run(service, "2026-02-28") == []
    (received,) = mailbox.received
    message = message_from_bytes(received.content, policy=default)
    assert (received.recipients, str(message["Subject"])) == (["birch@example.com"], "Your invoice")
    assert b"Here it is." in received.content
    assert b'filename="lasku-2.pdf"' in received.content
    shown, child = listed(books)
    assert (parent["id"], shown["last_delivery_at"]) == (child["recurrence_parent_id"], None)
    assert (child["delivery_method"], child["last_delivery_at"]) == ("EMAIL", "2026-04-02T10:00:00.000000Z")
    assert (child["recurrence_email_subject"], child["recurrence_email_content"]) == ("Your invoice", "Here it is.\n")


def test_each_child_of_a_run_is_a_mail_of_its_own(service: World, books: Books, mailbox: Mailbox) -> None:
    template(books, **MAILED)
    assert run(service, "2026-03-31") == [
        made("2026-02-28", 2),
        made("2026-03-31", 3),
        mailed("2026-02-28", 2),
        mailed("2026-03-31", 3),
    ]
    assert [
        f'filename="lasku-{number}.pdf"'.encode() in mail.content
        for number, mail in zip((2, 3), mailbox.received, strict=True)
    ] == [True, True]


def test_the_text_of_a_template_says_what_each_child_says(service: World, books: Books, mailbox: Mailbox) -> None:
    texts = {"recurrence_email_subject": "{invoice} / {due_date}", "recurrence_email_content": "{reference}\n"}
    template(books, **MAILED | texts)
    run(service, "2026-03-31")
    children = listed(books)[1:]
    said = [(str(one.message["Subject"]), plain_text(one.message)) for one in mailbox.received]
    assert said == [
        (f"Lasku {number} / {due}", f"{one['reference']}\n")
        for number, due, one in zip((2, 3), ("14.3.2026", "14.4.2026"), children, strict=True)
    ]


def test_children_are_in_the_language_that_was_asked_for_of_their_template(
    service: World, books: Books, mailbox: Mailbox
) -> None:
    template(books, said={"language": "de"}, **MAILED | {"recurrence_email_subject": "{invoice}"})
    run(service, "2026-03-31")
    assert [str(one.message["Subject"]) for one in mailbox.received] == ["Rechnung 2", "Rechnung 3"]
    assert [b'filename="rechnung-' in one.content for one in mailbox.received] == [True, True]


def plain_text(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    assert isinstance(body, EmailMessage)
    return str(body.get_content()).replace("\r\n", "\n")


@pytest.mark.everywhere
def test_the_files_of_a_template_go_with_each_child(service: World, books: Books, mailbox: Mailbox) -> None:
    file = books.file("terms.txt")
    template(books, **MAILED, attachments=[file])
    assert run(service, "2026-03-31")[2:] == [mailed("2026-02-28", 2), mailed("2026-03-31", 3)]
    for received in mailbox.received:
        message = message_from_bytes(received.content, policy=default)
        assert isinstance(message, EmailMessage)
        _, attached = message.iter_attachments()
        assert (attached.get_filename(), attached.get_payload(decode=True)) == ("terms.txt", b"terms.txt")
    # what is too large for a mail is told, and tried again
    size = {"size": 15 * 2**20 + 1}
    service.database.write(lambda conn: update(conn, "attachment", size, business_id=books.business_id, id=file))
    done, late = run(service, "2026-04-30")
    assert (done.action, late.action, len(mailbox.received)) == ("made", "not mailed", 2)
    assert (late.problem or "").endswith("have 15.00 MiB: terms.txt 15.00 MiB. Nothing was sent.")


def test_a_child_is_not_mailed_without_the_xrechnung_its_template_asks_for(
    service: World, books: Books, mailbox: Mailbox
) -> None:
    parent = template(books, **MAILED | {"delivery_method": "EMAIL_XRECHNUNG"})
    problem = "Birch Oy cannot be reached by EMAIL_XRECHNUNG; what is possible: EMAIL, PAPER."
    assert run(service, "2026-02-28") == [made("2026-02-28", 2), mailed("2026-02-28", 2, problem)]
    books.change(f"contacts/{parent['receiver']}/", xrechnung_buyer_reference="PO-1")
    (lacking,) = run(service, "2026-02-28")
    assert "business.invoicing_iban" in (lacking.problem or "")
    assert mailbox.received == []


def test_without_a_server_the_mail_lies_in_the_outbox(service: World, books: Books) -> None:
    template(books, **MAILED)
    run(service, "2026-02-28")
    assert [path.suffix for path in (service.outbox.folder / "birches").iterdir()] == [".eml"]


@pytest.mark.everywhere
@pytest.mark.parametrize(("answer", "mails"), [("ARRIVED", 1), ("AGAIN", 2)])
def test_mail_in_doubt_waits_for_what_a_person_says(
    service: World, books: Books, mailbox: Mailbox, answer: str, mails: int
) -> None:
    template(books, **MAILED)
    mailbox.drops = "DATA"
    _, late = run(service, "2026-02-28")
    mailbox.drops = ""
    (again,) = run(service, "2026-02-28")
    assert (late.action, again, len(mailbox.received)) == ("not mailed", late, 1)
    assert (late.problem or "").startswith("The mail server did not say whether it took the mail to birch@example.com")
    mail = {"email_subject": "Your invoice", "email_content": "Here it is.\n"}
    body = {"delivery_method": "EMAIL", "data": mail, "in_doubt": answer}
    assert books.invoicing.send("POST", f"invoice/{listed(books)[1]['id']}/send/", body).status == 200
    assert (run(service, "2026-02-28"), len(mailbox.received)) == ([], mails)
    # somebody who has the first one is not shown it twice
    assert len({received.message["Message-ID"] for received in mailbox.received}) == 1


def test_mail_that_fails_is_told_and_tried_again(service: World, books: Books, mailbox: Mailbox) -> None:
    template(books, **MAILED)
    mailbox.answer_to_data = "450 come again"
    problem = "The mail server 127.0.0.1 does not take the mail: 450 come again"
    assert run(service, "2026-02-28") == [made("2026-02-28", 2), mailed("2026-02-28", 2, problem)]
    assert listed(books)[1]["last_delivery_at"] is None
    mailbox.answer_to_data = None
    path = f"invoice/{listed(books)[1]['id']}/actions"
    books.invoicing.act(f"{path}/paid/")
    assert run(service, "2026-02-28") == []  # whoever has paid knows of it
    books.invoicing.act(f"{path}/unpaid/")
    assert run(service, "2026-02-28") == [mailed("2026-02-28", 2)]
    assert len(mailbox.received) == 1


@pytest.mark.everywhere
@pytest.mark.parametrize("meanwhile", ["sent", "paid", "deleted"])
def test_what_is_not_to_be_mailed_any_more_is_not(
    service: World, books: Books, mailbox: Mailbox, meanwhile: str
) -> None:
    template(books, **MAILED)
    sending = recurrence(service).run(date(2026, 3, 31))
    told = [next(sending) for _ in range(3)]
    assert told == [made("2026-02-28", 2), made("2026-03-31", 3), mailed("2026-02-28", 2)]
    path = f"invoice/{listed(books)[2]['id']}/"
    mail = {"delivery_method": "EMAIL", "data": {"email_subject": "By hand", "email_content": ""}}
    if meanwhile == "sent":
        assert books.invoicing.send("POST", f"{path}send/", mail).status == 200
    elif meanwhile == "paid":
        books.invoicing.act(f"{path}actions/paid/")
    else:
        books.send("DELETE", "")
    assert list(sending) == []
    subjects = [str(received.message["Subject"]) for received in mailbox.received]
    assert subjects == ["Your invoice", *(["By hand"] if meanwhile == "sent" else [])]
    said = [received.message["Auto-Submitted"] for received in mailbox.received]
    assert said == ["auto-generated", None][: len(subjects)]


@pytest.mark.everywhere
def test_what_is_due_of_a_business_that_is_deleted_meanwhile_is_not_made(service: World, books: Books) -> None:
    template(books, **MAILED)
    making = recurrence(service).run(date(2026, 3, 31))
    assert next(making) == made("2026-02-28", 2)
    service.database.write(lambda conn: businesses.give_up(conn, books.business_id))
    assert list(making) == []


def test_what_somebody_sends_at_this_moment_is_not_mailed(service: World, books: Books, mailbox: Mailbox) -> None:
    template(books, **MAILED)
    mailbox.answer_to_data = "450 come again"
    run(service, "2026-02-28")
    mailbox.answer_to_data, mailbox.holds = None, True
    path = f"invoice/{listed(books)[1]['id']}/send/"
    mail = {"delivery_method": "EMAIL", "data": {"email_subject": "By hand", "email_content": ""}}
    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(books.invoicing.send, "POST", path, mail)
        assert mailbox.arrived.wait(10)
        problem = "This is being sent at this very moment: wait until that is done."
        assert run(service, "2026-02-28") == [mailed("2026-02-28", 2, problem)]
        mailbox.free.set()
        assert sending.result().status == 200
    assert (run(service, "2026-02-28"), len(mailbox.received)) == ([], 1)


@pytest.mark.parametrize("fields", [{"delivery_method": "PAPER"}, {"recurrence_email_subject": None}])
def test_only_mail_with_a_subject_leaves_by_itself(
    service: World, books: Books, mailbox: Mailbox, fields: dict[str, Any]
) -> None:
    template(books, **{**MAILED, **fields})
    told = made("2026-02-28", 2)._replace(without_subject="recurrence_email_subject" in fields)
    assert run(service, "2026-02-28") == [told]
    assert mailbox.received == []


# --- a deadline ---


def test_what_is_left_when_the_time_is_over_is_done_by_the_next_run(service: World, books: Books) -> None:
    template(books, **MAILED)
    asked: list[bool] = []

    def is_over() -> bool:
        asked.append(len(asked) >= 2)
        return asked[-1]

    some = list(recurrence(service).run(date(2026, 6, 30), is_over))
    assert some == [made("2026-02-28", 2), made("2026-03-31", 3)]
    # once for the invoices that are left, and once for the mail
    assert asked == [False, False, True, True]
    assert run(service, "2026-04-30") == [
        made("2026-04-30", 4),
        *(mailed(day, number) for number, day in enumerate(("2026-02-28", "2026-03-31", "2026-04-30"), start=2)),
    ]
    asked.clear()
    assert list(recurrence(service).run(date(2026, 4, 30), is_over)) == []
    assert asked == []


# --- a kill ---

KILLED_IN = {
    # inside the transaction of the third child, when everything but its commit is done
    "transaction": "acctcli.service.cases.invoices.recurrence:make_child:3",
    # the first mail has left and is not recorded
    "mail": "acctcli.service.cases.invoices.recurrence:note_delivery:1",
}
PROGRAM = """
import os, signal, sys
from datetime import date
from importlib import import_module
from pathlib import Path
from acctcli.service.http.embedded import open_embedded

folder, url, smtp, place = sys.argv[1:]
name, function, count = place.split(":")
module = import_module(name)
work, calls = getattr(module, function), []

def dying(*arguments):
    done = work(*arguments)
    calls.append(done)
    if len(calls) == int(count):
        os.kill(os.getpid(), signal.SIGKILL)
    return done

setattr(module, function, dying)
with open_embedded(Path(folder), url, smtp_url=smtp) as service:
    list(service.make_recurring(date(2026, 6, 30)))
"""


@pytest.mark.everywhere
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows kills otherwise")
@pytest.mark.parametrize("place", KILLED_IN)
def test_a_kill_loses_nothing_and_doubles_nothing(factory: Factory, tmp_path: Path, place: str) -> None:
    url, folder = factory.fresh(), tmp_path / "local"
    with serving_mail() as mailbox:
        smtp = f"smtp://127.0.0.1:{mailbox.port}"
        with open_embedded(folder, url, smtp_url=smtp) as service:
            client = httpx.Client(transport=httpx.WSGITransport(service.app), base_url="http://x", trust_env=False)
            with client:
                actor = Actor(client, 1, service.user(), service.token)
                books = open_books(actor, slug="birches", invoicing_email="books@example.com")
                template(books, **MAILED)
                command = [sys.executable, "-c", PROGRAM, str(folder), url, smtp, KILLED_IN[place]]
                killed = subprocess.run(command, timeout=60, check=False)
                assert killed.returncode == -signal.SIGKILL
                list(service.make_recurring(date(2026, 6, 30)))
                expected = ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30"]
                assert days(books) == list(enumerate(expected, start=1))
                assert all(invoice["last_delivery_at"] for invoice in listed(books)[1:])
        files = [str(received.message["Message-ID"]) for received in mailbox.received]
        assert len(files) == len(set(files)) == 5
