"""Recurrence as time passes: every invoice that is due is made once, and mailed if its template says so.

One transaction for each invoice, so that an interruption loses none and doubles none: what is there already is found in
the books. What cannot be made or mailed is told, and tried again by the next run (docs/interface.md 7.6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from acctcli.law.days import today_in
from acctcli.law.vat_codes import OUTPUT_VAT
from acctcli.law.vat_rules import rate_in_force
from acctcli.models.enums import BY_MAIL, RecurrenceReferenceMethod
from acctcli.service.cases.invoices.content import LineColumns, content_of
from acctcli.service.cases.invoices.delivery import MailText, note_delivery, pack
from acctcli.service.cases.invoices.drafts import find, insert_draft
from acctcli.service.cases.invoices.steps import accept
from acctcli.service.cases.invoices.view import show_stored
from acctcli.service.cases.work import Work
from acctcli.service.delivery.outbox import one_at_a_time
from acctcli.service.problems import InFlight, Missing, Problem
from acctcli.service.rules.invoices import row_sums
from acctcli.service.rules.money import from_cents, to_cents
from acctcli.service.rules.recurrence import next_dates
from acctcli.service.store.engine.connection import DatabaseFault, explain
from acctcli.service.store.events import Author, Mark
from acctcli.service.store.invoicing import recurrences
from acctcli.service.store.invoicing.invoices import InvoiceRow
from acctcli.service.store.people.admission import Scope
from acctcli.service.store.people.users import Caller

if TYPE_CHECKING:
    from acctcli.models.invoice import SalesInvoice
    from acctcli.service.delivery.outbox import Outbox, Parcel
    from acctcli.service.store.engine.database import Connection, Database
    from acctcli.service.store.invoicing.recurrences import Seller, Template, Unsent

# one run at a time: another one would find the same days due, and the same mail to be sent
CLAIM = int.from_bytes(b"recur", "big")
MAIL_CLAIM = int.from_bytes(b"mail", "big")
# nobody asks, so addresses of content in what is told of the changes begin with no host of theirs
ORIGIN = "http://localhost"
NOBODY = Caller(0, "", None, 0)
MADE, MAILED, DUE = "made", "mailed", "due"
# a child is no template
RULE = ("recurrence_rule", "recurrence_reference_method", "recurrence_end")
MAIL = ("recurrence_email_subject", "recurrence_email_content")


# of what was done, what no row of it tells
_BESIDE = {"reason", "without_subject"}


class _Rehearsed(Exception):
    """An invoice can be made: what was made of it is not to be kept."""


class Due(NamedTuple):
    """A day of a template that has no invoice yet."""

    date: date
    template: Template
    is_put_off: bool = False

    def told(self, action: str) -> Done:
        """Tell what becomes of it."""
        return Done(self.template.place.slug, self.date, self.template.invoice_number, action)

    def put_off(self, most: int, action: str) -> Done:
        """Tell that the next run makes what is due from this day on."""
        problem = f"more than {most} are due of this template; the next run makes those from {self.date} on"
        return self.told(action).hindered(problem, "TooMany")


class Done(NamedTuple):
    """What was done for a day of a template, or is due, or was not done for a problem; numbers are those of invoices.

    `problem` may quote what is in the books, `reason` says its kind alone. One `without_subject` is to go by mail, and
    has no subject to go with.
    """

    business: str
    date: date
    template: int
    action: str
    invoice_number: int | None = None
    problem: str | None = None
    reason: str | None = None
    without_subject: bool = False

    def hindered(self, problem: str, reason: str) -> Done:
        """Tell that it was not done, and why: one that is only due stays so."""
        action = self.action if self.action == DUE else f"not {self.action}"
        return self._replace(action=action, problem=problem, reason=reason)

    def told(self) -> dict[str, Any]:
        """Return what is told in rows: the reason is for the log, and a subject that is missing is told once."""
        return {name: value for name, value in self._asdict().items() if name not in _BESIDE}


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Makes and mails what is due; `most` of a template in one run, each recorded with the mark of `marker`."""

    database: Database
    outbox: Outbox
    clock: Callable[[], datetime]
    entropy: Callable[[int], bytes]
    most: int
    marker: Callable[[], Mark]

    def run(self, until: date | None, is_over: Callable[[], bool] = lambda: False) -> Iterator[Done]:
        """Make every invoice that is due by a day, the oldest first, then mail what is to be mailed.

        Without a day it is today where each business is. `is_over` is asked before each whether the time is: then the
        next run has what is left. Raises InFlight while another run makes them.
        """
        with self.database.hold(CLAIM):
            due = self._due(until)
            now = takewhile(lambda _: not is_over(), (one for one in due if not one.is_put_off))
            yield from filter(None, map(self._make, now))
            yield from (one.put_off(self.most, MADE) for one in due if one.is_put_off)
        yield from self._mail_all(is_over)

    def preview(self, until: date | None) -> Iterator[Done]:
        """Tell what a run would make, and what would be in its way: each invoice is made, and nothing of it kept."""
        for due in self._due(until):
            yield due.put_off(self.most, DUE) if due.is_put_off else self._rehearse(due)

    def _due(self, until: date | None) -> list[Due]:
        now = self.clock()
        found: list[Due] = []
        with self.database.read() as conn:
            for one in recurrences.templates(conn):
                found += _missing(conn, one, until or today_in(one.place.country, now), self.most)
        return sorted(found, key=lambda due: due.date)

    def _make(self, due: Due) -> Done | None:
        """Make one invoice; None when it is not due any more."""
        done = due.told(MADE)
        try:
            child = self.database.write(lambda conn: self._child(conn, due))
        except (Problem, DatabaseFault) as error:
            return done.hindered(_told(error), type(error).__name__)
        if child is None:
            return None
        return done._replace(invoice_number=child["invoice_number"], without_subject=_lacks_subject(child))

    def _rehearse(self, due: Due) -> Done:
        made: list[SalesInvoice | None] = []

        def make(conn: Connection) -> None:
            made.append(self._child(conn, due))
            raise _Rehearsed

        done = due.told(DUE)
        try:
            with suppress(_Rehearsed):
                self.database.write(make)
        except (Problem, DatabaseFault) as error:
            return done.hindered(_told(error), type(error).__name__)
        return done._replace(without_subject=_lacks_subject(made[-1]))

    def _child(self, conn: Connection, due: Due) -> SalesInvoice | None:
        place = due.template.place
        if not recurrences.lock(conn, place.business_id):
            return None
        return make_child(self._work(conn, place), due.template.invoice_id, due.date)

    def _mail_all(self, is_over: Callable[[], bool]) -> Iterator[Done]:
        """Mail what is to be mailed, under a claim of its own: a slow mail server keeps no other run from making."""
        with self.database.read() as conn:
            unsent = recurrences.unsent(conn)
        with ExitStack() as held:
            try:
                held.enter_context(self.database.hold(MAIL_CLAIM))
            except InFlight:
                yield from (_mailed(child).hindered("another run is mailing", "InFlight") for child in unsent)
            else:
                yield from filter(None, map(self._mail, takewhile(lambda _: not is_over(), unsent)))

    def _mail(self, child: Unsent) -> Done | None:
        """Mail one invoice, and note that it was mailed; None when it is not to be mailed any more."""

        def record(conn: Connection) -> None:
            if not recurrences.lock(conn, child.place.business_id):
                raise Missing("There is no such business.")
            work = self._work(conn, child.place)
            work.sent = parcel.said
            note_delivery(work, child.invoice_id, child.delivery_method)

        done = _mailed(child)
        try:
            with one_at_a_time(self.database, child.place.slug, child.invoice_id):
                with self.database.read() as conn:
                    if not recurrences.is_unsent(conn, child):
                        return None
                    parcel = pack_child(self._work(conn, child.place), child.invoice_id)
                with self.outbox.delivered(parcel):
                    self.database.write(record)
        except (Problem, DatabaseFault) as error:
            return done.hindered(_told(error), type(error).__name__)
        return done

    def _work(self, conn: Connection, place: Seller) -> Work:
        """Return what cases work with; they ask for no permission, whoever calls them has asked."""
        scope = Scope(*place, frozenset())
        author = Author(via="timer", operation="recurrence", marker=self.marker)
        return Work(conn, self.clock(), NOBODY, scope, self.entropy, ORIGIN, author=author)


