"""VAT periods: `/v1/business/{business_slug}/vat_period/` (interface: VAT period; wire facts 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.cases.periods import vat
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.operation import CLOSING, ONE_BUSINESS, PERIODS, Area
from acctcli.service.store.books import vat_periods

if TYPE_CHECKING:
    from acctcli.models.vat_period import VatPeriod

AREA = Area(
    "vat_period",
    f"{ONE_BUSINESS}vat_period/",
    read=PERIODS,
    write=PERIODS,
    request="vat_period:VatPeriodRequest",
    response="vat_period:VatPeriod",
    one="{vat_period_id}/",
)


@AREA.page()
def list_vat_periods(call: Call) -> Page:
    """List VAT periods."""
    return call.listed(vat_periods.list_page, show=lambda rows: [vat.show_vat_period(call, row) for row in rows])


@AREA.create()
def create_vat_period(call: Call) -> VatPeriod:
    """Create a VAT period."""
    return vat.create_vat_period(call, call.body)


@AREA.get()
def get_vat_period(call: Call) -> VatPeriod:
    """Show a VAT period."""
    return vat.show_vat_period(call, vat.find_vat_period(call, call.ids["vat_period_id"]))


@AREA.replace()
def replace_vat_period(call: Call) -> VatPeriod:
    """Replace a VAT period."""
    return vat.replace_vat_period(call, call.ids["vat_period_id"], call.body)


@AREA.update()
def update_vat_period(call: Call) -> VatPeriod:
    """Change a VAT period."""
    return vat.update_vat_period(call, call.ids["vat_period_id"], call.body)


@AREA.delete()
def delete_vat_period(call: Call) -> None:
    """Delete a VAT period."""
    vat.delete_vat_period(call, call.ids["vat_period_id"])


@AREA.post("action/lock/", needs=CLOSING)
def lock_vat_period(call: Call) -> VatPeriod:
    """Lock a VAT period and the documents dated inside."""
    return vat.lock_vat_period(call, call.ids["vat_period_id"])


@AREA.post("action/unlock/", needs=CLOSING)
def unlock_vat_period(call: Call) -> VatPeriod:
    """Unlock a VAT period and the documents it had locked."""
    return vat.unlock_vat_period(call, call.ids["vat_period_id"])


@AREA.post("action/report/", needs=CLOSING)
def report_vat_period(call: Call) -> VatPeriod:
    """Report the VAT of a period that has ended: lock it, net its VAT, owe the tax."""
    return vat.report_vat_period(call, call.ids["vat_period_id"])
