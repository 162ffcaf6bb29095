"""Texts that lists are searched for, as patterns of LIKE; the store takes the backslash for the escape character."""

from __future__ import annotations


def holding(text: str) -> str:
    """Return the pattern of casefolded texts that hold this one."""
    return f"%{literal(text.casefold())}%"


def beginning(text: str) -> str:
    """Return the pattern of texts that begin with this one."""
    return f"{literal(text)}%"


def literal(text: str) -> str:
    """Escape what LIKE would read as a wildcard."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
