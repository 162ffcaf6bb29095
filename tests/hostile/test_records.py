"""Replies that are JSON and odd within: what a command makes of them, in what memory."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.cli.processes import environ
from tests.cli.recorder import Answer, Behaviour, Sent, recorder
from tests.forks import act_measured, run_work
from tests.sizes import covering, is_full

# beyond what is written out
MEMORY = 150 * 2**20


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


def rows(*found: bytes) -> bytes:
    return b'{"count":%d,"next":null,"results":[%s]}' % (len(found), b",".join(found))


def invoice(amount: bytes) -> bytes:
    shape = b'{"id":1,"receiver":1,"receiver_info":{"name":"A"},"due_date":"2026-01-01","total_amount":%s,'
    return rows(shape % amount + b'"status":"ACCEPTED"}')


def statement(amount: bytes) -> bytes:
    accounts = b'"accounts":[{"number":"1","name":"a","values":[%s]},{"number":"2","name":"b","values":[%s]}]'
    return b'{"labels":["2026"],"rows":[{"name":"Total assets","values":[0],%s}]}' % (accounts % (amount, amount))


def ledger(amount: bytes, entries: int = 1) -> bytes:
    entry = b'{"debet":%s,"credit":0,"balance_csum":%s}' % (amount, amount)
    return b'{"accounts":[{"number":"1910","name":"x","opening_balance":0,"entries":[%s]}]}' % b",".join(
        [entry] * entries
    )


LIST = ("document", "list", "--all", "--output")
API = ("api", "GET", "/v1/user/")
WIDE = b'{"id":%d,"number":"1","description":"%s"}'
WIDER = WIDE.replace(b'"1"', b'"' + b"n" * 100_000 + b'"')
LISTS = b'{"id":1,"x":[' + b"[]," * 5_000_000 + b"[]]}"


def names(number: int) -> bytes:
    return b'{"id":1,"slug":"demo",' + b",".join(b'"k%d":[]' % one for one in range(number)) + b"}"


@cache
def very_many_names() -> bytes:
    return names(1_000_000)


TABLE: dict[str, tuple[tuple[str, ...], Callable[[], bytes], int]] = {
    "nested, by a filter": ((*API, "--jq", "."), lambda: nested(10_000), 9),
    "nested behind brackets in texts": (
        (*API, "--jq", "."),
        lambda: b'{"a":"' + b"]" * 9000 + b'","b":' + nested(10_000) + b"}",
        9,
    ),
    "nested": (API, lambda: nested(1020), 9),
    "nested as deep as it may be": ((*API, "--jq", "."), lambda: nested(500), 0),
    "a text that does not end, behind brackets": (
        (*API, "--jq", "."),
        lambda: b'{"a":"' + b"[" * 9000 + b'","b":"' + b'\\"' * 1_000_000,
        2,
    ),
    "brackets in texts alone": ((*API, "--jq", "."), lambda: b'{"a":"' + b"[{" * 9000 + b'"}', 0),
    "one wide cell": (
        (*LIST, "table", "--columns", "id,number,description"),
        lambda: rows(WIDER % (1, b"x" * 100_000), *(WIDE % (one, b"y") for one in range(2, 201))),
        0,
    ),
    "one text as large as a reply": (
        ("tag", "get", "1", "--output", "table"),
        lambda: WIDE % (1, b"x" * 16_000_000),
        0,
    ),
    "a text larger than a record": (
        ("tag", "get", "1", "--output", "table"),
        lambda: WIDE % (1, b"x" * 60_000_000),
        9,
    ),
    "millions of lists": (API, lambda: rows(LISTS), 9),
    "millions of lists, by a filter": ((*API, "--jq", ".count"), lambda: rows(LISTS), 9),
    "millions of lists in a row": ((*LIST, "table"), lambda: rows(LISTS), 9),
    "millions of lists in a row, by a filter": ((*LIST, "json", "--jq", ".[0].id"), lambda: rows(LISTS), 9),
    "millions of names": (("business", "get", "demo"), very_many_names, 9),
    "millions of names for what was written": (("contact", "create", "--name", "x"), very_many_names, 9),
    "as many names as may be": (("business", "get", "demo", "--jq", ".id"), lambda: names(149_000), 0),
    "more names than columns": ((*API, "--output", "table"), lambda: names(20_001), 9),
    "a page of large rows": ((*LIST, "jsonl"), lambda: rows(*(WIDE % (one, b"x" * 10**6) for one in range(1, 31))), 0),
    "rows that are none": ((*LIST, "csv"), lambda: rows(b"0," * 20_000_000 + b"0"), 9),
}


EMPTY = b'{"labels":["a"],"rows":[]}'
TABLE |= {
    "a statement without rows": (("report", "balance-sheet", "--period", "2026"), lambda: EMPTY, 0),
    "a business of 1e400": (("business", "list", "--json"), lambda: rows(b'{"id":1,"slug":"a","x":1e400}'), 0),
    "an invoice without fields": (("invoice", "xml", "1"), lambda: b'{"id":1,"country":"FI","rows":null}', 9),
    "an account of 80,000 entries": (
        ("report", "ledger", "--period", "2026", "--output", "jsonl"),
        lambda: ledger(b"0.00", 80_000),
        0,
    ),
    "a country that is none": (("invoice", "xml", "1"), lambda: b'{"id":1,"country":{},"rows":[]}', 9),
}
for time, code in (("0001-01-01T00:00:00+14:00", 9), ("9999-12-31T23:59:59-14:00", 9), ("0001-01-01", 0)):
    TABLE[f"changed at {time}"] = (
        (*LIST, "jsonl", "--since", "mark"),
        partial(rows, b'{"id":1,"updated_at":"%s"}' % time.encode()),
        code,
    )
NO_AMOUNTS = (b"9e999999", b"1e9999999999999999999", b'"NaN"', b'"sNaN"', b'"Infinity"')
for amount in NO_AMOUNTS:
    told = amount.decode()
    TABLE[f"an invoice of {told}"] = (("invoice", "aging", "--output", "csv"), partial(invoice, amount), 9)
    # a number and a text stand for all, unless a run is full
    if is_full() or amount in (NO_AMOUNTS[0], NO_AMOUNTS[-1]):
        TABLE |= {
            f"accounts of {told}": (("report", "balance-sheet", "--period", "2026"), partial(statement, amount), 9),
            f"an entry of {told}": (("report", "ledger", "--period", "2026"), partial(ledger, amount), 9),
        }
for number in (b"1e1000000", b"1e-1000000", b"0e99999999999999999999", b"1e99999999999999999999"):
    TABLE[f"a cell of {number.decode()}"] = (
        (*LIST, "xlsx", "--output-file", "rows.xlsx"),
        partial(rows, b'{"id":1,"number":%s}' % number),
        0,
    )


# each command line and each exit code
CHOSEN = covering(TABLE, lambda name: TABLE[name][0], lambda name: TABLE[name][2])


@pytest.mark.parametrize("name", CHOSEN)
def test_odd_records_are_shown_or_refused(tmp_path: Path, name: str) -> None:
    argv, make, wanted = TABLE[name]
    answer = Answer(200, make())
    code, peak, done = measured(tmp_path, argv, lambda sent: answer)
    assert (code, b"internal fault" in done.stderr) == (wanted, False), done.stderr[-300:]
    assert peak < MEMORY + len(done.stdout)


# with a mark the same is remembered, and it takes as long again
@pytest.mark.parametrize("since", [(), ("--since", "mark")])
def test_a_million_ids_that_lie_far_from_each_other_are_remembered(tmp_path: Path, since: tuple[str, ...]) -> None:
    size, pages = 20_000, 50
    row = b'{"id":%d,"updated_at":"2026-01-%02dT00:00:00Z"}'

    def answer(sent: Sent) -> Answer:
        page = int(parse_qs(urlsplit(sent.path).query)["page"][0])
        numbers = range((page - 1) * size, page * size)
        # a step through all numbers that hits each one once, as hashes do
        found = b",".join(row % (number * 0x9E3779B97F4A7C15 % 2**63, 1 + page % 28) for number in numbers)
        following = b"%d" % (page + 1) if page < pages else b"null"
        return Answer(200, b'{"count":%d,"next":%s,"results":[%s]}' % (size * pages, following, found))

    argv = (*LIST, "jsonl", "--output-file", "rows.jsonl", *since)
    code, peak, done = measured(tmp_path, argv, answer)
    assert (code, (tmp_path / "rows.jsonl").read_bytes().count(b"\n")) == (0, size * pages), done.stderr[-300:]
    assert peak < MEMORY


def measured(home: Path, argv: Sequence[str], answer: Behaviour) -> tuple[int, int, subprocess.CompletedProcess[bytes]]:
    """Run a command against a server; return its exit code, the most memory that it took, and what it said."""
    with recorder(answer) as server:
        figure = home / "peak"
        done = run_work(act_measured, str(figure), str(home), *argv, variables=environ(home, server.base_url))
    return done.returncode, int(figure.read_text()), done
