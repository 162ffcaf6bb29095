"""VAT periods: `/v1/business/{business_slug}/vat_period/` (docs/interface.md 9)."""

from __future__ import annotations

from acctcli.service.cases.periods import vat
from acctcli.service.routes.operation import CLOSING, ONE_BUSINESS, PERIODS, Area
from acctcli.service.store.books import vat_periods

AREA = Area(
    "vat_period",
    f"{ONE_BUSINESS}vat_period/",
    "vat_period",
    name="VAT period",
    read=PERIODS,
    write=PERIODS,
    request="vat_period:VatPeriodRequest",
    response="vat_period:VatPeriod",
)
AREA.list(vat_periods.list_page, vat.show_vat_periods)
AREA.create(vat.create_vat_period)
AREA.get(vat.get_vat_period)
AREA.replace(vat.replace_vat_period)
AREA.update(vat.update_vat_period)
AREA.delete(vat.delete_vat_period)
for verb, case, summary, request in (
    ("lock", vat.lock_vat_period, "Lock a VAT period and the documents dated inside.", None),
    ("unlock", vat.unlock_vat_period, "Unlock a VAT period and the documents it had locked.", None),
    (
        "report",
        vat.report_vat_period,
        "Report the VAT of a period that has ended: file its return, lock it, net its VAT, owe the tax.",
        "vat_period:VatFilingRequest",
    ),
    (
        "reopen",
        vat.reopen_vat_period,
        "Open a reported VAT period again, so that it can be corrected and reported anew.",
        "vat_period:VatReopenRequest",
    ),
):
    response = "vat_period:ReportedVatPeriod" if verb == "report" else AREA.response
    AREA.act(f"action/{verb}/", case, summary, needs=CLOSING, local=True, request=request, response=response)
