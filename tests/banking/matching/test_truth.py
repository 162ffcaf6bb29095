"""Statements of many banks against the truth: nothing lost, nothing doubled, nothing wrong, and how much is found.

`python -m tests.banking.matching.test_truth` prints the table of docs/bank.md; a full run has 20,000 lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial

import pytest

from acctcli.banking.matching.outcome import Left, Outcome
from acctcli.banking.matching.seen import Seen, see
from acctcli.banking.matching.steps import match
from acctcli.banking.statements.camt import read_camt
from acctcli.banking.statements.delimited import read_csv
from acctcli.banking.statements.identity import Names
from acctcli.banking.statements.mt940 import read_mt940
from acctcli.banking.statements.tito import read_tito
from tests.banking.matching.truth import BANK, NOTHING, Company, Truth, company
from tests.banking.statements import flat
from tests.banking.statements import generator as made
from tests.banking.statements.reading import Reader, read
from tests.banking.statements.shipped import shipped
from tests.sizes import is_full

TURNS, LINES, FULL = 3, 80, 400
SEED = 20261126


@dataclass(frozen=True)
class Bank:
    """The habit of a bank: which format, how it is written, who reads it, and whether it tells what is taken back."""

    name: str
    format: str
    write: Callable[[list[made.Book]], bytes]
    reader: Reader
    takes_back: bool = True


def _banks() -> Iterator[Bank]:
    for habit in made.CAMT_HABITS:
        named = f"camt.053 version {habit.version}{'' if habit.is_pretty else ' in one line'}"
        yield Bank(named, "camt.053", partial(made.camt, habit=habit), read_camt)
    yield Bank("camt.054", "camt.054", partial(made.camt, habit=made.Camt(message="054")), read_camt)
    yield Bank("mt940 in parts", "mt940", flat.mt940, read_mt940)
    yield Bank("mt940 in plain text", "mt940", partial(flat.mt940, is_german=False, is_wrapped=True), read_mt940)
    yield Bank("tito in ISO 646", "tito", flat.tito, read_tito)
    yield Bank("tito in ISO 8859-1", "tito", partial(flat.tito, is_old=False), read_tito)
    for name in ("op", "s-pankki", "danske", "n26", "sparkasse", "nordea"):
        reader = partial(read_csv, profile=shipped()[name])
        yield Bank(f"csv of {name}", "csv", partial(flat.csv, bank=name), reader, takes_back=False)


BANKS = list(_banks())


@dataclass
class Found:
    """What came of a statement: lines by what they are for, by their outcome, and what is wrong."""

    lines: int
    kinds: Counter[str]
    right: Counter[str]
    reasons: Counter[str]
    wrong: list[str]


def told(outcome: Outcome) -> Truth:
    """Return an outcome as the truth is told."""
    if isinstance(outcome, Left):
        return NOTHING
    if outcome.rule is not None:
        return f"rule {outcome.rule.title}"
    if outcome.parts:
        return frozenset((part.claim.key, part.cents) for part in outcome.parts)
    return f"transfer {outcome.rows[0].account}"


def compared(bank: Bank, seed: int, lines: int) -> Found:
    """Write a statement, read it, match its lines, and hold them against the truth."""
    truth = company(seed, lines, takes_back=bank.takes_back)
    done = read(bank.reader, bank.write([truth.book]))
    names = Names(str(BANK))
    seen = {one.key: one for one in (see(line, names.of(line), BANK) for line in done.lines)}
    assert len(seen) == len(done.lines) == len(truth.moves), bank.name
    outcomes = match(seen.values(), truth.candidates)
    assert outcomes.keys() == seen.keys()
    found = Found(len(seen), Counter(), Counter(), Counter(), [])
    for place, some in _by_place(seen, outcomes).items():
        _compare(found, truth, place, some)
    return found


def _by_place(seen: dict[str, Seen], outcomes: dict[str, Outcome]) -> dict[tuple[date, int], list[Outcome]]:
    found: dict[tuple[date, int], list[Outcome]] = {}
    for key, one in seen.items():
        found.setdefault((one.day, one.cents), []).append(outcomes[key])
    return found


def _compare(found: Found, truth: Company, place: tuple[date, int], some: list[Outcome]) -> None:
    """Count lines of one day and amount: what is matched has to be among what they are for."""
    rest, kinds = list(truth.truth[place]), list(truth.kinds[place])
    assert len(rest) == len(some)
    found.kinds.update(kind for kind, one in zip(kinds, rest, strict=True) if one != NOTHING)
    for outcome in some:
        if isinstance(outcome, Left):
            continue
        found.reasons[outcome.reason] += 1
        if told(outcome) in rest:
            at = rest.index(told(outcome))
            rest.pop(at)
            found.right[kinds.pop(at)] += 1
        else:
            found.wrong.append(f"{place}: {outcome.said} for {kinds}")


@pytest.mark.parametrize("bank", BANKS, ids=lambda one: one.name)
def test_no_line_is_lost_doubled_or_matched_with_what_it_is_not(bank: Bank) -> None:
    lines = FULL if is_full() else LINES
    turns = [compared(bank, SEED + 1_000 * turn + BANKS.index(bank), lines) for turn in range(TURNS)]
    assert [wrong for found in turns for wrong in found.wrong] == []
    assert all(found.lines >= lines for found in turns)
    # what a format has no field for cannot be found by it
    least = 0.9 if bank.format in {"camt.053", "camt.054", "tito"} else 0.35
    assert sum(one.right.total() for one in turns) >= least * sum(one.kinds.total() for one in turns)


def test_all_formats_and_enough_banks_and_lines_are_compared() -> None:
    assert len({bank.format for bank in BANKS}) == 5
    assert len(BANKS) >= 12
    assert TURNS * len(BANKS) >= 40
    assert TURNS * len(BANKS) * FULL >= 20_000


def main() -> None:
    """Print what of each kind of line is found, by format, and by which reason."""
    total = Found(0, Counter(), Counter(), Counter(), [])
    for bank in BANKS:
        kinds, right = Counter[str](), Counter[str]()
        for turn in range(TURNS):
            found = compared(bank, SEED + 1_000 * turn + BANKS.index(bank), FULL)
            kinds += found.kinds
            right += found.right
            total.lines += found.lines
            total.reasons += found.reasons
            total.wrong += found.wrong
        total.kinds += kinds
        total.right += right
        print(f"{bank.name:32} {right.total():6} of {kinds.total():6} {100 * right.total() // kinds.total():4} %")
    print(f"\n{'what a line is for':32} {'found':>6}    {'lines':>6}")
    for kind, number in sorted(total.kinds.items()):
        print(f"{kind:32} {total.right[kind]:6} of {number:6} {100 * total.right[kind] // number:4} %")
    print(f"\n{'reason':32} {'lines':>6}")
    for reason, number in total.reasons.most_common():
        print(f"{reason:32} {number:6}")
    print(f"\n{total.lines} lines, {total.reasons.total()} matched, {len(total.wrong)} wrong")
    for wrong in total.wrong:
        print(wrong)


if __name__ == "__main__":
    main()
