"""Mail: a message with attachments as bytes, the same for a server and for a file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from acctcli.service.problems import Precondition

if TYPE_CHECKING:
    from email.headerregistry import Address


class Person(NamedTuple):
    """A name and an address for mail."""

    name: str
    email: str


class Attachment(NamedTuple):
    """A file of a message: a name that is safe in any folder, a media type, its content."""

    name: str
    type: str
    content: bytes


class Letter(NamedTuple):
    """What a message says, from whom to whom; `mark` makes it recognisable when it arrives twice."""

    sender: Person
    recipient: Person
    subject: str
    content: str
    mark: str
    moment: datetime


def compose(letter: Letter, attachments: Sequence[Attachment]) -> bytes:
    """Return a message in ASCII that any server takes; raises Precondition for an address that mail does not know."""
    from email.message import EmailMessage
    from email.policy import SMTP
    from email.utils import format_datetime

    sender = _address(letter.sender)
    message = EmailMessage(SMTP.clone(cte_type="7bit"))
    message["From"] = message["Reply-To"] = sender
    message["To"] = _address(letter.recipient)
    message["Subject"] = _one_line(letter.subject)
    message["Date"] = format_datetime(letter.moment)
    message["Message-ID"] = f"<{letter.mark}@{sender.domain}>"
    message.set_content(letter.content)
    for attachment in attachments:
        main, _, sub = attachment.type.partition("/")
        message.add_attachment(attachment.content, maintype=main, subtype=sub, filename=attachment.name)
    if attachments:
        message.set_boundary(f"={letter.mark}=")  # as the rest: the same letter has the same bytes
    return message.as_bytes()


def plain_address(person: Person) -> str:
    """Return the address as envelopes have it, in ASCII."""
    return _address(person).addr_spec


def _address(person: Person) -> Address:
    from email.errors import MessageError
    from email.headerregistry import Address

    local, _, domain = person.email.rpartition("@")
    try:
        spec = f"{local}@{domain.encode('idna').decode()}"
        spec.encode("ascii")
        return Address(display_name=_one_line(person.name), addr_spec=spec)
    except (MessageError, ValueError, IndexError) as error:
        raise Precondition(f"{person.email} is not an address that mail can be sent to or from.") from error


def _one_line(text: str) -> str:
    """Join lines: a line break in a header would begin another header."""
    return " ".join(text.split())
