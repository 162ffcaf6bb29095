"""What `check` finds, which reads all of the books: looked for when somebody asks, and at once where they are few."""

from __future__ import annotations

from collections.abc import Iterator

from acctcli.cli.check.findings import Checked
from acctcli.cli.check.parts import look_through
from acctcli.cli.view.asked import Asked
from acctcli.cli.view.page import Page, failure, head_cell, rows
from acctcli.cli.view.tags import Html, tag

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
    if checked.findings:
        lines = (
            [tag("td", cell, lang="en") for cell in (one.part, one.record, one.problem, one.remedy)]
            for one in sorted(checked.findings, key=lambda one: not one.is_fault)
        )
        yield rows([head_cell(words(title)) for title in _TITLES], lines, words("Findings"))
    if checked.left_out:
        yield tag("p", f"{words('Not looked at')}: {', '.join(checked.left_out)}", class_="note")
