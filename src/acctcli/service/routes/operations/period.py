"""Accounting periods."""

from __future__ import annotations

from acctcli.service.routes.route import MODELS, ONE_BUSINESS, ROUTES, Route, area, resource

# reading a period needs a key that may write one, too (wire facts 2.2)
PERIODS = area("reporting", "editor", "admin")
CLOSING = area("reporting", "admin")

PERIOD_PATH = f"{ONE_BUSINESS}period/"
ACCOUNTING_PERIODS = resource(
    "periods.period",
    "period",
    PERIOD_PATH,
    "accounting period",
    models=("period:PeriodRequest", "period:Period"),
    read=PERIODS,
    write=PERIODS,
) + tuple(
    Route(
        "POST",
        f"{PERIOD_PATH}{{period_id}}/action/{verb}/",
        f"{ROUTES}.periods.period:{verb}_period",
        f"{verb.capitalize()} an accounting period.",
        needs=CLOSING,
        response=f"{MODELS}.period:Period",
    )
    for verb in ("lock", "unlock")
)
