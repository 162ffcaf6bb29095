"""Show a report in the form that was asked for; what cannot be shown is refused before anything is sent."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, time
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from acctcli import __version__
from acctcli.cli.business.home import Home
from acctcli.cli.output import sink
from acctcli.cli.output.formats import FORMATS
from acctcli.cli.output.replies import decoded
from acctcli.cli.output.show import ALL, show_stream
from acctcli.cli.output.stderr import how_many_are
from acctcli.cli.report.amounts import choose_locale, told_locale
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.sheet import Sheet, clean, with_days, written
from acctcli.cli.session.state import State
from acctcli.client.messages import encode_plain
from acctcli.errors import Forbidden, NotFound, UsageError
from acctcli.models.enums import IdentifierType

if TYPE_CHECKING:
    from acctcli.cli.report.as_json import Records
    from acctcli.cli.report.as_xlsx import Cover
    from acctcli.cli.report.listed import Listed
    from acctcli.cli.report.months import Series

_ROWS_AT_ONCE = 1000
_BASES = {
    True: "Invoices are in the books when they are sent",
    False: "Invoices are in the books when they are paid",
}
# what is for others to read: pages
PAPER = ("html", "pdf")
# what the official number of a business is called on paper
_NUMBERS = {IdentifierType.Y_TUNNUS: "Business ID", IdentifierType.STEUERNUMMER: "Tax number"}


# what narrows a report, or lays it out in another way, by the names of options
_ASKED = {"layout": "--layout", "compare": "--compare"}
_SWITCHES = {"change": "--change", "accounts": "--accounts", "short": "--short"}


class Business(Home):
    """What of a business stands on a report, and decides how it is laid out."""

    name: str | None = None
    business_id: str | None = None
    vat_reporting_method: str | None = None
    has_accrual_based_entries_for_invoicing: bool | None = None
    logo: object = None


class _Tag(msgspec.Struct):
    name: str


class View:
    """How a report is shown: its form, its language, its numbers.

    Raises UsageError, with nothing sent, when the form is given --columns that it does not have.
    """

    def __init__(self, here: State, locale: str | None) -> None:
        self.here = here
        self.locale = choose_locale(locale, here.environ)
        self._is_told = told_locale(locale, here.environ) is not None
        self.words = Labels(self.locale.language)
        form = here.format
        is_laid_out = FORMATS[form].most_lines > 0
        self.for_people = is_laid_out and here.options.columns is None
        self.as_lists = self.for_people and form == "xlsx"
        if is_laid_out and not self.for_people and form != "table":
            raise UsageError(f"--columns does not go with --output {form}; it picks fields of rows")

    @cached_property
    def account_words(self) -> Labels:
        """The words, and the names of accounts in their language where that was asked for."""
        if not self._is_told:
            return self.words
        from acctcli.cli.report.names import account_names

        return Labels(self.locale.language, account_names(self.here, self.locale.language))

    def show(self, sheet: Sheet, months: Callable[[], Sequence[Series]] = tuple) -> None:
        """Write the sheet; `months` is asked for the figures of charts where the form has charts."""
        form = self.here.format
        most = FORMATS[form].most_lines
        if len(sheet.lines) > most:
            raise UsageError(
                f"--output {form} takes {most} lines, this report has {len(sheet.lines)}",
                hint="choose a shorter period, or --output csv",
            )
        self._write(self._pieces(form, sheet, months))

    def show_paper(self, content: bytes) -> None:
        """Write a file that is drawn already."""
        self._write([content])

    def show_workbook(self, period: str, *lists: Listed) -> None:
        """Write lists as worksheets of one workbook."""
        self._write([self._workbook(period, lists)])

    def _write(self, pieces: Iterable[bytes]) -> None:
        with sink.opened(self.here.options.output_file) as stream:
            for piece in pieces:
                stream.write(piece)

    def show_rows(self, rows: Iterable[dict[str, object]], fields: Sequence[str] = ALL) -> None:
        """Write rows for machines, with the numbers as the service sent them."""
        show_stream(self.here, _pages(rows), fields)

    def show_raw(self, records: Iterable[list[msgspec.Raw]]) -> None:
        """Write records as they come, byte for byte."""
        show_stream(self.here, records, ALL)

    def show_whole(self, records: Records) -> None:
        """Write a long report as one JSON document, its records as they come."""
        from acctcli.cli.output.writers import for_eyes
        from acctcli.cli.report import as_json

        file = self.here.options.output_file
        on_terminal = file is None and sys.stdout.isatty()
        with sink.opened(file) as stream:
            for piece in as_json.write(records):
                stream.write(for_eyes(piece) if on_terminal else piece)

    def _pieces(self, form: str, sheet: Sheet, months: Callable[[], Sequence[Series]]) -> Iterable[bytes]:
        if form == "table":
            return self._table(sheet)
        business, made = self._business(), f"{self.here.today().isoformat()} · acctcli {__version__}"
        if form in PAPER and (days := self.days):
            sheet, made = with_days(sheet, self.words("Date"), days), written(made, days)
        if form == "html":
            from acctcli.cli.report import as_html

            return as_html.write(sheet, as_html.Imprint(business, made), months(), self.locale)
        if form == "pdf":
            from acctcli.cli.report import as_pdf

            moment = datetime.combine(self.here.today(), time()).astimezone()
            imprint = as_pdf.Imprint(clean(self.business.name), business, made, moment, self.logo)
            return [as_pdf.write(sheet, imprint, self.locale)]
        # no cell of a statement is a day, but what stands above its columns is
        return [self._workbook(sheet.period, [with_days(sheet, "", self.days or "{}")])]

    def _table(self, sheet: Sheet) -> Iterable[bytes]:
        from acctcli.cli.report import as_table

        if self.here.options.output_file is not None or not sys.stdout.isatty():
            return as_table.draw(sheet, self.locale)
        environ = self.here.environ
        colour = not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
        return as_table.draw(sheet, self.locale, shutil.get_terminal_size().columns, colour=colour)

    def _workbook(self, period: str, pages: Sequence[Sheet | Listed]) -> bytes:
        from acctcli.cli.output.workbook import EXACT_DIGITS
        from acctcli.cli.report.as_xlsx import Book

        with Book(self._cover(pages[0].title, period)) as book:
            for page in pages:
                book.add(page)
            content = book.content()
        if book.inexact:
            self.here.say(
                f"note: {how_many_are(book.inexact, 'amount')} text in the workbook: "
                f"its numbers keep {EXACT_DIGITS} digits, {'this has' if book.inexact == 1 else 'these have'} more"
            )
        return content

    def _cover(self, title: str, period: str) -> Cover:
        from acctcli.cli.report.as_xlsx import Cover

        words = self.words
        day, period = "{:%Y-%m-%d}", written(period, self.days or "{}")
        name = clean(self.business.name)
        lines = [
            (words("Company"), name),
            *((words(kind), number) for kind, number in self._number()),
            (words("Report"), title),
            (words("Period"), period),
            *((words("Basis"), words(basis)) for basis in self._basis()),
            (words("Asked for"), ", ".join(self._asked()) or words("everything")),
            (words("Made"), written(day.format(self.here.today()), self.days or "{}")),
            (words("Made with"), f"acctcli {__version__}"),
            ("", words("Amounts in EUR")),
        ]
        return Cover(words("Cover"), name, title, period, lines, words("Account"))

    def _asked(self) -> Iterator[str]:
        """Yield the options that narrow the report or lay it out in another way, tags by their names."""
        named = self.here.named
        for tag in named.get("tag_ids") or ():
            yield f"--tag {clean(self._tag(tag))}"
        yield from (f"{option} {named[name]}" for name, option in _ASKED.items() if named.get(name))
        yield from (option for name, option in _SWITCHES.items() if named.get(name))

    def _tag(self, tag: int) -> str:
        try:
            return decoded(self.here.api.tags.get(tag), _Tag).name
        except (Forbidden, NotFound):
            return str(tag)

    def _basis(self) -> Iterator[str]:
        """Yield when invoices are in the books, and what VAT goes by, as far as that is known."""
        if (claims := self.business.has_accrual_based_entries_for_invoicing) is not None:
            yield _BASES[claims]
        method, law = self.business.vat_reporting_method, self.business.law
        if method is not None and law and law.payment_basis:
            yield "VAT goes by payments" if method == law.payment_basis.method else "VAT goes by invoices"

    @cached_property
    def business(self) -> Business:
        """The business as it is shown on what is printed."""
        return decoded(self.here.api.businesses.get(self.here.business()), Business)

    @cached_property
    def logo(self) -> bytes | None:
        """The logo of the business, where its service has one."""
        from acctcli.cli.report.logo import logo_at

        return logo_at(self.here, self.business.logo)

    @property
    def days(self) -> str:
        """How the country of the business writes a day, where that is known."""
        load = self.business.law.charts[0].statements if self.business.law else None
        return load().day if load else ""

    def _business(self) -> str:
        """The name of the business and its number, which stand on what is printed."""
        return " · ".join((clean(self.business.name), *(f"{self.words(kind)} {text}" for kind, text in self._number())))

    def _number(self) -> Iterator[tuple[str, str]]:
        """Yield the official number of the business behind what it is called."""
        number, kind = self.business.business_id, self.business.law.official_id.type if self.business.law else None
        if self.business.law and number and kind in _NUMBERS:
            yield _NUMBERS[kind], clean(self.business.law.official_id.show(number))


def _pages(rows: Iterable[dict[str, object]]) -> Iterator[list[msgspec.Raw]]:
    encoded = (msgspec.Raw(encode_plain(row)) for row in rows)
    while page := list(islice(encoded, _ROWS_AT_ONCE)):
        yield page
