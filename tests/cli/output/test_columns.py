from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path

import msgspec
import pytest

from acctcli.cli.output import workbook
from acctcli.cli.output.columns import ALL, Picker, cell_text, parse_columns, select_json
from acctcli.cli.output.delimited import CsvWriter
from acctcli.cli.output.formats import Look
from acctcli.errors import UsageError
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Sent, page, recorder, said


def raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(json.dumps(value).encode())


def texts(columns: tuple[str, ...], value: object, *others: object) -> list[list[str]]:
    picker = Picker(columns, raw(value), strict=True)
    return [[cell_text(cell) for cell in picker.pick(raw(row))] for row in (value, *others)]


ROW = {"id": 1, "sub": {"a": "x", "deep": {"b": 2.50}}, "none": None, "list": [1, 2], "yes": True}


def test_values_become_text() -> None:
    assert texts(("id", "sub.a", "sub.deep.b", "none", "list", "yes"), ROW) == [["1", "x", "2.5", "", "[1,2]", "true"]]


def test_all_takes_the_names_of_the_first_row_as_they_are() -> None:
    odd = {"a.b": 1, 'quo"te': 2, "line\nbreak": 3, "back\\slash": 4, "": 5, "ä": 6}
    assert Picker((ALL,), raw(odd), strict=True).columns == tuple(odd)
    assert texts((ALL,), odd) == [["1", "2", "3", "4", "5", "6"]]


@pytest.mark.together
@pytest.mark.parametrize("name", ["balance", 'quo"te'])
@pytest.mark.parametrize("form", ["csv", "tsv", "table", "xlsx"])
def test_all_takes_fields_of_later_rows_or_says_that_there_are_more(
    cli: Cli, at: At, home: Path, form: str, name: str
) -> None:
    argv = ("account", "list", "--all", "--page-size", "2", "--columns", "all", "-o", form, "--output-file", "out")
    first, last = {"id": 1, "number": "1"}, {"id": 2, "number": "2", name: 5.50}
    with recorder(page(first, last)) as server:
        at(server)
        succeed(cli(*argv))
    if form != "xlsx":
        assert "5.5" in Path("out").read_text()
    Path("out").unlink()

    def behave(sent: Sent) -> Answer:
        is_last = "page=2" in sent.path
        rows = [{**last, "id": 3}] if is_last else [first, {**first, "id": 2}]
        return said({"count": 3, "next": None if is_last else "?page=2", "previous": None, "results": rows})

    with recorder(behave) as server:
        at(server)
        outcome = cli(*argv)
    assert (outcome.code, outcome.out, Path("out").exists()) == (2, "", False)
    assert f"the field {name!r} comes when the columns are written already" in outcome.err


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_all_is_every_field_of_each_row_in_json(cli: Cli, at: At, form: str) -> None:
    with recorder(page({"id": 1}, {"id": 2, "late": 5})) as server:
        at(server)
        assert '"late": 5' in succeed(cli("account", "list", "--columns", "all", "-o", form)).out


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({f"f{number}": 1 for number in range(16_384)}, "takes 16384 columns, 'id' would be one more"),
        ({"n" * 32_768: 1}, "the name of a column has 32768 characters"),
    ],
)
def test_a_workbook_that_would_lack_columns_is_refused(
    cli: Cli, at: At, home: Path, record: dict[str, int], says: str
) -> None:
    with recorder(page({**record, "id": 1})) as server:
        at(server)
        outcome = cli("account", "list", "--columns", "all", "-o", "xlsx", "--output-file", "out.xlsx")
    assert (outcome.code, Path("out.xlsx").exists()) == (2, False)
    assert says in outcome.err


@pytest.mark.parametrize(("rows", "code"), [(3, 0), (4, 2)])
def test_a_worksheet_is_filled_to_its_last_row_and_no_further(
    cli: Cli, at: At, home: Path, monkeypatch: pytest.MonkeyPatch, rows: int, code: int
) -> None:
    monkeypatch.setattr(workbook, "MOST_ROWS", 3)
    with recorder(page(*({"id": number} for number in range(rows)))) as server:
        at(server)
        outcome = cli("account", "list", "-o", "xlsx", "--output-file", "out.xlsx")
    assert (outcome.code, Path("out.xlsx").exists()) == (code, not code)
    assert ("takes 3 rows, here are more" in outcome.err) == bool(code)


def test_a_line_of_json_is_one_line_for_every_reader(cli: Cli, at: At) -> None:
    text = b'{"count":1,"next":null,"previous":null,"results":[{"id":1,\r"name":"x"}]}'
    with recorder(Answer(200, text)) as server:
        at(server)
        assert succeed(cli("account", "list", "-o", "jsonl")).out == '{"id":1,"name":"x"}\n'


def test_a_name_of_the_service_stays_in_the_line_of_the_hint(cli: Cli, at: At) -> None:
    with recorder(page({"id": 1, "x\nerror: fake": 2})) as server:
        at(server)
        outcome = cli("account", "list", "--columns", "zzzzzz", "-o", "csv")
    assert [line.split(":")[0] for line in outcome.err.splitlines()] == ["error", "hint"]


