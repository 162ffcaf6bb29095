"""Looking again at what others may have changed meanwhile: lists, and totals of two requests that are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple, TypeVar

import msgspec

from acctcli.cli.check.entered import ZERO
from acctcli.cli.check.findings import Finding
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.client.pages import CHANGED
from acctcli.errors import Incomplete

TOTALS = "totals"
T = TypeVar("T")
LOOKS = 3
UNSURE = "it was written all the while, run this again when nobody writes"


class Difference(NamedTuple):
    """A total that is another by a second way: which one, by how much, and what is said of it."""

    total: str
    by: tuple[Decimal, ...]
    finding: Finding


class _Newest(msgspec.Struct):
    id: int


_read_newest = reader(_Newest, "a record of the audit trail")


def is_of_changed(finding: Finding) -> bool:
    """Whether a list changed while it was read."""
    return finding.is_fault and finding.problem.startswith(CHANGED)


def settled(
    here: State,
    look: Callable[[], T],
    findings_of: Callable[[T], list[Finding]],
    is_passing: Callable[[Finding], bool] = is_of_changed,
) -> T:
    """Look, and once more where others wrote and a finding may come of that; return what came of the last look.

    Where they write all the while nobody can say what is in a list that changed, and it is no fault of the books; nor
    is what was not found at both looks.
    """
    made, is_written = _watched(here, look)
    first = list(findings_of(made))
    if is_written and any(map(is_passing, first)):
        made, is_written = _watched(here, look)
        found = findings_of(made)
        found[:] = [
            _unsure(one) if is_written and is_passing(one) and (is_of_changed(one) or one not in first) else one
            for one in found
        ]
    return made


def _watched(here: State, look: Callable[[], T]) -> tuple[T, bool]:
    """Look, and say whether the audit trail got a record meanwhile.

    Where it got one, what cannot go on without a list that changed while it was read is looked at again.
    """
    for left in reversed(range(LOOKS)):
        before = _newest(here)
        try:
            made = look()
        except Incomplete as problem:
            if not (left and before not in (None, _newest(here)) and str(problem).startswith(CHANGED)):
                raise
        else:
            break
    return made, before is not None and before != _newest(here)


def _unsure(finding: Finding) -> Finding:
    return finding._replace(problem=f"{finding.problem}; {UNSURE}", is_fault=False)


def lasting(here: State, first: list[Difference], look: Callable[[], list[Difference]]) -> list[Finding]:
    """Look again at what differed at a first look; return what goes on to differ.

    A look during which nothing was written says all. Where others write all the while, what was right at any look is
    right, and what differed by the same at all of them is wrong; of the rest nobody can say.
    """
    seen = {one.total: {one.by} for one in first}
    found = {one.total: one.finding for one in first}
    for _ in range(LOOKS - 1):
        if not found:
            break
        before = _newest(here)
        now = look()
        if before is not None and before == _newest(here):
            return [one.finding for one in now]
        found = {one.total: one.finding for one in now if one.total in found}
        for one in now:
            seen.setdefault(one.total, set()).add(one.by)
    return [one if len(seen[total]) == 1 else _unsure(one) for total, one in found.items()]


def _newest(here: State) -> int | None:
    """Return the newest record of the audit trail; None where there is no trail to ask for."""
    if not here.is_local_service:
        return None
    return next((one.id for one in read_all(here.api.audit.list({}, Extent(limit=1)), _read_newest)), 0)


def compared(
    report: str, stated: Mapping[str, Decimal], computed: Mapping[str, Decimal], remedy: str
) -> Iterator[Difference]:
    """Compare what is said of accounts, and of those left out, with the same by another way; yield what differs."""
    for number in sorted({*stated, *computed}):
        value, other = rounded(stated.get(number, ZERO)), rounded(computed.get(number, ZERO))
        if value != other:
            problem = f"the {report} says {value}, its entries come to {other}"
            finding = Finding(TOTALS, f"account {number}", problem, remedy, is_fault=True)
            yield Difference(f"account {number}, {report}, {remedy}", (value - other,), finding)
