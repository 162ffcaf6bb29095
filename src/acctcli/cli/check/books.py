"""What several parts of a check look at, read once: the chart, periods, invoices and documents of a business."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date

import msgspec

from acctcli.cli.account.chart import Chart, read_chart
from acctcli.cli.check.findings import Finding, caught
from acctcli.cli.check.posted import Planned
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent

LISTS = "lists"
EVERY = Extent(limit=None)
# of a serial number; what is longer counts nothing
_MOST_DIGITS = 18


class Period(msgspec.Struct):
    """An accounting or VAT period."""

    id: int
    start_date: date
    end_date: date
    is_locked: bool

    def __str__(self) -> str:
        return f"{self.start_date} - {self.end_date}"


class _Row(msgspec.Struct, gc=False):
    account_number: str


class Document(msgspec.Struct, gc=False):
    """What a check needs to know of a document."""

    id: int
    number: str | None
    date: date
    is_draft: bool
    description: str
    type: int
    attachment_ids: list[int]
    entry_ui_rows: list[_Row] = []

    @property
    def name(self) -> str:
        """What people call it."""
        return self.number or f"draft {self.id}"

    @property
    def lacks_account(self) -> bool:
        """Whether a row waits for an account, without which a draft cannot be posted."""
        return any(not row.account_number for row in self.entry_ui_rows)


class Invoice(msgspec.Struct):
    """What a check needs to know of a sales invoice."""

    id: int
    invoice_number: int | None
    friendly_name: str
    status: str
    invoicing_date: date | None = None


class Settings(msgspec.Struct):
    """What a check needs to know of a business."""

    account_trade_receivables: int | None = None
    has_accrual_based_entries_for_invoicing: bool = False


_read_period = reader(Period, "a period")
_read_document = reader(Document, "a document")
_read_invoice = reader(Invoice, "an invoice")


def serial_of(number: str, day: str) -> int | None:
    """Return the count within a day that a document's number ends with, such as 3 of `260402-3`; None without one."""
    own, _, serial = number.rpartition("-")
    is_serial = own == day and serial.isascii() and serial.isdecimal() and len(serial) <= _MOST_DIGITS
    return int(serial) if is_serial else None


@dataclass
class Books:
    """A business as it is checked. Of posted documents, which may be many, only what parts look for is kept."""

    chart: Chart
    settings: Settings
    periods: list[Period]
    vat_periods: list[Period]
    invoices: list[Invoice]
    keeps_receipts: bool = False
    # the highest number of a day and how many there are
    serials: dict[str, tuple[int, int]] = field(default_factory=lambda: defaultdict(lambda: (0, 0)))
    contradictions: list[Finding] = field(default_factory=list)
    drafts: list[Document] = field(default_factory=list)
    outside: list[Document] = field(default_factory=list)
    without_receipt: list[Document] = field(default_factory=list)
    # whether the trail tells of what came with the business
    has_beginning: bool = True
    # the SHA-256 of what was uploaded, by the id of the file, where it was recorded
    uploaded: dict[int, str | None] = field(default_factory=dict)
    # what documents should have posted, where the trail tells all that it takes to know
    planned: Planned | None = None

    def take(self, document: Document) -> None:
        """Take note of a document."""
        if document.number is not None:
            day = document.number.rpartition("-")[0]
            if (serial := serial_of(document.number, day)) is not None:
                highest, count = self.serials[day]
                self.serials[day] = max(highest, serial), count + 1
        if document.is_draft:
            self.drafts.append(document)
            return
        if not any(period.start_date <= document.date <= period.end_date for period in self.periods):
            self.outside.append(document)
        if document.attachment_ids:
            self.keeps_receipts = True
        else:
            self.without_receipt.append(document)


def read_books(here: State) -> Books:
    """Read what the parts look at."""
    books = Books(
        chart=read_chart(here),
        settings=decoded(here.api.businesses.get(here.business()), Settings),
        periods=read_periods(here),
        vat_periods=read_vat_periods(here),
        invoices=list(read_all(here.api.invoices.list({}, EVERY), _read_invoice)),
    )
    with caught(books.contradictions, LISTS, "documents", "acctcli document list --all"):
        for document in documents(here):
            books.take(document)
    return books


def read_again(here: State, books: Books) -> Books:
    """Read what totals need once more; where no period is another, documents lie in periods as they did."""
    if not here.is_local_service or read_periods(here) != books.periods:
        return read_books(here)
    return replace(books, chart=read_chart(here), planned=None)


def read_periods(here: State) -> list[Period]:
    """Return the accounting periods in their order."""
    return sorted(read_all(here.api.periods.list({}, EVERY), _read_period), key=lambda one: one.start_date)


def read_vat_periods(here: State) -> list[Period]:
    """Return the VAT periods."""
    return list(read_all(here.api.vat_periods.list({}, EVERY), _read_period))


def check_lists(here: State, books: Books) -> list[Finding]:
    """Name the lists that are not whole: what other parts say of what is in them may be less than there is."""
    del here
    return books.contradictions


def documents(here: State, **query: str) -> Iterator[Document]:
    """Yield documents as they are listed."""
    return read_all(here.api.documents.list(query, EVERY), _read_document)
