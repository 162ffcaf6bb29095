"""Mail: a message with attachments as bytes, the same for a server and for a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category

from acctcli.service.problems import Precondition

if TYPE_CHECKING:
    from email.headerregistry import Address
    from email.policy import EmailPolicy

# of mail, without its end (RFC 5322)
LONGEST_LINE = 998
# marks of direction, embeddings, overrides and isolates (UAX 9)
TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# what steers a terminal, a header or a file system
UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f\u2028\u2029/\\:*?"<>|]')


# RFC 5321, 4.5.3.1.1: what stands before the @
_LONGEST_LOCAL = 64
# digits of a mark: a longer boundary would be written in pieces (RFC 2231), which not every mail program puts together
_BOUNDARY = 32


class Person(NamedTuple):
    """A name and an address for mail."""

    name: str
    email: str


class Attachment(NamedTuple):
    """A file of a message: its name, whatever it is, a media type, its content."""

    name: str
    type: str
    content: bytes


class Letter(NamedTuple):
    """What a message says, from whom to whom; `mark` makes it recognisable when it arrives twice.

    `html` says the same as `content`, where that is text and HTML. Letters with the same `thread` are about one thing.
    One that `is_automatic` nobody asked for at this moment.
    """

    sender: Person
    recipient: Person
    subject: str
    content: str
    mark: str
    moment: datetime
    html: str = ""
    thread: str = ""
    is_automatic: bool = False


def compose(letter: Letter, attachments: Sequence[Attachment]) -> bytes:
    """Return a message in ASCII that any server takes; raises Precondition for an address that mail does not know."""
    from email.message import EmailMessage
    from email.utils import format_datetime

    sender = _address(letter.sender)
    message = EmailMessage(_policy())
    message["From"] = message["Reply-To"] = sender
    message["To"] = _address(letter.recipient)
    message["Subject"] = one_line(letter.subject)
    message["Date"] = format_datetime(letter.moment)
    message["Message-ID"] = f"<{letter.mark}@{sender.domain}>"
    if letter.thread:  # nothing has this id: mail programs put together what refers to the same one
        message["References"] = f"<{letter.thread}@{sender.domain}>"
    if letter.is_automatic:  # RFC 3834: nobody's absence is to be answered to it
        message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.content)
    if letter.html:
        message.add_alternative(letter.html, subtype="html")
        message.set_boundary(f"={letter.mark[:_BOUNDARY]}:=")  # as the rest: the same letter has the same bytes
    for attachment in attachments:
        main, _, sub = attachment.type.partition("/")
        name, more = file_name(attachment.name), _charset(attachment)
        message.add_attachment(attachment.content, maintype=main, subtype=sub, filename=name, params=more)
    if attachments:
        message.set_boundary(f"={letter.mark[:_BOUNDARY]}=")
    return message.as_bytes()


def _charset(attachment: Attachment) -> dict[str, str] | None:
    """Return in which letters text is written, where that can be told: without it readers take it for ASCII."""
    if not attachment.type.startswith("text/"):
        return None
    try:
        attachment.content.decode()
    except UnicodeDecodeError:
        return None
    return {"charset": "utf-8"}


def plain_address(person: Person) -> str:
    """Return the address as envelopes have it, in ASCII."""
    return _address(person).addr_spec


def _address(person: Person) -> Address:
    from email.errors import MessageError
    from email.headerregistry import Address

    local, _, domain = person.email.rpartition("@")
    try:
        if len(local) > _LONGEST_LOCAL:
            raise ValueError(local)
        spec = f"{local}@{domain.encode('idna').decode()}"
        spec.encode("ascii")
        return Address(display_name=one_line(person.name), addr_spec=spec)
    except (MessageError, ValueError, IndexError) as error:
        raise Precondition(f"{person.email} is not an address that mail can be sent to or from.") from error


@cache
def _policy() -> EmailPolicy:
    """Return how messages are written: in ASCII, with the line ends of mail."""
    from email.header import Header
    from email.headerregistry import AddressHeader, UniqueUnstructuredHeader
    from email.policy import EmailPolicy

    class Policy(EmailPolicy):
        """Leaves names in ASCII on one line: where the library breaks one it forgets the quotes around its commas.

        Subjects in other letters are encoded as a whole: where the library breaks one it loses blanks, or makes some.
        """

        def fold(self, name: str, value: str) -> str:
            line = f"{name}: {value}"
            is_whole = isinstance(value, AddressHeader) or name == "References"  # which it would encode
            if is_whole and line.isascii() and len(line) <= LONGEST_LINE:
                return f"{line}{self.linesep}"
            if isinstance(value, UniqueUnstructuredHeader) and not line.isascii():
                encoded = Header(str(value), "utf-8", header_name=name).encode(linesep=self.linesep)
                return f"{name}: {encoded}{self.linesep}"
            return str(super().fold(name, value))

        def fold_binary(self, name: str, value: str) -> bytes:
            return self.fold(name, value).encode("ascii")

    return Policy(linesep="\r\n", cte_type="7bit")


def file_name(name: str) -> str:
    """Return the name under which headers offer a file to be saved: one step of a path, shown as it is."""
    return "".join(one for one in UNSAFE.sub("_", name) if one not in TURNING).lstrip(". ").rstrip() or "file"


def one_line(text: str) -> str:
    """Return a text as a header holds it, and a sentence that names somebody: a line break would begin another one.

    Nor does it hold what is not seen and turns other letters around.

    `=?` is pulled apart: the mail library takes `=?utf-8?q?x=0ABcc:_y?=` for a text in code, and writes what it says,
    line breaks and all.
    """
    line = "".join(one for one in " ".join(text.split()) if category(one) != "Cc" and one not in TURNING)
    return line.replace("=?", "= ?")
