"""Real processes: pipes that close, streams that are missing, signals, and files that are whole or absent."""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import resource
import shlex
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from tests.cli.processes import ACCTCLI, environ, run_process
from tests.cli.recorder import Answer, Sent, recorder, said
from tests.lying_server import Lies, lying_server
from tests.programs import require_path, require_program

LIST = ("account", "list", "--all", "--page-size", "100", "--columns", "id,name")
CREATE = ("account", "create", "--number", "1911", "--name", "Bank", "--type", "ASS_PAY")


def shell(script: str, variables: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash in which `acctcli` is this one."""
    wrapped = f'acctcli() {{ {shlex.join(ACCTCLI)} "$@"; }}; {script}'
    return subprocess.run(
        [require_program("bash"), "--norc", "-c", wrapped], env=variables, capture_output=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("form", "first"),
    [("json", b"["), ("jsonl", b'{"id":1,"name":"row 1"}'), ("csv", b"id,name"), ("tsv", b"id\tname")],
)
def test_head_takes_a_line_and_everything_ends_quietly(tmp_path: Path, form: str, first: bytes) -> None:
    with lying_server(Lies(rows=2500, pad=2000)) as server:
        done = shell(
            f'acctcli {" ".join(LIST)} --output {form} | head -n 1; echo "${{PIPESTATUS[@]}}"',
            environ(tmp_path, server.base_url),
        )
        assert len(server.seen) < 26
    assert (done.stdout.splitlines(), done.stderr) == ([first, b"0 0"], b"")


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        ("--help", 0),
        ("account --help", 0),
        ("account list --columns id", 0),
        ("env list --json", 0),
        ("account list --nosuch", 2),
        ("account", 2),
        ("", 2),
    ],
)
def test_nobody_listens_from_the_start(tmp_path: Path, argv: str, code: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with lying_server(Lies(rows=100)) as server:
        variables = environ(tmp_path, server.base_url)
        done = subprocess.run(
            [*ACCTCLI, *argv.split()], env=variables, stdout=writer, stderr=writer, timeout=60, check=False
        )
    os.close(writer)
    assert done.returncode == code


def test_missing_streams_are_no_fault(tmp_path: Path) -> None:
    with lying_server(Lies(rows=3)) as server:
        variables = environ(tmp_path, server.base_url)
        script = "acctcli account list --json --jq length {}; echo $?"
        assert shell(script.format(">&-"), variables).stdout == b"1\n"
        assert shell(script.format("2>&-"), variables).stdout == b"3\n0\n"
        assert shell(script.format("<&- >&- 2>&-"), variables).stdout == b"1\n"
        done = shell("acctcli account create --file - <&-; echo $?; acctcli account delete 1 <&-; echo $?", variables)
        assert done.stdout == b"2\n2\n"
        assert b"not JSON" in done.stderr
        assert b"--yes" in done.stderr
        assert [seen.method for seen in server.seen] == ["GET"] * 3


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    require_path("/dev/full")
    with lying_server(Lies(rows=3)) as server:
        done = shell("acctcli account list --json >/dev/full; echo $?", environ(tmp_path, server.base_url))
    assert done.stdout == b"1\n"
    assert json.loads(done.stderr)["error"] == {
        "code": "not_written",
        "message": "stdout cannot be written: No space left on device",
        "exit_code": 1,
    }


def take_little() -> None:
    """Let no file of this process grow beyond some bytes, as on a disk that is almost full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))


def test_a_full_disk_is_said_of_the_file_and_of_what_was_done(tmp_path: Path) -> None:
    file = tmp_path / "shown.json"
    file.write_text("before")
    with recorder(said({"id": 1, "number": "1911"}, 201)) as server:
        variables = environ(tmp_path, server.base_url)
        done = run_process((*CREATE, "--json", "--output-file", str(file)), variables, begin=take_little)
        (sent,) = server.writes
    error = json.loads(done.stderr)["error"]
    doubt = error.pop("doubt")
    assert (done.returncode, done.stdout, error) == (1, b"", {
        "code": "not_written",
        "message": f"--output-file {file} cannot be written: File too large",
        "exit_code": 1,
    })  # fmt: skip
    assert (doubt["is_done"], doubt["idempotency_key"]) == (True, sent.headers["idempotency-key"])
    assert (file.read_text(), list(tmp_path.glob(".acctcli-*"))) == ("before", [])


