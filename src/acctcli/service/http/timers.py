"""What a served service does by the clock, again and again, whatever goes wrong once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Protocol

from acctcli.law.days import days_of
from acctcli.service.http.logs import LOG
from acctcli.service.problems import InFlight

if TYPE_CHECKING:
    from acctcli.service.cases.invoices.recurrence import Done
    from acctcli.service.cases.work import Limits

HOUR_SECONDS = 3600.0
# after a look that could not begin
TROUBLE_SECONDS = 5.0
# today, everywhere
Days = frozenset[date]


class Books(Protocol):
    """What something is done with by the clock."""

    limits: Limits

    def take_away(self, mail_days: int | None) -> object:
        """Take away what is of no more use."""

    def make_recurring(self, until: date | None) -> Iterable[Done]:
        """Make and mail what is due of templates."""


def start(thread: threading.Thread) -> bool:
    """Start a thread; where the system grants no more of them, log that and say no."""
    try:
        thread.start()
    except RuntimeError as error:
        LOG.warning("a thread could not be started; it is tried again", exc_info=error)
        return False
    return True


def repeat(look: Callable[[], bool], seconds: float, ending: threading.Event) -> None:
    """Look now and every so many seconds until the end, and soon again after a look that says it could not begin.

    `look` only starts threads, in which what goes wrong ends alone: one thread for all looks needs no other one to go
    on. When the process ends, so does this.
    """
    while not ending.is_set() and threading.main_thread().is_alive():
        ending.wait(seconds if look() else min(seconds, TROUBLE_SECONDS))


def keep_time(service: Books, kept: set[Days]) -> bool:
    """Make and mail what is due of templates, on all days that are not yet `kept`; return whether that could begin.

    It is looked at every hour, because a timer of a whole day stands still while a machine sleeps. Of several workers
    one does it.
    """
    days = days_of(datetime.now(UTC))
    threads = [threading.Thread(target=service.take_away, args=[service.limits.mail_days], daemon=True)]
    if days not in kept:
        # the mail that leaves at the end of this worker is waited for
        threads.append(threading.Thread(target=_make_recurring, args=[service, days, kept], daemon=False))
    started = [start(thread) for thread in threads]
    return all(started)


def _make_recurring(service: Books, days: Days, kept: set[Days]) -> None:
    """Do what is due; without a problem the days are kept, else the next look tries again what could not be done.

    When the worker ends, so does this, after what is under way.
    """
    with suppress(InFlight):
        is_kept = True
        for done in service.make_recurring(None):
            if done.problem is not None:
                is_kept = False
                LOG.warning(
                    "template %s of %s: %s for %s: %s",
                    done.template,
                    done.business,
                    done.action,
                    done.date,
                    done.reason,
                )
            if not threading.main_thread().is_alive():
                return
        if is_kept:
            kept.add(days)
