"""Lists as workbooks: an amount is a number, whatever its sign, where a cell holds it digit for digit."""

from __future__ import annotations

import io

import msgspec
import pytest

from acctcli.cli.output.formats import Look
from acctcli.cli.output.workbook import WorkbookWriter
from tests.cli.report.test_as_xlsx import Workbook


@pytest.mark.parametrize(
    ("cell", "number", "text"),
    [
        ("10.10", "10.10", None),
        ("-5.25", "-5.25", None),
        ("-0.01", "-0.01", None),
        ("0", "0", None),
        ("123456789012345", "123456789012345", None),
        ("-1234567890123.45", "-1234567890123.45", None),
        ("1234567890123456.78", None, "1234567890123456.78"),
        ("-1234567890123456.78", None, "-1234567890123456.78"),
        ('"-5.25"', None, "-5.25"),
        ('"=1+1"', None, "=1+1"),
        ("true", None, "true"),
        ('{"a": -1}', None, '{"a":-1}'),
    ],
)
def test_what_a_cell_holds(cell: str, number: str | None, text: str | None) -> None:
    stream = io.BytesIO()
    writer = WorkbookWriter(stream, ("id", "amount"), Look(strict=True))
    writer.write([msgspec.Raw(f'{{"id": 1, "amount": {cell}}}'.encode())])
    writer.close()
    head, row = ([(one.number, one.text) for one in row] for row in Workbook(stream.getvalue()).rows)
    assert head == [(None, "id"), (None, "amount")]
    assert row == [("1", None), (number, text)]
