"""Amounts as the reports show them: in cents, in the language of the option or of the user."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

from acctcli.errors import ServerFault
from acctcli.printing.numbers import LOCALES, Locale, format_decimal

CENT = Decimal("0.01")
# as a power of ten: sums of 64-bit cents are far below, and decimals of 28 digits hold it to the cent
_LARGEST = 24
# the order in which POSIX asks its variables for how numbers are written
_VARIABLES = ("LC_ALL", "LC_NUMERIC", "LANG")


def choose_locale(option: str | None, environ: Mapping[str, str]) -> Locale:
    """Return the locale of the option, else that of the user's variables where it is known here, else English."""
    return told_locale(option, environ) or LOCALES["en"]


def told_locale(option: str | None, environ: Mapping[str, str]) -> Locale | None:
    """Return the locale that the option or the user's variables name; None where that is none that is known here."""
    if option is not None:
        return LOCALES[option]
    told = next((text for name in _VARIABLES if (text := environ.get(name))), "")
    language, _, _ = told.replace(".", "_").replace("@", "_").partition("_")
    return LOCALES.get(language)


def is_amount(value: Decimal) -> bool:
    """Whether a number can be an amount: neither NaN nor 1E400."""
    return value.is_finite() and value.adjusted() <= _LARGEST


def rounded(value: Decimal) -> Decimal:
    """Return an amount in cents, half away from zero: services may send 0.30000000000000004 (docs/interface.md 1.7).

    Raises ServerFault for what is no amount, such as 1E400.
    """
    if not is_amount(value):
        raise ServerFault(f"the report holds {value} where an amount should be", code="unreadable_reply")
    cents = value.quantize(CENT, ROUND_HALF_UP)
    return cents or abs(cents)


def format_amount(value: Decimal, locale: Locale) -> str:
    """Return an amount in currency units with two decimals and separators, `-` in front when it is negative."""
    return format_decimal(rounded(value), locale)
