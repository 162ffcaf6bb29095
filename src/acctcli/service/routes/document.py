"""Documents of a business: `/v1/business/{business_slug}/document/` (wire facts 1.2, 2.7, 2.8, 3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from acctcli.service.call import Call, Page
from acctcli.service.problems import Invalid, Locked, Missing, Precondition
from acctcli.service.routes.filters import document_clauses
from acctcli.service.rules.blueprint import Blueprint, BlueprintError, read_blueprint, write_blueprint
from acctcli.service.rules.money import from_cents, rate_text
from acctcli.service.rules.numbers import document_number, numbering_day
from acctcli.service.rules.posting import EntryLine, NoVatAccountError, document_balance, post, ui_rows
from acctcli.service.rules.vat import EU_SALES
from acctcli.service.store import documents, journal, postings
from acctcli.service.store.documents import DocumentRow
from acctcli.service.store.journal import EntryRow
from acctcli.service.store.postings import AccountFacts, Ground

if TYPE_CHECKING:
    from acctcli.models.document import DocumentRequest


DECODE = msgspec.json.Decoder(float_hook=Decimal).decode
ENCODE = msgspec.json.Encoder(decimal_format="number").encode


class Content(NamedTuple):
    """What callers may write of a document; the rest follows from it."""

    date: date
    is_draft: bool = False
    is_flagged: bool = False
    description: str = ""
    contact_id: int | None = None
    type: int = 0
    blueprint: Blueprint = Blueprint()


class Posting(NamedTuple):
    """What a document is about to do to the books: its entries, and its effect on money in cents."""

    lines: list[EntryLine]
    balance: int
    ground: Ground


# --- reading ---


def list_documents(call: Call) -> Page:
    """List documents by date, then id, the newest first, narrowed by the filters of wire facts 1.2 and 7.3."""
    page, clauses = call.page, document_clauses(call.query)
    count, rows = documents.list_page(call.conn, call.business.id, clauses, limit=page.size, offset=page.offset)
    return Page(count, _shown(call, rows))


def get_document(call: Call) -> dict[str, Any]:
    """Show a document."""
    return _shown(call, [_find(call)])[0]


def list_entries(call: Call) -> Page:
    """List the entries of a document in the order they were posted; a draft has none."""
    document = _find(call)
    page = call.page
    count, rows = journal.entries_page(call.conn, call.business.id, document.id, limit=page.size, offset=page.offset)
    return Page(count, [_entry(row) for row in rows])


def _find(call: Call, *, for_update: bool = False) -> DocumentRow:
    row = documents.get(call.conn, call.business.id, call.ids["document_id"], for_update=for_update)
    if row is None:
        raise Missing("There is no such document.")
    return row


# --- writing ---


def create_document(call: Call) -> dict[str, Any]:
    """Create a document; unless it is a draft it is numbered and posted at once (wire facts 2.7, 3.2)."""
    return _create(call, _content(call.body, Content(call.today)))


def copy_document(call: Call) -> dict[str, Any]:
    """Copy a document under a new number, unlocked and unflagged; what is sent replaces what is copied."""
    original = _content_of(_find(call))._replace(is_flagged=False)
    return _create(call, _content(call.body, original))


def replace_document(call: Call) -> dict[str, Any]:
    """Replace a document: what is not sent returns to its default, but for the date, which stays.

    A date of today is right for a new document; it would move an old one.
    """
    row = _find_unlocked(call)
    return _change(call, row, _content(call.body, Content(row.date)))


def update_document(call: Call) -> dict[str, Any]:
    """Change what is sent; entries are made anew from the blueprint either way."""
    row = _find_unlocked(call)
    return _change(call, row, _content(call.body, _content_of(row)))


def delete_document(call: Call) -> None:
    """Delete a document; its entries leave the books and its number is not given again."""
    row = _find_unlocked(call)
    _refuse_closed(postings.is_closed(call.conn, call.business.id, row.date), row.date)
    documents.remove(call.conn, call.business.id, row.id)
    call.emit("document.deleted", {"id": row.id})


def lock_document(call: Call) -> dict[str, Any]:
    """Lock a document: content and entries stay as they are until it is unlocked."""
    return _set_lock(call, True)


def unlock_document(call: Call) -> dict[str, Any]:
    """Unlock a document."""
    return _set_lock(call, False)


def flag_document(call: Call) -> dict[str, Any]:
    """Flag a document, locked or not."""
    return _set_flag(call, True)


def unflag_document(call: Call) -> dict[str, Any]:
    """Take the flag off a document, locked or not."""
    return _set_flag(call, False)


def _set_lock(call: Call, is_locked: bool) -> dict[str, Any]:
    row = _find(call, for_update=True)
    if row.is_locked == is_locked:
        return _shown(call, [row])[0]
    documents.set_lock(call.conn, call.business.id, row.id, is_locked, call.stamp)
    payload = _shown(call, [row._replace(is_locked=is_locked, updated_at=call.stamp)])[0]
    call.emit("document.locked" if is_locked else "document.unlocked", payload)
    return payload


def _set_flag(call: Call, is_flagged: bool) -> dict[str, Any]:
    row = _find(call, for_update=True)
    if row.is_flagged == is_flagged:
        return _shown(call, [row])[0]
    documents.set_flag(call.conn, call.business.id, row.id, is_flagged, call.stamp)
    payload = _shown(call, [row._replace(is_flagged=is_flagged, updated_at=call.stamp)])[0]
    call.emit("document.flagged" if is_flagged else "document.unflagged", payload)
    return payload


def _find_unlocked(call: Call) -> DocumentRow:
    row = _find(call, for_update=True)
    if row.is_locked:
        raise Locked(f"Document {row.number or row.id} is locked.")
    return row


def _refuse_closed(is_closed: bool, day: date) -> None:
    if is_closed:
        raise Locked(f"The period of {day} is locked.")


def _content(body: DocumentRequest, base: Content) -> Content:
    """Return the content with what was sent put in; contacts, files and tags cannot be referred to yet."""
    sent = body.model_fields_set
    if "contact_id" in sent and body.contact_id is not None:
        raise Invalid.field("contact_id", f"Unknown contact id {body.contact_id}.")
    if "attachment_ids" in sent and body.attachment_ids:
        raise Invalid.field("attachment_ids", f"Unknown attachment id {body.attachment_ids[0]}.")
    if "tag_ids" in sent and body.tag_ids:
        raise Invalid.field("tag_ids", f"Unknown tag id {body.tag_ids[0]}.")
    changes: dict[str, Any] = {
        name: getattr(body, name) for name in ("date", "is_draft", "is_flagged", "description") if name in sent
    }
    if "type" in sent:
        changes["type"] = int(body.type)
    if "blueprint" in sent:
        changes["blueprint"] = read_blueprint(body.blueprint.model_dump())
    return base._replace(**changes)


def _content_of(row: DocumentRow) -> Content:
    return Content(
        row.date,
        row.is_draft,
        row.is_flagged,
        row.description,
        row.contact_id,
        row.type,
        _blueprint(row),
    )


def _posting(call: Call, content: Content) -> Posting:
    """Work out the entries of a document; nothing is written yet."""
    ids = content.blueprint.account_ids
    ground = postings.ground(call.conn, call.business.id, content.date, ids)
    _refuse_closed(ground.is_closed, content.date)
    try:
        lines = post(content.blueprint, ground.accounts, ground.vat_accounts, is_draft=content.is_draft)
    except BlueprintError as fault:
        raise Invalid.field("blueprint", str(fault)) from None
    except NoVatAccountError as fault:
        raise Precondition(f"The business has no account set as {fault.args[0]}.") from None
    types = {account_id: facts.type for account_id, facts in ground.accounts.items()}
    return Posting(lines, document_balance(lines, types), ground)


def _create(call: Call, content: Content) -> dict[str, Any]:
    posting = _posting(call, content)
    number = None if content.is_draft else _next_number(call, content.date)
    values = _columns(call, content, posting, number)
    born = {"business_id": call.business.id, "created_at": call.stamp, "is_locked": False}
    document_id = documents.create(call.conn, values | born)
    if not content.is_draft:
        _enter(call, document_id, content, posting)
    row = _row(values | born | {"id": document_id, "is_draft": content.is_draft})
    payload = _document(row, content.blueprint, posting.ground.accounts)
    call.emit("document.created", payload)
    return payload


def _change(call: Call, row: DocumentRow, content: Content) -> dict[str, Any]:
    if row.date != content.date:
        _refuse_closed(postings.is_closed(call.conn, call.business.id, row.date), row.date)
    posting = _posting(call, content)
    number = row.number
    if number is None and not content.is_draft:
        number = _next_number(call, content.date)
    values = _columns(call, content, posting, number)
    documents.unseal(call.conn, call.business.id, row.id, values)
    if not row.is_draft:
        postings.drop_entries(call.conn, call.business.id, row.id)
    if not content.is_draft:
        _enter(call, row.id, content, posting)
    changed = _row(row._asdict() | values | {"is_draft": content.is_draft})
    payload = _document(changed, content.blueprint, posting.ground.accounts)
    call.emit("document.updated", payload)
    return payload


def _next_number(call: Call, day: date) -> str:
    return document_number(day, postings.next_serial(call.conn, call.business.id, numbering_day(day)))


def _enter(call: Call, document_id: int, content: Content, posting: Posting) -> None:
    """Put the entries into the books and seal the document."""
    business_id = call.business.id
    postings.add_entries(call.conn, business_id, document_id, content.date, posting.lines, stamp=call.stamp)
    documents.seal(call.conn, business_id, document_id)


def _columns(call: Call, content: Content, posting: Posting, number: str | None) -> dict[str, Any]:
    return {
        "updated_at": call.stamp,
        "number": number,
        "is_flagged": content.is_flagged,
        "date": content.date,
        "description": content.description,
        "search_text": f"{number or ''}\n{content.description}".casefold(),
        "contact_id": content.contact_id,
        "type": content.type,
        "blueprint": ENCODE(write_blueprint(content.blueprint)).decode(),
        "blueprint_type": content.blueprint.style.value,
        "balance_cents": posting.balance,
        "total_cents": sum(line.amount for line in posting.lines if line.is_debit),
    }


def _row(values: Mapping[str, Any]) -> DocumentRow:
    return DocumentRow(**{name: values[name] for name in DocumentRow._fields})


# --- showing ---


def _blueprint(row: DocumentRow) -> Blueprint:
    return read_blueprint(DECODE(row.blueprint))


def _shown(call: Call, rows: Iterable[DocumentRow]) -> list[dict[str, Any]]:
    """Return documents as they are shown, with the accounts of all of them looked up at once."""
    pairs = [(row, _blueprint(row)) for row in rows]
    ids: set[int] = set().union(*(blueprint.account_ids for _, blueprint in pairs))
    accounts = postings.account_facts(call.conn, call.business.id, ids)
    return [_document(row, blueprint, accounts) for row, blueprint in pairs]


def _document(row: DocumentRow, blueprint: Blueprint, accounts: Mapping[int, AccountFacts]) -> dict[str, Any]:
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
        "contact_name": None,
        "balance": from_cents(row.balance_cents),
        "attachment_ids": [],
        "type": row.type,
        "blueprint": msgspec.Raw(row.blueprint.encode()),
        "blueprint_type": row.blueprint_type,
        "import_data": None,
        "entry_ui_rows": _entry_ui_rows(blueprint, accounts),
        "audit_trail_last_seen_at": None,
        "audit_trail_last_mention_at": None,
        "audit_trail_last_comment_at": None,
        "audit_trail_has_unseen_actions": False,
        "tag_ids": [],
        "relations": [],
        "relation_network_signals": "",
        "relation_entry_signals": "",
        "available_link_kinds": "",
        "eu_b2b_vat_details_missing": _misses_vat_details(row, blueprint),
        "eu_sale_to_private_person": False,
        "is_deletable": not row.is_locked,
        "shortcuts": [],
    }


def _misses_vat_details(row: DocumentRow, blueprint: Blueprint) -> bool:
    """Say whether a posted EU sale names no contact: its VAT id has to be reported."""
    if row.is_draft or row.contact_id is not None:
        return False
    return any(line.vat_code in EU_SALES and line.amount for line in blueprint.rows)


def _entry_ui_rows(blueprint: Blueprint, accounts: Mapping[int, AccountFacts]) -> list[dict[str, Any]]:
    """Return the rows people see; a draft's missing account, and a deleted one, has no name."""
    nameless = AccountFacts("", "", "")
    rows = []
    for row in ui_rows(blueprint):
        facts = nameless if row.account_id is None else accounts.get(row.account_id, nameless)
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


def _entry(row: EntryRow) -> dict[str, Any]:
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
