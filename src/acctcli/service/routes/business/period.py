"""Accounting periods: `/v1/business/{business_slug}/period/` (docs/interface.md 3.4)."""

from __future__ import annotations

from functools import partial

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
AREA.create(accounting.create_period, partial=True)
AREA.get(accounting.get_period)
AREA.replace(accounting.change_period, partial=True)
AREA.update(accounting.change_period)
AREA.delete(accounting.delete_period)
for verb, is_locked in (("lock", True), ("unlock", False)):
    case, name = partial(accounting.set_lock, is_locked=is_locked), f"{verb}_period"
    AREA.act(f"action/{verb}/", case, f"{verb.title()} an accounting period.", name=name, needs=CLOSING, local=True)
