"""Templates become pages; what people wrote is text in them, never markup."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from acctcli.printing.numbers import format_day

FOLDER = Path(__file__).parent / "templates"


@cache
def environment() -> Environment:
    """Return what reads templates, each once."""
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["dated"] = dated
    return made


def dated(text: str, day: date, language: str) -> Markup:
    """Return a text with a day in its place as the language writes it, which stays on one line."""
    shown = Markup('<time datetime="{}">{}</time>').format(day, format_day(day, language))
    return Markup(escape(text)).format(day=shown)  # noqa: S704 - it is escaped


def render(name: str, values: dict[str, Any]) -> bytes:
    """Return a page."""
    return environment().get_template(f"{name}.html").render(values).encode()


@cache
def style() -> bytes:
    """Return how the pages look."""
    return (FOLDER / "style.css").read_bytes()