def test_a_field_other_rows_lack_is_empty_there() -> None:
    assert texts(("id", "sub.a"), ROW, {"id": 2}, {"sub": None}, {"sub": {"a": 3}}) == [
        ["1", "x"], ["2", ""], ["", ""], ["", "3"]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("idd", "did you mean id?"),
        ("sub.deep.c", "did you mean sub.deep.b?"),
        ("sub.zzz", "did you mean sub.a?"),
        ('x"y', "fields: id, sub, none, list, yes"),
    ],
)
def test_a_name_that_is_not_there_is_refused_with_the_nearest(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        Picker((name,), raw(ROW), strict=True)
    assert caught.value.hint == hint


@pytest.mark.parametrize("name", ["list.0", "id.x", "sub.a.b", "yes.n"])
def test_what_is_no_object_has_no_fields(name: str) -> None:
    with pytest.raises(UsageError, match=f"^--columns: {name[:-2]} holds no fields, so there is no '{name}'$"):
        Picker((name,), raw(ROW), strict=True)


def test_a_field_of_null_may_be_there_in_other_rows() -> None:
    assert texts(("none.x",), ROW, {"none": {"x": 1}}) == [[""], ["1"]]


def test_the_order_asked_for_is_the_order_given() -> None:
    assert texts(("yes", "sub.deep.b", "id", "sub.a"), ROW) == [["true", "2.5", "1", "x"]]


def test_selected_json_keeps_the_bytes() -> None:
    row = msgspec.Raw(b'{"id": 1, "amount": 10.10, "text": "\\u00e4"}')
    picker = Picker(("text", "amount"), row, strict=True)
    assert select_json(picker.columns, picker.pick(row)) == b'{"text":"\\u00e4","amount":10.10}'


def test_a_field_other_rows_lack_is_null_in_selected_json() -> None:
    picker = Picker(("id", "sub.a", "name"), raw({"id": 1, "sub": {"a": "x"}, "name": ""}), strict=True)
    rows = ({"id": 2}, {"sub": {"a": None}, "name": ""}, {"id": 3, "sub": "x", "name": "y"})
    assert [select_json(picker.columns, picker.pick(raw(row))) for row in rows] == [
        b'{"id":2,"sub.a":null,"name":null}',
        b'{"id":null,"sub.a":null,"name":""}',
        b'{"id":3,"sub.a":null,"name":"y"}',
    ]


def test_a_default_the_service_does_not_know_is_empty() -> None:
    picker = Picker(("id", "nosuch", "sub.nosuch"), raw(ROW), strict=False)
    assert [cell_text(cell) for cell in picker.pick(raw(ROW))] == ["1", "", ""]


@pytest.mark.parametrize("text", ["", "a,", ",a", "a,,b", "a.", ".a", "a..b", "a,a", " "])
def test_lists_of_names_that_are_none(text: str) -> None:
    with pytest.raises(UsageError, match="--columns"):
        parse_columns(text, ())


class _Lines(list[str]):
    write = list[str].append


@pytest.mark.parametrize("width", [1, 2, 3])
def test_lines_of_csv_are_those_of_the_library(width: int) -> None:
    chance = random.Random(width)
    texts = [
        "",
        " ",
        "a",
        "7",
        "-2.50",
        "ä;'",
        "\x00",
        *("".join(chance.choices("a\" ,;\r\n\t'", k=4)) for _ in range(500)),
    ]
    rows = [dict(zip("abc", chance.choices(texts, k=width), strict=False)) for _ in range(1000)]
    stream, lines = io.BytesIO(), _Lines()
    CsvWriter(stream, tuple("abc"[:width]), Look(strict=True, raw=True)).write([raw(row) for row in rows])
    csv.writer(lines, lineterminator="\r\n").writerows(row.values() for row in rows)
    head, _, written = stream.getvalue().decode().partition("\n")
    assert head == ",".join("abc"[:width])
    assert written == "".join(f"{line[:-2]}\n" for line in lines)


@pytest.mark.parametrize("is_raw", [False, True])
def test_texts_of_cells_that_come_again_are_kept_and_no_more_than_so_many(is_raw: bool) -> None:
    stream = io.BytesIO()
    writer = CsvWriter(stream, ("a", "b"), Look(strict=True, raw=is_raw))
    texts = [*("=1", "'=1", "1", "\\u00e4", "x" * 300), *map(str, range(12_000)), "=1", "1"]
    for start in range(0, len(texts), 1000):
        writer.write([msgspec.Raw(b'{"a":"%b","b":1}' % text.encode()) for text in texts[start : start + 1000]])
    writer.close()
    mark = "" if is_raw else "'"
    shown = [text.replace("\\u00e4", "ä") if text != "=1" else f"{mark}=1" for text in texts]
    assert stream.getvalue().decode().splitlines() == ["a,b", *(f"{text},1" for text in shown)]
    assert len(writer._fields) <= 5000
