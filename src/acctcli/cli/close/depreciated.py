"""Depreciation at the end of a period: what plans say of it has to be posted as they say (docs/closing.md 3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from acctcli.cli.check.findings import Finding
from acctcli.cli.close.closing import Closing
from acctcli.cli.depreciation.assets import Planned, path_of, read_plans
from acctcli.cli.depreciation.posting import Posted, year_problems
from acctcli.cli.document.entries import units_of
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.errors import UsageError

DEPRECIATION = "depreciation"
_TYPE = "ASS_DEP"


def check_depreciation(here: State, closing: Closing) -> Iterator[Finding]:
    """Name portions of plans that end in the period and are not posted as planned; else assets that have no plan.

    Where all is posted it is noted what accounts of assets hold that no plan leaves there.
    """
    path = path_of(here, None)
    if not path.exists():
        yield from _held_otherwise(closing, None)
        return
    try:
        plans = read_plans(here, None)
    except UsageError as unread:
        yield Finding(DEPRECIATION, str(path), unread.message, "acctcli depreciation plan", is_fault=True)
        return
    found = list(_not_as_planned(here, closing, plans, path))
    yield from found or _held_otherwise(closing, plans)


def _not_as_planned(here: State, closing: Closing, plans: Sequence[Planned], path: Path) -> Iterator[Finding]:
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


def _held_otherwise(closing: Closing, plans: Sequence[Planned] | None) -> Iterator[Finding]:
    """Note accounts of depreciable assets that hold at the end of an accounting period what no plan leaves there."""
    if not any(one.end_date == closing.last for one in closing.books.periods):
        return
    left: defaultdict[str, int] = defaultdict(int)
    for plan in plans or ():
        left[plan.written.account] += plan.left_on(closing.last)
    for account in closing.books.chart.by_id.values():
        held, planned = rounded(closing.holds(account.number)), units_of(left[account.number])
        if account.type == _TYPE and held != planned:
            told = "there is no file of assets with a plan" if plans is None else f"plans leave {planned} there"
            problem = f"{account.name} holds {held}, and {told}"
            yield Finding(DEPRECIATION, f"account {account.number}", problem, "acctcli depreciation plan --help")
