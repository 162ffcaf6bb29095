"""Tables: what there is of a line goes to amounts first."""

from __future__ import annotations

import io

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acctcli.cli.output.columns import Picker
from acctcli.cli.output.formats import Look
from acctcli.cli.output.table import TableWriter, record_table


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


TEXTS = st.text(max_size=12) | st.sampled_from(["", "a  ", " b", "[bold]x", ":smile:", "\u65e5\u672c", "e\u0301"])


@settings(max_examples=50)
@given(rows=st.lists(st.tuples(TEXTS, st.integers(), TEXTS), min_size=1, max_size=4))
def test_in_a_pipe_it_is_the_table_of_a_wide_terminal(rows: list[tuple[str, int, str]]) -> None:
    made = []
    for width in (None, 10_000):
        stream = io.BytesIO()
        writer = TableWriter(stream, ("name", "amount", "\u65e5 of it"), Look(strict=False, width=width))
        named = [dict(zip(("name", "amount", "\u65e5 of it"), row, strict=True)) for row in rows]
        writer.write([msgspec.Raw(msgspec.json.encode(row)) for row in named])
        writer.close()
        made.append(stream.getvalue().decode())
    assert made[0] == made[1]
    assert len(made[0].splitlines()) == 2 + len(rows)


def drawn(width: int | None, **record: object) -> list[str]:
    stream = io.BytesIO()
    writer = TableWriter(stream, list(record), Look(strict=True, width=width))
    writer.write([msgspec.Raw(msgspec.json.encode(record))])
    writer.close()
    return stream.getvalue().decode().splitlines()


def test_headings_are_words_and_fields_where_two_would_be_alike() -> None:
    heading, *_ = drawn(None, id=1, receiver_info=2, is_past_due=False, default_vat_code=1, vat_inclusive_amount=3)
    assert heading == "id   receiver info   past due   default VAT code   with VAT"
    assert drawn(None, draft=1, is_draft=False)[0] == "draft   is_draft"


def test_rates_have_no_needless_zeros_and_amounts_keep_their_cents() -> None:
    rates = ("rate", "vat_rate", "default_vat_rate", "penalty_interest", "invoicing_default_penalty_interest")
    kept = {"amount": msgspec.Raw(b"25.50"), "name": "25.50"}
    cells = drawn(None, **dict.fromkeys(rates, msgspec.Raw(b"25.50")), **kept)[2]
    assert cells.split() == [*["25.5"] * len(rates), "25.50", "25.50"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [("10.00", "10"), ("0.00", "0"), ("-0.50", "-0.5"), ("100", "100"), ("1e9", "1e9"), ("a.0", "a.0")],
)
def test_a_rate_within_a_record_too(written: str, shown: str) -> None:
    row = msgspec.Raw(msgspec.json.encode({"row": {"vat_rate": written}, "vat_rate": None}))
    picker = Picker(("row.vat_rate", "vat_rate"), row, strict=True)
    lines = record_table(picker, row, None).decode().splitlines()
    assert [line.split() for line in lines[2:]] == [["row.vat_rate", shown], ["vat_rate"]]


def test_headings_are_folded_between_words_before_a_text_is() -> None:
    record = {"name": "Long name of somebody", "customer_id": None, "vat_exclusive_amount": 12.5}
    assert drawn(60, **record)[0] == "name                    customer id   without VAT"
    assert drawn(42, **record) == [
        "                        customer   without",
        "name                          id       VAT",
        "──────────────────────────────────────────",
        "Long name of somebody                 12.5",
    ]
