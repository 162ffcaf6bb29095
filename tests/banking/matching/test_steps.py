"""Steps of matching, one by one: what is matched and why, and what is left because it might be something else."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from acctcli.banking.matching.candidates import Differences, Kind, OwnAccount, Rule, Side, names_of
from acctcli.banking.matching.outcome import Left, Matched, Outcome, Part, Reason, Row
from acctcli.banking.matching.seen import Seen
from tests.banking.matching.things import (
    BANK,
    DAY,
    EXCHANGE,
    FEES,
    OTHER_IBAN,
    OWN_IBAN,
    PAYABLES,
    RECEIVABLES,
    ROUNDING,
    SECOND,
    SECOND_IBAN,
    invoice,
    left,
    matched,
    outcomes,
    purchase,
    seen,
)

FIRST, OTHER = invoice(1001, "100.00", "10016"), invoice(1002, "50.00", "10029")


def parts(found: Matched) -> list[tuple[str, int, int]]:
    return [(part.claim.key, part.cents, part.over) for part in found.parts]


def reasons(found: dict[str, Outcome]) -> dict[str, Reason | None]:
    return {key: one.reason if isinstance(one, Matched) else None for key, one in found.items()}


# --- references ---


@pytest.mark.parametrize(
    "said",
    [
        {"structured": "00000000000000010016"},
        {"structured": "RF08 10016"},
        {"text": "Maksu RF0810016 kiitos"},
        {"text": "RF08 1001 6"},
        {"text": "Viite: 10016"},
        {"text": "viitenumero 10016 lasku"},
    ],
)
def test_a_reference_is_enough_whoever_pays(said: dict[str, Any]) -> None:
    found = matched(seen("a", "100.00", name="Somebody else", **said), FIRST, OTHER)
    assert found == Matched(
        Reason.REFERENCE,
        "reference of Invoice 1001",
        (Row(RECEIVABLES, -10_000, "Invoice 1001"),),
        (Part(FIRST, 10_000),),
    )


def test_a_part_and_too_much_are_told_by_the_reference() -> None:
    part = matched(seen("a", "30.00", structured="10016"), FIRST)
    assert (parts(part), part.said) == ([("invoice 1001", 3_000, 0)], "reference of Invoice 1001, a part of 100.00")
    over = matched(seen("a", "130.00", structured="10016"), FIRST)
    assert (parts(over), [row.cents for row in over.rows]) == ([("invoice 1001", 10_000, 3_000)], [-13_000])


def test_too_much_is_for_others_of_the_customer_or_for_a_person() -> None:
    both = matched(seen("a", "150.00", structured="10016"), FIRST, OTHER)
    assert (both.reason, parts(both)) == (Reason.SEVERAL, [("invoice 1001", 10_000, 0), ("invoice 1002", 5_000, 0)])
    neither = left(seen("a", "140.00", structured="10016"), FIRST, OTHER)
    assert (neither.why.partition(",")[0], neither.near) == ("it is more than is open of Invoice 1001", (FIRST, OTHER))
    elsewhere = invoice(1002, "50.00", "10029", name="Other Oy")
    assert parts(matched(seen("a", "150.00", structured="10016"), FIRST, elsewhere)) == [
        ("invoice 1001", 10_000, 5_000)
    ]
    # the other one has a line of its own
    found = outcomes([seen("a", "150.00", structured="10016"), seen("b", "50.00", structured="10029")], FIRST, OTHER)
    assert reasons(found) == {"a": None, "b": Reason.REFERENCE}


def test_parts_of_one_reference_settle_day_by_day_and_what_comes_behind_them_is_left() -> None:
    found = outcomes(
        [
            seen("a", "60.00", structured="10016"),
            seen("b", "40.00", structured="10016", booked=date(2026, 3, 11)),
            seen("c", "40.00", structured="10016", booked=date(2026, 3, 12)),
        ],
        FIRST,
    )
    assert reasons(found) == {"a": Reason.REFERENCE, "b": Reason.REFERENCE, "c": None}


def test_two_payments_of_a_day_that_are_too_much_are_both_left() -> None:
    found = outcomes([seen(key, "100.00", structured="10016") for key in "ab"], FIRST)
    assert reasons(found) == {"a": None, "b": None}


def test_one_reference_of_several_is_told_by_the_amount_or_by_their_sum() -> None:
    claims = invoice(1, "100.00", "10016"), invoice(2, "50.00", "10016")
    assert parts(matched(seen("a", "50.00", structured="10016"), *claims)) == [("invoice 2", 5_000, 0)]
    both = matched(seen("a", "150.00", structured="10016"), *claims)
    assert parts(both) == [("invoice 1", 10_000, 0), ("invoice 2", 5_000, 0)]
    found = left(seen("a", "70.00", structured="10016"), *claims)
    assert found.near == claims
    twice = invoice(1, "50.00", "10016"), claims[1]
    assert left(seen("a", "50.00", structured="10016"), *twice).near == twice


@pytest.mark.parametrize("reference", ["10017", "RF7610016", "1001"])
def test_a_reference_with_wrong_check_digits_is_none(reference: str) -> None:
    assert left(seen("a", "100.00", structured=reference, name="Somebody"), FIRST).near == ()


@pytest.mark.parametrize("said", [{"name": "Toinen Oy"}, {"name": "Tilitoimisto", "text": "lasku 1002"}])
def test_a_reference_that_all_else_contradicts_is_left_with_what_it_may_be(said: dict[str, Any]) -> None:
    meant = replace(OTHER, names=names_of("Toinen Oy"))
    line = seen("a", "50.00", structured="10016", **said)
    assert left(line, FIRST, meant) == Left(
        "it has the reference of Invoice 1001, and all else of Invoice 1002", (FIRST, meant)
    )
    # the same payer has it from the invoice that it says, and what is all of that is believed
    assert matched(replace(line, name="Asiakas Oy", called=frozenset()), FIRST, OTHER).claims == (FIRST,)
    half = replace(FIRST, open=5000)
    assert matched(line, half, meant).claims == (half,)
    # what another line has paid it is not
    right = seen("b", "50.00", structured="10029", name="Toinen Oy", booked=DAY + timedelta(days=1))
    assert [parts(one) for one in outcomes([line, right], FIRST, meant).values() if isinstance(one, Matched)] == [
        [("invoice 1002", 5000, 0)], [("invoice 1001", 5000, 0)],
    ]  # fmt: skip


def test_of_two_equal_claims_that_a_contradicted_reference_may_mean_no_other_line_takes_one() -> None:
    meant = replace(OTHER, references=frozenset(), names=names_of("Toinen Oy"))
    twin = replace(meant, key="twin", id=1099)
    lines = [seen("a", "50.00", name="Toinen Oy"), seen("b", "50.00", name="Toinen Oy", structured="10016")]
    found = outcomes(lines, FIRST, meant, twin)
    assert found["b"].near == (FIRST, meant, twin)  # type: ignore[union-attr]
    assert isinstance(found["a"], Left)


def test_what_leaves_pays_no_invoice_and_what_takes_back_is_left() -> None:
    assert left(seen("a", "-100.00", structured="10016", name="X"), FIRST).near == ()
    assert "takes back" in left(seen("a", "100.00", structured="10016", is_reversal=True), FIRST).why


# --- differences ---


def test_fees_rounding_and_rates_of_exchange_go_to_accounts_of_their_own() -> None:
    fees = matched(seen("a", "97.00", structured="10016", charges=Decimal("3.00")), FIRST)
    assert [(row.account, row.cents) for row in fees.rows] == [(RECEIVABLES, -10_000), (FEES, 300)]
    cents = matched(seen("a", "99.97", structured="10016"), FIRST)
    assert [(row.account, row.cents) for row in cents.rows] == [(RECEIVABLES, -10_000), (ROUNDING, 3)]
    bill = purchase(7, "92.00", currency="USD", original=-10_000)
    line = seen("a", "-93.10", name="Toimittaja Oy", original=Decimal("100.00"), original_currency="USD")
    found = matched(line, bill)
    assert [(row.account, row.cents) for row in found.rows] == [(PAYABLES, 9_200), (EXCHANGE, 110)]
    assert found.reason is Reason.CURRENCY
    gain = matched(replace(line, cents=-9_000, whole=-9_000), bill)
    assert [(row.account, row.cents) for row in gain.rows] == [(PAYABLES, 9_200), (EXCHANGE, -200)]
    both = matched(replace(line, cents=-9_550, whole=-9_350), bill)
    assert [(row.account, row.cents) for row in both.rows] == [(PAYABLES, 9_200), (FEES, 200), (EXCHANGE, 150)]
    lacks = left(replace(line, cents=-9_550, whole=-9_350), bill, differences=Differences())
    assert lacks.why == "2.00 of it is fees and 1.50 of it is exchange, and the rules name no account for that"


def test_what_a_reminder_asked_for_goes_to_accounts_of_income() -> None:
    reminded = replace(FIRST, late=((826, 500), (410, 0)))
    income = Differences(FEES, ROUNDING, 5, EXCHANGE, 43, 44)
    for amount, rows in (
        ("113.26", [(RECEIVABLES, -10_000), (43, -826), (44, -500)]),
        # an earlier one, and the invoice alone
        ("104.10", [(RECEIVABLES, -10_000), (43, -410)]),
        ("100.00", [(RECEIVABLES, -10_000)]),
        ("60.00", [(RECEIVABLES, -6_000)]),
        ("100.03", [(RECEIVABLES, -10_000), (ROUNDING, -3)]),
    ):
        found = matched(seen("a", amount, structured="10016"), reminded, differences=income)
        assert [(row.account, row.cents, row.vat_code) for row in found.rows] == [(*row, 3) for row in rows]
        assert sum(row.cents for row in found.rows) == -int(Decimal(amount) * 100)
    lacks = left(seen("a", "113.26", structured="10016"), reminded)
    asked = "8.26 of it is late interest and 5.00 of it is reminder fees or lump sum"
    assert lacks.why == f"{asked}, and the rules name no account for that"
    other = left(seen("a", "113.00", structured="10016"), reminded, differences=income)
    assert other.why == "Invoice 1001 is open with 100.00, and this is not what its reminders asked for"
    # by the payer's name, too
    named = matched(seen("a", "113.26", name="Asiakas Oy"), reminded, differences=income)
    assert (named.reason, len(named.rows)) == (Reason.AMOUNT, 3)


def test_more_than_a_reminded_invoice_is_for_others_of_its_customer() -> None:
    reminded = replace(FIRST, late=((826, 500),))
    line = seen("a", "150.00", structured="10016")
    assert parts(matched(line, reminded, OTHER)) == [("invoice 1001", 10_000, 0), ("invoice 1002", 5_000, 0)]
    other = left(seen("a", "163.26", structured="10016"), reminded, OTHER)
    asked = "Invoice 1001 is open with 100.00, and this is not what its reminders asked for"
    assert other == Left(asked, (reminded, OTHER))


def test_without_an_account_for_them_a_line_is_left_and_cents_are_a_part() -> None:
    none = Differences()
    fees = left(seen("a", "97.00", structured="10016", charges=Decimal("3.00")), FIRST, differences=none)
    assert fees == Left("3.00 of it is fees, and the rules name no account for that", (FIRST,))
    assert parts(matched(seen("a", "99.97", structured="10016"), FIRST, differences=none)) == [
        ("invoice 1001", 9_997, 0)
    ]


def test_a_rate_that_moved_too_far_is_another_bill() -> None:
    bill = purchase(7, "60.00", currency="USD", original=-10_000)
    line = seen("a", "-93.10", name="Toimittaja Oy", original=Decimal("100.00"), original_currency="USD")
    assert "far from what this took in USD" in left(line, bill).why


# --- numbers ---


@pytest.mark.parametrize(
    "text", ["Invoice 1001", "lasku nro 1001", "Laskunumero: 1001", "Rechnung Nr. 1001", "INV-1001", "RE 1001 Danke"]
)
def test_a_number_is_enough_with_the_amount(text: str) -> None:
    found = matched(seen("a", "100.00", name="Holding Oy", text=text), FIRST, invoice(1005, "100.00"))
    assert (found.reason, parts(found)) == (Reason.NUMBER, [("invoice 1001", 10_000, 0)])


def test_several_numbers_are_their_sum() -> None:
    for text in ("Laskut 1001 ja 1002", "Invoices 1001, 1002", "Rechnungen 1001 und 1002"):
        found = matched(seen("a", "150.00", name="Holding", text=text), FIRST, OTHER)
        assert parts(found) == [("invoice 1001", 10_000, 0), ("invoice 1002", 5_000, 0)]
    assert left(seen("a", "149.00", name="Holding", text="Laskut 1001 ja 1002"), FIRST, OTHER).near == (FIRST, OTHER)


def test_a_number_is_a_part_only_of_whom_it_is_from() -> None:
    part = matched(seen("a", "40.00", text="Invoice 1001"), FIRST)
    assert (part.reason, parts(part)) == (Reason.NUMBER, [("invoice 1001", 4_000, 0)])
    assert left(seen("a", "40.00", name="Holding", text="Invoice 1001"), FIRST).near == (FIRST,)
    assert left(seen("a", "140.00", text="Invoice 1001"), FIRST).near == (FIRST,)


def test_a_year_or_a_count_in_a_text_is_no_number() -> None:
    claim = invoice(2026, "100.00", name="Other Oy")
    assert left(seen("a", "100.00", text="Fees of 2026"), claim).near == ()
    assert left(seen("a", "100.00", text="2026"), replace(claim, numbers=frozenset({"1"}))).near == ()


def test_the_id_of_a_payment_of_ours_is_its_number() -> None:
    bill = purchase(7, "92.00", numbers=frozenset({"R-2026-17"}))
    found = matched(seen("a", "-92.00", name="Iban only", end_to_end="R-2026-17"), bill)
    assert found.reason is Reason.NUMBER


# --- amount and payer ---


@pytest.mark.parametrize("name", ["ASIAKAS OY", "Asiakas  Oy.", "asiakas oy"])
def test_amount_and_name_are_enough(name: str) -> None:
    found = matched(seen("a", "100.00", name=name), FIRST, OTHER)
    assert (found.reason, parts(found)) == (Reason.AMOUNT, [("invoice 1001", 10_000, 0)])


def test_names_of_people_are_turned_and_long_ones_cut_off() -> None:
    person = invoice(1, "10.00", name="Matti Virtanen")
    assert matched(seen("a", "10.00", name="VIRTANEN MATTI"), person).reason is Reason.AMOUNT
    long = "Rakennusliike Virtanen ja Pojat Oy"
    firm = invoice(1, "10.00", name=long)
    assert matched(seen("a", "10.00", name=long[:27]), firm).reason is Reason.AMOUNT
    assert left(seen("a", "10.00", name=long[:20]), firm).near == ()


@pytest.mark.parametrize("name", ["Asiakas Ab", "Asiakas", "Asiakas Oy Ab", "", "Oy"])
def test_another_name_is_another_payer(name: str) -> None:
    assert left(seen("a", "100.00", name=name), FIRST).near == ()


def test_two_equal_claims_are_left_and_so_are_two_equal_payments() -> None:
    claims = invoice(1, "100.00"), invoice(2, "100.00")
    assert left(seen("a", "100.00"), *claims).near == claims
    assert reasons(outcomes([seen("a", "100.00"), seen("b", "100.00")], claims[0])) == {"a": None, "b": None}
    assert reasons(outcomes([seen("a", "100.00"), seen("b", "100.00")], *claims)) == {"a": None, "b": None}


def test_equal_payments_of_months_follow_from_the_days_of_the_invoices() -> None:
    months = [invoice(month, "100.00", day=date(2026, month, 1)) for month in (1, 2, 3)]
    lines = [seen(f"{month}", "100.00", booked=date(2026, month, 20)) for month in (1, 2, 3)]
    found = outcomes(lines, *months)
    assert {key: parts(one)[0][0] for key, one in found.items() if isinstance(one, Matched)} == {
        "1": "invoice 1", "2": "invoice 2", "3": "invoice 3",
    }  # fmt: skip
    assert reasons(outcomes(lines[1:], *months)) == {"2": None, "3": None}


def test_what_a_line_says_speaks_against_another_claim() -> None:
    assert left(seen("a", "100.00", structured="10029"), FIRST).near == (FIRST,)
    assert left(seen("a", "100.00", text="Invoice 999"), FIRST).near == (FIRST,)


def test_what_is_not_owed_yet_is_not_paid() -> None:
    assert left(seen("a", "100.00"), replace(FIRST, day=date(2026, 3, 11))).near != ()


def test_purchases_go_the_other_way() -> None:
    bill = purchase(7, "92.00", ibans=frozenset({OTHER_IBAN}), names=frozenset())
    found = matched(seen("a", "-92.00", iban="DE89 3704 0044 0532 0130 00", name="?"), bill)
    assert (found.reason, found.rows) == (Reason.AMOUNT, (Row(PAYABLES, 9_200, "Invoice 7"),))


def test_taxes_are_paid_whole_or_not_at_all() -> None:
    tax = purchase(7, "92.00", kind=Kind.TAX, references=frozenset({"10016"}))
    assert matched(seen("a", "-92.00", structured="10016", name="Tax office"), tax).reason is Reason.REFERENCE
    assert left(seen("a", "-90.00", structured="10016", name="Tax office"), tax).near == (tax,)
    later = replace(tax, key="purchase 8", id=8, open=-5_000)
    assert parts(matched(seen("a", "-50.00", structured="10016", name="V"), tax, later)) == [("purchase 8", -5_000, 0)]


def test_what_is_in_no_books_is_left_and_named() -> None:
    bill = purchase(7, "92.00", kind=Kind.UNPOSTED)
    found = left(seen("a", "-92.00", name="Toimittaja Oy"), bill)
    why = "Invoice 7 is in no books yet: acctcli purchase post 7 --account NUMBER, then acctcli bank match"
    assert found == Left(why, (bill,))
    both = left(seen("a", "-92.00", name="Toimittaja Oy"), bill, purchase(8, "92.00"))
    assert len(both.near) == 2


def test_what_one_line_may_have_been_for_no_later_line_takes() -> None:
    twice = [seen("a", "100.00", structured="10016"), seen("b", "90.00", structured="10016")]
    later = seen("c", "100.00", booked=date(2026, 3, 20))
    assert reasons(outcomes([*twice, later], FIRST)) == {"a": None, "b": None, "c": None}


def test_what_is_in_no_books_is_paid_where_one_rule_says_how_to_book_it() -> None:
    bill = purchase(7, "92.00", kind=Kind.UNPOSTED, currency="")
    rule = Rule("Toimittaja to 4000", 4000, words="toimittaja")
    line = seen("a", "-92.00", name="Toimittaja Oy")
    found = matched(line, bill, rules=(rule,))
    assert (found.rule, found.said, found.rows) == (
        rule,
        "amount and payer of Invoice 7, booked by the rule Toimittaja to 4000",
        (Row(PAYABLES, 9_200, "Invoice 7"),),
    )
    for other in (replace(bill, account=None), replace(bill, currency="USD")):
        assert left(line, other, rules=(rule,)).near == (other,)
    two = rule, Rule("other", 4380, words="oy")
    assert left(line, bill, rules=two).near == (bill,)


# --- several, and parts ---


def test_several_are_told_by_their_sum_in_one_way_only() -> None:
    claims = invoice(1, "10.00"), invoice(2, "20.00"), invoice(3, "40.00")
    found = matched(seen("a", "60.00"), *claims)
    assert (found.reason, parts(found)) == (Reason.SEVERAL, [("invoice 2", 2_000, 0), ("invoice 3", 4_000, 0)])
    assert [row.cents for row in found.rows] == [-2_000, -4_000]
    two_ways = (*claims, invoice(4, "50.00"))
    assert "several sets of claims" in left(seen("a", "60.00"), *two_ways).why


def test_of_many_claims_no_sum_is_tried() -> None:
    claims = [invoice(number, f"{2**number}.00") for number in range(9)]
    assert left(seen("a", "3.00"), *claims).near == tuple(claims)


def test_all_payments_of_a_payer_may_come_to_the_one_claim() -> None:
    lines = [seen("a", "60.00"), seen("b", "40.00", booked=date(2026, 3, 20))]
    assert reasons(outcomes(lines, FIRST)) == {"a": Reason.PARTS, "b": Reason.PARTS}
    assert reasons(outcomes(lines, FIRST, OTHER)) == {"a": None, "b": None}
    assert reasons(outcomes([*lines, seen("c", "1.00")], FIRST)) == {"a": None, "b": None, "c": None}


# --- transfers ---


OUT = seen("out", "-500.00", iban=SECOND_IBAN)
NEXT_DAY, LATE = date(2026, 3, 11), date(2026, 3, 30)
BETWEEN = OwnAccount(3, "1990 Money in transit")


def rows(found: dict[str, Outcome]) -> dict[str, tuple[str, int | None, int]]:
    some = {key: one for key, one in found.items() if isinstance(one, Matched) and one.rows}
    return {key: (one.twin, one.rows[0].account, one.rows[0].cents) for key, one in some.items()}


def test_two_lines_of_own_accounts_and_one_day_are_one_transfer() -> None:
    lines = [
        OUT,
        seen("in", "500.00", SECOND, iban=OWN_IBAN),
        seen("late", "500.00", SECOND, iban=OWN_IBAN, booked=LATE),
    ]
    one_day = {"out": ("in", SECOND, 50_000), "in": ("out", BANK, -50_000)}
    assert rows(outcomes(lines)) == {**one_day, "late": ("", BANK, -50_000)}
    assert rows(outcomes(lines, transit=BETWEEN)) == {**one_day, "late": ("", 3, -50_000)}


def test_sides_of_two_days_are_two_documents_by_way_of_an_account_between() -> None:
    lines = [OUT, seen("in", "500.00", SECOND, iban=OWN_IBAN, booked=NEXT_DAY)]
    assert rows(outcomes(lines, transit=BETWEEN)) == {"out": ("", 3, 50_000), "in": ("", 3, -50_000)}
    found = outcomes(lines, room="1460")
    take = "sides of two days take an account between: acctcli account create --number 1460 --type ASS_PAY"
    assert [one.why.partition(take)[:2] for one in found.values()] == [  # type: ignore[union-attr]
        ("its other side is of 2026-03-11, and ", take),
        ("its other side is of 2026-03-10, and ", take),
    ]


def test_sides_further_apart_than_banks_take_are_left_and_not_posted_twice() -> None:
    late = seen("in", "500.00", SECOND, iban=OWN_IBAN, booked=LATE)
    found = outcomes([OUT, late])
    assert [one.why.partition(";")[0] for one in found.values()] == [  # type: ignore[union-attr]
        "its other side may be of 2026-03-30",
        "its other side may be of 2026-03-10",
    ]
    # from either side, where a document moves both accounts and no line of this one is there
    for line, day in ((replace(OUT, day=LATE), DAY), (OUT, LATE)):
        side = Side(77, "document 77", BANK, day, -50_000, other=SECOND)
        for transit in (None, BETWEEN):
            why = left(line, sides=(side,), transit=transit).why
            assert why.startswith(f"document 77 of {day} may be this transfer; if so, ")
        assert matched(line, sides=(replace(side, other=3),), transit=BETWEEN).rows[0].account == 3
    assert matched(replace(OUT, day=date(2026, 5, 1)), sides=(replace(side, day=DAY),)).rows[0].account == SECOND


def test_a_transfer_that_is_posted_is_found_once_and_on_its_day_only() -> None:
    side = Side(77, "document 77", BANK, DAY, -50_000, other=SECOND)
    found = outcomes([seen(key, "-500.00", iban=SECOND_IBAN) for key in "ab"], sides=(side,))
    assert [one.side for one in found.values()] == [side, None]  # type: ignore[union-attr]
    between = replace(side, other=3)
    assert matched(OUT, sides=(between,), transit=BETWEEN).side == between
    for one in (side, between):
        other_day = replace(one, day=NEXT_DAY)
        assert left(OUT, sides=(other_day,), transit=BETWEEN).why.startswith("document 77 has this transfer on 2026-03")
    legs = "acctcli document update 77 --debit 1920:500.00 --credit 1990:500.00, then acctcli bank match"
    assert legs in left(OUT, sides=(replace(side, day=NEXT_DAY),), transit=BETWEEN).why
    redated = "acctcli document update 77 --date 2026-03-10 takes this one"
    assert redated in left(OUT, sides=(replace(between, day=NEXT_DAY),), transit=BETWEEN).why


def test_a_transfer_that_cost_a_fee_is_of_two_amounts_and_goes_by_way_of_the_account_between() -> None:
    out = replace(OUT, whole=OUT.cents + 250)
    found = matched(out, transit=BETWEEN)
    assert [(row.account, row.cents) for row in found.rows] == [(BETWEEN.id, -out.whole), (FEES, 250)]
    assert found.said.endswith("by way of 1990 Money in transit, less fees")
    assert "2.50 of it is fees, and sides of two amounts take an account between: acctcli" in left(out).why
    assert "2.50 of it is fees, and the rules name no" in left(out, transit=BETWEEN, differences=Differences()).why


def test_names_with_umlauts_are_the_same_where_a_bank_has_no_letters_for_them() -> None:
    claim = invoice(1, "100.00", name="Müller & Söhne GmbH")
    for name in ("Mueller & Soehne GmbH", "MULLER & SOHNE GMBH", "Mu\u0308ller & So\u0308hne GmbH"):
        assert matched(seen("a", "100.00", name=name), claim).reason is Reason.AMOUNT
    assert matched(seen("a", "100.00", name="Köhler"), invoice(1, "100.00", name="Koehler")).reason is Reason.AMOUNT
    # these are two people
    assert left(seen("a", "100.00", name="Michael Novak"), invoice(1, "100.00", name="Michal Novak")).near == ()


# --- documents that are there ---


def test_what_somebody_posted_is_told_by_number_or_name_and_blocks_rules_otherwise() -> None:
    side = Side(77, "document 77", BANK, DAY, 10_000, frozenset({"10016"}), frozenset({"1001"}), names_of("Asiakas Oy"))
    assert matched(seen("a", "100.00"), sides=(side,)).side == side
    assert matched(seen("a", "100.00", name="X", text="Invoice 1001"), sides=(side,)).reason is Reason.BOOKED
    assert matched(seen("a", "100.00", name="X", structured="10016"), sides=(side,)).side == side
    assert left(seen("a", "100.00", structured="10029"), sides=(side,)).near == ()
    assert left(seen("a", "100.00", text="Invoice 1002"), sides=(side,)).near == ()
    either = left(seen("a", "100.00"), FIRST, sides=(side,))
    assert either.why.startswith("it is not clear which it is: several claims, documents")
    rule = Rule("fees", 8, words="fee")
    unknown = left(seen("a", "100.00", name="X", text="fee"), sides=(side,), rules=(rule,))
    assert "document 77 has its amount" in unknown.why
    other = seen("b", "100.00", name="X", text="fee")
    assert reasons(outcomes([seen("a", "100.00"), other], sides=(side,), rules=(rule,))) == {
        "a": Reason.BOOKED, "b": Reason.RULE,
    }  # fmt: skip
    twice = outcomes([seen("a", "100.00"), seen("b", "100.00")], sides=(side,))
    assert reasons(twice) == {"a": None, "b": None}


def test_claims_of_a_day_are_named_in_the_order_of_their_ids() -> None:
    """As texts, 10 comes before 9."""
    claims = [invoice(number, "50.00", f"{number}") for number in (9, 10, 100)]
    assert [one.id for one in left(seen("a", "50.00"), *claims).near] == [9, 10, 100]


# --- rules ---


def test_a_transfer_that_no_line_of_the_account_stands_for_blocks_rules() -> None:
    side = Side(77, "document 77", SECOND, DAY, 10_000, other=BANK)
    rule = Rule("saving to 2960", 2960, words="saving")
    line = seen("a", "100.00", SECOND, name="X", text="Saving")
    assert "document 77 has its amount" in left(line, sides=(side,), rules=(rule,)).why
    assert matched(replace(line, day=DAY + timedelta(days=4)), sides=(side,), rules=(rule,)).rule == rule


def test_a_rule_books_what_moved_before_fees_were_taken_and_these_by_themselves() -> None:
    sales = Rule("teapot to 8400", 8400, words="teapot", vat_code=1)
    sold = seen("a", "115.68", charges=Decimal("3.32"), text="Teapot")
    rows = matched(sold, rules=(sales,)).rows
    assert rows == (Row(8400, -11_900, "", 1), Row(FEES, 332, "Fees"))
    back = seen("a", "-48.40", charges=Decimal("-1.60"), text="Teapot")
    assert matched(back, rules=(sales,)).rows == (Row(8400, 5_000, "", 1), Row(FEES, -160, "Fees"))
    nowhere = left(sold, rules=(sales,), differences=Differences())
    assert nowhere.why == "3.32 of it is fees, and the rules name no account for that"
    # what is nothing but fees is what the rule says that it is
    alone = seen("a", "-3.00", charges=Decimal("3.00"), text="Teapot")
    assert matched(alone, rules=(sales,), differences=Differences()).rows == (Row(8400, 300, "", 1),)


def test_a_rule_goes_by_the_kind_of_a_line_that_says_nothing_else() -> None:
    rule = Rule("withdrawal to 1360", 1360, words="withdrawal")
    assert matched(seen("a", "-50.00", name="", code="General Withdrawal"), rules=(rule,)).rule == rule
    assert left(seen("a", "-50.00", name="Asiakas Oy", code="General Withdrawal"), rules=(rule,)).near == ()


def test_rules_book_what_nothing_else_is_for() -> None:
    rule = Rule("Kespro to 4010", 4010, words="kespro", vat_code=2, vat_rate=Decimal("13.5"))
    found = matched(seen("a", "-50.00", name="KESPRO OY"), rules=(rule,))
    assert found == Matched(Reason.RULE, "Kespro to 4010", (Row(4010, 5_000, "", 2, Decimal("13.5")),), rule=rule)
    assert left(seen("a", "-50.00", name="Kesprola"), rules=(rule,)).near == ()
    bill = purchase(7, "50.00", names=names_of("Kespro Oy"))
    assert matched(seen("a", "-50.00", name="KESPRO OY"), bill, rules=(rule,)).reason is Reason.AMOUNT
    assert left(seen("a", "-50.00", name="KESPRO OY"), bill, replace(bill, key="p"), rules=(rule,)).near != ()


def test_rules_that_contradict_each_other_book_nothing() -> None:
    rules = Rule("one", 1, words="kespro"), Rule("two", 2, comes_in=False), Rule("three", 1, comes_in=True)
    assert left(seen("a", "-50.00", name="Kespro"), rules=rules).why == "rules contradict each other: one, two"
    same = Rule("one", 1, words="kespro"), Rule("two", 1, comes_in=False)
    assert matched(seen("a", "-50.00", name="Kespro"), rules=same).rule == same[0]


# --- payments of our own files ---

ID, ANOTHER = "pay-3k7q2m4x5pad-1-7", "pay-3k7q2m4x5pad-1-8"
HANDED = purchase(7, "80.00", payment=ID, handed=-8_000, references=frozenset({"1232"}))
PAID = Side(70, "document 70", BANK, DAY, -8_000, payment=ID)


@pytest.mark.parametrize("said", [{"end_to_end": ID.upper()}, {"text": f"SEPA {ID} kiitos"}])
def test_a_payment_of_a_file_is_told_by_its_id_before_anything_else(said: dict[str, Any]) -> None:
    other = purchase(9, "80.00", references=frozenset({"10016"}))
    found = matched(seen("a", "-80.00", structured="10016", **said), HANDED, other)
    assert (found.reason, parts(found), found.said) == (
        Reason.PAYMENT, [("purchase 7", -8_000, 0)], f"{ID} for Invoice 7",
    )  # fmt: skip
    assert matched(seen("a", "-80.00", **said), other, sides=(PAID,)).side == PAID


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (seen("a", "-79.99", end_to_end=ID), "is of another amount, or less is open"),
        (seen("a", "80.00", end_to_end=ID), "it takes back what was paid"),
        (seen("a", "-80.00", end_to_end=ID, text=ANOTHER), "it names several payments of files"),
    ],
)
def test_what_is_not_the_payment_that_it_names_is_left(line: Seen, why: str) -> None:
    other = purchase(8, "80.00", payment=ANOTHER, handed=-8_000)
    assert why in left(line, HANDED, other).why


def test_what_comes_back_of_a_payment_is_for_no_rule() -> None:
    rule = Rule("Paperi to 4000", 4000, words="paperi")
    assert "takes back" in left(seen("a", "80.00", name="Paperi Oy", end_to_end=ID), rules=(rule,)).why


def test_of_what_less_is_open_by_now_nothing_is_paid() -> None:
    assert "less is open" in left(seen("a", "-80.00", end_to_end=ID), replace(HANDED, open=-7_999)).why
    assert "with another amount or account" in left(seen("a", "-79.00", end_to_end=ID), sides=(PAID,)).why
    assert "with another amount or account" in left(seen("a", "-80.00", SECOND, end_to_end=ID), sides=(PAID,)).why


def test_one_payment_is_one_line() -> None:
    twice = [seen(key, "-80.00", end_to_end=ID) for key in "ab"]
    assert reasons(outcomes(twice, HANDED)) == {"a": Reason.PAYMENT, "b": None}
    assert reasons(outcomes(twice, sides=(PAID,))) == {"a": Reason.PAYMENT, "b": None}


def test_an_id_that_nobody_knows_leaves_the_other_steps() -> None:
    found = matched(seen("a", "-80.00", end_to_end=ANOTHER, structured="1232"), HANDED)
    assert found.reason is Reason.REFERENCE
