"""Reports: `/v1/business/{business_slug}/report/` (docs/interface.md 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acctcli.service.routes.operation import ONE_BUSINESS, Area, keys, load

if TYPE_CHECKING:
    from pydantic import BaseModel

    from acctcli.service.cases.work import Work

CASES = "acctcli.service.cases.reports"
READ = keys("reporting", "read", "editor", "admin")
RANGE, POINT, EQUITY = "RangeReportRequest", "PointReportRequest", "EquityReportRequest"
STATEMENT = "AccountingReport"

BOOKS = Area("books", f"{ONE_BUSINESS}report/", one="", write=READ)
VAT = Area("vat", BOOKS.path, one="", write=READ)
STATEMENTS = Area("statements", BOOKS.path, one="", write=READ)


def _report(area: Area, name: str, summary: str, request: str, response: str) -> None:
    """Declare a report, a POST that only reads; its case, in the module named like the area, is loaded when asked."""
    case = name.replace("-", "_")

    def report(work: Work, asked: BaseModel) -> Any:
        return load(f"{CASES}.{area.tag}:{case}")(work, asked)

    models = {"request": f"report:{request}", "response": f"report:{response}"}
    area.act(f"{name}/", report, summary, name=case, reads=True, **models)


_report(BOOKS, "journal", "Report every posted document of a range with its entries.", RANGE, "JournalReport")
_report(BOOKS, "ledger", "Report every account of a range with its entries.", RANGE, "LedgerReport")
_report(VAT, "vat-report", "Report what is sold and bought by VAT, and what is owed.", RANGE, "VatReport")
_report(VAT, "eu-vat-contact-report", "Report sales to other EU countries.", RANGE, "EuVatReport")
_report(STATEMENTS, "income-statement", "Report what ranges earned and cost.", RANGE, STATEMENT)
_report(STATEMENTS, "income-statement-short", "Report the sums of what ranges earned and cost.", RANGE, STATEMENT)
_report(STATEMENTS, "balance-sheet", "Report what the business has and owes.", POINT, STATEMENT)
_report(STATEMENTS, "balance-sheet-short", "Report the sums of what the business has and owes.", POINT, STATEMENT)
_report(STATEMENTS, "equity-changes", "Report what changed the equity.", EQUITY, STATEMENT)
