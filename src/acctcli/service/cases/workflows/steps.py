"""What a node of a workflow does, and who may let it (docs/interface.md 11.3).

A node acts as the person who saved the graph or enabled the workflow, by the cases that this person's requests would
call, with the rights that they have at that moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from acctcli.models.document import DocumentRequest
from acctcli.models.enums import PermissionKey
from acctcli.models.graph import CONDITION, TAGGING, TRIGGERS
from acctcli.service.cases.documents.actions import set_flag
from acctcli.service.cases.documents.guard import find
from acctcli.service.cases.documents.writing import update_document
from acctcli.service.cases.work import Work
from acctcli.service.cases.workflows.starting import encode
from acctcli.service.delivery.requests import Outgoing
from acctcli.service.problems import NotAllowed, Precondition
from acctcli.service.rules import workflows as rules
from acctcli.service.store.books import document_links

SENDING = "action.http_request"
# what saving a workflow needs, and what changing documents does
OF_WORKFLOWS = frozenset({PermissionKey.INTEGRATION_ADMIN.value, PermissionKey.ADMIN.value})
OF_BOOKS = frozenset(
    {PermissionKey.BOOKKEEPING_EDITOR.value, PermissionKey.BOOKKEEPING_ADMIN.value, PermissionKey.ADMIN.value}
)


class Happened(NamedTuple):
    """What triggered a run: the type of an event with the record it tells of; by hand no type, and what was given."""

    type: str = ""
    data: Mapping[str, Any] = {}


def perform(work: Work, node: Mapping[str, Any], happened: Happened) -> dict[str, Any] | None:
    """Do what a node that sends nothing does; return its output, or raise the Problem that it fails for."""
    kind, data = node["type"], node["data"]
    if kind in TRIGGERS:
        return None if happened.type else dict(happened.data) or None
    if kind == CONDITION:
        return {"result": rules.holds(data, happened.data)}
    check_author(work)
    if kind == "action.log":
        return {"message": data["message"]}
    document_id = _document_of(happened)
    check_books(work)
    if kind == TAGGING:
        return _tag(work, document_id, data["tag_ids"])
    was_flagged = find(work, document_id, for_update=True).is_flagged
    set_flag(work, document_id, is_flagged=True)
    return {"document_id": document_id, "changed": not was_flagged}


def outgoing(node: Mapping[str, Any], mark: str) -> Outgoing:
    """Return what a node sends; sent again it bears the same key."""
    data, method = node["data"], node["data"]["method"]
    body = None if data.get("body") is None or method == "GET" else encode(data["body"])
    return Outgoing(method, data["url"], body, f"{mark}-{node['id']}")


def check_author(work: Work) -> None:
    """Refuse what somebody saved who may not work on workflows any more, or is gone."""
    _check(work, OF_WORKFLOWS, "change workflows")


def check_books(work: Work) -> None:
    """Refuse a change of documents that the person may not make themselves."""
    _check(work, OF_BOOKS, "change documents")


def _check(work: Work, needs: frozenset[str], what: str) -> None:
    if work.business.permissions.isdisjoint(needs):
        raise NotAllowed(f"{work.user.called or 'Whoever saved this workflow'} may not {what} here.")


def _document_of(happened: Happened) -> int:
    """Return the document that the event tells of; only events of documents do."""
    document_id = happened.data.get("id")
    if not happened.type.startswith("document.") or not isinstance(document_id, int):
        what = f"The event {happened.type}" if happened.type else "A run by hand"
        raise Precondition(f"{what} has no document.")
    return document_id


def _tag(work: Work, document_id: int, tag_ids: list[int]) -> dict[str, Any]:
    find(work, document_id, for_update=True)
    before = document_links.of_document(work.conn, work.business.id, document_id).tag_ids
    after = list(dict.fromkeys((*before, *tag_ids)))
    if len(after) > len(before):
        body = DocumentRequest.model_construct({"tag_ids"}, tag_ids=after)
        update_document(work, document_id, body)
    return {"document_id": document_id, "changed": len(after) > len(before)}
