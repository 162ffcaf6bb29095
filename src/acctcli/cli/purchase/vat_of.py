"""From the VAT of an e-invoice to the rows that book it (docs/purchases.md 5).

The category says who owes the VAT, where the seller sits whether it is deducted here, and the account whether it is
deducted at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from acctcli.banking.checks import compact
from acctcli.cli.account.chart import Account
from acctcli.einvoice.incoming.model import CENT, Group, Incoming, InvoiceFault
from acctcli.einvoice.vat import REVERSE_CHARGE as REVERSE_CHARGE_CATEGORY
from acctcli.law.vat_codes import INPUT_VAT, NO_VAT, REVERSE_CHARGE
from acctcli.law.world import EU_SELLERS, country_of_vat_letters

# bought in other EU countries, in the own one where the buyer owes it, and outside the EU
_EU_GOODS, _EU_SERVICES, _CONSTRUCTION, _SERVICES_ABROAD = 7, 8, 11, 14
_TEXT = 120
_RATE_DECIMALS = 2
_BY_HAND = "enter it by hand, with --account NUMBER:AMOUNT@CODE/RATE: acctcli purchase create --post"


class Cost(NamedTuple):
    """What rows are made with: the account bought on, the one of input VAT, and the business's country.

    `usual_rate` tells the rate that the buyer owes where the seller charges none.
    """

    account: Account
    input_vat: int | None
    country: str
    usual_rate: Callable[[str | None], Decimal]


def rows_of(invoice: Incoming, cost: Cost) -> Iterator[str]:
    """Yield the rows that book an invoice, as `--account` takes them; raise InvoiceFault for VAT that none can.

    What they come to is what is to be paid, and the VAT is that of the invoice, to the cent.
    """
    if invoice.sums.prepaid:
        problem = f"{invoice.sums.prepaid} is paid already, and nothing tells by which document: {_BY_HAND}"
        raise InvoiceFault(problem, None, invoice.names["prepaid"])
    # a row of nothing posts nothing
    groups = [one for one in invoice.groups if one.base or one.vat]
    if not groups:
        raise InvoiceFault("it comes to nothing: there is nothing to post", None, invoice.names["payable"])
    for one in groups:
        yield from _group(invoice, one, cost)
    if invoice.sums.rounding:
        yield f"id:{cost.account.id}:{invoice.sums.rounding}@{NO_VAT}=Rounding"


def seller_country(invoice: Incoming) -> str:
    """Return the country that the seller has a VAT id of, else that of the address; empty where neither tells."""
    return country_of_vat_letters(compact(invoice.seller.vat_id)[:2]) or invoice.seller.country


def _group(invoice: Incoming, one: Group, cost: Cost) -> Iterator[str]:
    account = cost.account
    own = account.default_vat_code or NO_VAT
    text = _text(invoice, one)
    code = _reverse_charge(invoice, one, cost)
    if code is not None:
        if own not in REVERSE_CHARGE | {INPUT_VAT}:
            raise _fault(invoice, f"{one.category}: the buyer owes the VAT, and account {account} deducts none")
        rate = cost.usual_rate(account.default_vat_rate_label if own == code else None)
        yield f"id:{account.id}:{one.base}@{code}/{rate}{text}"
        return
    if one.rate and own in REVERSE_CHARGE:
        raise _fault(invoice, f"{one.category}: the seller charges VAT, and account {account} is for what carries none")
    if not one.rate or own != INPUT_VAT or seller_country(invoice) not in {cost.country, ""}:
        yield f"id:{account.id}:{one.base + one.vat}@{NO_VAT}{text}"
        return
    yield from _deducted(invoice, one, cost, text)


def _deducted(invoice: Incoming, one: Group, cost: Cost, text: str) -> Iterator[str]:
    """Yield the row of input VAT, and what the invoice has more or less than its base makes by rounding once."""
    if one.rate != round(one.rate, _RATE_DECIMALS):
        raise _fault(invoice, f"{one.rate} % has more decimals than a rate of VAT")
    vat = (one.base * one.rate / 100).quantize(CENT, ROUND_HALF_UP)
    if one.base:
        yield f"id:{cost.account.id}:{one.base + vat}@{INPUT_VAT}/{one.rate.normalize():f}{text}"
    if one.vat != vat:
        if cost.input_vat is None:
            raise _fault(invoice, "the business names no account for input VAT: set account_vat_receivables")
        yield f"id:{cost.input_vat}:{one.vat - vat}@{INPUT_VAT}/0=VAT as the invoice rounds it"


def _reverse_charge(invoice: Incoming, one: Group, cost: Cost) -> int | None:
    """Return the VAT code of what the buyer owes the VAT of; None of all else."""
    place = seller_country(invoice)
    is_own, is_eu = place == cost.country, place in EU_SELLERS
    if one.category == REVERSE_CHARGE_CATEGORY:
        return _CONSTRUCTION if is_own else _EU_SERVICES if is_eu else _abroad(invoice, place)
    match one.category:
        case "K" if is_eu and not is_own:
            return _EU_GOODS
        case "K":
            problem = (
                f"K is of goods from other EU countries, and the seller is of {place or 'no country that is told'}"
            )
            raise _fault(invoice, f"{problem}: {_BY_HAND}")
        case "G":
            raise _fault(invoice, f"G is of goods from outside the EU, whose VAT customs tell: {_BY_HAND}")
        case "O" if place and not (is_own or is_eu):
            raise _fault(invoice, f"O from {place} may be services, VAT code 14, or goods, 9: {_BY_HAND}")
    return None


def _abroad(invoice: Incoming, place: str) -> int:
    if not place:
        raise _fault(invoice, f"AE: the buyer owes the VAT, and nothing tells the seller's country: {_BY_HAND}")
    return _SERVICES_ABROAD


def _text(invoice: Incoming, one: Group) -> str:
    """Return what was bought, as a text of the row."""
    names = (line.name for line in invoice.lines if (line.category, line.rate) == (one.category, one.rate))
    told = ", ".join(dict.fromkeys(filter(None, names)))
    return f"={told[:_TEXT]}" if told else ""


def _fault(invoice: Incoming, problem: str) -> InvoiceFault:
    return InvoiceFault(problem, None, invoice.names["category"])
