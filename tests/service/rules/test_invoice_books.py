"""What invoices post, and that it is what their rows say, to the cent (docs/interface.md 7.5)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from acctcli.service.rules.blueprint import Blueprint
from acctcli.service.rules.invoice_books import SalesAccount, Share, Sold, loss, sale, sales_account, settlement, shares
from acctcli.service.rules.invoices import row_sums
from acctcli.service.rules.posting import EntryLine, VatAccounts, post

RECEIVABLES, BANK, SALES, BAD_DEBTS, INPUT_VAT, VAT = range(1, 7)
KNOWN = set(range(1, 7))


def posted(blueprint: Blueprint) -> list[tuple[int, int]]:
    """Return accounts and amounts, debit positive."""
    lines: list[EntryLine] = post(blueprint, KNOWN, VatAccounts(INPUT_VAT, VAT))
    return [(line.account_id, line.amount if line.is_debit else -line.amount) for line in lines]


def test_a_sale_on_credit_and_its_credit_note() -> None:
    rows = [Sold(SALES, 25100, 1, 2550, "Consulting"), Sold(SALES, 6807, 1, 1350, "Books")]
    lines = [(RECEIVABLES, 31907), (SALES, -20000), (VAT, -5100), (SALES, -5997), (VAT, -810)]
    assert posted(sale(RECEIVABLES, rows)) == lines
    back = [row._replace(total=-row.total) for row in rows]
    assert posted(sale(RECEIVABLES, back)) == [(account, -amount) for account, amount in lines]


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


@given(ROWS)
def test_rows_vat_and_books_agree_to_the_cent(rows: list[tuple[int, int, int, int]]) -> None:
    """The invoice adds VAT to the net of a row, the books take it out of the total: both find the same cents."""
    sums = [row_sums(*row) for row in rows]
    sold = [Sold(SALES, one.total, code, rate, "") for one, (_, _, rate, code) in zip(sums, rows, strict=True)]
    lines = posted(sale(RECEIVABLES, sold))
    booked = {account: sum(amount for one, amount in lines if one == account) for account in KNOWN}
    total, vat = sum(one.total for one in sums), sum(one.vat for one in sums)
    assert booked[RECEIVABLES] == total
    assert booked[VAT] == -vat
    assert booked[SALES] == -(total - vat)
    if total:
        gone = posted(
            loss(BAD_DEBTS, RECEIVABLES, shares(total, [(one.vat_code, one.vat_rate, one.total) for one in sold]))
        )
        assert sum(amount for account, amount in gone if account == RECEIVABLES) == -total
