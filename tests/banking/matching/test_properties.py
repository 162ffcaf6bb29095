"""What matching keeps to, whatever lines and claims there are."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from acctcli.banking.matching.candidates import Candidates, Claim, Kind, OwnAccount, Rule, Side, names_of
from acctcli.banking.matching.outcome import Left, Matched, Reason
from acctcli.banking.matching.seen import Seen
from acctcli.banking.matching.steps import match
from tests.banking.matching.things import ACCOUNTS, BANK, OWN, OWN_IBAN, SECOND, SECOND_IBAN, invoice, purchase, seen
from tests.sizes import is_full

NAMES, REFERENCES, AMOUNTS = ("Asiakas Oy", "Toinen Oy", "Kolmas Ab"), ("", "10016", "10029"), (1, 1_00, 40_00, 60_00)
DAYS = [date(2026, 3, 1) + timedelta(days=day) for day in range(4)]
EXAMPLES = 4_000 if is_full() else 200


@st.composite
def claims(draw: st.DrawFn) -> list[Claim]:
    found = []
    for number in range(1, draw(st.integers(0, 5)) + 1):
        said: dict[str, Any] = {
            "references": frozenset(filter(None, [draw(st.sampled_from(REFERENCES))])),
            "names": names_of(draw(st.sampled_from(NAMES))),
            "day": draw(st.sampled_from(DAYS)),
        }
        amount = f"{draw(st.sampled_from([*AMOUNTS, 100_00])) / 100:.2f}"
        kind = draw(st.sampled_from(list(Kind)))
        make = invoice if kind in {Kind.INVOICE, Kind.SALE} else purchase
        found.append(replace(make(number, amount), kind=kind, **said))
    return found


@st.composite
def lines(draw: st.DrawFn) -> list[Seen]:
    found = []
    for key in range(draw(st.integers(0, 7))):
        cents = draw(st.sampled_from(AMOUNTS)) * draw(st.sampled_from([1, -1]))
        account = draw(st.sampled_from([BANK, SECOND]))
        own = OWN_IBAN if account == SECOND else SECOND_IBAN
        found.append(
            seen(
                f"line {key}", f"{cents / 100:.2f}", account,
                name=draw(st.sampled_from([*NAMES, "Kespro"])), booked=draw(st.sampled_from(DAYS)),
                structured=draw(st.sampled_from(REFERENCES)), iban=draw(st.sampled_from(["", "", own])),
                text=draw(st.sampled_from(["", "Invoice 1", "Invoices 1, 2", "Lasku 3"])),
            )
        )  # fmt: skip
    return found


def candidates_of(some: list[Claim]) -> Candidates:
    side = Side(7, "document 7", BANK, DAYS[1], 1_00, names=names_of("Asiakas Oy"))
    transfer = Side(8, "document 8", BANK, DAYS[1], -40_00, other=SECOND)
    return Candidates(tuple(some), OWN, (side, transfer), (Rule("Kespro", 90, words="kespro"),), ACCOUNTS)


@settings(max_examples=EXAMPLES)
@given(lines(), claims(), st.randoms(use_true_random=False))
def test_each_line_has_one_outcome_whatever_the_order_of_lines_and_claims(
    some: list[Seen], owed: list[Claim], dice: random.Random
) -> None:
    outcomes = match(some, candidates_of(owed))
    assert outcomes.keys() == {one.key for one in some}
    turned, mixed = list(some), list(owed)
    dice.shuffle(turned)
    dice.shuffle(mixed)
    assert match(turned, candidates_of(mixed)) == outcomes


@settings(max_examples=EXAMPLES)
@given(lines(), claims())
def test_rows_balance_to_the_line_and_nothing_is_settled_beyond_what_is_open(
    some: list[Seen], owed: list[Claim]
) -> None:
    settled, used = Counter[str](), Counter[object]()
    known = {one.key: one for one in some}
    for key, outcome in match(some, candidates_of(owed)).items():
        if isinstance(outcome, Left):
            continue
        line = known[key]
        used[outcome.side] += outcome.side is not None
        assert outcome.side is not None or line.cents + sum(row.cents for row in outcome.rows) == 0
        for part in outcome.parts:
            assert part.cents * line.cents > 0
            assert part.claim.kind is not Kind.UNPOSTED or outcome.rule is not None
            settled[part.claim.key] += part.cents
    claims_by_key = {one.key: one for one in owed}
    for key, cents in settled.items():
        whole = claims_by_key[key].open
        assert 0 < cents * (1 if whole > 0 else -1) <= abs(whole)
    assert set(used.values()) <= {0, 1}


@settings(max_examples=EXAMPLES)
@given(lines(), claims(), st.data())
def test_of_two_equal_claims_none_is_chosen(some: list[Seen], owed: list[Claim], data: st.DataObject) -> None:
    if not owed:
        return
    one = data.draw(st.sampled_from(owed))
    twin = replace(one, key=f"{one.key} again", id=99)
    for outcome in match(some, candidates_of([*owed, twin])).values():
        if isinstance(outcome, Matched):
            keys = {part.claim.key for part in outcome.parts} & {one.key, twin.key}
            # both together are one choice, and the only one there is
            assert len(keys) != 1


@settings(max_examples=EXAMPLES)
@given(lines(), claims())
def test_what_takes_back_is_never_matched_and_twins_name_each_other(some: list[Seen], owed: list[Claim]) -> None:
    known = {one.key: one for one in some}
    outcomes = match(some, candidates_of(owed))
    for key, outcome in outcomes.items():
        if isinstance(outcome, Matched) and outcome.twin:
            twin = outcomes[outcome.twin]
            assert isinstance(twin, Matched)
            assert (twin.twin, known[outcome.twin].cents) == (key, -known[key].cents)
            assert known[outcome.twin].account != known[key].account


@settings(max_examples=EXAMPLES)
@given(lines(), claims(), st.sampled_from([None, OwnAccount(3, "1990 Money in transit")]))
def test_each_side_of_a_transfer_stands_on_its_own_day(
    some: list[Seen], owed: list[Claim], transit: OwnAccount | None
) -> None:
    known = {one.key: one for one in some}
    for key, outcome in match(some, replace(candidates_of(owed), transit=transit)).items():
        if not isinstance(outcome, Matched) or outcome.reason is not Reason.TRANSFER:
            continue
        if outcome.side is not None:
            assert outcome.side.day == known[key].day
        elif outcome.twin:
            assert known[outcome.twin].day == known[key].day
        elif transit is not None:
            assert [(row.account, row.cents) for row in outcome.rows] == [(transit.id, -known[key].cents)]
