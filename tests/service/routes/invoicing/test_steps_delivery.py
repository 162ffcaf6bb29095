"""Sending invoices over HTTP, on both databases: what leaves, where it goes, and what is recorded.

See docs/interface.md 7.4.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from acctcli.service.delivery.outbox import KINDS
from acctcli.service.delivery.smtp import MailServer
from acctcli.service.problems import Unavailable
from acctcli.service.store import idempotency
from acctcli.service.store.engine.statements import update
from tests.databases import full
from tests.mail_server import Mailbox, serving_mail
from tests.service.actor import Actor, Reply, World
from tests.service.actor import Reply as Answer
from tests.service.routes.books import Books, open_books
from tests.service.routes.conftest import NOW

Events = Callable[[Books], list[tuple[str, Any]]]
MOMENT = "2026-04-02T10:00:00.000000Z"

ADDRESS = {
    "invoicing_street": "Hämeenkatu 1",
    "invoicing_city": "Tampere",
    "invoicing_postal_code": "33100",
    "invoicing_country": "FI",
}
OPERATOR = {"invoicing_einvoice_address": "003726044706", "invoicing_einvoice_operator": "BAWCFI22"}
SELLER = {
    "invoicing_email": "laskut@example.com",
    "invoicing_iban": "FI4950009420028730",
    "invoicing_contact": "Aino Aalto",
    "contact_phone": "+358 40 1234567",
    **ADDRESS,
}
BIRCH = {
    "type": "BUSINESS",
    "is_invoicing_enabled": True,
    "invoicing_email": "birch@example.com",
    **ADDRESS,
    **OPERATOR,
}
ROW = {
    "name": "Työ",
    "unit": "h",
    "amount": Decimal("99.99"),
    "vat_rate": Decimal("25.50"),
    "vat_code": 1,
    "product_count": Decimal("7.5"),
}
MAIL = {
    "delivery_method": "EMAIL",
    "data": {"email_subject": "Lasku 1 – työ", "email_content": "Hei,\nlasku liitteenä.\n"},
}
PAPER = {"delivery_method": "PAPER"}


class Sender:
    """An accepted invoice of a company, the requests that send it, and what lies in the outbox of the company."""

    def __init__(self, world: World, actor: Actor, books: Books, receiver: dict[str, Any], rate: str = "25.50") -> None:
        self.books, self.world, self._actor = books, world, actor
        books.change("", **SELLER)
        for type_, value in (("y_tunnus", "0112038-9"), ("vat_code", "FI01120389")):
            books.create("identifiers/", {"type": type_, "value": value})
        self.contact_id = books.contact(**{"name": "Birch Oy", **BIRCH, **receiver})
        draft = {"receiver": self.contact_id, "invoicing_date": "2026-03-01", "payment_condition_days": 14}
        made = books.invoicing.create("invoice/", {**draft, "rows": [ROW | {"vat_rate": Decimal(rate)}]})
        self.path = f"invoice/{made['id']}/"
        self.folder = world.outbox.folder / books.path.split("/")[-2]

    def accept(self) -> Sender:
        self.books.invoicing.act(f"{self.path}actions/accept/")
        return self

    def send(self, body: object, key: str | None = None, seen: str | None = None) -> Answer:
        """Send a request for delivery, under a key or not; `seen` is what it says of the last one."""
        said = {"Idempotency-Key": key, "If-Match": seen}
        headers = {name: value for name, value in said.items() if value is not None}
        return self._actor.send("POST", f"{self.books.invoicing.path}{self.path}send/", body, headers=headers)

    @property
    def invoice(self) -> Any:
        return self.books.invoicing.get(self.path).body

    @property
    def pdf(self) -> bytes:
        """The invoice as its address gives it."""
        return self.world.client.get(self.invoice["pdf"]["file"]).content

    @property
    def held(self) -> dict[str, bytes]:
        """What lies in the outbox, without the marks in its names."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return {f"{path.parent.name}/{_unmarked(path)}": path.read_bytes() for path in files}

    @property
    def only(self) -> bytes:
        """The one thing in the outbox."""
        (content,) = self.held.values()
        return content


def _unmarked(path: Path) -> str:
    return re.sub(r"(-[0-9a-f]{12})+(?=\.)", "", path.name)


@pytest.fixture
def sender(shared: World, bookkeeper: Actor, books: Books) -> Callable[..., Sender]:
    """Make an accepted invoice; fields of the receiver differ as they are given."""
    return lambda **receiver: Sender(shared, bookkeeper, books, receiver).accept()


Make = Callable[..., Sender]


@pytest.fixture
def mailbox(shared: World) -> Iterator[Mailbox]:
    """A server that all mail goes to."""
    with serving_mail() as made:
        shared.outbox.server = MailServer("127.0.0.1", made.port, None, is_tls=False, starts_tls=False)
        yield made
    shared.outbox.server = None


