"""`acctcli webhook listen`: what it subscribes to, receives, shows, hands on and refuses, and how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from acctcli.models.signature import sign
from tests.cli.conftest import At, Cli
from tests.cli.processes import ACCTCLI, environ
from tests.cli.recorder import TOKEN, Answer, Recorder, Sent, page, recorder, said
from tests.serving import free_port

SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
KEY = b"0123456789abcdef01234567"
SUBSCRIPTIONS = "/v1/business/demo/webhook_subscriptions/"


def event(number: int, kind: str = "tag.created", **more: object) -> bytes:
    about = {
        "id": number,
        "type": kind,
        "timestamp": "2026-01-01T00:00:00Z",
        "business_slug": "demo",
        "data": {"id": 1},
    }
    return json.dumps(about | more).encode()


def deliver(target: str, number: int, body: bytes, at: float | None = None, key: bytes = KEY) -> int:
    moment = int(time.time() if at is None else at)
    headers = {
        "content-type": "application/json",
        "webhook-id": f"evt_{number}",
        "webhook-timestamp": str(moment),
        "webhook-signature": sign(key, f"evt_{number}", moment, body),
    }
    return httpx.post(target, content=body, headers=headers, trust_env=False, timeout=20).status_code


PING = f"{SUBSCRIPTIONS}7/action/ping/"


def service(sent: Sent) -> Answer:
    if sent.method == "POST":
        return said({"id": 7, "signing_secret": SECRET}, 201)
    return Answer(204, b"") if sent.method == "DELETE" else said({"id": 1, "slug": "demo"})


def asked(server: Recorder, method: str) -> list[Sent]:
    return [sent for sent in server.sent if sent.method == method]


class Listening:
    """A command that listens, in a process of its own; `said` is what it has said until it had subscribed."""

    def __init__(self, process: subprocess.Popen[bytes], target: str, said: str) -> None:
        self.process, self.target, self.said = process, target, said

    def note(self) -> str:
        """The next line that is said."""
        assert self.process.stderr is not None
        return self.process.stderr.readline().decode()

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode()

    def stop(self, number: signal.Signals = signal.SIGINT) -> tuple[int, str, str]:
        self.process.send_signal(number)
        return self.end()

    def end(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out.decode(), self.said + err.decode()


@contextmanager
def listening(server: Recorder, home: Path, *options: str, **more: str) -> Iterator[Listening]:
    argv = [*ACCTCLI, "webhook", "listen", *options]
    variables = environ(home, server.base_url, **more)
    process = subprocess.Popen(argv, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        said = ""
        assert process.stderr is not None
        while "subscribed (" not in said:
            line = process.stderr.readline().decode()
            assert line, said
            said += line
        yield Listening(process, json.loads(asked(server, "POST")[0].body)["target_url"], said)
    finally:
        process.kill()
        process.communicate()


def test_an_event_is_a_line_and_the_subscription_ends_with_the_command(tmp_path: Path) -> None:
    with recorder(service) as server, listening(server, tmp_path) as here:
        assert deliver(here.target, 42, event(42)) == 204
        assert here.line() == "2026-01-01T00:00:00Z  tag.created  evt_42\n"
        code, out, err = here.stop()
    assert (code, out) == (0, "")
    assert err.splitlines() == [
        "note: that testing takes this request is inferred: nothing that is known of its interface shows it",
        f"subscribed (7): events go to {here.target}; stop it with Ctrl-C",
        "unsubscribed (7)",
        "stopped",
    ]
    (ended,) = asked(server, "DELETE")
    assert ended.path == f"{SUBSCRIPTIONS}7/"


def test_json_is_what_was_delivered_a_line_each(tmp_path: Path) -> None:
    body = event(42, data={"amount": 1.50, "big": 12345678901234567890}).replace(b"1.5", b"1.50")
    with recorder(service) as server, listening(server, tmp_path, "--json", "--count", "2") as here:
        assert deliver(here.target, 42, body) == 204
        assert '"amount":1.50,"big":12345678901234567890' in here.line().replace(" ", "")
        assert deliver(here.target, 43, event(43)) == 204
        code, out, _ = here.end()
    assert (code, json.loads(out)["id"]) == (0, 43)
    assert len(asked(server, "DELETE")) == 1


def test_only_what_is_wanted_is_shown_and_the_rest_is_taken(tmp_path: Path) -> None:
    with recorder(service) as server, listening(server, tmp_path, "--events", "tag.updated, tag.deleted") as here:
        assert deliver(here.target, 1, event(1)) == 204
        assert deliver(here.target, 2, event(2, "tag.deleted")) == 204
        assert "tag.deleted  evt_2" in here.line()
        assert here.stop(signal.SIGTERM)[:2] == (0, "")


@pytest.mark.parametrize("status", [200, 500])
def test_what_is_handed_on_is_what_came_and_its_answer_goes_back(tmp_path: Path, status: int) -> None:
    with recorder(Answer(status)) as shop, recorder(service) as server:
        to = f"{shop.base_url}/hooks?of=demo"
        with listening(server, tmp_path, "--forward-to", to) as here:
            assert deliver(here.target, 42, event(42)) == status
            assert here.line() == f"2026-01-01T00:00:00Z  tag.created  evt_42  {status}\n"
            here.stop()
    (sent,) = shop.sent
    assert (sent.method, sent.path, sent.body) == ("POST", "/hooks?of=demo", event(42))
    assert sign(KEY, "evt_42", int(sent.headers["webhook-timestamp"]), event(42)) == sent.headers["webhook-signature"]


def test_a_program_that_says_it_is_gone_does_not_end_the_subscription(tmp_path: Path) -> None:
    with (
        recorder(Answer(410)) as shop,
        recorder(service) as server,
        listening(server, tmp_path, "--forward-to", shop.base_url) as here,
    ):
        assert deliver(here.target, 42, event(42)) == 503
        assert here.line().endswith("evt_42  503\n")
        assert "was answered with 410, which would end the subscription" in here.stop()[2]


def test_a_program_that_is_not_there_is_told_and_who_delivers_comes_again(tmp_path: Path) -> None:
    to = f"http://127.0.0.1:{free_port()}/"
    with recorder(service) as server, listening(server, tmp_path, "--forward-to", to) as here:
        assert deliver(here.target, 42, event(42)) == 502
        assert here.line().endswith("evt_42  502\n")
        assert f"evt_42 was not handed on to {to}: " in here.stop()[2]


def test_what_is_not_right_is_refused_and_not_shown(tmp_path: Path) -> None:
    with recorder(service) as server, listening(server, tmp_path, "--forward-to", server.base_url) as here:
        assert deliver(here.target, 1, event(1), key=KEY[::-1]) == 400
        assert deliver(here.target, 2, event(2), at=time.time() - 400) == 400
        assert deliver(here.target, 3, b"[]") == 400
        assert httpx.post(here.target, content=event(4), trust_env=False).status_code == 400
        assert httpx.get(here.target, trust_env=False).status_code == 501
        code, out, err = here.stop()
    assert (code, out) == (0, "")
    assert [line.partition(":")[0] for line in err.splitlines()[2:-2]] == [
        "refused evt_1", "refused evt_2", "refused evt_3", "refused without an id",
    ]  # fmt: skip
    assert len(asked(server, "POST")) == 1


WAITS = {
    "id": 3,
    "status": "waiting",
    "attempts": 0,
    "created_at": "2026-01-01T00:00:00Z",
    "next_attempt_at": "2026-01-01T00:00:00Z",
    "last_status": None,
    "last_error": None,
}
FAILED = {**WAITS, "attempts": 1, "next_attempt_at": "2026-01-01T00:00:05Z"}


def own(server: Recorder) -> dict[str, str]:
    """A service of one's own, under a name of its own."""
    return {"ACCTCLI_ENV": "own", "ACCTCLI_OWN_BASE_URL": server.base_url}


