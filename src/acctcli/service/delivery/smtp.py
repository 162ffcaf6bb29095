"""The mail server: which one it is, and handing it a message.

A password never travels unencrypted, except to a server on this machine; certificates are checked against the
operating system's trust.
"""

from __future__ import annotations

import re
from base64 import b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

from acctcli.errors import UsageError
from acctcli.service.problems import MailUnsure, NotSent, Precondition, Problem

if TYPE_CHECKING:
    import ssl

    from acctcli.service.delivery.session import Session

PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
# for one mail with all that is said about it: less than the client waits for an answer
SESSION_SECONDS = 110
PATIENCE_SECONDS = 30
# for the answer to a mail that a server reads and weighs first
ANSWER_SECONDS = 90
PARTING_SECONDS = 2
LONGEST_ANSWER = 200
HOST = re.compile(r"[A-Za-z0-9.:_-]+")
# a user that is an address, of letters that need no quotes
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?P<domain>[A-Za-z0-9.-]{1,255})")
# in a message: a line with a dot alone ends it
FIRST_DOT = re.compile(rb"^\.", re.MULTILINE)


def no_password() -> str | None:
    """There is none."""
    return None


@dataclass(frozen=True, slots=True)
class MailServer:
    """A server that takes mail; `password` is asked for when it is needed."""

    host: str
    port: int
    user: str | None
    is_tls: bool
    starts_tls: bool
    password: Callable[[], str | None] = no_password

    def said_of(self, sender: str) -> bytes:
        """Return the header that names the account, where that is of another domain than the sender (RFC 5322 3.6.2).

        Mail programs then show who handed the mail over for whom, instead of taking it for a forgery.
        """
        account = ADDRESS.fullmatch(self.user or "")
        if account is None or _are_kin(account["domain"].lower(), sender.rpartition("@")[2].lower()):
            return b""
        return f"Sender: {self.user}\r\n".encode("ascii")


def _are_kin(one: str, other: str) -> bool:
    """Whether two domains are the same, or one is part of the other."""
    return f".{one}".endswith(f".{other}") or f".{other}".endswith(f".{one}")


def mail_server(url: str, password: Callable[[], str | None] = no_password) -> MailServer:
    """Read `smtp://`, `smtp+starttls://` or `smtps://`, a user if there is one, host and port.

    Raises UsageError, which never repeats the URL: it may hold a password by mistake.
    """
    parts, port = _parts(url)
    if parts.password is not None:
        raise _unusable("must not hold a password", "put it into ACCTCLI_SMTP_PASSWORD or into the keyring")
    host, user = parts.hostname or "", unquote(parts.username or "") or None
    carries_password = user is not None and not _is_loopback(host)
    return MailServer(
        host=host,
        port=port or PORTS[parts.scheme],
        user=user,
        is_tls=parts.scheme == "smtps",
        starts_tls=parts.scheme == "smtp+starttls" or (parts.scheme == "smtp" and carries_password),
        password=password,
    )