def _lacks_subject(child: SalesInvoice | None) -> bool:
    """Say whether an invoice is to go by mail and has no subject, without which no run mails it."""
    return child is not None and child["delivery_method"] in BY_MAIL and not child["recurrence_email_subject"]


def _told(error: Problem | DatabaseFault) -> str:
    """Return what is in the way of one of them; one that a database refuses keeps none of the others from it."""
    problem = explain(error)
    if problem is not None:
        return problem.detail
    assert isinstance(error, DatabaseFault)
    return f"The database refuses it ({error.name})."


def _mailed(child: Unsent) -> Done:
    return Done(child.place.slug, child.invoicing_date, child.template_number, MAILED, child.invoice_number)


def _missing(conn: Connection, template: Template, until: date, limit: int) -> list[Due]:
    """Return the days up to one for which nothing was made of a template, and of many the first that one run makes."""
    first, end = template.invoicing_date, min(until, template.end or until)
    made = recurrences.days(conn, template.place.business_id, template.invoice_id)
    rule, most = msgspec.json.decode(template.rule), len(made) + limit + 1
    days = [day for day in next_dates(rule, first, after=first, until=end, count=most) if day not in made]
    return [Due(day, template, is_put_off=number == limit) for number, day in enumerate(days[: limit + 1])]


