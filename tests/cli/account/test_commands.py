"""Accounts are named by their number; people read types, VAT and balances, machines what the service sent."""

from __future__ import annotations

import json
import re
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from acctcli.cli.account.words import type_of, vat_in_words
from acctcli.models.enums import AccountType
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Sent, page, recorder, said

NUMBERS = ("1900", "1910", "1920", "3000", "0123", "123")
NAMES = {"1900": "Cash", "1910": "Bank account", "1920": "Second bank account", "3000": "Sales"}
TYPES = {"3000": "REV_SAL"}
PAGING = re.compile(r"[?&]page=1&page_size=[0-9]+")


def account(number: str, **more: object) -> dict[str, Any]:
    """An account of a list; its id is its place in the chart."""
    facts = {
        "id": NUMBERS.index(number) + 1,
        "number": number,
        "name": NAMES.get(number, f"Account {number}"),
        "type": TYPES.get(number, "ASS_PAY"),
        "default_vat_code": 1 if number == "3000" else 3,
        "default_vat_rate": 25.5 if number == "3000" else 0,
        "opening_balance": 7,
        "is_shown": number != "1920",
    }
    return facts | more


class Chart:
    """A service with a few accounts, of which some are in use."""

    def __init__(self, *used: str) -> None:
        self.used = used

    def __call__(self, sent: Sent) -> Answer:
        parts = urlsplit(sent.path)
        record = parts.path.split("/")[5]
        if record:
            number = NUMBERS[int(record) - 1]
            return said(account(number, balance=int(record) * 1000, is_used=number in self.used))
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        found = [number for number in NUMBERS if query.get("number", number).lstrip("0") == number.lstrip("0")]
        return page(*(account(number) for number in found if "is_used" not in query or number in self.used))


def asked(sent: list[Sent]) -> list[str]:
    """Method, path below the accounts and query of what was asked for, without paging."""
    paths = [(one.method, PAGING.sub("", one.path.split("/account/")[1])) for one in sent]
    return [f"{method} {path}".strip() for method, path in paths]


# --- naming an account ---


def test_a_number_costs_one_request(cli: Cli, at: At) -> None:
    with recorder(Chart()) as server:
        at(server)
        found = succeed(cli("account", "get", "1910", "--json")).json()
        assert asked(server.sent) == ["GET ?number=1910", "GET 2/"]
    assert (found["id"], found["number"]) == (2, "1910")


def test_an_id_costs_none(cli: Cli, at: At) -> None:
    with recorder(Chart()) as server:
        at(server)
        assert succeed(cli("account", "get", "id:3", "--json")).json()["number"] == "1920"
        assert asked(server.sent) == ["GET 3/"]


@pytest.mark.parametrize(("number", "record"), [("0123", 5), ("123", 6)])
def test_leading_zeros_count(cli: Cli, at: At, number: str, record: int) -> None:
    with recorder(Chart()) as server:
        at(server)
        assert succeed(cli("account", "get", number, "--json")).json()["id"] == record


@pytest.mark.together
@pytest.mark.parametrize(
    "argv",
    [
        "account get 1911",
        "account update 1911 --name x",
        "account replace 1911 --number 1 --name x",
        "account delete 1911 --yes",
        "account show 1911",
        "account hide 1911",
        "account statement 1911",
        "document list --account 1911",
        "document create --debit 1911 --credit 3000:1",
    ],
)
def test_an_unknown_number_is_told_with_the_nearest_and_nothing_is_written(cli: Cli, at: At, argv: str) -> None:
    with recorder(Chart()) as server:
        at(server)
        outcome = cli(*argv.split())
        # not there, as with every record; 2 where an option or a row names it
        code = 2 if argv.startswith("document") else 6
        assert (outcome.code, outcome.out, server.writes) == (code, "", [])
    error, hint = outcome.err.splitlines()
    assert error.endswith("there is no account 1911 in the chart")
    assert hint == "hint: the nearest are 1910 Bank account, 1920 Second bank account, 1900 Cash"