def _parts(url: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _unusable("is not an address") from None
    if parts.scheme not in PORTS or not HOST.fullmatch(parts.hostname or "") or parts.path.strip("/"):
        raise _unusable("is not the address of a mail server")
    return parts, port


def _unusable(what: str, hint: str = "write smtps://user@host:465 or smtp+starttls://user@host:587") -> UsageError:
    return UsageError(f"ACCTCLI_SMTP_URL {what}", hint=hint)


def _is_loopback(host: str) -> bool:
    from ipaddress import ip_address

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def send(server: MailServer, sender: str, recipient: str, message: bytes, leaves: Callable[[], None]) -> None:
    """Hand a message with the line ends of mail to the server and return when it has taken it over.

    `leaves` is called before anything of the message goes out. Raises NotSent when the same message may be taken
    later, Precondition when it will not, and MailUnsure when nobody can tell whether it was.
    """
    from smtplib import SMTPException

    try:
        with _session(server) as session:
            _announce(session, sender, recipient, len(message))
            leaves()
            _expect(session.docmd("data"), 354)
            _hand_over(session, recipient, message)
    except NotBase64 as error:
        raise _refusal(f"The mail server {server.host}", 500, "and asks for a password in no known way") from error
    except (SMTPException, OSError) as error:
        raise _problem(server, error) from error


def _announce(session: Session, sender: str, recipient: str, size: int) -> None:
    session.ehlo_or_helo_if_needed()
    _expect(session.mail(sender, [f"size={size}"] if session.has_extn("size") else []), 250)
    _expect(session.rcpt(recipient), 250, 251)


def _hand_over(session: Session, recipient: str, message: bytes) -> None:
    """Send the message; from the line that ends it until the answer only the server knows whether it took it."""
    from smtplib import SMTPException, SMTPResponseException

    session.send(FIRST_DOT.sub(b"..", message))
    try:
        session.send(b".\r\n")
        session.patience = ANSWER_SECONDS
        code, said = session.getreply()
    except (SMTPException, OSError) as error:
        raise unsure(recipient) from error
    match code // 100:
        case 2:
            return
        case 4 | 5:
            raise SMTPResponseException(code, said)
        case _:
            raise unsure(recipient)


def _expect(answer: tuple[int, bytes], *codes: int) -> None:
    from smtplib import SMTPResponseException

    if answer[0] not in codes:
        raise SMTPResponseException(*answer)


def unsure(recipient: str) -> MailUnsure:
    """Return what to say of mail that may have left."""
    return MailUnsure(f"The mail server did not say whether it took the mail to {recipient}, which may have left.")


@contextmanager
def _session(server: MailServer) -> Iterator[Session]:
    from acctcli.service.delivery.session import Session

    context = _trust() if server.is_tls else None
    opened = Session(server.host, server.port, context=context, seconds=SESSION_SECONDS, patience=PATIENCE_SECONDS)
    try:
        if server.starts_tls:
            opened.starttls(context=_trust())
        if server.user is not None:
            opened.login(server.user, _password(server, server.user))
        yield opened
    finally:
        _leave(opened)


def _leave(session: Session) -> None:
    """Take leave; mail that was taken over stays taken over, whatever the server says to that."""
    from smtplib import SMTPException

    session.patience = PARTING_SECONDS
    with suppress(SMTPException, OSError):
        session.quit()
    session.close()


def _trust() -> ssl.SSLContext:
    import ssl

    import truststore

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _password(server: MailServer, user: str) -> str:
    password = server.password()
    if password is None:
        raise Precondition(
            f"There is no password for {user} at the mail server {server.host}: "
            f"set ACCTCLI_SMTP_PASSWORD, or keep it with: keyring set acctcli:smtp {user}@{server.host}"
        )
    if not (user + password).isascii():  # smtplib would fail, with a part of the password in its words
        raise Precondition("The user and the password of the mail server may have letters of ASCII only.")
    return password


def _problem(server: MailServer, error: OSError) -> Problem:
    """Say what went wrong, without anything that was sent to log in."""
    import smtplib
    from ssl import SSLCertVerificationError

    at = f"The mail server {server.host}"
    match error:
        case smtplib.SMTPAuthenticationError():
            return Precondition(f"{at} refuses the user {server.user} or the password ({error.smtp_code}).")
        case smtplib.SMTPResponseException():
            return _refusal(at, error.smtp_code, _words(server, error.smtp_error))
        case smtplib.SMTPNotSupportedError():
            return Precondition(f"{at} does not offer what is needed: {error}")
        case SSLCertVerificationError():
            return Precondition(f"{at} cannot prove who it is: {error.verify_message}.")
        case _:
            return NotSent(f"{at} cannot be reached: {error.strerror or _words(server, str(error))}.")


def _words(server: MailServer, answer: bytes | str) -> str:
    """Return a server's answer in one short line; nothing of it when it sends back what was sent to log in."""
    text = " ".join((answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer).split())
    password = server.password() if server.user is not None else None
    sent = (password, f"\0{server.user}\0{password}") if password else ()
    if any(form in text for one in sent for form in (one, b64encode(one.encode()).decode())):
        return "and sends the password back"
    return text[:LONGEST_ANSWER]


def _refusal(at: str, code: int, said: str) -> Problem:
    detail = f"{at} does not take the mail: {code} {said}"
    return Precondition(detail) if code >= 500 else NotSent(detail)
