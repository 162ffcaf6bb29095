"""What is closed stays as it is: one place says what a closed period keeps from being written.

A locked accounting period, and a locked or reported VAT period, fixes every figure that a report of its days shows,
and of the days before them, which are its opening balances. Whatever would change one is Locked, naming the period
(docs/interface.md 3.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from acctcli.law.closed_days import Closing, Span
from acctcli.service.cases.work import Work
from acctcli.service.problems import Locked
from acctcli.service.rules.reports.spans import shifted
from acctcli.service.store.books import closings


def refuse_closed_day(work: Work, day: date) -> None:
    """Refuse to write on a day that is closed."""
    if found := closings.closings(work.conn, work.business.id, day):
        raise Locked(f"{found[0].why(day)}.")


def latest(work: Work) -> Closing | None:
    """Return the period that closes most days, None while all days are open."""
    found = closings.closings(work.conn, work.business.id)
    return found[-1] if found else None


def refuse_settings(work: Work, what: Iterable[str]) -> None:
    """Refuse to change what the reports of all closed days read; `what` names each thing that would be changed."""
    if (named := ", ".join(what)) and (closing := latest(work)) is not None:
        raise Locked(f"{closing}: {named} cannot change, because figures of closed days would.")


def refuse_arranging(work: Work, what: str) -> None:
    """Refuse to change where statements show something, while they are those of a closed accounting period."""
    if any(not closing.is_vat for closing in closings.closings(work.conn, work.business.id)):
        refuse_settings(work, [what])


def has_closed_figures(work: Work, account_id: int, opening_cents: int) -> bool:
    """Say whether an account stands in reports of closed days."""
    closing = latest(work)
    if closing is None:
        return False
    return opening_cents != 0 or closings.has_moved(work.conn, work.business.id, account_id, closing.end)


def refuse_spans(work: Work, before: Sequence[Span], after: Sequence[Span]) -> None:
    """Refuse accounting periods by which the result of a closed day would begin on another day."""
    closing = latest(work)
    if closing is None:
        return
    if day := shifted(before, after, closing.end):
        raise Locked(f"{closing}: the result of {day} would begin on another day, and that day is closed.")
