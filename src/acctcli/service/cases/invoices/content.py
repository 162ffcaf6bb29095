"""What callers write of a sales invoice: from a request body, or from what is stored (docs/interface.md 7.2, 7.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from acctcli.banking.references import check_any_reference
from acctcli.models.enums import InvoiceStatus
from acctcli.printing.numbers import plain_rate
from acctcli.service.cases.bodies import require_known
from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.rules.invoices import (
    Net,
    Worth,
    due_date,
    row_sums,
    too_much_credited,
    too_much_of_a_row,
    vat_once,
)
from acctcli.service.rules.money import LARGEST_CENTS, from_cents, rate_text, to_cents, to_e4
from acctcli.service.store import businesses
from acctcli.service.store.books import document_links, postings
from acctcli.service.store.books.document_links import NOTHING, Links
from acctcli.service.store.invoicing import invoice_parts, invoices, products
from acctcli.service.store.invoicing.invoice_parts import InvoiceLine
from acctcli.service.store.invoicing.invoices import InvoiceRow

if TYPE_CHECKING:
    from acctcli.models.invoice import SalesInvoiceRequest, SalesInvoiceRowRequest

ENCODE = msgspec.json.Encoder(decimal_format="number").encode

# columns a body sets under their own names
PLAIN = (
    "contact_person",
    "invoicing_date",
    "payment_condition_days",
    "description",
    "is_credit_note_for",
    "is_active_recurrence_template",
    "delivery_method",
    "recurrence_reference_method",
    "recurrence_email_subject",
    "recurrence_email_content",
    "recurrence_end",
    "settlement_date",
    "seller_reference",
    "buyer_reference",
    "is_automatic_debt_collection_enabled",
)
WRITTEN = (*PLAIN, "receiver_id", "reference", "penalty_interest", "recurrence_rule")

LineColumns = dict[str, Any]
Lines = Sequence[Mapping[str, Any]]


class InvoiceContent(NamedTuple):
    """What callers may write of an invoice: columns of the invoice, its rows, its tags and files.

    `lines` are columns of rows, their sums among them.
    """

    columns: Mapping[str, Any] = {}
    lines: Sequence[LineColumns] = ()
    links: Links = NOTHING


def content_of(work: Work, row: InvoiceRow) -> InvoiceContent:
    """Return the content of a stored invoice."""
    conn, business_id = work.conn, work.business.id
    lines = invoice_parts.lines(conn, business_id, [row.id]).get(row.id, [])
    links = invoice_parts.links(conn, business_id, [row.id]).get(row.id, NOTHING)
    unnumbered = [{name: value for name, value in line._asdict().items() if name != "id"} for line in lines]
    return InvoiceContent({name: getattr(row, name) for name in WRITTEN}, unnumbered, links)


def sent_content(work: Work, body: SalesInvoiceRequest, names: Collection[str], base: InvoiceContent) -> InvoiceContent:
    """Return a content with the named fields of the body put in; rows, tags and files are replaced as a whole."""
    links = base.links
    if "tag_ids" in names:
        links = links._replace(tag_ids=tuple(sorted(set(body.tag_ids))))
    if "attachments" in names:
        links = links._replace(attachment_ids=tuple(dict.fromkeys(body.attachments)))
    lines = [_line(row) for row in body.rows] if "rows" in names else base.lines
    return InvoiceContent({**base.columns, **_columns(work, body, names)}, lines, links)


def _columns(work: Work, body: SalesInvoiceRequest, names: Collection[str]) -> dict[str, Any]:
    columns = {name: getattr(body, name) for name in PLAIN if name in names}
    if "receiver" in names:
        columns["receiver_id"] = body.receiver
    if "reference" in names:
        columns["reference"] = _reference(body.reference)
    if "penalty_interest" in names:
        sent = "penalty_interest" in body.model_fields_set
        columns["penalty_interest"] = to_cents(body.penalty_interest if sent else _usual_interest(work))
    if "recurrence_rule" in names:
        rule = body.recurrence_rule
        columns["recurrence_rule"] = None if rule is None else ENCODE(rule.model_dump(exclude_unset=True)).decode()
    return columns


def _usual_interest(work: Work) -> Decimal:
    settings = businesses.get(work.conn, work.business.id, work.today)
    return Decimal(settings["invoicing_default_penalty_interest"])


def _reference(text: str | None) -> str | None:
    """Return a reference without blanks and leading zeros; an empty one is none."""
    if not text:
        return None
    try:
        return check_any_reference(text)
    except ValueError as fault:
        wrong = str(fault)
        raise Invalid.field("reference", f"{wrong[0].upper()}{wrong[1:]}.") from None


def _line(row: SalesInvoiceRowRequest) -> LineColumns:
    amount, count, rate = to_e4(row.amount), to_e4(row.product_count), to_cents(row.vat_rate)
    sums = row_sums(amount, count, rate, row.vat_code)
    return {
        "code": row.code,
        "name": row.name,
        "unit": row.unit,
        "amount_e4": amount,
        "vat_rate": rate,
        "vat_code": row.vat_code,
        "product_id": row.product,
        "count_e4": count,
        "description": row.description,
        "total_vat_cents": sums.vat,
        "total_cents": sums.total,
        "account_id": row.account_id,
    }


# --- what must hold of every content ---


def check(work: Work, content: InvoiceContent) -> None:
    """Refuse what no invoice may hold."""
    _check_links(work, content)
    _check_lines(work, content.lines)
    columns = content.columns
    if columns["is_active_recurrence_template"]:
        _check_rule(columns["recurrence_rule"])
    if columns["is_credit_note_for"] is not None:
        if columns["is_active_recurrence_template"]:
            raise Invalid.field("is_active_recurrence_template", "A credit note does not recur.")
        check_credit(work, columns["is_credit_note_for"], columns["receiver_id"], content.lines)


def _check_rule(rule: str | None) -> None:
    if rule is None:
        raise Invalid.field("recurrence_rule", "A template needs a rule.")
    if msgspec.json.decode(rule).get("frequency") is None:
        needed = "The rule of a template needs a frequency."
        raise Invalid(needed, fields={"recurrence_rule": {"frequency": [needed]}})


def _check_links(work: Work, content: InvoiceContent) -> None:
    receiver, links = content.columns["receiver_id"], content.links
    known = document_links.known(work.conn, work.business.id, {receiver, *links.tag_ids, *links.attachment_ids})
    require_known("receiver", "contact", [receiver], known.contacts)
    require_known("tag_ids", "tag", links.tag_ids, known.tag_ids)
    require_known("attachments", "attachment", links.attachment_ids, known.attachment_ids)


def _check_lines(work: Work, lines: Sequence[LineColumns]) -> None:
    conn, business_id = work.conn, work.business.id
    accounts = postings.account_facts(conn, business_id, {line["account_id"] for line in lines if line["account_id"]})
    known = products.known(conn, business_id, {line["product_id"] for line in lines if line["product_id"]})
    faults = [dict(_line_faults(line, accounts, known)) for line in lines]
    if any(faults):
        raise Invalid("A row is not valid.", fields={"rows": faults})
    totals = [line["total_cents"] for line in lines]
    # each sign has a side of the books to itself
    if max(sum(one for one in totals if one > 0), -sum(one for one in totals if one < 0)) > LARGEST_CENTS:
        raise Invalid.field("rows", "The sum is beyond what the books can hold.")


def _line_faults(
    line: LineColumns, accounts: Collection[int], known: Collection[int]
) -> Iterator[tuple[str, list[str]]]:
    if line["account_id"] is not None and line["account_id"] not in accounts:
        yield "account_id", [f"Unknown account id {line['account_id']}."]
    if line["product_id"] is not None and line["product_id"] not in known:
        yield "product", [f"Unknown product id {line['product_id']}."]
    if abs(line["total_cents"]) > LARGEST_CENTS:
        yield "amount", ["The sum is beyond what the books can hold."]


def check_credit(work: Work, original_id: int, receiver_id: int, rows: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a credit note that credits what it may not, or more than is left (docs/interface.md 7.3).

    It is a draft itself, so that it is not among those already credited.
    """
    original = invoices.get(work.conn, work.business.id, original_id)
    if fault := _original_fault(original, original_id, receiver_id):
        raise Invalid.field("is_credit_note_for", fault)
    assert original is not None
    if sum(row.net for row in nets(rows)) > 0:
        raise Invalid.field("rows", "A credit note gives back: its total is not above zero.")
    lines = invoice_parts.lines(work.conn, work.business.id, [original_id]).get(original_id, [])
    sold, before = [line._asdict() for line in lines], _credited(work, original_id)
    if fault := _credit_fault(sold, before, rows):
        text = f"Of invoice {original.invoice_number} no more than {fault}."
        raise Precondition(text, fields={"rows": [text]})


