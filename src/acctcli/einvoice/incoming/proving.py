"""Whether an e-invoice is right: its sums, its VAT, its days, accounts and numbers (docs/purchases.md 4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal

from acctcli.banking.checks import compact
from acctcli.banking.references import check_any_reference, payable_reference
from acctcli.einvoice.incoming.model import CENT, Group, Incoming, InvoiceFault, is_vat_id
from acctcli.law.identifiers import check_account, check_bic, check_foreign_account, check_vat_id
from acctcli.law.world import VAT_FORMS, vat_letters

_HALF_CENT = Decimal("0.005")
# what the rules of EN 16931 forgive at most (BR-S-09 and its like)
_MOST = Decimal(1)
_ZERO = Decimal(0)
# with VAT, without any, and where the buyer owes it (UNCL 5305)
CATEGORIES = frozenset({"S", "Z", "E", "AE", "K", "G", "O"})


def prove(invoice: Incoming) -> None:
    """Raise InvoiceFault for the first thing that is wrong, with the field of the file and what would be right."""
    for field, problem in faults(invoice):
        raise InvoiceFault(problem, None, invoice.names[field])


def faults(invoice: Incoming) -> Iterator[tuple[str, str]]:
    """Yield what is wrong: fields by their names in `Incoming.names`, and what would be right."""
    yield from _of_sums(invoice)
    yield from _of_vat(invoice)
    yield from _of_days(invoice)
    yield from _of_numbers(invoice)


def _of_sums(invoice: Incoming) -> Iterator[tuple[str, str]]:
    sums, groups = invoice.sums, invoice.groups
    if invoice.lines:
        net = sum((_cents(line.net) for line in invoice.lines), _ZERO) - sums.allowances + sums.charges
        # lines of some formats have more decimals than their sum
        if abs(net - sums.net) > _slack(invoice):
            yield "net", f"is {sums.net}, and the lines come to {net}"
    bases, taxes = sum((one.base for one in groups), _ZERO), sum((one.vat for one in groups), _ZERO)
    if bases != sums.net:
        yield "base", f"all come to {bases}, and the invoice without VAT to {sums.net}"
    if taxes != sums.vat:
        yield "vat", f"is {sums.vat}, and the VAT of all rates comes to {taxes}"
    if sums.net + sums.vat != sums.gross:
        yield "gross", f"is {sums.gross}: {sums.net} and VAT of {sums.vat} would be {sums.net + sums.vat}"
    due = sums.gross - sums.prepaid + sums.rounding
    if due != sums.payable:
        yield "payable", f"is {sums.payable}: what the invoice comes to, less what is paid, and rounded, is {due}"
    if invoice.is_credit_note and sums.payable > 0:
        yield "payable", "has the sign of an invoice, and this is a credit note: the other sign would be right"


def _slack(invoice: Incoming) -> Decimal:
    """Return what rounding may add up to: nothing where all lines are in cents."""
    exact = all(line.net == _cents(line.net) for line in invoice.lines)
    return _ZERO if exact else _HALF_CENT * len(invoice.lines)


def _of_vat(invoice: Incoming) -> Iterator[tuple[str, str]]:
    nets: dict[tuple[str, Decimal], Decimal] = defaultdict(Decimal)
    numbers: dict[tuple[str, Decimal], int] = defaultdict(int)
    for line in invoice.lines:
        nets[line.category, line.rate] += _cents(line.net)
        numbers[line.category, line.rate] += 1
    is_whole = bool(invoice.lines) and not (invoice.sums.allowances or invoice.sums.charges)
    for one in invoice.groups:
        if one.category not in CATEGORIES:
            yield "category", f"{one.category!r} is none of {', '.join(sorted(CATEGORIES))}"
        if is_whole and abs(nets[one.category, one.rate] - one.base) > _slack(invoice):
            lines = nets[one.category, one.rate]
            yield "base", f"is {one.base} at {_plain(one)}, and the lines of that come to {lines}"
        yield from _of_group(one, numbers[one.category, one.rate] + 1)
    known = {(one.category, one.rate) for one in invoice.groups}
    for line in invoice.lines:
        if line.net and (line.category, line.rate) not in known:
            yield (
                "category",
                f"there is none of {line.category} {line.rate.normalize():f} %, as line {line.name!r} has it",
            )


def _of_group(one: Group, roundings: int) -> Iterator[tuple[str, str]]:
    right = _cents(one.base * one.rate / 100)
    if one.category == "S" and not one.rate:
        yield "category", "S is taxed, and there is no rate: Z or E would be right"
    elif one.category != "S" and (one.rate or one.vat):
        yield "group", f"is {one.vat} at {_plain(one)}: {one.category} has no VAT, only S has"
    # services that round each line come to other cents
    elif abs(one.vat - right) >= min(_HALF_CENT * roundings + CENT, _MOST):
        yield "group", f"is {one.vat}: {_plain(one)} of {one.base} is {right}"


def _plain(one: Group) -> str:
    return f"{one.rate.normalize():f} %"


def _of_days(invoice: Incoming) -> Iterator[tuple[str, str]]:
    if invoice.sums.payable > 0 and invoice.due is not None and invoice.due < invoice.issued:
        yield "due", f"{invoice.due} is before the day of the invoice, {invoice.issued}"


def _of_numbers(invoice: Incoming) -> Iterator[tuple[str, str]]:
    seller, payment = invoice.seller, invoice.payment
    try:
        field = "seller_vat"
        if is_vat_id(seller.vat_id) and vat_letters(compact(seller.vat_id)[:2]) in VAT_FORMS:
            check_vat_id(seller.vat_id)
        field = "iban"
        if payment.iban:
            (check_account if payment.is_iban else check_foreign_account)(payment.iban)
        field = "bic"
        if payment.bic:
            check_bic(payment.bic)
        field = "reference"
        if payment.reference and payment.is_checked:
            check_any_reference(payment.reference)
        elif payment.reference:
            payable_reference(payment.reference, compact(payment.iban))
    except ValueError as fault:
        yield field, str(fault)
    if not seller.name and not seller.vat_id:
        yield "seller_vat", "missing: the invoice says neither name nor VAT id of who sent it"


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP) + 0
