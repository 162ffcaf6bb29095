"""What a case works with: a connection, a business, a clock; handlers of requests and timers bring them alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from acctcli import law
from acctcli.law.days import today_in
from acctcli.service.problems import Missing
from acctcli.service.store import businesses, events, service_trail
from acctcli.service.store.events import NOBODY, Author
from acctcli.service.store.moments import stamp

if TYPE_CHECKING:
    from acctcli.law.decisions import Chart, Country
    from acctcli.service.store.engine.database import Connection
    from acctcli.service.store.people.admission import Scope
    from acctcli.service.store.people.users import Caller

T = TypeVar("T")


class Limits(NamedTuple):
    """What a service lets a business have and a request ask for, and how long it keeps copies of mail.

    None is no limit: whoever keeps their own books needs none from themselves.
    """

    stored_bytes: int | None = None  # of the files of a business
    items: int = 10_000  # in the lists of a body
    recurring: int = 100  # invoices that one run makes of a template: one of long ago, a slip, does not fill the books
    mail_days: int | None = None


OWN_BOOKS = Limits()


class Large(Exception):
    """What a request shows takes so much memory that it must be its turn: it is to begin anew, in one."""


@dataclass(slots=True)
class Work:
    """A unit of work inside one transaction.

    `conn` belongs to the transaction; `now` is aware UTC; `random` returns bytes; `origin` is scheme and host that
    addresses of content begin with; `limits` are those of the service; `has_turn`: it may show what takes much memory;
    `discarded` are names of content to remove after the commit, `gave_up` says that a business is to be erased then.
    `login_address` is where people sign in to the service, None where nobody does.
    `sent` is what is kept of what left the service before it. `author` is who the trail names, `recorded` how many
    records of it were made.
    """

    conn: Connection
    now: datetime
    user: Caller
    scope: Scope | None
    random: Callable[[int], bytes]
    origin: str
    login_address: str | None = field(default=None, kw_only=True)
    limits: Limits = field(default=OWN_BOOKS, kw_only=True)
    has_turn: bool = field(default=True, kw_only=True)
    author: Author = field(default=NOBODY, kw_only=True)
    recorded: int = field(default=0, kw_only=True)
    discarded: list[str] = field(default_factory=list, kw_only=True)
    gave_up: bool = field(default=False, kw_only=True)
    sent: str | None = field(default=None, kw_only=True)

    @property
    def business(self) -> Scope:
        """The business it is about; only where there is one may ask."""
        if self.scope is None:
            raise RuntimeError("this work has no business")
        return self.scope

    @property
    def law(self) -> Country:
        """The law that the business lives under."""
        return law.country(self.business.country)

    @property
    def chart(self) -> Chart:
        """The chart of accounts that the business was made with."""
        return self.law.chart(businesses.chart(self.conn, self.business.id))

    @property
    def today(self) -> date:
        """Today where the business is, without one in UTC (docs/interface.md 1.8)."""
        return today_in(None if self.scope is None else self.scope.country, self.now)

    @property
    def stamp(self) -> str:
        """`now` as it is stored and sent: ISO 8601 UTC with microseconds."""
        return stamp(self.now)

    @property
    def born(self) -> dict[str, str]:
        """The columns that say when a new record was made and last changed."""
        return {"created_at": self.stamp, "updated_at": self.stamp}

    def take_turn(self) -> None:
        """Say that what comes is large; raises Large when it is not yet the turn of this work."""
        if not self.has_turn:
            raise Large

    def emit(self, event_type: str, data: Any) -> None:
        """Record one event of this change, `<resource>.<verb>` with the resource as GET returns it.

        See docs/interface.md 11.1.
        """
        self.recorded += 1
        events.record(self.conn, self.business.id, event_type, data, self.stamp, self.author)

    def tell(self, event_type: str, data: Any) -> None:
        """Record what belongs to no business in the trail of the service (docs/interface.md 11.5)."""
        service_trail.record(self.conn, event_type, data, self.stamp, self.author)


def found(row: T | None, noun: str) -> T:
    """Return a row that was looked for; Missing when there is none."""
    if row is None:
        raise Missing(f"There is no such {noun}.")
    return row