def read(content: bytes) -> EmailMessage:
    message = message_from_bytes(content, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def body_of(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    assert isinstance(body, EmailMessage)
    return str(body.get_content()).replace("\r\n", "\n")


# --- what is delivered ---


def test_paper_is_the_pdf_and_the_invoice_says_it_was_delivered(
    shared: World, sender: Make, books: Books, events: Events
) -> None:
    one = sender()
    before = one.invoice
    shared.clock.now = NOW + timedelta(minutes=5)
    sent = one.send(PAPER)
    assert sent.status == 200
    assert sent.body == before | {
        "delivery_method": "PAPER",
        "last_delivery_at": "2026-04-02T10:05:00.000000Z",
        "pdf": sent.body["pdf"],
        "updated_at": "2026-04-02T10:05:00.000000Z",
    }
    assert events(books)[-1] == ("sales_invoice.sent", sent.body)
    assert one.held == {f"{one.folder.name}/invoice-1.pdf": one.pdf}
    assert one.pdf.startswith(b"%PDF-")


def test_the_paper_that_was_written_first_is_what_goes(shared: World, sender: Make) -> None:
    """Another version of the program may draw it otherwise."""
    one = sender()
    name = one.invoice["pdf"]["file"].split("/content/")[1].split("/")[0]
    shared.contents.remove([name])
    shared.contents.keep(name, [b"%PDF-1.7 of an earlier version"])
    one.send(PAPER)
    one.send(MAIL)
    pdf, mail = (f"{one.folder.name}/invoice-1.{kind}" for kind in ("pdf", "eml"))
    (attached,) = read(one.held[mail]).iter_attachments()
    assert attached.get_content() == one.held[pdf] == b"%PDF-1.7 of an earlier version"


def test_mail_without_a_server_is_a_file(sender: Make) -> None:
    one = sender()
    assert one.send(MAIL).body["delivery_method"] == "EMAIL"
    assert list(one.held) == [f"{one.folder.name}/invoice-1.eml"]
    message = read(one.only)
    assert [str(message[name]) for name in ("From", "Reply-To", "To", "Subject", "Date")] == [
        "Example Oy <laskut@example.com>",
        "Example Oy <laskut@example.com>",
        "Birch Oy <birch@example.com>",
        "Lasku 1 – työ",
        "Thu, 02 Apr 2026 10:00:00 +0000",
    ]
    assert body_of(message) == "Hei,\nlasku liitteenä.\n"
    files = [(part.get_filename(), part.get_content_type(), part.get_content()) for part in message.iter_attachments()]
    assert files == [("lasku-1.pdf", "application/pdf", one.pdf)]


def test_a_credit_note_leaves_under_its_own_name(sender: Make, books: Books) -> None:
    one = sender()
    note = {"receiver": one.contact_id, "invoicing_date": "2026-03-02", "payment_condition_days": 14}
    credited = {**note, "is_credit_note_for": one.invoice["id"], "rows": [ROW | {"product_count": -1}]}
    one.path = f"invoice/{books.invoicing.create('invoice/', credited)['id']}/"
    one.accept().send(PAPER)
    one.send(MAIL)
    pdf, mail = (f"{one.folder.name}/credit-note-2.{kind}" for kind in ("pdf", "eml"))
    assert sorted(one.held) == [mail, pdf]
    (attached,) = read(one.held[mail]).iter_attachments()
    assert (attached.get_filename(), attached.get_content()) == ("hyvityslasku-2.pdf", one.held[pdf])


def test_mail_goes_to_the_server(sender: Make, mailbox: Mailbox) -> None:
    one = sender()
    assert one.send(MAIL).status == 200
    (received,) = mailbox.received
    assert (received.sender, received.recipients) == ("laskut@example.com", ["birch@example.com"])
    assert one.held == {"sent/invoice-1.eml": received.content}
    assert str(received.message["Subject"]) == "Lasku 1 – työ"


OURS = """Hei,

liitteenä on laskumme 1.

Yhteensä: 941,16 EUR
Eräpäivä: 15.3.2026
Tilinumero: FI49 5000 9420 0287 30
Viitenumero: 10016

Ystävällisin terveisin
Example Oy
"""


def test_what_was_sent_since_somebody_looked_is_not_sent_by_them(sender: Make) -> None:
    one = sender()
    first = one.send(MAIL, key="first", seen='""')
    assert first.status == 200
    refused = one.send({"delivery_method": "PAPER"}, seen='""')
    assert (refused.status, refused.faults) == (412, ["last_delivery_at"])
    assert len(one.held) == 1
    # what is repeated is answered as before
    assert one.send(MAIL, key="first", seen='""').body == first.body
    assert one.send({"delivery_method": "PAPER"}, seen=f'"{first.body["last_delivery_at"]}"').status == 200


@pytest.mark.parametrize(("usual", "expected"), [("Kiitos!\n", "Kiitos!\n"), (None, OURS)])
def test_without_content_the_mail_says_what_the_business_usually_says(
    sender: Make, books: Books, usual: str | None, expected: str
) -> None:
    one = sender()
    books.change("", invoicing_default_email_content=usual)
    one.send({"delivery_method": "EMAIL", "data": {"email_subject": "Lasku", "email_content": None}})
    assert body_of(read(one.only)) == expected


def html_of(message: EmailMessage) -> str:
    body = message.get_body(("html",))
    assert isinstance(body, EmailMessage)
    return str(body.get_content()).replace("\N{NO-BREAK SPACE}", " ")


def test_mail_is_text_and_the_same_as_html_and_small(sender: Make) -> None:
    one = sender()
    assert (
        one.send({"delivery_method": "EMAIL", "data": {"email_subject": "Lasku", "email_content": None}}).status == 200
    )
    message = read(one.only)
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "application/pdf",
    ]
    assert '<tr><th scope="row" align="left">Eräpäivä</th><td>15.3.2026</td></tr>' in html_of(message)
    alternative = next(iter(message.iter_parts()))
    assert len(alternative.as_bytes()) < 2_000


@pytest.mark.parametrize("content", ["<script>alert(1)</script>", "{number} & {unknown}"])
def test_words_of_a_request_are_what_they_are(sender: Make, content: str) -> None:
    one = sender()
    data = {"email_subject": "{number}", "email_content": content}
    assert one.send({"delivery_method": "EMAIL", "data": data}).status == 200
    message = read(one.only)
    assert (message["Subject"], body_of(message)) == ("{number}", f"{content}\n")
    assert f"<p>{escape(content, quote=False)}</p>" in html_of(message)


def test_one_text_of_the_business_serves_all_invoices(sender: Make, books: Books) -> None:
    one = sender()
    books.change(
        "", invoicing_default_email_content="{name}: {invoice}, {total}, {due_date}\n\n{payment}\n\n{{Kiitos}}\n"
    )
    one.send({"delivery_method": "EMAIL", "data": {"email_subject": "Lasku", "email_content": None}})
    lines = OURS.split("\n\n")[2]
    said = f"Birch Oy: Lasku 1, 941,16 EUR, 15.3.2026\n\n{lines}\n\n{{Kiitos}}\n"
    message = read(one.only)
    assert body_of(message) == said
    assert "<td>FI49 5000 9420 0287 30</td>" in html_of(message)


WRONG = "stands for nothing here; use {number}, {invoice}, {total}, {due_date}, {reference}, {iban}, {name}, {business}"


@pytest.mark.together
@pytest.mark.parametrize(
    ("field", "text", "refusal"),
    [
        ("email_content", "Hei {nimi}", f"{{nimi}} {WRONG}, {{payment}}, or {{{{ and }}}} for braces."),
        ("email_content", "a {", f"{{ {WRONG}, {{payment}}, or {{{{ and }}}} for braces."),
        ("email_content", "a }", f"}} {WRONG}, {{payment}}, or {{{{ and }}}} for braces."),
        ("email_subject", "{payment}", f"{{payment}} {WRONG}, or {{{{ and }}}} for braces."),
    ],
)
def test_what_stands_for_nothing_is_refused_where_it_is_written(
    sender: Make, books: Books, field: str, text: str, refusal: str
) -> None:
    refused = books.send("PATCH", "", {f"invoicing_default_{field}": text})
    assert (refused.status, refused.body[f"invoicing_default_{field}"]) == (400, [refusal])
    draft = Sender(sender().world, books.actor, books, {})
    refused = books.invoicing.send("PATCH", draft.path, {f"recurrence_{field}": text})
    assert (refused.status, refused.body[f"recurrence_{field}"]) == (400, [refusal])


@pytest.mark.everywhere
def test_a_text_from_before_there_were_placeholders_is_sent_as_it_is_and_hinders_nothing(
    shared: World, sender: Make, books: Books
) -> None:
    one, old = sender(), {"invoicing_default_email_content": "Hei {nimi}, {number}\n"}
    shared.database.write(lambda conn: update(conn, "business", old, id=books.business_id))
    books.change("", contact_phone="+358 40 7654321")
    one.send({"delivery_method": "EMAIL", "data": {"email_subject": "Lasku", "email_content": None}})
    assert body_of(read(one.only)) == old["invoicing_default_email_content"]


FINVOICE = "Finvoice"
XRECHNUNG = "{urn:oasis:names:specification:ubl:schema:xsd:Invoice-2}Invoice"
ELECTRONIC = {
    **dict.fromkeys(OPERATOR),
    "invoicing_electronic_address": "0037:birch",
    "invoicing_electronic_address_scheme": "EM",
    "xrechnung_buyer_reference": "04011000-12345-03",
}


PEPPOL = ELECTRONIC | {
    "invoicing_electronic_address": "003726044706",
    "invoicing_electronic_address_scheme": "0216",
    "xrechnung_buyer_reference": None,
}


@pytest.mark.parametrize(
    ("method", "receiver", "root"),
    [
        ("EINVOICE", {}, FINVOICE),
        ("ELASKU", {"type": "PERSON"}, FINVOICE),
        ("EINVOICE", ELECTRONIC, XRECHNUNG),
        ("EINVOICE", PEPPOL | {"xrechnung_buyer_reference": "PO-1"}, XRECHNUNG),
    ],
)
def test_einvoices_are_laid_down(sender: Make, method: str, receiver: dict[str, Any], root: str) -> None:
    one = sender(**receiver)
    sent = one.send({"delivery_method": method})
    assert (sent.status, sent.body["delivery_method"]) == (200, method)
    assert list(one.held) == [f"{one.folder.name}/invoice-1.xml"]
    assert ElementTree.fromstring(one.only).tag == root


def form_of(content: bytes) -> str:
    """What a document in UBL says that it is (BT-24)."""
    found = ElementTree.fromstring(content).find("{*}CustomizationID")
    return "" if found is None else found.text or ""


def test_the_address_says_in_which_form_an_einvoice_goes(sender: Make, books: Books) -> None:
    seller = {"invoicing_electronic_address": "003701120389", "invoicing_electronic_address_scheme": "0216"}
    books.change("", **seller)
    one = sender(**PEPPOL)
    refused = one.send({"delivery_method": "EINVOICE"})
    assert (refused.status, "PEPPOL-EN16931-R003" in refused.body["detail"]) == (412, True)
    # the reader's own country has its own
    books.change(f"contacts/{one.contact_id}/", invoicing_country="DE", xrechnung_buyer_reference="04011000-12345-03")
    assert one.send({"delivery_method": "EINVOICE"}).status == 200
    assert form_of(one.only).endswith("xeinkauf.de:kosit:xrechnung_3.0")


def test_a_finvoice_has_its_frame_where_both_ways_are_known(sender: Make, books: Books) -> None:
    books.change("", invoicing_electronic_address="FI4950009420028730")
    one = sender()
    assert one.send({"delivery_method": "EINVOICE"}).status == 200
    frame, mark, finvoice = one.only.partition(b"<Finvoice ")
    assert b"<eb:PartyId>FI4950009420028730</eb:PartyId>" in frame
    assert (mark, b"<MessageTransmissionDetails>" in finvoice) == (b"<Finvoice ", True)


def test_a_mail_may_carry_the_xrechnung_too(sender: Make) -> None:
    one = sender(**ELECTRONIC)
    assert one.send({"delivery_method": "EMAIL_XRECHNUNG"}).status == 400
    assert one.send(MAIL | {"delivery_method": "EMAIL_XRECHNUNG"}).body["delivery_method"] == "EMAIL_XRECHNUNG"
    assert list(one.held) == [f"{one.folder.name}/invoice-1.eml"]
    paper, einvoice = read(one.only).iter_attachments()
    assert (paper.get_filename(), paper.get_content()) == ("lasku-1.pdf", one.pdf)
    assert (einvoice.get_filename(), einvoice.get_content_type()) == ("lasku-1.xml", "application/xml")
    assert ElementTree.fromstring(einvoice.get_content()).tag == XRECHNUNG


def test_a_mail_with_an_xrechnung_needs_what_that_needs(sender: Make) -> None:
    one = sender()
    refused = one.send(MAIL | {"delivery_method": "EMAIL_XRECHNUNG"})
    assert (refused.status, list(refused.body)) == (412, ["delivery_method", "code", "detail"])
    assert one.held == {}


def test_a_german_seller_sends_an_xrechnung_even_through_an_operator(shared: World, bookkeeper: Actor) -> None:
    books = open_books(bookkeeper, form="DE_UG")
    one = Sender(shared, bookkeeper, books, {"xrechnung_buyer_reference": "PO-1"}, "19.00").accept()
    assert one.send({"delivery_method": "EINVOICE"}).status == 200
    assert ElementTree.fromstring(one.only).tag == XRECHNUNG


def test_an_einvoice_goes_to_the_address_of_today(sender: Make, books: Books) -> None:
    one = sender(invoicing_einvoice_address="003700000000")
    books.change(f"contacts/{one.contact_id}/", invoicing_einvoice_address="003726044706", name="Oak Oy")
    assert one.send({"delivery_method": "EINVOICE"}).status == 200
    text = one.only.decode("iso-8859-15")
    assert ("003726044706" in text, "003700000000" in text) == (True, False)
    assert ("Birch Oy" in text, "Oak Oy" in text) == (True, False)


def test_what_an_einvoice_lacked_can_be_filled_in_later(shared: World, bookkeeper: Actor, books: Books) -> None:
    one = Sender(shared, bookkeeper, books, {})
    books.change("", invoicing_iban=None)
    one.accept()
    refused = one.send({"delivery_method": "EINVOICE"})
    assert refused.error == (412, "precondition_failed")
    assert list(refused.body) == ["business.invoicing_iban", "code", "detail"]
    assert one.held == {}
    books.change("", invoicing_iban=SELLER["invoicing_iban"])
    assert one.send({"delivery_method": "EINVOICE"}).status == 200


def test_sending_again_delivers_again(sender: Make) -> None:
    one = sender()
    for _ in range(2):
        assert one.send(PAPER).status == 200
    assert len(list(one.folder.iterdir())) == 2


# --- what is refused ---


def refusal(answer: Answer) -> tuple[int, Any]:
    assert answer.status != 200, answer.body
    return answer.status, {name: text for name, text in answer.body.items() if name != "code"}


def assert_untouched(one: Sender, before: Any, seen: list[Any], events: Events) -> None:
    """Nothing was recorded, nothing lies anywhere."""
    after = one.invoice
    assert after | {"pdf": None} == before | {"pdf": None}
    assert (events(one.books), one.held) == (seen, {})


@pytest.mark.parametrize(("action", "status"), [("paid", "PAID"), ("credit_loss", "CREDIT_LOSS")])
def test_what_is_not_open_is_not_sent(sender: Make, books: Books, events: Events, action: str, status: str) -> None:
    one = sender()
    books.invoicing.act(f"{one.path}actions/{action}/")
    before, seen = one.invoice, events(books)
    answer = one.send(PAPER)
    assert (answer.status, answer.body["detail"]) == (
        412,
        f"Invoice 1 is {status}: only an accepted, open invoice is sent.",
    )
    assert_untouched(one, before, seen, events)


def test_a_draft_is_not_sent(shared: World, bookkeeper: Actor, books: Books, events: Events) -> None:
    draft = Sender(shared, bookkeeper, books, {})
    before, seen = draft.invoice, events(books)
    answer = draft.send(MAIL)
    assert refusal(answer)[0] == 412
    assert answer.body["detail"].endswith(" is DRAFT: only an accepted, open invoice is sent.")
    assert_untouched(draft, before, seen, events)


@pytest.mark.together
@pytest.mark.parametrize(
    ("receiver", "method", "ways"),
    [
        ({"invoicing_email": None}, "EMAIL", "EINVOICE, PAPER"),
        (dict.fromkeys(OPERATOR), "EINVOICE", "EMAIL, PAPER"),
        ({}, "ELASKU", "EMAIL, EINVOICE, PAPER"),
        ({"type": "PERSON"}, "EINVOICE", "EMAIL, ELASKU, PAPER"),
    ],
)
def test_a_receiver_is_reached_only_as_he_can_be(
    sender: Make, events: Events, receiver: dict[str, Any], method: str, ways: str
) -> None:
    one = sender(**receiver)
    before, seen = one.invoice, events(one.books)
    assert refusal(one.send(MAIL | {"delivery_method": method})) == (
        412,
        {
            "detail": f"Birch Oy cannot be reached by {method}; what is possible: {ways}.",
            "delivery_method": ["Not available for Birch Oy."],
        },
    )
    assert_untouched(one, before, seen, events)


def test_mail_needs_a_sender(sender: Make, books: Books, events: Events) -> None:
    one = sender()
    books.change("", invoicing_email=None)
    before, seen = one.invoice, events(books)
    text = "Mail needs a sender: set invoicing_email of the business."
    assert refusal(one.send(MAIL)) == (412, {"detail": text, "invoicing_email": [text]})
    assert_untouched(one, before, seen, events)


LINE = ["Must be one line without control characters."]
REQUIRED = ["This field is required."]
UNSEEN = ["Must have a character that can be seen."]


@pytest.mark.together
@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"delivery_method": REQUIRED}),
        ({"delivery_method": "EMAIL"}, {"data": ["An e-mail needs email_subject and email_content."]}),
        ({"delivery_method": "EMAIL", "data": None}, {"data": ["An e-mail needs email_subject and email_content."]}),
        (MAIL | {"data": {}}, {"data": {"email_subject": REQUIRED, "email_content": REQUIRED}}),
        *(
            (MAIL | {"data": {"email_subject": blank, "email_content": None}}, {"data": {"email_subject": UNSEEN}})
            for blank in (" ", "\N{NO-BREAK SPACE}", "\u200b", "\u202e")
        ),
        *(
            (
                MAIL | {"data": {"email_subject": f"Lasku{end}", "email_content": None}},
                {"data": {"email_subject": LINE}},
            )
            for end in ("\n", "\r\nBcc: all@example.com", "\x85", "\u2028x", "\t", "\x1b", "\x00")
        ),
    ],
)
def test_a_bad_body_is_refused(sender: Make, events: Events, body: Any, fields: dict[str, Any]) -> None:
    one = sender()
    before, seen = one.invoice, events(one.books)
    status, found = refusal(one.send(body))
    assert (status, {name: text for name, text in found.items() if name != "detail"}) == (400, fields)
    assert_untouched(one, before, seen, events)


