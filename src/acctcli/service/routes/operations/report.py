"""Reports."""

from __future__ import annotations

from acctcli.service.routes.route import MODELS, ONE_BUSINESS, REPORTS_READ, ROUTES, Route

RANGE, POINT, EQUITY = "RangeReportRequest", "PointReportRequest", "EquityReportRequest"
STATEMENT = "AccountingReport"


def _report(name: str, summary: str, request: str, response: str, module: str = "statements") -> Route:
    """Return a report: a POST that only reads."""
    return Route(
        "POST",
        f"{ONE_BUSINESS}report/{name}/",
        f"{ROUTES}.reports.{module}:{name.replace('-', '_')}",
        summary,
        needs=REPORTS_READ,
        request=f"{MODELS}.report:{request}",
        response=f"{MODELS}.report:{response}",
        reads=True,
    )


REPORTS = (
    _report(
        "journal",
        "Report every posted document of a range with its entries.",
        RANGE,
        "JournalReport",
        "books",
    ),
    _report("ledger", "Report every account of a range with its entries.", RANGE, "LedgerReport", "books"),
    _report("vat-report", "Report what is sold and bought by VAT, and what is owed.", RANGE, "VatReport", "vat"),
    _report("eu-vat-contact-report", "Report sales to other EU countries.", RANGE, "EuVatReport", "vat"),
    _report("income-statement", "Report what ranges earned and cost.", RANGE, STATEMENT),
    _report("income-statement-short", "Report the sums of what ranges earned and cost.", RANGE, STATEMENT),
    _report("balance-sheet", "Report what the business has and owes.", POINT, STATEMENT),
    _report("balance-sheet-short", "Report the sums of what the business has and owes.", POINT, STATEMENT),
    _report("equity-changes", "Report what changed the equity.", EQUITY, STATEMENT),
)
