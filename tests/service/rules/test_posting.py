"""Posting: the worked examples as whole entries, rounding vectors, and what must hold for every blueprint."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.law.finland.chart import CHART as FINNISH_CHART
from acctcli.law.vat_codes import REVERSE_CHARGE
from acctcli.models.enums import BlueprintType
from acctcli.service.rules.blueprint import Blueprint, BlueprintError, BlueprintRow, read_blueprint, write_blueprint
from acctcli.service.rules.money import LARGEST_CENTS, divide_half_away
from acctcli.service.rules.posting import (
    EntryLine,
    NoVatAccountError,
    UiRow,
    VatAccounts,
    VatSplit,
    document_balance,
    post,
    split_vat,
    ui_rows,
)

# the ids of these tests are the account numbers
TYPES = {int(account.number): str(account.type) for account in FINNISH_CHART}
VAT = VatAccounts(receivables=1763, liabilities=2939)
NOTHING = VatAccounts(None, None)


def row(account: int | None, amount: str, code: int = 3, rate: str = "0", method: int = 0) -> dict[str, Any]:
    return {
        "account_id": account,
        "description": None,
        "vat_code": code,
        "vat_rate": Decimal(rate),
        "vat_method": method,
        "amount": Decimal(amount),
    }


def sales(debit: int, credit: list[dict[str, Any]], expense: list[dict[str, Any]] | None = None) -> Blueprint:
    return read_blueprint({"debet_account_id": debit, "credit_entries": credit, "expense_entries": expense or []})


def purchase(credit: int, debit: list[dict[str, Any]]) -> Blueprint:
    return read_blueprint({"credit_account_id": credit, "debet_entries": debit})


def manual(debit: list[dict[str, Any]], credit: list[dict[str, Any]]) -> Blueprint:
    return read_blueprint({"debet_entries": debit, "credit_entries": credit})


def debit(account: int, cents: int, code: int = 3, rate: int = 0) -> EntryLine:
    return EntryLine(account, True, cents, "", code, rate)


def credit(account: int, cents: int, code: int = 3, rate: int = 0) -> EntryLine:
    return EntryLine(account, False, cents, "", code, rate)


E1 = [debit(1910, 12550), credit(3000, 10000, 1, 2550), credit(2939, 2550, 1, 2550)]

EXAMPLES: dict[str, tuple[Blueprint, list[EntryLine], int]] = {
    "E1 sale, gross": (sales(1910, [row(3000, "125.50", 1, "25.5")]), E1, 12550),
    "E2 sale, net": (sales(1910, [row(3000, "100.00", 1, "25.5", 1)]), E1, 12550),
    "E3 fee taken off": (
        sales(1910, [row(3000, "34.80", 1, "25.5")], [row(8500, "2.90")]),
        [debit(1910, 3190), debit(8500, 290), credit(3000, 2773, 1, 2550), credit(2939, 707, 1, 2550)],
        3190,
    ),
    "E4 fee with VAT taken off": (
        sales(1910, [row(3000, "125.50", 1, "25.5")], [row(8500, "12.55", 2, "25.5")]),
        [
            debit(1910, 11295),
            debit(8500, 1000, 2, 2550),
            debit(1763, 255, 2, 2550),
            credit(3000, 10000, 1, 2550),
            credit(2939, 2550, 1, 2550),
        ],
        11295,
    ),
    "E5 purchase, two rates": (
        purchase(1910, [row(4000, "62.75", 2, "25.5"), row(7800, "10.00", 2, "13.5"), row(8500, "5.00")]),
        [
            debit(4000, 5000, 2, 2550),
            debit(1763, 1275, 2, 2550),
            debit(7800, 881, 2, 1350),
            debit(1763, 119, 2, 1350),
            debit(8500, 500),
            credit(1910, 7775),
        ],
        -7775,
    ),
    "E6 reverse charge": (
        purchase(1910, [row(4450, "100.00", 8, "25.5")]),
        [
            debit(4450, 10000, 8, 2550),
            debit(1763, 2550, 8, 2550),
            credit(2939, 2550, 8, 2550),
            credit(1910, 10000),
        ],
        -10000,
    ),
    "E7 EU service sale on credit": (
        sales(1700, [row(3380, "500.00", 6)]),
        [debit(1700, 50000), credit(3380, 50000, 6)],
        0,
    ),
    "E8 settlement": (sales(1910, [row(1700, "251.00")]), [debit(1910, 25100), credit(1700, 25100)], 25100),
    "E9 refund by hand": (
        manual([row(3000, "27.73", 1), row(2939, "7.07")], [row(1910, "34.80")]),
        [debit(3000, 2773, 1), debit(2939, 707), credit(1910, 3480)],
        -3480,
    ),
    "E10 two rates on credit": (
        sales(1700, [row(3000, "251.00", 1, "25.5"), row(3000, "68.07", 1, "13.5")]),
        [
            debit(1700, 31907),
            credit(3000, 20000, 1, 2550),
            credit(2939, 5100, 1, 2550),
            credit(3000, 5997, 1, 1350),
            credit(2939, 810, 1, 1350),
        ],
        0,
    ),
}


@pytest.mark.parametrize(("blueprint", "entries", "balance"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_worked_examples_post_exactly(blueprint: Blueprint, entries: list[EntryLine], balance: int) -> None:
    lines = post(blueprint, TYPES, VAT)
    assert lines == entries
    assert document_balance(lines, TYPES) == balance


@pytest.mark.parametrize(
    ("cents", "rate", "net", "gross"),
    [
        # amount, rate: split of it as gross, split of it as net; halves go away from zero
        (100, 2550, VatSplit(100, 26, 126), VatSplit(80, 20, 100)),
        (2, 2550, VatSplit(2, 1, 3), VatSplit(2, 0, 2)),
        (10000, 2550, VatSplit(10000, 2550, 12550), VatSplit(7968, 2032, 10000)),
        (50, 100, VatSplit(50, 1, 51), VatSplit(50, 0, 50)),
        (49, 100, VatSplit(49, 0, 49), VatSplit(49, 0, 49)),
        (1, 99999, VatSplit(1, 10, 11), VatSplit(0, 1, 1)),
        (3330, 1000, VatSplit(3330, 333, 3663), VatSplit(3027, 303, 3330)),
        (5997, 1350, VatSplit(5997, 810, 6807), VatSplit(5284, 713, 5997)),
        (-50, 100, VatSplit(-50, -1, -51), VatSplit(-50, 0, -50)),
    ],
)
def test_rounding_is_half_away_from_zero_per_row(cents: int, rate: int, net: VatSplit, gross: VatSplit) -> None:
    assert split_vat(BlueprintRow(None, cents, 1, rate, is_net=True)) == net
    assert split_vat(BlueprintRow(None, cents, 1, rate, is_net=False)) == gross


@pytest.mark.parametrize("code", sorted(REVERSE_CHARGE))
@pytest.mark.parametrize("method", [0, 1])
def test_every_reverse_charge_code_moves_both_vat_accounts(code: int, method: int) -> None:
    lines = post(purchase(1910, [row(4450, "100.00", code, "25.5", method)]), TYPES, VAT)
    assert lines == [
        debit(4450, 10000, code, 2550),
        debit(1763, 2550, code, 2550),
        credit(2939, 2550, code, 2550),
        credit(1910, 10000),
    ]


def test_reverse_charge_on_the_credit_side_is_the_mirror_image() -> None:
    lines = post(sales(1910, [row(4450, "100.00", 8, "25.5")]), TYPES, VAT)
    assert lines == [
        debit(1910, 10000),
        credit(4450, 10000, 8, 2550),
        credit(1763, 2550, 8, 2550),
        debit(2939, 2550, 8, 2550),
    ]


@pytest.mark.parametrize("code", [0, 3, 4, 5, 6, 10, 12, 13])
def test_codes_without_vat_ignore_rate_and_method(code: int) -> None:
    lines = post(sales(1910, [row(3000, "100.00", code, "14", 1)]), TYPES, NOTHING)
    assert lines == [debit(1910, 10000), credit(3000, 10000, code, 1400)]


def test_a_vat_code_with_rate_zero_makes_no_vat_line() -> None:
    assert post(sales(1910, [row(3000, "10.00", 1)]), TYPES, NOTHING) == [
        debit(1910, 1000),
        credit(3000, 1000, 1),
    ]


def test_negative_amounts_change_sides() -> None:
    lines = post(sales(1910, [row(3000, "-125.50", 1, "25.5")]), TYPES, VAT)
    assert lines == [credit(1910, 12550), debit(3000, 10000, 1, 2550), debit(2939, 2550, 1, 2550)]
    assert document_balance(lines, TYPES) == -12550


def test_a_balancing_line_below_zero_changes_sides() -> None:
    lines = post(sales(1910, [row(3000, "2.00")], [row(8500, "5.00")]), TYPES, VAT)
    assert lines == [credit(1910, 300), debit(8500, 500), credit(3000, 200)]


def test_zero_lines_are_dropped() -> None:
    blueprint = sales(1910, [row(3000, "5.00"), row(3900, "0.00")], [row(8500, "5.00")])
    assert post(blueprint, TYPES, VAT) == [debit(8500, 500), credit(3000, 500)]


def test_vat_lines_carry_the_description_of_their_row() -> None:
    blueprint = Blueprint(1910, (), None, (BlueprintRow(3000, 12550, 1, 2550, description="Boots"),))
    assert [line.description for line in post(blueprint, TYPES, VAT)] == ["", "Boots", "Boots"]


def test_an_empty_blueprint_posts_nothing() -> None:
    assert post(read_blueprint({}), TYPES, NOTHING) == []
    assert post(read_blueprint({"debet_entries": None, "credit_entries": None}), TYPES, NOTHING) == []


def test_ui_rows_show_gross_amounts_and_the_shortcut_line() -> None:
    blueprint = sales(1910, [row(3000, "100.00", 1, "25.5", 1)], [row(8500, "12.55", 2, "25.5")])
    assert ui_rows(blueprint) == [
        UiRow(1910, True, 11295, 3, 0),
        UiRow(8500, True, 1255, 2, 2550),
        UiRow(3000, False, 12550, 1, 2550),
    ]
    assert ui_rows(purchase(1910, [row(4000, "-10.00")])) == [
        UiRow(4000, False, 1000, 3, 0),
        UiRow(1910, True, 1000, 3, 0),
    ]
    assert ui_rows(manual([row(None, "1.00")], [])) == [UiRow(None, True, 100, 3, 0)]


def test_ui_rows_have_no_shortcut_line_of_nothing() -> None:
    assert ui_rows(sales(1910, [row(3000, "10.00")], [row(8500, "10.00")])) == [
        UiRow(8500, True, 1000, 3, 0),
        UiRow(3000, False, 1000, 3, 0),
    ]
    assert ui_rows(purchase(1910, [row(4000, "10.00"), row(4000, "-10.00")])) == [
        UiRow(4000, True, 1000, 3, 0),
        UiRow(4000, False, 1000, 3, 0),
    ]


@pytest.mark.parametrize(
    ("wire", "style"),
    [
        ({}, BlueprintType.MANUAL),
        ({"debet_account_id": 1}, BlueprintType.SALES),
        ({"debet_account_id": 1, "credit_entries": [row(2, "1")]}, BlueprintType.SALES),
        ({"credit_account_id": 1}, BlueprintType.PURCHASE),
        ({"credit_account_id": 1, "debet_entries": [row(2, "1")]}, BlueprintType.PURCHASE),
        ({"debet_account_id": 1, "credit_account_id": 2}, BlueprintType.MANUAL),
        ({"debet_entries": [row(2, "1")], "credit_entries": [row(3, "1")]}, BlueprintType.MANUAL),
    ],
)
def test_the_style_follows_from_the_filled_fields(wire: dict[str, Any], style: BlueprintType) -> None:
    assert read_blueprint(wire).style == style


INVALID: dict[str, tuple[Blueprint, str]] = {
    "debit shortcut and rows": (
        read_blueprint({"debet_account_id": 1910, "debet_entries": [row(4000, "1")]}),
        "debet_account_id and debet_entries exclude each other.",
    ),
    "credit shortcut and rows": (
        read_blueprint({"credit_account_id": 1910, "credit_entries": [row(4000, "1")]}),
        "credit_account_id and credit_entries exclude each other.",
    ),
    "expenses without shortcut": (
        read_blueprint({"expense_entries": [row(8500, "1")], "credit_entries": [row(1910, "1")]}),
        "expense_entries need debet_account_id.",
    ),
    "unknown account in a row": (sales(1910, [row(77, "1")]), "Unknown account id 77."),
    "unknown shortcut": (sales(77, [row(3000, "1")]), "Unknown account id 77."),
}

UNFINISHED: dict[str, tuple[Blueprint, str]] = {
    "row without account": (
        sales(1910, [row(None, "1")]),
        "Every row needs an account unless the document is a draft.",
    ),
    "sides differ": (
        manual([row(4000, "10.00")], [row(1910, "9.99")]),
        "Debit 10.00 and credit 9.99 differ.",
    ),
    "one side only": (manual([row(4000, "10.00")], []), "Debit 10.00 and credit 0.00 differ."),
}


@pytest.mark.parametrize(("blueprint", "text"), (INVALID | UNFINISHED).values(), ids=(INVALID | UNFINISHED).keys())
def test_an_invalid_blueprint_is_refused_with_a_reason(blueprint: Blueprint, text: str) -> None:
    with pytest.raises(BlueprintError) as caught:
        post(blueprint, TYPES, VAT)
    assert str(caught.value) == text


@pytest.mark.parametrize(("blueprint", "text"), INVALID.values(), ids=INVALID.keys())
def test_a_draft_must_still_make_sense(blueprint: Blueprint, text: str) -> None:
    with pytest.raises(BlueprintError) as caught:
        post(blueprint, TYPES, VAT, is_draft=True)
    assert str(caught.value) == text


@pytest.mark.parametrize(("blueprint", "_text"), UNFINISHED.values(), ids=UNFINISHED.keys())
def test_a_draft_may_be_unfinished(blueprint: Blueprint, _text: str) -> None:
    post(blueprint, TYPES, NOTHING, is_draft=True)


@pytest.mark.parametrize(
    ("blueprint", "accounts", "setting"),
    [
        (sales(1910, [row(3000, "1.00", 1, "25.5")]), VatAccounts(1763, None), "account_vat_liabilities"),
        (purchase(1910, [row(4000, "1.00", 2, "25.5")]), VatAccounts(None, 2939), "account_vat_receivables"),
        (purchase(1910, [row(4450, "1.00", 8, "25.5")]), VatAccounts(1763, None), "account_vat_liabilities"),
    ],
)
def test_vat_without_an_account_is_refused(blueprint: Blueprint, accounts: VatAccounts, setting: str) -> None:
    with pytest.raises(NoVatAccountError) as caught:
        post(blueprint, TYPES, accounts)
    assert caught.value.args == (setting,)
    post(blueprint, TYPES, accounts, is_draft=True)


def test_sums_beyond_64_bits_are_refused() -> None:
    largest = BlueprintRow(3000, LARGEST_CENTS)
    post(Blueprint(1910, (), None, (largest,)), TYPES, VAT)
    for rows in ((largest, BlueprintRow(3000, 1)), (BlueprintRow(3000, LARGEST_CENTS, 1, 2550, is_net=True),)):
        with pytest.raises(BlueprintError, match="beyond what the books can hold"):
            post(Blueprint(1910, (), None, rows), TYPES, VAT)


def test_neither_side_of_a_draft_is_beyond_64_bits() -> None:
    rows = (BlueprintRow(3000, LARGEST_CENTS), BlueprintRow(3000, 1))
    for blueprint in (Blueprint(debit_rows=rows), Blueprint(credit_rows=rows)):
        with pytest.raises(BlueprintError, match="beyond what the books can hold"):
            post(blueprint, TYPES, VAT, is_draft=True)


# --- what must hold for every blueprint ---

ACCOUNTS = st.sampled_from(sorted(TYPES))
CENTS = st.integers(-(10**9), 10**9)
ROWS = st.lists(
    st.builds(
        BlueprintRow,
        ACCOUNTS,
        CENTS,
        st.integers(0, 15),
        st.integers(0, 99999),
        st.booleans(),
        st.none() | st.text(max_size=5),
    ),
    max_size=6,
).map(tuple)
SALES = st.builds(Blueprint, ACCOUNTS, st.just(()), st.none(), ROWS, ROWS)
PURCHASES = st.builds(Blueprint, st.none(), ROWS, ACCOUNTS, st.just(()), st.just(()))
DOUBLE = st.builds(Blueprint, ACCOUNTS, st.just(()), ACCOUNTS, st.just(()), ROWS)


@st.composite
def balanced_manuals(draw: st.DrawFn) -> Blueprint:
    left, right = draw(ROWS), draw(ROWS)
    gap = sum(split_vat(r).gross for r in left) - sum(split_vat(r).gross for r in right)
    return Blueprint(None, left, None, (*right, BlueprintRow(draw(ACCOUNTS), gap)), ())


BLUEPRINTS = SALES | PURCHASES | DOUBLE | balanced_manuals()


def side_sum(lines: list[EntryLine], is_debit: bool) -> int:
    return sum(line.amount for line in lines if line.is_debit == is_debit)


@given(BLUEPRINTS)
def test_debit_is_credit_and_no_line_is_empty(blueprint: Blueprint) -> None:
    lines = post(blueprint, TYPES, VAT)
    assert side_sum(lines, True) == side_sum(lines, False)
    assert all(line.amount > 0 for line in lines)


def slow_split(row: BlueprintRow) -> tuple[Decimal, Decimal]:
    """Base and VAT of a row in currency units, by the formulas as docs/interface.md 5.4 prints them."""
    amount, rate = Decimal(row.amount) / 100, Decimal(row.vat_rate) / 100

    def r2(number: Decimal) -> Decimal:
        return number.quantize(Decimal("0.01"), ROUND_HALF_UP)

    if row.vat_code in (7, 8, 9, 11, 14, 15) or (row.vat_code in (1, 2) and row.is_net):
        return amount, r2(amount * rate / 100)
    if row.vat_code in (1, 2):
        vat = r2(amount * rate / (100 + rate))
        return amount - vat, vat
    return amount, Decimal(0)


def slow_net(blueprint: Blueprint) -> dict[int, Decimal]:
    """Debit minus credit per account in currency units, row by row, without entries, order or sides."""
    net: dict[int, Decimal] = {}

    def add(account: int | None, amount: Decimal) -> None:
        if account is not None:
            net[account] = net.get(account, Decimal(0)) + amount

    for sign, rows in ((1, blueprint.debit_rows), (1, blueprint.expense_rows), (-1, blueprint.credit_rows)):
        for r in rows:
            base, vat = slow_split(r)
            other = blueprint.debit_account_id if rows is not blueprint.debit_rows else blueprint.credit_account_id
            reverse = r.vat_code in (7, 8, 9, 11, 14, 15)
            add(r.account_id, sign * base)
            add(1763, sign * vat if r.vat_code == 2 or reverse else Decimal(0))
            add(2939, {True: -sign * vat, False: sign * vat if r.vat_code == 1 else Decimal(0)}[reverse])
            add(other, -sign * (base if reverse else base + vat))
    return net


@given(SALES | PURCHASES | balanced_manuals())
def test_sums_per_account_agree_with_the_formulas_as_printed(blueprint: Blueprint) -> None:
    net: dict[int, Decimal] = {}
    for line in post(blueprint, TYPES, VAT):
        amount = Decimal(line.amount if line.is_debit else -line.amount) / 100
        net[line.account_id] = net.get(line.account_id, Decimal(0)) + amount
    expected = {account: amount for account, amount in slow_net(blueprint).items() if amount}
    assert {account: amount for account, amount in net.items() if amount} == expected


@given(ROWS)
def test_base_and_vat_make_the_gross_amount(rows: tuple[BlueprintRow, ...]) -> None:
    for r in rows:
        split = split_vat(r)
        assert split.base + (0 if r.vat_code in REVERSE_CHARGE else split.vat) == split.gross
        assert (Decimal(split.base) / 100, Decimal(split.vat) / 100) == slow_split(r)


def negated(rows: tuple[BlueprintRow, ...]) -> tuple[BlueprintRow, ...]:
    return tuple(r._replace(amount=-r.amount) for r in rows)


@given(BLUEPRINTS)
def test_a_negated_blueprint_posts_the_same_cents_on_the_other_side(blueprint: Blueprint) -> None:
    mirrored = blueprint._replace(
        debit_rows=negated(blueprint.debit_rows),
        credit_rows=negated(blueprint.credit_rows),
        expense_rows=negated(blueprint.expense_rows),
    )
    flipped = [line._replace(is_debit=not line.is_debit) for line in post(blueprint, TYPES, VAT)]
    assert post(mirrored, TYPES, VAT) == flipped


@given(st.sampled_from(sorted(REVERSE_CHARGE)), CENTS, st.integers(0, 99999))
def test_reverse_charge_leaves_no_vat_to_pay(code: int, cents: int, rate: int) -> None:
    lines = post(Blueprint(None, (BlueprintRow(4450, cents, code, rate),), 1910), TYPES, VAT)
    vat = [line for line in lines if line.account_id in VAT]
    assert side_sum(vat, True) == side_sum(vat, False)


@given(BLUEPRINTS)
def test_ui_rows_balance_like_the_entries(blueprint: Blueprint) -> None:
    rows = ui_rows(blueprint)
    assert sum(r.amount if r.is_debit else -r.amount for r in rows) == 0


@given(BLUEPRINTS)
def test_a_blueprint_survives_the_wire(blueprint: Blueprint) -> None:
    assert read_blueprint(write_blueprint(blueprint)) == blueprint


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**4))
def test_division_rounds_like_decimals_half_up(numerator: int, denominator: int) -> None:
    exact = (Decimal(numerator) / Decimal(denominator)).quantize(Decimal(1), ROUND_HALF_UP)
    assert divide_half_away(numerator, denominator) == exact
