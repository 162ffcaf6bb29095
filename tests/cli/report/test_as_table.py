"""Tables people read: indented, ruled, aligned; nothing cut from an amount."""

from __future__ import annotations

from decimal import Decimal

from acctcli.cli.report.as_table import draw
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.shapes import Statement, decode
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style
from acctcli.cli.report.statements import lay_out
from acctcli.printing.numbers import LOCALES, Locale
from tests.cli.report.replies import BALANCE_SHEET

D = Decimal
SHEET = Sheet(
    "Tase",
    "2026",
    (Column("Tase"), Column("2026", Kind.AMOUNT)),
    [
        SheetLine(("Vastaavaa", None), Style.HEADING),
        SheetLine(("Rahat ja pankkisaamiset", D("-1234.50")), level=1),
        SheetLine(("Yhteensä", D("-1234.50")), Style.SUM),
    ],
)


def drawn(sheet: Sheet, locale: Locale, width: int | None = None, *, colour: bool = False) -> bytes:
    return b"".join(draw(sheet, locale, width, colour=colour))


def test_a_balance_sheet_whole() -> None:
    sheet = lay_out(decode(BALANCE_SHEET, Statement), "Balance sheet", Labels("en"))
    assert drawn(sheet, LOCALES["en"]).decode() == (
        "Balance sheet                   2026-03-31  2025-12-31        change      change %\n"
        "──────────────────────────────────────────────────────────────────────────────────\n"
        "Assets\n"
        "  Trade receivables           1,234,567.89        0.00  1,234,567.89\n"
        "  Cash and bank                     -20.10      100.00       -120.10       -120.10\n"
        "    1900 Cash                        10.00        0.00         10.00\n"
        "    1910 Bank [main]                -30.10      100.00       -130.10       -130.10\n"
        "                              ────────────  ──────────  ────────────  ────────────\n"
        "Total assets                  1,234,547.79      100.00  1,234,447.79  1,234,447.79\n"
        "\n"
        "Equity and liabilities\n"
        "  Equity                            100.00      100.00          0.00          0.00\n"
        "  Profit of the period        1,234,447.79        0.00  1,234,447.79\n"
        "                              ────────────  ──────────  ────────────  ────────────\n"
        "Total equity and liabilities  1,234,547.79      100.00  1,234,447.79  1,234,447.79\n"
    )


def test_where_it_is_narrow_names_are_folded_and_amounts_are_not() -> None:
    assert drawn(SHEET, LOCALES["fi"], 24).decode().replace("\xa0", "_") == (
        "Tase                2026\n"
        "────────────────────────\n"
        "Vastaavaa\n"
        "  Rahat ja     -1_234,50\n"
        "  pankkisaami\n"
        "  set\n"
        "               ─────────\n"
        "Yhteensä       -1_234,50\n"
    )


def test_an_amount_is_whole_however_narrow_it_is() -> None:
    assert b"-1.234,50" in drawn(SHEET, LOCALES["de"], 3)


def test_on_a_terminal_sums_are_bold_and_negative_amounts_red() -> None:
    text = drawn(SHEET, LOCALES["en"], 80, colour=True).decode()
    assert text.splitlines()[2:] == [
        "\x1b[1mVastaavaa\x1b[0m",
        "  Rahat ja pankkisaamiset  \x1b[31m-1,234.50\x1b[0m",
        "                           ─────────",
        "\x1b[1mYhteensä\x1b[0m                   \x1b[1m\x1b[31m-1,234.50\x1b[0m",
    ]


def test_wide_letters_keep_the_columns() -> None:
    sheet = SHEET._replace(lines=[SheetLine(("株式会社", D(1))), SheetLine(("abc", D(2)))])
    assert drawn(sheet, LOCALES["en"]).decode().splitlines()[2:] == ["株式会社  1.00", "abc       2.00"]


def test_nothing_is_a_head_and_a_rule() -> None:
    assert drawn(SHEET._replace(lines=[]), LOCALES["en"]).decode() == "Tase  2026\n──────────\n"


def test_what_is_long_comes_in_parts_of_the_same_columns() -> None:
    lines = [SheetLine((f"Row {number}", D(number))) for number in range(2_500)]
    parts = list(draw(SHEET._replace(lines=[*lines, SheetLine(("The longest of all rows", D(-1)))]), LOCALES["en"]))
    rows = b"".join(parts).decode().splitlines()
    assert len(parts) == 3
    assert len(rows) == 2_503
    assert {len(row) for row in rows} == {len("The longest of all rows  2,499.00")}
    assert rows[2:4] == ["Row 0                        0.00", "Row 1                        1.00"]
