"""The EU recapitulative statement: what is shown, what is refused, and the files (docs/law.md 2.4)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.vat.service import FILED, FINNISH, GERMAN, SALE, SUMMARY, service

STATEMENT = ("vat", "recapitulative", "--period", "2026-03")
MARCH = "2026-03-01"
QUARTER = FILED[1]
BOOKED = {"summary": {**SUMMARY, "eu_goods_sales": 40.50, "eu_service_sales": 500.00}}
SALES = {MARCH: [SALE, {**SALE, "vat_handling": "goods", "net_amount": 40.50}]}


def test_a_customer_is_a_line(cli: Cli, at: At) -> None:
    with service(vat_report=BOOKED, sales=SALES) as server:
        at(server)
        shown = succeed(cli(*STATEMENT, "--output", "csv"))
        as_json = succeed(cli(*STATEMENT, "--json"))
    assert shown.lines() == [
        "country,vat_number,name,goods,services,triangulation",
        "SE,556000000101,Kund AB,40.50,500.00,0.00",
    ]
    assert '"goods":40.50,"services":500.00,"triangulation":0.00}' in as_json.out


def test_the_finnish_file(cli: Cli, at: At) -> None:
    with service(vat_report=BOOKED, sales=SALES) as server:
        at(server)
        succeed(cli(*STATEMENT, "--filing-file", "eu.txt"))
    assert re.sub(rb"198:\d{14}\r\n", b"", Path("eu.txt").read_bytes()) == (
        b"000:VSRALVYV\r\n010:0112038-9\r\n052:3\r\n053:2026\r\n001:1\r\n"
        b"102:SE\r\n103:556000000101\r\n210:40,50\r\n211:500,00\r\n212:0,00\r\n009:1\r\n"
        b"048:acctcli\r\n014:0112038-9_AC\r\n999:1\r\n"
    )


def test_the_german_file_of_a_quarter(cli: Cli, at: At) -> None:
    report = {"mapping": {"41": 40.50, "21": 500.00, "83": 0.00}, "totals": {"vat_payable": 0.00}}
    with service(GERMAN, report, {"2026-01-01": SALES[MARCH]}) as server:
        at(server)
        succeed(cli("vat", "recapitulative", "--period", "2026-Q1", "--filing-file", "zm.csv"))
    assert Path("zm.csv").read_bytes().splitlines()[3:] == [b"SE556000000101,40,L", b"SE556000000101,500,S"]


@pytest.mark.together
@pytest.mark.parametrize(
    ("sales", "report", "told"),
    [
        (
            [SALE, {**SALE, "vat_id": "", "vat_id_missing": True, "document_number": "260303-1"}],
            BOOKED,
            "documents: 260303-1 (Kund AB): the customer has no VAT number",
        ),
        (
            [SALE],
            BOOKED,
            "it adds up to goods 0.00 and services 500.00, the VAT report to goods 40.50 and services 500.00",
        ),
        ([{**SALE, "vat_id": "GB123456789"}] * 22, BOOKED, "and 2 more"),
    ],
)
def test_what_does_not_tie_is_not_filed(
    cli: Cli, at: At, sales: list[dict[str, Any]], report: dict[str, Any], told: str
) -> None:
    with service(vat_report=report, sales={MARCH: sales}) as server:
        at(server)
        refused = cli(*STATEMENT, "--filing-file", "eu.txt")
    assert refused.code == 10
    assert told in refused.err
    assert not Path("eu.txt").exists()


def test_a_month_without_sales_needs_no_statement(cli: Cli, at: At) -> None:
    with service() as server:
        at(server)
        done = succeed(cli(*STATEMENT, "--filing-file", "eu.txt", "--json"))
    assert done.out == "[]\n"
    assert "there are no EU sales in 2026-03: no statement is due" in done.err
    assert not Path("eu.txt").exists()


@pytest.mark.together
@pytest.mark.parametrize(
    ("business", "period", "told"),
    [
        (FINNISH, "2026-Q1", "is for a month, whatever the VAT period is"),
        (GERMAN, "2026", "is for a month or a quarter"),
        (FINNISH, "2026-03-02", "is no tax period"),
    ],
)
def test_a_statement_is_for_a_month(cli: Cli, at: At, business: dict[str, Any], period: str, told: str) -> None:
    with service(business) as server:
        at(server)
        refused = cli("vat", "recapitulative", "--period", period)
    assert (refused.code, refused.out) == (2, "")
    assert told in refused.err


@pytest.mark.parametrize(("period", "code"), [(QUARTER, 0), ({**QUARTER, "start_date": "2026-04-01"}, 2)])
def test_a_month_is_filed_where_a_longer_vat_period_holds_it(
    cli: Cli, at: At, home: Path, period: dict[str, Any], code: int
) -> None:
    with service(vat_report=BOOKED, sales=SALES, vat_periods=[period]) as server:
        at(server)
        done = cli(*STATEMENT, "--filing-file", "eu.txt")
    assert (done.code, Path("eu.txt").exists()) == (code, not code), done.err
    assert ("is no VAT period of the business" in done.err) == bool(code)


def test_a_report_of_another_shape_is_named(cli: Cli, at: At) -> None:
    with service(sales={MARCH: [{"name": "Kund AB"}]}) as server:
        at(server)
        refused = cli(*STATEMENT)
    assert refused.code == 9
    assert "not what the interface promises" in refused.err
