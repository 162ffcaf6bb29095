"""What invoices post, and that it is what their rows say, to the cent (docs/interface.md 7.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from acctcli.service.rules.blueprint import Blueprint
from acctcli.service.rules.invoice_books import (
    SalesAccount,
    Share,
    Sold,
    loss,
    part,
    sale,
    sales_account,
    settlement,
    shares,
)
from acctcli.service.rules.invoices import Net, Worth, row_sums, too_much_credited, too_much_of_a_row, vat_once
from acctcli.service.rules.posting import EntryLine, VatAccounts, post

RECEIVABLES, BANK, SALES, BAD_DEBTS, INPUT_VAT, VAT = range(1, 7)
KNOWN = set(range(1, 7))


def posted(blueprint: Blueprint) -> list[tuple[int, int]]:
    """Return accounts and amounts, debit positive."""
    lines: list[EntryLine] = post(blueprint, KNOWN, VatAccounts(INPUT_VAT, VAT))
    return [(line.account_id, line.amount if line.is_debit else -line.amount) for line in lines]


def test_a_sale_on_credit_and_its_credit_note() -> None:
    rows = [Sold(SALES, 20000, 1, 2550, "Consulting"), Sold(SALES, 5997, 1, 1350, "Books")]
    vats = {2550: 5100, 1350: 810}
    lines = [(RECEIVABLES, 31907), (SALES, -20000), (VAT, -5100), (SALES, -5997), (VAT, -810)]
    assert posted(sale(RECEIVABLES, rows, VAT, vats)) == lines
    back = [row._replace(net=-row.net) for row in rows]
    back_vats = {rate: -vat for rate, vat in vats.items()}
    assert posted(sale(RECEIVABLES, back, VAT, back_vats)) == [(account, -amount) for account, amount in lines]


def test_rows_of_one_account_and_rate_are_one_and_their_vat_is_worked_out_once() -> None:
    """Ten rows of 0.33 at 25.5 % carry 0.84 of VAT, not ten times 0.08."""
    rows = [Sold(SALES, 33, 1, 2550, f"Pen {place}") for place in range(10)]
    assert vat_once(Net(1, 2550, 33) for _ in rows) == {2550: 84}
    blueprint = sale(RECEIVABLES, rows, VAT, {2550: 84})
    assert posted(blueprint) == [(RECEIVABLES, 414), (SALES, -330), (VAT, -84)]
    assert [row.description for row in blueprint.credit_rows] == [", ".join(row.name for row in rows)]
    apart = [row._replace(account_id=SALES if place % 2 else BANK) for place, row in enumerate(rows)]
    lines = post(sale(RECEIVABLES, apart, VAT, {2550: 84}), KNOWN, VatAccounts(INPUT_VAT, VAT))
    assert sum(line.amount for line in lines if line.account_id == VAT) == 84
    assert {(line.vat_code, line.vat_rate) for line in lines if line.account_id == VAT} == {(1, 2550)}


NETS = st.lists(
    st.tuples(st.integers(-90_000, 200_000), st.sampled_from((2550, 1350, 1000, 0)), st.sampled_from((1, 3))),
    min_size=1,
    max_size=5,
)


@given(NETS, st.lists(st.integers(1, 99), max_size=4, unique=True), st.sampled_from((1, -1)))
def test_payments_in_parts_come_to_the_sale_to_the_cent(
    nets: list[tuple[int, int, int]], cuts: list[int], sign: int
) -> None:
    rows = [Sold(SALES, sign * net, code, rate if code == 1 else 0, "Work") for net, rate, code in nets]
    vats = vat_once(Net(row.vat_code, row.vat_rate, row.net) for row in rows)
    whole = sum(row.net for row in rows) + sum(vats.values())
    if not whole:
        return
    stops = [0, *(whole * cut // 100 for cut in sorted(cuts)), whole]
    found: Counter[tuple[int, int, int, bool]] = Counter()
    for before, after in pairwise(stops):
        sold, taxes = part(rows, vats, before, after)
        lines = post(sale(BANK, sold, VAT, taxes), KNOWN, VatAccounts(INPUT_VAT, VAT))
        assert sum(line.amount if line.is_debit else -line.amount for line in lines if line.account_id == BANK) == (
            after - before
        )
        for line in lines:
            key = line.account_id, line.vat_code, line.vat_rate, line.account_id == VAT
            found[key] += line.amount if line.is_debit else -line.amount
    for code, rate in {(row.vat_code, row.vat_rate) for row in rows}:
        net = sum(row.net for row in rows if (row.vat_code, row.vat_rate) == (code, rate))
        assert found[SALES, code, rate, False] == -net
        assert found[VAT, code, rate, True] == -(vats.get(rate, 0) if code == 1 else 0)


def test_credit_notes_in_parts_take_back_the_vat_of_their_sum() -> None:
    parts = [Net(1, 2550, -2)] * 100
    taken = [vat_once([part], parts[:place])[2550] for place, part in enumerate(parts)]
    assert (sum(taken), taken[0]) == (vat_once([Net(1, 2550, -200)])[2550], -1)
    assert too_much_credited([Net(1, 2550, 200)], parts) is None
    assert too_much_credited([Net(1, 2550, 199)], parts) == (1, 2550)
    assert too_much_credited([Net(1, 2550, 200)], [Net(1, 1400, -100)]) == (1, 1400)
    assert too_much_credited([Net(1, 2550, 200), Net(1, 1400, -50)], [Net(1, 1400, 50)]) is None


def test_no_more_of_a_row_is_credited_than_was_sold() -> None:
    def worth(name: str, amount: int, rate: int = 2550) -> Worth:
        return Worth(1, rate, name, amount * 10**6)

    sold = [worth("Work", 100), worth("Tool", 300), worth("Work", 50), worth("Discount", -20)]
    fine = [worth("work ", -150), worth("Goodwill", -90), worth("Work", 400, 1350), worth("Discount", 20)]
    assert too_much_of_a_row(sold, fine) is None
    assert too_much_of_a_row(sold, [worth("Work", -100), worth("WORK", -51)]) == (worth("WORK", -51), 50)
    assert too_much_of_a_row(sold, [worth("Tool", 1)]) == (worth("Tool", 1), 300)
    assert too_much_of_a_row(sold, [worth("Discount", 21)]) == (worth("Discount", 21), -20)
    # what is rounded row by row is not what is compared: three thirds of 34.65 are all of it
    third = Worth(1, 2550, "Tool", 99_000 * -11_667)
    assert too_much_of_a_row([Worth(1, 2550, "Tool", 99_000 * 35_001)], [third] * 3) is None


def test_a_payment_and_a_refund() -> None:
    assert posted(settlement(BANK, RECEIVABLES, 25100)) == [(BANK, 25100), (RECEIVABLES, -25100)]
    assert posted(settlement(BANK, RECEIVABLES, -25100)) == [(BANK, -25100), (RECEIVABLES, 25100)]


def test_a_loss_takes_the_vat_back_by_rate() -> None:
    lost = loss(BAD_DEBTS, RECEIVABLES, [Share(3, 0, 1000), Share(1, 1350, 11350), Share(1, 2550, 25100)])
    assert posted(lost) == [
        (BAD_DEBTS, 1000),
        (BAD_DEBTS, 10000),
        (VAT, 1350),
        (BAD_DEBTS, 20000),
        (VAT, 5100),
        (RECEIVABLES, -37450),
    ]
    lines = post(lost, KNOWN, VatAccounts(INPUT_VAT, VAT))
    assert [(line.vat_code, line.vat_rate) for line in lines if line.is_debit] == [
        (3, 0), (1, 1350), (1, 1350), (1, 2550), (1, 2550),
    ]  # fmt: skip


def test_what_is_open_is_shared_out_by_rate() -> None:
    sold = [(1, 2550, 25100), (1, 2550, 12550), (1, 1350, 11350), (6, 0, 1000), (3, 0, 2000)]
    assert shares(52000, sold) == [Share(1, 1350, 11350), Share(1, 2550, 37650), Share(3, 0, 3000)]
    assert shares(26000, sold) == [Share(1, 1350, 5675), Share(1, 2550, 18825), Share(3, 0, 1500)]
    assert shares(1, sold) == [Share(1, 2550, 1)]
    assert shares(100, [(1, 2550, 1), (1, 1350, 1), (1, 1000, 1)]) == [
        Share(1, 1000, 33), Share(1, 1350, 33), Share(1, 2550, 34),
    ]  # fmt: skip
    assert shares(-251, [(1, 2550, -502)]) == [Share(1, 2550, -251)]


def test_the_account_of_a_row_that_names_none() -> None:
    exempt, reduced, standard, eu = (
        SalesAccount(10, 4, "zero", True),
        SalesAccount(11, 1, "reduced_a", True),
        SalesAccount(12, 1, "standard", True),
        SalesAccount(13, 6, "zero", True),
    )
    chart = (exempt, reduced, standard, eu)
    assert [sales_account(chart, code) for code in (1, 4, 6, 13)] == [12, 10, 13, 10]
    assert [sales_account(chart, 1, label) for label in ("reduced_a", "reduced_b", "standard")] == [11, 12, 12]
    assert [sales_account(chart, code, "zero") for code in (4, 13)] == [10, 10]
    assert sales_account([*chart, reduced._replace(id=14)], 1, "reduced_a") == 11
    assert sales_account((exempt, reduced), 1) == 11
    assert sales_account((), 1) is None
    hidden = [account._replace(is_shown=False) for account in chart]
    assert sales_account([exempt, reduced, hidden[2]], 1) == 11
    assert sales_account([exempt, *hidden[1:]], 1) == 12
    assert sales_account([hidden[0], reduced], 13) == 11


prices = st.integers(-(10**9), 10**9)
ROWS = st.lists(
    st.tuples(
        prices, st.integers(-(10**6), 10**6), st.integers(0, 10_000), st.sampled_from([1, 3, 4, 5, 6, 10, 12, 13])
    ),
    max_size=8,
)


@given(ROWS, st.lists(st.sampled_from([SALES, BANK]), min_size=8, max_size=8))
def test_rows_vat_and_books_agree_to_the_cent(rows: list[tuple[int, int, int, int]], accounts: list[int]) -> None:
    """Every rate has one VAT, of the sum of its nets, on whichever accounts the rows stand; a loss takes all of it."""
    nets = [_net(*row) for row in rows]
    sold = [
        Sold(account, one.net, one.vat_code, one.vat_rate, "") for one, account in zip(nets, accounts, strict=False)
    ]
    vats = vat_once(nets)
    sales = sale(RECEIVABLES, sold, VAT, vats)
    total = sum(one.net for one in nets) + sum(vats.values())
    assert (_vat_of(sales, vats), dict(posted(sales)[:1]).get(RECEIVABLES, 0)) == (vats, total)
    if total and all(one.net >= 0 for one in nets):
        lost = shares(total, [(one.vat_code, one.vat_rate, one.amount) for one in sales.credit_rows])
        assert _vat_of(loss(BAD_DEBTS, RECEIVABLES, lost), vats) == {rate: -vat for rate, vat in vats.items()}


def _vat_of(blueprint: Blueprint, rates: Iterable[int]) -> dict[int, int]:
    """Return what is posted to the account of VAT, credit positive, by rate."""
    found = dict.fromkeys(rates, 0)
    for line in post(blueprint, KNOWN, VatAccounts(INPUT_VAT, VAT)):
        if line.account_id == VAT:
            found[line.vat_rate] += -line.amount if line.is_debit else line.amount
    return found


def _net(price: int, count: int, rate: int, code: int) -> Net:
    sums = row_sums(price, count, rate, code)
    return Net(code, rate, sums.total - sums.vat)
