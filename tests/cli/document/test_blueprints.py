"""Legs typed by people: what they mean, and every way to get them wrong."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.cli.account.chart import Account, Chart
from acctcli.cli.document.blueprints import Filled, Leg, Legs, check_balance, check_shape, fill, read_legs
from acctcli.cli.document.entries import units_of
from acctcli.errors import UsageError

CHART = Chart(
    [
        Account(57, "1910", "Bank", "ASS_PAY", 3, "zero"),
        Account(58, "3000", "Sales", "REV_SAL", 1, "standard"),
        Account(59, "3380", "EU services", "REV_SAL", 6, "zero"),
        Account(60, "4450", "EU purchases", "EXP", 8, "standard"),
        Account(61, "8500", "Fees", "EXP", None, None),
        Account(62, "0123", "Odd", "EXP", 2, "reduced_a"),
        Account(63, "9000", "Unrated", "REV_SAL", 1, "zero"),
    ]
)
RATES = {"standard": Decimal("25.50"), "reduced_a": Decimal("13.50"), "zero": Decimal(0), None: Decimal(0)}


def legs(debit: str = "", credit: str = "", expense: str = "") -> Legs:
    found = read_legs(*(option.split() for option in (debit, credit, expense)))
    assert found is not None
    return found


def made(debit: str = "", credit: str = "", expense: str = "") -> Filled:
    return fill(legs(debit, credit, expense), CHART, lambda label: RATES[label])


def row(account: int, amount: str, code: int = 3, rate: str = "0", **more: object) -> dict[str, Any]:
    return {"account_id": account, "vat_code": code, "vat_rate": Decimal(rate), "amount": Decimal(amount), **more}


# --- reading ---

READ: list[tuple[str, Leg]] = [
    ("1910", Leg("--debit", "1910", "1910")),
    ("id:57", Leg("--debit", "id:57", "id:57")),
    ("3000:125.50", Leg("--debit", "3000:125.50", "3000", Decimal("125.50"))),
    ("id:58:1", Leg("--debit", "id:58:1", "id:58", Decimal(1))),
    ("3000:-10", Leg("--debit", "3000:-10", "3000", Decimal(-10))),
    ("3000:1@3", Leg("--debit", "3000:1@3", "3000", Decimal(1), code=3)),
    ("3000:1@0/0", Leg("--debit", "3000:1@0/0", "3000", Decimal(1), code=0, rate=Decimal(0))),
    ("3000:1@1/25.5", Leg("--debit", "3000:1@1/25.5", "3000", Decimal(1), code=1, rate=Decimal("25.5"))),
    ("3000:100+vat", Leg("--debit", "3000:100+vat", "3000", Decimal(100), is_net=True)),
    (
        "3000:1.5+vat@1/10=a=b: 1@2",
        Leg("--debit", "3000:1.5+vat@1/10=a=b: 1@2", "3000", Decimal("1.5"), True, 1, Decimal(10), "a=b: 1@2"),
    ),
]


@pytest.mark.parametrize(("written", "leg"), READ, ids=[written for written, _ in READ])
def test_what_a_leg_means(written: str, leg: Leg) -> None:
    assert read_legs([written], None, []) == Legs((leg,), (), ())


def test_no_legs_are_no_blueprint() -> None:
    assert read_legs(None, [], None) is None


MEANT = {
    "3000:1,50": "3000:1.50",
    "3000:1@1/25,5": "3000:1@1/25.5",
    "4000:100,40@2/13,5": "4000:100.40@2/13.5",
    "4000:1 234,50 €+vat@2=a, b": "4000:1234.50+vat@2=a, b",
}


@pytest.mark.parametrize(
    "written",
    [
        *MEANT, "", "bank", "1910:", "1910:x", "1910: 1", "3000:1.234", "3000:+1", "3000:.5", "3000:1e3",
        "3000:1@", "3000:1@x", "3000:1@1/", "3000:1@1/25.555", "3000:1@1/1000", "3000:1 @1", "3000@1",
        "1910=text", "3000:1=", "12345678:1", "id:0:1", "3000:1@1+vat", "3000:123456789012345678", "3000:١", " 3000:1",
        "3000:1@100",
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named_with_the_way_to_write_it(written: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_legs(None, None, [written])
    meant = f"; write {MEANT[written]}" if written in MEANT else ""
    assert caught.value.message == f"--expense {written!r} cannot be read{meant}"
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("write 3000:125.50, ")


@pytest.mark.parametrize("written", ["4000:0", "4000:0.00@2/25.5", "4000:-0=Nothing"])
def test_an_amount_of_nothing_is_refused(written: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_legs([written], None, None)
    assert caught.value.message == f"--debit {written!r}: an amount of 0 posts nothing"


def test_a_vat_code_that_does_not_exist_is_named() -> None:
    with pytest.raises(UsageError, match="there is no VAT code 16"):
        read_legs(["3000:1@16/25.5"], None, None)


@given(
    st.from_regex(r"[0-9]{1,7}|id:[1-9][0-9]{0,3}", fullmatch=True).filter(str.isascii),
    st.integers(-(10**12), 10**12).filter(bool),
    st.booleans(),
    st.none() | st.tuples(st.integers(0, 15), st.none() | st.integers(0, 99_999)),
    st.none() | st.text(min_size=1),
)
def test_what_is_written_is_read_back(
    account: str, cents: int, is_net: bool, vat: tuple[int, int | None] | None, text: str | None
) -> None:
    code, rate = vat or (None, None)
    written = f"{account}:{units_of(cents):f}{'+vat' if is_net else ''}"
    written += "" if code is None else f"@{code}" if rate is None else f"@{code}/{units_of(rate):f}"
    written += "" if text is None else f"={text}"
    rated = None if rate is None else units_of(rate)
    leg = Leg("--credit", written, account, units_of(cents), is_net, code, rated, text)
    assert read_legs(None, [written], None) == Legs((), (leg,), ())


# --- the three styles ---


def test_a_sale() -> None:
    assert made("1910", "3000:125.50@1/25.5 3380:10@6", "8500:2.90=Fee") == Filled(
        {
            "debet_account_id": 57,
            "credit_entries": [row(58, "125.50", 1, "25.5"), row(59, "10", 6)],
            "expense_entries": [row(61, "2.90", description="Fee")],
        },
        [],
    )


def test_a_purchase() -> None:
    assert made("8500:5.00 4450:100@8/25.5", "1910") == Filled(
        {"credit_account_id": 57, "debet_entries": [row(61, "5.00"), row(60, "100", 8, "25.5")]}, []
    )


def test_a_posting_by_hand() -> None:
    assert made("8500:5 id:60:1@3", "1910:6") == Filled(
        {"debet_entries": [row(61, "5"), row(60, "1")], "credit_entries": [row(57, "6")]}, []
    )


# --- VAT ---


@pytest.mark.parametrize(
    ("written", "expected", "notes"),
    [
        ("3000:1", row(58, "1", 1, "25.50"), ["3000 Sales: VAT code 1 at 25.5 %"]),
        ("0123:1", row(62, "1", 2, "13.50"), ["0123 Odd: VAT code 2 at 13.5 %"]),
        ("3380:1", row(59, "1", 6), ["3380 EU services: VAT code 6"]),
        ("8500:1", row(61, "1"), []),
        ("9000:1", row(63, "1", 1), ["9000 Unrated: VAT code 1"]),
        ("3000:1@1", row(58, "1", 1, "25.50"), []),
        ("3000:1@3", row(58, "1"), []),
        ("3000:1@6", row(58, "1", 6), []),
        ("3000:1@1/0", row(58, "1", 1, "0"), []),
        ("3000:1@6/14", row(58, "1", 6, "14"), []),
        ("3000:1+vat", row(58, "1", 1, "25.50", vat_method=1), ["3000 Sales: VAT code 1 at 25.5 %"]),
        ("4450:1+vat@8/10", row(60, "1", 8, "10", vat_method=1), []),
    ],
)
def test_an_amount_takes_the_vat_written_or_the_account_s_own(
    written: str, expected: dict[str, Any], notes: list[str]
) -> None:
    assert made("1910", written) == Filled({"debet_account_id": 57, "credit_entries": [expected]}, notes)


def test_the_same_vat_is_noted_once() -> None:
    assert made("1910", "3000:1 3000:2").notes == ["3000 Sales: VAT code 1 at 25.5 %"]


def test_rates_are_asked_for_only_where_they_are_needed() -> None:
    def no_rates(label: str | None) -> Decimal:
        raise AssertionError(label)

    fill(legs("1910", "3000:1@1/25.5 3000:1@3 3380:1 8500:1"), CHART, no_rates)


@pytest.mark.parametrize(
    ("written", "message", "hint"),
    [
        (
            "1910:5@1",
            "--credit 1910:5@1: account 1910 Bank has no VAT rate of its own",
            "write the rate too: 1910:5@1/25.5",
        ),
        (
            "9000:5@1",
            "--credit 9000:5@1: account 9000 Unrated has no VAT rate of its own",
            "write the rate too: 9000:5@1/25.5",
        ),
        (
            "8500:5+vat",
            "--credit 8500:5+vat: VAT code 3 adds no VAT",
            "leave out +vat, or name code and rate, like +vat@1/25.5",
        ),
        ("3000:5+vat@4", "--credit 3000:5+vat@4: VAT code 4 adds no VAT", None),
        (
            "3001:5",
            "--credit: there is no account 3001 in the chart",
            "the nearest are 3000 Sales, 3380 EU services, 1910 Bank",
        ),
        ("id:7:5", "--credit: there is no account id:7 in the chart", "see: acctcli account list"),
    ],
)
def test_what_the_chart_does_not_bear_out_is_refused(written: str, message: str, hint: str | None) -> None:
    with pytest.raises(UsageError) as caught:
        made("1910", written)
    assert caught.value.message == message
    assert hint in {None, caught.value.hint}


# --- shapes ---

REFUSED: list[tuple[tuple[str, str, str], str]] = [
    (("1910", "3000", ""), "neither --debit 1910 nor --credit 3000 has an amount"),
    (("1910 4450:1", "3000:1", ""), "--debit 1910 has no amount, so it takes the balance and stands alone on its side"),
    (("1910:1", "3000 3380", ""), "--credit 3000 has no amount, so it takes the balance and stands alone on its side"),
    (("1910:1", "3000:1", "8500:1"), "--expense 8500:1: an expense is taken out of what one account receives"),
    (("", "3000:1", "8500:1"), "--expense 8500:1: an expense is taken out of what one account receives"),
    (("1910", "3000:1", "8500"), "--expense 8500 has no amount"),
]
UNFINISHED: list[tuple[tuple[str, str, str], str]] = [
    (("1910", "", ""), "--credit is missing: a document has two sides"),
    (("1910", "", "8500:1"), "--credit is missing: a document has two sides"),
    (("", "3000:1", ""), "--debit is missing: a document has two sides"),
]


@pytest.mark.parametrize("sides", [("1910:125.50", "3000"), ("0123", "1910:80"), ("3380:1", "9000")])
def test_no_account_whose_postings_have_vat_takes_the_balance_without(sides: tuple[str, str]) -> None:
    with pytest.raises(UsageError, match="takes the balance, which has no VAT") as caught:
        made(*sides)
    lone = next(one for one in sides if ":" not in one)
    assert f"{lone}:125.50@3 is without VAT" in str(caught.value.hint)
    # of who is not liable for VAT nothing has any
    fill(legs(*sides), CHART, lambda label: RATES[label], has_own_vat=False)
    given = [one if ":" in one else f"{one}:{two.partition(':')[2]}@3" for one, two in (sides, sides[::-1])]
    made(*given)


@pytest.mark.parametrize(("written", "message"), REFUSED + UNFINISHED)
def test_legs_that_make_no_document_are_refused(written: tuple[str, str, str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_shape(legs(*written), posts=True)
    assert caught.value.message == message


@pytest.mark.parametrize(("written", "message"), REFUSED)
def test_nor_do_they_make_a_draft(written: tuple[str, str, str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_shape(legs(*written), posts=False)
    assert caught.value.message == message


@pytest.mark.parametrize(("written", "_message"), UNFINISHED)
def test_a_draft_may_be_unfinished(written: tuple[str, str, str], _message: str) -> None:
    check_shape(legs(*written), posts=False)


def test_two_sides_must_agree_with_vat() -> None:
    check_balance(made("1910:125.50", "3000:100+vat@1/25.5").blueprint)
    check_balance(made("1910", "3000:1").blueprint)
    with pytest.raises(UsageError) as caught:
        check_balance(made("1910:100", "3000:100+vat@1/25.5").blueprint)
    assert caught.value.message == "--debit comes to 100.00 and --credit to 125.50, VAT included: they differ by 25.50"
