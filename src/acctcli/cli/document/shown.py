"""Documents as people read them: what they posted in columns of debit and credit, and why they exist in a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import msgspec

from acctcli.cli.account.words import vat_in_words
from acctcli.cli.document.options import TYPES
from acctcli.cli.output.columns import Rows, check_object
from acctcli.cli.output.inside import Inside
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.output.show import show, show_record
from acctcli.cli.report.shapes import Amounts
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent, Reply, encode_plain
from acctcli.errors import AcctcliError

ENTRY = ("account_number", "account_name", "debit", "credit", "vat", "description")
TYPE_NAMES = {number: word for word, number in TYPES.items()}


class Entry(Amounts):
    """An entry of a document, as far as people read it."""

    account_number: str
    account_name: str
    is_debet: bool
    amount: Decimal
    vat_code: int | None = None
    vat_rate: str | None = None
    description: str | None = None
    id: int | None = None

    def in_columns(self) -> dict[str, Any]:
        """Return it with debit and credit in columns of their own, and VAT as one text."""
        row: dict[str, Any] = dict.fromkeys(("id", *ENTRY))
        code = "" if self.vat_code is None else str(self.vat_code)
        return row | {
            "id": self.id,
            "account_number": self.account_number,
            "account_name": self.account_name,
            "debit" if self.is_debet else "credit": self.amount,
            "vat": vat_in_words(code, self.vat_rate or ""),
            "description": self.description,
        }


class _Document(msgspec.Struct):
    id: int
    type: int | None = None
    is_draft: bool = False


_read_entry = reader(Entry, "an entry")


def show_document(here: State, reply: Reply, columns: Sequence[str], *, is_posted: bool) -> None:
    """Show a document; in a table of one that `is_posted` its entries stand in the place of the blueprint."""
    if here.format != "table" or here.options.columns is not None:
        show(here, reply, columns)
        return
    document = decoded(reply, _Document)
    entries = total(read_entries(here, document.id)) if is_posted and not document.is_draft else []
    fields = msgspec.json.decode(check_object(reply.body), type=dict[str, msgspec.Raw])
    fields["entries"] = msgspec.Raw(encode_plain(entries))
    if document.type in TYPE_NAMES:
        fields["type"] = msgspec.Raw(encode_plain(TYPE_NAMES[document.type]))
    shown = [name for name in columns if not name.startswith("blueprint")]
    below = [Inside("entries", *ENTRY)] if entries else []
    show_record(here, msgspec.Raw(msgspec.json.encode(fields)), (*shown, *below))


def read_entries(here: State, document: int) -> list[Entry]:
    """Return what a document posted; where it was written just now, that this fails is only said."""
    try:
        return list(read_all(here.api.documents.below(document, "entry/", {}, Extent(limit=None)), _read_entry))
    except AcctcliError as problem:
        if here.writes is None or not here.writes.any_done:
            raise
        here.say(f"note: it was done, and its entries cannot be shown: {problem.message}")
        return []


def total(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return entries in columns, with what both sides come to at the end."""
    rows = [one.in_columns() for one in entries]
    if not rows:
        return []
    sums = {side: sum((row[side] for row in rows if row[side] is not None), Decimal(0)) for side in ("debit", "credit")}
    return [*rows, dict.fromkeys(ENTRY) | {"account_name": "Total"} | sums]


def entries_in_columns(pages: Iterator[Rows]) -> Iterator[Rows]:
    """Yield pages of entries with debit and credit in columns of their own."""
    for page in pages:
        yield [msgspec.Raw(encode_plain(_read_entry(row).in_columns())) for row in page]
