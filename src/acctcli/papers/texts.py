"""Texts of the wire, made fit for paper."""

from __future__ import annotations

from typing import Any

from acctcli.printing.alphabet import clean

Fact = tuple[str, str]


def paragraphs(text: str | None) -> list[str]:
    """Return the lines of a text that say something."""
    return [line for part in (text or "").splitlines() if (line := clean(part))]


def told(*facts: tuple[str, Any]) -> list[Fact]:
    """Return the facts that have a value to be seen."""
    return [(label, text) for label, value in facts if value is not None and (text := clean(str(value)))]
