"""Sales invoices by status, or what is open of them; of one what it says, what is open, and its paper beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from functools import partial

import msgspec

from acctcli.cli.command.dates import choose_range
from acctcli.cli.invoice.aging import open_in_euros
from acctcli.cli.invoice.papers import pdfs_of
from acctcli.cli.invoice.reminded import reminders_in
from acctcli.cli.invoice.reminder_letters import title_of
from acctcli.cli.invoice.standing import Invoice, open_of
from acctcli.cli.output.replies import decoded, reader
from acctcli.cli.report.amounts import format_amount
from acctcli.cli.report.shapes import Amounts
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style, clean, without_empty
from acctcli.cli.view.asked import FROM, PAGE, TO, Asked
from acctcli.cli.view.page import Page, Reply, facts, field, paging, range_form, sections, sheet
from acctcli.cli.view.receipt import content, figure
from acctcli.cli.view.tags import Html, joined, tag
from acctcli.cli.view.words import TAX
from acctcli.errors import NotFound, UsageError
from acctcli.models.enums import Language
from acctcli.printing.numbers import format_decimal, format_percent

SIZE = 50
_PDF = "application/pdf"
_STATUSES = ("DRAFT", "ACCEPTED", "PAID", "CREDIT_LOSS")
_STATUS = "status"
_CURRENCY = "EUR"


class _Row(Amounts):
    name: str
    unit: str
    amount: Decimal
    product_count: Decimal
    vat_rate: Decimal
    total_amount: Decimal
    total_vat_amount: Decimal
    code: str | None = None

    @property
    def net(self) -> Decimal:
        """What it comes to without VAT: the VAT of rows, each rounded, need not be that of their invoice."""
        return self.total_amount - self.total_vat_amount


class Shown(Invoice):
    """An invoice, as pages show it."""

    rows: list[_Row] = msgspec.field(default_factory=list)
    total_vat_amount: Decimal = Decimal(0)
    reference: str | None = None
    description: str | None = None
    is_past_due: bool = False
    last_delivery_at: str | None = None


read_invoice = reader(Shown, "an invoice")


def page(asked: Asked) -> Page | Reply:
    """Show invoices, those that are open, one of them, or its paper."""
    if asked.path[0] == "paper":
        return _paper(asked)
    if asked.path == ("invoices", "open"):
        return _open_list(asked)
    return _list(asked) if asked.path[0] == "invoices" else _one(asked)


def _list(asked: Asked) -> Page:
    status = asked.one(_STATUS)
    if status is not None and status not in _STATUSES:
        raise UsageError(f"no invoice has the status {status!r}")
    days = choose_range(None, asked.one(FROM), asked.one(TO), asked.here.today)
    query = {
        "status": status,
        "search": asked.one("text"),
        "invoicing_date_gte": days[0].isoformat() if days[0] else None,
        "invoicing_date_lte": days[1].isoformat() if days[1] else None,
    }
    given = {name: value for name, value in query.items() if value is not None}
    found, count = asked.here.api.invoices.page(given, asked.page, SIZE)
    invoices = [read_invoice(row) for row in found]

    def body() -> Iterator[Html]:
        words = asked.words
        text = field(words("Text"), tag("input", name="text", id="text", value=asked.one("text")), "text")
        kept = tag("input", type="hidden", name=_STATUS, value=status) if status else Html()
        yield range_form(asked, days, text, kept)
        ways = (
            tag("a", words(one or "All"), href=asked.again(**{_STATUS: one, PAGE: None}),
                aria_current="true" if one == status else None)
            for one in (None, *_STATUSES)
        )  # fmt: skip
        yield tag("nav", *ways, class_="ways", aria_label=words("Status"))
        yield tag("p", f"{words('Invoices')}: {count}", class_="quiet")
        if invoices:
            yield table(asked, invoices)
        yield joined([paging(asked, asked.page, -(-count // SIZE))])

    return Page(asked.words("Invoices"), body(), days)


def _open_list(asked: Asked) -> Page:
    """Show what was open at the end of a day, of all customers or of one: it is what the overview says."""
    _, until = choose_range(None, None, asked.one(TO), asked.here.today)
    day, customer = until or asked.here.today(), asked.one("customer")
    every, _ = open_in_euros(asked.here, day)
    found = [(one, amount) for one, amount in every if customer in {None, str(one.receiver)}]
    words = asked.words
    title = f"{words('Open')} {words('at the end of')} {asked.dated(day)}"

    def body() -> Iterator[Html]:
        if not found:
            yield tag("p", words("Nothing is open."), class_="quiet")
            return
        texts = (Column(words(name)) for name in ("Number", "Name", "Date", "Due", "Reminded"))
        amounts = (Column(words(name), Kind.AMOUNT) for name in ("Amount", "Open"))
        lines = [
            SheetLine((*_named(asked, one), _reminded(asked, one, day), _money(asked, one, one.total_amount), amount))
            for one, amount in found
        ]
        total = sum((amount for _, amount in found), Decimal(0))
        lines.append(SheetLine((words("Total"), *[None] * 5, total), Style.SUM))
        ways = [*(asked.link("invoice", one.id) for one, _ in found), None]
        yield _led(asked, Sheet(title, "", (*texts, *amounts), lines), ways)

    return Page(title, body())


def table(asked: Asked, invoices: Sequence[Shown]) -> Html:
    """Return invoices as a table, each the way to itself."""
    words = asked.words
    texts = (Column(words(title)) for title in ("Number", "Name", "Date", "Due", "Status", "Reminded"))
    lines = [
        SheetLine(
            (*_named(asked, one), _status(asked, one), _reminded(asked, one), _money(asked, one, one.total_amount))
        )
        for one in invoices
    ]
    ways = [asked.link("invoice", one.id) for one in invoices]
    found = Sheet(words("Invoices"), "", (*texts, Column(words("Amount"), Kind.AMOUNT)), lines)
    return _led(asked, found, ways)


def _led(asked: Asked, found: Sheet, ways: Sequence[str | None]) -> Html:
    """Return a table whose first and last cells lead to what their line is of; nobody reminded is no column."""
    found = without_empty(found, asked.words("Reminded"))
    ends = {0, len(found.columns) - 1}
    return sheet(asked, found, lambda position, place: ways[position] if place in ends else None)


def called(asked: Asked, one: Invoice) -> str:
    """Return what an invoice is called: its number behind its kind, in the language of the pages."""
    if one.status == _STATUSES[0]:
        return asked.words("Draft")
    kind = "Invoice" if one.is_credit_note_for is None else "Credit note"
    return f"{asked.words(kind)} {one.id if one.invoice_number is None else one.invoice_number}"


def _named(asked: Asked, one: Invoice) -> tuple[str, ...]:
    """Return what begins the line of an invoice: its number, its customer and its days."""
    number = called(asked, one).replace(" ", "\N{NO-BREAK SPACE}")
    return number, clean(one.receiver_info.name), asked.dated(one.invoicing_date), asked.dated(one.due_date)


def _status(asked: Asked, one: Shown) -> str:
    late = f", {asked.words('overdue')}" if one.is_past_due else ""
    return f"{asked.words(one.status)}{late}"


def _reminded(asked: Asked, one: Invoice, until: date = date.max) -> str:
    """Return the last reminder that an invoice has had at the end of a day, and its own day."""
    had = [found for found in reminders_in(one.external_status_messages) if found.day <= until]
    return f"{title_of(had[-1].stage, Language(asked.words.language))} {asked.dated(had[-1].day)}" if had else ""


def _money(asked: Asked, one: Invoice, value: Decimal) -> Decimal | str:
    """Return an amount of an invoice; what is not in euros says so, as tables of amounts do not."""
    if one.currency in {None, _CURRENCY}:
        return value
    return f"{format_amount(value, asked.books.locale)}\N{NO-BREAK SPACE}{clean(one.currency)}"


def _one(asked: Asked) -> Page:
    invoice = decoded(asked.here.api.invoices.get(asked.record_id), Shown)

    def body() -> Iterator[Html]:
        yield Html('<div class="beside"><div>')
        yield _head(asked, invoice)
        yield from sections(asked, ("Rows", lambda: _rows(asked, invoice)), ("Open", lambda: _open(asked, invoice)))
        yield Html("</div>")
        if invoice.status in _STATUSES[1:]:
            paper = asked.link("paper", invoice.id)
            yield from sections(asked, ("Paper", lambda: [figure(called(asked, invoice), _PDF, paper)]))
        yield Html("</div>")

    return Page(called(asked, invoice), body())


def _head(asked: Asked, one: Shown) -> Html:
    words = asked.words
    document = tag("a", words("Document"), href=asked.link("document", one.document.id)) if one.document else None
    credited = one.is_credit_note_for
    notes = joined(_way(asked, note) for note in one.credit_notes)
    return facts(
        asked,
        ("Name", clean(one.receiver_info.name)),
        ("Date", asked.dated(one.invoicing_date)),
        ("Due", asked.dated(one.due_date)),
        ("Status", _status(asked, one)),
        ("Reference", clean(one.reference)),
        ("Description", clean(one.description)),
        ("Reminded", _reminded(asked, one)),
        ("Paid on", asked.dated(one.payment_date)),
        ("Sent (UTC)", clean(one.last_delivery_at)[:16].replace("T", " ")),
        ("Credits", credited and _way(asked, credited)),
        ("Credit notes", notes),
        ("In the books", document),
    )


def _way(asked: Asked, number: int) -> Html:
    other = decoded(asked.here.api.invoices.get(number), Shown)
    return joined((tag("a", called(asked, other), href=asked.link("invoice", number)), " "))


def _rows(asked: Asked, one: Shown) -> Iterator[Html]:
    words, money = asked.words, partial(_money, asked, one)
    texts = (Column(words("Name")), Column(words("Count")), Column(words("VAT")))
    columns = (*texts, Column(words("Price"), Kind.AMOUNT), Column(words("Amount"), Kind.AMOUNT))
    lines = [
        SheetLine(
            (
                clean(row.name),
                clean(f"{_written(asked, row.product_count)} {row.unit}"),
                format_percent(row.vat_rate, asked.books.locale),
                money(row.amount),
                money(row.net),
            )
        )
        for row in one.rows
    ]
    lines.append(SheetLine((words(TAX), None, None, None, money(one.total_vat_amount)), Style.DETAIL))
    lines.append(SheetLine((words("Total"), None, None, None, money(one.total_amount)), Style.SUM))
    yield sheet(asked, Sheet(words("Rows"), "", columns, lines))
    yield tag("p", words("Prices and amounts of rows are without VAT."), class_="quiet")


def _written(asked: Asked, value: Decimal) -> str:
    return format_decimal(value, asked.books.locale, 0).replace("-", "\N{MINUS SIGN}")


def _open(asked: Asked, one: Shown) -> Iterator[Html]:
    if one.status not in _STATUSES[1:]:
        yield tag("p", asked.words("Nothing is owed of a draft."), class_="quiet")
        return
    found = open_of(asked.here, [one])[one.id]
    # where the books say what is open, it is in euros
    shown = _money(asked, one, found) if one.is_alone else found
    yield tag("p", asked.amount(shown) if isinstance(shown, Decimal) else shown, class_="figure")


def _paper(asked: Asked) -> Reply:
    wanted = pdfs_of(asked.here).one(asked.record_id)
    if wanted.file is None:
        raise NotFound("a draft has no paper", hint=f"accept it: acctcli invoice accept {asked.record_id}")
    return content(asked, wanted.name, wanted.file, wanted.kind)