@pytest.mark.together
@pytest.mark.parametrize(
    ("number", "nearest"), [("30", "3000 Sales"), ("191", "1910 Bank account"), ("9", "3000 Sales"), ("01", "0123")]
)
def test_nearness_is_that_of_the_chart_and_not_of_the_number_s_size(
    cli: Cli, at: At, number: str, nearest: str
) -> None:
    with recorder(Chart()) as server:
        at(server)
        assert f"hint: the nearest are {nearest}" in cli("account", "get", number).err


@pytest.mark.together
@pytest.mark.parametrize("written", ["bank", "id:0", "id:", "12345678", "19 10", "-1910", "1910;", "¹⁹¹⁰", "id:1910x"])
def test_what_is_no_account_is_refused_before_anything_is_sent(cli: Cli, at: At, written: str) -> None:
    with recorder(Chart()) as server:
        at(server)
        outcome = cli("document", "list", f"--account={written}")
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert outcome.err.splitlines() == [
        f"error: --account: {written!r} is not an account",
        "hint: write its number, such as 1910, or id:57 for the account of that id",
    ]


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "request_line", "body"),
    [
        ("update 1910 --number 1911", "PATCH 2/", {"number": "1911"}),
        ("update 1910 --type bank", "", None),
        ("delete 1910 --yes", "DELETE 2/", None),
        ("show 1910", "POST 2/show/", None),
        ("hide id:2", "POST 2/hide/", None),
        ("update 1910 --set type=REV", "PATCH 2/", {"type": "REV"}),
        ("update 1910 --type REV_SAL", "PATCH 2/", {"type": "REV_SAL"}),
    ],
)
def test_what_is_written_goes_to_the_id(
    cli: Cli, at: At, argv: str, request_line: str, body: dict[str, str] | None
) -> None:
    with recorder(Chart()) as server:
        at(server)
        outcome = cli("account", *argv.split(), "--json")
        writes = [
            (line, json.loads(one.body or b"null"))
            for line, one in zip(asked(server.writes), server.writes, strict=True)
        ]
    if not request_line:
        assert (outcome.code, writes) == (2, [])
        return
    succeed(outcome)
    assert writes == [(request_line, body)]


def test_documents_are_listed_by_the_number_of_an_account(cli: Cli, at: At) -> None:
    def behave(sent: Sent) -> Answer:
        return Chart()(sent) if "/account/" in sent.path else page()

    with recorder(behave) as server:
        at(server)
        succeed(cli("document", "list", "--account", "1920", "--account-type", "bank and cash", "--json"))
        query = parse_qs(urlsplit(server.sent[-1].path).query)
    assert (query["account"], query["account_type"]) == (["3"], ["ASS_PAY"])


# --- reading accounts ---


def test_people_read_words_and_balances(cli: Cli, at: At) -> None:
    with recorder(Chart("1910", "3000")) as server:
        at(server)
        table = succeed(cli("account", "list")).lines()
        assert sorted(asked(server.sent)) == ["GET", "GET 2/", "GET 4/", "GET ?is_used=true"]
    assert [line.rstrip() for line in table] == [
        "number   name                  type                    VAT           balance",
        "─" * 76,
        "1900     Cash                  bank and cash                               7",
        "1910     Bank account          bank and cash                            2000",
        "1920     Second bank account   bank and cash, hidden                       7",
        "3000     Sales                 sales revenue           1 at 25.5 %      4000",
        "0123     Account 0123          bank and cash                               7",
        "123      Account 123           bank and cash                               7",
    ]


def test_balances_can_be_left_out(cli: Cli, at: At) -> None:
    with recorder(Chart("1910")) as server:
        at(server)
        header = succeed(cli("account", "list", "--no-balances")).lines()[0].split()
        assert asked(server.sent) == ["GET"]
    assert header == ["number", "name", "type", "VAT"]


@pytest.mark.together
@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "tsv"])
def test_machines_get_what_the_service_sent_and_no_more_requests(cli: Cli, at: At, form: str) -> None:
    with recorder(Chart("1910")) as server:
        at(server)
        out = succeed(cli("account", "list", "--output", form)).out
        assert asked(server.sent) == ["GET"]
    if form == "json":
        assert json.loads(out) == [account(number) for number in NUMBERS]
    assert "bank and cash" not in out
    assert "ASS_PAY" in out


