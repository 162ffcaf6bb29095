"""The statement of an account is its part of the ledger, line by line, or an error."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Recorder, Sent, page, recorder, said

BANK = {"id": 2, "number": "1910", "name": "Bank", "type": "ASS_PAY"}
Entry = dict[str, Any]


def entry(number: str, day: str, debit: float, credit: float, balance: float, text: str = "") -> Entry:
    return {
        "number": number, "date": day, "debet": debit, "credit": credit, "balance_csum": balance, "description": text,
    }  # fmt: skip


def account(number: str, opening: float, *entries: Entry) -> dict[str, Any]:
    sums = {side: sum(one[side] for one in entries) for side in ("debet", "credit")}
    closing = entries[-1]["balance_csum"] if entries else opening
    totals = sums | {"balance_csum": closing}
    return {"number": number, "name": "Bank", "opening_balance": opening, "entries": list(entries), "totals": totals}


MARCH = account(
    "1910",
    1000,
    entry("260302-1", "2026-03-02T00:00:00", 125.5, 0, 1125.5, "Cash sale")
    | {"counter_accounts": ["2939", "3000"], "contact_name": "Birch", "vat_code": 1},
    entry("260303-1", "2026-03-03", 0, 2000.25, -874.75),
)
OTHERS = [account("1900", 5, entry("260301-1", "2026-03-01", 1, 0, 6)), account("19100", 7)]


def ledger(*accounts: dict[str, Any]) -> Answer:
    return said({"report_type": "ledger", "accounts": list(accounts), "totals": {"debet": 1, "credit": 2}})


def service(answer: Answer) -> Any:
    def behave(sent: Sent) -> Answer:
        if sent.path.endswith("/report/ledger/"):
            return answer
        return said(BANK) if sent.path.endswith("/account/2/") else page(BANK)

    return behave


def columns(server: Recorder) -> Any:
    return json.loads(server.sent[-1].body)["columns"]


def test_people_see_opening_entries_and_closing(cli: Cli, at: At) -> None:
    with recorder(service(ledger(*OTHERS, MARCH))) as server:
        at(server)
        outcome = succeed(cli("account", "statement", "1910", "--period", "2026-03"))
        assert columns(server) == [{"date_from": "2026-03-01", "date_to": "2026-03-31"}]
    text = """