def test_other_invoices_are_not_found(sender: Make, other_books: Books) -> None:
    one = sender()
    assert one.books.invoicing.send("POST", "invoice/999999/send/", PAPER).status == 404
    foreign: Reply = other_books.invoicing.send("POST", f"{one.path}send/", PAPER)
    assert foreign.status == 404
    assert one.held == {}


# --- servers that refuse, requests that come again ---


@pytest.mark.parametrize(("answer", "status"), [("450 come again", 503), ("550 unknown", 412)])
def test_mail_that_is_refused_leaves_the_invoice_unsent(
    sender: Make, mailbox: Mailbox, events: Events, answer: str, status: int
) -> None:
    one = sender()
    before, seen = one.invoice, events(one.books)
    mailbox.answer_to_data = answer
    detail = f"The mail server 127.0.0.1 does not take the mail: {answer}"
    refused = one.send(MAIL, "first")
    assert refusal(refused) == (status, {"detail": detail})
    # a status below 500 says so by itself
    assert refused.headers.get("Nothing-Changed") == ("true" if status == 503 else None)
    assert_untouched(one, before, seen, events)
    mailbox.answer_to_data = None
    again = one.send(MAIL, "first")
    assert (again.status, "Idempotent-Replayed" in again.headers, len(mailbox.received)) == (200, False, 1)


