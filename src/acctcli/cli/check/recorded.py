"""What records are, against what the audit trail recorded of them last: a change that nobody made shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from acctcli.cli.audit.exporting import read_windows
from acctcli.cli.check.books import EVERY, Books
from acctcli.cli.check.findings import Finding, caught
from acctcli.cli.check.kinds import BUSINESS, DOCUMENT, INVOICE, KINDS, TAGS, RecordKind, Shown, value
from acctcli.cli.check.posted import Planned
from acctcli.cli.check.related import Ties
from acctcli.cli.check.reviewed import Reviewed
from acctcli.cli.document.entries import VatAccounts
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import NotFound

if TYPE_CHECKING:
    from acctcli.client.urls import Query

RECORDS = "records"
TIE, UPLOADED, UNTAGGED = "relation", "file.created", "tag.deleted"
# a document that was locked by itself is, whatever periods are
LOCKED, UNLOCKED, LOCK = "document.locked", "document.unlocked", "is_locked"
# what the record of a new business tells besides
CAME_WITH = "came_with"
# what is recorded of a business and is no state of it
SILENT = ("unchanged", "restored", "chained")


class _Record(msgspec.Struct):
    id: int
    type: str
    record_id: int | None
    created_at: str
    author: str | None
    operation: str | None
    data: dict[str, msgspec.Raw]


_read = reader(_Record, "a record of the audit trail")
_read_shown: Callable[[bytes | msgspec.Raw], Shown] = reader(dict[str, msgspec.Raw], "a record")
_read_text = msgspec.json.Decoder(str | None).decode
_read_came_with = msgspec.json.Decoder(dict[str, list[dict[str, msgspec.Raw]]]).decode
_read_ids = msgspec.json.Decoder(frozenset[int]).decode
_Key = tuple[str, int]


class _Last(NamedTuple):
    """What was recorded last of a record: the fields that are compared, a digest of what they held, and its tags."""

    fields: tuple[str, ...]
    digest: bytes
    tags: frozenset[int]


class _Recorded:
    """What a trail recorded last of each record; None of what was recorded before there was a trail."""

    def __init__(self, here: State) -> None:
        self.last: dict[_Key, _Last | None] = {}
        self.gone_tags: set[int] = set()
        self.locked: set[int] = set()
        # the document that books an invoice, and those that did before, each with the invoice
        self.booked_by: dict[int, int] = {}
        self.let_go: dict[int, int] = {}
        self.vat_accounts: set[VatAccounts] = set()
        self.ties = Ties()
        self.came_with: dict[_Key, _Record] = {}
        self.kinds_with: set[str] = set()
        self.uploaded: dict[int, str | None] = {}
        self.is_whole = False
        kinds = {kind.word: kind for kind in (*KINDS, BUSINESS)}
        (newest,) = [one for page in here.api.audit.list({}, Extent(limit=1)) for one in page] or (None,)
        last = 0 if newest is None else _read(newest).id
        self.reviewed = Reviewed(last)
        for record in map(_read, read_windows(here.api.audit, last)):
            if record.id == 1:
                self.is_whole = record.author is not None and not record.type.endswith(".chained")
            if record.record_id is not None and record.type.rpartition(".")[2] not in SILENT:
                self._take(record, record.record_id, kinds)

    def _take(self, record: _Record, record_id: int, kinds: Mapping[str, RecordKind]) -> None:
        word, _, done = record.type.partition(".")
        key = word, record_id
        if word == TIE:
            self._tie(record, record_id, is_gone=done == "deleted")
        elif word in kinds and done == "deleted":
            self.last.pop(key, None)
            if word == DOCUMENT.word:
                self.reviewed.relate(self.ties.leave(record_id))
                self.let_go.pop(record_id, None)
        elif word in kinds:
            self.last[key] = None if record.author is None else _last(kinds[word], record.data)
            self._begin(record, kinds)
        self._note(record, record_id, word)

    def _note(self, record: _Record, record_id: int, word: str) -> None:
        """Take what a record says besides what the record itself was."""
        if word == DOCUMENT.word:
            self.reviewed.record(record_id, record.data)
        if word == INVOICE.word:
            self._book(record_id, value(record.data, "document.id"))
        if record.type in (LOCKED, UNLOCKED):
            (self.locked.add if record.type == LOCKED else self.locked.discard)(record_id)
        if record.type == UNTAGGED:
            self.gone_tags.add(record_id)
        if record.type == UPLOADED:
            self.uploaded[record_id] = _read_text(record.data.get("sha256", b"null"))
        if word == BUSINESS.word:
            self.vat_accounts.add(_vat_accounts(record.data))

    def _book(self, invoice_id: int, document_id: bytes) -> None:
        before = self.booked_by.get(invoice_id)
        if before is not None and document_id != b"%d" % before:
            self.let_go[before] = invoice_id
        if document_id:
            self.booked_by[invoice_id] = int(document_id)

    def _begin(self, record: _Record, kinds: Mapping[str, RecordKind]) -> None:
        """Take what came with the business, where its first record tells of it."""
        for word, those in _read_came_with(record.data.get(CAME_WITH, b"{}")).items():
            self.kinds_with.add(word)
            for shown in those:
                key = word, int(bytes(shown["id"]))
                self.came_with[key] = msgspec.structs.replace(record, data=shown)
                self.last[key] = _last(kinds[word], shown)

    def is_still(self, last: _Last, shown: Shown) -> bool:
        """Whether a record is as it was recorded last."""
        is_open = LOCK in shown and not _is_locked(shown) and int(bytes(shown["id"])) in self.locked
        return _digest(last.fields, shown) == last.digest and _tags(shown) == last.tags - self.gone_tags and not is_open

    def tells_all_of(self, kind: RecordKind) -> bool:
        """Whether there is a record of each one of a kind."""
        return self.is_whole and (kind.is_told or kind.word in self.kinds_with)

    def _tie(self, record: _Record, relation_id: int, *, is_gone: bool) -> None:
        before = self.ties.of(relation_id)
        if is_gone:
            self.ties.part(relation_id)
        else:
            self.ties.record(relation_id, None if record.author is None else msgspec.json.encode(record.data))
        self.reviewed.relate([before, self.ties.of(relation_id)])


_read_id = msgspec.json.Decoder(int | None).decode


def _last(kind: RecordKind, recorded: Shown) -> _Last:
    fields = kind.fields(recorded)
    return _Last(fields, _digest(fields, recorded), _tags(recorded))


def _digest(fields: Iterable[str], shown: Shown) -> bytes:
    return blake2b(b"\0".join(value(shown, field) for field in fields), digest_size=8).digest()


def _tags(shown: Shown) -> frozenset[int]:
    return _read_ids(shown.get(TAGS, b"[]"))


def _is_locked(shown: Shown) -> bool:
    return bytes(shown[LOCK]) == b"true"


def _vat_accounts(shown: Shown) -> VatAccounts:
    receivables, liabilities = (value(shown, f"account_vat_{side}") for side in ("receivables", "liabilities"))
    return VatAccounts(_read_id(receivables), _read_id(liabilities))


def check_recorded(here: State, books: Books) -> Iterator[Finding]:
    """Compare every record with what the trail recorded of it last; name what was changed, taken away or put in.

    What documents should have posted is noted on the way, for `check_entries`.
    """
    recorded, found = _Recorded(here), list[Finding]()
    this = decoded(here.api.businesses.get(here.business()), dict[str, msgspec.Raw])
    found.extend(_check(here, BUSINESS, recorded, [this]))
    books.has_beginning, books.uploaded = bool(recorded.kinds_with), recorded.uploaded
    if recorded.is_whole:
        books.planned = Planned(books.chart, recorded.vat_accounts)
    for kind in KINDS:
        with caught(found, RECORDS, f"{_noun(kind)}s", f"acctcli audit list --record {kind.word}"):
            every = read_all(kind.records(here.api).list({}, EVERY), _read_shown)
            if kind is DOCUMENT:
                every = recorded.reviewed.noted(recorded.ties.noted(every))
            if kind is DOCUMENT and books.planned is not None:
                every = books.planned.noted(every)
            found.extend(_check(here, kind, recorded, every))
            if kind is DOCUMENT:
                found.extend(recorded.ties.differing(here, is_whole=recorded.is_whole))
                found.extend(recorded.reviewed.differing(here))
    yield from found
    yield from _let_go(here, recorded)


def _let_go(here: State, recorded: _Recorded) -> Iterator[Finding]:
    """Name documents that booked an invoice, which others book now: nothing but to delete one ends that."""
    for document_id, invoice_id in recorded.let_go.items():
        with suppress(NotFound):
            shown = decoded(here.api.documents.get(document_id), dict[str, msgspec.Raw])
            problem = f"it books sales invoice {invoice_id} no more, and the audit trail has not recorded why"
            remedy = f"acctcli audit show sales_invoice {invoice_id}"
            yield Finding(RECORDS, _named(DOCUMENT, document_id, shown), problem, remedy, is_fault=True)


def _noun(kind: RecordKind) -> str:
    return kind.word.replace("_", " ")


def _check(here: State, kind: RecordKind, recorded: _Recorded, every: Iterable[Shown]) -> Iterator[Finding]:
    left = {record_id for word, record_id in recorded.last if word == kind.word}
    for shown in every:
        record_id = int(bytes(shown["id"]))
        left.discard(record_id)
        key = kind.word, record_id
        last = recorded.last.get(key)
        is_known = key in recorded.last
        if (last is None if is_known else not recorded.tells_all_of(kind)) or (last and recorded.is_still(last, shown)):
            continue
        yield from _confirmed(here, kind, record_id, recorded)
    for record_id in sorted(left):
        yield from _confirmed(here, kind, record_id, recorded)


def _confirmed(here: State, kind: RecordKind, record_id: int, recorded: _Recorded) -> Iterator[Finding]:
    """Look again, because others may have written meanwhile; name what is still not as it was recorded."""
    shown: Shown | None = None
    with suppress(NotFound):
        name = here.business() if kind is BUSINESS else record_id
        shown = decoded(kind.records(here.api).get(name), dict[str, msgspec.Raw])
    query: Query = {"resource": kind.word, "record_id": record_id}
    records = list(read_all(here.api.audit.list(query, EVERY), _read))
    came_with = recorded.came_with.get((kind.word, record_id))
    last = next((one for one in records if one.type.rpartition(".")[2] not in SILENT), came_with)
    is_deleted = last is None or last.type.endswith(".deleted")
    find = partial(Finding, RECORDS, _named(kind, record_id, shown or (last.data if last else {})))
    shows = f"business {last.record_id} --json" if last and last is came_with else f"{kind.word} {record_id}"
    remedy = f"acctcli audit show {shows}"
    if shown is None and not is_deleted:
        yield find("it is gone, and the audit trail has not recorded that it was deleted", remedy, is_fault=True)
    elif shown is not None and (last is None or is_deleted):
        yield find("the audit trail has not recorded that it was made", "acctcli audit verify", is_fault=True)
    elif shown is not None and last is not None:
        names = [one for one in kind.fields(last.data) if value(shown, one) != value(last.data, one)]
        if _tags(shown) != _tags(last.data) - recorded.gone_tags:
            names.append(TAGS)
        locking = next((one.type for one in records if one.type in (LOCKED, UNLOCKED)), UNLOCKED)
        if locking == LOCKED and not _is_locked(shown):
            names.append(LOCK)
        if names:
            when = f"{last.author} on {last.created_at[:10]}"
            yield find(f"{', '.join(names)}: not what the trail recorded last, of {when}", remedy, is_fault=True)


def _named(kind: RecordKind, record_id: int, shown: Shown) -> str:
    """Return what people call a record: its number where it has one of its own, else its id."""
    number = bytes(shown.get("number", b"null")).strip(b'"').decode()
    return f"{_noun(kind)} {number if number != 'null' else record_id}"
