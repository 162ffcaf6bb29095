"""Accounting periods: `/v1/business/{business_slug}/period/` (wire facts 1.1, 2.14, 4.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.cases.periods import accounting
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.operation import CLOSING, ONE_BUSINESS, PERIODS, Area
from acctcli.service.rules.periods import Span
from acctcli.service.store.books import periods

if TYPE_CHECKING:
    from acctcli.models.period import Period

AREA = Area(
    "period",
    f"{ONE_BUSINESS}period/",
    read=PERIODS,
    write=PERIODS,
    request="period:PeriodRequest",
    response="period:Period",
    one="{period_id}/",
)


@AREA.page()
def list_periods(call: Call) -> Page:
    """List accounting periods."""
    return call.listed(periods.list_page, show=lambda rows: [accounting.show_period(call, row) for row in rows])


@AREA.create()
def create_period(call: Call) -> Period:
    """Create an accounting period."""
    return accounting.create_period(call, Span(call.body.start_date, call.body.end_date))


@AREA.get()
def get_period(call: Call) -> Period:
    """Show an accounting period."""
    return accounting.show_period(call, accounting.find_period(call, call.ids["period_id"]))


@AREA.replace()
def replace_period(call: Call) -> Period:
    """Replace an accounting period."""
    return accounting.change_period(call, call.ids["period_id"], call.body)


@AREA.update()
def update_period(call: Call) -> Period:
    """Change an accounting period."""
    return accounting.change_period(call, call.ids["period_id"], call.body)


@AREA.delete()
def delete_period(call: Call) -> None:
    """Delete an accounting period."""
    accounting.delete_period(call, call.ids["period_id"])


@AREA.post("action/lock/", needs=CLOSING)
def lock_period(call: Call) -> Period:
    """Lock an accounting period."""
    return accounting.set_period_lock(call, call.ids["period_id"], True)


@AREA.post("action/unlock/", needs=CLOSING)
def unlock_period(call: Call) -> Period:
    """Unlock an accounting period."""
    return accounting.set_period_lock(call, call.ids["period_id"], False)
