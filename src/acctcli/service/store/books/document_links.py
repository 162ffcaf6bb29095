"""What documents are linked with: contacts, tags, files. SQL only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from acctcli.law.vat_codes import buyer_vat_id
from acctcli.service.store import attachments
from acctcli.service.store.attachments import AttachmentRow
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, columns
from acctcli.service.store.links import LinkTable


class ContactFacts(NamedTuple):
    """What documents show of their contact, and what the reporting of EU sales asks of it."""

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

CONTACT = """SELECT 'contact' AS kind, id, name, type, invoicing_tax_code, contact_business_id
    FROM contact WHERE business_id = :business_id AND id IN (:ids...)"""
TAG = "SELECT 'tag', id, '', '', '', '' FROM tag WHERE business_id = :business_id AND id IN (:ids...)"
FILE = "SELECT 'file', id, '', '', '', '' FROM attachment WHERE business_id = :business_id AND id IN (:ids...)"
CONTACTS = Query[tuple[Any, ...]](tuple, CONTACT)
# in one round trip; each kind is asked for all of the ids
KNOWN = Query[tuple[Any, ...]](tuple, f"{CONTACT} UNION ALL {TAG} UNION ALL {FILE}")


def known(conn: Connection, business_id: int, ids: Iterable[int]) -> Known:
    """Return the contacts, tags and files of the business that have one of these ids."""
    asked = list(ids)
    contacts: dict[int, ContactFacts] = {}
    others: dict[str, set[int]] = {"tag": set(), "file": set()}
    for kind, found, *facts in KNOWN.all(conn, business_id=business_id, ids=asked) if asked else ():
        if kind == "contact":
            contacts[found] = _facts(*facts)
        else:
            others[kind].add(found)
    return Known(contacts, others["tag"], others["file"])


def contact_facts(conn: Connection, business_id: int, contact_ids: Iterable[int]) -> dict[int, ContactFacts]:
    """Return what documents show of contacts."""
    asked = list(contact_ids)
    rows = CONTACTS.all(conn, business_id=business_id, ids=asked) if asked else ()
    return {contact_id: _facts(*facts) for _, contact_id, *facts in rows}


def _facts(name: str, type_: str, tax_code: str | None, business_id: str | None) -> ContactFacts:
    return ContactFacts(name, type_, bool(buyer_vat_id(tax_code, business_id)))


LINKS = Query[tuple[str, int, int, int]](
    tuple,
    """SELECT 'tag', document_id, tag_id, tag_id AS place FROM document_tag
    WHERE business_id = :business_id AND document_id IN (:ids...)
    UNION ALL SELECT 'file', document_id, attachment_id, position FROM document_attachment
    WHERE business_id = :business_id AND document_id IN (:ids...)
    UNION ALL SELECT 'purchase', document_id, id, id FROM purchase_invoice
    WHERE business_id = :business_id AND document_id IN (:ids...)
    ORDER BY place""",
)


def of_documents(conn: Connection, business_id: int, document_ids: Iterable[int]) -> dict[int, Links]:
    """Return what is linked with documents; a document without anything is left out."""
    asked = list(document_ids)
    found: dict[int, Links] = {}
    for kind, document_id, linked, _ in LINKS.all(conn, business_id=business_id, ids=asked) if asked else ():
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


TAGS = LinkTable("document_tag", "document_id", "tag_id")
FILES = LinkTable("document_attachment", "document_id", "attachment_id")


def write(conn: Connection, business_id: int, document_id: int, links: Links, before: Links = NOTHING) -> None:
    """Write tags and files of a document as far as they differ from before; without a difference nothing runs."""
    TAGS.write(conn, business_id, document_id, links.tag_ids, before.tag_ids)
    FILES.write(conn, business_id, document_id, links.attachment_ids, before.attachment_ids)


@cache
def _unused_named(texts: int) -> Query[AttachmentRow]:
    named = "".join(rf" OR search_name LIKE :text_{place} ESCAPE '\'" for place in range(texts))
    return Query(
        AttachmentRow,
        f"""SELECT {columns(AttachmentRow)} FROM attachment WHERE business_id = :business_id
        AND NOT {attachments.OF_DOCUMENTS} AND (false{named}) ORDER BY id DESC LIMIT :limit""",
    )


def unused_files(conn: Connection, business_id: int, patterns: Sequence[str], *, limit: int) -> list[AttachmentRow]:
    """Return files of no document whose casefolded name is like one of the patterns, the newest first."""
    values = {f"text_{place}": pattern for place, pattern in enumerate(patterns)}
    return _unused_named(len(patterns)).all(conn, business_id=business_id, limit=limit, **values)
