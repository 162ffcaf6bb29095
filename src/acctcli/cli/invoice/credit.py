"""Credit notes: a draft that takes back what remains of an invoice, or a part of it (docs/interface.md 7.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import msgspec

from acctcli.cli.command.body import check, collect
from acctcli.cli.command.called import as_id
from acctcli.cli.command.pairs import number
from acctcli.cli.invoice.rows import read_rows
from acctcli.cli.output.replies import decoded
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.models.invoice import SalesInvoiceRequest, SalesInvoiceRowRequest

CENT = Decimal("0.01")
# what the row is called that takes back the cents which rounding parts of rows has left
CENTS = "Rounding"
# what is not said of a credit note is as on its invoice
_TAKEN = ("receiver", "payment_condition_days", "contact_person", "seller_reference", "buyer_reference")


class SoldRow(msgspec.Struct):
    """What of a row stands on the credit note too; the count is what changes."""

    name: str
    unit: str
    amount: Decimal
    vat_rate: Decimal
    vat_code: int
    product_count: Decimal
    code: str | None = None
    product: int | None = None
    description: str | None = None
    account_id: int | None = None

    @property
    def net(self) -> Decimal:
        """What it comes to without VAT, rounded half away from zero (docs/interface.md 7.2)."""
        return (self.amount * self.product_count).quantize(CENT, ROUND_HALF_UP)

    def is_like(self, other: SoldRow) -> bool:
        """Whether both sell the same at the same price."""
        return msgspec.structs.replace(self, product_count=other.product_count) == other


class Original(msgspec.Struct):
    """What a credit note takes over from its invoice."""

    receiver: int
    payment_condition_days: int
    rows: list[SoldRow]
    status: str
    is_credit_note_for: int | None = None
    credit_notes: list[int] = []
    contact_person: str | None = None
    seller_reference: str | None = None
    buyer_reference: str | None = None


class _Credit(msgspec.Struct):
    rows: list[SoldRow]


def read_credit_note(here: State, invoice: int) -> SalesInvoiceRequest:
    """Build the body of a credit note for what remains of an invoice: all of it, `--part` of it, or rows of one's own.

    Rows of --file and --set are sent as they are written there.

    Raises UsageError when nothing remains, or when that cannot be told.
    """
    parts, rows = here.named.pop("part", None), here.named.pop("rows", None)
    if parts and rows:
        raise UsageError("--part and --row exclude each other")
    original = decoded(here.api.invoices.get(invoice), Original)
    _check(original, invoice)
    named: dict[str, Any] = {"is_credit_note_for": invoice}
    if rows:
        named["rows"] = [_negative(row) for row in read_rows(here, rows)]
    elif parts:
        named["rows"] = [_taken_back(row) for row in _parts(parts, original.rows, _left(here, original, invoice)[0])]
    said = collect(here, SalesInvoiceRequest, named)
    taken = {name: getattr(original, name) for name in _TAKEN}
    if "invoicing_date" not in said:
        taken["invoicing_date"] = here.day("--date")
    if "rows" not in said:
        taken["rows"] = _remains(here, original, invoice)
    return check(SalesInvoiceRequest, {**taken, **said})


def _check(original: Original, invoice: int) -> None:
    if original.status == "DRAFT":
        raise UsageError(
            f"invoice {invoice} is a draft: there is nothing to take back",
            hint=f"change it, or delete it: acctcli invoice delete {invoice}",
        )
    if original.is_credit_note_for is not None:
        raise UsageError(f"invoice {invoice} is a credit note itself")


def _remains(here: State, original: Original, invoice: int) -> list[dict[str, Any]]:
    """Return the rows that take back all that is left, to the cent; raise UsageError when nothing is."""
    left, credited = _left(here, original, invoice)
    found = [_taken_back(row) for row in left if row.product_count]
    found += [_taken_back(row) for row in _cents([*original.rows, *credited], left)]
    if not found:
        notes = ", ".join(map(str, original.credit_notes))
        raise UsageError(
            f"nothing of invoice {invoice} is left to credit",
            hint=f"its credit notes, drafts too: {notes}" if notes else None,
        )
    return found


def _cents(stands: Iterable[SoldRow], left: Iterable[SoldRow]) -> Iterator[SoldRow]:
    """Yield a row for each rate whose rows, each rounded on its own, do not come to what is left of it."""
    rest: dict[tuple[int, Decimal], Decimal] = {}
    first: dict[tuple[int, Decimal], SoldRow] = {}
    for rows, sign in ((stands, 1), (left, -1)):
        for row in rows:
            key = (row.vat_code, row.vat_rate)
            rest[key] = rest.get(key, Decimal(0)) + sign * row.net
            first.setdefault(key, row)
    for key, cents in rest.items():
        if cents:
            yield SoldRow(
                name=CENTS,
                unit=first[key].unit,
                amount=abs(cents),
                vat_code=first[key].vat_code,
                vat_rate=first[key].vat_rate,
                product_count=Decimal(1).copy_sign(cents),
                account_id=first[key].account_id,
            )


def _left(here: State, original: Original, invoice: int) -> tuple[list[SoldRow], list[SoldRow]]:
    """Return the rows with what the credit notes so far, drafts too, have left of their counts, and rows of those."""
    left, credited = [msgspec.structs.replace(row) for row in original.rows], list[SoldRow]()
    for note in original.credit_notes:
        for row in decoded(here.api.invoices.get(note), _Credit).rows:
            credited.append(row)
            if row.name != CENTS and not _take(left, row):
                raise UsageError(
                    f"credit note {note} credits {row.name!r} other than it stands on invoice {invoice}: "
                    "what remains cannot be told",
                    hint="name what is to be credited with --row",
                )
    return left, credited


def _take(left: Iterable[SoldRow], credited: SoldRow) -> bool:
    """Take a row of a credit note off what is left; False where the invoice has not that much of the kind."""
    due = -credited.product_count
    for row in left:
        if row.is_like(credited) and row.product_count * due > 0:
            part = min(abs(due), abs(row.product_count)).copy_sign(due)
            row.product_count -= part
            due -= part
    return not due


def _parts(written: Sequence[str], sold: Sequence[SoldRow], left: Sequence[SoldRow]) -> list[SoldRow]:
    """Return the rows of `--part 2:1.5`, each with the count that is to be credited.

    Credit notes do not say which of several rows that are alike they take back: what is left of those is left together.
    """
    found: dict[int, SoldRow] = {}
    for text in written:
        place, _, count = text.partition(":")
        line = as_id(place)
        if line is None or line > len(left) or line in found:
            raise UsageError(f"--part {text!r}: write each row once, from 1 to {len(left)}, and how much: 2:1.5")
        row = sold[line - 1]
        try:
            wanted = number(count)
        except ValueError as problem:
            raise UsageError(f"--part {text!r}: {problem}") from problem
        alike = (one.product_count for one in left if one.is_like(row) and one.product_count * row.product_count > 0)
        rest = min(abs(row.product_count), abs(sum(alike, Decimal(0))))
        if not 0 < wanted <= rest:
            raise UsageError(f"--part {text!r}: of row {place}, {row.name}, {rest} {row.unit} are left")
        found[line] = msgspec.structs.replace(row, product_count=wanted.copy_sign(row.product_count))
        _take(left, msgspec.structs.replace(row, product_count=-found[line].product_count))
    return [found[line] for line in sorted(found)]


def _taken_back(row: SoldRow) -> dict[str, Any]:
    return msgspec.structs.asdict(msgspec.structs.replace(row, product_count=-row.product_count))


def _negative(row: SalesInvoiceRowRequest) -> SalesInvoiceRowRequest:
    if row.product_count <= 0:
        raise UsageError("--row: write the count that is to be credited, above zero")
    row.product_count = -row.product_count
    return row
