"""When VAT returns, statements and prepayments fall due (domain facts 5; wire facts 6.1)."""

from __future__ import annotations

from datetime import date, timedelta

from acctcli.filing.bankdays import next_banking_day
from acctcli.filing.periods import month_after
from acctcli.models.enums import DefaultVatPeriod


def vat_due_date(end: date, kind: int, country: str, *, has_extension: bool = False) -> date:
    """Return the banking day by which the VAT of a period that ends on `end` is filed and paid.

    `kind` is the length of the period: 0 month, 1 quarter, 2 year. `has_extension` is Germany's
    Dauerfristverlängerung.
    """
    return next_banking_day(statutory_vat_due_date(end, kind, country, has_extension=has_extension), country)


def statutory_vat_due_date(end: date, kind: int, country: str, *, has_extension: bool = False) -> date:
    """Return the day the law names, before weekends and holidays are skipped (wire facts 6.1).

    Finland: the 12th of the second month after the period, for years the last day of February. Germany: the 10th of
    the next month, one month later with a Dauerfristverlängerung.
    """
    if country == "DE":
        return month_after(end, 2 if has_extension else 1).replace(day=10)
    if kind == DefaultVatPeriod.YEAR:
        return month_after(end, 3) - timedelta(days=1)
    return month_after(end, 2).replace(day=12)


def recapitulative_due_date(month_end: date, country: str) -> date:
    """Return the banking day by which the EU sales of a month are reported.

    Finland: the 20th of the next month; Germany: the 25th, which no Dauerfristverlängerung moves.
    """
    return next_banking_day(month_after(month_end, 1).replace(day=25 if country == "DE" else 20), country)


def special_prepayment_due_date(year: int) -> date:
    """Return when a German monthly filer with a Dauerfristverlängerung pays the Sondervorauszahlung of a year."""
    return next_banking_day(date(year, 2, 10), "DE")
