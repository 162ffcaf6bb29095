"""Relations of documents, against what the audit trail recorded of them last: VAT by payments follows from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from acctcli.cli.check.findings import Finding
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.client.messages import Extent
from acctcli.errors import NotFound

if TYPE_CHECKING:
    from acctcli.cli.session.state import State
    from acctcli.client.urls import Query


class Tie(msgspec.Struct, frozen=True):
    """A relation seen from `document`, which earlier records do not name."""

    related_document: int
    role: str
    type: str
    document: int | None = None

    def is_seen_in(self, views: Iterable[Tie]) -> bool:
        """Whether one of the two documents shows it as it is here."""
        return any(self in (one, msgspec.structs.replace(one, document=None)) for one in views)


class _Shown(msgspec.Struct):
    id: int
    related_document: int
    role: str
    type: str


class _Document(msgspec.Struct):
    id: int
    relations: list[_Shown]


class _Record(msgspec.Struct):
    type: str
    data: msgspec.Raw


_read_tie = reader(Tie, "a relation")
_read_shown = reader(list[_Shown], "relations")
_read_record = reader(_Record, "a record of the audit trail")


class Ties:
    """What the trail recorded last of relations, and how documents show them; None of what had no author yet."""

    def __init__(self) -> None:
        self._recorded: dict[int, Tie | None] = {}
        self._gone: set[int] = set()
        self._near: dict[int, set[int]] = defaultdict(set)
        self._shown: dict[int, set[Tie]] = defaultdict(set)

    def record(self, relation_id: int, data: bytes | None) -> None:
        """Take what was recorded of a relation that is there; nothing of one from before there was a trail."""
        self._recorded[relation_id] = tie = None if data is None else _read_tie(data)
        for document_id in () if tie is None else (tie.document, tie.related_document):
            self._near[document_id or 0].add(relation_id)

    def of(self, relation_id: int) -> Tie | None:
        """Return what was recorded last of a relation, of one that is there."""
        return self._recorded.get(relation_id)

    def part(self, relation_id: int) -> None:
        """Take that a relation was deleted."""
        self._recorded.pop(relation_id, None)

    def leave(self, document_id: int) -> list[Tie | None]:
        """Take that a document was deleted, and return its relations: they went with it."""
        self._gone.add(document_id)
        return [self.of(relation_id) for relation_id in self._near.pop(document_id, ())]

    def noted(self, documents: Iterable[Mapping[str, msgspec.Raw]]) -> Iterator[Mapping[str, msgspec.Raw]]:
        """Take note of the relations that documents show, as they pass by."""
        for shown in documents:
            document_id = int(bytes(shown["id"]))
            for one in _read_shown(shown["relations"]):
                self._shown[one.id].add(Tie(one.related_document, one.role, one.type, document_id))
            yield shown

    def differing(self, here: State, *, is_whole: bool) -> Iterator[Finding]:
        """Name the relations that are not as they were recorded; `is_whole`: all that there are were recorded."""
        for relation_id in sorted(self._recorded.keys() | self._shown.keys()):
            views = self._shown.get(relation_id, set())
            if relation_id not in self._recorded:
                is_wrong = is_whole
            else:
                tie = self._recorded[relation_id]
                is_wrong = tie is not None and not tie.is_seen_in(views) and not (self._is_over(tie) and not views)
            if is_wrong:
                yield from self._confirmed(here, relation_id, views)

    def _is_over(self, tie: Tie) -> bool:
        return tie.document is None or not self._gone.isdisjoint((tie.document, tie.related_document))

    def _confirmed(self, here: State, relation_id: int, views: set[Tie]) -> Iterator[Finding]:
        """Look again, because others may have written meanwhile."""
        query: Query = {"resource": "relation", "record_id": relation_id}
        records = read_all(here.api.audit.list(query, Extent(limit=1)), _read_record)
        last = next((one for one in records if one.type != "relation.deleted"), None)
        tie = None if last is None else _read_tie(last.data)
        wanted = {one.document for one in views} | ({tie.document, tie.related_document} if tie else set())
        documents = list(_documents(here, wanted - {None}))
        now = {
            Tie(one.related_document, one.role, one.type, document.id)
            for document in documents
            for one in document.relations
            if one.id == relation_id
        }
        remedy = f"acctcli audit show relation {relation_id}"
        named = f"relation {relation_id}"
        if tie is None and now:
            yield Finding("records", named, "the audit trail has not recorded that it was made", remedy, is_fault=True)
        elif tie is not None and not now and len(documents) == len(wanted - {None}):
            problem = "it is gone, and the audit trail has not recorded that it was deleted"
            yield Finding("records", named, problem, remedy, is_fault=True)
        elif tie is not None and now and not tie.is_seen_in(now):
            yield Finding("records", named, "not what the trail recorded last", remedy, is_fault=True)


def _documents(here: State, ids: Iterable[int | None]) -> Iterator[_Document]:
    for document_id in ids:
        with suppress(NotFound):
            yield decoded(here.api.documents.get(document_id or 0), _Document)
