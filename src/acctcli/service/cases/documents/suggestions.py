"""Documents that may belong together (docs/interface.md 5.8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import date
from heapq import nlargest
from itertools import chain
from typing import TYPE_CHECKING

from acctcli.models.enums import RelationType
from acctcli.service.cases.bodies import require_contact
from acctcli.service.cases.documents.guard import find, name
from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid
from acctcli.service.rules.blueprint import Blueprint, BlueprintError, read_blueprint
from acctcli.service.rules.posting import post
from acctcli.service.rules.relations import MONEY, Movement, Party, open_items, suggest
from acctcli.service.store.books import clearing, postings, relations
from acctcli.service.store.books.clearing import Heading

if TYPE_CHECKING:
    from acctcli.models.document import PreviewRequest
    from acctcli.models.relation import RelationSuggestion

# Looked for one by one, the largest first; a document rarely has more than one
MOST_ITEMS = 20
NEW_DOCUMENT = 0


def suggest_relations(work: Work, document_id: int) -> list[RelationSuggestion]:
    """Suggest what a document may be related to, the best first; a draft has no entries and nothing to clear."""
    row = find(work, document_id)
    related = [other.related_id for other in relations.of_document(work.conn, work.business.id, row.id)]
    moved = clearing.movements(work.conn, work.business.id, [row.id, *related])
    cleared = chain.from_iterable(moved.get(other, ()) for other in related)
    subject = _party(Heading(row.id, name(row), row.date, row.contact_id), moved.get(row.id, ()), cleared)
    return _suggestions(work, subject, {row.id, *related})


def preview_relations(work: Work, body: PreviewRequest) -> list[RelationSuggestion]:
    """Suggest what a document that does not exist yet may be related to; nothing is changed."""
    if body.contact_id is not None:
        require_contact(work, body.contact_id)
    day = body.date if "date" in body.model_fields_set else work.today
    heading = Heading(NEW_DOCUMENT, "the new document", day, body.contact_id)
    subject = _party(heading, _movements(work, read_blueprint(body.blueprint.model_dump()), day))
    return _suggestions(work, subject, set(body.exclude_document_ids))


def _movements(work: Work, blueprint: Blueprint, day: date) -> list[Movement]:
    """Return what a blueprint would post; an unfinished one posts what it can."""
    ground = postings.ground(work.conn, work.business.id, day, blueprint.account_ids)
    try:
        lines = post(blueprint, ground.accounts, ground.vat_accounts, is_draft=True)
    except BlueprintError as fault:
        raise Invalid.field("blueprint", str(fault)) from None
    facts = [ground.accounts[line.account_id] for line in lines]
    return [
        Movement(line.account_id, account.number, account.type, line.is_debit, line.amount)
        for line, account in zip(lines, facts, strict=True)
    ]


def _party(heading: Heading, moved: Collection[Movement], of_related: Iterable[Movement] = ()) -> Party:
    moves_money = any(movement.type == MONEY for movement in moved)
    return Party(*heading, moves_money, open_items(moved, of_related))


def _suggestions(work: Work, subject: Party, excluded: set[int]) -> list[RelationSuggestion]:
    return [
        {
            "related_document": suggestion.document_id,
            "role": suggestion.role,
            "type": RelationType.ACCRUAL_PAIR,
            "reason": suggestion.reason,
            "score": suggestion.score,
        }
        for suggestion in suggest(subject, _candidates(work, subject, excluded))
    ]


def _candidates(work: Work, subject: Party, excluded: set[int]) -> Iterator[Party]:
    """Yield documents with an entry that meets an item of the subject, and what of them is still open."""
    conn, business_id = work.conn, work.business.id
    ids: set[int] = set()
    for item in nlargest(MOST_ITEMS, subject.items, key=lambda item: item.amount):
        ids.update(clearing.meeting(conn, business_id, item, subject.date, subject.contact_id))
    ids -= excluded
    related = relations.of_documents(conn, business_id, ids)
    others = {document_id: [row.related_id for row in rows] for document_id, rows in related.items()}
    moved = clearing.movements(conn, business_id, ids.union(*others.values()))
    for heading in clearing.headings(conn, business_id, ids):
        one = heading.document_id
        yield _party(heading, moved[one], chain.from_iterable(moved.get(other, ()) for other in others.get(one, ())))
