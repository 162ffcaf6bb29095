"""A report whose figures contradict each other is not shown; the difference is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from acctcli.cli.report import checks
from acctcli.cli.report.shapes import LedgerAccount, Statement, Totals, VatReport, decode
from acctcli.errors import Incomplete
from tests.cli.report.replies import BALANCE_SHEET, EQUITY_CHANGES, GERMAN_VAT, INCOME_STATEMENT, VAT, VAT_BY_RATE

Check = Callable[[Statement], None]
LEDGER_ACCOUNT = b"""{"number": "1910", "name": "Bank", "opening_balance": 10.00, "entries": [
  {"number": "1", "date": "2026-03-02", "debet": 5.00, "credit": 0.00, "balance_csum": 15.00},
  {"number": "2", "date": "2026-03-02", "debet": 0.00, "credit": 20.00, "balance_csum": -5.00}],
  "totals": {"debet": 5.00, "credit": 20.00, "balance_csum": -5.00}}"""


@pytest.mark.parametrize(
    ("check", "body"),
    [
        (checks.check_balance_sheet, BALANCE_SHEET),
        (checks.check_income_statement, INCOME_STATEMENT),
        (checks.check_equity_changes, EQUITY_CHANGES),
        # what the plan does not know is not added up
        (
            checks.check_balance_sheet,
            BALANCE_SHEET.replace(b"Trade receivables", b"Receivables").replace(b"67.89", b"68"),
        ),
        (checks.check_income_statement, INCOME_STATEMENT.replace(b"Taxes", b"Steuern").replace(b"480.04", b"1")),
        # floats of a service round to cents
        (checks.check_income_statement, INCOME_STATEMENT.replace(b"480.04", b"480.04000000000002")),
    ],
)
def test_reports_that_add_up_pass(check: Check, body: bytes) -> None:
    check(decode(body, Statement))


@pytest.mark.parametrize(
    ("check", "body", "told"),
    [
        (
            checks.check_balance_sheet,
            BALANCE_SHEET.replace(b'"values": [100.00, 100.00, 0.00, 0.00]', b'"values": [100.01, 100.00, 0.01, 0.00]'),
            "Total equity and liabilities, 2026-03-31: the service says 1234547.79, computed again it is 1234547.80",
        ),
        (
            checks.check_balance_sheet,
            BALANCE_SHEET.replace(b"[1234547.79, 100.00, 1234447.79", b"[1234547.78, 100.00, 1234447.78", 1),
            "Total assets, 2026-03-31: the service says 1234547.78, computed again it is 1234547.79",
        ),
        (
            checks.check_balance_sheet,
            BALANCE_SHEET.replace(b"[-30.10, 100.00, -130.10, -130.10]", b"[-30.11, 100.00, -130.11, -130.10]"),
            "Cash and bank, 2026-03-31: the service says -20.10, computed again it is -20.11",
        ),
        (
            checks.check_balance_sheet,
            BALANCE_SHEET.replace(b"[0.00, 0.00, 0.00, 0.00]", b"[1000.00, 0.00, 1000.00, 0.00]", 1),
            "Assets, 2026-03-31: the service says 1000.00, computed again it is 1234547.79",
        ),
        (
            checks.check_balance_sheet,
            BALANCE_SHEET.replace(b"1234567.89, 0.00, 1234567.89", b"1234567.89, 0.00, 1234567.88"),
            "Trade receivables, change: the service says 1234567.88, computed again it is 1234567.89",
        ),
        (
            checks.check_balance_sheet,
            BALANCE_SHEET.replace(b"[100.00, 100.00, 0.00, 0.00]", b"[100.00]"),
            "the row 'Equity' has 1 value for 4 columns",
        ),
        (
            checks.check_balance_sheet,
            BALANCE_SHEET.replace(b'"2025-12-31"', b'"2026-03-31"'),
            "the report has columns of the same name: 2026-03-31, 2026-03-31, change, change %",
        ),
        (
            checks.check_income_statement,
            INCOME_STATEMENT.replace(b"600.05", b"600.06"),
            "Operating result, 2026: the service says 600.06, computed again it is 600.05",
        ),
        (
            checks.check_income_statement,
            INCOME_STATEMENT.replace(b"480.04", b"600.05"),
            "Result of the period, 2026: the service says 600.05, computed again it is 480.04",
        ),
        (
            checks.check_equity_changes,
            EQUITY_CHANGES.replace(b"[500.00]", b"[499.00]"),
            "Closing, 2026: the service says 2500.00, computed again it is 2499.00",
        ),
        (
            checks.check_equity_changes,
            EQUITY_CHANGES.replace(b"[2500.00]", b"[2600.00]", 1).replace(b"2980.04", b"3080.04"),
            "2000 Share capital, 2026: the service says 2600.00, computed again it is 2500.00",
        ),
        (
            checks.check_equity_changes,
            EQUITY_CHANGES.replace(b"2980.04", b"2980.40"),
            "Total equity, 2026: the service says 2980.40, computed again it is 2980.04",
        ),
    ],
)
def test_a_difference_is_named(check: Check, body: bytes, told: str) -> None:
    with pytest.raises(Incomplete) as caught:
        check(decode(body, Statement))
    assert caught.value.message == told
    assert caught.value.exit_code == 10


def test_an_account_of_the_ledger_adds_up() -> None:
    found = checks.check_balances(decode(LEDGER_ACCOUNT, LedgerAccount))
    assert tuple(map(str, found)) == ("5.00", "20.00", "-5.00")


@pytest.mark.parametrize(
    ("sent", "instead", "told"),
    [
        (b"15.00}", b"15.01}", "account 1910, balance after 1: the service says 15.01, computed again it is 15.00"),
        (b'"debet": 5.00, "credit": 20.00', b'"debet": 6.00, "credit": 20.00',
         "account 1910, total debet: the service says 6.00, computed again it is 5.00"),
        (b'20.00, "balance_csum": -5.00}}', b'20.00, "balance_csum": 5.00}}',
         "account 1910, total balance_csum: the service says 5.00, computed again it is -5.00"),
    ],
)  # fmt: skip
def test_an_account_that_does_not_add_up(sent: bytes, instead: bytes, told: str) -> None:
    assert sent in LEDGER_ACCOUNT
    with pytest.raises(Incomplete) as caught:
        checks.check_balances(decode(LEDGER_ACCOUNT.replace(sent, instead), LedgerAccount))
    assert caught.value.message == told


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (VAT.replace(b"12.91", b"12.90"), "the service says 12.90, computed again it is 12.91"),
        (VAT.replace(b'"vat": 1.35', b'"vat": 1.36'), "the service says 12.91, computed again it is 12.92"),
        (
            GERMAN_VAT.replace(b'"vat_payable": 14', b'"vat_payable": 15'),
            "the service says 15.00, computed again it is",
        ),
    ],
)
def test_vat_that_does_not_add_up(body: bytes, told: str) -> None:
    with pytest.raises(Incomplete, match=f"vat_payable: {told}"):
        checks.check_vat(decode(body, VatReport))


@pytest.mark.parametrize(
    "body",
    [
        VAT,
        VAT_BY_RATE,
        GERMAN_VAT,
        VAT.replace(b"eu_service", b"other").replace(b"12.91", b"0"),
        b'{"summary": {}}',
        b"{}",
    ],
)
def test_vat_that_adds_up_or_is_of_another_plan_passes(body: bytes) -> None:
    checks.check_vat(decode(body, VatReport))


ABROAD = (
    b'"foreign_vat": {"2/19.00": {"base": 100.00, "vat": 19.00}, "1/24.00": {"base": 50.00, "vat": 12.00}, '
    b'"7/19.00": {"base": 10.00, "vat": 1.90}}, "summary"'
)


def test_vat_of_other_countries_is_owed_and_in_no_group() -> None:
    told = VAT.replace(b'"summary"', ABROAD)
    # 12.91 - 19.00 + 12.00; what the buyer owes for 7 is deducted as well
    checks.check_vat(decode(told.replace(b"12.91", b"5.91"), VatReport))
    with pytest.raises(Incomplete, match=r"vat_payable: the service says 12\.91, computed again it is 5\.91"):
        checks.check_vat(decode(told, VatReport))


def test_a_group_and_what_it_is_made_of_are_compared() -> None:
    told = "non_eu_service_purchases: the service says 30.50, computed again it is 30.51"
    with pytest.raises(Incomplete, match=told):
        checks.check_vat(decode(VAT_BY_RATE.replace(b'"vat": 5.00', b'"vat": 5.01'), VatReport))


def test_totals_that_are_not_stated_are_not_compared() -> None:
    checks.check_totals("journal", None, debet=checks.total(()))
    checks.check_totals("journal", Totals(), debet=checks.total(()))
