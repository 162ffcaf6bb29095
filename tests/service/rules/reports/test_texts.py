"""Journal and ledger as JSON text."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.service.rules.periods import Span
from acctcli.service.rules.reports.journal import Journal, JournalRow
from acctcli.service.rules.reports.ledger import Ledger, LedgerRow, LedgerRows, openings
from acctcli.service.rules.reports.statement import Account
from acctcli.service.rules.reports.texts import amount
from acctcli.service.store.shelf import in_order
from tests.service.rules.reports.chart import chart, moved

SPAN = Span(date(2026, 1, 1), date(2026, 12, 31))
ACCOUNTS = [Account(1, "1910", 'The "Bank"', "ASS_PAY", 500), Account(2, "3000", "Myynti\u00e4", "REV_SAL", 0)]


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        (0, "0.00"),
        (5, "0.05"),
        (-5, "-0.05"),
        (1010, "10.10"),
        (-100, "-1.00"),
        (2**63 - 1, "92233720368547758.07"),
        (-(2**70), "-11805916207174113034.24"),
    ],
)
def test_amounts_have_two_digits(cents: int, text: str) -> None:
    assert amount(cents) == text


@given(st.integers())
def test_amounts_are_exact(cents: int) -> None:
    whole, _, hundredths = amount(cents).partition(".")
    assert (int(whole + hundredths), len(hundredths)) == (cents, 2)


def journal(rows: list[JournalRow]) -> str:
    return "".join(Journal(SPAN, ACCOUNTS, in_order).write(row for row in rows))


def test_a_journal_is_laid_out_a_line_a_document() -> None:
    rows: list[JournalRow] = [
        (7, "260402-11", "2026-04-02", 1, True, 12550, 'a "b"\n\\'),
        (7, "260402-11", "2026-04-02", 2, False, 12550, "ä\x01"),
        (9, "260402-2", "2026-04-02", None, False, 0, ""),
        (8, "260403-1", "2026-04-03", 2, True, 3, ""),
    ]
    assert journal(rows) == (
        '{"report_type":"journal","date_from":"2026-01-01","date_to":"2026-12-31","documents":['
        '{"number":"260402-2","date":"2026-04-02","document_id":9,"entries":[],'
        '"totals":{"debet":0.00,"credit":0.00}},\n'
        '{"number":"260402-11","date":"2026-04-02","document_id":7,"entries":['
        '{"account_number":"1910","account_name":"The \\"Bank\\"","debet":125.50,"credit":0.00,'
        '"description":"a \\"b\\"\\n\\\\"},'
        '{"account_number":"3000","account_name":"Myyntiä","debet":0.00,"credit":125.50,"description":"ä\\u0001"}],'
        '"totals":{"debet":125.50,"credit":125.50}},\n'
        '{"number":"260403-1","date":"2026-04-03","document_id":8,"entries":['
        '{"account_number":"3000","account_name":"Myyntiä","debet":0.03,"credit":0.00,"description":""}],'
        '"totals":{"debet":0.03,"credit":0.00}}'
        '],"totals":{"debet":125.53,"credit":125.50}}'
    )


def test_an_empty_journal() -> None:
    assert json.loads(journal([]))["documents"] == []


def ledger(rows: dict[int, list[LedgerRow]], opening: dict[int, int]) -> str:
    def rows_of(account_id: int) -> LedgerRows:
        yield from rows.get(account_id, [])

    return "".join(Ledger(SPAN, opening, rows_of, in_order).write(ACCOUNTS))


def test_a_ledger_runs_from_the_opening_balance() -> None:
    rows: dict[int, list[LedgerRow]] = {
        1: [
            ("2026-04-02", "260402-11", 0, True, 100, "second"),
            ("2026-04-02", "260402-2", 1, False, 20, 'first "b"'),
            ("2026-04-02", "260402-2", 0, False, 700, "before it"),
            ("2026-04-03", "260402-1", 0, True, 1, "moved"),
        ]
    }
    assert ledger(rows, {1: 500, 2: -80}) == (
        '{"report_type":"ledger","date_from":"2026-01-01","date_to":"2026-12-31","accounts":['
        '{"number":"1910","name":"The \\"Bank\\"","opening_balance":5.00,"entries":['
        '{"number":"260402-2","date":"2026-04-02","debet":0.00,"credit":7.00,"balance_csum":-2.00,'
        '"description":"before it"},\n'
        '{"number":"260402-2","date":"2026-04-02","debet":0.00,"credit":0.20,"balance_csum":-2.20,'
        '"description":"first \\"b\\""},\n'
        '{"number":"260402-11","date":"2026-04-02","debet":1.00,"credit":0.00,"balance_csum":-1.20,'
        '"description":"second"},\n'
        '{"number":"260402-1","date":"2026-04-03","debet":0.01,"credit":0.00,"balance_csum":-1.19,'
        '"description":"moved"}],'
        '"totals":{"debet":1.01,"credit":7.20,"balance_csum":-1.19}},\n'
        '{"number":"3000","name":"Myyntiä","opening_balance":-0.80,"entries":[],'
        '"totals":{"debet":0.00,"credit":0.00,"balance_csum":-0.80}}'
        '],"totals":{"debet":1.01,"credit":7.20,"balance_csum":-1.99}}'
    )


def test_accounts_without_opening_and_entries_are_left_out() -> None:
    assert json.loads(ledger({}, {}))["accounts"] == []


def test_results_open_each_accounting_period_with_nothing() -> None:
    accounts = chart(ASS_PAY=1000, LIA_EQU=250)
    before, of_period = moved(ASS_PAY=5, REV_SAL=-70, EXP=65), moved(ASS_PAY=3, EXP=20)
    assert openings(accounts, before, of_period, has_openings=True) == moved(ASS_PAY=1005, LIA_EQU=-250, EXP=20)
    assert openings(accounts, before, of_period, has_openings=False) == moved(ASS_PAY=5, EXP=20)
