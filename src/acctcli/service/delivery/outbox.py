"""The outbox: a folder of what has left the service, or would leave it if there were somewhere to go.

What is delivered is in the folder, durably, before the transaction that records it, and is taken out again when that
fails. Mail to a server, and an e-invoice to an operator's client, cannot be taken back: it is kept under `sent/`, until
it is recorded with the mark of its request and `.unrecorded` at the end of its name, so that the same request, or the
next one for the same thing, records it and does not send it twice. While it leaves, and after that if nothing says
whether it was taken, it has `.unsure` at the end: then no mail, or no e-invoice, of the same invoice leaves until a
person says that it arrived, or is to go again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, NamedTuple

from acctcli.models.enums import InDoubt
from acctcli.service.delivery.mail import Person, plain_address
from acctcli.service.delivery.operator import RECEIPT, OperatorClient, hand_over, unheard
from acctcli.service.delivery.smtp import MailServer, send, unsure
from acctcli.service.problems import (
    BeingSent,
    InFlight,
    MailUnrecorded,
    MailUnsure,
    NotSent,
    Precondition,
    Problem,
    Unavailable,
)
from acctcli.service.store.contents import created, flush_folders, make_folder
from acctcli.service.store.engine.connection import DatabaseFault, explain

if TYPE_CHECKING:
    from acctcli.service.store.contents import Contents
    from acctcli.service.store.engine.database import Database

SENT = "sent"
DRAFT = ".draft"
UNRECORDED = ".unrecorded"
UNSURE = ".unsure"
MARK_DIGITS = 12
# what to do about mail that may have left
ANEW = "Ask whether it arrived. If it did not, ask for it once more, as a new request: it has the same Message-ID then."
ANSWER = (
    "Ask whether it arrived, and look at {}. Nothing goes to anybody until you say so: send the invoice with in_doubt "
    '"ARRIVED" to record that it was sent, or "AGAIN" to send it once more '
    "(acctcli invoice send --in-doubt arrived, or again)."
)
# mails that leave at once: each may hold a thread for as long as a mail server takes its time
MOST_AT_ONCE = 32
# those with files beyond so many bytes are made and sent by so few at once: each takes up to 94 MiB of memory
LARGE = 2**20
MOST_LARGE_AT_ONCE = 4


class Envelope(NamedTuple):
    """From whom mail is, and to whom it goes; `mark` stands for the letter, whoever asks for it how often."""

    sender: Person
    recipient: Person
    mark: str


class Parcel(NamedTuple):
    """Something to deliver: for which business, a file name of its own, what makes its bytes, and how it is addressed.

    `make` is given where the content of files lies, which some of it may be made of.
    `mark` stands for the request: the same request has the same mark, another one never. `said` is what the record of
    its delivery keeps of it, `weight` the bytes of the files in it. Without an envelope it is no mail, and goes to the
    folder, but for an e-invoice where a client takes it: that has a `letter`, a mark that stands for it whoever asks
    for it. `in_doubt` is what a person says of one under the same stem that may have left; where that is `repeatable`,
    only the same request is refused.
    """

    slug: str
    mark: str
    stem: str
    ending: str
    make: Callable[[Contents], bytes]
    envelope: Envelope | None = None
    said: str | None = None
    weight: int = 0
    in_doubt: InDoubt | None = None
    repeatable: bool = False
    letter: str = ""

    @property
    def file_name(self) -> str:
        """The name it has in the outbox."""
        return self.named(self.mark)

    def named(self, mark: str) -> str:
        """Return the name it has under a mark."""
        return f"{self.stem}-{mark[:MARK_DIGITS]}.{self.ending}"


class Kind(NamedTuple):
    """What leaves and cannot be taken back: what it and one of it are called, who takes it, where a trace of it is."""

    name: str
    one: str
    taker: str
    trace: str

    @property
    def answer(self) -> str:
        """What to do where nobody can tell whether it left."""
        return ANSWER.format(self.trace)


# by the endings of files
KINDS = {
    "eml": Kind("mail", "a mail", "its server", "what the mail server keeps of its mail"),
    "xml": Kind("e-invoice", "an e-invoice", "the operator's client", "its receipt in the outbox"),
}


class Way(NamedTuple):
    """How it leaves.

    `complete` adds what it says on this way, `go` sends it and calls what it is given before it may have left; `unsure`
    makes what is said where nobody can tell. `mark` stands for it, whoever asks for it how often.
    """

    mark: str
    complete: Callable[[bytes], bytes]
    go: Callable[[bytes, Callable[[], None]], None]
    unsure: Callable[[], MailUnsure]


@contextmanager
def one_at_a_time(database: Database, slug: str, what: int | str) -> Iterator[None]:
    """Hold a record of a business, or all new ones of a kind, while it is delivered.

    BeingSent when somebody delivers it at this moment.
    """
    number = int.from_bytes(sha256(f"delivery\0{slug}\0{what}".encode()).digest()[:8], "big") >> 2
    with ExitStack() as held:
        try:
            held.enter_context(database.hold(number))
        except InFlight as error:
            raise BeingSent("This is being sent at this very moment: wait until that is done.") from error
        yield


class Outbox:
    """A folder with one subfolder for each business, for its owner only.

    Mail goes to `server` if there is one, e-invoices to the `client` of an operator. `contents` has what files hold
    that are delivered.
    """

    def __init__(
        self, folder: Path, contents: Contents, server: MailServer | None = None, client: OperatorClient | None = None
    ) -> None:
        self.folder = folder
        self._contents = contents
        self.server = server
        self.client = client
        self._room = BoundedSemaphore(MOST_AT_ONCE)
        self._large = BoundedSemaphore(MOST_LARGE_AT_ONCE)

    def delivered(self, parcel: Parcel) -> AbstractContextManager[None]:
        """Deliver a parcel for the block that records it. No transaction may be open: a server may take its time.

        Raises Unavailable and Precondition when it cannot be delivered, MailUnsure when nobody can tell whether it was;
        then the block does not run. When that fails after mail has left, MailUnrecorded, or Unavailable where the same
        request may record it. Mail that arrived, as a person says, is only recorded.
        """
        if parcel.in_doubt == InDoubt.ARRIVED:
            return _settled(self._asked_of(parcel))
        if parcel.envelope and self.server:
            return self._sent(parcel, _by_mail(parcel.envelope, self.server))
        if parcel.letter and self.client:
            return self._sent(parcel, self._by_client(parcel, self.client))
        return self._laid_down(parcel)

    def _by_client(self, parcel: Parcel, client: OperatorClient) -> Way:
        go = partial(hand_over, client, self._place(parcel.slug, SENT) / parcel.file_name)
        return Way(parcel.letter, bytes, go, partial(unheard, client))

    @contextmanager
    def _laid_down(self, parcel: Parcel) -> Iterator[None]:
        path = self._place(parcel.slug) / parcel.file_name
        with self._large if parcel.weight > LARGE else nullcontext():
            _lay_down(path, parcel.make(self._contents))
        try:
            yield
        except Unavailable:
            # whether it is recorded is not known: better a stray than a delivery nobody finds
            raise
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    def unrecorded(self, slug: str, mark: str) -> AbstractContextManager[None] | None:
        """Return what mail of a request is to be recorded in, None when none has left before."""
        found = next((self.folder / slug / SENT).glob(f"*-*-{mark[:MARK_DIGITS]}.*{UNRECORDED}"), None)
        return None if found is None else _recorded(found)

    def forget(self, before: float) -> None:
        """Remove copies of what left, and was recorded, before a moment, in seconds since 1970; receipts stay."""
        for path in self.folder.glob(f"*/{SENT}/*"):
            with suppress(OSError):
                if not path.name.endswith((UNRECORDED, UNSURE, RECEIPT)) and path.stat().st_mtime < before:
                    path.unlink()

    @contextmanager
    def _sent(self, parcel: Parcel, way: Way) -> Iterator[None]:
        folder, of_letter = self._place(parcel.slug, SENT), f"{parcel.stem}-{way.mark[:MARK_DIGITS]}"
        found = next(folder.glob(f"{of_letter}-*{UNRECORDED}"), None)
        if found is None:
            found = folder / f"{of_letter}-{parcel.mark[:MARK_DIGITS]}.{parcel.ending}{UNRECORDED}"
            self._send(parcel, way, found)
        with _recorded(found):
            yield

    def _send(self, parcel: Parcel, way: Way, unrecorded: Path) -> None:
        leaving = unrecorded.with_name(f"{parcel.file_name}{UNSURE}")
        if leaving.exists():
            raise _advised(way.unsure(), parcel)
        if not parcel.repeatable:
            self._asked_of(parcel)
        draft = _added(leaving, DRAFT)
        try:
            with self._turn(parcel.weight):
                content = way.complete(parcel.make(self._contents))
                _write(draft, content)
                way.go(content, partial(_name, draft, leaving))
        except BaseException as error:
            draft.unlink(missing_ok=True)
            if isinstance(error, (Unavailable, Precondition)):
                leaving.unlink(missing_ok=True)
            if isinstance(error, MailUnsure):
                raise _advised(error, parcel) from error
            raise
        with suppress(Unavailable):  # it has left; what it is called says so, too, if less clearly
            _name(leaving, unrecorded)

    def _asked_of(self, parcel: Parcel) -> list[Path]:
        """Return what may have left before under the stem; Precondition where it was not said what became of that."""
        doubtful = list((self.folder / parcel.slug / SENT).glob(f"{parcel.stem}-*.{parcel.ending}{UNSURE}"))
        kind = KINDS[parcel.ending]
        if doubtful and parcel.in_doubt is None:
            earlier = f"{kind.one} of this invoice may have left earlier, {kind.taker} did not say"
            raise Precondition(f"Nothing was sent: {earlier}. {kind.answer}")
        if parcel.in_doubt is not None and not doubtful:
            raise Precondition(f"No {kind.name} of this invoice is in doubt.")
        return doubtful

    @contextmanager
    def _turn(self, weight: int) -> Iterator[None]:
        """Be one of those that leave at once; NotSent when there are enough, for who waits holds a thread too."""
        rooms = [(self._room, f"{MOST_AT_ONCE} mails")]
        if weight > LARGE:
            rooms.append((self._large, f"{MOST_LARGE_AT_ONCE} mails with large files"))
        with ExitStack() as held:
            for room, those in rooms:
                if not room.acquire(blocking=False):
                    raise NotSent(f"{those} are leaving at this moment: send this one when some have left.")
                held.callback(room.release)
            yield

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


def _by_mail(envelope: Envelope, server: MailServer) -> Way:
    sender, recipient = plain_address(envelope.sender), plain_address(envelope.recipient)
    go = partial(send, server, sender, recipient)
    return Way(envelope.mark, lambda content: server.said_of(sender) + content, go, partial(unsure, recipient))


@contextmanager
def _recorded(unrecorded: Path) -> Iterator[None]:
    """Take what has left for recorded after the block; a block that fails says that it has left."""
    name, _, mark = unrecorded.name.removesuffix(UNRECORDED).rpartition("-")
    ending = mark.rpartition(".")[2]
    try:
        yield
    except (Problem, DatabaseFault) as error:
        problem, text = (
            explain(error) or Problem(),
            f"The {KINDS[ending].name} was sent, but that could not be recorded",
        )
        if isinstance(problem, Unavailable):
            raise Unavailable(f"{text}. Asked again, that is done without sending it.") from error
        raise MailUnrecorded(f"{text}: {problem.detail}") from error
    # it could leave only when it was said what became of those before
    before, stem = unrecorded.stat().st_mtime_ns, name.rpartition("-")[0]
    earlier = unrecorded.parent.glob(f"{stem}-*.{ending}{UNSURE}")
    _settle(one for one in earlier if one.stat().st_mtime_ns <= before)
    with suppress(Unavailable):  # it is recorded now, whatever its copy is called
        _name(unrecorded, unrecorded.with_name(name + mark[MARK_DIGITS:]))


@contextmanager
def _settled(doubtful: Iterable[Path]) -> Iterator[None]:
    """Take what may have left for what left, when the block has recorded it."""
    yield
    _settle(doubtful)


def _settle(doubtful: Iterable[Path]) -> None:
    for path in doubtful:
        with suppress(Unavailable):
            _name(path, path.with_name(path.name.removesuffix(UNSURE)))


def _advised(error: MailUnsure, parcel: Parcel) -> MailUnsure:
    return MailUnsure(f"{error.detail} {ANEW if parcel.repeatable else KINDS[parcel.ending].answer}")


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
