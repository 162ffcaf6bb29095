"""Rates of VAT that the country of the business does not have on a day: refused unless they are meant.

Services post whatever rate they are told (docs/interface.md 5.3), and no box of a return takes one that the country
never had. Input VAT is what an invoice says, which may come late, and a row below zero takes off what was prepaid
(docs/law.md 2.6): for both, rates that ended before the day are taken, and told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date
from decimal import Decimal
from functools import cache
from typing import NamedTuple

import msgspec

from acctcli import law
from acctcli.cli.command.options import FOREIGN_VAT
from acctcli.cli.output.replies import decoded
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.law.vat_codes import INPUT_VAT, OUTPUT_VAT
from acctcli.law.vat_rules import TAXED, last_day_of_rate, rate_fault
from acctcli.models.enums import VatRateLabel


class _Seller(msgspec.Struct):
    country: str | None = None
    default_vat_period: int = -1


class Charged(NamedTuple):
    """VAT that somebody wrote down, and where; what is `taken_off` is of a row below zero."""

    place: str
    code: int
    rate: Decimal
    taken_off: bool = False


def is_meant(here: State) -> bool:
    """Take the option out of the fields given, and say whether any rate is meant."""
    return bool(here.named.pop(FOREIGN_VAT.wire, False))


Check = Callable[[Collection[Charged], Callable[[], date]], None]
_MEANT = "if it is meant, say so with --foreign-vat"


def checker(here: State, known: Collection[Decimal] = (), posted: date | None = None, way_out: str = _MEANT) -> Check:
    """Return what raises UsageError for a rate that is none of a day; the business is asked once, if at all.

    `known` are rates that the service has today: they need no question while no country has changed its own. `posted`
    is the day in the books where that is another one; `way_out` says what goes on.
    """

    @cache
    def seller() -> str | None:
        return decoded(here.api.businesses.get(here.business()), _Seller).country

    def check(charged: Collection[Charged], day_of: Callable[[], date]) -> None:
        taxed = [one for one in charged if one.code in TAXED and one.rate]
        if not taxed:
            return
        day = day_of()
        doubted = [one for one in taxed if one.rate not in known or not _is_as_today(here, day)]
        if not doubted or seller() not in law.PACKAGES:
            return
        country = law.country(seller())
        for one in doubted:
            if (fault := rate_fault(country, one.rate, day)) is None:
                continue
            is_earlier = one.code == INPUT_VAT or one.taken_off
            if not is_earlier or (ended := last_day_of_rate(country, one.rate, posted or day)) is None:
                raise UsageError(f"{one.place}: {fault}", hint=way_out)
            what = "takes off what was prepaid" if one.taken_off else "is input VAT of what was delivered"
            here.say(f"note: {one.place}: {fault}; it {what} by {ended}")

    return check


def rates_of_today(here: State) -> set[Decimal]:
    """Return the rates of all countries that are known.

    Drafts and products that have one are taken unasked: accepting an invoice looks at those of its seller.
    """
    rates = [country.rates_at(here.today()) for country in law.countries()]
    return {one.rate(label) for one in rates for label in VatRateLabel}


def usual_vat(here: State) -> tuple[int, Decimal] | None:
    """Return VAT code and rate of a sale today; None of who is not liable for VAT, or where that is not known."""
    seller = decoded(here.api.businesses.get(here.business()), _Seller)
    if seller.default_vat_period < 0 or seller.country not in law.PACKAGES:
        return None
    return OUTPUT_VAT, law.country(seller.country).rates_at(here.today()).rate(VatRateLabel.STANDARD)


def _is_as_today(here: State, day: date) -> bool:
    today = here.today()
    return all(country.rates_at(day) is country.rates_at(today) for country in law.countries())
