"""What `check` finds, which reads all of the books: looked for when somebody asks, and at once where they are few."""

from __future__ import annotations

import re
from collections.abc import Iterator

from acctcli.cli.check.findings import Checked, Finding
from acctcli.cli.check.parts import look_through
from acctcli.cli.check.records import NUMBERS
from acctcli.cli.view.asked import Asked
from acctcli.cli.view.document import NUMBERED
from acctcli.cli.view.page import Page, failure, head_cell, paging, rows
from acctcli.cli.view.tags import Html, joined, tag, worded
from acctcli.errors import NotFound

SIZE = 100
# what records of findings are called, the page of each, and how that takes what stands in their names
_WAYS = (
    (re.compile(r"document ([0-9]+-[0-9]+)"), "document", NUMBERED),
    (re.compile(r"draft ([0-9]+)"), "document", ""),
    (re.compile(r"draft invoice ([0-9]+)"), "invoice", ""),
    (re.compile(r"account ([0-9]+)"), "account", ""),
)
_TITLES = ("Part", "Record", "Problem", "Remedy")


def page(asked: Asked) -> Page:
    """Show what is found: figures that differ, and what somebody should look at."""
    return Page(asked.words("Faults and gaps"), _body(asked))


def verdict(asked: Asked, checked: Checked) -> Iterator[Html]:
    """Say whether figures differ, what was not looked at, and what ended the look before it was whole."""
    faults = any(one.is_fault for one in checked.findings)
    if checked.ended is not None:
        yield failure(asked, checked.ended)
    figures = "Figures differ: they cannot be relied on." if faults else "No figure differs."
    yield tag("p", asked.words(figures), class_="fault" if faults else "quiet")
    if checked.left_out:
        yield tag("p", f"{asked.words('Not looked at')}: {', '.join(checked.left_out)}", class_="note")


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
            [
                tag("td", cell, lang="en")
                for cell in (one.part, _record(asked, one), *map(worded, (one.problem, one.remedy)))
            ]
            for one in found
        )
        counted = f"{words('Findings')}: {len(checked.findings)}"
        yield rows([head_cell(words(title)) for title in _TITLES], lines, counted)
        yield joined([paging(asked, asked.page, pages)])


def _record(asked: Asked, one: Finding) -> Html:
    """Return what a finding is about, the way to it where it has a page: a number that is missing has none."""
    for called, page_of_it, before in _WAYS:
        if one.part != NUMBERS and (found := called.fullmatch(one.record)):
            return tag("a", worded(one.record), href=asked.link(page_of_it, f"{before}{found[1]}"))
    return worded(one.record)