@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
def test_a_reader_that_is_slower_than_the_pipe_is_waited_for(tmp_path: Path, form: str) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with lying_server(Lies(rows=200, pad=2000)) as server, open(reader, "rb") as stream:  # noqa: PTH123 - a pipe
        running = subprocess.Popen(
            [*ACCTCLI, "account", "list", "--all", "--columns", "all", "--output", form],
            env=environ(tmp_path, server.base_url),
            stdout=writer,
            stderr=subprocess.PIPE,
        )
        os.close(writer)
        _wait_until_it_is_full(reader)
        size = len(stream.read())
        _, told = running.communicate(timeout=30)
    assert (running.returncode, told, size > 200 * 2000) == (0, b"", True)


def _wait_until_it_is_full(pipe: int) -> None:
    """Wait until a pipe holds something, and takes no more."""
    held = [0]
    while not held[-1] or len(set(held[-10:])) > 1:
        assert len(held) < 600
        held.append(int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder))
        time.sleep(0.05)


def test_a_pipe_is_no_file_to_write(tmp_path: Path) -> None:
    done = run_process(("env", "list", "--output-file", "/dev/stdout"), environ(tmp_path))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"error: --output-file /dev/stdout: not a plain file\n"
    done = run_process(("env", "list", "--output-file", "-"), environ(tmp_path), begin=partial(os.chdir, tmp_path))
    assert (done.returncode, done.stdout, [*tmp_path.glob("-")]) == (2, b"", [])
    assert done.stderr == b"error: --output-file -: it names a file; what is asked for goes to stdout without it\n"


class Stalling:
    """A service whose answer to some requests never comes."""

    def __init__(self, stalls: Callable[[Sent], bool]) -> None:
        self.stalls = stalls
        self.reached = Event()

    def __call__(self, sent: Sent) -> Answer:
        if self.stalls(sent):
            self.reached.set()
            return Answer(stall=True)
        rows = [{"id": n, "name": "x"} for n in range(1, 11)]
        return said({"id": 1, "count": 100, "next": 2, "prev": None, "size": 10, "results": rows})


