"""The files of an invoice travel with its mail, byte for byte, or nothing travels (docs/interface.md 7.4)."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from acctcli.service.cases.invoices.enclosures import distinct
from acctcli.service.delivery.smtp import MailServer
from acctcli.service.store.engine.statements import update
from tests.mail_server import Mailbox, serving_mail
from tests.service.actor import Actor, World
from tests.service.files import PDF, PNG, archive
from tests.service.routes.books import Books, open_books
from tests.service.routes.invoicing.test_steps_delivery import ELECTRONIC, MAIL, PAPER, Sender, read, refusal

WORD = archive(("[Content_Types].xml", b"<Types/>"), ("word/document.xml", b"<w/>"))
BINARY = bytes(range(256)) * 40 + b"\r\n.\r\n\n"
FILES = [
    ("Ehdot 2026.pdf", PDF, "application/pdf"),
    ("Äänite – työ.png", PNG, "image/png"),
    ('a"b;c\\d/e.docx', WORD, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("raw\u202egpj.bin", BINARY, "application/octet-stream"),
    ("x\r\nBcc: all@example.com\u2028.pdf", PDF, "application/pdf"),
    ("Hinnasto.txt", "Työ 99,99 €\r\n.\r\nFrom".encode(), "text/plain"),
    ("=?utf-8?q?x=0ABcc:_all@example.com?=", b"\x00\x01", "application/octet-stream"),
]
SAVED_AS = [
    "Ehdot 2026.pdf",
    "Äänite – työ.png",
    "a_b;c_d_e.docx",
    "rawgpj.bin",
    "x__Bcc_ all@example.com_.pdf",
    "Hinnasto.txt",
    "=_utf-8_q_x=0ABcc__all@example.com_=",
]


def upload(books: Books, name: str, content: bytes) -> int:
    body = {"name": name, "file": base64.b64encode(content).decode()}
    return int(books.act("file_upload/", body)["id"])


@pytest.fixture
def sender(shared: World, bookkeeper: Actor, books: Books) -> Callable[..., Sender]:
    """Make an accepted invoice with files of these names and contents."""

    def make(*files: tuple[str, bytes], **receiver: Any) -> Sender:
        one = Sender(shared, bookkeeper, books, receiver)
        ids = [upload(books, name, content) for name, content in files]
        books.invoicing.change(one.path, attachments=ids)
        return one.accept()

    return make


@pytest.fixture
def mailbox(shared: World) -> Iterator[Mailbox]:
    with serving_mail() as made:
        shared.outbox.server = MailServer("127.0.0.1", made.port, None, is_tls=False, starts_tls=False)
        yield made
    shared.outbox.server = None


def parts(content: bytes) -> list[tuple[str | None, str, Any]]:
    """What a mail program offers to be saved: names, types, bytes."""
    found = read(content).iter_attachments()
    return [(part.get_filename(), part.get_content_type(), part.get_payload(decode=True)) for part in found]


def test_files_arrive_as_they_were_uploaded(sender: Callable[..., Sender], mailbox: Mailbox) -> None:
    one = sender(*(file[:2] for file in FILES))
    assert one.send(MAIL).status == 200
    (received,) = mailbox.received
    assert parts(received.content) == [
        ("lasku-1.pdf", "application/pdf", one.pdf),
        *((name, kind, content) for name, (_, content, kind) in zip(SAVED_AS, FILES, strict=True)),
    ]
    assert received.content.isascii()
    assert max(map(len, received.content.split(b"\r\n"))) <= 998
    assert "Bcc" not in received.message
    text = [part for part in received.message.iter_attachments() if part.get_content_type() == "text/plain"]
    assert [part.get_content() for part in text] == ["Työ 99,99 €\r\n.\r\nFrom"]


def test_files_go_beside_an_xrechnung_too(sender: Callable[..., Sender]) -> None:
    one = sender(("terms.pdf", PDF), **ELECTRONIC)
    assert one.send(MAIL | {"delivery_method": "EMAIL_XRECHNUNG"}).status == 200
    names = [(name, kind) for name, kind, _ in parts(one.only)]
    assert names == [
        ("lasku-1.pdf", "application/pdf"), ("lasku-1.xml", "application/xml"), ("terms.pdf", "application/pdf"),
    ]  # fmt: skip


def test_files_of_one_name_are_told_apart(sender: Callable[..., Sender]) -> None:
    one = sender(("Lasku-1.PDF", b"a"), ("x.txt", b"b"), ("X.txt", b"c"), ("..", b"d"))
    one.send(MAIL)
    assert [(name, content) for name, _, content in parts(one.only)[1:]] == [
        ("Lasku-1-2.PDF", b"a"), ("x.txt", b"b"), ("X-2.txt", b"c"), ("file", b"d"),
    ]  # fmt: skip


def test_names_alike_end_up_different_whatever_they_are() -> None:
    chance = random.Random(7)
    for _ in range(200):
        names = ["".join(chance.choices("aA-2. /", k=chance.randint(1, 5))) for _ in range(8)]
        assert len({name.casefold() for name in distinct(names)}) == 8


def test_other_ways_leave_files_where_they_are(sender: Callable[..., Sender]) -> None:
    one = sender(("terms.pdf", PDF))
    assert one.send(PAPER).status == 200
    assert one.only == one.pdf


def test_a_print_goes_along_before_anybody_asked_for_it(sender: Callable[..., Sender], books: Books) -> None:
    first = sender()
    second = first.invoice["pdf"]["id"]
    made = Sender(first.world, books.actor, books, {})
    books.invoicing.change(made.path, attachments=[second])
    made.accept().send(MAIL)
    assert parts(made.only)[1:] == [("invoice-1.pdf", "application/pdf", first.pdf)]


@pytest.mark.parametrize("with_server", [True, False])
def test_what_no_mail_server_takes_is_refused_before_anything_leaves(
    request: pytest.FixtureRequest, sender: Callable[..., Sender], shared: World, with_server: bool
) -> None:
    mailbox = request.getfixturevalue("mailbox") if with_server else None
    one = sender(("small.pdf", PDF), ("Kuva, iso.png", PNG))
    _is_large(shared, one, "Kuva, iso.png", 15 * 2**20)
    refused = one.send(MAIL)
    named = "Kuva, iso.png 15.00 MiB"
    assert refusal(refused)[1]["detail"] == (
        "A mail takes files of 15.00 MiB together, and those of this invoice have 15.00 MiB: "
        f"{named}. Nothing was sent."
    )
    assert (refused.status, refused.body["attachments"]) == (412, [f"Too large: {named}."])
    assert (one.held, one.invoice["last_delivery_at"]) == ({}, None)
    assert mailbox is None or mailbox.received == []


def _is_large(shared: World, one: Sender, name: str, size: int) -> None:
    """Let the books say of a file that it is large; that is all that is asked before it is read."""
    which = {"business_id": one.books.business_id, "name": name}
    assert shared.database.write(lambda conn: update(conn, "attachment", {"size": size}, **which)) == 1


@pytest.mark.parametrize("become", [b"other", None])
def test_what_is_not_what_was_uploaded_does_not_leave(
    sender: Callable[..., Sender], shared: World, mailbox: Mailbox, become: bytes | None
) -> None:
    one = sender(("terms.pdf", b"as it was signed"))
    (path,) = [path for path in _stored(shared) if path.read_bytes() == b"as it was signed"]
    path.unlink() if become is None else path.write_bytes(become)
    refused = one.send(MAIL)
    detail = "The content of terms.pdf is missing, or not what was uploaded: a backup may have it. Nothing was sent."
    assert refusal(refused) == (500, {"detail": detail})
    assert (mailbox.received, one.held, one.invoice["last_delivery_at"]) == ([], {}, None)


def _stored(shared: World) -> list[Path]:
    return [path for path in shared.contents.folder.glob("??/*") if path.is_file()]


def test_no_file_of_another_business_goes_along(sender: Callable[..., Sender], shared: World, books: Books) -> None:
    other = open_books(shared.user())
    foreign = upload(other, "secret.pdf", b"theirs")
    one = Sender(shared, books.actor, books, {})
    refused = books.invoicing.send("PATCH", one.path, {"attachments": [foreign]})
    assert (refused.status, list(refused.body)) == (400, ["attachments", "code", "detail"])
    one.accept().send(MAIL)
    assert [name for name, _, _ in parts(one.only)] == ["lasku-1.pdf"]
    assert b"theirs" not in one.only


def test_the_record_of_an_invoice_says_which_files_go_along(sender: Callable[..., Sender]) -> None:
    one = sender(("a/b.pdf", PDF), ("A_b.pdf", PNG))
    first, second = one.invoice["attachments"]
    assert one.books.invoicing.get(f"{one.path}kept/").body["files"] == [
        {"id": first, "name": "a_b.pdf", "type": "application/pdf", "size": len(PDF)},
        {"id": second, "name": "A_b-2.pdf", "type": "image/png", "size": len(PNG)},
    ]
