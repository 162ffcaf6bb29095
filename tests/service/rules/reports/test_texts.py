"""Journal and ledger as JSON text."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.law.closed_days import Span
from acctcli.service.rules.reports.journal import KIND, TAX, DocumentRow, EntryRow, Journal, Posted
from acctcli.service.rules.reports.ledger import (
    DIFFERENCE,
    MOST_KNOWN,
    Ledger,
    LedgerRow,
    LedgerRows,
    Numbers,
    openings,
)
from acctcli.service.rules.reports.statement import Account, profit_account
from acctcli.service.rules.reports.texts import amount, described
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


def journal(documents: list[DocumentRow], entries: list[EntryRow]) -> str:
    rows = Posted((row for row in documents), (row for row in entries))
    return "".join(Journal(SPAN, ACCOUNTS, in_order).write(rows))


def kind(side: int, code: int, rate: int) -> int:
    return side * KIND + code * TAX + rate


def test_a_journal_is_laid_out_a_line_a_document() -> None:
    documents: list[DocumentRow] = [
        (7, "260402-11", "2026-04-02", "", "Birch"),
        (9, "260402-2", "2026-04-02", "nothing", None),
        (8, "260403-1", "2026-04-03", "Fee", None),
    ]
    entries: list[EntryRow] = [
        (7, kind(3, 3, 0), 12550, 'a "b"\n\\'),
        (7, kind(4, 1, 2550), 12550, "ä\x01"),
        (8, kind(5, 3, 100), 3, None),
    ]
    assert journal(documents, entries) == (
        '{"report_type":"journal","date_from":"2026-01-01","date_to":"2026-12-31","documents":['
        '{"number":"260402-2","date":"2026-04-02","document_id":9,"contact_name":null,"entries":[],'
        '"totals":{"debet":0.00,"credit":0.00}},\n'
        '{"number":"260402-11","date":"2026-04-02","document_id":7,"contact_name":"Birch","entries":['
        '{"account_number":"1910","account_name":"The \\"Bank\\"","debet":125.50,"credit":0.00,'
        '"description":"a \\"b\\"\\n\\\\","vat_code":3,"vat_rate":"0.00"},'
        '{"account_number":"3000","account_name":"Myyntiä","debet":0.00,"credit":125.50,"description":"ä\\u0001",'
        '"vat_code":1,"vat_rate":"25.50"}],'
        '"totals":{"debet":125.50,"credit":125.50}},\n'
        '{"number":"260403-1","date":"2026-04-03","document_id":8,"contact_name":null,"entries":['
        '{"account_number":"3000","account_name":"Myyntiä","debet":0.03,"credit":0.00,"description":"Fee",'
        '"vat_code":3,"vat_rate":"1.00"}],'
        '"totals":{"debet":0.03,"credit":0.00}}'
        '],"totals":{"debet":125.53,"credit":125.50}}'
    )


def test_an_empty_journal() -> None:
    assert json.loads(journal([], []))["documents"] == []


def test_a_full_day_is_put_in_order_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    serials = {"2026-04-02": (2, 11, 1, 3), "2026-04-03": (5,), "2026-04-04": (2, 1)}
    documents: list[DocumentRow] = [
        (10 * number + int(day[-1]), f"260402-{number}", day, "ä", None) for day in serials for number in serials[day]
    ]
    entries: list[EntryRow] = [(row[0], kind(3, 3, 0), 1, None) for row in documents]
    at_once = journal(documents, entries)
    numbers = [int(row["number"].partition("-")[2]) for row in json.loads(at_once)["documents"]]
    assert numbers == [number for day in serials.values() for number in sorted(day)]
    for most in (0, 300, 600):
        monkeypatch.setattr("acctcli.service.rules.reports.journal.MOST_HELD", most)
        assert journal(documents, entries) == at_once


def test_entries_of_no_document_are_a_fault() -> None:
    with pytest.raises(AssertionError, match="entries of no document"):
        journal([(7, "260402-1", "2026-04-02", "", None)], [(8, kind(3, 3, 0), 1, None)])


def ledger(rows: dict[int, list[LedgerRow]], opening: dict[int, int]) -> str:
    def rows_of(account_id: int) -> LedgerRows:
        yield from rows.get(account_id, [])

    return "".join(Ledger(SPAN, opening, {}, rows_of, in_order).write(ACCOUNTS))


def test_a_ledger_runs_from_the_opening_balance() -> None:
    rows: dict[int, list[LedgerRow]] = {
        1: [
            ("2026-04-02", "260402-11", 0, True, 100, "", 3, "second", None, "2"),
            ("2026-04-02", "260402-2", 1, False, 20, 'first "b"', 3, "", None, "2 1 2"),
            ("2026-04-02", "260402-2", 0, False, 700, "", 2, "before it", 'Birch "B"', "2"),
            ("2026-04-03", "260402-1", 0, True, 1, "again", 3, "moved", None, None),
        ]
    }
    assert ledger(rows, {1: 500, 2: -80}) == (
        '{"report_type":"ledger","date_from":"2026-01-01","date_to":"2026-12-31","accounts":['
        '{"number":"1910","name":"The \\"Bank\\"","opening_balance":5.00,"entries":['
        '{"number":"260402-2","date":"2026-04-02","debet":0.00,"credit":7.00,"balance_csum":-2.00,'
        '"description":"before it","contact_name":"Birch \\"B\\"","vat_code":2,"counter_accounts":["3000"]},\n'
        '{"number":"260402-2","date":"2026-04-02","debet":0.00,"credit":0.20,"balance_csum":-2.20,'
        '"description":"first \\"b\\"","contact_name":null,"vat_code":3,"counter_accounts":["1910","3000"]},\n'
        '{"number":"260402-11","date":"2026-04-02","debet":1.00,"credit":0.00,"balance_csum":-1.20,'
        '"description":"second","contact_name":null,"vat_code":3,"counter_accounts":["3000"]},\n'
        '{"number":"260402-1","date":"2026-04-03","debet":0.01,"credit":0.00,"balance_csum":-1.19,'
        '"description":"moved · again","contact_name":null,"vat_code":3,"counter_accounts":[]}],'
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
    profit = profit_account(accounts, None)
    assert openings(accounts, profit, before, of_period, has_openings=True) == {
        **moved(ASS_PAY=1005, LIA_EQU=-250, LIA_PRE=-25, EXP=20),
        DIFFERENCE.id: -750,
    }
    assert openings(accounts, profit, before, of_period, has_openings=False) == moved(ASS_PAY=5, LIA_PRE=-25, EXP=20)


def test_a_text_that_says_the_same_is_said_once() -> None:
    said = [described(*texts) for texts in (("a", "b"), ("a", ""), ("", "b"), ("a", "a"), ("", ""))]
    assert said == ["a · b", "a", "b", "a", ""]


def test_of_ever_new_combinations_of_accounts_a_few_thousand_are_kept() -> None:
    numbers = Numbers(ACCOUNTS)
    for length in range(MOST_KNOWN + 10):
        assert numbers["1" + " " * length] == '["1910"]'
    assert len(numbers) == MOST_KNOWN
