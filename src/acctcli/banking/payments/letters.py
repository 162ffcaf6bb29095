"""The letters that banks take in payment files (docs/payments.md 1.3)."""

from __future__ import annotations

import unicodedata

# those of SEPA, and those that the banks of Finland and Germany take besides
_TAKEN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-?:().,'+ ÅÄÖåäöÜüß")
_SPELLED = str.maketrans(
    {
        "Æ": "AE", "æ": "ae", "Ø": "O", "ø": "o", "Đ": "D", "đ": "d", "Ł": "L", "ł": "l", "Œ": "OE", "œ": "oe",
        "Þ": "Th", "þ": "th", "ð": "d", "ẞ": "SS", "&": "+", "€": "EUR", "_": "-", ";": ",",
        "\u2013": "-", "\u2014": "-",
        '"': "'", "“": "'", "”": "'", "„": "'", "\u2019": "'", "\u2018": "'", "\u00b4": "'", "`": "'",
        "@": "(at)", "!": ".",
    }
)  # fmt: skip


def plain(text: str, length: int) -> str:
    """Return a text in the letters that banks take, in one line and cut to a length.

    Marks fall off other letters, what cannot be spelled is a full stop, and no two slashes follow each other.
    """
    spelled = "".join(map(_taken, unicodedata.normalize("NFC", text).translate(_SPELLED)))
    line = " ".join(spelled.split())
    while "//" in line:
        line = line.replace("//", "/")
    return line.strip("/ ")[:length].rstrip("/ ")


def says_anything(text: str) -> bool:
    """Whether a text that was made plain still has a letter or a digit."""
    return any(letter.isalnum() for letter in text)


def _taken(letter: str) -> str:
    if letter in _TAKEN:
        return letter
    if letter.isspace():
        return " "
    bare = "".join(part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part))
    return bare if bare and all(part in _TAKEN for part in bare) else "."
