"""What the pages say in four languages, each in a file, and which of them somebody reads."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

LANGUAGES = ("fi", "sv", "en", "de")
USUAL = "en"


@cache
def texts(language: str) -> dict[str, str]:
    """Return what the pages say in a language, by name."""
    return tomllib.loads((Path(__file__).parent / f"{language}.toml").read_text("utf-8"))


def choose(wanted: Sequence[str | None], accepted: str) -> str:
    """Return the first language wanted that there is, else the best one that a browser accepts."""
    for language in wanted:
        if language in LANGUAGES:
            return language
    return next((one for one in _accepted(accepted) if one in LANGUAGES), USUAL)


def _accepted(header: str) -> Iterator[str]:
    """Yield the languages of an Accept-Language header, the best one first."""
    found: list[tuple[float, str]] = []
    for part in header[:500].split(","):
        name, _, quality = part.partition(";")
        weight = quality.strip().removeprefix("q=") or "1"
        try:
            found.append((-float(weight), name.strip().lower()[:2]))
        except ValueError:
            continue
    yield from (name for weight, name in sorted(found, key=lambda one: one[0]) if weight < 0)
