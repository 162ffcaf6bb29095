"""What documents are linked with: contacts, tags, files. SQL only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    Connection,
    Select,
    String,
    Table,
    and_,
    bindparam,
    delete,
    false,
    func,
    insert,
    literal_column,
    or_,
    select,
    union_all,
)
from sqlalchemy.sql import ColumnElement

from acctcli.service.store import attachments
from acctcli.service.store.attachments import AttachmentRow
from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.id_lists import among, portions
from acctcli.service.store.schema.attachments import attachment
from acctcli.service.store.schema.books import document_attachment, document_tag
from acctcli.service.store.schema.contacts import contact
from acctcli.service.store.schema.purchases import purchase_invoice
from acctcli.service.store.schema.tags import tag


class ContactFacts(NamedTuple):
    """What documents show of their contact, and what the reporting of EU sales asks of him."""

    name: str
    type: str
    has_vat_id: bool


class Known(NamedTuple):
    """Which of the contacts, tags and files asked for the business has."""

    contacts: dict[int, ContactFacts]
    tag_ids: set[int]
    attachment_ids: set[int]


class Links(NamedTuple):
    """Tags of a document by id, its files in the order they were given, and whether it books a purchase invoice."""

    tag_ids: tuple[int, ...] = ()
    attachment_ids: tuple[int, ...] = ()
    books_purchase: bool = False


NOTHING = Links()

BUSINESS: BindParameter[int] = bindparam("business_id")
TAG, FILE, CONTACT, PURCHASE = (literal_column(f"'{kind}'", String) for kind in ("tag", "file", "contact", "purchase"))
EMPTY = literal_column("''", String)
# the VAT id of a contact stands where the EU VAT report looks for it, too (wire facts 4.3)
VAT_IDS = (contact.c.invoicing_tax_code, contact.c.contact_business_id)
HAS_VAT_ID = or_(*(func.coalesce(column, "") != EMPTY for column in VAT_IDS))
CONTACT_FACTS = (contact.c.name, contact.c.type, HAS_VAT_ID)
KINDS = ((TAG, tag), (FILE, attachment))


@cache
def _known(length: int) -> Prepared:
    """Ask for contacts, tags and files in one round trip; each kind is asked for all of the ids."""
    contacts = select(CONTACT, contact.c.id, *CONTACT_FACTS).where(_named(contact, length))
    others = [select(kind, of.c.id, EMPTY, EMPTY, false()).where(_named(of, length)) for kind, of in KINDS]
    return Prepared(union_all(contacts, *others))


def _named(of: Table, length: int) -> ColumnElement[bool]:
    return and_(of.c.business_id == BUSINESS, among(of.c.id, length))


def known(conn: Connection, business_id: int, ids: Iterable[int]) -> Known:
    """Return the contacts, tags and files of the business that have one of these ids."""
    contacts: dict[int, ContactFacts] = {}
    others: dict[str, set[int]] = {"tag": set(), "file": set()}
    for length, values in portions(ids):
        for kind, found, *facts in _known(length).all(conn, business_id=business_id, **values):
            if kind == "contact":
                contacts[found] = ContactFacts(*facts)
            else:
                others[kind].add(found)
    return Known(contacts, others["tag"], others["file"])


@cache
def _contacts(length: int) -> Prepared:
    return Prepared(select(contact.c.id, *CONTACT_FACTS).where(_named(contact, length)))


def contact_facts(conn: Connection, business_id: int, contact_ids: Iterable[int]) -> dict[int, ContactFacts]:
    """Return what documents show of contacts."""
    found: dict[int, ContactFacts] = {}
    for length, values in portions(contact_ids):
        rows = _contacts(length).all(conn, business_id=business_id, **values)
        found |= {contact_id: ContactFacts(*facts) for contact_id, *facts in rows}
    return found


@cache
def _links(length: int) -> Prepared:
    tags, files, invoices = document_tag.c, document_attachment.c, purchase_invoice.c
    tagged = select(TAG, tags.document_id, tags.tag_id, tags.tag_id.label("place"))
    filed = select(FILE, files.document_id, files.attachment_id, files.position)
    booked = select(PURCHASE, invoices.document_id, invoices.id, invoices.id)
    pairs = ((tagged, document_tag), (filed, document_attachment), (booked, purchase_invoice))
    found = (rows.where(_of_these(of, length)) for rows, of in pairs)
    return Prepared(union_all(*found).order_by(literal_column("place")))


def _of_these(of: Table, length: int) -> ColumnElement[bool]:
    return and_(of.c.business_id == BUSINESS, among(of.c.document_id, length))


def of_documents(conn: Connection, business_id: int, document_ids: Iterable[int]) -> dict[int, Links]:
    """Return what is linked with documents; a document without anything is left out."""
    found: dict[int, Links] = {}
    for length, values in portions(document_ids):
        for kind, document_id, linked, _ in _links(length).all(conn, business_id=business_id, **values):
            links = found.get(document_id, NOTHING)
            if kind == "tag":
                found[document_id] = links._replace(tag_ids=(*links.tag_ids, linked))
            elif kind == "purchase":
                found[document_id] = links._replace(books_purchase=True)
            else:
                found[document_id] = links._replace(attachment_ids=(*links.attachment_ids, linked))
    return found


def of_document(conn: Connection, business_id: int, document_id: int) -> Links:
    """Return what is linked with one document."""
    return of_documents(conn, business_id, [document_id]).get(document_id, NOTHING)


def _deletion(of: Table) -> Prepared:
    return Prepared(delete(of).where(of.c.business_id == BUSINESS, of.c.document_id == bindparam("document_id")))


def _insertion(of: Table) -> Prepared:
    return Prepared(insert(of), *(column.name for column in of.columns))


DELETE_TAGS, INSERT_TAGS = _deletion(document_tag), _insertion(document_tag)
DELETE_FILES, INSERT_FILES = _deletion(document_attachment), _insertion(document_attachment)


def write(conn: Connection, business_id: int, document_id: int, links: Links, before: Links = NOTHING) -> None:
    """Write tags and files of a document as far as they differ from before; without a difference nothing runs."""
    this = {"business_id": business_id, "document_id": document_id}
    if links.tag_ids != before.tag_ids:
        if before.tag_ids:
            DELETE_TAGS.run(conn, **this)
        INSERT_TAGS.many(conn, ({**this, "tag_id": tag_id} for tag_id in links.tag_ids))
    if links.attachment_ids != before.attachment_ids:
        if before.attachment_ids:
            DELETE_FILES.run(conn, **this)
        files = enumerate(links.attachment_ids)
        INSERT_FILES.many(conn, ({**this, "attachment_id": file_id, "position": place} for place, file_id in files))


@cache
def _unused_named(texts: int) -> Select[Any]:
    named = (attachment.c.search_name.like(bindparam(f"text_{place}"), escape="\\") for place in range(texts))
    return (
        select(*attachments.ROW)
        .where(attachment.c.business_id == BUSINESS, ~attachments.OF_DOCUMENTS, or_(false(), *named))
        .order_by(attachment.c.id.desc())
        .limit(bindparam("limit"))
    )


def unused_files(conn: Connection, business_id: int, patterns: Sequence[str], *, limit: int) -> list[AttachmentRow]:
    """Return files of no document whose casefolded name is like one of the patterns, the newest first."""
    values = {f"text_{place}": pattern for place, pattern in enumerate(patterns)}
    rows = conn.execute(_unused_named(len(patterns)), {"business_id": business_id, "limit": limit, **values})
    return [AttachmentRow._make(row) for row in rows]
