"""Texts of the wire, made fit for paper."""

from __future__ import annotations

import re
from typing import Any
from unicodedata import category, normalize

Fact = tuple[str, str]

_BLANKS = re.compile(r"[^\S\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]+")
# what the font lacks and people type
_INSTEAD = str.maketrans({"→": "->", "←": "<-", "↔": "<->", "\N{NON-BREAKING HYPHEN}": "-"})


def clean(text: str) -> str:
    """Return a text on one line, composed as fonts have the letters, without what no font draws."""
    line = _BLANKS.sub(" ", normalize("NFC", text).translate(_INSTEAD)).strip()
    return "".join(letter for letter in line if category(letter) not in {"Cc", "Cf"})


def paragraphs(text: str | None) -> list[str]:
    """Return the lines of a text that say something."""
    return [line for part in (text or "").splitlines() if (line := clean(part))]


def told(*facts: tuple[str, Any]) -> list[Fact]:
    """Return the facts that have a value to be seen."""
    return [(label, text) for label, value in facts if value is not None and (text := clean(str(value)))]
