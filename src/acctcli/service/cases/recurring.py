"""Recurrence as time passes: every invoice that is due is made once, and mailed if its template says so.

One transaction for each invoice, so that an interruption loses none and doubles none: what is there already is found in
the books. What cannot be made or mailed is told, and tried again by the next run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from acctcli.models.enums import PermissionKey
from acctcli.service.identity.credentials import Credential
from acctcli.service.problems import Problem
from acctcli.service.routes.call import Call, Query
from acctcli.service.routes.invoices.recurrence import make_child, note_child_mailed, pack_child
from acctcli.service.rules.recurrence import next_dates
from acctcli.service.store import events
from acctcli.service.store.invoicing import recurrences
from acctcli.service.store.people.admission import Scope
from acctcli.service.store.people.users import Caller

if TYPE_CHECKING:
    from acctcli.service.delivery.outbox import Outbox
    from acctcli.service.http.pipeline import Clock, Entropy
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.engine.database import Connection, Database
    from acctcli.service.store.invoicing.recurrences import Place, Template, Unsent

# one run at a time: another one would find the same days due
CLAIM = int.from_bytes(b"recur", "big")
# nobody asks, so the addresses in what is told of the changes begin with no host of his
ORIGIN = "http://localhost"
NOBODY = Caller(0, "", None, 0)


class Due(NamedTuple):
    """A day of a template that has no invoice yet."""

    date: date
    template: Template


class Done(NamedTuple):
    """What was done for a day of a template, or the problem in its way; numbers are those of invoices."""

    business: str
    date: date
    template: int
    action: str
    invoice_number: int | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Makes and mails what is due."""

    database: Database
    outbox: Outbox
    installation: InstallationKey
    clock: Clock
    entropy: Entropy

    def run(self, until: date) -> Iterator[Done]:
        """Make every invoice that is due by a day, the oldest first, then mail what is to be mailed.

        Raises InFlight while another run goes on.
        """
        with self.database.hold(CLAIM):
            yield from filter(None, map(self._make, self._due(until)))
            yield from map(self._mail, self._unsent())

    def _due(self, until: date) -> list[Due]:
        with self.database.read() as conn:
            found = [Due(day, one) for one in recurrences.templates(conn) for day in _missing(conn, one, until)]
        return sorted(found, key=lambda due: due.date)

    def _make(self, due: Due) -> Done | None:
        """Make one invoice; None when it is not due any more."""
        day, template = due

        def work(conn: Connection) -> dict[str, Any] | None:
            recurrences.lock(conn, template.place.slug)
            return make_child(self._call(conn, template.place, template.invoice_id), day)

        done = Done(template.place.slug, day, template.invoice_number, "made")
        try:
            child = self.database.write(work)
        except Problem as problem:
            return done._replace(problem=problem.detail)
        return None if child is None else done._replace(invoice_number=child["invoice_number"])

    def _unsent(self) -> list[Unsent]:
        with self.database.read() as conn:
            return recurrences.unsent(conn)

    def _mail(self, child: Unsent) -> Done:
        """Mail one invoice, and note that it was mailed."""

        def record(conn: Connection) -> None:
            recurrences.lock(conn, child.place.slug)
            note_child_mailed(self._call(conn, child.place, child.invoice_id))

        done = Done(child.place.slug, child.invoicing_date, child.template_number, "mailed", child.invoice_number)
        try:
            with self.database.read() as conn:
                parcel = pack_child(self._call(conn, child.place, child.invoice_id))
            with self.outbox.delivered(parcel):
                self.database.write(record)
        except Problem as problem:
            return done._replace(problem=problem.detail)
        return done

    def _call(self, conn: Connection, place: Place, invoice_id: int) -> Call:
        """Return what operations on an invoice are given; the service itself may do everything."""
        return Call(
            conn=conn,
            now=self.clock(),
            user=NOBODY,
            credential=Credential(""),
            installation=self.installation,
            scope=Scope(*place, frozenset({PermissionKey.ADMIN.value})),
            ids={"invoice_id": invoice_id},
            query=Query({}),
            body=None,
            record=events.record,
            random=self.entropy,
            origin=ORIGIN,
        )


def _missing(conn: Connection, template: Template, until: date) -> list[date]:
    """Return the days up to one for which nothing was made of a template."""
    first, end = template.invoicing_date, min(until, template.end or until)
    days = next_dates(msgspec.json.decode(template.rule), first, after=first, until=end, count=sys.maxsize)
    made = recurrences.days(conn, template.place.business_id, template.invoice_id)
    return [day for day in days if day not in made]
