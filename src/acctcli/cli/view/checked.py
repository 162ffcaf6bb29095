"""What `check` finds, which reads all of the books: looked for when somebody asks, and at once where they are few."""

from __future__ import annotations

import re
from collections.abc import Iterator

from acctcli.cli.check.findings import Checked, Finding
from acctcli.cli.check.parts import look_through
from acctcli.cli.view.asked import Asked
from acctcli.cli.view.document import NUMBERED
from acctcli.cli.view.page import Page, failure, head_cell, paging, rows
from acctcli.cli.view.tags import Html, joined, tag
from acctcli.errors import NotFound

SIZE = 100
_NUMBERED_DOCUMENT = re.compile(r"document ([0-9]+-[0-9]+)")
_TITLES = ("Part", "Record", "Problem", "Remedy")


def page(asked: Asked) -> Page:
    """Show what is found: figures that differ, and what somebody should look at."""
    return Page(asked.words("Faults and gaps"), _body(asked))


def verdict(asked: Asked, checked: Checked) -> Iterator[Html]:
    """Say whether figures differ, and what ended the look before it was whole."""
    faults = any(one.is_fault for one in checked.findings)
    if checked.ended is not None:
        yield failure(asked, checked.ended)
    figures = "Figures differ: they cannot be relied on." if faults else "No figure differs."
    yield tag("p", asked.words(figures), class_="fault" if faults else "quiet")


def _body(asked: Asked) -> Iterator[Html]:
    words = asked.words
    checked = look_through(asked.here)
    yield from verdict(asked, checked)
    pages = max(1, -(-len(checked.findings) // SIZE))
    if asked.page > pages:
        raise NotFound(f"there is no page {asked.page}: the findings have {pages}")
    if checked.findings:
        found = sorted(checked.findings, key=lambda one: not one.is_fault)[(asked.page - 1) * SIZE :][:SIZE]
        lines = (
            [tag("td", cell, lang="en") for cell in (one.part, _record(asked, one), one.problem, one.remedy)]
            for one in found
        )
        counted = f"{words('Findings')}: {len(checked.findings)}"
        yield rows([head_cell(words(title)) for title in _TITLES], lines, counted)
        yield joined([paging(asked, asked.page, pages)])
    if checked.left_out:
        yield tag("p", f"{words('Not looked at')}: {', '.join(checked.left_out)}", class_="note")


def _record(asked: Asked, one: Finding) -> Html | str:
    """Return what a finding is about, the way to it where that is a document with its number."""
    document = _NUMBERED_DOCUMENT.fullmatch(one.record)
    return tag("a", one.record, href=asked.link("document", f"{NUMBERED}{document[1]}")) if document else one.record
