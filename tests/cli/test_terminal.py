"""On a terminal: questions, progress, widths, and text that must not act on it."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from tests.cli.conftest import At, Cli
from tests.cli.processes import ACCTCLI, environ
from tests.cli.recorder import Answer, Sent, page, recorder, said
from tests.lying_server import Lies, lying_server

DELETED = Answer(204, b"", {})
QUESTION = b"[y/N] "
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2028[bold]x[/bold]\r\n\t=1+1"


@dataclass(frozen=True)
class Screen:
    """What a person saw, the exit code, and what went to stdout if that was no terminal."""

    code: int
    seen: str
    out: bytes = b""


def on_terminal(
    variables: dict[str, str],
    *argv: str,
    typed: bytes = b"",
    after: bytes = QUESTION,
    pipe_out: bool = False,
    columns: int = 80,
) -> Screen:
    """Run a command on a terminal and type something once `after` is on the screen."""
    screen, terminal = pty.openpty()
    process = subprocess.Popen(
        [*ACCTCLI, *argv],
        env={**variables, "TERM": "xterm", "COLUMNS": str(columns)},
        stdin=terminal,
        stdout=subprocess.PIPE if pipe_out else terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    try:
        seen = b""
        if typed:
            seen = read_until(screen, after)
            os.write(screen, typed)
        seen += read_until(screen, None)
        out = process.stdout.read() if process.stdout else b""
        return Screen(process.wait(30), seen.decode(), out)
    finally:
        os.close(screen)
        if process.stdout:
            process.stdout.close()


def read_until(screen: int, wanted: bytes | None) -> bytes:
    seen = b""
    while wanted is None or wanted not in seen:
        ready, _, _ = select.select([screen], [], [], 30)
        assert ready, seen
        try:
            piece = os.read(screen, 65536)
        except OSError:  # how Linux tells that the other side is closed
            break
        if not piece:
            break
        seen += piece
    return seen


@pytest.mark.parametrize("answer", [b"y\n", b"Y\n", b"yes\n", b" y \n"])
def test_yes_deletes(tmp_path: Path, answer: bytes) -> None:
    with recorder(DELETED) as server:
        screen = on_terminal(environ(tmp_path, server.base_url), "account", "delete", "id:7", typed=answer)
        assert [(sent.method, sent.path) for sent in server.sent] == [("DELETE", "/v1/business/demo/account/7/")]
    assert screen.code == 0
    assert screen.seen.startswith("Delete account id:7? [y/N] ")
    assert screen.seen.endswith("Deleted account id:7.\r\n")


def test_a_question_shows_text_of_the_service_without_secrets_and_commands(tmp_path: Path) -> None:
    sent = {
        "id": 7,
        "friendly_name": "x",
        "name": "x",
        "delivery_method": "EMAIL",
        "last_delivery_at": "\x1b]0;owned\x07 with pa55-word-Zq",
    }
    with recorder(said(sent)) as server:
        variables = environ(tmp_path, server.base_url, ACCTCLI_SMTP_PASSWORD="pa55-word-Zq")
        screen = on_terminal(variables, "invoice", "send", "7", "--subject", "x", typed=b"n\n")
    assert screen.code == 2
    assert r"Invoice 7 was sent at \x1b]0;owned\x07 with [hidden]. Send it again? [y/N] " in screen.seen
    assert "\x1b" not in screen.seen.split("[y/N]")[0]


@pytest.mark.parametrize("answer", [b"\n", b"n\n", b"no\n", b"yep\n", b"ja\n", b"yes please\n", b"\x04"])
def test_anything_else_does_not(tmp_path: Path, answer: bytes) -> None:
    with recorder(DELETED) as server:
        screen = on_terminal(environ(tmp_path, server.base_url), "account", "delete", "id:7", typed=answer)
        assert server.sent == []
    assert screen.code == 2
    assert "error: not confirmed; nothing was done" in screen.seen


def test_ctrl_c_at_the_question_is_an_interruption(tmp_path: Path) -> None:
    with recorder(DELETED) as server:
        variables = environ(tmp_path, server.base_url)
        # the terminal must be the process's own for Ctrl-C to reach it
        script = "import os, sys; os.close(os.open(os.ttyname(0), os.O_RDWR)); os.execv(sys.argv[1], sys.argv[1:])"
        screen, terminal = pty.openpty()
        process = subprocess.Popen(
            [ACCTCLI[0], "-c", script, *ACCTCLI, "account", "delete", "id:7"],
            env=variables, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True,
        )  # fmt: skip
        os.close(terminal)
        seen = read_until(screen, QUESTION)
        os.write(screen, b"\x03")
        seen += read_until(screen, None)
        os.close(screen)
        assert (process.wait(30), server.sent) == (130, [])
    assert b"error: interrupted" in seen
    assert b"hint" not in seen


@pytest.mark.together
@pytest.mark.parametrize(
    "argv", ["account delete id:7", "business delete demo", "document delete 7", "api DELETE /v1/x/"]
)
def test_without_a_terminal_nothing_is_deleted_unless_yes(cli: Cli, at: At, argv: str) -> None:
    with recorder(DELETED) as server:
        at(server)
        for stdin in ("", "y\n", "yes\n"):
            outcome = cli(*argv.split(), stdin=stdin)
            assert (outcome.code, outcome.out, server.sent) == (2, "", [])
            assert "hint: confirm with --yes" in outcome.err
        assert cli(*argv.split(), "--yes").code == 0
        assert [sent.method for sent in server.sent] == ["DELETE"]


def test_what_was_deleted_is_a_document_for_machines(cli: Cli, at: At) -> None:
    with recorder(DELETED) as server:
        at(server)
        outcome = cli("account", "delete", "id:7", "--yes", "--json")
        column = cli("account", "delete", "id:7", "--yes", "-o", "csv", "--columns", "deleted")
    assert (outcome.json(), outcome.err) == ({"id": 7, "deleted": True}, "")
    assert (column.out, column.err) == ("deleted\ntrue\n", "")


def test_progress_is_shown_on_a_terminal_only_and_leaves_no_trace_in_the_data(tmp_path: Path) -> None:
    with lying_server(Lies(rows=2500)) as server:
        variables = environ(tmp_path, server.base_url)
        argv = ("account", "list", "--all", "--page-size", "100", "-o", "csv", "--columns", "id")
        shown = on_terminal(variables, *argv, pipe_out=True)
        quiet = on_terminal(variables, *argv, "--quiet", pipe_out=True)
        few = on_terminal(variables, *argv[:2], "-o", "csv", "--columns", "id", pipe_out=True)
    whole = "".join(f"{n}\n" for n in ["id", *range(1, 2501)]).encode()
    assert (shown.code, shown.out) == (0, whole)
    assert "/2500" in shown.seen
    assert (quiet.code, quiet.out, quiet.seen) == (0, whole, "")
    assert few.seen == "50 of 2500 shown; --all shows every one\r\n"


def test_uploads_are_counted_on_a_terminal(tmp_path: Path) -> None:
    paths = [tmp_path / f"{n}.txt" for n in range(3)]
    for path in paths:
        path.write_text("x")
    ids = count(1)
    with recorder(lambda sent: said({"id": next(ids) if sent.method == "POST" else 1, "name": "x"})) as server:
        variables = environ(tmp_path, server.base_url)
        argv = ("file", "upload", *map(str, paths), "-o", "jsonl")
        shown = on_terminal(variables, *argv, pipe_out=True)
        paths[0].write_text("another")
        one = on_terminal(variables, *argv[:3], "-o", "jsonl", pipe_out=True)
    assert (shown.code, shown.out) == (0, b"".join(b'{"id": %d, "name": "x"}\n' % n for n in (1, 2, 3)))
    assert "3/3" in shown.seen
    assert (one.code, one.seen) == (0, "")


@pytest.mark.parametrize(("answer", "content"), [(b"y\n", "theirs"), (b"n\n", "mine")])
def test_a_file_is_overwritten_when_you_agree(tmp_path: Path, answer: bytes, content: str) -> None:
    saved = tmp_path / "out" / "a.txt"
    saved.parent.mkdir()
    saved.write_text("mine")

    def behave(sent: Sent) -> Answer:
        if "/files/" in sent.path:
            return said({"id": 7, "name": "a.txt", "file": f"{server.base_url}/content"})
        return Answer(200, b"theirs", {"Content-Type": "text/plain"})

    with recorder(behave) as server:
        variables = environ(tmp_path, server.base_url)
        screen = on_terminal(variables, "file", "download", "7", "--to", str(saved.parent), typed=answer)
    assert (screen.code, saved.read_text()) == (0 if content == "theirs" else 2, content)


def test_a_table_fits_the_terminal_and_cuts_no_amount(tmp_path: Path) -> None:
    row = {"id": 1, "name": "long " * 60, "description": "words " * 40, "amount": 1234567890123456}
    with recorder(page(row)) as server:
        variables = environ(tmp_path, server.base_url)
        screen = on_terminal(variables, "account", "list", "--columns", "id,name,description,amount")
    lines = screen.seen.replace("\r\n", "\n").splitlines()
    assert screen.code == 0
    assert max(map(len, lines)) <= 80
    assert any("1234567890123456" in line for line in lines)
    assert "\x1b" not in re.sub(r"\x1b\[[0-9;]*m", "", screen.seen)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("table", f"id   name\n{'─' * 70}\n 1   {'Savings bank ' * 5}".rstrip() + "\n"),
        ("csv", f"id,name\n1,{'Savings bank ' * 5}\n"),
        ("jsonl", f'{{"id":1,"name":"{"Savings bank " * 5}"}}\n'),
    ],
)
def test_a_file_is_no_terminal_however_narrow_that_is(tmp_path: Path, form: str, text: str) -> None:
    argv = ("account", "list", "--columns", "id,name", "-o", form, "--output-file", str(tmp_path / "out"))
    with recorder(page({"id": 1, "name": "Savings bank " * 5})) as server:
        screen = on_terminal(environ(tmp_path, server.base_url), *argv, columns=30)
    told = f"1 row is in {tmp_path / 'out'}\r\n"
    assert (screen.code, screen.seen, (tmp_path / "out").read_text()) == (0, told, text)


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv", "tsv"])
@pytest.mark.parametrize("command", [("account", "list"), ("account", "get", "id:1")])
def test_text_is_shown_and_never_obeyed(tmp_path: Path, form: str, command: tuple[str, ...]) -> None:
    row = {"id": 1, "name": EVIL, EVIL: "a field's name"}

    def behave(sent: Sent) -> Answer:
        return Answer(200, json.dumps(row, ensure_ascii=False).encode()) if "/1/" in sent.path else page(row)

    with recorder(behave) as server:
        variables = environ(tmp_path, server.base_url)
        screen = on_terminal(variables, *command, "--output", form, "--columns", "all")
    assert screen.code == 0, screen.seen
    assert_harmless(screen.seen)
    assert "owned" in screen.seen


@pytest.mark.parametrize("expression", [".[].name", ".", ".[0] | keys", ".[0].name | @text", "map(.name)"])
def test_what_jq_makes_is_not_obeyed_either(tmp_path: Path, expression: str) -> None:
    with recorder(page({"id": 1, "name": EVIL, EVIL: 1})) as server:
        screen = on_terminal(environ(tmp_path, server.base_url), "account", "list", "--jq", expression)
    assert screen.code == 0, screen.seen
    assert_harmless(screen.seen)


def assert_harmless(seen: str) -> None:
    text = seen.replace("\r\n", "\n")
    active = {character for character in text if character < " " or "\x7f" <= character <= "\x9f"} - {"\n", "\t"}
    assert active | ({"\u202e", "\u2028"} & set(text)) == set()


def test_json_on_a_terminal_is_still_the_same_json(tmp_path: Path) -> None:
    row = {"id": 1, "name": EVIL, "amount": 10}
    with recorder(page(row)) as server:
        variables = environ(tmp_path, server.base_url)
        screen = on_terminal(variables, "account", "list", "--json")
        lines = on_terminal(variables, "account", "list", "--output", "jsonl")
    assert json.loads(screen.seen.replace("\r\n", "\n")) == [row]
    assert json.loads(lines.seen.replace("\r\n", "\n")) == row


@pytest.mark.parametrize("columns", [4, 20, 31, 60, 80])
def test_no_terminal_is_too_narrow_for_a_column_or_an_amount(tmp_path: Path, columns: int) -> None:
    rows = [{"id": n, "name": "Bank account of the branch", "amount": 12345.5, "type": "ASS_PAY"} for n in (1, 20)]
    argv = ("account", "list", "--columns", "id,name,amount,type")
    with recorder(page(*rows)) as server:
        screen = on_terminal(environ(tmp_path, server.base_url), *argv, columns=columns)
    head, _, *lines = screen.seen.splitlines()
    assert head.split() == ["id", "name", "amount", "type"]
    assert screen.seen.count("12345.5") == 2
    assert (max(map(len, lines)) <= columns) == (columns >= 31)
