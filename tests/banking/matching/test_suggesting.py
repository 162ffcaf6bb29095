"""What is suggested for lines that are left: little more than is open, and sums of several that come to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from acctcli.banking.matching.candidates import Candidates, Claim, Differences, OwnAccount, Side
from acctcli.banking.matching.outcome import Part, Row
from acctcli.banking.matching.seen import Seen
from acctcli.banking.matching.steps import match
from acctcli.banking.matching.suggesting import settled_by_rows, settling, suggestions
from tests.banking.matching.things import ACCOUNTS, BANK, FEES, PAYABLES, RECEIVABLES, ROUNDING, invoice, purchase, seen
from tests.banking.matching.things import SECOND as OTHER_BANK

NONE = Differences()
FIRST, SECOND, THIRD = invoice(1, "100.00", "10016"), invoice(2, "50.00"), invoice(3, "30.00")


def offered(line: Seen, *claims: Claim, accounts: Differences = NONE) -> list[tuple[str, dict[str, tuple[int, int]]]]:
    """Why each is suggested, and what it settles of which claim, and pays beyond that."""
    candidates = Candidates(claims, differences=accounts)
    found = suggestions(line, match([line], candidates)[line.key], candidates)
    return [(one.said, {part.claim.key: (part.cents, part.over) for part in one.parts}) for one in found]


def test_much_more_than_is_open_is_suggested_of_no_claim_but_that_of_the_reference() -> None:
    too_much = seen("a", "170.00")
    assert offered(too_much, FIRST, SECOND) == []
    assert offered(seen("a", "-60.00"), invoice(9, "-40.00")) == []
    assert offered(seen("a", "-60.00", name="Toimittaja Oy"), purchase(5, "40.00")) == []
    named = seen("a", "170.00", structured="10016")
    told = "its reference and a number and the name, 70.00 more than is open"
    assert offered(named, FIRST, SECOND) == [(told, {"invoice 1": (100_00, 70_00)})]
    bill = purchase(5, "1200.00", references=frozenset({"1232"}))
    too_much = seen("a", "-1300.00", structured="1232", name="Toimittaja Oy")
    told = "its reference and a number and the name, 100.00 more than is open"
    assert offered(too_much, bill) == [(told, {"purchase 5": (-1200_00, -100_00)})]


def test_a_difference_of_cents_is_named_and_goes_where_the_rules_say() -> None:
    claim, bill = invoice(1, "30.97"), purchase(5, "30.97")
    more, less = seen("a", "31.00"), seen("a", "30.95")
    assert offered(more, claim) == [("the name, 0.03 more than is open", {"invoice 1": (30_97, 3)})]
    assert offered(less, claim) == [("the name, a part of 30.97", {"invoice 1": (30_95, 0)})]
    out = seen("a", "-31.00", name="Toimittaja Oy")
    assert offered(out, bill) == [("the name, 0.03 more than is open", {"purchase 5": (-30_97, -3)})]
    # interest for being late, but not twice the amount
    assert [told for told, _ in offered(seen("a", "1004.20"), invoice(1, "1000.00"))] == [
        "the name, 4.20 more than is open"
    ]
    assert offered(seen("a", "1021.00"), invoice(1, "1000.00")) == []
    rounded = [("the name, but for 0.03 of rounding", {"invoice 1": (30_97, 0)})]
    assert offered(more, claim, accounts=ACCOUNTS) == rounded
    found = settling(more, [claim], "x", ACCOUNTS)
    assert found is not None
    assert [(row.account, row.cents) for row in found.rows] == [(RECEIVABLES, -30_97), (ROUNDING, -3)]


def test_rows_that_are_all_of_a_claim_of_the_line_settle_it() -> None:
    bill, rest = purchase(5, "1200.00"), Row(FEES, 100_00)
    line = seen("a", "-1300.00", name="Toimittaja Oy")
    took = Row(PAYABLES, 1200_00, vat_code=None)
    assert settled_by_rows(line, [took, rest], [bill]) == [Part(bill, -1200_00)]
    twice = [bill, purchase(6, "1200.00")]
    for rows, claims in (([took._replace(cents=600_00), rest], [bill]), ([took], twice), ([rest], [bill])):
        assert settled_by_rows(line, rows, claims) == []
    assert settled_by_rows(seen("a", "-1300.00", name="Muu Oy"), [took, rest], [bill]) == []


def test_a_part_of_a_claim_is_suggested() -> None:
    told = "the name, a part of 40.00"
    assert offered(seen("a", "-10.00"), invoice(9, "-40.00")) == [(told, {"invoice 9": (-10_00, 0)})]


def test_nobody_is_refunded_more_than_is_owed_but_too_much_may_be_taken() -> None:
    assert settling(seen("a", "-60.00"), [invoice(9, "-40.00")], "x", NONE) is None
    assert settling(seen("a", "60.00"), [purchase(9, "40.00", open=40_00)], "x", NONE) is None
    found = settling(seen("a", "170.00"), [SECOND, FIRST], "x", NONE)
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


def test_what_reminders_of_several_asked_for_goes_to_its_accounts_or_to_nobody() -> None:
    """Each has the interest and the charges of its last reminder, and one that was not reminded has none."""
    accounts = replace(ACCOUNTS, late_interest=61, reminder_fees=62)
    some = [replace(FIRST, late=((1_20, 40_00), (60, 0))), replace(SECOND, late=((30, 0),)), THIRD]
    line = seen("a", "221.50")
    (told, settled), *_ = offered(line, *some, accounts=accounts)
    assert told == "the amount of these together, with what reminders asked for"
    assert settled == {"invoice 1": (100_00, 0), "invoice 2": (50_00, 0), "invoice 3": (30_00, 0)}
    found = settling(line, some, "x", accounts)
    assert found is not None
    assert [(row.account, row.cents, row.text) for row in found.rows[3:]] == [
        (61, -1_20, some[0].title),
        (62, -40_00, some[0].title),
        (61, -30, some[1].title),
    ]
    assert sum(row.cents for row in found.rows) == -line.cents
    for given, others, lacks in (
        ("221.50", NONE, "1.50 of it is late interest and 40.00 of it is"),
        ("200.00", accounts, "20.00 is more than is open of these, and not what their last reminders asked for"),
    ):
        other = settling(seen("a", given), some, "x", others)
        assert other is not None
        assert other.lacks.startswith(lacks)
