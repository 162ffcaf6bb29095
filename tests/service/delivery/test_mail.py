"""Letters as bytes, read again by the mail library as the receiver's program would."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest

from acctcli.service.delivery.mail import Attachment, Letter, Person, compose, file_name, plain_address
from acctcli.service.problems import Precondition

LETTER = Letter(
    sender=Person("Äkäslompolon Tili Oy", "laskut@example.com"),
    recipient=Person('Müller, "Söhne" & Co', "rechnung@müller.example"),
    subject="Lasku 7 – äänentoisto, 12 €",
    content="Hei,\n\nohessa lasku. Ääni.\n.\nFrom tässä\n",
    mark="0123456789abcdef" * 2,
    moment=datetime(2026, 4, 2, 10, 0, 30, tzinfo=UTC),
)
PAPER = Attachment("invoice-7.pdf", "application/pdf", b"%PDF-1.7\n\x00\xff")


def read(content: bytes) -> dict[str, Any]:
    """What a mail program shows."""
    message = message_from_bytes(content, policy=default)
    assert isinstance(message, EmailMessage)
    body = message.get_body()
    assert isinstance(body, EmailMessage)
    files = message.iter_attachments()
    return {
        **{name: str(message[name]) for name in message if name not in ("MIME-Version", "Content-Type")},
        "body": body.get_content().replace("\r\n", "\n"),
        "files": [(part.get_filename(), part.get_content_type(), part.get_content()) for part in files],
    }


def test_a_letter_arrives_as_it_was_written() -> None:
    content = compose(LETTER, [PAPER])
    assert content.isascii()
    assert read(content) == {
        "From": "Äkäslompolon Tili Oy <laskut@example.com>",
        "Reply-To": "Äkäslompolon Tili Oy <laskut@example.com>",
        "To": '"Müller, \\"Söhne\\" & Co" <rechnung@xn--mller-kva.example>',
        "Subject": "Lasku 7 – äänentoisto, 12 €",
        "Date": "Thu, 02 Apr 2026 10:00:30 +0000",
        "Message-ID": "<0123456789abcdef0123456789abcdef@example.com>",
        "body": LETTER.content,
        "files": [tuple(PAPER)],
    }


def test_a_long_subject_and_files_of_any_type_arrive_whole() -> None:
    subject = "Lasku 7 – " + "äänentoisto " * 20 + "12 €"
    files = [PAPER, Attachment("a.xml", "application/xml", b"<a/>"), Attachment("b.png", "image/png", b"\x89PNG")]
    shown = read(compose(LETTER._replace(subject=subject), files))
    assert (shown["Subject"], shown["files"]) == (subject, [tuple(file) for file in files])


def test_subjects_in_any_letters_arrive_with_the_blanks_they_have() -> None:
    chance = random.Random(3)
    words = ["Äkäslompolon", "Tili", "Oy", "Müller", "&", "Söhne,", "GmbH", "Vienti", "漢字", "L'Été", "–", "😀"]
    for _ in range(60):
        subject = " ".join(chance.choices(words, k=chance.randint(1, 25)))
        content = compose(LETTER._replace(subject=subject), [])
        header = message_from_bytes(content)["Subject"]
        assert (read(content)["Subject"], str(make_header(decode_header(header)))) == (subject, subject)
        assert max(map(len, content.split(b"\r\n\r\n")[0].split(b"\r\n"))) <= 78


def test_letters_about_one_thing_refer_to_it_and_automatic_ones_say_so() -> None:
    plain = read(compose(LETTER, []))
    assert {"References", "Auto-Submitted", "In-Reply-To"}.isdisjoint(plain)
    content = compose(LETTER._replace(thread="ab12" * 16, is_automatic=True), [])
    added = {"References": f"<{'ab12' * 16}@example.com>", "Auto-Submitted": "auto-generated"}
    assert read(content) == {**plain, **added}
    # as it is, for programs that compare what is written
    assert {f"{name}: {value}".encode() for name, value in added.items()} <= set(content.split(b"\r\n"))


@pytest.mark.parametrize("html", ["", "<p>Ääni</p>\n"])
@pytest.mark.parametrize("files", [[], [PAPER]])
def test_the_same_letter_has_the_same_bytes(html: str, files: list[Attachment]) -> None:
    letter = LETTER._replace(html=html)
    assert compose(letter, files) == compose(letter, files)


@pytest.mark.parametrize("files", [[], [PAPER]])
def test_a_letter_may_be_text_and_html(files: list[Attachment]) -> None:
    html = "<p>Hei, ääni.<br>\n.</p>\n"
    content = compose(LETTER._replace(html=html, mark="ab" * 32), files)
    message = message_from_bytes(content, policy=default)
    assert isinstance(message, EmailMessage)
    texts = [part for part in message.walk() if part.get_content_maintype() == "text"]
    assert [part.get_content().replace("\r\n", "\n") for part in texts] == [LETTER.content, html]
    assert [part.get_content() for part in message.iter_attachments()] == [one.content for one in files]
    assert b"boundary*" not in content
    boundaries = [part.get_boundary() for part in message.walk() if part.is_multipart()]
    assert len(set(boundaries)) == len(boundaries) == 1 + len(files)
    assert max(len(one or "") for one in boundaries) <= 70


def test_a_name_cannot_add_a_header() -> None:
    sender = LETTER.sender._replace(name="Tili Oy\r\nBcc: all@example.com")
    shown = read(compose(LETTER._replace(sender=sender, subject="One\r\nBcc: two"), []))
    assert (shown["From"], shown["Subject"]) == ('"Tili Oy Bcc: all@example.com" <laskut@example.com>', "One Bcc: two")
    assert "Bcc" not in shown


@pytest.mark.parametrize(
    "text",
    [
        "=?utf-8?q?x=0ABcc:_all@example.com?=",
        "=?utf-8?q?x=0D=0ABcc:_all@example.com?=",
        "=?utf-8?b?eA0KQmNjOiBhbGxAZXhhbXBsZS5jb20NCg0KYm9keQ==?=",
        "=\x01?utf-8?q?x=0ABcc:_all@example.com?=",
        "=?utf-8?q?x?= =?utf-8?q?=0ABcc:_all@example.com?=",
    ],
)
def test_what_looks_encoded_cannot_add_a_header_either(text: str) -> None:
    written = text.replace("\x01", "").replace("=?", "= ?")
    forged = Person(text, "laskut@example.com")
    shown = read(compose(LETTER._replace(sender=forged, recipient=forged, subject=text), []))
    assert set(shown) - {"Content-Transfer-Encoding"} == {
        *("From", "Reply-To", "To", "Subject", "Date", "Message-ID", "body", "files"),
    }
    assert shown["Subject"] == written
    assert shown["From"].replace('"', "") == shown["To"].replace('"', "") == f"{written} <laskut@example.com>"
    assert shown["body"] == LETTER.content


@pytest.mark.parametrize(
    "name",
    [
        "Kauppa, Tukku ja Vienti Osakeyhtio, Pohjoismaiden Suurin Perheyritys Vuodesta 1899, Helsinki, Tampere",
        "Kauppa, Tukku ja Vienti Osakeyhtiö, Pohjoismaiden Suurin Perheyritys Vuodesta 1899, Helsinki, Tampere",
        "all@example.com, x " + "a" * 90 + " <b@example.com>",
        '"' * 60 + ", " + "\\" * 60 + " (" + "x" * 130,
    ],
)
def test_a_long_name_is_one_name_of_one_address(name: str) -> None:
    content = compose(LETTER._replace(recipient=Person(name, "birch@example.com")), [])
    (found,) = message_from_bytes(content, policy=default)["To"].addresses
    assert (found.display_name, found.addr_spec) == (name, "birch@example.com")
    assert max(map(len, content.split(b"\r\n"))) <= 998


def test_control_characters_do_not_stand_in_headers() -> None:
    forged = LETTER.sender._replace(name="Tili\x1b[31m\x00 \x7fOy\x9b")
    shown = read(compose(LETTER._replace(sender=forged, subject="One\x1b]0;two\x07"), []))
    assert (shown["From"], shown["Subject"]) == ('"Tili[31m Oy" <laskut@example.com>', "One]0;two")


def test_any_name_of_a_file_arrives_as_one_name() -> None:
    chance = random.Random(11)
    letters = "aÄ€漢 ;,'\"%*=()[]<>@\\/:?.\r\n\t\x00\x1b\u2028\u202e\U0001f600"
    for length in [*range(1, 40), 128, 256]:
        name = "".join(chance.choices(letters, k=length))
        content = compose(LETTER, [PAPER._replace(name=name)])
        ((shown, _, found),) = read(content)["files"]
        assert (shown, found) == (file_name(name), PAPER.content)
        assert max(map(len, content.split(b"\r\n"))) <= 998
        assert not set(shown) & set("\r\n\x00\x1b\u2028\u202e/\\")


@pytest.mark.parametrize(("content", "charset"), [("Ä €".encode(), "utf-8"), (b"\xc4", None), (b"plain", "utf-8")])
def test_text_says_in_which_letters_it_is_written(content: bytes, charset: str | None) -> None:
    message = message_from_bytes(compose(LETTER, [Attachment("a.txt", "text/csv", content)]), policy=default)
    assert isinstance(message, EmailMessage)
    (part,) = message.iter_attachments()
    assert (part.get_content_type(), part.get_param("charset")) == ("text/csv", charset)
    assert part.get_payload(decode=True) == content


@pytest.mark.parametrize(
    "email", ["ä@x.example", "a,b@x.example", "a b@x.example", "<a>@x.example", '"a@x.example', f"{'a' * 65}@x.example"]
)
def test_an_address_mail_does_not_know_is_refused(email: str) -> None:
    for letter in (LETTER._replace(recipient=Person("", email)), LETTER._replace(sender=Person("", email))):
        with pytest.raises(Precondition) as caught:
            compose(letter, [])
        assert caught.value.detail == f"{email} is not an address that mail can be sent to or from."


@pytest.mark.parametrize(
    ("email", "address"),
    [
        ("rechnung@müller.example", "rechnung@xn--mller-kva.example"),
        ('"a@b"@müller.example', '"a@b"@xn--mller-kva.example'),
    ],
)
def test_an_envelope_has_the_address_alone(email: str, address: str) -> None:
    assert plain_address(Person("Müller", email)) == address
