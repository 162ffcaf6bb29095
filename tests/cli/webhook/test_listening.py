"""`acctcli webhook listen`: what it subscribes to, receives, shows, hands on and refuses, and how it ends."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from acctcli.models.signature import sign
from tests.cli.processes import ACCTCLI, environ
from tests.cli.recorder import Answer, Sent, page, recorder, said
from tests.cli.webhook.listener import (
    KEY,
    PING,
    SUBSCRIPTIONS,
    asked,
    deliver,
    event,
    listening,
    own,
    service,
    wait_until,
)
from tests.serving import free_port


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
        assert httpx.post(here.target, content=event(4), trust_env=False, verify=False).status_code == 400
        assert httpx.get(here.target, trust_env=False, verify=False).status_code == 501
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
        here.out.close()
        assert deliver(here.target, 1, event(1)) == 503
        assert here.process.wait(30) == 0
    assert len(asked(server, "DELETE")) == 1


class Shop:
    """A service of one's own whose subscription 7 becomes what a test makes of it; `left` are those of others."""

    def __init__(self, *left: dict[str, object]) -> None:
        self.left = left
        self.found: Answer = said({"id": 7, "is_active": True})

    def __call__(self, sent: Sent) -> Answer:
        if sent.method == "GET" and sent.path == f"{SUBSCRIPTIONS}7/":
            return self.found
        if sent.method == "GET" and sent.path.startswith(f"{SUBSCRIPTIONS}?"):
            return page(*self.left)
        if sent.path == PING:
            return said({"detail": "Not found."}, 404)
        if sent.method == "DELETE":
            return Answer(404 if self.found.status == 404 else 204, b"{}")
        return service(sent)


def test_a_subscription_that_somebody_deletes_ends_it_though_nothing_arrives(tmp_path: Path) -> None:
    shop = Shop()
    with recorder(shop) as server, listening(server, tmp_path, **own(server)) as here:
        shop.found = said({"detail": "Not found."}, 404)
        code, out, err = here.end()
    assert (code, out) == (6, "")
    assert "somebody has deleted the subscription 7: no event arrives any more" in err
    assert "may still be there" not in err


def test_what_keeps_events_away_meanwhile_is_said_once_and_that_it_is_over(tmp_path: Path) -> None:
    shop = Shop()
    off = "note: the subscription 7 is switched off, and events wait: acctcli webhook update 7 --active\n"
    with recorder(shop) as server, listening(server, tmp_path, "--timeout", "0.1", **own(server)) as here:
        shop.found = said({"id": 7, "is_active": False})
        assert here.note() == off
        shop.found = Answer(500, b"")
        assert here.note().startswith("note: no answer, it is asked again until there is one: ")
        shop.found = said({"id": 7, "is_active": True})
        assert here.note() == "note: there are answers again\n"
        assert here.note() == "note: the subscription 7 delivers again\n"
        code, _, err = here.stop()
    assert (code, err.removeprefix(here.said)) == (0, "unsubscribed (7)\nstopped\n")


def test_what_killed_listeners_of_this_machine_left_is_named(tmp_path: Path) -> None:
    name = f"acctcli listen on {socket.gethostname()}"
    with socket.create_server(("127.0.0.1", 0)) as living:
        left = (
            {"id": 3, "name": name, "target_url": f"http://127.0.0.1:{free_port()}/"},
            {"id": 4, "name": name, "target_url": f"http://127.0.0.1:{living.getsockname()[1]}/"},
            {"id": 5, "name": name, "target_url": "https://tunnel.example/"},
            {"id": 6, "name": "Shop", "target_url": f"http://127.0.0.1:{free_port()}/"},
        )
        with recorder(Shop(*left)) as server, listening(server, tmp_path, **own(server)) as here:
            assert here.stop()[0] == 0
    assert here.said.splitlines()[:-1] == [
        "note: an earlier listener left the subscription 3: acctcli webhook delete 3 --yes"
    ]
