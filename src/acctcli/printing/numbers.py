"""Numbers as people write them: the separators of Finland, Sweden, Germany and the English-speaking countries."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple


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


def format_decimal(value: Decimal, locale: Locale, places: int = 2) -> str:
    """Return a number with at least so many decimals, more where it has them, and `-` in front below zero."""
    whole, _, decimals = f"{value or abs(value):,f}".partition(".")
    decimals = decimals.rstrip("0").ljust(places, "0")
    return whole.replace(",", locale.thousands) + (locale.mark + decimals if decimals else "")