def trying(told: dict[str, object]) -> Callable[[Sent], Answer]:
    """A service that makes a test event, and says that this has become of it."""

    def answer(sent: Sent) -> Answer:
        if sent.path == PING:
            return said(told, 201)
        if sent.path.startswith(f"{SUBSCRIPTIONS}7/deliveries/"):
            return page(told)
        return service(sent)

    return answer


@pytest.mark.parametrize(
    ("told", "says"),
    [
        (
            WAITS,
            "waits, and nothing delivers it: the service must be served with --deliver, and to reach this machine with "
            "--allow-private-targets",
        ),
        (
            {**FAILED, "last_error": "target_forbidden"},
            "must not go to {target}: the service allows it when it is told --allow-private-targets",
        ),
        ({**FAILED, "last_error": "name_unknown"}, "could not be delivered to {target}: name_unknown"),
        ({**FAILED, "last_status": 404}, "could not be delivered to {target}: it was answered with 404"),
        (
            {**FAILED, "status": "delivered", "last_status": 200},
            "was delivered, and did not arrive here: {target} leads elsewhere",
        ),
        ({**WAITS, "status": "cancelled"}, "is not delivered any more: somebody has ended the subscription"),
    ],
)
def test_why_a_test_event_does_not_arrive_is_said_once_and_then_that_it_has(
    tmp_path: Path, told: dict[str, object], says: str
) -> None:
    ping = event(0, "webhook.ping", id=None, data={})
    with (
        recorder(trying(told)) as server,
        listening(server, tmp_path, "--forward-to", f"{server.base_url}/hooks", **own(server)) as here,
    ):
        assert here.note() == f"note: a test event {says.format(target=here.target)}\n"
        assert deliver(here.target, 0, ping) == 204
        assert here.note() == "a test event has arrived\n"
        # one that somebody else asks for is an event like any other
        deliver(here.target, 1, ping)
        assert "webhook.ping  evt_1" in here.line()
        code, out, err = here.stop()
        assert [sent.headers["webhook-id"] for sent in server.sent if sent.path == "/hooks"] == ["evt_1"]
    assert (code, out, err.removeprefix(here.said)) == (0, "", "unsubscribed (7)\nstopped\n")


