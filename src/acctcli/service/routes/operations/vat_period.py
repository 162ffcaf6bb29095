"""VAT periods."""

from __future__ import annotations

from acctcli.service.routes.operations.period import CLOSING, PERIODS
from acctcli.service.routes.route import MODELS, ONE_BUSINESS, ROUTES, Route, resource

VAT_PERIOD_PATH = f"{ONE_BUSINESS}vat_period/"


def _action(verb: str, summary: str) -> Route:
    return Route(
        "POST",
        f"{VAT_PERIOD_PATH}{{vat_period_id}}/action/{verb}/",
        f"{ROUTES}.periods.vat_period:{verb}_vat_period",
        summary,
        needs=CLOSING,
        response=f"{MODELS}.vat_period:VatPeriod",
    )


VAT_PERIODS = (
    *resource(
        "periods.vat_period",
        "vat_period",
        VAT_PERIOD_PATH,
        "VAT period",
        models=("vat_period:VatPeriodRequest", "vat_period:VatPeriod"),
        read=PERIODS,
        write=PERIODS,
    ),
    _action("lock", "Lock a VAT period and the documents dated inside."),
    _action("unlock", "Unlock a VAT period and the documents it had locked."),
    _action("report", "Report the VAT of a period that has ended: lock it, net its VAT, owe the tax."),
)
