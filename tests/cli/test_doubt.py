"""Whatever ends a command that wrote, or may have, one sentence says so, and how to go on."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from acctcli.cli.output.doubt import seen_at
from acctcli.cli.session import connect
from acctcli.client.http import Http
from acctcli.client.messages import Request
from acctcli.client.retry import Timing
from acctcli.service.http.endpoints import by_path
from acctcli.service.routes.table import TABLE
from acctcli.service.store.engine import sqlite
from acctcli.service.store.engine.driver import sqlite3
from tests.cli.company import company
from tests.cli.conftest import At, Cli
from tests.cli.output.test_streams import wait_until_it_computes
from tests.cli.processes import ACCTCLI, environ, run_process
from tests.cli.recorder import Answer, Recorder, Sent, recorder, said
from tests.journeys.places import Place
from tests.programs import require_program

POST = ("tag", "create", "--name", "Fair")
PATCH = ("tag", "update", "1", "--name", "Fair")
PUT = ("tag", "replace", "1", "--name", "Fair")
DELETE = ("tag", "delete", "1", "--yes")
ACTION = ("document", "lock", "1")
TAGS = "/v1/business/demo/tags/"
LOOK = "acctcli api GET {} --env testing"

UNREADABLE = {
    "nothing": Answer(201, b""),
    "half": Answer(201, b'{"id": 1, "na'),
    "text": Answer(201, b"done"),
    "a list": Answer(201, b"[]"),
    "a page": Answer(201, b"<!doctype html><h1>Thank you</h1>", {"Content-Type": "text/html"}),
    "no gzip": Answer(201, b"{}", {"Content-Encoding": "gzip"}),
}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return company(tmp_path)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a command that waits before it tries again think that it waited."""
    skipped = [0.0]

    def skip(seconds: float) -> None:
        skipped[0] += seconds

    timing = Timing(now=lambda: time.monotonic() + skipped[0], sleep=skip)
    monkeypatch.setattr(connect, "Http", partial(Http, timing=timing))


def told(cli: Cli, *argv: str) -> tuple[int, dict[str, object]]:
    """Run a command that fails; return its code and what it says of its last write."""
    outcome = cli(*argv, "--json")
    line = outcome.err.splitlines()[-1]
    assert outcome.out == ""
    return outcome.code, json.loads(line)["error"].get("doubt", {})


def doubt_of(server: Recorder, argv: tuple[str, ...], path: str, look: str, *, is_done: bool) -> dict[str, object]:
    (key,) = {sent.headers.get("idempotency-key") for sent in server.writes}
    method = server.writes[0].method
    words = [*argv, "--json", *(["--idempotency-key", key] if key else [])]
    return {
        "is_done": is_done,
        "told": f"{method} {path} {'was' if is_done else 'may have been'} done",
        "request": f"{method} {path}",
        "idempotency_key": key,
        "look": LOOK.format(look),
        "repeat": shlex.join(["acctcli", *words]),
    }


@pytest.mark.usefixtures("hurried")
@pytest.mark.together
@pytest.mark.parametrize("form", UNREADABLE)
@pytest.mark.parametrize(("argv", "path"), [(POST, TAGS), (PATCH, f"{TAGS}1/"), (PUT, f"{TAGS}1/")])
def test_a_write_whose_reply_cannot_be_read(cli: Cli, at: At, argv: tuple[str, ...], path: str, form: str) -> None:
    with recorder(lambda sent: UNREADABLE[form]) as server:
        at(server)
        code, doubt = told(cli, *argv)
        assert code in {3, 9}
        assert doubt == doubt_of(server, argv, path, path, is_done=bool(doubt["is_done"]))


