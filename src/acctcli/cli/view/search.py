"""Search everywhere: what of each kind of record has a text in it, a few of each, and the way to all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from acctcli.cli.account.chart import Account
from acctcli.cli.output.replies import reader
from acctcli.cli.purchase.debts import Purchase
from acctcli.cli.report.amounts import format_amount
from acctcli.cli.report.sheet import Column, Sheet, SheetLine, clean
from acctcli.cli.view.asked import Asked
from acctcli.cli.view.invoices import read_invoice, table
from acctcli.cli.view.journal import read_row
from acctcli.cli.view.page import Page, sections, sheet
from acctcli.cli.view.tags import Html, tag
from acctcli.client.collection import Collection

SIZE = 10


class _Contact(msgspec.Struct):
    id: int
    name: str
    customer_id: str | None = None


_read_account = reader(Account, "an account")
_read_contact = reader(_Contact, "a contact")
_read_purchase = reader(Purchase, "a purchase invoice")


def page(asked: Asked) -> Page:
    """Show what has the text."""
    text, words = asked.one("text"), asked.words
    if text is None:
        return Page(words("Search"), [tag("p", words("Write above what to look for."), class_="quiet")])
    api = asked.here.api
    kinds = (
        ("Documents", api.documents, _documents),
        ("Invoices", api.invoices, _invoices),
        ("Purchase invoices", api.purchase_invoices, _purchases),
        ("Contacts", api.contacts, _contacts),
        ("Accounts", api.accounts, _accounts),
    )
    parts = ((title, partial(_found, asked, records, show, text)) for title, records, show in kinds)
    return Page(f"{words('Search')}: {clean(text)}", sections(asked, *parts))


def _found(asked: Asked, records: Collection[Any], show: Callable[..., Iterator[Html]], text: str) -> Iterator[Html]:
    rows, count = records.page({"search": text}, 1, SIZE)
    if not rows:
        yield tag("p", asked.words("Nothing is found."), class_="quiet")
        return
    yield from show(asked, rows, text)
    if count > len(rows):
        yield tag("p", f"{len(rows)} {asked.words('of')} {count}", class_="quiet")


def _documents(asked: Asked, rows: list[msgspec.Raw], text: str) -> Iterator[Html]:
    found = [read_row(row) for row in rows]
    lines = [
        SheetLine(
            (
                clean(one.number) or asked.words("Draft"),
                asked.dated(one.date),
                clean(one.contact_name),
                clean(one.description),
            )
        )
        for one in found
    ]
    yield _table(
        asked,
        "Documents",
        ("Number", "Date", "Contact", "Description"),
        lines,
        [asked.link("document", one.id) for one in found],
    )
    yield tag("p", tag("a", asked.words("All in the journal"), href=asked.link("journal", text=text, kind="all")))


def _invoices(asked: Asked, rows: list[msgspec.Raw], text: str) -> Iterator[Html]:
    yield table(asked, [read_invoice(row) for row in rows])
    yield tag("p", tag("a", asked.words("All invoices"), href=asked.link("invoices", text=text)))


def _purchases(asked: Asked, rows: list[msgspec.Raw], text: str) -> Iterator[Html]:
    found = [_read_purchase(row) for row in rows]
    lines = [
        SheetLine(
            (
                clean(one.title),
                asked.dated(one.invoicing_date),
                asked.dated(one.due_date),
                asked.words("PAID" if one.is_paid else "UNPAID"),
                clean(f"{format_amount(one.amount, asked.books.locale)} {one.currency}"),
            )
        )
        for one in found
    ]
    ways = [asked.link("document", one.document.id) if one.document else None for one in found]
    yield _table(asked, "Purchase invoices", ("Name", "Date", "Due", "Status", "Amount"), lines, ways)


def _contacts(asked: Asked, rows: list[msgspec.Raw], text: str) -> Iterator[Html]:
    found = [_read_contact(row) for row in rows]
    lines = [SheetLine((clean(one.name), clean(one.customer_id))) for one in found]
    ways = [asked.link("journal", contact=one.id) for one in found]
    yield _table(asked, "Contacts", ("Name", "Customer id"), lines, ways)


def _accounts(asked: Asked, rows: list[msgspec.Raw], text: str) -> Iterator[Html]:
    found = [_read_account(row) for row in rows]
    lines = [SheetLine((one.number, clean(asked.account_words.account(one.number, one.name)))) for one in found]
    yield _table(asked, "Accounts", ("Number", "Name"), lines, [asked.link("account", one.number) for one in found])


def _table(
    asked: Asked, title: str, heads: tuple[str, ...], lines: list[SheetLine], ways: list[str] | list[str | None]
) -> Html:
    """Return texts in columns, the first of each line the way to its record."""
    columns = tuple(Column(asked.words(name)) for name in heads)
    found = Sheet(asked.words(title), "", columns, lines)
    return sheet(asked, found, lambda position, place: None if place else ways[position])
