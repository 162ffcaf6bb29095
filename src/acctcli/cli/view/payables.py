"""What suppliers were owed at the end of a day, invoice by invoice, of all or of one: it is what the overview says."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from acctcli.cli.command.dates import choose_range
from acctcli.cli.purchase.aging import open_in_euros, supplier_of
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style, clean
from acctcli.cli.view.asked import TO, Asked
from acctcli.cli.view.page import Page, sheet
from acctcli.cli.view.tags import Html, tag


def page(asked: Asked) -> Page:
    """Show what was open, each line the way to the document that books it."""
    _, until = choose_range(None, None, asked.one(TO), asked.here.today)
    day, supplier = until or asked.here.today(), asked.one("supplier")
    found = [
        (one, amount)
        for one, amount in open_in_euros(asked.here, day)
        if supplier is None or supplier.casefold() == supplier_of(one).casefold()
    ]
    words = asked.words
    title = f"{words('Payables')} {words('at the end of')} {asked.dated(day)}"

    def body() -> Iterator[Html]:
        if not found:
            yield tag("p", words("Nothing is open."), class_="quiet")
            return
        texts = (Column(words(name)) for name in ("Name", "Date", "Due"))
        lines = [
            SheetLine((clean(one.title), asked.dated(one.invoicing_date), asked.dated(one.due_date), amount))
            for one, amount in found
        ]
        total = sum((amount for _, amount in found), Decimal(0))
        lines.append(SheetLine((words("Total"), None, None, total), Style.SUM))
        ways = [*(asked.link("document", one.document.id) if one.document else None for one, _ in found), None]
        shown = Sheet(title, "", (*texts, Column(words("Open"), Kind.AMOUNT)), lines)
        yield sheet(asked, shown, lambda position, place: ways[position] if place in {0, 3} else None)

    return Page(title, body())