@pytest.mark.usefixtures("hurried")
@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "path", "look"),
    [
        (POST, TAGS, TAGS),
        (PATCH, f"{TAGS}1/", f"{TAGS}1/"),
        (PUT, f"{TAGS}1/", f"{TAGS}1/"),
        (DELETE, f"{TAGS}1/", f"{TAGS}1/"),
        (ACTION, "/v1/business/demo/document/1/action/lock/", "/v1/business/demo/document/1/"),
    ],
)
@pytest.mark.parametrize("stops_at", ["every try", "the first try, then 400", "the first try, then 302"])
def test_a_write_that_is_cut_off(cli: Cli, at: At, argv: tuple[str, ...], path: str, look: str, stops_at: str) -> None:
    tries: list[Sent] = []

    def behave(sent: Sent) -> Answer:
        tries.append(sent)
        if len(tries) == 1 or stops_at == "every try":
            return Answer(reset=True)
        if stops_at.endswith("400"):
            return said({"detail": "no"}, 400)
        return Answer(302, b"", {"Location": "http://elsewhere.example/"})

    with recorder(behave) as server:
        at(server)
        code, doubt = told(cli, *argv, "--timeout", "3")
        assert code in {3, 7, 9}
        assert doubt == doubt_of(server, (*argv, "--timeout", "3"), path, look, is_done=False)


@pytest.mark.together
@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 412, 422, 423, 429])
def test_a_refusal_at_once_leaves_nothing_in_doubt(cli: Cli, at: At, status: int) -> None:
    with recorder(lambda sent: said({"detail": "no"}, status)) as server:
        at(server)
        assert told(cli, *PATCH)[1] == {}


@pytest.mark.usefixtures("hurried")
@pytest.mark.together
@pytest.mark.parametrize("status", [500, 502, 503, 504, 507])
@pytest.mark.parametrize("argv", [POST, PATCH, DELETE])
def test_a_fault_leaves_in_doubt_what_the_service_does_not_know(
    cli: Cli, at: At, argv: tuple[str, ...], status: int
) -> None:
    told_by = {"Nothing_Changed": "true"}
    for headers in ({}, told_by):
        with recorder(said({"detail": "no"}, status, **headers)) as server:
            at(server)
            assert bool(told(cli, *argv)[1]) == (headers is not told_by)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(("headers", "code"), [({}, 0), ({"Nothing_Changed": "true"}, 6)])
def test_a_deletion_that_surely_was_not_done_does_not_count_as_done(
    cli: Cli, at: At, headers: dict[str, str], code: int
) -> None:
    gone = said({"code": "not_found", "detail": "none"}, 404)
    answers = iter([said({"detail": "busy"}, 503, **headers), gone])
    with recorder(lambda sent: next(answers)) as server:
        at(server)
        assert cli(*DELETE).code == code


