"""Statements as lines for people and as rows for machines."""

from __future__ import annotations

from decimal import Decimal

from acctcli.cli.report.checks import check_balance_sheet, check_equity_changes
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.shapes import Statement, decode
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style
from acctcli.cli.report.statements import flat_rows, lay_out
from tests.cli.report.replies import BALANCE_SHEET, EQUITY_CHANGES

D = Decimal


def amounts(*texts: str) -> tuple[Decimal, ...]:
    return tuple(map(D, texts))


def test_a_balance_sheet_as_lines() -> None:
    statement = decode(BALANCE_SHEET, Statement)
    assert lay_out(statement, "Balance sheet", Labels("fi"), check_balance_sheet(statement)) == Sheet(
        "Tase",
        "2026-03-31 · 2025-12-31",
        (
            Column("Tase"),
            Column("2026-03-31", Kind.AMOUNT),
            Column("2025-12-31", Kind.AMOUNT),
            Column("muutos", Kind.AMOUNT),
            Column("muutos-%", Kind.PERCENT),
        ),
        [
            SheetLine(("Vastaavaa", None, None, None, None), Style.HEADING),
            SheetLine(("Myyntisaamiset", *amounts("1234567.89", "0.00", "1234567.89"), None), level=1),
            SheetLine(
                ("Rahat ja pankkisaamiset", *amounts("-20.10", "100.00", "-120.10", "-120.10")), level=1, adds=(3, 4)
            ),
            SheetLine(("1900 Cash", *amounts("10.00", "0.00", "10.00"), None), Style.DETAIL, 2, account="1900"),
            SheetLine(
                ("1910 Bank [main]", *amounts("-30.10", "100.00", "-130.10", "-130.10")),
                Style.DETAIL,
                2,
                account="1910",
            ),
            SheetLine(
                ("Vastaavaa yhteensä", *amounts("1234547.79", "100.00", "1234447.79", "1234447.79")),
                Style.SUM,
                adds=(1, 2),
            ),
            SheetLine(("Vastattavaa", None, None, None, None), Style.HEADING),
            SheetLine(("Oma pääoma", *amounts("100.00", "100.00", "0.00", "0.00")), level=1),
            SheetLine(("Tilikauden voitto (tappio)", *amounts("1234447.79", "0.00", "1234447.79"), None), level=1),
            SheetLine(
                ("Vastattavaa yhteensä", *amounts("1234547.79", "100.00", "1234447.79", "1234447.79")),
                Style.SUM,
                adds=(7, 8),
            ),
        ],
    )


def test_the_changes_of_equity_have_a_heading_for_each_component() -> None:
    statement = decode(EQUITY_CHANGES, Statement)
    parts = check_equity_changes(statement)
    assert list(lay_out(statement, "Changes in equity", Labels("en"), parts).lines) == [
        SheetLine(("2000 Share capital", None), Style.HEADING, account="2000"),
        SheetLine(("Opening", D("2000.00")), level=1, account="2000"),
        SheetLine(("Change", D("500.00")), level=1, account="2000"),
        SheetLine(("Closing", D("2500.00")), Style.SUM, 1, adds=(1, 2), account="2000"),
        SheetLine(("Result of the period", D("480.04"))),
        SheetLine(("Total equity", D("2980.04")), Style.SUM, adds=(3, 4)),
    ]


def test_rows_keep_the_names_and_digits_of_the_wire() -> None:
    rows = list(flat_rows(decode(BALANCE_SHEET, Statement)))
    assert rows[2:5] == [
        {
            "name": "Cash and bank", "level": 1, "is_sum_row": False, "number": None,
            "2026-03-31": D("-20.10"), "2025-12-31": D("100.00"), "change": D("-120.10"), "change %": D("-120.10"),
        },
        {
            "name": "Cash", "level": 2, "is_sum_row": False, "number": "1900",
            "2026-03-31": D("10.00"), "2025-12-31": D("0.00"), "change": D("10.00"), "change %": None,
        },
        {
            "name": "Bank [main]", "level": 2, "is_sum_row": False, "number": "1910",
            "2026-03-31": D("-30.10"), "2025-12-31": D("100.00"), "change": D("-130.10"), "change %": D("-130.10"),
        },
    ]  # fmt: skip
    assert (len(rows), str(rows[2]["2026-03-31"])) == (10, "-20.10")


def test_text_that_acts_on_a_terminal_is_written_out() -> None:
    evil = BALANCE_SHEET.replace(b"Bank [main]", b"\\u001b[2J\\u202eBank").replace(b'"2025-12-31"', b'"\\u00072025"')
    sheet = lay_out(decode(evil, Statement), "Balance sheet", Labels("en"))
    assert sheet.lines[4].cells[0] == "1910 \\x1b[2J\\u202eBank"
    assert (sheet.columns[2].title, sheet.period) == ("\\x072025", "2026-03-31 · \\x072025")