def test_machines_get_balances_when_they_ask(cli: Cli, at: At) -> None:
    with recorder(Chart("1910")) as server:
        at(server)
        rows = succeed(cli("account", "list", "--balances", "--json")).json()
        column = succeed(cli("account", "list", "--columns", "number,balance", "-o", "csv")).lines()
        used = succeed(cli("account", "list", "--columns", "number,is_used", "-o", "csv")).lines()
    assert [(row["number"], row["balance"], row["is_used"]) for row in rows] == [
        (number, 2000 if number == "1910" else 7, number == "1910") for number in NUMBERS
    ]
    assert {frozenset(row) for row in rows} == {frozenset({*account("1910"), "balance", "is_used"})}
    assert used == ["number,is_used", *(f"{number},{str(number == '1910').lower()}" for number in NUMBERS)]
    assert column == ["number,balance", *(f"{number},{2000 if number == '1910' else 7}" for number in NUMBERS)]


def test_zeros_in_front_of_a_number_are_sent(cli: Cli, at: At) -> None:
    with recorder(Chart()) as server:
        at(server)
        options = ("--number", "0440", "--number-gte", "04", "--number-lte", "0499")
        succeed(cli("account", "list", *options, "--json"))
        assert asked(server.sent) == ["GET ?number=0440&number_gte=04&number_lte=0499"]


@pytest.mark.together
@pytest.mark.parametrize("option", ["--number", "--number-gte", "--number-lte"])
@pytest.mark.parametrize("number", ["", "19a", "-1", "12345678", "٣"])
def test_a_number_that_is_none_is_refused(cli: Cli, at: At, option: str, number: str) -> None:
    with recorder(Chart()) as server:
        at(server)
        refused = cli("account", "list", f"{option}={number}")
        assert (refused.code, refused.out, server.sent) == (2, "", [])
    assert f"{option} {number!r}: an account number has 1 to 7 digits" in refused.err


def test_columns_without_a_balance_read_none(cli: Cli, at: At) -> None:
    with recorder(Chart("1910")) as server:
        at(server)
        succeed(cli("account", "list", "--columns", "number,type"))
        assert asked(server.sent) == ["GET"]


def of_ledger(number: str, opening: float, debit: float = 0, credit: float = 0, name: str = "") -> dict[str, Any]:
    entry = {"number": "1", "debet": debit, "credit": credit, "balance_csum": opening + debit - credit}
    entries = [entry] if debit or credit else []
    return {"number": number, "name": name, "opening_balance": opening, "entries": entries}


def test_the_accounts_in_use_and_their_balances_on_a_day(cli: Cli, at: At) -> None:
    chart = Chart("1910", "1920")  # of these two nothing need stand in the ledger
    accounts = [of_ledger("3000", -10.5, credit=2), of_ledger("1900", 7), of_ledger("", 1.25, name="Odd")]

    def behave(sent: Sent) -> Answer:
        return said({"accounts": accounts}) if sent.path.endswith("/report/ledger/") else chart(sent)

    with recorder(behave) as server:
        at(server)
        table = succeed(cli("account", "balances", "--date", "2026-03-31"))
        assert json.loads(server.sent[-1].body) == {"columns": [{"date_from": "2026-03-31", "date_to": "2026-03-31"}]}
        rows = succeed(cli("account", "balances", "--json")).json()
        assert json.loads(server.sent[-1].body)["columns"][0]["date_to"] == str(date.today())
    assert [line.split() for line in table.lines()[2:]] == [
        ["1900", "Cash", "bank", "and", "cash", "7.00"],
        ["1910", "Bank", "account", "bank", "and", "cash", "0.00"],
        ["1920", "Second", "bank", "account", "bank", "and", "cash", "0.00"],
        ["3000", "Sales", "sales", "revenue", "12.50"],
        ["Odd", "-1.25"],
    ]
    assert table.err.startswith("balances at the end of 2026-03-31")
    assert rows[0] == {"id": 1, "number": "1900", "name": "Cash", "type": "ASS_PAY", "balance": 7}
    assert rows[4] == {"id": None, "number": "", "name": "Odd", "type": None, "balance": -1.25}


