"""What callers write of a document: from a request body, or from what is stored (docs/interface.md 5.1)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from acctcli.service.cases.work import Work
from acctcli.service.rules.blueprint import Blueprint, read_blueprint, write_blueprint
from acctcli.service.store.books import document_links, documents
from acctcli.service.store.books.document_links import Links
from acctcli.service.store.books.documents import DocumentRow

if TYPE_CHECKING:
    from acctcli.models.document import Blueprint as WireBlueprint
    from acctcli.models.document import DocumentRequest

DECODE = msgspec.json.Decoder(float_hook=Decimal).decode
ENCODE = msgspec.json.Encoder(decimal_format="number").encode
PLAIN = ("date", "is_draft", "is_flagged", "description", "contact_id")


class DocumentContent(NamedTuple):
    """What callers may write of a document; the rest follows from it."""

    date: date
    is_draft: bool = False
    is_flagged: bool = False
    description: str = ""
    contact_id: int | None = None
    type: int = 0
    blueprint: Blueprint = Blueprint()
    links: Links = document_links.NOTHING


def content_of(work: Work, row: DocumentRow, links: Links) -> DocumentContent:
    """Return the content of a stored document."""
    blueprint = stored_blueprint(whole_row(work, row))
    return DocumentContent(
        row.date, row.is_draft, row.is_flagged, row.description, row.contact_id, row.type, blueprint, links
    )


def whole_row(work: Work, row: DocumentRow) -> DocumentRow:
    """Return a document with its blueprint, which is not read with it where it is long."""
    if not row.blueprint:
        work.take_turn()
    return documents.whole(work.conn, work.business.id, row)


def stored_blueprint(row: DocumentRow) -> Blueprint:
    """Return the blueprint of a stored document, which is whole."""
    return read_blueprint(DECODE(row.blueprint))


def sent_content(body: DocumentRequest, base: DocumentContent) -> DocumentContent:
    """Return a content with what was sent put in; tags and files are replaced as a whole."""
    sent = body.model_fields_set
    changes: dict[str, Any] = {name: getattr(body, name) for name in PLAIN if name in sent}
    if "type" in sent:
        changes["type"] = int(body.type)
    if "blueprint" in sent:
        changes["blueprint"] = read_blueprint(_wire(body.blueprint))
    links = base.links
    if "tag_ids" in sent:
        links = links._replace(tag_ids=tuple(sorted(set(body.tag_ids))))
    if "attachment_ids" in sent:
        links = links._replace(attachment_ids=tuple(dict.fromkeys(body.attachment_ids)))
    return base._replace(links=links, **changes)


def _wire(blueprint: WireBlueprint) -> dict[str, Any]:
    """Return what was sent as it was, which pydantic takes longer to say than to check."""
    sent = vars(blueprint)
    return {name: list(map(vars, value)) if isinstance(value, list) else value for name, value in sent.items()}


def columns(content: DocumentContent, number: str | None) -> dict[str, Any]:
    """Return the columns that hold a content; those of its entries are not among them."""
    return {
        "number": number,
        "is_flagged": content.is_flagged,
        "date": content.date,
        "description": content.description,
        "search_text": f"{number or ''}\n{content.description}".casefold(),
        "contact_id": content.contact_id,
        "type": content.type,
        "blueprint": ENCODE(write_blueprint(content.blueprint)).decode(),
        "blueprint_type": content.blueprint.style.value,
    }
