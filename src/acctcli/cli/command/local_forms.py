"""Amounts and days as people write them here, 1 234,50 and 31.3.2026, in the form that commands take.

What has two meanings has none: 1,234 may be a thousand, 3/4/2026 March or April.
"""

from __future__ import annotations

import re
from datetime import date

# groups of three before a comma or a point; the other one, a blank or an apostrophe between them
_AMOUNT = re.compile(
    "([+\u2212-]?)([0-9]{1,3}(?:(?P<group>[ .,'\u2019\u00a0\u202f])[0-9]{3}(?:(?P=group)[0-9]{3})*)|[0-9]+)"
    "(?:([.,])([0-9]{1,4}))?",
    re.ASCII,
)
_OURS = re.compile(r"-?[0-9]+(?:\.[0-9]{1,2})?", re.ASCII)
_MINUS = "\u2212"
_CURRENCY = re.compile("^(?:EUR|€) ?|[ \u00a0]?(?:EUR|€)$", re.IGNORECASE)
_POINTED = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})", re.ASCII)
_SLASHED = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})", re.ASCII)


def amount_of(text: str) -> str | None:
    """Return the number that is meant, with a point and nothing between its digits; None where that is not certain."""
    match = _AMOUNT.fullmatch(_CURRENCY.sub("", text.strip()))
    if match is None:
        return None
    sign, whole, group, point, decimals = match.groups()
    if point == group or (point is None and group in {".", ","} and len(whole) <= 7):
        return None  # 1,234
    if point is not None and group is None and len(decimals) == 3 and len(whole) <= 3:
        return None
    digits = re.sub("[^0-9]", "", whole)
    return f"{'-' if sign in {'-', _MINUS} else ''}{digits}{f'.{decimals}' if decimals else ''}"


def number_of(text: str) -> str | None:
    """Return the number that is meant, as `amount_of` does, or one that is in our form already."""
    return text if _OURS.fullmatch(text) else amount_of(text)


def day_of(text: str) -> date | None:
    """Return the day that is meant; None where that is not certain, or where there is no such day."""
    if match := _POINTED.fullmatch(text.strip()):
        day, month, year = map(int, match.groups())
    elif match := _SLASHED.fullmatch(text.strip()):
        first, second, year = map(int, match.groups())
        day, month = (first, second) if first > 12 else (second, first)
        if first <= 12 and second <= 12 and first != second:
            return None
    else:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def in_our_form(text: object) -> str:
    """Return what to write instead, as the end of a message: `; write 3.50`; nothing where that is not certain."""
    if not isinstance(text, str):
        return ""
    meant = day_of(text) or amount_of(text)
    return f"; write {meant}" if meant is not None and str(meant) != text else ""
