"""Sales invoices: what their rows come to, and what may be done to them in which status.

See docs/interface.md 7.1, 7.2, 7.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from acctcli.law.vat_codes import OUTPUT_VAT
from acctcli.models.enums import DeliveryMethod, InvoiceStatus
from acctcli.service.rules.contacts import takes_xrechnung
from acctcli.service.rules.money import WHOLE, divide_half_away

if TYPE_CHECKING:
    from acctcli.law.invoices import Finding
    from acctcli.models.invoice import DeliveryOption

# a price times a count is in 1/10000 of 1/10000, and a cent is this many of them
PER_CENT = 10**6
DAYS_BEFORE_COLLECTION = 14
# references begin with the number of the invoice beyond this, so that even the first one is long enough
REFERENCE_BASE = 1000


class Sums(NamedTuple):
    """What a row or an invoice comes to, in cents: its VAT, and the whole with it."""

    vat: int
    total: int


def row_sums(amount_e4: int, count_e4: int, vat_rate: int, vat_code: int) -> Sums:
    """Return what a row comes to; the net and its VAT are rounded half away from zero, each once.

    See docs/interface.md 7.2.
    """
    net = divide_half_away(amount_e4 * count_e4, PER_CENT)
    vat = divide_half_away(net * vat_rate, WHOLE) if vat_code == OUTPUT_VAT else 0
    return Sums(vat, net + vat)


class Net(NamedTuple):
    """What a row comes to without VAT, in cents, with its VAT code, and its rate in hundredths of a percent."""

    vat_code: int
    vat_rate: int
    net: int


def vat_once(rows: Iterable[Net], before: Iterable[Net] = ()) -> dict[int, int]:
    """Return the VAT of an invoice by rate, in cents: once for each rate, on the sum of its nets.

    `before` are rows of earlier credit notes of the same invoice: all of them together take back the VAT of their sum,
    so that nothing is left of what is credited in parts (docs/interface.md 7.2, 7.3).
    """
    nets, taken = _by_rate(rows), _by_rate(before)
    return {rate: _vat(taken.get(rate, 0) + net, rate) - _vat(taken.get(rate, 0), rate) for rate, net in nets.items()}


def _by_rate(rows: Iterable[Net]) -> dict[int, int]:
    found: dict[int, int] = {}
    for row in rows:
        if row.vat_code == OUTPUT_VAT:
            found[row.vat_rate] = found.get(row.vat_rate, 0) + row.net
    return found


def _vat(net: int, rate: int) -> int:
    return divide_half_away(net * rate, WHOLE)


def too_much_credited(sold: Iterable[Net], credited: Iterable[Net]) -> tuple[int, int] | None:
    """Return the first code and rate that more is credited at than was sold; None when there is none.

    Credited nets have the sign that takes back.
    """
    left: dict[tuple[int, int], int] = {}
    for row in sold:
        left[row.vat_code, row.vat_rate] = left.get((row.vat_code, row.vat_rate), 0) + row.net
    whole = dict(left)
    for row in credited:
        left[row.vat_code, row.vat_rate] = left.get((row.vat_code, row.vat_rate), 0) + row.net
    for key in sorted(left):
        bounds = sorted((0, whole.get(key, 0)))
        if not bounds[0] <= left[key] <= bounds[1]:
            return key
    return None


class Worth(NamedTuple):
    """What a row is worth before it is rounded: price times count, in hundred millionths."""

    vat_code: int
    vat_rate: int
    name: str
    worth: int

    @property
    def item(self) -> tuple[int, int, str]:
        """What it sells, by its name."""
        return self.vat_code, self.vat_rate, self.name.strip().casefold()


def too_much_of_a_row(sold: Iterable[Worth], credited: Iterable[Worth]) -> tuple[Worth, int] | None:
    """Return the first row that credits more of something than was sold, and the cents left of that before it.

    Credited rows have the sign that takes back. What was not sold under its name is bounded by its rate alone.
    """
    left: dict[tuple[int, int, str], int] = {}
    bounds: dict[tuple[int, int, str], tuple[int, int]] = {}
    for row in sold:
        low, high = bounds.get(row.item, (0, 0))
        left[row.item] = left.get(row.item, 0) + row.worth
        bounds[row.item] = (low + min(row.worth, 0), high + max(row.worth, 0))
    for row in credited:
        if row.item in left:
            low, high = bounds[row.item]
            if not low <= left[row.item] + row.worth <= high:
                return row, divide_half_away(left[row.item], PER_CENT)
            left[row.item] += row.worth
    return None


def due_date(invoicing_date: date, payment_condition_days: int) -> date:
    """Return the day an invoice is to be paid on; OverflowError beyond the year 9999."""
    return invoicing_date + timedelta(days=payment_condition_days)


def collection_date(due: date) -> date:
    """Return the first day debts may be collected on; the calendar ends with the year 9999."""
    return min(due, date.max - timedelta(days=DAYS_BEFORE_COLLECTION)) + timedelta(days=DAYS_BEFORE_COLLECTION)


def friendly_name(number: int | None, *, is_credit_note: bool) -> str:
    """Return what people call an invoice."""
    if number is None:
        return "Draft"
    return f"Credit note {number}" if is_credit_note else f"Invoice {number}"


# --- the life of an invoice ---


class Transition(NamedTuple):
    """What an action leads to, the statuses it leads there from, and what to do first in any other."""

    to: InvoiceStatus
    of: frozenset[InvoiceStatus]
    otherwise: str


TRANSITIONS: Mapping[str, Transition] = {
    "accept": Transition(
        InvoiceStatus.ACCEPTED, frozenset({InvoiceStatus.DRAFT}), "only a draft is accepted"
    ),
    "paid": Transition(
        InvoiceStatus.PAID, frozenset({InvoiceStatus.ACCEPTED}), "only an accepted, open invoice is paid"
    ),
    "credit_loss": Transition(
        InvoiceStatus.CREDIT_LOSS, frozenset({InvoiceStatus.ACCEPTED}), "only an accepted, open invoice is lost"
    ),
    "unpaid": Transition(
        InvoiceStatus.ACCEPTED,
        frozenset({InvoiceStatus.PAID, InvoiceStatus.CREDIT_LOSS}),
        "only a paid or lost invoice is opened again",
    ),
}  # fmt: skip


def next_status(status: str, action: str) -> InvoiceStatus | None:
    """Return the status an action leads to, None where it is refused.

    An action whose end is reached already leads to where the invoice is: nothing is to be done (docs/interface.md 7.1).
    """
    transition = TRANSITIONS[action]
    return transition.to if status in transition.of or status == transition.to else None


# which field of a refusal holds a finding that is not called as who it is about
_ABOUT = {"receiver_info": "receiver", "business.can_invoice": "can_invoice"}
_VAT = "vat"


def acceptance_faults(findings: Iterable[Finding]) -> dict[str, list[str]]:
    """Return what keeps a draft from being accepted as a refusal says it, by field (docs/interface.md 7.1)."""
    faults: dict[str, list[str]] = {}
    for one in findings:
        field = one.fields[0]
        whose, _, inside = field.partition(".")
        is_vat = inside.endswith((".vat_code", ".vat_rate")) or field == "business.invoicing_vat_exemption_reason"
        name = _VAT if is_vat else _ABOUT.get(field, _ABOUT.get(whose, whose))
        faults.setdefault(name, []).append(one.sentence)
    return faults


# --- delivery ---


def delivery_options(receiver: Mapping[str, Any]) -> list[DeliveryOption]:
    """Return every way to deliver, ordered as docs/interface.md 7.4; consumers have e-invoices of their own kind."""
    by_mail, by_einvoice = bool(receiver["can_be_invoiced_via_email"]), bool(receiver["can_be_invoiced_via_einvoice"])
    is_person = receiver["type"] == "PERSON"
    available = {
        DeliveryMethod.EMAIL: by_mail,
        DeliveryMethod.EINVOICE: by_einvoice and not is_person,
        DeliveryMethod.ELASKU: by_einvoice and is_person,
        DeliveryMethod.PAPER: bool(receiver["can_be_invoiced"]),
        DeliveryMethod.EMAIL_XRECHNUNG: by_mail and takes_xrechnung(receiver),
    }
    return [{"value": method, "label": method.label, "is_available": available[method]} for method in DeliveryMethod]