date         number     description       counter accounts   contact name   VAT code    debit    credit   balance
─────────────────────────────────────────────────────────────────────────────────────────────────────────────────
2026-03-01              Opening balance                                                                   1000.00
2026-03-02   260302-1   Cash sale         2939, 3000         Birch                 1   125.50             1125.50
2026-03-03   260303-1                                                                           2000.25   -874.75
2026-03-31              Closing balance                                                125.50   2000.25   -874.75
"""
    assert [line.rstrip() for line in outcome.lines()] == text.strip().splitlines()
    assert outcome.err == "1910 Bank, 2026-03-01 to 2026-03-31; balances are debit minus credit\n"


def test_tables_for_programs_have_sums_in_no_column(cli: Cli, at: At) -> None:
    with recorder(service(ledger(MARCH))) as server:
        at(server)
        argv = ("account", "statement", "id:2", "--from", "2026-03-02", "--to", "2026-03-03", "--quiet")
        lines = succeed(cli(*argv, "-o", "csv")).lines()
        rows = [json.loads(line) for line in succeed(cli(*argv, "-o", "jsonl")).lines()]
    assert lines == [
        "date,number,description,counter_accounts,contact_name,vat_code,debit,credit,balance",
        "2026-03-02,,Opening balance,,,,,,1000.00",
        '2026-03-02,260302-1,Cash sale,"2939, 3000",Birch,1,125.50,,1125.50',
        "2026-03-03,260303-1,,,,,,2000.25,-874.75",
        "2026-03-03,,Closing balance,,,,,,-874.75",
    ]
    assert rows[1] == {
        "date": "2026-03-02", "number": "260302-1", "description": "Cash sale", "counter_accounts": "2939, 3000",
        "contact_name": "Birch", "vat_code": 1, "debit": 125.5, "credit": None, "balance": 1125.5,
    }  # fmt: skip
    assert len(rows) == 4


def test_json_is_the_account_of_the_ledger_itself(cli: Cli, at: At) -> None:
    with recorder(service(ledger(*OTHERS, MARCH))) as server:
        at(server)
        outcome = succeed(cli("account", "statement", "1910", "--period", "2026-03", "--json"))
    assert (outcome.json(), outcome.err) == (MARCH, "")


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_an_account_that_comes_in_parts_has_the_same_statement(
    cli: Cli, at: At, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = [entry(f"2603{day:02}-1", f"2026-03-{day:02}", day, 0, 1000 + day * (day + 1) / 2) for day in range(1, 32)]
    found = []
    for size in (2**20, 100):
        monkeypatch.setattr("acctcli.client.stream.PIECE", size)
        with recorder(service(ledger(*OTHERS, account("1910", 1000, *days), account("2000", 0)))) as server:
            at(server)
            found.append(succeed(cli("account", "statement", "1910", "--period", "2026-03", "-o", form)).out)
    assert found[0] == found[1]
    assert found[0].count("2026-03-") >= len(days)


def test_the_year_is_this_one_unless_told_otherwise(cli: Cli, at: At) -> None:
    with recorder(service(ledger(MARCH))) as server:
        at(server)
        succeed(cli("account", "statement", "1910"))
        year = date.today().year
        assert columns(server) == [{"date_from": f"{year}-01-01", "date_to": f"{year}-12-31"}]


def test_an_account_that_never_moved_has_a_statement_too(cli: Cli, at: At) -> None:
    with recorder(service(ledger(*OTHERS))) as server:
        at(server)
        lines = succeed(cli("account", "statement", "1910", "--period", "2026-03", "-o", "csv")).lines()
        record = succeed(cli("account", "statement", "1910", "--period", "2026-03", "--json")).json()
    assert lines[1:] == ["2026-03-01,,Opening balance,,,,,,0.00", "2026-03-31,,Closing balance,,,,,,0.00"]
    assert record == account("1910", 0)


def test_a_service_of_binary_floats_adds_up(cli: Cli, at: At) -> None:
    odd = account("1910", 0.1, entry("1", "2026-03-02", 0.2, 0, 0.30000000000000004))
    with recorder(service(ledger(odd))) as server:
        at(server)
        lines = succeed(cli("account", "statement", "1910", "-o", "csv")).lines()
    assert [line.rpartition(",")[2] for line in lines[1:]] == ["0.10", "0.30", "0.30"]


WRONG: list[tuple[Entry, str]] = [
    (
        account("1910", 1000, entry("260302-1", "2026-03-02", 1, 0, 1002)),
        "after 260302-1 it says 1002.00, its entries make 1001.00",
    ),
    (MARCH | {"opening_balance": 0}, "after 260302-1 it says 1125.50, its entries make 125.50"),
    (
        MARCH | {"totals": {"debet": 0, "credit": 0, "balance_csum": 0}},
        "after the last entry it says 0.00, its entries make -874.75",
    ),
]


@pytest.mark.together
@pytest.mark.parametrize(("wrong", "says"), WRONG)
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_a_ledger_that_does_not_add_up_is_refused(cli: Cli, at: At, wrong: Entry, says: str, form: str) -> None:
    with recorder(service(ledger(wrong))) as server:
        at(server)
        outcome = cli("account", "statement", "1910", "-o", form)
    assert (outcome.code, outcome.out) == (10, "")
    assert f"the ledger of account 1910 does not add up: {says}" in outcome.err


@pytest.mark.together
@pytest.mark.parametrize(
    "answer", [ledger({"number": "1910"}), ledger({"number": 1910}), ledger(MARCH | {"entries": [{"number": "1"}]})]
)
def test_what_is_no_ledger_is_said(cli: Cli, at: At, answer: Answer) -> None:
    with recorder(service(answer)) as server:
        at(server)
        outcome = cli("account", "statement", "1910")
    assert (outcome.code, outcome.out) == (9, "")
    assert "the ledger is not what the interface promises" in outcome.err


@pytest.mark.together
@pytest.mark.parametrize(
    "argv", ["--from 2026-01-01", "--to 2026-03", "--period 2026-13", "--period 2026 --to 2026-03"]
)
def test_half_a_range_is_refused(cli: Cli, at: At, argv: str) -> None:
    with recorder(service(ledger(MARCH))) as server:
        at(server)
        outcome = cli("account", "statement", "1910", *argv.split())
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
