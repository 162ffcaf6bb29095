"""What the filing commands have in common: who files, the reports it is filed from, and the file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import msgspec

from acctcli.cli.output import sink
from acctcli.cli.report.asking import Ask
from acctcli.cli.report.shapes import Shape, VatReport, decode
from acctcli.cli.session.state import State
from acctcli.errors import ServerFault, UsageError
from acctcli.filing.periods import TaxPeriod, tax_period
from acctcli.filing.recapitulative import EuSales
from acctcli.models.enums import IdentifierType


class Identifier(msgspec.Struct):
    """An official identifier."""

    type: str
    value: str


class Business(msgspec.Struct):
    """The business that files, as far as filing needs it (wire facts 2.3)."""

    slug: str
    country: str | None = None
    contact_phone: str | None = None
    taxauthority_latest_reporter_phone_number: str | None = None
    has_dauerfristverlaengerung: bool | None = None
    identifiers: list[Identifier] | None = None

    @property
    def law(self) -> str:
        """The country whose law holds: DE or FI; every business that is not German counts as Finnish."""
        return "DE" if self.country == "DE" else "FI"

    @property
    def is_german(self) -> bool:
        """Whether German law holds."""
        return self.law == "DE"

    def identifier(self, kind: IdentifierType) -> str:
        """Return an identifier, or raise UsageError when there is none."""
        for one in self.identifiers or ():
            if one.type == kind:
                return one.value
        raise UsageError(
            f"business {self.slug} has no {kind}, and a filing file needs it",
            hint="see: acctcli business identifier list",
        )


def fetch_business(here: State) -> Business:
    """Return the business worked in."""
    return decode(here.api.businesses.get(here.business()).body, Business)


def fetch_vat_report(here: State, first: date, last: date) -> VatReport:
    """Return the VAT report of a range."""
    return _fetch(here, "vat-report", first, last, VatReport)


def fetch_eu_sales(here: State, first: date, last: date) -> EuSales:
    """Return the sales to other EU countries of a range."""
    return _fetch(here, "eu-vat-contact-report", first, last, EuSales)


def _fetch(here: State, name: str, first: date, last: date, shape: type[Shape]) -> Shape:
    column = {"date_from": first.isoformat(), "date_to": last.isoformat()}
    return decode(Ask(here)(name, [column]).body, shape)


@contextmanager
def reading() -> Iterator[None]:
    """Raise ServerFault when a VAT report turns out to be of another shape."""
    try:
        yield
    except ValueError as problem:
        raise ServerFault(
            f"the VAT report is not what the interface promises: {problem}", code="unreadable_reply"
        ) from problem


def filing_period(first: date, last: date) -> TaxPeriod:
    """Return the tax period of a range, or raise UsageError where the range is none."""
    period = tax_period(first, last)
    if period is None:
        raise UsageError(f"{first} - {last} is no tax period: files are for a month, a quarter or a year")
    return period


def check_place(path: Path) -> None:
    """Raise UsageError if no file can be written there, before anything is asked of the service."""
    if not path.parent.is_dir():
        raise UsageError(f"--filing-file {path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise UsageError(f"--filing-file {path}: the folder {path.parent} cannot be written")


def write_file(here: State, path: Path, content: bytes) -> None:
    """Write a file whole or not at all; one that is there already is replaced only when that is confirmed."""
    if path.exists():
        here.confirm(f"Replace {path}?")
    with sink.opened(path, "--filing-file") as stream:
        stream.write(content)
    here.say(f"wrote {path}")
