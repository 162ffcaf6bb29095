"""Accounting periods: `/v1/business/{business_slug}/period/` (docs/interface.md 3.4)."""

from __future__ import annotations

from acctcli.service.cases.periods import accounting
from acctcli.service.routes.operation import CLOSING, ONE_BUSINESS, PERIODS, Area
from acctcli.service.store.books import periods

AREA = Area(
    "period",
    f"{ONE_BUSINESS}period/",
    "period",
    name="accounting period",
    read=PERIODS,
    write=PERIODS,
    request="period:PeriodRequest",
    response="period:Period",
)
AREA.list(periods.list_page, accounting.show_periods)
AREA.create(accounting.create_period)
AREA.get(accounting.get_period)
AREA.replace(accounting.change_period)
AREA.update(accounting.change_period)
AREA.delete(accounting.delete_period)
AREA.act("action/lock/", accounting.lock_period, "Lock an accounting period.", needs=CLOSING)
AREA.act("action/unlock/", accounting.unlock_period, "Unlock an accounting period.", needs=CLOSING)