def _credit_fault(sold: Lines, before: Lines, credited: Lines) -> str | None:
    """Return how much is left to credit of what more is credited of than was sold."""
    if (exceeded := too_much_credited(nets(sold), nets([*before, *credited]))) is not None:
        code, taxed = exceeded
        left = sum(row.net for row in nets([*sold, *before]) if (row.vat_code, row.vat_rate) == exceeded)
        return (
            f"{from_cents(left)} without VAT is left to credit at {plain_rate(rate_text(taxed))} % and VAT code {code}"
        )
    if (found := too_much_of_a_row(_worths(sold), _worths([*before, *credited]))) is not None:
        row, left = found
        rate = plain_rate(rate_text(row.vat_rate))
        return f"{from_cents(left)} without VAT is left to credit of {row.name!r} at {rate} %"
    return None


def _worths(lines: Lines) -> list[Worth]:
    return [Worth(one["vat_code"], one["vat_rate"], one["name"], one["amount_e4"] * one["count_e4"]) for one in lines]


def _original_fault(original: InvoiceRow | None, original_id: int, receiver_id: int) -> str | None:
    if original is None:
        return f"Unknown invoice id {original_id}."
    if original.status == InvoiceStatus.DRAFT:
        return "A draft is changed, not credited."
    if original.is_credit_note_for is not None:
        return "A credit note cannot be credited."
    if original.receiver_id != receiver_id:
        return "The invoice credited has another receiver."
    return None


