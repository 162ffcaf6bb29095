"""The mail server: which one an address names, and what comes of handing it a message."""

from __future__ import annotations

import socket
import time
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import cycle, repeat
from pathlib import Path
from typing import Any

import pytest

from acctcli.errors import UsageError
from acctcli.service.delivery import session, smtp
from acctcli.service.delivery.smtp import MailServer, mail_server, send
from acctcli.service.problems import MailUnsure, NotSent, Precondition, Problem
from tests.mail_server import PASSWORD, USER, Mailbox, Received, certificate, server_side, serving_mail

MESSAGE = b"Subject: x\r\n\r\n.\r\nFrom here\r\n"
RECEIVED = Received("from@example.com", ["to@example.com"], MESSAGE)
HERE = "127.0.0.1"


def at(mailbox: Mailbox, **fields: Any) -> MailServer:
    """A plain server where the mailbox is, unless the fields say otherwise."""
    return replace(MailServer(HERE, mailbox.port, None, is_tls=False, starts_tls=False), **fields)


def hand_over(server: MailServer) -> None:
    send(server, RECEIVED.sender, RECEIVED.recipients[0], MESSAGE, lambda: None)


def refused(server: MailServer) -> Problem:
    with pytest.raises(Problem) as caught:
        hand_over(server)
    return caught.value