def test_one_account_is_shown_in_words_to_people_only(cli: Cli, at: At) -> None:
    with recorder(Chart("1920")) as server:
        at(server)
        table = succeed(cli("account", "get", "1920")).lines()
        text = succeed(cli("account", "get", "1920", "-o", "csv")).out
    assert ["type", "bank and cash, hidden"] in [line.split(maxsplit=1) for line in table]
    assert "ASS_PAY" in text


def test_a_new_account_is_shown_in_words_like_others(cli: Cli, at: At) -> None:
    made = {"id": 9, "number": "4001", "name": "Paper", "type": "EXP", "is_shown": True}
    with recorder(said(made, 201)) as server:
        at(server)
        argv = ("account", "create", "--number", "4001", "--name", "Paper", "--type", "expenses")
        assert ["type", "expenses"] in [line.split(maxsplit=1) for line in succeed(cli(*argv)).lines()]
        assert succeed(cli(*argv, "--json")).json() == made


def test_the_digits_of_balances_are_those_of_the_service(cli: Cli, at: At) -> None:
    row = b'{"id":1,"number":"1900","name":"Cash","type":"ASS_PAY","opening_balance":10.10,"default_vat_code":3}'
    whole = row[:-1] + b',"balance":12345678901234567.89,"is_used":true}'

    def behave(sent: Sent) -> Answer:
        if sent.path.endswith("/account/1/"):
            return Answer(200, whole)
        return Answer(200, b'{"count":1,"next":null,"results":[%s]}' % row)

    with recorder(behave) as server:
        at(server)
        assert succeed(cli("account", "list", "--columns", "balance")).lines()[-1] == "12345678901234567.89"
        assert json.loads(succeed(cli("account", "list", "--balances", "--json")).out, parse_float=Decimal) == [
            json.loads(whole, parse_float=Decimal)
        ]


@pytest.mark.together
@pytest.mark.parametrize("text", [b"", b"<html>", b"[1]", b"null"])
def test_an_account_that_cannot_be_read_is_said(cli: Cli, at: At, text: bytes) -> None:
    def behave(sent: Sent) -> Answer:
        return Answer(200, text) if sent.path.endswith("/account/2/") else Chart("1910")(sent)

    with recorder(behave) as server:
        at(server)
        for argv in ("account list", "account get 1910", "account statement id:2"):
            outcome = cli(*argv.split())
            assert (outcome.code, outcome.out) == (9, ""), argv


def test_an_account_without_an_id_is_said(cli: Cli, at: At) -> None:
    with recorder(page({"number": "1910"})) as server:
        at(server)
        for argv in ("account list", "account get 1910", "account balances"):
            outcome = cli(*argv.split())
            assert (outcome.code, outcome.out) == (9, ""), argv


# --- words ---


def test_every_type_has_words_of_its_own() -> None:
    labels = {one.label for one in AccountType}
    assert all(labels)
    assert len(labels) == len(AccountType)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("bank and cash", "ASS_PAY"),
        (" Bank  and cash", "ASS_PAY"),
        ("vat liability", "LIA_VAT"),
        ("ASS", "ASS"),
        ("NEW", "NEW"),
    ],
)
def test_a_type_may_be_given_by_its_words(written: str, meant: str) -> None:
    assert type_of(written) == meant


@pytest.mark.parametrize(
    ("code", "rate", "text"),
    [
        ("1", "25.50", "1 at 25.5 %"),
        ("1", "10.00", "1 at 10 %"),
        ("4", "0.00", "4"),
        ("3", "0.00", ""),
        ("0", "0", ""),
        ("2", "10", "2 at 10 %"),
    ],
)
def test_vat_in_words(code: str, rate: str, text: str) -> None:
    assert vat_in_words(code, rate) == text