def test_a_repeated_request_sends_nothing(sender: Make, mailbox: Mailbox, events: Events) -> None:
    one = sender()
    first, again = one.send(MAIL, "one"), one.send(MAIL, "one")
    assert (again.raw, again.headers["Idempotent-Replayed"]) == (first.raw, "true")
    assert one.send(PAPER, "one").error == (422, "idempotency_key_reused")
    assert len(mailbox.received) == 1
    assert [name for name, _ in events(one.books)].count("sales_invoice.sent") == 1
    assert list(one.held) == ["sent/invoice-1.eml"]


def test_mail_that_left_is_recorded_by_the_same_request_and_not_sent_twice(
    sender: Make, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise Unavailable

    one = sender()
    with monkeypatch.context() as broken:
        broken.setattr(idempotency, "store", fail)
        refused = one.send(MAIL, "one")
    text = "The mail was sent, but that could not be recorded. Asked again, that is done without sending it."
    assert refusal(refused) == (503, {"detail": text})
    assert (one.invoice["last_delivery_at"], list(one.held)) == (None, ["sent/invoice-1.eml.unrecorded"])
    assert one.send(MAIL, "one").body["last_delivery_at"] == MOMENT
    assert (len(mailbox.received), list(one.held)) == (1, ["sent/invoice-1.eml"])


def while_it_leaves(one: Sender, mailbox: Mailbox, act: Callable[[], object], body: dict[str, Any] = MAIL) -> Answer:
    """Send an invoice; do something when the server has the mail and has not answered yet."""
    mailbox.holds = True
    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(one.send, body, "one")
        assert mailbox.arrived.wait(10)
        act()
        mailbox.free.set()
        return sending.result()


@pytest.mark.everywhere
@pytest.mark.parametrize("meanwhile", ["paid", "dismissed", "revoked"])
def test_mail_that_left_is_recorded_whatever_happened_meanwhile(
    shared: World, mailbox: Mailbox, events: Events, meanwhile: str
) -> None:
    shared.clock.now = NOW
    books, clerk = open_books(shared.user()), shared.user()
    shared.permit(clerk, books.business_id, "invoicing_admin")
    one = Sender(shared, clerk, books, {}).accept()
    acts: dict[str, Callable[[], object]] = {
        "paid": lambda: books.invoicing.act(f"{one.path}actions/paid/"),
        "dismissed": lambda: shared.dismiss(clerk, books.business_id),
        "revoked": lambda: shared.revoke(clerk.token),
    }
    sent = while_it_leaves(one, mailbox, acts[meanwhile])
    assert (sent.status, sent.body["last_delivery_at"], one.invoice["last_delivery_at"]) == (200, MOMENT, MOMENT)
    assert events(books)[-1] == ("sales_invoice.sent", sent.body)
    assert (len(mailbox.received), list(one.held)) == (1, ["sent/invoice-1.eml"])


def test_what_is_missing_when_a_mail_has_left_is_kept_as_it_was_sent(
    shared: World, bookkeeper: Actor, mailbox: Mailbox
) -> None:
    """The record of the delivery keeps what left, and is made whatever was taken away by then."""
    books = open_books(bookkeeper)
    one = Sender(shared, bookkeeper, books, ELECTRONIC)
    books.change("", contact_phone=None)
    one.accept()
    books.change("", contact_phone="+358 40 1234567")
    body = MAIL | {"delivery_method": "EMAIL_XRECHNUNG"}
    sent = while_it_leaves(one, mailbox, lambda: books.change("", contact_phone=None), body)
    assert (sent.status, len(mailbox.received)) == (200, 1)
    kept = books.invoicing.get(f"{one.path}kept/").body
    assert (kept["business"]["contact_phone"], kept["today"]["business"]["contact_phone"]) == ("+358 40 1234567", None)


@pytest.mark.everywhere
def test_mail_that_left_for_a_business_that_is_deleted_meanwhile_is_told(shared: World, mailbox: Mailbox) -> None:
    owner = shared.user()
    books = open_books(owner)
    one = Sender(shared, owner, books, {}).accept()
    sent = while_it_leaves(one, mailbox, lambda: owner.send("DELETE", books.path))
    detail = "The mail was sent, but that could not be recorded: There is no such business."
    assert (refusal(sent), len(mailbox.received)) == ((500, {"detail": detail}), 1)


def test_mail_that_left_on_a_full_disk_is_told(sender: Make, shared: World, mailbox: Mailbox) -> None:
    one = sender(notes="x" * 8000)  # more than is left on any page
    with full(shared.database):
        refused = one.send(MAIL, "one")
    text = "The mail was sent, but that could not be recorded. Asked again, that is done without sending it."
    assert refusal(refused) == (503, {"detail": text})
    assert one.send(MAIL, "one").body["last_delivery_at"] == MOMENT
    assert len(mailbox.received) == 1


def test_mail_that_left_unrecorded_is_recorded_also_where_it_could_not_be_sent_any_more(
    sender: Make, books: Books, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise Unavailable

    one = sender()
    with monkeypatch.context() as broken:
        broken.setattr(idempotency, "store", fail)
        assert one.send(MAIL, "one").status == 503
    books.change(f"contacts/{one.contact_id}/", invoicing_email=None)
    books.invoicing.act(f"{one.path}actions/paid/")
    assert one.send(MAIL, "one").body["last_delivery_at"] == MOMENT
    assert (len(mailbox.received), list(one.held)) == (1, ["sent/invoice-1.eml"])


def test_mails_of_an_invoice_are_told_apart_and_belong_together(sender: Make, books: Books, mailbox: Mailbox) -> None:
    """Sent again on purpose, to an address that was corrected, or by another way, it is another mail."""
    one, way = sender(**ELECTRONIC), {"invoicing_email": "other@example.com"}
    for method, change in (("EMAIL", {}), ("EMAIL", {}), ("EMAIL", way)):
        books.change(f"contacts/{one.contact_id}/", **change)
        assert one.send(MAIL | {"delivery_method": method}).status == 200
    assert sender().send(MAIL).status == 200
    letters = [received.message for received in mailbox.received]
    ids, threads = ([str(one[name]) for one in letters] for name in ("Message-ID", "References"))
    assert len(set(ids)) == 4
    assert (len(set(threads[:3])), len(set(threads)), set(ids) & set(threads)) == (1, 2, set())
    assert all("Auto-Submitted" not in one for one in letters)


@pytest.mark.parametrize("change", ["method", "words"])
def test_mail_that_goes_again_with_other_parts_is_another_one(sender: Make, mailbox: Mailbox, change: str) -> None:
    """Programs that know its Message-ID show nobody what is different in it."""
    one = sender(**ELECTRONIC)
    mailbox.drops, body = "DATA", MAIL | {"in_doubt": "AGAIN"}
    assert one.send(MAIL).status == 500
    mailbox.drops = ""
    if change == "method":
        body["delivery_method"] = "EMAIL_XRECHNUNG"
    else:
        body["data"] = {"email_subject": "Lasku 1", "email_content": "Korjattu."}
    assert one.send(body).status == 200
    first, second = (received.message for received in mailbox.received)
    assert (first["Message-ID"] == second["Message-ID"], first["References"]) == (False, second["References"])


def test_an_invoice_is_sent_by_one_request_at_a_time(sender: Make, mailbox: Mailbox) -> None:
    one, refused = sender(), []
    assert while_it_leaves(one, mailbox, lambda: refused.append(one.send(MAIL, "another"))).status == 200
    (other,) = refused
    detail = "This is being sent at this very moment: wait until that is done."
    assert (refusal(other), len(mailbox.received)) == ((409, {"detail": detail}), 1)
    assert other.headers["Nothing-Changed"] == "true"


UNSURE = "The mail server did not say whether it took the mail to birch@example.com, which may have left."


def test_mail_that_may_have_left_goes_again_only_when_a_person_says_so_and_is_known_as_the_same(
    sender: Make, mailbox: Mailbox, events: Events
) -> None:
    one = sender()
    before, seen = one.invoice, events(one.books)
    mailbox.drops = "DATA"
    refused = [one.send(MAIL, "one"), one.send(MAIL, "one")]
    mailbox.drops = ""
    refused.append(one.send(MAIL, "one"))
    assert [refusal(one) for one in refused] == [(500, {"detail": f"{UNSURE} {KINDS['eml'].answer}"})] * 3
    # without a key, and with another one
    for key in (None, "two"):
        earlier = "a mail of this invoice may have left earlier, its server did not say"
        detail = f"Nothing was sent: {earlier}. {KINDS['eml'].answer}"
        assert refusal(one.send(MAIL, key)) == (412, {"detail": detail})
    after = one.invoice
    assert (after | {"pdf": None}, events(one.books)) == (before | {"pdf": None}, seen)
    assert len(mailbox.received) == 1
    assert one.send(MAIL | {"in_doubt": "AGAIN"}, "three").body["last_delivery_at"] == MOMENT
    assert one.send(MAIL | {"in_doubt": "AGAIN"}, "three").status == 200
    # what is sent after that is another mail
    assert one.send(MAIL).status == 200
    first, second, third = (received.message["Message-ID"] for received in mailbox.received)
    assert (first == second, second == third) == (True, False)


def test_mail_that_arrived_is_recorded_also_where_the_invoice_is_paid(
    sender: Make, books: Books, mailbox: Mailbox, events: Events
) -> None:
    one, arrived = sender(), {"delivery_method": "EMAIL", "in_doubt": "ARRIVED"}
    told = {"detail": "No mail of this invoice is in doubt."}
    assert refusal(one.send(arrived)) == (412, told)
    mailbox.drops = "DATA"
    assert one.send(MAIL).status == 500
    books.invoicing.act(f"{one.path}actions/paid/")
    sent = one.send(arrived)
    assert (sent.status, sent.body["last_delivery_at"], sent.body["delivery_method"]) == (200, MOMENT, "EMAIL")
    assert (events(books)[-1], len(mailbox.received)) == (("sales_invoice.sent", sent.body), 1)
    assert (list(one.held), refusal(one.send(arrived))) == (["sent/invoice-1.eml"], (412, told))


def test_only_what_leaves_may_be_in_doubt(sender: Make) -> None:
    one = sender()
    refused = one.send({"delivery_method": "PAPER", "in_doubt": "ARRIVED"})
    assert (refused.status, refused.body["in_doubt"]) == (400, ["Only an e-mail or an e-invoice may be in doubt."])
    one.accept()
    refused = one.send({"delivery_method": "EINVOICE", "in_doubt": "ARRIVED"})
    assert (refused.status, refused.body["detail"]) == (412, "No e-invoice of this invoice is in doubt.")


def test_mail_that_may_have_left_does_not_go_for_another_user_either(shared: World, mailbox: Mailbox) -> None:
    shared.clock.now = NOW
    books, clerk = open_books(shared.user()), shared.user()
    shared.permit(clerk, books.business_id, "invoicing_admin")
    one = Sender(shared, clerk, books, {}).accept()
    mailbox.drops = "DATA"
    assert one.send(MAIL, "one").status == 500
    mailbox.drops = ""
    path, key = f"{books.invoicing.path}{one.path}send/", {"Idempotency-Key": "one"}
    assert books.actor.send("POST", path, MAIL, headers=key).status == 412
    sent = books.actor.send("POST", path, MAIL | {"in_doubt": "AGAIN"}, headers=key)
    assert (sent.status, sent.body["last_delivery_at"], len(mailbox.received)) == (200, MOMENT, 2)


def test_nobody_waits_for_a_mail_server(sender: Make, books: Books, mailbox: Mailbox) -> None:
    one = sender()
    mailbox.holds = True
    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(one.send, MAIL, "one")
        assert mailbox.arrived.wait(10)
        # other changes are committed, and the same request is told that it is under way
        books.change(f"contacts/{one.contact_id}/", name="Oak Oy")
        assert one.send(MAIL, "one").error == (409, "conflict")
        mailbox.free.set()
        assert json.loads(sending.result().raw)["receiver_info"]["name"] == "Oak Oy"
    assert len(mailbox.received) == 1
