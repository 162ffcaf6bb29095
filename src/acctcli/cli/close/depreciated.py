"""Depreciation at the end of a period: what plans say of it has to be posted as they say (docs/closing.md 3)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from acctcli.cli.check.findings import Finding
from acctcli.cli.close.closing import Closing
from acctcli.cli.depreciation.assets import path_of, read_plans
from acctcli.cli.depreciation.posting import Posted, year_problems
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.errors import UsageError

DEPRECIATION = "depreciation"
_TYPE = "ASS_DEP"


def check_depreciation(here: State, closing: Closing) -> Iterator[Finding]:
    """Name portions of plans that end in the period and are not posted as planned; else assets that have no plan."""
    path = path_of(here, None)
    if not path.exists():
        yield from _without_plan(closing)
        return
    try:
        plans = read_plans(here, None)
    except UsageError as unread:
        yield Finding(DEPRECIATION, str(path), unread.message, "acctcli depreciation plan", is_fault=True)
        return
    for plan, wrong in year_problems(plans, closing.books.periods, closing.days):
        yield Finding(DEPRECIATION, plan.title, wrong, f"mend it in {path}", is_fault=True)
    posted = Posted(here)
    for one in posted.due(plans, date.min, closing.last):
        # what is not in these books from before may be in others
        is_lacking = one.document is None and one.portion.last >= closing.days[0]
        if problem := "it is not posted" if is_lacking else one.problem:
            record = f"{one.planned.title}, {one.portion.name}"
            remedy = f"acctcli depreciation post --period {one.portion.last:%Y-%m}"
            yield Finding(DEPRECIATION, record, problem, remedy, is_fault=True)
    for stray in posted.strays(plans):
        yield Finding(DEPRECIATION, stray, "it is in no plan", "acctcli depreciation plan", is_fault=True)


def _without_plan(closing: Closing) -> Iterator[Finding]:
    """Note what accounts of depreciable assets hold at the end of an accounting period, where no file has a plan."""
    if not any(one.end_date == closing.last for one in closing.books.periods):
        return
    for account in closing.books.chart.by_id.values():
        held = rounded(closing.holds(account.number))
        if account.type == _TYPE and held:
            problem = f"{account.name} holds {held}, and there is no file of assets with a plan"
            yield Finding(DEPRECIATION, f"account {account.number}", problem, "acctcli depreciation plan --help")
