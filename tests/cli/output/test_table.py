"""Tables: what there is of a line goes to amounts first."""

from __future__ import annotations

import io

import msgspec
import pytest

from acctcli.cli.output.formats import Look
from acctcli.cli.output.table import TableWriter


@pytest.mark.parametrize("width", range(30, 60, 3))
def test_an_amount_is_in_one_piece_and_texts_share_the_rest(width: int) -> None:
    stream = io.BytesIO()
    writer = TableWriter(stream, ("amount", "name"), Look(strict=True, width=width))
    writer.write([msgspec.Raw(b'{"amount": -12345678901234567.89, "name": "Savings bank of the branch by the river"}')])
    writer.close()
    lines = stream.getvalue().decode().splitlines()
    assert max(map(len, lines)) <= width
    assert [line[:21] for line in lines[:3]] == ["               amount", "─" * 21, "-12345678901234567.89"]
    assert {line[:24] for line in lines[3:]} <= {" " * 24}
    text = " ".join(line[24:] for line in lines[2:])
    assert text.replace(" ", "") == "Savingsbankofthebranchbytheriver"