def interrupted(behave: Stalling, home: Path, *argv: str) -> tuple[int, bytes, bytes, list[Sent]]:
    """Start a command, press Ctrl-C once it waits for an answer, and return how it ended."""
    with recorder(behave) as server:
        process = subprocess.Popen(
            [*ACCTCLI, *argv], env=environ(home, server.base_url), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert behave.reached.wait(30)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
        return process.returncode, out, err, server.writes


def test_ctrl_c_during_a_stalled_post_says_how_to_go_on(tmp_path: Path) -> None:
    code, out, err, writes = interrupted(Stalling(lambda sent: sent.method == "POST"), tmp_path, *CREATE)
    (key,) = {sent.headers["idempotency-key"] for sent in writes}
    assert (code, out) == (130, b"")
    assert err.decode().splitlines()[0] == "error: interrupted"
    assert f"--idempotency-key {key}" in err.decode()


def test_ctrl_c_between_the_lines_of_a_file_names_the_key_of_the_whole_file(tmp_path: Path) -> None:
    lines = tmp_path / "many.jsonl"
    lines.write_text('{"date": "2026-03-01", "description": "x"}\n' * 3)
    seen: list[Sent] = []

    def stalls(sent: Sent) -> bool:
        seen.extend([sent] if sent.method == "POST" else ())
        return len(seen) == 2

    argv = ("document", "create", "--file", str(lines), "--output", "jsonl", "--columns", "all")
    code, _, err, _ = interrupted(Stalling(stalls), tmp_path, *argv)
    keys = {sent.headers["idempotency-key"] for sent in seen}
    named = err.decode().split("--idempotency-key ")[1].split()[0]
    assert (code, len(keys)) == (130, 2)
    # the key of one line would post the other lines again
    assert named not in keys


def test_ctrl_c_does_not_wait_for_pages_on_their_way(tmp_path: Path) -> None:
    behave = Stalling(lambda sent: "page=1&" not in sent.path)
    code, out, err, _ = interrupted(
        behave, tmp_path, "account", "list", "--all", "--page-size", "10", "-o", "csv", "--columns", "id"
    )
    assert (code, err) == (130, b"error: interrupted\n")
    assert out.splitlines()[0:1] in ([], [b"id"])


def test_a_kill_in_the_middle_leaves_no_file_under_the_name(tmp_path: Path) -> None:
    target = tmp_path / "out" / "rows.csv"
    target.parent.mkdir()
    behave = Stalling(lambda sent: "page=1&" not in sent.path)
    with recorder(behave) as server:
        argv = (
            "account",
            "list",
            "--all",
            "--page-size",
            "10",
            "-o",
            "csv",
            "--columns",
            "id",
            "--output-file",
            str(target),
        )
        process = subprocess.Popen([*ACCTCLI, *argv], env=environ(tmp_path, server.base_url), stderr=subprocess.PIPE)
        assert behave.reached.wait(30)
        process.kill()
        process.communicate(timeout=10)
    (left,) = target.parent.iterdir()
    assert left.name.startswith(".acctcli-")
    assert run_process(("env", "list", "--output-file", str(target)), environ(tmp_path)).returncode == 0
    assert list(target.parent.iterdir()) == [target]


def test_an_interruption_removes_the_temporary_file_too(tmp_path: Path) -> None:
    target = tmp_path / "out" / "rows.csv"
    target.parent.mkdir()
    target.write_text("old")
    behave = Stalling(lambda sent: "page=1&" not in sent.path)
    argv = (
        "account",
        "list",
        "--all",
        "--page-size",
        "10",
        "-o",
        "csv",
        "--columns",
        "id",
        "--output-file",
        str(target),
    )
    code, _, _, _ = interrupted(behave, tmp_path, *argv)
    assert code == 130
    assert [(path.name, path.read_text()) for path in target.parent.iterdir()] == [("rows.csv", "old")]


def test_a_page_that_fails_does_not_wait_for_one_that_stalls(tmp_path: Path) -> None:
    def behave(sent: Sent) -> Answer:
        if "page=2&" in sent.path:
            return said({"detail": "broken"}, 500)
        return Answer(stall=True) if "page=3&" in sent.path else Stalling(lambda _: False)(sent)

    with recorder(behave) as server:
        argv = ("account", "list", "--all", "--page-size", "10", "--json", "--columns", "id")
        done = run_process(argv, environ(tmp_path, server.base_url, PYTHONFAULTHANDLER="1"))
    assert done.returncode == 9


def test_posting_a_file_goes_on_although_nobody_reads(tmp_path: Path) -> None:
    lines = tmp_path / "many.jsonl"
    lines.write_text('{"date": "2026-03-01", "description": "x"}\n' * 40)
    ids = itertools.count(1)
    with recorder(lambda sent: said({"id": next(ids), "description": "x" * 4000})) as server:
        done = shell(
            f'acctcli document create --file {lines} --output jsonl | head -c 10 >/dev/null; echo "${{PIPESTATUS[@]}}"',
            environ(tmp_path, server.base_url),
        )
        assert len({sent.headers["idempotency-key"] for sent in server.writes}) == len(server.writes) == 40
    assert done.stdout == b"0 0\n"
    _, told = done.stderr.decode().splitlines()
    assert told.startswith("note: 40 lines are there; look with: acctcli api GET /v1/business/demo/document/ --env ")


def test_stdout_in_an_encoding_that_knows_little(tmp_path: Path) -> None:
    with lying_server(Lies(rows=1)) as server:
        variables = environ(tmp_path, server.base_url, LANG="C", LC_ALL="C", PYTHONIOENCODING="ascii")
        table = run_process(("account", "list", "--columns", "id"), variables)
        error = run_process(("account", "list", "--search", "ä", "--nosuch-ö"), variables)
    assert table.returncode == 0, table.stderr
    assert table.stdout.decode().split() == ["id", "──", "1"]
    assert (error.returncode, error.stdout) == (2, b"")
    assert error.stderr.startswith(b"error: ")


def test_it_runs_with_no_variables_but_two_and_without_a_warning(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "acctcli", "env", "list", "--json"],
        env={"PATH": os.defpath, "HOME": str(tmp_path)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("argv", ["--version", "--help", "account --help", "env list --json"])
@pytest.mark.parametrize(
    ("where", "why"), [(">/dev/full", b"No space left on device"), (">&-", b"Bad file descriptor")]
)
def test_what_cannot_be_written_is_an_error(tmp_path: Path, argv: str, where: str, why: bytes) -> None:
    for variables in ({}, {"PYTHONUNBUFFERED": "1"}):
        done = shell(f"acctcli {argv} {where}; echo $?", environ(tmp_path, **variables))
        assert done.stdout == b"1\n"
        told = done.stderr if b"{" not in done.stderr else json.loads(done.stderr)["error"]["message"].encode()
        assert told.removeprefix(b"error: ").strip() == b"stdout cannot be written: " + why


def test_a_link_that_leads_in_circles_is_no_file_to_write(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    for argv in (("env", "list"), ("invoice", "list", "--since", "state")):
        done = run_process((*argv, "--output-file", str(tmp_path / "one")), environ(tmp_path, "http://127.0.0.1:1"))
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"not a plain file" in done.stderr
    assert (tmp_path / "one").is_symlink()


@pytest.mark.parametrize("module", ["acctcli.cli.root", "typer", "acctcli.cli.env", "tomllib"])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_while_the_command_loads_is_no_fault(tmp_path: Path, module: str, name: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        f"""
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.{name})
sys.meta_path.insert(0, Finder())
"""
    )
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text("")
    done = run_process(("env", "list"), environ(tmp_path, PYTHONPATH=str(tmp_path)))
    number = signal.Signals[name]
    told = b"error: interrupted\n" if number == signal.SIGINT else f"error: ended by signal {number.value}\n".encode()
    assert (done.returncode, done.stdout) == (128 + number, b"")
    assert done.stderr in {told, b"error: interrupted\n"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_program_that_never_ends_can_be_stopped(tmp_path: Path, number: signal.Signals) -> None:
    argv = (*ACCTCLI, "env", "list", "--verbose", "--jq", "def f: f; f")
    with subprocess.Popen(argv, env=environ(tmp_path), stderr=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        wait_until_it_computes(running.pid)
        running.send_signal(number)
        assert running.wait(10) == -number


def wait_until_it_computes(pid: int, seconds: float = 0.4) -> None:
    """Wait until the process has used more time than a command takes to start."""
    deadline = time.monotonic() + 30
    while int(Path(f"/proc/{pid}/stat").read_text().split()[13]) < seconds * os.sysconf("SC_CLK_TCK"):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize(("program", "odd"), [("nan", "NaN"), ("[-infinite]", "-Infinity"), ('{"a": [nan]}', "NaN")])
def test_what_is_no_number_of_json_is_never_written(tmp_path: Path, program: str, odd: str) -> None:
    done = run_process(("env", "list", "--jq", program), environ(tmp_path))
    assert (done.returncode, done.stdout) == (2, b"")
    assert f"holds {odd}, which is no number that JSON has".encode() in done.stderr
    assert run_process(("env", "list", "--jq", f'"{odd} \\" {odd}"'), environ(tmp_path)).returncode == 0