# --- what follows from it ---


def nets(lines: Iterable[Mapping[str, Any]]) -> list[Net]:
    """Return what rows come to without VAT."""
    return [Net(one["vat_code"], one["vat_rate"], one["total_cents"] - one["total_vat_cents"]) for one in lines]


def _credited(work: Work, original_id: int, before: int | None = None) -> list[Mapping[str, Any]]:
    """Return the rows of the accepted credit notes of an invoice, of those with numbers before one if it is given."""
    notes = invoices.credited(work.conn, work.business.id, original_id, before)
    found = invoice_parts.lines(work.conn, work.business.id, notes)
    return [line._asdict() for lines in found.values() for line in lines]


def vat_by_rate(work: Work, row: InvoiceRow, lines: Sequence[InvoiceLine]) -> dict[int, int]:
    """Return the VAT of an accepted invoice by rate, in cents; its rows' own where it was accepted by those."""
    own = [line._asdict() for line in lines]
    credited_id = row.is_credit_note_for
    before = () if credited_id is None else nets(_credited(work, credited_id, row.invoice_number))
    found = vat_once(nets(own), before)
    if sum(found.values()) == row.total_vat_cents:
        return found
    by_row = dict.fromkeys(found, 0)
    for line in lines:
        if line.total_vat_cents:
            by_row[line.vat_rate] += line.total_vat_cents
    return by_row


def accepted_sums(work: Work, row: InvoiceRow) -> dict[str, int]:
    """Return the columns of what an invoice comes to that is just accepted (docs/interface.md 7.2)."""
    lines = invoice_parts.lines(work.conn, work.business.id, [row.id]).get(row.id, [])
    before = () if row.is_credit_note_for is None else nets(_credited(work, row.is_credit_note_for))
    return _sums(nets(line._asdict() for line in lines), before)


def _sums(rows: Sequence[Net], before: Iterable[Net] = ()) -> dict[str, int]:
    vat = sum(vat_once(rows, before).values())
    return {"total_vat_cents": vat, "total_cents": sum(row.net for row in rows) + vat}


def columns(content: InvoiceContent, number: int | None = None) -> dict[str, Any]:
    """Return the columns that hold a content."""
    written = dict(content.columns)
    return {
        **written,
        "due_date": _due_date(written),
        **_sums(nets(content.lines)),
        "search_text": search_text(number, written["reference"], written["description"]),
    }


def _due_date(written: Mapping[str, Any]) -> Any:
    try:
        return due_date(written["invoicing_date"], written["payment_condition_days"])
    except OverflowError:
        raise Invalid.field("payment_condition_days", "The calendar ends with the year 9999.") from None


def search_text(number: int | None, reference: str | None, description: str | None) -> str:
    """Return what an invoice is searched by, besides the name of its receiver."""
    return f"{number or ''}\n{reference or ''}\n{description or ''}".casefold()
