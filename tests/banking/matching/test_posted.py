"""Documents that somebody posted: a line that may be one of them is no payment besides."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from acctcli.banking.matching.candidates import Rule, Side, names_of
from acctcli.banking.matching.outcome import Left, Matched, Reason
from tests.banking.matching.things import (
    BANK,
    DAY,
    OWN_IBAN,
    SECOND,
    invoice,
    left,
    matched,
    outcomes,
    purchase,
    seen,
)

# 40.00 of an invoice of 100.00 that somebody has posted by hand
REST = invoice(1001, "60.00", "10016")
BY_HAND = Side(
    77, "document 77", BANK, DAY, 4_000, frozenset({"10016"}), frozenset({"1001"}), names_of("Asiakas Oy"), "payment"
)
UNNAMED = Side(78, "document 78", BANK, DAY, 4_000, words="deposit")


@pytest.mark.parametrize(
    "said", [{"structured": "10016"}, {"text": "lasku 1001"}, {"text": "RF08 10016", "name": "Somebody else"}]
)
def test_a_part_that_somebody_posted_is_no_other_part(said: dict[str, Any]) -> None:
    found = matched(seen("a", "40.00", **said), REST, sides=(BY_HAND,))
    assert (found.reason, found.side) == (Reason.BOOKED, BY_HAND)


def test_a_part_that_somebody_posted_and_the_equal_rest_are_for_a_person() -> None:
    for name in ("Asiakas Oy", "Somebody else"):
        line = seen("a", "60.00", structured="10016", name=name)
        found = left(line, REST, sides=(replace(BY_HAND, cents=6_000),))
        assert (found.near, found.may_be_there) == ((REST,), True)


def test_the_rest_is_paid_beside_the_part_that_somebody_posted() -> None:
    lines = [seen("a", "40.00", structured="10016"), seen("b", "60.00", structured="10016")]
    found = outcomes(lines, REST, sides=(BY_HAND,))
    reasons = {key: one.reason for key, one in found.items() if isinstance(one, Matched)}
    assert reasons == {"a": Reason.BOOKED, "b": Reason.REFERENCE}


def test_what_has_the_amount_of_a_document_that_names_nothing_is_for_a_person() -> None:
    """Somebody has booked the money of an invoice as a sale, or as a deposit."""
    one = invoice(1001, "40.00", "10016")
    some: list[dict[str, Any]] = [{"structured": "10016"}, {"text": "lasku 1001"}, {}]
    for said in some:
        found = left(seen("a", "40.00", **said), one, sides=(UNNAMED,))
        assert (found.near, found.may_be_there) == ((one,), True), said


def test_a_document_that_names_something_else_is_no_other_payment() -> None:
    one = invoice(1001, "40.00", "10016")
    line = seen("a", "40.00", structured="10016")
    for more in ({"references": frozenset({"10029"})}, {"names": names_of("Somebody else")}):
        assert matched(line, one, sides=(replace(UNNAMED, **more),)).reason is Reason.REFERENCE, more  # type: ignore[arg-type]
    other = seen("b", "40.00", name="Somebody else")
    found = outcomes([line, other], one, sides=(replace(UNNAMED, words="rent of somebody else"),))
    reasons = {key: one.reason for key, one in found.items() if isinstance(one, Matched)}
    assert reasons == {"a": Reason.REFERENCE, "b": Reason.BOOKED}


@pytest.mark.parametrize(("days", "is_asked"), [(4, True), (10, True), (11, False)])
def test_a_payment_that_somebody_posted_on_another_day_may_be_it(days: int, *, is_asked: bool) -> None:
    by_hand = replace(BY_HAND, day=DAY + timedelta(days))
    line = seen("a", "40.00", structured="10016")
    # a part of what is open, or of what is paid by the document
    assert isinstance(outcomes([line], REST, sides=(by_hand,))["a"], Left) is is_asked
    assert left(line, sides=(by_hand,)).may_be_there is is_asked
    assert left(seen("a", "40.00", name="Nobody"), sides=(replace(UNNAMED, day=by_hand.day),)).may_be_there is is_asked


def test_of_lines_that_are_alike_one_may_be_a_document() -> None:
    """Whichever of them it is, the bank moves as often: not all purchases of a month wait for a person."""
    lines = [seen(f"{9 + days}", "-3.50", name="Cafe", booked=DAY + timedelta(days)) for days in range(-8, 9)]
    coffee = Side(79, "document 79", BANK, DAY + timedelta(1), -350, words="coffee")
    other = seen("other", "-3.50", name="Kiosk", booked=DAY + timedelta(4))

    def held(*sides: Side) -> list[str]:
        found = outcomes([*lines, other], sides=sides)
        return [key for key, one in found.items() if isinstance(one, Left) and one.may_be_there]

    assert held(coffee) == ["10", "other"]
    assert held(coffee, replace(coffee, document=80)) == ["9", "10", "other"]
    # a document further off is none of a line where another one is near
    far = seen("far", "-3.50", name="Kiosk", booked=DAY + timedelta(9))
    found = outcomes([lines[9], far], sides=(coffee,))
    assert [one.may_be_there for one in found.values() if isinstance(one, Left)] == [True, False]


def test_what_was_handed_to_the_bank_may_be_a_line_that_names_none_of_it() -> None:
    """The bank says later that it is paid, and its document is posted: by itself, or all of a file in one sum."""
    bills = [
        purchase(
            number, "80.00", payment=f"pay-aaaaaaaaaaaa-1-{number}", handed=-8_000, numbers=frozenset({str(number)})
        )
        for number in (5, 6)
    ]
    for amount in ("-80.00", "-160.00"):
        line = seen("a", amount, name="", text="Maksupalvelu")
        assert left(line, *bills).may_be_there, amount
        assert left(line, *bills, rules=(Rule("Maksupalvelu", 40, "maksupalvelu"),)).may_be_there, amount
    assert not left(seen("a", "-240.00", name="", text="Maksupalvelu"), *bills).may_be_there
    paid = [Side(70 + one, "document", BANK, DAY, -8_000, payment=f"pay-aaaaaaaaaaaa-1-{one}") for one in (5, 6)]
    assert left(seen("a", "-160.00", name="", text="Maksupalvelu"), sides=tuple(paid)).may_be_there


def test_a_transfer_whose_other_side_is_booked_otherwise_moves_the_other_account_no_more() -> None:
    """The line of the other account told of no account, and was posted against another one."""
    line = seen("b", "40.00", SECOND, iban=OWN_IBAN)
    for days, is_left in ((0, True), (5, True), (6, False)):
        alone = {(BANK, -4_000): [DAY - timedelta(days)]}
        assert isinstance(outcomes([line], alone=alone)["b"], Left) is is_left
    assert matched(line, alone={(BANK, 4_000): [DAY]}).reason is Reason.TRANSFER
