"""Texts that lists are searched for, as patterns of LIKE; the store takes the backslash for the escape character."""

from __future__ import annotations

import re


def holding(text: str) -> str:
    """Return the pattern of casefolded texts that hold this one."""
    return f"%{literal(text.casefold())}%"


def held(pattern: str) -> str:
    """Return the text that `holding` made a pattern of."""
    return re.sub(r"\\(.)", r"\1", pattern[1:-1])


def beginning(text: str) -> str:
    """Return the pattern of texts that begin with this one."""
    return f"{literal(text)}%"


def literal(text: str) -> str:
    """Escape what LIKE would read as a wildcard."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