def test_what_somebody_has_taken_is_waited_for(tmp_path: Path) -> None:
    under_way = {**WAITS, "next_attempt_at": "2026-01-01T00:01:00Z"}
    with recorder(trying(under_way)) as server, listening(server, tmp_path, **own(server)) as here:
        # more often than it takes to say that nothing delivers
        wait_until(lambda: len(asked(server, "GET")) > 10)
        assert deliver(here.target, 0, event(0, "webhook.ping", id=None)) == 204
        assert here.note() == "a test event has arrived\n"


def test_a_service_that_has_no_test_events_is_not_tried(tmp_path: Path) -> None:
    def answer(sent: Sent) -> Answer:
        return said({"detail": "Not found."}, 404) if sent.path == PING else service(sent)

    with recorder(answer) as server, listening(server, tmp_path, **own(server)) as here:
        wait_until(lambda: len(asked(server, "POST")) == 2)
        assert deliver(here.target, 42, event(42, "webhook.ping")) == 204
        assert here.line().endswith("webhook.ping  evt_42\n")
        code, _, err = here.stop()
    assert (code, err.splitlines()[1:]) == (0, ["unsubscribed (7)", "stopped"])


def test_of_a_service_that_others_run_nothing_is_asked_that_its_interface_has_not(tmp_path: Path) -> None:
    with recorder(service) as server, listening(server, tmp_path) as here:
        assert deliver(here.target, 42, event(42)) == 204
        assert here.stop()[0] == 0
        sent = [(one.method, one.path) for one in server.sent if "webhook" in one.path]
    assert sent == [("POST", SUBSCRIPTIONS), ("DELETE", f"{SUBSCRIPTIONS}7/")]


def wait_until(is_so: Callable[[], object]) -> None:
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize(
    "body", [b'{"kind":"x","amount":1.50}', b'{"timestamp":1767225600.0,"type":{"of":"x"},"id":["a"],"big":1e400}']
)
def test_what_services_of_others_send_is_shown_as_it_came_whatever_it_says(tmp_path: Path, body: bytes) -> None:
    with recorder(service) as server, listening(server, tmp_path, "--json") as here:
        assert deliver(here.target, 1, body) == 204
        assert here.line() == body.decode() + "\n"
    with recorder(service) as server, listening(server, tmp_path) as here:
        assert deliver(here.target, 1, body) == 204
        assert here.line() == "-  ?  evt_1\n"


