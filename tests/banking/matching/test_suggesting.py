"""What is suggested for lines that are left: never more than is open, and sums of several where these come to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from acctcli.banking.matching.candidates import Candidates, Claim, OwnAccount, Side
from acctcli.banking.matching.outcome import Row
from acctcli.banking.matching.seen import Seen
from acctcli.banking.matching.steps import match
from acctcli.banking.matching.suggesting import settling, suggestions
from tests.banking.matching.things import BANK, invoice, purchase, seen
from tests.banking.matching.things import SECOND as OTHER_BANK

FIRST, SECOND, THIRD = invoice(1, "100.00", "10016"), invoice(2, "50.00"), invoice(3, "30.00")


def offered(line: Seen, *claims: Claim) -> list[tuple[str, dict[str, tuple[int, int]]]]:
    """Why each is suggested, and what it settles of which claim, and pays beyond that."""
    candidates = Candidates(claims)
    found = suggestions(line, match([line], candidates)[line.key], candidates)
    return [(one.said, {part.claim.key: (part.cents, part.over) for part in one.parts}) for one in found]


def test_more_than_is_open_is_suggested_of_no_claim_but_that_of_the_reference() -> None:
    too_much = seen("a", "170.00")
    assert offered(too_much, FIRST, SECOND) == []
    assert offered(seen("a", "-60.00"), invoice(9, "-40.00")) == []
    assert offered(seen("a", "-60.00", name="Toimittaja Oy"), purchase(5, "40.00")) == []
    named = seen("a", "170.00", structured="10016")
    told = "its reference and a number and the name"
    assert offered(named, FIRST, SECOND) == [(told, {"invoice 1": (100_00, 70_00)})]


def test_a_part_of_a_claim_is_suggested() -> None:
    assert offered(seen("a", "-10.00"), invoice(9, "-40.00")) == [("the name", {"invoice 9": (-10_00, 0)})]


def test_nobody_is_refunded_more_than_is_owed_but_too_much_may_be_taken() -> None:
    assert settling(seen("a", "-60.00"), [invoice(9, "-40.00")], "x") is None
    found = settling(seen("a", "170.00"), [SECOND, FIRST], "x")
    assert found is not None
    assert [(part.claim.key, part.cents, part.over) for part in found.parts] == [
        ("invoice 1", 100_00, 0),
        ("invoice 2", 50_00, 20_00),
    ]


def test_claims_that_come_to_the_line_together_are_suggested() -> None:
    both = {"invoice 1": (100_00, 0), "invoice 2": (50_00, 0)}
    told = "the amount of these together"
    # from a payer whom nobody knows, of two invoices of one customer
    assert offered(seen("a", "150.00", name="Holding"), FIRST, SECOND, THIRD) == [(told, both)]
    other = invoice(2, "50.00", name="Somebody else")
    assert offered(seen("a", "150.00", name="Holding"), FIRST, other, THIRD) == []
    # in several ways
    fourth = invoice(4, "50.00")
    assert offered(seen("a", "150.00"), FIRST, SECOND, fourth) == [
        (told, both),
        (told, {"invoice 1": (100_00, 0), "invoice 4": (50_00, 0)}),
    ]
    bills = [purchase(5, "40.00"), purchase(6, "20.00"), purchase(7, "15.00"), purchase(8, "5.00")]
    assert offered(seen("a", "-60.00", name="Toimittaja Oy"), *bills) == [
        (told, {"purchase 5": (-40_00, 0), "purchase 6": (-20_00, 0)}),
        (told, {"purchase 5": (-40_00, 0), "purchase 7": (-15_00, 0), "purchase 8": (-5_00, 0)}),
    ]


def test_what_is_in_transit_is_suggested_where_a_line_says_no_iban() -> None:
    between = OwnAccount(3, "1990 Money in transit")
    left = Side(7, "document 7", 3, date(2026, 3, 8), 500_00, other=BANK)
    own, early = replace(left, other=OTHER_BANK), replace(left, day=date(2026, 2, 1))
    line = seen("a", "500.00", OTHER_BANK, name="Siirto")
    came = Side(8, "document 8", 3, date(2026, 3, 9), -500_00, other=OTHER_BANK)
    for sides, expected in (((left,), 1), ((own, early), 0), ((left, came), 0)):
        candidates = Candidates(sides=sides, transit=between)
        found = suggestions(line, match([line], candidates)[line.key], candidates)
        assert [(one.said, one.rows) for one in found] == [
            ("document 7 is the other side, by way of 1990 Money in transit", (Row(3, -500_00),))
        ] * expected
    assert suggestions(line, None, Candidates(sides=(left,))) == []
