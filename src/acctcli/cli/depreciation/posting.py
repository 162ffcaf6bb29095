"""What of plans is posted: each portion once, found again by the tag in its document (docs/closing.md 3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import msgspec

from acctcli.cli.account.chart import Chart, read_chart
from acctcli.cli.check.books import Period, read_periods
from acctcli.cli.command.body import check
from acctcli.cli.command.many import Step, create_once, send_all
from acctcli.cli.command.once import base_key
from acctcli.cli.depreciation.assets import HINT, PREFIX, TAG, Planned
from acctcli.cli.document.entries import units_of
from acctcli.cli.document.moves import Booked
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.output.stderr import how_many_are
from acctcli.cli.session.state import State
from acctcli.client.messages import LARGEST_PAGE, Extent, Reply
from acctcli.errors import Forbidden, Incomplete, UsageError
from acctcli.law.calendar import month_after
from acctcli.law.depreciation import Method, Portion
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.document import DocumentRequest
from acctcli.models.enums import DocumentType

Days = tuple[date, date]
_LONGEST = 256
_AS_IT_WAS = "where the plan was changed since, what is left is an asset of another id"
_YEAR = 12


class _Document(Booked):
    description: str = ""
    number: str | None = None

    @property
    def called(self) -> str:
        """Its number as people know it."""
        return self.number or str(self.id)


_read = reader(_Document, "a document")


class Due(NamedTuple):
    """A portion of a plan, and the documents that are there for it, the oldest first."""

    planned: Planned
    portion: Portion
    documents: Sequence[_Document] = ()

    @property
    def tag(self) -> str:
        """What its document is found by."""
        return self.planned.tag(self.portion)

    @property
    def document(self) -> _Document | None:
        """The document that was posted for it."""
        return self.documents[0] if self.documents else None

    @property
    def problem(self) -> str | None:
        """What is wrong with its document; None where there is none, or it is as planned.

        What takes the document back, or corrects it, has its tag, and counts with it.
        """
        if self.document is None:
            return None
        if self.document.is_draft:
            return "it is a draft"
        posted = [one for one in self.documents if not one.is_draft]
        taken, planned = -sum(one.moves(self.planned.written.account) for one in posted), self.portion.amount
        if taken == planned:
            return None
        who = "it takes" if len(posted) == 1 else f"it and {' and '.join(one.called for one in posted[1:])} take"
        return f"{who} {units_of(taken)} off, the plan {units_of(planned)}"


class _Created(msgspec.Struct):
    id: int


class Posted:
    """The documents of portions, by their tags, the oldest first."""

    def __init__(self, here: State) -> None:
        listing = here.api.documents.list({"search": PREFIX}, Extent(None, LARGEST_PAGE)).while_it_grows()
        self._by_tag: defaultdict[str, list[_Document]] = defaultdict(list)
        for one in sorted(read_all(listing, _read), key=lambda one: one.id):
            for tag in TAG.findall(one.description)[-1:]:
                self._by_tag[tag].append(one)

    def document(self, tag: str) -> _Document | None:
        """Return the document of a portion."""
        return next(iter(self._by_tag.get(tag, ())), None)

    def due(self, plans: Iterable[Planned], first: date, last: date) -> list[Due]:
        """Return the portions that end on some days, each with its document."""
        some = [(one, portion) for one in plans for portion in one.portions if first <= portion.last <= last]
        return [Due(one, portion, self._by_tag.get(one.tag(portion), ())) for one, portion in some]

    def strays(self, plans: Iterable[Planned]) -> list[str]:
        """Name the documents of the assets that no portion is for, as when months become years."""
        found = []
        for one in plans:
            known = {one.tag(portion) for portion in one.portions}
            own = (tag for tag in sorted(self._by_tag) if tag.startswith(one.prefix) and tag not in known)
            found += [f"document {self._by_tag[tag][0].called} ({tag})" for tag in own]
        return found


def post(here: State, plans: Sequence[Planned], days: Days, columns: Sequence[str]) -> None:
    """Post the portions that end on some days and are not there; all are checked before the first is sent.

    Raises UsageError for an account that is none of an asset or of expenses, and for years that are not those of the
    accounting periods, Incomplete where a document is not what the plan says.
    """
    posted, chart = Posted(here), read_chart(here)
    if strays := posted.strays(plans):
        raise Incomplete(
            f"posted, and in no plan: {', '.join(strays)}; nothing more is posted",
            hint="let the plan be what it was, or delete them",
        )
    due = posted.due(plans, *days)
    for planned, problem in year_problems(plans, _known_periods(here), days):
        raise UsageError(f"{planned.place}, {problem}", hint=HINT)
    before = [one for one in posted.due(plans, date.min, days[0]) if one.portion.last < days[0]]
    bodies = [(one, _body(one, chart)) for one in due if one.document is None]
    for one in due:
        if one.document is not None and one.problem is None:
            here.say(f"note: {one.planned.title}, {one.portion.name}: document {one.document.called} is there already")
    if not due:
        here.say(f"note: no portion of a plan ends from {days[0]} to {days[1]}")
    for planned in plans:
        if names := [one.portion.name for one in before if one.document is None and one.planned is planned]:
            here.say(f"note: {planned.title}: not posted in these books before: {', '.join(names)}")
    if wrong := _differing(before):
        here.say(f"note: before {days[0]}, not as planned: {'; '.join(wrong)}; {_AS_IT_WAS}")
    base = base_key(here)
    made: dict[str, int] = {}
    steps = (Step(partial(_create, here, body, base, one.tag, made), one.tag) for one, body in bodies)
    send_all(here, steps, base, columns, lambda number: f"{how_many_are(number, 'document')} posted")
    _give_way(here, made)
    if wrong := _differing(due):
        raise Incomplete(
            f"not as planned: {'; '.join(wrong)}",
            hint="correct it, or delete or reverse what is too much, then run this again",
        )


def _differing(some: Iterable[Due]) -> list[str]:
    return [f"document {one.document.called}: {one.problem}" for one in some if one.document and one.problem]


def _known_periods(here: State) -> list[Period]:
    """Return the accounting periods; to whoever may not see them none is known."""
    try:
        return read_periods(here)
    except Forbidden:
        return []


def year_problems(plans: Iterable[Planned], periods: Iterable[Period], days: Days) -> Iterator[tuple[Planned, str]]:
    """Yield plans whose years are not those of the accounting periods of some days, the field and what is wrong.

    A period has one portion of the residue, however long it is (EVL § 30). Of other methods, months that the period
    before had are no part of a portion of it.
    """
    periods = list(periods)
    some = [one for one in periods if one.start_date <= days[1] and one.end_date >= days[0]]
    for one, period in product(plans, some):
        within = [portion for portion in one.portions if _meets(portion, period)]
        told = f"the accounting period {period.start_date} to {period.end_date}"
        method, year = one.written.method, month_after(period.end_date, 1 - _YEAR)
        is_even = method == Method.STRAIGHT_LINE and one.written.every == "month"
        if within and not is_even and one.year_ends != period.end_date.month:
            yield one, f"year_ends: {told} ends with the month {period.end_date.month}, and plans with {one.year_ends}"
        elif within and method == Method.RESIDUE and within[0].last < year:
            told += f" has one portion of the residue, and {within[0].name} would be another one"
            yield one, f"start: {told}; {year} would leave it out"
        elif method != Method.RESIDUE and any(_is_cut(portion, period, periods) for portion in within):
            told += f" begins within the year {within[0].name} of the plan, of which the period before had months"
            yield one, f"start: {told}; what is left then is an asset of another id, from {period.start_date} on"


def _is_cut(portion: Portion, period: Period, periods: Iterable[Period]) -> bool:
    """Whether a portion of a year has months before a period in another one."""
    begins_before = not portion.is_monthly and portion.first < period.start_date.replace(day=1)
    return begins_before and any(portion.first <= one.end_date < period.start_date for one in periods)


def _meets(portion: Portion, period: Period) -> bool:
    return portion.first <= period.end_date and portion.last >= period.start_date


def _create(here: State, body: DocumentRequest, base: str, tag: str, made: dict[str, int]) -> Reply:
    reply = create_once(here, base, tag, partial(here.api.documents.create, body), here.api.documents.get)
    made[tag] = decoded(reply, _Created).id
    return reply


def _give_way(here: State, made: Mapping[str, int]) -> None:
    """Delete what this run posted a moment after another one: both looked before either had posted."""
    if not made:
        return
    there = Posted(here)
    for tag, document in made.items():
        older = there.document(tag)
        if older is not None and older.id < document:
            here.api.documents.delete(document)
            here.say(f"note: another run posted {tag} meanwhile, as document {older.called}: this one's is deleted")


def _body(one: Due, chart: Chart) -> DocumentRequest:
    written = one.planned.written
    asset = chart.find(written.account, f"{one.planned.place}, account")
    expense = chart.find(written.expense, f"{one.planned.place}, expense")
    if not asset.type.startswith("ASS"):
        raise UsageError(f"{one.planned.place}, account: {asset} is no account of assets")
    if not expense.type.startswith("EXP"):
        raise UsageError(f"{one.planned.place}, expense: {expense} is no account of expenses")
    row = {"amount": units_of(one.portion.amount), "vat_code": NO_VAT}
    values: dict[str, Any] = {
        "date": one.portion.last,
        "type": DocumentType.DEPRECIATION,
        "description": _described(one),
        "blueprint": {
            "debet_entries": [{**row, "account_id": expense.id}],
            "credit_entries": [{**row, "account_id": asset.id}],
        },
    }
    return check(DocumentRequest, values)


def _described(one: Due) -> str:
    text = f"Depreciation {one.portion.name}: {one.planned.title}"
    return f"{text[: _LONGEST - len(one.tag) - 1].strip()} {one.tag}"


def rows_of(plans: Iterable[Planned], days: Days | None) -> Iterator[dict[str, Any]]:
    """Yield plans as rows, of all days or of those given; amounts in currency units."""
    for one in plans:
        for portion in one.portions:
            if days is None or days[0] <= portion.last <= days[1]:
                yield {
                    "asset": one.written.id,
                    "period": portion.name,
                    "date": portion.last,
                    "opening": units_of(portion.opening),
                    "depreciation": units_of(portion.amount),
                    "closing": units_of(portion.closing),
                }