def make_child(work: Work, template_id: int, day: date) -> SalesInvoice | None:
    """Make the invoice of a day of a template, accepted; None when it is not due any more."""
    template = find(work, template_id, for_update=True)
    if not template.is_active_recurrence_template or day in recurrences.days(work.conn, work.business.id, template.id):
        return None
    content = content_of(work, template)
    columns = {**content.columns, **_own_columns(template, day)}
    lines = [_at_the_rate(work, line, template, columns) for line in content.lines]
    child = content._replace(columns=columns, lines=lines)
    child_id = insert_draft(work, child, template.id)
    work.emit("sales_invoice.created", show_stored(work, child_id))
    return accept(work, find(work, child_id, for_update=True))


def _own_columns(template: InvoiceRow, day: date) -> Mapping[str, Any]:
    """Return what differs from the template: its days, its reference unless kept, and that nothing recurs of it."""
    keeps = template.recurrence_reference_method == RecurrenceReferenceMethod.KEEP
    is_mailed = template.delivery_method in BY_MAIL
    return {
        "invoicing_date": day,
        "settlement_date": _moved(template.settlement_date, template.invoicing_date, day),
        "reference": template.reference if keeps else None,
        "is_active_recurrence_template": False,
        **dict.fromkeys(RULE),
        **{name: getattr(template, name) if is_mailed else None for name in MAIL},
    }


def _at_the_rate(work: Work, line: LineColumns, template: InvoiceRow, columns: Mapping[str, Any]) -> LineColumns:
    """Return a row at the rate in force on its own day; one that was never lawful stays, and is not accepted."""
    before = template.settlement_date or template.invoicing_date
    day = columns["settlement_date"] or columns["invoicing_date"]
    rate = to_cents(rate_in_force(work.law, from_cents(line["vat_rate"]), before, day))
    if line["vat_code"] != OUTPUT_VAT or rate == line["vat_rate"]:
        return line
    sums = row_sums(line["amount_e4"], line["count_e4"], rate, line["vat_code"])
    return {**line, "vat_rate": rate, "total_vat_cents": sums.vat, "total_cents": sums.total}


def _moved(settled: date | None, before: date, day: date) -> date | None:
    """Return a day as far from `day` as it was from the template's; the calendar ends with the year 9999."""
    if settled is None:
        return None
    moved = settled.toordinal() + day.toordinal() - before.toordinal()
    return date.fromordinal(min(max(moved, 1), date.max.toordinal()))


def pack_child(work: Work, invoice_id: int) -> Parcel:
    """Return the mail an invoice made of a template goes with; it is the same mail whenever it is tried."""
    row = find(work, invoice_id)
    text = MailText(row.recurrence_email_subject or "", row.recurrence_email_content, is_automatic=True)
    mark = sha256(f"recurrence\0{work.business.slug}\0{row.id}\0{row.created_at}".encode()).hexdigest()
    assert row.delivery_method in BY_MAIL
    return pack(work, row, row.delivery_method, text, mark)
