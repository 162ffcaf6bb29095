"""Amounts as people write them: the separators of Finland, Sweden, Germany and the English-speaking countries."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from acctcli.errors import ServerFault

CENT = Decimal("0.01")
# as a power of ten: sums of 64-bit cents are far below, and decimals of 28 digits hold it to the cent
_LARGEST = 24
# the order in which POSIX asks its variables for how numbers are written
_VARIABLES = ("LC_ALL", "LC_NUMERIC", "LANG")


class Locale(NamedTuple):
    """How one language writes numbers; no-break spaces keep an amount on one line."""

    language: str
    thousands: str
    mark: str


LOCALES = {
    "fi": Locale("fi", "\N{NO-BREAK SPACE}", ","),
    "sv": Locale("sv", "\N{NO-BREAK SPACE}", ","),
    "en": Locale("en", ",", "."),
    "de": Locale("de", ".", ","),
}


def choose_locale(option: str | None, environ: Mapping[str, str]) -> Locale:
    """Return the locale of the option, else that of the user's variables where it is known here, else English."""
    if option is not None:
        return LOCALES[option]
    told = next((text for name in _VARIABLES if (text := environ.get(name))), "")
    language, _, _ = told.replace(".", "_").replace("@", "_").partition("_")
    return LOCALES.get(language, LOCALES["en"])


def rounded(value: Decimal) -> Decimal:
    """Return an amount in cents, half away from zero: services may send 0.30000000000000004 (wire facts, appendix B).

    Raises ServerFault for what is no amount, such as 1E400.
    """
    if not value.is_finite() or value.adjusted() > _LARGEST:
        raise ServerFault(f"the report holds {value} where an amount should be", code="unreadable_reply")
    cents = value.quantize(CENT, ROUND_HALF_UP)
    return cents or abs(cents)


def format_amount(value: Decimal, locale: Locale) -> str:
    """Return an amount in currency units with two decimals and separators, `-` in front when it is negative."""
    whole, _, cents = f"{rounded(value):,f}".partition(".")
    return f"{whole.replace(',', locale.thousands)}{locale.mark}{cents}"
