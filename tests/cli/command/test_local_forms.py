"""Amounts and days as people write them here: what is meant is said, and never what may be meant."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.cli.command.local_forms import amount_of, day_of, in_our_form
from tests.cli.conftest import Cli


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("3,50", "3.50"), ("3,5 €", "3.5"), ("€ 3,50", "3.50"), ("1234,5", "1234.5"), ("1.234,50", "1234.50"),
        ("1 234,50", "1234.50"), ("1\u00a0234\u00a0567,8", "1234567.8"), ("1'234.50", "1234.50"), ("1 234", "1234"),
        ("\u22123,50", "-3.50"), ("-1.234,00 EUR", "-1234.00"), ("1,234.50", "1234.50"), ("1,234,567", "1234567"),
        # may be a thousand and more, or one and a part
        ("1,234", None), ("1.234", None), ("12,345", None), ("1.234.50", None), ("1,23,4", None), ("12 34,50", None),
        ("3,50,", None), (",50", None), ("3 50", None), ("x", None), ("", None), ("1\u06604,5", None),
    ],
)  # fmt: skip
def test_an_amount_is_read_where_it_has_one_meaning(text: str, meant: str | None) -> None:
    assert amount_of(text) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("31.3.2026", "2026-03-31"), ("01.02.2026", "2026-02-01"), ("31/3/2026", "2026-03-31"),
        ("3/31/2026", "2026-03-31"), ("4/4/2026", "2026-04-04"),
        ("3/4/2026", None), ("31.2.2026", None), ("1.1.26", None), ("0.1.2026", None), ("2026-03-31", None),
    ],
)  # fmt: skip
def test_a_day_is_read_where_it_has_one_meaning(text: str, meant: str | None) -> None:
    found = day_of(text)
    assert (found and found.isoformat()) == meant


@given(st.decimals(0, 10**9, places=2), st.sampled_from([("", ","), (".", ","), (" ", ","), ("'", "."), (",", ".")]))
def test_whatever_stands_between_digits_the_number_is_the_same(number: Decimal, marks: tuple[str, str]) -> None:
    between, point = marks
    written = f"{number:,.2f}".replace(",", "G").replace(".", point).replace("G", between)
    found = amount_of(written)
    assert found is not None
    assert Decimal(found) == number


@given(st.text(max_size=12))
def test_any_text_is_a_number_or_a_day_or_nothing(text: str) -> None:
    told = in_our_form(text)
    assert told == "" or told.startswith("; write ")


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("product", "create", "--name", "K", "--unit", "h", "--amount", "3,50"), "A number is required; write 3.50"),
        (("document", "create", "--date", "31.3.2026"), "--date '31.3.2026': not a day; write 2026-03-31"),
        (("document", "create", "--set", "date=31.3.2026"), "Use YYYY-MM-DD; write 2026-03-31"),
        (("document", "create", "--debit", "1910", "--credit", "3000:1 234,50"), "write 3000:1234.50"),
        (("invoice", "pay", "1", "--amount", "1.234,50"), "is not a number; write 1234.50"),
        (("report", "journal", "--period", "31.3.2026"), "not a range; write 2026-03-31"),
    ],
)  # fmt: skip
def test_what_is_written_as_here_is_said_as_commands_take_it(cli: Cli, argv: tuple[str, ...], says: str) -> None:
    done = cli(*argv)
    assert (done.code, says in done.err) == (2, True), done.err
