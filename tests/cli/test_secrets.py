"""The token goes to its host in one header and is seen nowhere else."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.processes import ACCTCLI, environ
from tests.cli.recorder import TOKEN, Answer, Sent, page, recorder, said
from tests.client.spellings import SPELLINGS
from tests.programs import require_path
from tests.serving import free_port, wait_for

GET = ("account", "get", "id:1")
POST = ("account", "create", "--number", "1911", "--name", "Bank", "--type", "ASS_PAY")
LOUD = ("--verbose", "--debug")


def reflections(status: int) -> Iterator[Answer]:
    """Every place an error may carry the token back in."""
    html = {"Content-Type": "text/html"}
    yield said({"detail": f"bad token {TOKEN}"}, status)
    yield said({"detail": f"Authorization: Token {TOKEN}", "code": TOKEN}, status)
    yield said({TOKEN: ["is wrong"]}, status)
    yield said({"rows": [{TOKEN: [TOKEN]}]}, status)
    yield said([TOKEN], status)
    yield said({"detail": "no"}, status, X_Request_Id=TOKEN)
    yield said({"detail": "no"}, status, Set_Cookie=f"session={TOKEN}", X_Echo=f"Token {TOKEN}")
    yield Answer(status, f"<html><title>{TOKEN}</title>{TOKEN}</html>".encode(), html)
    yield Answer(status, TOKEN.encode(), {"Content-Type": "text/plain"})


def assert_unseen(text: str) -> None:
    assert TOKEN not in text
    assert base64.b64encode(TOKEN.encode()).decode().rstrip("=") not in text
    assert "Token tok" not in text


@pytest.mark.together
@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 423, 500])
@pytest.mark.parametrize("loud", [(), ("--json",), LOUD, (*LOUD, "--json")])
def test_no_failing_command_shows_the_token(cli: Cli, at: At, status: int, loud: tuple[str, ...]) -> None:
    answers = list(reflections(status))
    command = GET if status == 409 else POST
    with recorder(lambda sent: answers[len(server.sent) - 1]) as server:
        at(server)
        for _ in answers:
            outcome = cli(*command, *loud)
            assert outcome.code > 2, outcome.err
            assert outcome.out == ""
            assert_unseen(outcome.err)
        assert [sent.headers["authorization"] for sent in server.sent] == [f"Token {TOKEN}"] * len(answers)


@pytest.mark.together
@pytest.mark.parametrize(
    "answer",
    [
        Answer(302, b"", {"Location": f"https://{TOKEN}.example/"}),
        Answer(302, b"", {"Location": f"https://u:{TOKEN}@evil.example/{TOKEN}"}),
        Answer(302, b"", {"Location": f"/{TOKEN}/"}),
        Answer(302, b"", {"Location": "https://[nowhere]/"}),
        Answer(302, b"", {"Location": "http://\u00e9:port/"}),
        Answer(302, b"", {}),
        Answer(200, TOKEN.encode()),
        Answer(200, f"<html>{TOKEN}".encode(), {"Content-Type": "text/html"}),
        Answer(200, b"{", {"X-Echo": TOKEN, "Content-Encoding": TOKEN}),
    ],
)
@pytest.mark.parametrize("loud", [(), LOUD])
def test_odd_successes_do_not_show_it_either(cli: Cli, at: At, answer: Answer, loud: tuple[str, ...]) -> None:
    with recorder(answer) as server:
        at(server)
        for command in (GET, ("account", "list"), ("report", "journal", "--period", "2026"), ("auth", "status")):
            outcome = cli(*command, *loud, "--timeout", "0.5")
            assert outcome.code in {3, 9, 10}
            assert_unseen(outcome.out + outcome.err)


LET_DUMP = ("sh", "-c", 'ulimit -S -c "$(ulimit -H -c)" && exec "$@"', "sh", *ACCTCLI)


def core_size(process: int) -> str:
    found = re.search("Max core file size +([^ ]+)", Path(f"/proc/{process}/limits").read_text())
    assert found
    return found[1]


def children_of(process: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            stat = path.read_text()
            if int(stat.rpartition(")")[2].split()[1]) == process:
                found.append(int(stat.split()[0]))
    return found


def test_a_process_that_holds_a_token_leaves_no_core_dump(home: Path) -> None:
    require_path("/proc/self/limits")
    sizes: list[str] = []

    def look(sent: Sent) -> Answer:
        sizes.append(core_size(process.pid))
        return page()

    with recorder(look) as server:
        variables = environ(home, server.base_url)
        process = subprocess.Popen([*LET_DUMP, "account", "list"], env=variables, stdout=subprocess.DEVNULL)
        assert process.wait(60) == 0
    assert sizes == ["0"]


def test_no_process_of_a_service_leaves_one_either(home: Path) -> None:
    require_path("/proc/self/limits")
    port = free_port()
    served = [*LET_DUMP, "local", "serve", "--workers", "2", "--port", str(port)]
    with subprocess.Popen(served, env=environ(home), stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(port, process)
            while len(children := children_of(process.pid)) < 2:
                assert process.poll() is None
                time.sleep(0.05)
            assert {core_size(one) for one in (process.pid, *children)} == {"0"}
        finally:
            process.terminate()


def test_a_redirect_takes_the_token_nowhere(cli: Cli, at: At) -> None:
    with recorder(page()) as other, recorder(Answer(302, b"", {"Location": f"{other.base_url}/v1/"})) as server:
        at(server)
        outcome = cli(*GET)
        assert (outcome.code, other.sent) == (9, [])
    assert "is not followed" in outcome.err


def test_verbose_says_what_was_requested_and_how_it_ended(cli: Cli, at: At) -> None:
    with recorder(said({"count": 0, "next": None, "prev": None, "results": []}, X_Request_Id="r-77")) as server:
        at(server)
        outcome = succeed(cli("account", "list", "--search", "bank", "--verbose", "--json"))
        url = f"{server.base_url}/v1/business/demo/account/?search=bank&page=1&page_size=50"
    method, told, status, time, unit, *name = outcome.err.strip().split(" ")
    assert (method, told, status, unit, name) == ("GET", url, "200", "ms", ["request", "id", "r-77"])
    assert 0 <= int(time) < 60_000
    assert outcome.json() == []


def test_debug_shows_headers_and_bodies_without_secrets(cli: Cli, at: At) -> None:
    with recorder(said({"id": 1, "token": "new-secret-9", "name": "x"}, Set_Cookie="a=b")) as server:
        at(server)
        outcome = succeed(cli(*POST, "--debug", "--json", "--idempotency-key", "key-1"))
        base = server.base_url
    lines = outcome.err.splitlines()
    assert lines[0] == f"> POST {base}/v1/business/demo/account/"
    assert {"> authorization: [hidden]", "> idempotency-key: key-1"} <= set(lines)
    assert [line.rsplit(" ", 2)[0] for line in lines if line.endswith(" ms")] == [f"{lines[0][2:]} 200"]
    assert not any("set-cookie" in line for line in lines)
    assert '< {"id": 1, "token": "[hidden]", "name": "x"}' in lines
    assert any(line.startswith('> {"number":"1911"') for line in lines)
    assert_unseen(outcome.err)


@pytest.mark.together
@pytest.mark.parametrize("loud", [(), ("--json",), LOUD])
def test_user_info_of_an_address_is_never_shown(cli: Cli, at: At, loud: tuple[str, ...]) -> None:
    address = "https://user:secret@shop.example/"
    with recorder(said({"target_url": [f"{address} is away"]}, 400, Location=address)) as server:
        at(server)
        outcome = cli(*GET, *loud)
    assert (outcome.code, outcome.out) == (7, "")
    assert "https://[hidden]@shop.example/ is away" in outcome.err
    assert "secret" not in outcome.err


def test_only_debug_shows_a_traceback(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from acctcli.settings import Settings

    def fail(*_: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(Settings, "list_environments", fail)
    plain, loud, machine = cli("env", "list"), cli("env", "list", "--debug"), cli("env", "list", "--json")
    assert (plain.code, plain.out) == (1, "")
    assert (
        plain.err
        == "error: internal fault: ZeroDivisionError: on purpose\nhint: run it again with --debug to see where\n"
    )
    assert "Traceback" in loud.err
    assert json.loads(machine.err)["error"]["code"] == "internal_fault"


def test_quiet_says_nothing_but_errors(cli: Cli, at: At) -> None:
    def behave(sent: Sent) -> Answer:
        return said({"detail": "no"}, 400) if "7" in sent.path else said({"id": 5}, Idempotent_Replayed="true")

    with recorder(behave) as server:
        at(server)
        told = cli("account", "hide", "id:5", "--json", "--idempotency-key", "k-1")
        assert succeed(cli("account", "hide", "id:5", "--json", "--quiet")).err == ""
        assert cli("account", "hide", "id:7", "--quiet").err == "error: no (400)\n"
    assert told.err.startswith("note: idempotency key k-1 was used before")


def test_errors_are_an_object_on_stderr_where_json_is_asked_for(cli: Cli, at: At) -> None:
    body = {"code": "validation_error", "name": ["Too long."], "rows": [{}, {"amount": ["Wrong."]}]}
    with recorder(said(body, 400, X_Request_Id="r-9")) as server:
        at(server)
        for ask in (
            ("--json",),
            ("--output", "json"),
            ("-o", "jsonl"),
            ("--output=json",),
            ("--output=jsonl",),
            ("-ojson",),
            ("-ojsonl",),
            ("-qo", "json"),
            ("-qojsonl",),
        ):
            outcome = cli(*POST, *ask)
            assert (outcome.code, outcome.out) == (7, "")
            assert json.loads(outcome.err) == {
                "error": {
                    "code": "validation_error",
                    "message": "name: Too long.; rows.1.amount: Wrong. (400)",
                    "exit_code": 7,
                    "fields": {"name": ["Too long."], "rows.1.amount": ["Wrong."]},
                    "status": 400,
                    "request_id": "r-9",
                }
            }
        for ask in (
            ("-o", "csv"),
            ("--output=table",),
            ("--columns", "json"),
            ("--columns=json",),
            ("--set", "a=json"),
        ):
            assert cli(*POST, *ask).err.startswith("error: ")


@pytest.mark.together
@pytest.mark.parametrize(
    ("status", "code"),
    [(400, 7), (401, 4), (403, 5), (404, 6), (409, 8), (412, 8), (418, 7), (422, 7), (423, 8), (500, 9), (501, 9)],
)
def test_every_status_ends_with_its_exit_code(cli: Cli, at: At, status: int, code: int) -> None:
    with recorder(said({"detail": "No.", "code": "x"}, status)) as server:
        at(server)
        plain, machine = cli(*GET), cli(*GET, "--json")
    assert (plain.code, plain.out, machine.code, machine.out) == (code, "", code, "")
    assert plain.err.splitlines()[0] == f"error: No. ({status})"
    assert json.loads(machine.err)["error"]["exit_code"] == code


@pytest.mark.together
@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_throttling_and_passing_faults_end_with_9_when_patience_is_over(cli: Cli, at: At, status: int) -> None:
    with recorder(said({"detail": "Later."}, status, Retry_After="60")) as server:
        at(server)
        assert cli(*GET, "--timeout", "20").code == 9
        outcome = cli(*POST, "--timeout", "20")
        keys = {sent.headers.get("idempotency-key") for sent in server.writes}
    assert (outcome.code, len(keys)) == (9, 1)


def test_text_from_the_service_never_reaches_the_terminal_raw(cli: Cli, at: At) -> None:
    evil = "\x1b]0;owned\x07\x1b[2Jtext\r\nerror: fake\u202e"
    with recorder(said({"detail": evil, "name": [evil]}, 400, X_Request_Id="r")) as server:
        at(server)
        for argv in (GET, (*GET, "--json"), (*GET, "--debug")):
            err = cli(*argv).err
            assert not {"\x1b", "\x07", "\r", "\u202e"} & set(err)
            assert "\nerror: fake" not in err


@pytest.mark.together
@pytest.mark.parametrize("spelling", sorted(SPELLINGS.keys() - {"tags"}))
def test_a_token_that_comes_back_in_a_record_is_not_shown(cli: Cli, at: At, spelling: str) -> None:
    record = {"id": 1, "number": "1910", "name": f"Bank {SPELLINGS[spelling](TOKEN)}", "description": "päällä 25 %"}
    with recorder(lambda sent: page(record) if sent.path.count("/") == 5 else said(record)) as server:
        at(server)
        for argv in (GET, ("account", "list", "--json"), ("account", "list", "--output-file", "x.csv"), POST):
            outcome = cli(*argv)
            assert (outcome.code, outcome.out) == (9, "")
            assert "sent the token back" in outcome.err
            assert ("--idempotency-key" in outcome.err) == (argv == POST)
    assert not Path("x.csv").exists()


@pytest.mark.together
@pytest.mark.parametrize("place", [0, 65_520, 131_060, 300_000])
def test_nor_in_the_middle_of_a_long_record(cli: Cli, at: At, place: int) -> None:
    coded = base64.b64encode(TOKEN.encode())
    for token, after in ((TOKEN.encode(), 100_000), (coded, 0)):
        record = b'{"id": 1, "number": "%b", "name": "%b%b"}' % (b"." * 70_000, b"." * place, token)
        with recorder(Answer(200, record[:-1] + b', "x": "%b"}' % (b"." * after))) as server:
            at(server)
            outcome = cli(*GET, "--json")
            assert (outcome.code, outcome.out) == (9, "")
            assert "sent the token back" in outcome.err


@pytest.mark.together
@pytest.mark.parametrize("place", [0, 65_520, 131_060, 300_000])
def test_nor_in_a_long_reply(cli: Cli, at: At, place: int) -> None:
    rows = b'{"name": "%b%b"}' % (b"." * place, TOKEN.encode())
    report = b'{"name": "x", "rows": [%b]}' % b",".join([rows, b'{"name": "%b"}' % (b"." * 100_000)])
    with recorder(Answer(200, report)) as server:
        at(server)
        for argv in (("report", "journal", "--period", "2026", "--json"), ("account", "list", "--json")):
            outcome = cli(*argv)
            assert outcome.code in {9, 10}
            assert TOKEN not in outcome.out + outcome.err
