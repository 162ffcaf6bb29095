"""Elements of a page: whatever is not markup already is escaped where it is put in, and there is no other way in."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from acctcli.cli.output.safe import visible
from acctcli.cli.report.as_html import breaking

_VOID = frozenset({"img", "input", "link", "meta"})


class Html(str):
    """Text that is markup."""

    __slots__ = ()


def text(value: object) -> Html:
    """Return a text as markup that shows it, whatever it holds; what is markup stays."""
    return value if isinstance(value, Html) else Html(escape(visible(str(value))))


def worded(value: object) -> Html:
    """Return a text whose long words may break where a column is narrow, so that no amount is pushed out of sight."""
    return Html(breaking(visible(str(value))))


def tag(name: str, /, *inside: object, **attributes: object) -> Html:
    """Return an element; what is None is left out, `class_` is `class`, and `aria_label` is `aria-label`."""
    given = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None)
    written = "".join(f' {key}="{text(value)}"' for key, value in given)
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{joined(inside)}</{name}>")


def joined(parts: Iterable[object]) -> Html:
    """Return parts behind each other; what is None is left out."""
    return Html("".join(text(part) for part in parts if part is not None))
