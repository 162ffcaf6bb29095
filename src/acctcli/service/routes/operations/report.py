"""Reports."""

from __future__ import annotations

from acctcli.service.routes.route import MODELS, ONE_BUSINESS, REPORTS_READ, ROUTES, Route

REPORTS = (
    Route(
        "POST",
        f"{ONE_BUSINESS}report/journal/",
        f"{ROUTES}.report:journal",
        "Report every posted document of a range with its entries.",
        needs=REPORTS_READ,
        request=f"{MODELS}.report:RangeReportRequest",
        response=f"{MODELS}.report:JournalReport",
        reads=True,
    ),
)