def test_a_caller_that_stands_still_does_not_hold_the_others_up(tmp_path: Path) -> None:
    with recorder(service) as server, listening(server, tmp_path) as here:
        port = int(here.target.rstrip("/").rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as slow:
            slow.sendall(b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{")
            assert deliver(here.target, 42, event(42)) == 204
            assert "evt_42" in here.line()
        assert here.stop()[0] == 0


def test_a_subscription_that_cannot_be_ended_is_named(tmp_path: Path) -> None:
    def fails(sent: Sent) -> Answer:
        return said({"detail": "no"}, 403) if sent.method == "DELETE" else service(sent)

    with recorder(fails) as server, listening(server, tmp_path) as here:
        code, _, err = here.stop()
    assert code == 5
    assert "the subscription 7 may still be there: acctcli webhook delete 7" in err


def test_whoever_stops_it_before_it_has_subscribed_is_told_that_it_may_have(tmp_path: Path) -> None:
    with recorder(lambda sent: Answer(stall=True) if sent.method == "POST" else service(sent)) as server:
        argv = [*ACCTCLI, "webhook", "listen"]
        with subprocess.Popen(argv, env=environ(tmp_path, server.base_url), stderr=subprocess.PIPE) as process:
            wait_until(lambda: asked(server, "POST"))
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"POST {SUBSCRIPTIONS} may have been done".encode() in err


def test_only_what_the_program_took_counts_and_each_event_once(tmp_path: Path) -> None:
    answers = iter([500, 200, 200, 204])
    with (
        recorder(lambda _: Answer(next(answers))) as shop,
        recorder(service) as server,
        listening(server, tmp_path, "--forward-to", shop.base_url, "--count", "2") as here,
    ):
        assert [deliver(here.target, number, event(number)) for number in (1, 1, 1, 2)] == [500, 200, 200, 204]
        code, out, _ = here.end()
    assert (code, len(out.splitlines())) == (0, 4)


def test_a_subscription_that_was_deleted_meanwhile_is_over(tmp_path: Path) -> None:
    def gone(sent: Sent) -> Answer:
        return said({"detail": "no"}, 404) if sent.method == "DELETE" else service(sent)

    with recorder(gone) as server, listening(server, tmp_path) as here:
        code, _, err = here.stop()
    assert code == 0
    assert "the subscription 7 was gone already: somebody has deleted it\n" in err
    assert "may still be there" not in err


def test_without_a_secret_everything_is_taken_and_that_is_said(tmp_path: Path) -> None:
    def secretive(sent: Sent) -> Answer:
        return said({"id": 7}, 201) if sent.method == "POST" else service(sent)

    with recorder(secretive) as server, listening(server, tmp_path) as here:
        assert deliver(here.target, 1, event(1), key=b"another") == 204
        assert "evt_1" in here.line()
        assert here.note() == "note: the service told no secret: nothing that arrives is verified\n"


def test_a_reader_that_goes_ends_it(tmp_path: Path) -> None:
    with recorder(service) as server, listening(server, tmp_path) as here:
        assert here.process.stdout is not None
        here.process.stdout.close()
        assert deliver(here.target, 1, event(1)) == 503
        assert here.process.wait(30) == 0
    assert len(asked(server, "DELETE")) == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--events", "tag.created,tag.renamed"), "--events: there is no event tag.renamed"),
        (("--count", "0"), "--count"),
    ],
)
def test_what_cannot_be_listened_for_is_said_before_anything_is_sent(
    cli: Cli, at: At, options: tuple[str, ...], says: str
) -> None:
    with recorder(service) as server:
        at(server)
        done = cli("webhook", "listen", *options)
        assert (done.code, done.out, server.sent) == (2, "", [])
    assert says in done.err


def test_a_service_elsewhere_needs_an_address_that_leads_here(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCTCLI_TESTING_BASE_URL", "https://books.example")
    done = cli("webhook", "listen", "--env", "testing", "--business", "demo")
    assert (done.code, done.out) == (2, "")
    assert "give --target-url with an address that leads to --port here" in done.err


def test_a_rehearsal_shows_the_subscription(cli: Cli, at: At) -> None:
    with recorder(service) as server:
        at(server)
        done = cli("webhook", "listen", "--target-url", "https://tunnel.example/", "--dry-run", "--json")
        assert asked(server, "POST") == []
    plan = json.loads(done.out)
    assert (done.code, plan["method"], plan["path"]) == (0, "POST", SUBSCRIPTIONS)
    assert plan["body"]["target_url"] == "https://tunnel.example/"


@pytest.mark.parametrize(
    "options",
    [
        ("--target-url", "ftp://books.example/"),
        ("--target-url", "books.example"),
        ("--target-url", "http://"),
        ("--forward-to", "localhost:5000"),
        ("--forward-to", "not an address"),
    ],
)
def test_an_address_is_a_whole_one(cli: Cli, at: At, options: tuple[str, str]) -> None:
    with recorder(service) as server:
        at(server)
        done = cli("webhook", "listen", *options)
        assert (done.code, done.out, server.sent) == (2, "", [])
    assert done.err == f"error: {options[0]} {options[1]}: it must be a whole http or https address\n"


@pytest.mark.parametrize("option", ["--target-url", "--forward-to"])
def test_an_address_holds_no_password(cli: Cli, at: At, option: str) -> None:
    with recorder(service) as server:
        at(server)
        done = cli("webhook", "listen", option, "http://user:geheim-pw@127.0.0.1:5000/")
        assert (done.code, done.out, server.sent) == (2, "", [])
    assert done.err.startswith(f"error: {option} must hold no user and no password")
    assert "geheim" not in done.err


@pytest.mark.parametrize("base_url", ["http://localhost", "http://127.0.0.1", "http://[::1]:80"])
def test_a_service_of_this_machine_reaches_it_whatever_its_port(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, base_url: str
) -> None:
    monkeypatch.setenv("ACCTCLI_TESTING_BASE_URL", base_url)
    monkeypatch.setenv("ACCTCLI_TOKEN", TOKEN)
    done = cli("webhook", "listen", "--env", "testing", "--business", "demo", "--dry-run", "--json")
    assert (done.code, json.loads(done.out)["path"]) == (0, SUBSCRIPTIONS), done.err