@pytest.fixture
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A certificate of 127.0.0.1 that this machine trusts."""
    path = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    return path


# --- addresses ---


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://mail.example", ("mail.example", 25, None, False, False)),
        ("smtp://mail.example:2525/", ("mail.example", 2525, None, False, False)),
        ("smtp://user@mail.example:587", ("mail.example", 587, "user", False, True)),
        ("smtp://@mail.example", ("mail.example", 25, None, False, False)),
        ("smtp://user@localhost", ("localhost", 25, "user", False, False)),
        ("smtp://user@[::1]:25", ("::1", 25, "user", False, False)),
        ("smtp+starttls://mail.example", ("mail.example", 587, None, False, True)),
        ("smtps://a%40b.example@mail.example", ("mail.example", 465, "a@b.example", True, False)),
    ],
)
def test_an_address_names_a_server(url: str, expected: tuple[Any, ...]) -> None:
    server = mail_server(url)
    assert (server.host, server.port, server.user, server.is_tls, server.starts_tls) == expected


@pytest.mark.parametrize(
    "url", ["mail.example", "https://mail.example", "smtp://", "smtp://mail.example/path", "smtp://a b", "smtp://x:y"]
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(UsageError, match="ACCTCLI_SMTP_URL is not "):
        mail_server(url)


@pytest.mark.parametrize("password", [PASSWORD, ""])
def test_a_password_in_an_address_is_refused_and_not_repeated(password: str) -> None:
    with pytest.raises(UsageError) as caught:
        mail_server(f"smtps://user:{password}@mail.example")
    assert caught.value.message == "ACCTCLI_SMTP_URL must not hold a password"
    assert PASSWORD not in str(caught.value.hint)


# --- delivery ---


def test_a_plain_server_gets_the_very_bytes() -> None:
    with serving_mail() as mailbox:
        hand_over(at(mailbox))
    assert mailbox.received == [RECEIVED]


def test_a_password_travels_through_tls_from_the_first_byte(trusted: Path) -> None:
    with serving_mail(ssl_context=server_side(trusted)) as mailbox:
        hand_over(at(mailbox, is_tls=True, user=USER, password=lambda: PASSWORD))
    assert (mailbox.received, mailbox.logins) == ([RECEIVED], [(USER, PASSWORD)])


def test_a_password_travels_through_tls_that_starts_later(trusted: Path) -> None:
    with serving_mail(tls_context=server_side(trusted)) as mailbox:
        hand_over(at(mailbox, starts_tls=True, user=USER, password=lambda: PASSWORD))
    assert (mailbox.received, mailbox.logins) == ([RECEIVED], [(USER, PASSWORD)])


def test_a_server_that_offers_no_tls_gets_nothing() -> None:
    with serving_mail() as mailbox:
        problem = refused(at(mailbox, starts_tls=True, user=USER, password=lambda: PASSWORD))
    assert isinstance(problem, Precondition)
    assert problem.detail == (
        "The mail server 127.0.0.1 does not offer what is needed: STARTTLS extension not supported by server."
    )
    assert (mailbox.received, mailbox.logins) == ([], [])


def test_a_certificate_nobody_vouches_for_gets_nothing(tmp_path: Path) -> None:
    with serving_mail(ssl_context=server_side(certificate(tmp_path))) as mailbox:
        problem = refused(at(mailbox, is_tls=True, user=USER, password=lambda: PASSWORD))
    assert isinstance(problem, Precondition)
    assert problem.detail.startswith("The mail server 127.0.0.1 cannot prove who it is: ")
    assert mailbox.logins == []


@pytest.mark.parametrize(
    ("password", "detail"),
    [
        ("wrong-s3cret", f"The mail server 127.0.0.1 refuses the user {USER} or the password (535)."),
        (
            None,
            f"There is no password for {USER} at the mail server 127.0.0.1: set ACCTCLI_SMTP_PASSWORD, "
            f"or keep it with: keyring set acctcli:smtp {USER}@127.0.0.1",
        ),
        ("pässword", "The user and the password of the mail server may have letters of ASCII only."),
    ],
)
def test_without_the_right_password_there_is_no_way(password: str | None, detail: str) -> None:
    with serving_mail() as mailbox:
        problem = refused(at(mailbox, user=USER, password=lambda: password))
    assert (type(problem), problem.detail) == (Precondition, detail)
    assert mailbox.received == []


def test_a_user_with_letters_beyond_ascii_is_refused_before_it_travels() -> None:
    with serving_mail() as mailbox:
        problem = refused(at(mailbox, user="käyttäjä", password=lambda: PASSWORD))
    assert isinstance(problem, Precondition)
    assert problem.detail == "The user and the password of the mail server may have letters of ASCII only."
    assert (mailbox.received, mailbox.logins) == ([], [])


@pytest.mark.parametrize("answer_to", ["data", "recipient"])
@pytest.mark.parametrize(("code", "kind"), [(451, NotSent), (550, Precondition)])
def test_a_refusal_says_whether_to_come_again(answer_to: str, code: int, kind: type[Problem]) -> None:
    with serving_mail() as mailbox:
        setattr(mailbox, f"answer_to_{answer_to}", f"{code} not\there {'x' * 300}")
        problem = refused(at(mailbox))
    assert type(problem) is kind
    assert problem.detail == f"The mail server 127.0.0.1 does not take the mail: {code} not here {'x' * 191}"
    assert mailbox.received == []


@pytest.mark.parametrize("answer_to", ["data", "recipient"])
@pytest.mark.parametrize("sent", [PASSWORD, f"\0{USER}\0{PASSWORD}"])
@pytest.mark.parametrize("spell", [str, lambda sent: b64encode(sent.encode()).decode()])
def test_a_password_that_is_sent_back_is_not_repeated(answer_to: str, sent: str, spell: Callable[[str], str]) -> None:
    with serving_mail() as mailbox:
        setattr(mailbox, f"answer_to_{answer_to}", f"550 {'x' * 195} {spell(sent)}")
        problem = refused(at(mailbox, user=USER, password=lambda: PASSWORD))
    assert problem.detail == "The mail server 127.0.0.1 does not take the mail: 550 and sends the password back"


@pytest.mark.parametrize(
    ("user", "sender", "said"),
    [
        (None, "laskut@kahvila.example", b""),
        ("apikey", "laskut@kahvila.example", b""),
        ("books@kahvila.example", "laskut@kahvila.example", b""),
        ("books@KAHVILA.example", "laskut@mail.kahvila.example", b""),
        ("books@mail.kahvila.example", "laskut@kahvila.example", b""),
        ("books@host.example", "laskut@kahvila.example", b"Sender: books@host.example\r\n"),
        ("books@ila.example", "laskut@kahvila.example", b"Sender: books@ila.example\r\n"),
        ("a@b.example\r\nBcc: all@example.com", "laskut@kahvila.example", b""),
        ("a@b.example\n", "laskut@kahvila.example", b""),
        ("ä@b.example", "laskut@kahvila.example", b""),
    ],
)
def test_an_account_of_another_domain_is_named(user: str | None, sender: str, said: bytes) -> None:
    assert MailServer("mail.example", 465, user, is_tls=True, starts_tls=False).said_of(sender) == said


UNSURE = "The mail server did not say whether it took the mail to to@example.com, which may have left."


def test_a_server_that_is_gone_before_it_answers_may_have_taken_the_mail() -> None:
    with serving_mail() as mailbox:
        mailbox.drops = "DATA"
        problem = refused(at(mailbox))
    assert (type(problem), problem.detail, mailbox.received) == (MailUnsure, UNSURE, [RECEIVED])


@pytest.mark.parametrize("answer", ["what?", "354 go on", f"250 {'x' * 10_000}"])
def test_a_server_that_answers_something_else_may_have_taken_the_mail(answer: str) -> None:
    with serving_mail() as mailbox:
        mailbox.answer_to_data = answer
        problem = refused(at(mailbox))
    assert (type(problem), problem.detail) == (MailUnsure, UNSURE)


@pytest.mark.parametrize("begun", [b"", b"2", b"25", b"250-taken\r\n", b"250-taken\r\n25"])
def test_a_server_that_is_gone_within_its_answer_may_have_taken_the_mail(begun: bytes) -> None:
    def answer(line: bytes) -> Iterator[bytes]:
        if line == b".\r\n":
            yield begun
            raise OSError
        yield b"354 x\r\n" if line == b"data\r\n" else b"250 x\r\n" if b":<" in line or b"ehlo" in line else b""

    with answering(answer) as server:
        problem = refused(replace(server, user=None))
    assert (type(problem), problem.detail) == (MailUnsure, UNSURE)


def test_a_server_may_take_its_time_with_a_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "PATIENCE_SECONDS", 0.3)
    with serving_mail() as mailbox, ThreadPoolExecutor(1) as pool:
        mailbox.holds = True
        handing = pool.submit(hand_over, at(mailbox))
        assert mailbox.arrived.wait(10)
        time.sleep(0.6)
        mailbox.free.set()
        handing.result()
        mailbox.free.clear()
        monkeypatch.setattr(smtp, "ANSWER_SECONDS", 0.3)
        assert type(refused(at(mailbox))) is MailUnsure
        mailbox.free.set()
    assert mailbox.received[0] == RECEIVED


DRIPS = {
    "a greeting": ([], NotSent),
    "a list without end": ([b"220 x\r\n"], NotSent),
    "an answer to mail": ([b"220 x\r\n", b"250 x\r\n", b"250 x\r\n", b"250 x\r\n", b"354 x\r\n"], MailUnsure),
}


@pytest.mark.parametrize("name", DRIPS)
def test_a_server_that_drips_does_not_hold_the_mail_for_ever(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answers, kind = DRIPS[name]
    monkeypatch.setattr(smtp, "PATIENCE_SECONDS", 0.5)
    monkeypatch.setattr(smtp, "ANSWER_SECONDS", 0.5)
    with socket.create_server((HERE, 0)) as listener, ThreadPoolExecutor(1) as pool:
        dripping = pool.submit(drip, listener, answers)
        begun = time.monotonic()
        problem = refused(MailServer(HERE, listener.getsockname()[1], None, is_tls=False, starts_tls=False))
        assert (type(problem), time.monotonic() - begun < 5) == (kind, True)
        dripping.result()


def drip(listener: socket.socket, answers: list[bytes]) -> None:
    """Give the answers, then one without end, a letter at a time."""
    connection, _ = listener.accept()
    with connection, suppress(OSError):
        for number, answer in enumerate(answers):
            connection.sendall(answer)
            while number < len(answers) - 1 and (heard := connection.recv(10_000)) and not heard.endswith(b"\r\n"):
                pass
        for letter in cycle(b"250-x\r\n"):
            connection.sendall(bytes([letter]))
            time.sleep(0.05)


@contextmanager
def answering(answer: Callable[[bytes], Iterable[bytes]]) -> Iterator[MailServer]:
    """Run a server that greets, and answers each line of one client in parts, until the client has gone."""

    def serve() -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError), connection.makefile("rb") as lines:
            connection.sendall(b"220 x\r\n")
            for line in lines:
                for part in answer(line):
                    connection.sendall(part)

    with socket.create_server((HERE, 0)) as listener, ThreadPoolExecutor(1) as pool:
        serving = pool.submit(serve)
        yield MailServer(
            HERE, listener.getsockname()[1], USER, is_tls=False, starts_tls=False, password=lambda: PASSWORD
        )
        serving.result()


def test_a_server_that_takes_its_time_with_every_answer_has_not_more_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(line: bytes) -> Iterator[bytes]:
        time.sleep(0.8)
        yield (
            b"250-x\r\n250 x\r\n" if line.startswith(b"ehlo") else b"354 x\r\n" if line == b"data\r\n" else b"250 x\r\n"
        )

    monkeypatch.setattr(smtp, "SESSION_SECONDS", 1)
    with answering(answer) as server:
        begun = time.monotonic()
        problem = refused(replace(server, user=None))
        assert (type(problem), time.monotonic() - begun < 2.5) == (NotSent, True)


def test_a_server_that_reads_too_slowly_has_not_taken_the_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(line: bytes) -> Iterator[bytes]:
        if line == b"data\r\n":
            yield b"354 x\r\n"
            time.sleep(2)
        yield b"250 x\r\n"

    monkeypatch.setattr(smtp, "PATIENCE_SECONDS", 1)
    with answering(answer) as server, pytest.raises(NotSent):
        send(replace(server, user=None), "a@example.com", "b@example.com", b"x\r\n" * 2**23, lambda: None)


def test_an_answer_without_end_fills_no_memory() -> None:
    with answering(lambda _: repeat(b"250-x\r\n" * 1000)) as server:
        begun = time.monotonic()
        problem = refused(server)
    at = "The mail server 127.0.0.1 cannot be reached: "
    assert problem.detail == f"{at}Connection unexpectedly closed: its answer has no end."
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    ("challenge", "detail"),
    [
        (b"x", "does not take the mail: 500 and asks for a password in no known way"),
        (b64encode(PASSWORD.encode()), "cannot be reached: and sends the password back."),
    ],
)
def test_a_server_that_asks_strangely_for_a_password_is_refused(challenge: bytes, detail: str) -> None:
    def answer(line: bytes) -> list[bytes]:
        return [
            b"250-x\r\n250 AUTH PLAIN LOGIN CRAM-MD5\r\n" if line.startswith(b"ehlo") else b"334 %b\r\n" % challenge
        ]

    with answering(answer) as server:
        problem = refused(server)
    assert problem.detail.startswith("The mail server 127.0.0.1 ")
    assert problem.detail.removeprefix("The mail server 127.0.0.1 ") == detail


def test_a_server_that_is_gone_before_the_mail_has_not_taken_it() -> None:
    with serving_mail() as mailbox:
        mailbox.drops = "RCPT"
        problem = refused(at(mailbox))
        assert (type(problem), mailbox.received) == (NotSent, [])
        mailbox.drops = ""
        hand_over(at(mailbox))
    assert mailbox.received == [RECEIVED]


@pytest.mark.parametrize("answer", ["250 Bye", "421 Too busy to say goodbye", "500 What?"])
def test_mail_that_was_taken_over_has_left_however_the_server_says_goodbye(answer: str) -> None:
    with serving_mail() as mailbox:
        mailbox.answer_to_quit = answer
        hand_over(at(mailbox))
    assert mailbox.received == [RECEIVED]


def test_a_strange_goodbye_does_not_hide_a_refusal() -> None:
    with serving_mail() as mailbox:
        mailbox.answer_to_quit, mailbox.answer_to_data = "421 Bye", "550 never"
        problem = refused(at(mailbox))
    assert problem.detail == "The mail server 127.0.0.1 does not take the mail: 550 never"


def test_a_server_that_is_not_there_may_be_there_later() -> None:
    with serving_mail() as mailbox:
        pass
    problem = refused(at(mailbox))
    assert type(problem) is NotSent
    assert problem.detail == "The mail server 127.0.0.1 cannot be reached: Connection refused."


def test_an_address_of_a_family_that_the_system_has_not_leaves_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving_mail() as mailbox:
        # none of them has this number
        found = [(family, socket.SOCK_STREAM, 0, "", (HERE, mailbox.port)) for family in (0, socket.AF_INET)]
        monkeypatch.setattr(session, "getaddrinfo", lambda *_, **__: found)
        hand_over(at(mailbox))
        assert mailbox.received == [RECEIVED]
