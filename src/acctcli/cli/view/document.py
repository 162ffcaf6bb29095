"""One document: what it says, what it posted, what it belongs to, its receipts, and what was done to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from acctcli.cli.audit.history import history
from acctcli.cli.command.called import DOCUMENT
from acctcli.cli.document.shown import TYPE_NAMES, read_entries, total
from acctcli.cli.output.replies import decoded
from acctcli.cli.report.sheet import clean
from acctcli.cli.view.asked import Asked
from acctcli.cli.view.journal import Row, entry_head, entry_lines
from acctcli.cli.view.page import Page, facts, head_cell, rows, sections
from acctcli.cli.view.receipt import shown_beside
from acctcli.cli.view.tags import Html, tag
from acctcli.errors import Forbidden

# a number may be digits, as an id is
NUMBERED = "no:"


class _Other(msgspec.Struct):
    number: str | None = None
    date: str = ""
    description: str = ""
    contact_name: str | None = None


class _Relation(msgspec.Struct):
    related_document: int
    role: str = ""
    related_document_summary: _Other | None = None


class _Document(Row):
    type: int | None = None
    is_locked: bool = False
    tag_ids: list[int] = msgspec.field(default_factory=list)
    relations: list[_Relation] = msgspec.field(default_factory=list)


class _Tag(msgspec.Struct):
    name: str | None = None


def page(asked: Asked) -> Page:
    """Show a document, by its id, or by its number behind `no:`, as commands take it."""
    is_number = asked.record.startswith(NUMBERED)
    number = DOCUMENT.find(asked.here, asked.record.removeprefix(NUMBERED)) if is_number else asked.record_id
    found = decoded(asked.here.api.documents.get(number), _Document)
    title = clean(found.number) or asked.words("Draft")
    return Page(f"{asked.words('Document')} {title}", _body(asked, found))


def _body(asked: Asked, found: _Document) -> Iterator[Html]:
    yield Html('<div class="beside"><div>')
    yield _head(asked, found)
    yield from sections(
        asked,
        ("Entries", lambda: _entries(asked, found)),
        *([("Related documents", lambda: _relations(asked, found.relations))] if found.relations else []),
        *([("History", lambda: _history(asked, found.id))] if asked.here.is_local_service else []),
    )
    yield Html("</div>")
    if found.attachment_ids:
        yield from sections(asked, ("Receipts", lambda: shown_beside(asked, found.attachment_ids)))
    yield Html("</div>")


def _head(asked: Asked, found: _Document) -> Html:
    words = asked.words
    states = (("draft", found.is_draft), ("locked", found.is_locked), ("flagged", found.is_flagged))
    tags = [decoded(asked.here.api.tags.get(one), _Tag).name for one in found.tag_ids]
    return facts(
        asked,
        ("Date", asked.dated(found.date)),
        ("Description", clean(found.description)),
        ("Contact", clean(found.contact_name)),
        ("Kind", words(TYPE_NAMES.get(found.type or 0, ""))),
        ("Status", ", ".join(words(name) for name, is_so in states if is_so)),
        ("Tags", ", ".join(clean(name) for name in tags)),
    )


def _entries(asked: Asked, found: _Document) -> Iterator[Html]:
    words = asked.words
    lines = [] if found.is_draft else entry_lines(asked, found.date, total(read_entries(asked.here, found.id)))
    if not lines:
        yield tag("p", words("Nothing is posted."), class_="quiet")
        return
    caption = tag("caption", words("Amounts in EUR"))
    inside = tag("table", caption, entry_head(asked), tag("tbody", *lines), class_="list")
    yield tag("div", inside, class_="scroll", tabindex="0", role="region", aria_label=words("Entries"))


def _relations(asked: Asked, relations: Sequence[_Relation]) -> Iterator[Html]:
    words = asked.words
    for one in relations:
        other = one.related_document_summary or _Other()
        number = clean(other.number) or str(one.related_document)
        way = tag("a", number, href=asked.link("document", one.related_document))
        said = " · ".join(
            filter(None, (asked.dated(clean(other.date)), clean(other.contact_name), clean(other.description)))
        )
        # the role is that of the document shown
        yield tag("p", way, f" {said} ", tag("span", words(one.role), class_="label"))


def _history(asked: Asked, number: int) -> Iterator[Html]:
    words = asked.words
    try:
        changes: list[dict[str, Any]] = list(history(asked.here, "document", number))
    except Forbidden:
        yield tag("p", words("Only administrators see it."), class_="quiet")
        return
    lines = ([tag("td", tag("time", clean(one["created_at"])[:16].replace("T", " "), class_="code")),
              tag("td", clean(one["author"])), tag("td", clean(one["type"])), tag("td", clean(one["changes"]))]
             for one in changes)  # fmt: skip
    heads = [head_cell(words(title)) for title in ("Moment (UTC)", "Who", "What", "Changes")]
    yield tag("details", tag("summary", f"{words('Changes')}: {len(changes)}"), rows(heads, lines, words("History")))
