"""Templates become pages; what people wrote is text in them, never markup."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

FOLDER = Path(__file__).parent / "templates"


@cache
def environment() -> Environment:
    """Return what reads templates, each once."""
    return Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def render(name: str, values: dict[str, Any]) -> bytes:
    """Return a page."""
    return environment().get_template(f"{name}.html").render(values).encode()


@cache
def style() -> bytes:
    """Return how the pages look."""
    return (FOLDER / "style.css").read_bytes()
