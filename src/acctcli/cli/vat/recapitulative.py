"""The EU recapitulative statement of a month, and the file that hands it in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from acctcli.cli.command.classes import Context, shows
from acctcli.cli.session.state import state
from acctcli.cli.vat.returns import FiledPeriod, FilingFile
from acctcli.errors import Incomplete, UsageError

if TYPE_CHECKING:
    from decimal import Decimal

    from acctcli.law.calendar import TaxPeriod
    from acctcli.law.filing import Filer, VatFiling
    from acctcli.law.recapitulative import Customer, Fault, Statement

COLUMNS = ("country", "vat_number", "name", "goods", "services", "triangulation")
_FAULTS_TOLD = 20


@shows(COLUMNS)
def show_statement(ctx: Context, period: FiledPeriod, filing_file: FilingFile = None) -> None:
    """State the EU sales of a month by customer.

    A sale that cannot be stated, such as one to a customer without a VAT number, is named, and nothing is filed
    (exit 10); the sums must be those of the VAT return.

    Example: acctcli vat recapitulative --period 2026-03
    """
    from acctcli.cli.command.dates import parse_range
    from acctcli.cli.report.view import View
    from acctcli.cli.vat import filing
    from acctcli.law.recapitulative import state_sales

    here = state(ctx)
    first, last = parse_range(period, "--period", here.today)
    business = filing.fetch_business(here)
    form, stated = business.law.filing(), filing.filing_period(first, last)
    _check_length(stated, form)
    if filing_file is not None:
        filing.check_place(filing_file)
        filing.check_filed(here, first, last, is_part=True)
    statement = state_sales(filing.fetch_eu_sales(here, first, last), business.law.code)
    with filing.reading():
        fault = _fault(statement, form.booked_eu_sales(filing.fetch_vat_report(here, first, last)), period)
    if filing_file is not None and statement.customers and fault is None:
        filing.write_file(here, filing_file, _file(form, statement, stated, filing.Filer(business)))
    View(here, None).show_rows(map(_row, statement.customers), COLUMNS)
    if fault is not None:
        raise fault
    if not statement.customers:
        here.say(f"there are no EU sales in {period}: no statement is due")


def _check_length(period: TaxPeriod, form: VatFiling) -> None:
    if period.kind not in form.statement_periods:
        raise UsageError(f"--period {period.name}: a recapitulative statement is for {form.statement_wanted}")


def _row(line: Customer) -> dict[str, object]:
    amounts = {name: getattr(line, name) for name in COLUMNS[3:]}
    return {"country": line.country, "vat_number": line.number, "name": line.name, **amounts}


def _fault(statement: Statement, booked: tuple[Decimal, Decimal], period: str) -> Incomplete | None:
    """Say why a statement cannot be filed: sales it cannot state, or sums that are not those of the VAT return."""
    refused = f"the statement for {period} cannot be filed"
    if statement.faults:
        return Incomplete(
            f"{refused}; documents: {_told(statement.faults)}",
            hint="correct the contacts, or the VAT codes of the documents, and run the command again",
        )
    stated = (statement.total("goods", "triangulation"), statement.total("services"))
    if stated == booked:
        return None
    return Incomplete(
        f"{refused}: it adds up to goods {stated[0]} and services {stated[1]},"
        f" the VAT report to goods {booked[0]} and services {booked[1]}"
    )


def _told(faults: Sequence[Fault]) -> str:
    told = [f"{one.document} ({one.name}): {one.reason}" for one in faults[:_FAULTS_TOLD]]
    more = f"; and {len(faults) - _FAULTS_TOLD} more" if len(faults) > _FAULTS_TOLD else ""
    return "; ".join(told) + more


def _file(form: VatFiling, statement: Statement, period: TaxPeriod, filer: Filer) -> bytes:
    try:
        return form.statement_file(statement, period, filer, datetime.now())
    except ValueError as problem:
        raise UsageError(str(problem), hint="file months instead of the quarter") from problem
