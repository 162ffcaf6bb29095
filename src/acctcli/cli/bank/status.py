"""`bank status`: how accounts stand at the bank and in the books, day by day, and what differs (docs/bank.md 9)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from acctcli.banking.statements.comparing import MOST_NAMED, Day, Difference
from acctcli.cli.bank.compared import Compared
from acctcli.cli.document.entries import units_of
from acctcli.cli.output.show import show_values
from acctcli.cli.output.stderr import how_many
from acctcli.cli.session.state import State

_MOST = 10


def show_status(here: State, some: Sequence[Compared], columns: Sequence[str]) -> None:
    """Show a row for each day of each account, and say from which day on it differs and by what."""
    rows = [row for one in some for row in _rows(one)]
    if here.format == "table":
        for row in rows:
            row.update(only_in_statement=_in_words(row["only_in_statement"]))
            row.update(only_in_books=_in_words(row["only_in_books"]))
    show_values(here, rows, columns)
    for one in some:
        here.say(_told(one))


def reason_of(one: Compared, found: Difference) -> str:
    """Return why something stands on one side only."""
    if found.others:
        return f"there are too many to name: {MOST_NAMED:,} are named"
    if not found.lines and not found.documents:
        return "statements are missing"
    if not found.documents:
        other = one.unplaced.get(found.lines[0].tag)
        if other is None:
            return "no document has it"
        if other.is_draft:
            return f"{other.title} is not posted"
        return f"{other.title} has its tag, and does not move this account"
    if not found.lines:
        document = found.documents[0]
        if document.is_taken_back:
            return "it is taken back, and in no statement"
        return "its line is in none of these statements" if document.tags else "it is in no statement"
    lines, documents = (sum(one.cents for one in side) for side in (found.lines, found.documents))
    booked = ", ".join(f"{one.title} of {one.day}" for one in found.documents)
    if lines == documents:
        return f"the statement has it on {found.lines[0].day}, the books as {booked}"
    move = "moves" if len(found.documents) == 1 else "move"
    return f"the statement has {units_of(lines)}, and {booked} {move} {units_of(documents)}"


def named_others(found: Difference) -> str:
    """Return what is counted, and not named."""
    return how_many(found.others, "other line" if found.is_told else "other document")


def _rows(one: Compared) -> Iterator[dict[str, Any]]:
    found: defaultdict[date, list[Difference]] = defaultdict(list)
    for difference in one.differences():
        found[difference.day].append(difference)
    opening = one.opening
    for day in one.by_day():
        yield {
            "account": one.account.number,
            "date": day.day,
            "opening": _units(opening),
            "closing": _units(day.bank),
            "books": units_of(day.books),
            "difference": _units(day.difference),
            "only_in_statement": [row for each in found[day.day] for row in _lines(one, each)],
            "only_in_books": [row for each in found[day.day] for row in _documents(one, each)],
        }
        opening = day.bank


def _lines(one: Compared, found: Difference) -> Iterator[dict[str, Any]]:
    """Yield the lines of the day that books lack, or have otherwise."""
    reason = reason_of(one, found)
    for line in found.lines:
        if line.day == found.day:
            place = {"file": line.file, "line": line.number, "identity": line.tag, "name": line.name}
            yield {**place, "amount": units_of(line.cents), "reason": reason}
    if not found.lines and not found.documents and found.is_told:
        place = {"file": None, "line": None, "identity": None, "name": named_others(found) if found.others else None}
        yield {**place, "amount": units_of(found.cents), "reason": reason}


def _documents(one: Compared, found: Difference) -> Iterator[dict[str, Any]]:
    """Yield the documents of the day that no line accounts for."""
    for document in found.documents:
        if document.day == found.day:
            yield {
                "document": document.document,
                "name": document.title,
                "amount": units_of(document.cents),
                "reason": reason_of(one, found),
            }
    if not found.is_told:
        amount = units_of(-found.cents)
        yield {"document": None, "name": named_others(found), "amount": amount, "reason": reason_of(one, found)}


def _in_words(rows: Sequence[dict[str, Any]]) -> str:
    told = [f"{row['amount']} {row['name'] or ''}".rstrip() + f": {row['reason']}" for row in rows[:_MOST]]
    more = [f"and {how_many(len(rows) - _MOST, 'other')}"] if len(rows) > _MOST else []
    return "; ".join(told + more)


def _told(one: Compared) -> str:
    """Return in a sentence how an account stands."""
    days = one.by_day()
    if not days:
        return f"{one.account}: no statement tells of these days"
    span = f"{one.account}, {days[0].day} to {days[-1].day}, {how_many(len(one.telling), 'statement')}"
    if one.opening is None:
        found = one.differences()
        first = f"; the first line or document that differs is of {found[0].day}" if found else ""
        why = f"no statement of {' and '.join(one.missing)}" if one.missing else "no balances"
        return f"{span}: {why}, so that nothing proves that all is there{first}"
    if one.opening != one.books:
        lack = units_of(one.opening - one.books)
        return f"{span}: the bank begins with {units_of(one.opening)}, the books with {units_of(one.books)}: {lack}"
    differing = _first_differing(days)
    if differing is None:
        return f"{span}: the books are as the statements say, {units_of(days[-1].books)} at the end"
    return f"{span}: from {differing.day} on the books differ, on that day by {_units(differing.difference)}"


def _first_differing(days: Sequence[Day]) -> Day | None:
    return next((day for day in days if day.difference), None)


def _units(cents: int | None) -> Decimal | None:
    return None if cents is None else units_of(cents)
