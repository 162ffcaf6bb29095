"""How documents, their entries and their relations are shown (docs/interface.md 5.1, 5.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from acctcli.law.vat_codes import EU_SALES
from acctcli.models.enums import ContactType, RelationRole
from acctcli.service.cases.documents.content import stored_blueprint, whole_row
from acctcli.service.cases.work import Work
from acctcli.service.rules.blueprint import Blueprint
from acctcli.service.rules.money import from_cents, rate_text
from acctcli.service.rules.posting import ui_rows
from acctcli.service.store.books import document_links, documents, postings, relations
from acctcli.service.store.books.document_links import ContactFacts, Links
from acctcli.service.store.books.documents import DocumentRow
from acctcli.service.store.books.journal import EntryRow
from acctcli.service.store.books.postings import AccountFacts
from acctcli.service.store.books.relations import RelationRow

if TYPE_CHECKING:
    from acctcli.models.document import Document, EmbeddedDocument, Entry, EntryUiRow
    from acctcli.models.relation import DocumentRelation

# what a row of a blueprint takes at least, as it is stored
ROW_LETTERS = 100
NAMELESS = AccountFacts("", "", "")


class DocumentContext(NamedTuple):
    """What a document is shown with, besides itself."""

    accounts: Mapping[int, AccountFacts]
    contact: ContactFacts | None = None
    links: Links = document_links.NOTHING
    relations: Sequence[RelationRow] = ()


def weigh_documents(work: Work, rows: Iterable[DocumentRow]) -> list[int]:
    """Say of each document how many rows it may have."""
    lengths: Mapping[int, int] = {}
    if any(not row.blueprint for row in rows):
        lengths = documents.sizes(work.conn, work.business.id, [row.id for row in rows if not row.blueprint])
    return [(lengths.get(row.id) or len(row.blueprint)) // ROW_LETTERS for row in rows]


def show_documents(work: Work, rows: Iterable[DocumentRow]) -> list[Document]:
    """Return documents as they are shown."""
    return [render_document(*one) for one in _in_context(work, rows)]


def embed_documents(work: Work, rows: Iterable[DocumentRow]) -> list[EmbeddedDocument]:
    """Return documents as sales and purchase invoices show them."""
    return [_render_embedded(*one) for one in _in_context(work, rows)]


def _in_context(work: Work, rows: Iterable[DocumentRow]) -> Iterator[tuple[DocumentRow, Blueprint, DocumentContext]]:
    """Yield each with what it is shown with; what they refer to is looked up for all of them at once."""
    whole = [row if row.blueprint else whole_row(work, row) for row in rows]
    pairs = [(row, stored_blueprint(row)) for row in whole]
    conn, business_id, ids = work.conn, work.business.id, [row.id for row, _ in pairs]
    account_ids: set[int] = set().union(*(blueprint.account_ids for _, blueprint in pairs))
    contact_ids = {row.contact_id for row, _ in pairs if row.contact_id is not None}
    accounts = postings.account_facts(conn, business_id, account_ids)
    contacts = document_links.contact_facts(conn, business_id, contact_ids)
    linked = document_links.of_documents(conn, business_id, ids)
    related = relations.of_documents(conn, business_id, ids)
    for row, blueprint in pairs:
        contact = None if row.contact_id is None else contacts[row.contact_id]
        links = linked.get(row.id, document_links.NOTHING)
        yield row, blueprint, DocumentContext(accounts, contact, links, related.get(row.id, ()))


def show_document(work: Work, row: DocumentRow) -> Document:
    """Return one document as it is shown."""
    return show_documents(work, [row])[0]


def render_document(row: DocumentRow, blueprint: Blueprint, setting: DocumentContext) -> Document:
    """Return a document as it is shown, everything about it being known."""
    return {
        **_render_embedded(row, blueprint, setting),
        "is_deletable": not (row.is_locked or row.invoice_id or setting.links.books_purchase or setting.relations),
        "shortcuts": [],
    }


def _render_embedded(row: DocumentRow, blueprint: Blueprint, setting: DocumentContext) -> EmbeddedDocument:
    contact, sells = setting.contact, _sells_to_eu(row, blueprint)
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "number": row.number,
        "is_flagged": row.is_flagged,
        "is_locked": row.is_locked,
        "is_draft": row.is_draft,
        "date": row.date,
        "description": row.description,
        "contact_id": row.contact_id,
        "contact_name": None if contact is None else contact.name,
        "balance": from_cents(row.balance_cents),
        "attachment_ids": setting.links.attachment_ids,
        "type": row.type,
        "blueprint": msgspec.Raw(row.blueprint.encode()),
        "blueprint_type": row.blueprint_type,
        "import_data": None,
        "entry_ui_rows": _entry_ui_rows(blueprint, setting.accounts),
        "audit_trail_last_seen_at": row.seen_at,
        "audit_trail_last_mention_at": row.mention_at,
        "audit_trail_last_comment_at": row.comment_at,
        "audit_trail_has_unseen_actions": not row.is_seen,
        "tag_ids": setting.links.tag_ids,
        "relations": [render_relation(relation) for relation in setting.relations],
        "relation_network_signals": "",
        "relation_entry_signals": "",
        "available_link_kinds": "",
        "eu_b2b_vat_details_missing": sells and (contact is None or not contact.has_vat_id),
        "eu_sale_to_private_person": sells and contact is not None and contact.type == ContactType.PERSON,
    }


def _sells_to_eu(row: DocumentRow, blueprint: Blueprint) -> bool:
    """Say whether the document has an entry of a sale to another EU country; a draft has no entries."""
    return not row.is_draft and any(line.vat_code in EU_SALES and line.amount for line in blueprint.rows)


def _entry_ui_rows(blueprint: Blueprint, accounts: Mapping[int, AccountFacts]) -> list[EntryUiRow]:
    """Return the rows people see; a draft's missing account, and a deleted one, has no name."""
    rows: list[EntryUiRow] = []
    for row in ui_rows(blueprint):
        facts = NAMELESS if row.account_id is None else accounts.get(row.account_id, NAMELESS)
        rows.append(
            {
                "account_name": facts.name,
                "account_number": facts.number,
                "vat_code": row.vat_code,
                "vat_rate": rate_text(row.vat_rate),
                "is_debet": row.is_debit,
                "amount": from_cents(row.amount),
            }
        )
    return rows


def render_relation(row: RelationRow) -> DocumentRelation:
    """Return a relation as it is shown from one of its documents."""
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "related_document": row.related_id,
        "related_document_summary": {
            "id": row.related_id,
            "number": row.number,
            "date": row.date,
            "description": row.description,
            "balance": from_cents(row.balance_cents),
            "contact_name": row.contact_name,
            "is_draft": row.is_draft,
        },
        "description": row.description,
        "role": RelationRole.ACCRUAL if row.is_accrual else RelationRole.SETTLEMENT,
        "type": row.type,
        "source_document_signals": {},
        "related_document_signals": {},
    }


def render_entry(row: EntryRow) -> Entry:
    """Return an entry as it is shown."""
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "account": row.account_id,
        "account_name": row.account_name,
        "account_number": row.account_number,
        "amount": from_cents(row.amount_cents),
        "is_debet": row.is_debit,
        "description": row.description,
        "vat_code": row.vat_code,
        "vat_rate": rate_text(row.vat_rate),
    }
