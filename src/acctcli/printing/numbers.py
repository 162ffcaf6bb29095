"""Numbers and days as people write them in Finland, Sweden, Germany and the English-speaking countries."""

from __future__ import annotations

import re
from datetime import date
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
# a rate that somebody wrote: more digits, or an exponent, could be a number as long as memory
_RATE = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?")
_WITH_DECIMALS = re.compile(r"-?[0-9]+\.[0-9]+")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def format_decimal(value: Decimal, locale: Locale, places: int = 2) -> str:
    """Return a number with at least so many decimals, more where it has them, and `-` in front below zero."""
    whole, _, decimals = f"{value or abs(value):,f}".partition(".")
    decimals = decimals.rstrip("0").ljust(places, "0")
    return whole.replace(",", locale.thousands) + (locale.mark + decimals if decimals else "")


def percent_sign(language: str) -> str:
    """Return what stands behind the number of a rate: apart from it, but on its line, and in English next to it."""
    return "%" if language == "en" else "\N{NO-BREAK SPACE}%"


def format_percent(rate: Decimal, locale: Locale) -> str:
    """Return a rate in percent, with no more decimals than it has."""
    return format_decimal(rate, locale, 0) + percent_sign(locale.language)


def percent_of(written: str, locale: Locale) -> str:
    """Return a rate of the wire in percent; what is none stays as it came."""
    return format_percent(Decimal(written), locale) if _RATE.fullmatch(written) else written


def plain_rate(written: str) -> str:
    """Return a rate of the wire as people write it, 25.50 as 25.5 and 10.00 as 10; anything else stays as it came."""
    return written.rstrip("0").rstrip(".") if _WITH_DECIMALS.fullmatch(written) else written


def format_day(day: date, language: str) -> str:
    """Return a day; in English the month has letters, which no reader mistakes."""
    if language == "en":
        return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
    return f"{day:%d.%m.%Y}" if language == "de" else f"{day.day}.{day.month}.{day.year}"
