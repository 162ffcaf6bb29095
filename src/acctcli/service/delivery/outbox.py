"""The outbox: a folder of what has left the service, or would leave it if there were somewhere to go.

What is delivered is in the folder, durably, before the transaction that records it, and is taken out again when that
fails. Mail to a server cannot be taken back: it is kept under `sent/`, until it is recorded with `.unrecorded` at the
end of its name, so that the next request for the same mail records it and does not send it twice. While it leaves, and
for ever if the server does not say whether it took it, it has `.unsure` at the end: the same request, when it comes
again, sends nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from acctcli.service.delivery.mail import Person, plain_address
from acctcli.service.delivery.smtp import MailServer, send, unsure
from acctcli.service.problems import Precondition, Unavailable
from acctcli.service.store.contents import created, flush_folders, make_folder

SENT = "sent"
DRAFT = ".draft"
UNRECORDED = ".unrecorded"
UNSURE = ".unsure"
MARK_DIGITS = 12


class Envelope(NamedTuple):
    """From whom mail is, and to whom it goes; `mark` stands for the letter, whoever asks for it how often."""

    sender: Person
    recipient: Person
    mark: str


class Parcel(NamedTuple):
    """Something to deliver: for which business, a file name of its own, what makes its bytes, and how it is addressed.

    `mark` stands for the request: the same request has the same mark, another one never.
    Without an envelope it is no mail, and goes to the folder in any case.
    """

    slug: str
    mark: str
    stem: str
    ending: str
    make: Callable[[], bytes]
    envelope: Envelope | None = None

    @property
    def file_name(self) -> str:
        """The name it has in the outbox."""
        return self.named(self.mark)

    def named(self, mark: str) -> str:
        """Return the name it has under a mark."""
        return f"{self.stem}-{mark[:MARK_DIGITS]}.{self.ending}"


class Outbox:
    """A folder with one subfolder for each business, for its owner only; mail goes to `server` if there is one."""

    def __init__(self, folder: Path, server: MailServer | None = None) -> None:
        self.folder = folder
        self.server = server

    def delivered(self, parcel: Parcel) -> AbstractContextManager[None]:
        """Deliver a parcel for the block that records it. No transaction may be open: a server may take its time.

        Raises Unavailable and Precondition when it cannot be delivered, MailUnsure when nobody can tell whether it was;
        then the block does not run.
        """
        if parcel.envelope and self.server:
            return self._mailed(parcel, parcel.envelope, self.server)
        return self._laid_down(parcel)

    @contextmanager
    def _laid_down(self, parcel: Parcel) -> Iterator[None]:
        path = self._place(parcel.slug) / parcel.file_name
        _lay_down(path, parcel.make())
        try:
            yield
        except Unavailable:
            # whether it is recorded is not known: better a stray than a delivery nobody finds
            raise
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    @contextmanager
    def _mailed(self, parcel: Parcel, envelope: Envelope, server: MailServer) -> Iterator[None]:
        path = self._place(parcel.slug, SENT) / parcel.named(envelope.mark)
        unrecorded = _added(path, UNRECORDED)
        if not unrecorded.exists():
            self._mail(parcel, envelope, server, path)
        try:
            yield
        except Unavailable as error:
            text = "The mail was sent, but that could not be recorded. Asked again, that is done without sending it."
            raise Unavailable(text) from error
        with suppress(Unavailable):  # it is recorded now, whatever its copy is called
            _name(unrecorded, path)

    def _mail(self, parcel: Parcel, envelope: Envelope, server: MailServer, path: Path) -> None:
        sender, recipient = plain_address(envelope.sender), plain_address(envelope.recipient)
        leaving = path.with_name(f"{parcel.file_name}{UNSURE}")
        if leaving.exists():
            raise unsure(recipient)
        draft = _added(leaving, DRAFT)
        message = parcel.make()
        _write(draft, message)
        try:
            send(server, sender, recipient, message, partial(_name, draft, leaving))
        except BaseException as error:
            draft.unlink(missing_ok=True)
            if isinstance(error, (Unavailable, Precondition)):
                leaving.unlink(missing_ok=True)
            raise
        with suppress(Unavailable):  # it has left; what it is called says so, too, if less clearly
            _name(leaving, _added(path, UNRECORDED))

    def _place(self, *names: str) -> Path:
        place = self.folder
        try:
            make_folder(place)
            for name in names:
                place /= name
                make_folder(place)
        except OSError as error:
            raise _unwritable(error) from error
        return place


def _added(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _lay_down(path: Path, content: bytes) -> None:
    """Write a file whole, or leave none."""
    draft = _added(path, DRAFT)
    _write(draft, content)
    try:
        _name(draft, path)
    except Unavailable:
        for name in (draft, path):
            name.unlink(missing_ok=True)
        raise


def _write(path: Path, content: bytes) -> None:
    try:
        with created(path) as stream:
            stream.write(content)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise _unwritable(error) from error


def _name(path: Path, name: Path) -> None:
    """Give what is written its name, durably."""
    try:
        path.replace(name)
        flush_folders(name.parent)
    except OSError as error:
        raise _unwritable(error) from error


def _unwritable(error: OSError) -> Unavailable:
    return Unavailable(f"The outbox cannot be written: {error.strerror}.")
