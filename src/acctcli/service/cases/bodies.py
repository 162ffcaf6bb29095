"""What bodies say, checked beyond their models: amounts, numbers, names, ids of other records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

import msgspec

from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid
from acctcli.service.rules.accounts import Name, shown_name
from acctcli.service.rules.identifiers import Checks, Record, new_faults
from acctcli.service.rules.money import LARGEST_CENTS, from_cents, to_cents
from acctcli.service.store.books import document_links

if TYPE_CHECKING:
    from acctcli.models.account import NameTranslation


def kept_cents(field: str, amount: Decimal) -> int:
    """Return an amount as integer cents; refuse one that 64 bits do not hold, naming the field."""
    cents = to_cents(amount)
    if abs(cents) > LARGEST_CENTS:
        raise Invalid.field(field, f"Amounts go up to {from_cents(LARGEST_CENTS)}.")
    return cents


def refuse_wrong_numbers(checks: Checks, after: Record, before: Record | None = None) -> None:
    """Raise Invalid naming every number that a write makes wrong; `before` is the record it changes, if any."""
    faults = new_faults(checks, after, before)
    if faults:
        first, text = next(iter(faults.items()))
        raise Invalid(f"{first}: {text}", fields={field: [text] for field, text in faults.items()})


def name_columns(work: Work, translations: Sequence[NameTranslation]) -> dict[str, str]:
    """Return the columns that hold a name: the one shown, the one searched, and all of them as JSON."""
    names = [Name(str(one.key), one.value) for one in translations]
    name = shown_name(names, work.law.own_language or work.user.language)
    stored = [{"key": one.language, "value": one.text} for one in names]
    return {
        "name": name,
        "search_name": name.casefold(),
        "name_translations": msgspec.json.encode(stored).decode(),
    }


def require_contact(work: Work, contact_id: int) -> None:
    """Refuse a contact of no such id in the business."""
    known = document_links.known(work.conn, work.business.id, [contact_id])
    require_known("contact_id", "contact", [contact_id], known.contacts)


def require_files(work: Work, field: str, file_ids: Collection[int]) -> None:
    """Refuse a file of no such id in the business."""
    known = document_links.known(work.conn, work.business.id, file_ids)
    require_known(field, "attachment", file_ids, known.attachment_ids)


def require_tags(work: Work, field: str, tag_ids: Collection[int]) -> None:
    """Refuse a tag of no such id in the business."""
    known = document_links.known(work.conn, work.business.id, tag_ids)
    require_known(field, "tag", tag_ids, known.tag_ids)


def require_known(field: str, noun: str, ids: Iterable[int], known: Collection[int]) -> None:
    """Refuse ids that are not known, naming the field they came in."""
    for one in ids:
        if one not in known:
            raise Invalid.field(field, f"Unknown {noun} id {one}.")
