"""The journal: documents with their entries, the latest first, as filters choose them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

import msgspec

from acctcli.cli.account.chart import account_id
from acctcli.cli.command.called import TAG
from acctcli.cli.command.dates import choose_range
from acctcli.cli.document.shown import read_entries, total
from acctcli.cli.output.replies import reader
from acctcli.cli.report.sheet import clean
from acctcli.cli.view.asked import FROM, TO, Asked
from acctcli.cli.view.page import FAULTS, Page, failure, field, head_cell, paging, range_form
from acctcli.cli.view.tags import Html, joined, tag, text, worded
from acctcli.client.workers import Workers
from acctcli.printing.numbers import percent_of

SIZE = 25
_AT_ONCE = 4
_FILTERS = (("account", "Account"), ("text", "Text"), ("tag", "Tag"), ("vat_code", "VAT code"))
# what other pages ask for, and stays asked for
_KEPT = ("contact", "vat_rate")
_COLUMNS = 5


class Row(msgspec.Struct):
    """A document as lists show it, as far as pages do."""

    id: int
    date: date
    number: str | None = None
    description: str = ""
    contact_name: str | None = None
    is_draft: bool = False
    is_flagged: bool = False
    attachment_ids: list[int] = msgspec.field(default_factory=list)


read_row = reader(Row, "a document")


def page(asked: Asked) -> Page:
    """Show one page of the documents that are asked for."""
    first, last = choose_range(None, asked.one(FROM), asked.one(TO), asked.here.today)
    rows, count = asked.here.api.documents.page(_query(asked, first, last), asked.page, SIZE)
    days = first, last
    return Page(asked.words("Journal"), _body(asked, days, [read_row(row) for row in rows], count), days)


def _query(asked: Asked, first: date | None, last: date | None) -> dict[str, str | int]:
    account, tag_name, kind = asked.one("account"), asked.one("tag"), asked.one("kind")
    query: dict[str, str | int | None] = {
        "date_from": first.isoformat() if first else None,
        "date_to": last.isoformat() if last else None,
        "account": account and account_id(asked.here, account, "account"),
        "search": asked.one("text"),
        "tags": tag_name and TAG.find(asked.here, tag_name),
        "contact": asked.one("contact"),
        "vat_code": asked.one("vat_code"),
        "vat_rate": asked.one("vat_rate"),
        "is_draft": {"drafts": "true", "all": None}.get(kind or "", "false"),
    }
    return {name: value for name, value in query.items() if value is not None}


def _body(asked: Asked, days: tuple[date | None, date | None], rows: Sequence[Row], count: int) -> Iterator[Html]:
    words = asked.words
    yield range_form(asked, days, *_filters(asked))
    yield tag("p", f"{words('Documents')}: {count}", class_="quiet")
    if rows:
        caption = tag("caption", words("Amounts in EUR"))
        opened = f'<div class="scroll" tabindex="0" role="region" aria-label="{text(words("Journal"))}">'
        yield Html(f'{opened}<table class="list books">')
        yield joined((caption, entry_head(asked)))
        yield from _documents(asked, rows)
        yield Html("</table></div>")
    yield joined([paging(asked, asked.page, -(-count // SIZE))])


def _filters(asked: Asked) -> Iterator[Html]:
    words = asked.words
    for name, title in _FILTERS:
        yield field(words(title), tag("input", name=name, id=name, value=asked.one(name)), name)
    kinds = (("", "Posted"), ("drafts", "Drafts"), ("all", "All"))
    chosen = asked.one("kind") or ""
    options = (tag("option", words(name), value=key, selected="" if key == chosen else None) for key, name in kinds)
    for name in _KEPT:
        if (given := asked.one(name)) is not None:
            yield tag("input", type="hidden", name=name, value=given)
    yield field(words("Show"), tag("select", *options, name="kind", id="kind"), "kind")


def _documents(asked: Asked, rows: Sequence[Row]) -> Iterator[Html]:
    """Yield the documents as their entries come; one whose entries cannot be read says so."""
    with Workers(_AT_ONCE, partial(read_entries, asked.here)) as workers:
        waiting = [(one, None if one.is_draft else workers.submit(one.id)) for one in rows]
        for one, entries in waiting:
            head = tag("tr", tag("th", _head(asked, one), scope="rowgroup", colspan=_COLUMNS), class_="heading")
            try:
                lines = entry_lines(asked, one.date, total(entries.result())[:-1] if entries else ())
            except FAULTS as problem:
                lines = [tag("tr", tag("td", failure(asked, problem), colspan=_COLUMNS))]
            yield tag("tbody", head, *lines)


def _head(asked: Asked, one: Row) -> Html:
    words = asked.words
    number = tag("a", clean(one.number) or words("Draft"), href=asked.link("document", one.id))
    said = " · ".join(filter(None, (clean(one.contact_name), clean(one.description))))
    marks = ((words("flagged"), one.is_flagged), (words("receipt"), bool(one.attachment_ids)))
    shown = (tag("span", mark, class_="label") for mark, is_so in marks if is_so)
    return joined((number, " ", tag("time", asked.dated(one.date), datetime=one.date), " ", worded(said), " ", *shown))


def entry_lines(asked: Asked, day: date, entries: Iterable[Mapping[str, Any]]) -> list[Html]:
    """Return the lines of the entries of a document of that day, as `document entries` has them in columns."""
    days = {FROM: day.replace(month=1, day=1), TO: day.replace(month=12, day=31)}
    return [_entry_line(asked, days, entry) for entry in entries]


def _entry_line(asked: Asked, days: Mapping[str, date], entry: Mapping[str, Any]) -> Html:
    number, name = entry["account_number"], entry["account_name"]
    called = worded(clean(f"{number} {asked.account_words.account(number, name)}" if number else asked.words(name)))
    account = tag("a", called, href=asked.link("account", number, **days)) if number else called
    texts = (account, worded(clean(entry["description"])), vat_of(asked, entry["vat"] or ""))
    sides = (("Debit", entry["debit"]), ("Credit", entry["credit"]))
    amounts = (
        tag("td", asked.amount(one) if one else None, class_="amount", data_label=asked.words(side))
        for side, one in sides
    )
    return tag("tr", *(tag("td", one) for one in texts), *amounts, class_=None if number else "sum")


def vat_of(asked: Asked, said: str) -> str:
    """Write the VAT of an entry as the language does, on one line: a code, and a rate behind it."""
    code, has_rate, rate = said.partition(" at ")
    shown = [code, *([percent_of(rate.removesuffix(" %"), asked.books.locale)] if has_rate else [])]
    return "\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}".join(shown)


def entry_head(asked: Asked) -> Html:
    """Return what stands above entries."""
    titles = (("Account", False), ("Description", False), ("VAT", False), ("Debit", True), ("Credit", True))
    return tag("thead", tag("tr", *(head_cell(asked.words(title), amount=is_amount) for title, is_amount in titles)))
