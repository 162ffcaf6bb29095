"""Which documents count as seen, against what the audit trail recorded: one that nobody looked at is not left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from acctcli.cli.check.findings import Finding
from acctcli.cli.output.replies import decoded
from acctcli.client.messages import Extent
from acctcli.errors import NotFound

if TYPE_CHECKING:
    from acctcli.cli.check.related import Tie
    from acctcli.cli.session.state import State
    from acctcli.client.urls import Query

UNSEEN = "audit_trail_has_unseen_actions"
Shown = Mapping[str, msgspec.Raw]


class _Document(msgspec.Struct):
    audit_trail_has_unseen_actions: bool
    number: str | None = None


class Reviewed:
    """Documents to which nothing was done since they were seen.

    That one counts as unseen without a record, as when another one that it was related to goes, leaves nothing out.
    """

    def __init__(self, last: int) -> None:
        self._last = last
        self._seen: set[int] = set()
        self._suspects: list[int] = []

    def record(self, document_id: int, data: Shown) -> None:
        """Take what a record says of a document."""
        (self._seen.add if _is_seen(data) else self._seen.discard)(document_id)

    def relate(self, ties: Iterable[Tie | None]) -> None:
        """Take that a relation came, changed or went: nobody has seen its documents since."""
        for tie in ties:
            if tie is not None:
                self._seen -= {tie.document, tie.related_document}

    def noted(self, documents: Iterable[Shown]) -> Iterator[Shown]:
        """Take note of the documents that are shown as seen, as they pass by."""
        for shown in documents:
            if _is_seen(shown) and (document_id := int(bytes(shown["id"]))) not in self._seen:
                self._suspects.append(document_id)
            yield shown

    def differing(self, here: State) -> Iterator[Finding]:
        """Name the documents that count as seen and are not; those that others have seen meanwhile are."""
        for document_id in self._suspects:
            query: Query = {"resource": "document", "record_id": document_id, "number_from": self._last + 1}
            if any(page for page in here.api.audit.list(query, Extent(limit=1))):
                continue
            with suppress(NotFound):
                document = decoded(here.api.documents.get(document_id), _Document)
                if not document.audit_trail_has_unseen_actions:
                    name, remedy = f"document {document.number or document_id}", f"acctcli audit seen {document_id}"
                    problem = "it counts as seen, and the audit trail has not recorded that anybody saw it as it is"
                    yield Finding("records", name, problem, remedy, is_fault=True)


def _is_seen(shown: Shown) -> bool:
    return bytes(shown.get(UNSEEN, b"true")) == b"false"