@pytest.mark.usefixtures("hurried")
def test_a_busy_database_leaves_nothing_in_doubt(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.05)
    (books,) = place.folder.rglob("books.sqlite3")
    with closing(sqlite3.connect(books, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        done = place.try_run(*POST)
    assert (done.code, done.out) == (9, "")
    # a longer wait is said before it
    *waits, error = done.err.splitlines()
    assert error == "error: The database is busy; nothing was changed. (503)"
    assert all(": trying again in " in line for line in waits)
    assert place.json("tag", "list") == []


@pytest.mark.parametrize("where", [">/dev/full", ">&-", "| head -c 0"])
def test_a_write_that_nobody_reads(tmp_path: Path, where: str) -> None:
    with recorder(said({"id": 1, "name": "Fair"}, 201)) as server:
        script = f"{shlex.join(ACCTCLI)} {shlex.join(POST)} {where}"
        if where.startswith("|"):
            script = f"({shlex.join(ACCTCLI)} {shlex.join(POST)}; sleep 0.2) {where}"
        done = subprocess.run(
            [require_program("bash"), "-c", script],
            env=environ(tmp_path, server.base_url),
            capture_output=True,
            timeout=60,
            check=False,
        )
        (sent,) = server.writes
    key = sent.headers["idempotency-key"]
    assert done.stderr.decode().splitlines()[-1] == (
        f"note: POST {TAGS} was done; look with: {LOOK.format(TAGS)}; "
        f"within 24 hours do it again safely with: acctcli {shlex.join(POST)} --idempotency-key {key}"
    )


WRITES = [
    (operation.method, operation.path)
    for operation in TABLE
    if Request(operation.method, operation.path).writes and operation.method != "GET"
]


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_every_write_is_seen_at_an_address_that_shows_something(method: str, path: str) -> None:
    assert "GET" in by_path(TABLE)[seen_at(path)], method


@pytest.mark.parametrize(
    ("path", "look"),
    [
        ("/v1/business/demo/file_upload/", "/v1/business/demo/files/"),
        ("/v1/business/demo/logo/", "/v1/business/demo/"),
        ("/v1/business/demo/document/1/action/copy/", "/v1/business/demo/document/"),
        ("/v1/invoicing/demo/invoice/2/actions/accept/", "/v1/invoicing/demo/invoice/2/"),
        ("/v1/business/demo/workflows/3/runs/", "/v1/business/demo/workflows/3/runs/"),
        ("/v1/business/demo/workflows/3/runs/4/action/cancel/", "/v1/business/demo/workflows/3/runs/4/"),
        (
            "/v1/business/demo/webhook_subscriptions/3/deliveries/4/action/redeliver/",
            "/v1/business/demo/webhook_subscriptions/3/deliveries/",
        ),
        ("/v1/business/send/", "/v1/business/send/"),
        ("/v1/business/demo/users/7/action/grant/", "/v1/business/demo/users/"),
        ("/v1/business/demo/users/7/", "/v1/business/demo/users/"),
        ("/v1/business/demo/invitations/7/", "/v1/business/demo/invitations/"),
        ("/v1/user/invitations/7/accept/", "/v1/user/invitations/"),
        ("/v1/business/users/", "/v1/business/users/"),
    ],
)
def test_where_a_write_is_seen(path: str, look: str) -> None:
    assert seen_at(path) == look


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("argv", [POST, PATCH, DELETE])
def test_a_signal_while_a_write_is_under_way(tmp_path: Path, argv: tuple[str, ...], number: signal.Signals) -> None:
    reached = Event()

    def behave(sent: Sent) -> Answer:
        reached.set()
        return Answer(stall=True)

    with recorder(behave) as server:
        command = [*ACCTCLI, *argv, "--json"]
        variables = environ(tmp_path, server.base_url)
        with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
            assert reached.wait(30)
            running.send_signal(number)
            out, err = running.communicate(timeout=30)
        path = TAGS if argv is POST else f"{TAGS}1/"
        error = json.loads(err)["error"]
        assert (running.returncode, out, error["exit_code"]) == (128 + number, b"", 128 + number)
        assert error["doubt"] == doubt_of(server, (*argv, "--json")[:-1], path, path, is_done=False)


SIGNALLED = """
import os, signal, sys
import acctcli.__main__ as program

listen, number = program._listen, int(sys.argv.pop(1))

def late(handler):
    if handler is {when}:
        os.kill(os.getpid(), number)
    listen(handler)

def early(handler):
    listen(handler)
    if handler is {when}:
        os.kill(os.getpid(), number)

program._listen = {how}
program.main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("how", "when", "is_done"), [("early", "program._stop", False), ("late", "program._come_too_late", True)]
)
def test_a_signal_at_the_border_of_a_command(
    tmp_path: Path, how: str, when: str, number: signal.Signals, *, is_done: bool
) -> None:
    """It comes as the first thing that is listened to, or when all is done and signals are about to be ignored."""
    argv = (*POST, "--json")
    with recorder(said({"id": 1}, 201)) as server:
        done = subprocess.run(
            [sys.executable, "-c", SIGNALLED.format(how=how, when=when), str(int(number)), *argv],
            env=environ(tmp_path, server.base_url),
            capture_output=True,
            timeout=60,
            check=False,
        )
        error = json.loads(done.stderr)["error"]
        assert (done.returncode, error["exit_code"], len(server.writes)) == (128 + number, 128 + number, is_done)
        assert bool(done.stdout) == is_done
        assert ("doubt" in error) == is_done


SWALLOWED = """
import os, signal, sys, time
import acctcli.__main__ as program
from acctcli.cli import root

number = int(sys.argv.pop(1))

class Odd:
    def __del__(self):
        os.kill(os.getpid(), number)
        time.sleep(0.1)

def unraisable(*here, **how):
    Odd()
    time.sleep(30)

def another(*here, **how):
    try:
        os.kill(os.getpid(), number)
        time.sleep(30)
    except BaseException as stop:
        raise ValueError(repr(stop)) from None

root._act_last = {how}
program.main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("how", ["unraisable", "another"])
def test_a_signal_where_nothing_can_be_raised(tmp_path: Path, how: str, number: signal.Signals) -> None:
    """It comes while an object is taken apart, or in a library that makes a fault of its own of it."""
    with recorder(said({"id": 1}, 201)) as server:
        done = subprocess.run(
            [sys.executable, "-c", SWALLOWED.format(how=how), str(int(number)), *POST, "--json"],
            env=environ(tmp_path, server.base_url),
            capture_output=True,
            timeout=20,
            check=False,
        )
    error = json.loads(done.stderr)["error"]
    assert (done.returncode, error["code"], error["doubt"]["is_done"]) == (128 + number, "interrupted", True)


def test_a_write_of_a_secret_is_not_repeated_in_words(cli: Cli, at: At) -> None:
    argv = ("api", "POST", TAGS, "--field", "address=https://me:sesame-4711@shop.example/")
    with recorder(Answer(reset=True)) as server:
        at(server)
        outcome = cli(*argv, "--json", "--timeout", "2")
    doubt = json.loads(outcome.err.splitlines()[-1])["error"]["doubt"]
    assert doubt["repeat"] is None
    assert "sesame" not in outcome.err


def test_a_key_of_another_request_is_called_that(cli: Cli, at: At, home: Path) -> None:
    with recorder(said({"detail": "Reused.", "code": "idempotency_key_reused"}, 422)) as server:
        at(server)
        outcome = cli(*POST, "--idempotency-key", "k-1")
    assert outcome.err.splitlines()[1:] == [
        "hint: the key belongs to another request, which was done; this one was not: give it a key of its own, or none"
    ]


SLOW_TELLING = """
import os, signal, sys
def hear(event, arguments):
    # when the error is about to be told, and the sentence on the write with it
    if event == "import" and arguments[0] == "acctcli.cli.output.doubt":
        os.kill(os.getpid(), signal.SIGTERM)
sys.addaudithook(hear)
"""


def test_a_signal_while_an_error_is_told_takes_nothing_away(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(SLOW_TELLING)
    with recorder(Answer(201, b"done")) as server:
        done = run_process(POST, {**environ(tmp_path, server.base_url), "PYTHONPATH": str(tmp_path)})
    assert done.returncode == 128 + signal.SIGTERM
    first, note = done.stderr.decode().splitlines()
    assert first == "error: ended by signal 15"
    assert note.startswith(f"note: POST {TAGS} was done; look with: ")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_program_that_never_ends_leaves_no_write_untold(tmp_path: Path, number: signal.Signals) -> None:
    argv = (*ACCTCLI, "business", "create", "--name", "K", "--form", "FI_OY", "--slug", "k", "--jq", "def f: f; f")
    variables = environ(tmp_path, ACCTCLI_ENV="local")
    with subprocess.Popen(argv, env=variables, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        computing = _computing(running.pid)
        running.send_signal(number)
        out, err = running.communicate(timeout=10)
    assert (computing != running.pid, out, _lives(computing)) == (True, b"", False)
    if number != signal.SIGKILL:
        assert running.returncode == 128 + number
        assert "note: POST /v1/business/ was done; look with: acctcli api GET /v1/business/" in err.decode()


def _computing(pid: int) -> int:
    """Return the process that a command has its expression computed by, once it is at it."""
    deadline = time.monotonic() + 30
    while not (found := Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    wait_until_it_computes(int(found[0]), 0.3)
    return int(found[0])


def _lives(pid: int) -> bool:
    """Tell whether a process goes on, or does so for more than a moment."""
    deadline = time.monotonic() + 5
    while (stat := Path(f"/proc/{pid}/stat")).exists() and stat.read_text().split()[2] not in "ZX":
        if time.monotonic() > deadline:
            return True
        time.sleep(0.05)
    return False
