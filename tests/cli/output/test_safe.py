from __future__ import annotations

import io
import json
import unicodedata

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acctcli.cli.output.columns import Picker
from acctcli.cli.output.delimited import CsvWriter
from acctcli.cli.output.formats import Look
from acctcli.cli.output.safe import defused, visible, visible_json
from acctcli.cli.output.table import TableWriter, record_table
from tests.sizes import sized

HOSTILE = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(
            ["\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "\x00", "\r", "\n", "\t", "\x08", "\x7f", "[bold]", "[/]",
             "[link=x]", "\u202e", "\u2066", "\u2028", ":smile:", "\\[", "]", "[", "\ufeff", "a", "ä",
             "日本", "👩\u200d💻", "\U000e0041"]
        )
    ).map("".join),
)  # fmt: skip


def obeyed(character: str) -> bool:
    """Whether a terminal may act on a character instead of showing it."""
    return (
        unicodedata.category(character) in {"Cc", "Zl", "Zp", "Cs"}
        or character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    )


@settings(max_examples=sized(2000))
@given(text=HOSTILE)
def test_no_text_changes_the_terminal_or_crashes_a_table(text: str) -> None:
    row = msgspec.Raw(json.dumps({"id": 1, "name": text, "amount": 10}).encode())
    stream = io.BytesIO()
    writer = TableWriter(stream, ("id", "name", "amount"), Look(strict=True))
    writer.write([row])
    writer.close()
    table = stream.getvalue().decode() + record_table(Picker(("name",), row, strict=True), row, 60).decode()
    assert not any(obeyed(character) for character in table.replace("\n", ""))
    for_row = stream.getvalue().decode().splitlines()
    assert len(for_row) == 3
    shown = visible(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    assert shown.rstrip() in for_row[2]


@pytest.mark.parametrize(("raw", "header"), [(False, "'=1+1,plain"), (True, "=1+1,plain")])
def test_a_field_that_the_service_calls_like_a_formula_is_no_formula(raw: bool, header: str) -> None:
    stream = io.BytesIO()
    CsvWriter(stream, ("all",), Look(strict=False, raw=raw)).write([msgspec.Raw(b'{"=1+1": 1, "plain": 2}')])
    assert stream.getvalue().decode() == f"{header}\n1,2\n"


@settings(max_examples=sized(500))
@given(text=HOSTILE)
def test_json_on_a_terminal_still_says_the_same(text: str) -> None:
    plain = json.dumps({"name": text}, ensure_ascii=False)
    shown = visible_json(plain)
    assert json.loads(shown) == {"name": text}
    assert not any(obeyed(character) for character in shown)


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1+1",
        "-1+1",
        "@SUM(A1)",
        "\tx",
        "\r=1",
        "＝1",
        "=cmd|' /C calc'!A0",
        "+358 40 123",
        "\0=1",
        "\u200b=1",
        "\ufeff＝1",
    ],
)
def test_formulas_are_defused(text: str) -> None:
    assert defused(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-10.50", "+3", "-0", "", "a=1", "Oy", "1-2", " =1"])
def test_numbers_and_plain_text_are_left_alone(text: str) -> None:
    assert defused(text) == text
