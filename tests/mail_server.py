"""A real mail server on 127.0.0.1, with or without TLS and users, that keeps what it is sent."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal, NamedTuple

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

USER, PASSWORD = "books@example.com", "s3cret-Passw0rd"


class Received(NamedTuple):
    """One message as the server took it over."""

    sender: str
    recipients: list[str]
    content: bytes

    @property
    def message(self) -> EmailMessage:
        """The message, parsed."""
        parsed = message_from_bytes(self.content, policy=default)
        assert isinstance(parsed, EmailMessage)
        return parsed


@dataclass
class Mailbox:
    """What a server has taken over, how it answers (None: it takes it), and where it listens.

    One that `holds` says that mail has `arrived`, and answers when it is `free` to. One that `drops` closes the
    connection instead of an answer: at mail it has taken over, or when it is about to be handed some.
    """

    port: int = 0
    received: list[Received] = field(default_factory=list)
    answer_to_data: str | None = None
    answer_to_recipient: str | None = None
    answer_to_quit: str | None = None
    logins: list[tuple[str, str]] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)
    free: threading.Event = field(default_factory=threading.Event)
    holds: bool = False
    drops: Literal["", "RCPT", "DATA"] = ""

    async def handle_RCPT(self, server: Any, _: Any, envelope: Any, address: str, __: Any) -> str:  # noqa: N802
        if self.drops == "RCPT":
            server.transport.abort()
        if self.answer_to_recipient:
            return self.answer_to_recipient
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, _: Any, envelope: Any) -> str:  # noqa: N802
        if self.holds:
            self.arrived.set()
            await asyncio.to_thread(self.free.wait, 100)
        if self.answer_to_data:
            return self.answer_to_data
        self.received.append(Received(envelope.mail_from, envelope.rcpt_tos, envelope.original_content))
        if self.drops == "DATA":
            server.transport.abort()
        return "250 OK"

    async def handle_QUIT(self, _: Any, __: Any, ___: Any) -> str:  # noqa: N802
        return self.answer_to_quit or "221 Bye"

    def login(self, _: Any, __: Any, ___: Any, ____: str, data: Any) -> AuthResult:
        login, password = data.login.decode(), data.password.decode()
        self.logins.append((login, password))
        is_known = (login, password) == (USER, PASSWORD)
        return AuthResult(success=is_known, handled=is_known)


class _AnyPort(Controller):
    """Listens on a port that the system chooses."""

    def _create_server(self) -> Any:
        listening = socket.create_server((self.hostname, 0))
        self.port = listening.getsockname()[1]
        return self.loop.create_server(self._factory_invoker, sock=listening, ssl=self.ssl_context)


@contextmanager
def serving_mail(**options: Any) -> Iterator[Mailbox]:
    """Run a server for a block; options are those of aiosmtpd's Controller."""
    mailbox = Mailbox()
    controller = _AnyPort(mailbox, hostname="127.0.0.1", authenticator=mailbox.login, auth_require_tls=False, **options)
    controller.start()
    mailbox.port = controller.port
    try:
        yield mailbox
    finally:
        controller.stop()


def certificate(folder: Path, host: str = "127.0.0.1", *names: str) -> Path:
    """Write a key and a certificate of its own for a host's address, and names, into one file."""
    called = [x509.IPAddress(ip_address(host)), *map(x509.DNSName, names)]
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "mail server")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(called), critical=False)
        .sign(key, hashes.SHA256())
    )
    form = serialization.PrivateFormat.PKCS8
    private = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    path = folder / f"{host}.pem"
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


def server_side(path: Path) -> ssl.SSLContext:
    """Return what a server shows of a certificate file."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context
