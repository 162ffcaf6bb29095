"""`bank reconcile`: prove that books have what statements of a period say, or name what differs (docs/bank.md 9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from acctcli.banking.statements.comparing import Difference
from acctcli.banking.statements.proving import Joint
from acctcli.cli.bank.compared import Asked, Compared, Days, compare_filed, is_of
from acctcli.cli.bank.filed import read_filed
from acctcli.cli.bank.status import named_others, reason_of
from acctcli.cli.check.books import Books
from acctcli.cli.check.findings import Checked, Finding
from acctcli.cli.document.entries import units_of
from acctcli.cli.output.show import show_values
from acctcli.cli.output.stderr import how_many
from acctcli.cli.session.state import State
from acctcli.errors import Forbidden, Incomplete, NotFound, UsageError

BANK = "bank"
_MOST_NAMED = 10
_DAY = timedelta(days=1)


def reconcile(here: State, some: Sequence[Compared], asked: Days | None, columns: Sequence[str]) -> None:
    """Show a row for each account that is proved, and one for each problem; raise Incomplete where one is not."""
    found = {str(one.account): problems_of(one, asked or one.told) for one in some}
    faults = [name for name, problems in found.items() if any(problem.is_fault for problem in problems)]
    if here.format == "junit":
        from acctcli.cli.check.junit import write

        findings = [problem._replace(part=name) for name, problems in found.items() for problem in problems]
        write(here, Checked([*found], [], "", findings), "bank reconcile")
    else:
        show_values(here, [row for one in some for row in _rows(one, found[str(one.account)])], columns)
    if any(one.differences() for one in some):
        here.say("note: differences are what the bank has less what the books have: below zero, the books have more")
    for one in some:
        if str(one.account) not in faults and one.days is not None:
            here.say(
                f"{one.account}, {one.days[0]} to {one.days[1]}: proved by {how_many(len(one.telling), 'statement')}"
            )
    if faults:
        raise Incomplete(f"{', '.join(faults)}: not proved; the rows say why")


def _rows(one: Compared, problems: Sequence[Finding]) -> Iterator[dict[str, Any]]:
    figures = figures_of(one)
    for problem in problems:
        yield {**figures, **problem._asdict()}
    if not any(problem.is_fault for problem in problems):
        proved = Finding(BANK, f"account {one.account.number}", "", "")
        yield {**figures, **proved._asdict(), "problem": None, "remedy": None}


def problems_of(one: Compared, asked: Days | None) -> list[Finding]:
    """Return what keeps an account from being proved on the days asked for, and what else is to be known of it."""
    found = [*_statements(one, asked), *_edges(one, asked)]
    if one.days is None:
        return found
    return [*found, *_balances(one), *_differences(one), *_drafts(one)]


def figures_of(one: Compared) -> dict[str, Any]:
    """Return the figures of an account: what statements begin and end with, and what the books hold then."""
    days = one.by_day()
    end = days[-1] if days else None
    bank = end.bank if end else None
    return {
        "account": one.account.number,
        "from": one.days and one.days[0],
        "to": one.days and one.days[1],
        "statements": len(one.telling),
        "opening": _units(one.opening),
        "closing": _units(bank),
        "books": _units(end.books if end else None),
        "difference": _units(end.difference if end else None),
    }


def check_bank(here: State, books: Books) -> Iterator[Finding]:
    """Name where the books are not what statements say that are kept with them; `bank reconcile` says all of it."""
    del books
    try:
        every = read_filed(here)
        some = compare_filed(here, every, Asked((), None, None, None, None)) if every else []
    except Forbidden as refused:
        here.say(f"statements of banks were not looked at: {refused.message}")
        return
    except (NotFound, UsageError) as unread:
        yield _fault("statements", unread.message, "acctcli bank reconcile", is_fault=False)
        return
    for one in some:
        found = [problem for problem in problems_of(one, one.told) if problem.is_fault] if one.chains else []
        for problem in found[:_MOST_NAMED]:
            # work that waits, as what is a draft, is no fault of the books
            yield problem._replace(is_fault=False)
        if len(found) > _MOST_NAMED:
            record, more = f"account {one.account.number}", len(found) - _MOST_NAMED
            remedy = f"acctcli bank reconcile --account {one.account.number}"
            yield _fault(
                record,
                f"{how_many(more, 'other thing')} {'differs' if more == 1 else 'differ'} from statements",
                remedy,
                is_fault=False,
            )


def _statements(one: Compared, asked: Days | None) -> Iterator[Finding]:
    """Name statements that are missing, that overlap, and that prove nothing."""
    record = f"account {one.account.number}"
    for joint in one.joints:
        before, after = joint.before.last, joint.after.first
        if asked and before and after and not _concerns(before, after, asked, is_gap=joint.is_gap):
            continue
        yield _fault(record, joint.note, _remedy_of(joint), is_fault=joint.is_gap)
    for chain in one.chains:
        if chain.opening is None:
            problem = f"{chain.statements[0].name} has no balances: it proves nothing"
            yield _fault(record, problem, "ask the bank for statements with balances (camt.053, MT940, TITO)")
        elif chain.closing is not None and chain.opening + chain.total != chain.closing:
            total = chain.opening + chain.total
            problem = f"the lines of statements that overlap come to {units_of(total)}, the last one ends with "
            problem += str(units_of(chain.closing))
            yield _fault(record, problem, "ask the bank for statements that do not overlap")
    if one.missing:
        problem = f"it is the account of {' and '.join(one.missing)}, too, of which there is no statement"
        yield _fault(record, problem, "give the statements of both")
    for told in one.unproved:
        if told not in one.statements and (asked is None or is_of(told, asked)):
            problem = f"{told.name} has no balances, and is not compared: statements with balances are"
            yield _fault(record, problem, "acctcli bank status", is_fault=False)


def _remedy_of(joint: Joint) -> str:
    if joint.is_gap:
        return "import what lies between"
    if joint.is_overlap:
        return "none is needed: the lines of both are compared once"
    return "ask the bank whether it has statements of these numbers; no line of them is missing"


def _concerns(before: date, after: date, asked: Days, *, is_gap: bool) -> bool:
    """Whether what lies between two statements, or is in both, is of the days asked for."""
    return before < asked[1] and after > asked[0] if is_gap else before >= asked[0] and after <= asked[1]


def _edges(one: Compared, asked: Days | None) -> Iterator[Finding]:
    """Name days of the period that no statement tells of."""
    record = f"account {one.account.number}"
    remedy = "import the statements of these days"
    if one.days is None or asked is None:
        days = f"{asked[0]} to {asked[1]}" if asked else "days of all its accounts at banks" if one.chains else "it"
        yield _fault(record, f"no statement tells of {days}", remedy)
        return
    first, last = one.days
    # that nothing moved before a first statement is proved where the books begin with its balance
    if before := _named(one, asked[0], first - _DAY):
        yield _fault(record, f"no statement tells of the days before {first}, and these are of them: {before}", remedy)
    if last < asked[1]:
        after = _named(one, last + _DAY, asked[1])
        more = f", and these are later: {after}" if after else ""
        yield _fault(record, f"the statements end on {last}, and the period on {asked[1]}{more}", remedy)


def _named(one: Compared, first: date, last: date) -> str:
    """Name the documents of some days on which nothing was told."""
    if first > last:
        return ""
    found = one.comparison.differences(first, last)
    names = [f"{document.title} of {document.day}" for each in found for document in each.documents]
    number = len(names) - _MOST_NAMED + sum(each.others for each in found)
    more = [f"and {how_many(number, 'other')}"] if number > 0 else []
    return ", ".join(names[:_MOST_NAMED] + more)


def _balances(one: Compared) -> Iterator[Finding]:
    """Compare what the bank began and ended with."""
    assert one.days is not None
    number, days = one.account.number, one.by_day()
    bank, closing = one.opening, days[-1].bank
    if bank is None or closing is None:
        return
    if bank != one.books:
        problem = f"before {one.days[0]} the bank holds {units_of(bank)}, and the books {units_of(one.books)}"
        remedy = f"acctcli bank status --account {number}, of the days before; else acctcli account update {number} "
        yield _fault(f"account {number}", problem, f"{remedy}--set opening_balance=AMOUNT")
    if closing != days[-1].books:
        books, by = units_of(days[-1].books), units_of(closing - days[-1].books)
        problem = f"at the end of {one.days[1]} the bank holds {units_of(closing)}, and the books {books}: {by}"
        yield _fault(f"account {number}", problem, f"acctcli account statement {number}")


def _differences(one: Compared) -> Iterator[Finding]:
    """Name what stands on one side only; what is made up for within these days is no fault."""
    for found in one.differences():
        problem = f"{units_of(found.cents)} on {found.day}: {reason_of(one, found)}"
        yield _fault(_record(found), problem, _remedy(one, found), is_fault=found.is_fault)


def _drafts(one: Compared) -> Iterator[Finding]:
    """Name drafts on the account that no line stands for: they are in no balance."""
    assert one.days is not None
    for draft in one.drafts:
        if one.days[0] <= draft.day <= one.days[1]:
            problem = f"it would move {units_of(draft.cents)} on {draft.day}, and is in no balance"
            yield _fault(draft.title, problem, f"acctcli document update {draft.document} --posted", is_fault=False)


def _record(found: Difference) -> str:
    if found.lines:
        return f"{found.lines[0].file} line {found.lines[0].number}"
    if found.others:
        return named_others(found)
    return found.documents[0].title if found.documents else "statements"


def _remedy(one: Compared, found: Difference) -> str:
    if found.others:
        return f"acctcli bank reconcile --account {one.account.number} --period {found.day}"
    if found.documents:
        return f"acctcli document get {found.documents[0].document}"
    if not found.lines:
        return "import what lies between"
    other = one.unplaced.get(found.lines[0].tag)
    if other is None:
        return f"acctcli bank import FILE --account {one.account.number}, with the statement"
    return "acctcli bank review" if other.is_draft else f"acctcli document get {other.document}"


def _fault(record: str, problem: str, remedy: str, *, is_fault: bool = True) -> Finding:
    return Finding(BANK, record, problem, remedy, is_fault=is_fault)


def _units(cents: int | None) -> Decimal | None:
    return None if cents is None else units_of(cents)
