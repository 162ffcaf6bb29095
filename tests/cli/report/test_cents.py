"""Documents that are added up in cents are those that decimals add up to the same; all others are left to these."""

from __future__ import annotations

from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.cli.report.cents import added_up
from acctcli.cli.report.checks import check_documents
from acctcli.cli.report.shapes import JournalSums, decode

Line = tuple[str, str]
PLAIN = st.integers(0, 10**12).map(lambda cents: f"{cents // 100}.{cents % 100:02d}")
ODD = (
    "9" * 5000 + ".00",
    "null",
    "true",
    '"1.00"',
    "1",
    "1.0",
    "0.5",
    "0.001",
    "1.000",
    "1e2",
    "1.00e2",
    "-1.00",
    "-0.00",
    "[1.00]",
)


def document(lines: list[Line], *totals: str) -> msgspec.Raw:
    told = f',"totals":{{"debet":{totals[0]},"credit":{totals[1]}}}' if totals else ""
    entries = ",".join(f'{{"debet":{debit},"credit":{credit}}}' for debit, credit in lines)
    return msgspec.Raw(f'{{"number":"1","entries":[{entries}]{told}}}'.encode())


def balanced(amounts: list[str]) -> msgspec.Raw:
    """A document that pays each amount from one account."""
    total = str(sum(map(Decimal, amounts), Decimal("0.00")))
    lines = [(amount, "0.00") for amount in amounts]
    return document([*lines, ("0.00", total)] if lines else [], total, total)


@given(st.lists(st.lists(PLAIN, max_size=4), min_size=1, max_size=5))
def test_documents_in_balance_are_added_up(books: list[list[str]]) -> None:
    rows = [balanced(amounts) for amounts in books]
    debit = sum((Decimal(amount) for amounts in books for amount in amounts), Decimal("0.00"))
    assert added_up(rows) == (debit, debit) == check_documents(decode(row, JournalSums) for row in rows)


@pytest.mark.parametrize(
    "wrong",
    [
        document([("0.10", "0.00"), ("0.00", "0.01")], "0.10", "0.10"),
        document([("0.10", "0.00"), ("0.00", "0.01")], "0.01", "0.01"),
        document([("0.10", "0.00"), ("0.00", "0.10")], "0.01", "0.01"),
        document([("0.10", "0.00"), ("0.00", "0.10")], "0.10", "0.11"),
        document([("0.10", "0.05"), ("0.00", "0.05")], "0.10", "0.10"),
        document([("0.10", "0.00"), ("0.00", "0.10")]),
        msgspec.Raw(b'{"number":1,"entries":[],"totals":{"debet":0.00,"credit":0.00}}'),
        msgspec.Raw(b'{"entries":null,"totals":{"debet":0.00,"credit":0.00}}'),
    ],
)
def test_what_is_not_in_balance_is_left(wrong: msgspec.Raw) -> None:
    assert added_up([balanced(["1.00"]), wrong, balanced(["2.00"])]) is None


def test_two_faults_do_not_make_up_for_each_other() -> None:
    more = document([("0.10", "0.00"), ("0.00", "0.20")], "0.10", "0.10")
    less = document([("0.20", "0.00"), ("0.00", "0.10")], "0.20", "0.20")
    assert added_up([more, less]) is None


@pytest.mark.parametrize("odd", ODD)
def test_amounts_that_are_written_otherwise_are_left(odd: str) -> None:
    for lines in ([(odd, "0.00"), ("0.00", odd)], [("1.00", odd), (odd, "1.00")]):
        assert added_up([balanced(["1.00"]), document(lines, odd, odd)]) is None
        assert added_up([balanced(["1.00"]), document(lines, "1.00", "1.00")]) is None


def test_no_documents_are_left() -> None:
    assert added_up([]) is None
