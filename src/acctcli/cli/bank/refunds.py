"""Tax of VAT periods that is to come back, as matching is given it (docs/bank.md 6)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from acctcli.banking.matching.candidates import Claim, Kind, ibans_of, names_of
from acctcli.cli.account.chart import Account, Chart
from acctcli.cli.business.home import Home
from acctcli.cli.output.replies import decoded, read_all
from acctcli.cli.purchase.vat_debt import VatPayment, number_of_payments, read_payment, rounding_rows
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.models.enums import VatPostingMethod

if TYPE_CHECKING:
    from acctcli.law.duties import VatPeriod

_VAT = {"ASS_VAT", "LIA_VAT"}
_PAYMENT = re.compile(r"(?:Part of )?Payment: (VAT \S+ - \S+) \(")
_EVERY = Extent(limit=None)


class _Business(Home):
    account_vat_receivables: int | None = None
    account_vat_liabilities: int | None = None
    vat_posting_method: str | None = None
    finanzkasse_iban: str | None = None
    finanzkasse_recipient_name: str | None = None


def read_refunds(here: State, chart: Chart, references: frozenset[str]) -> Iterator[Claim]:
    """Yield the tax that is to come back and that no document of type vat has brought yet, the oldest first.

    That is what was filed to be refunded, and what was paid before less was filed. `references` are those that the tax
    office pays with.
    """
    from acctcli.cli.vat.filing import vat_periods

    periods = vat_periods(here)
    filed = [(one, -_cents(one.filing_tax_to_be_paid)) for one in periods]
    owed = [one for one in filed if one[1] > 0] + _overpaid(here, [one for one in periods if one.is_reported])
    owed.sort(key=lambda one: one[0].end_date)
    if not owed:
        return
    business = decoded(here.api.businesses.get(here.business()), _Business)
    receivables = chart.by_id.get(business.account_vat_receivables or 0)
    if receivables is None:
        return
    liabilities = chart.by_id.get(business.account_vat_liabilities or 0, receivables)
    opens = _opens(owed, _came(here, chart, business, owed[0][0]))
    for period, cents in opens.items():
        days = (period.start_date, period.end_date)
        is_refund = _cents(period.filing_tax_to_be_paid) < 0
        account = receivables if is_refund else chart.numbered(number_of_payments(business, chart) or "") or liabilities
        rounded_off = _rounded_off(business, chart, receivables) if is_refund else liabilities
        rounding = rounding_rows(here, chart, rounded_off, days)
        yield Claim(
            key=f"refund {period.id}",
            kind=Kind.REFUND,
            id=period.id or 0,
            title=_title(period),
            open=cents,
            day=period.end_date,
            account=account.id,
            references=references,
            names=names_of(*_offices(business)),
            ibans=ibans_of(business.finanzkasse_iban),
            beside=tuple((one.account.id, _cents(one.amount)) for one in rounding),
        )


def _overpaid(here: State, periods: Sequence[VatPeriod]) -> list[tuple[VatPeriod, int]]:
    """Return the reported periods of which less was filed than had been paid, and how much less, in cents."""
    filed = {_title(one): one for one in periods if _cents(one.filing_tax_to_be_paid) >= 0}
    paid = Counter[str]()
    for one in read_all(here.api.documents.list({"search": "Payment: VAT "}, _EVERY), read_payment) if filed else ():
        if one.is_of_vat and not one.is_taken_back and (named := _PAYMENT.match(one.description)):
            paid[named[1]] -= one.cents
    over = ((one, paid[title] - _cents(one.filing_tax_to_be_paid)) for title, one in filed.items())
    return [(period, cents) for period, cents in over if cents > 0]


def _opens(owed: Sequence[tuple[VatPeriod, int]], came: Sequence[VatPayment]) -> dict[VatPeriod, int]:
    """Return what is open of periods by what came, in cents: a refund is of the one it names, else of its amount.

    What is of neither is a part, of the first period of which more is open: one that was filed anew with more.
    """
    left, unnamed = dict(owed), list[VatPayment]()
    for one in came:
        named = next((period for period in left if one.description.startswith(f"Refund: {_title(period)}")), None)
        if named is None:
            unnamed.append(one)
        else:
            left[named] -= one.cents
    for is_it in (int.__eq__, int.__gt__):
        for one in list(unnamed):
            of = next(
                (period for period in left if period.end_date < one.date and is_it(left[period], one.cents)), None
            )
            if of is not None:
                left[of] -= one.cents
                unnamed.remove(one)
    return {period: cents for period, cents in left.items() if cents > 0}


def _title(period: VatPeriod) -> str:
    return f"VAT {period.start_date} - {period.end_date}"


def _came(here: State, chart: Chart, business: _Business, since: VatPeriod) -> list[VatPayment]:
    """Return what came of the tax office behind a period, the oldest first."""
    days = {"date_from": str(since.end_date + timedelta(days=1))}
    paid_to = number_of_payments(business, chart)
    accounts = [one for one in chart.by_id.values() if one.type in _VAT or one.number == paid_to]
    numbers = {one.number for one in accounts}
    found = {
        one.id: one
        for account in accounts
        for one in read_all(here.api.documents.list({**days, "account": account.id}, _EVERY), read_payment)
        if one.is_refund(numbers)
    }
    return sorted(found.values(), key=lambda one: (one.date, one.id))


def _offices(business: _Business) -> Iterable[str | None]:
    return (*(business.law.tax_office if business.law else ()), business.finanzkasse_recipient_name)


def _rounded_off(business: _Business, chart: Chart, account: Account) -> Account:
    """Return the account on which a rounding stands: netting leaves nothing on that of VAT that is owed."""
    is_net = business.vat_posting_method == VatPostingMethod.NET
    return account if is_net else chart.by_id.get(business.account_vat_liabilities or 0, account)


def _cents(amount: Decimal | None) -> int:
    return int(rounded(amount or Decimal(0)).scaleb(2))
