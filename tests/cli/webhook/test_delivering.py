"""What a developer does: listen, let something happen, see it arrive, and have it delivered again."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from tests.cli.conftest import Cli, succeed
from tests.cli.processes import ACCTCLI
from tests.cli.recorder import TOKEN, Answer, Recorder, Sent, recorder, said
from tests.journeys.places import Place, fresh
from tests.receiver import Handler, Received, Receiver, always, receiving
from tests.serving import serve

INVOICE = """
business create --name Demo --form FI_OY --slug demo --business-id 0112038-9
business use demo
business update demo --set invoicing_iban=FI2112345600000785 --set invoicing_email=lasku@demo.example \
--set invoicing_street=Satama --set invoicing_postal_code=00100 --set invoicing_city=Helsinki --set invoicing_country=FI
business identifier create --type y_tunnus --value 0112038-9
business identifier create --type vat_code --value FI01120389
contact create --name Asiakas --customer-id 1001 --type business --invoicing --email osto@asiakas.example \
--street Katu --postal-code 00100 --city Helsinki --country FI
product create --code A1 --name Consulting --unit h --amount 80 --vat-code 1 --vat-rate 25.5
invoice create --to 1001 --date 2026-03-02 --days 14 --row code=A1,count=7.5
"""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A business with a draft of an invoice."""
    made = fresh("in process", tmp_path / "books")
    for line in INVOICE.replace("\\\n", "").strip().splitlines():
        made.run(*line.split())
    return made


@contextmanager
def environment(place: Place, kind: str) -> Iterator[Place]:
    """The place itself, or a user of it over a socket, with deliveries by two processes."""
    if kind == "in process":
        yield place
        return
    token = place.run("local", "token").out.strip()
    with serve(place.environ, "--deliver", "--allow-private-targets", "--workers", "2", folder=place.folder) as url:
        guest = fresh("served", place.folder / "guest", ACCTCLI_LOCAL_BASE_URL=url, ACCTCLI_BUSINESS="demo")
        guest.environ["ACCTCLI_LOCAL_TOKEN"] = token
        yield guest


@contextmanager
def listening(place: Place, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Listen, and wait until a test event has arrived."""
    with subscribed(place, *options) as process:
        while (said := next_note(process)) != ARRIVED:
            # that is said where the machine is slow
            assert said.startswith(UNTOLD)
        yield process


@contextmanager
def subscribed(place: Place, *options: str) -> Iterator[subprocess.Popen[str]]:
    argv = [*ACCTCLI, "webhook", "listen", *options]
    process = subprocess.Popen(
        argv, env=place.environ, cwd=place.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert next_note(process).startswith("subscribed (")
        yield process
    finally:
        process.kill()
        process.communicate()


ARRIVED = "a test event has arrived\n"
UNTOLD = "note: a test event waits, and nothing delivers it: the service must be served with --deliver"


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def next_note(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    return process.stderr.readline()


def both(received: Recorder, name: str) -> list[Sent]:
    """What arrived under an id, when it has come twice."""
    wait_until(lambda: names(received).count(name) >= 2)
    return [one for one in received.sent if one.headers["webhook-id"] == name]


def redeliver(user: Place, subscription: int, name: str) -> None:
    """Have a delivery of an event made once more, when it is known to have arrived."""
    asked = ("webhook", "deliveries", str(subscription), "--event", name.removeprefix("evt_"))
    wait_until(lambda: user.json(*asked)[0]["status"] == "delivered")
    user.run("webhook", "redeliver", str(subscription), str(user.json(*asked)[0]["id"]))


def verified(delivery: Sent, made: Any) -> Any:
    """What another library takes a delivery to say, by the secret of its subscription."""
    return Webhook(made["signing_secret"]).verify(delivery.body, delivery.headers)


def names(shop: Recorder) -> list[str]:
    return [sent.headers["webhook-id"] for sent in shop.sent]


@pytest.mark.parametrize("kind", ["in process", "served"])
def test_an_event_arrives_is_handed_on_and_comes_again_when_it_is_asked_for(place: Place, kind: str) -> None:
    """Subscribe, listen, accept an invoice, see it arrive verified, have it delivered once more, stop."""
    kept = Answer(204)
    with environment(place, kind) as user, recorder(kept) as shop, recorder(kept) as program, ExitStack() as stack:
        made = user.json("webhook", "create", "--name", "Shop", "--url", f"{shop.base_url}/events")
        to = ("--forward-to", f"{program.base_url}/hooks", "--events", "sales_invoice.accepted")
        process = stack.enter_context(listening(user, *to))
        user.run("invoice", "accept", "1")
        moment, kind_of, name, status = line(process).split()
        assert (kind_of, status) == ("sales_invoice.accepted", "204")
        assert moment.endswith("Z")
        (sent,) = program.sent
        assert sent.headers["webhook-id"] == name
        accepted = json.loads(sent.body)
        assert (accepted["type"], accepted["data"]["id"]) == ("sales_invoice.accepted", 1)
        assert b'"total_amount":753.00,' in sent.body  # 7.5 h at 80, and 25.5 % of it, with all its digits
        if kind == "in process":
            # what listens delivers to itself alone
            user.run("local", "tick", "--deliver", "--allow-private-targets")
        wait_until(lambda: name in names(shop))
        (told,) = (one for one in shop.sent if one.headers["webhook-id"] == name)
        assert verified(told, made) == accepted
        for subscription, received in ((made["id"] + 1, program), (made["id"], shop)):
            redeliver(user, subscription, name)
            if kind == "in process" and received is shop:
                user.run("local", "tick", "--deliver", "--allow-private-targets")
            first, again = both(received, name)
            assert again.body == first.body
        assert line(process).split()[1:] == [kind_of, name, status]
        assert verified(again, made) == accepted
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, f"unsubscribed ({made['id'] + 1})\nstopped\n")
        assert [one["id"] for one in user.json("webhook", "list")] == [made["id"]]
        assert {one["status"] for one in user.json("webhook", "deliveries", "--event", name.removeprefix("evt_"))} == {
            "delivered"
        }


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), UNTOLD),
        (("--deliver",), "note: a test event must not go to http://127.0.0.1:"),
    ],
)
def test_who_listens_to_a_service_that_does_not_deliver_here_is_told(
    place: Place, options: tuple[str, ...], says: str
) -> None:
    token = place.run("local", "token").out.strip()
    with serve(place.environ, *options, folder=place.folder) as url:
        guest = fresh("served", place.folder / "guest", ACCTCLI_LOCAL_BASE_URL=url, ACCTCLI_BUSINESS="demo")
        guest.environ["ACCTCLI_LOCAL_TOKEN"] = token
        with subscribed(guest) as process:
            said = next_note(process)
            assert said.startswith(says)
            assert "--allow-private-targets" in said
            if not options:
                # somebody else delivers after all
                place.run("local", "tick", "--deliver", "--allow-private-targets")
                assert next_note(process) == ARRIVED
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0


def test_a_tick_delivers_what_is_due_when_it_is_asked_to(place: Place) -> None:
    with receiving(always(204)) as receiver:
        place.run("webhook", "create", "--name", "Shop", "--url", receiver.base_url)
        place.run("tag", "create", "--name", "Oulu")
        for rehearsed in ((), ("--dry-run",)):
            told = place.run("local", "tick", *rehearsed).err
            assert told == "1 event is to be delivered, which takes --deliver.\n"
        assert "1 event would be delivered." in place.run("local", "tick", "--deliver", "--dry-run").err
        failed = place.try_run("local", "tick", "--deliver")
        assert failed.code == 10
        refused = failed.err
        assert "Delivered 0 events; 1 attempt failed: acctcli webhook deliveries says why." in refused
        assert receiver.received == []
        (told,) = place.json("webhook", "deliveries", "1")
        assert (told["status"], told["last_error"]) == ("waiting", "target_forbidden")
        place.run("webhook", "redeliver", "1", str(told["id"]))
        done = place.run("local", "tick", "--deliver", "--allow-private-targets")
        assert "Delivered 1 event." in done.err
    assert [json.loads(one.body)["type"] for one in receiver.received] == ["tag.created"]


def test_a_ping_and_a_redelivery_can_be_rehearsed(place: Place) -> None:
    place.run("webhook", "create", "--name", "Shop", "--url", "https://shop.example/")
    before = place.json("webhook", "deliveries")
    below = "/v1/business/demo/webhook_subscriptions/1/"
    for argv, path in (
        (("ping", "1"), f"{below}action/ping/"),
        (("redeliver", "1", "2"), f"{below}deliveries/2/action/redeliver/"),
    ):
        plan: Any = place.json("webhook", *argv, "--dry-run")
        assert (plan["method"], plan["path"], plan["body"]) == ("POST", path, None)
        assert plan["idempotency_key"]
    assert place.json("webhook", "deliveries") == before


def test_what_a_deleted_subscription_was_told_is_listed(cli: Cli) -> None:
    succeed(cli("business", "create", "--name", "Demo", "--form", "FI_OY", "--slug", "demo"))
    of_demo = ("--business", "demo", "--json")
    for name in ("one", "two"):
        succeed(cli("webhook", "create", "--name", name, "--url", "https://shop.example/", *of_demo))
        succeed(cli("webhook", "ping", "1", *of_demo))
    before = succeed(cli("webhook", "deliveries", "1", *of_demo)).json()
    for one in ("1", "2"):
        succeed(cli("webhook", "delete", one, "--yes", *of_demo))
    after = succeed(cli("webhook", "deliveries", "1", *of_demo)).json()
    assert [one["id"] for one in before] == [one["id"] for one in after] == [2, 1]
    assert {one["status"] for one in after} == {"cancelled"}
    assert succeed(cli("webhook", "deliveries", "1", "--status", "failed", *of_demo)).json() == []
    # one that was told nothing is as one that never was
    for one in ("2", "9"):
        assert cli("webhook", "deliveries", one, *of_demo).code == 6


def test_no_secret_and_no_address_of_a_receiver_is_in_the_log(place: Place) -> None:
    secret_path = "hook-4711-secret"
    with receiving(always(410)) as receiver:
        password = place.folder / "password.txt"
        password.write_text("open-canary-4711")
        address = ("--url", f"{receiver.base_url}/{secret_path}", "--username", "u", "--password-file", str(password))
        made = place.json("webhook", "create", "--name", "x", *address)
        place.run("tag", "create", "--name", "Oulu")
        assert place.try_run("local", "tick", "--deliver", "--allow-private-targets").code == 10
    log = Path(place.environ["ACCTCLI_DATA_DIR"], "local", "service.log").read_text("utf-8")
    assert f"delivery 1 to the webhook subscription {made['id']} failed for good: 410" in log
    assert secret_path not in log
    assert "canary" not in log
    assert made["signing_secret"] not in log
    assert place.json("webhook", "get", str(made["id"]))["is_active"] is False


@contextmanager
def standing_still() -> Iterator[Receiver]:
    """A receiver that takes deliveries and does not answer before the end of the block."""
    over = threading.Event()

    def stall(handler: Handler, _: Received) -> None:
        over.wait(60)
        handler.hang_up()

    with receiving(stall) as receiver:
        try:
            yield receiver
        finally:
            over.set()


def test_a_served_service_ends_though_a_receiver_stands_still_and_another_goes_on_at_once(place: Place) -> None:
    options = ("--deliver", "--allow-private-targets")
    with standing_still() as dead:
        place.run("webhook", "create", "--name", "x", "--url", dead.base_url)
        with serve(place.environ, *options):
            place.run("tag", "create", "--name", "one")
            wait_until(lambda: dead.received)
            begun = time.monotonic()
        # sooner than the attempt would have ended
        assert time.monotonic() - begun < 14
        (told,) = place.json("webhook", "deliveries")
        assert (told["status"], told["attempts"]) == ("waiting", 0)
        assert told["next_attempt_at"] <= f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"


def test_a_served_service_delivers_nothing_unless_it_is_told_to(place: Place) -> None:
    with receiving(always(204)) as receiver:
        place.run("webhook", "create", "--name", "x", "--url", receiver.base_url)
        place.run("tag", "create", "--name", "one")
        with serve(place.environ) as address:
            assert address
        assert receiver.received == []
    assert place.json("webhook", "deliveries") == []


OF_LOCAL = (
    ("webhook", "deliveries"),
    ("webhook", "deliveries", "7"),
    ("webhook", "redeliver", "7", "8"),
    ("webhook", "ping", "7"),
    ("event", "list"),
    ("event", "tail"),
)


@pytest.mark.parametrize("environment", ["testing", "production"])
@pytest.mark.parametrize("argv", OF_LOCAL)
def test_only_local_says_what_was_delivered(
    cli: Cli, argv: tuple[str, ...], environment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with recorder(Answer(200)) as server:
        monkeypatch.setenv(f"ACCTCLI_{environment.upper()}_BASE_URL", server.base_url)
        monkeypatch.setenv("ACCTCLI_TOKEN", TOKEN)
        refused = cli(*argv, "--env", environment, "--business", "demo")
        assert server.sent == []
    assert (refused.code, refused.out) == (2, "")
    assert "whose interface has no such operation; that of local has" in refused.err


@pytest.mark.parametrize("argv", OF_LOCAL)
def test_another_service_under_a_name_of_its_own_is_asked_what_it_is_and_no_more(
    cli: Cli, argv: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with recorder(lambda _: said({"detail": "Not found."}, 404)) as server:
        monkeypatch.setenv("ACCTCLI_OWN_BASE_URL", server.base_url)
        monkeypatch.setenv("ACCTCLI_TOKEN", TOKEN)
        refused = cli(*argv, "--env", "own", "--business", "demo")
        assert [(one.method, one.path.partition("?")[0]) for one in server.sent] == [
            ("GET", "/v1/business/demo/audit/")
        ]
    assert (refused.code, refused.out) == (2, "")
    assert "is not the one that comes with acctcli, and only that has such an operation" in refused.err


def wait_until(is_so: Callable[[], object]) -> None:
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


# --- events ---


def test_events_are_listed_as_they_are_told(place: Place) -> None:
    place.run("tag", "create", "--name", "Oulu")
    listed = place.json("event", "list", "--all")
    last = listed[-1]
    assert (last["type"], last["business_slug"], last["data"]["name"]) == ("tag.created", "demo", "Oulu")
    assert place.json("event", "list", "--after", str(last["id"])) == []
    assert place.json("event", "list", "--type", "tag.created") == [last]
    assert [one["id"] for one in listed] == sorted(one["id"] for one in listed)


@pytest.mark.parametrize("kind", ["in process", "served"])
def test_events_are_followed(place: Place, kind: str) -> None:
    with environment(place, kind) as user:
        tags = ("--type", "tag.created", "--after", "0")
        argv = [*ACCTCLI, "event", "tail", *tags, "--count", "2", "--json"]
        with subprocess.Popen(argv, env=user.environ, cwd=user.folder, text=True, stdout=subprocess.PIPE) as process:
            user.run("tag", "create", "--name", "Oulu")
            assert json.loads(line(process))["data"]["name"] == "Oulu"
            user.run("tag", "create", "--name", "Tampere")
            assert json.loads(line(process))["data"]["name"] == "Tampere"
            assert process.wait(60) == 0
        done = user.run("event", "tail", *tags, "--count", "1")
        assert done.out.split()[1] == "tag.created"


def test_without_a_beginning_the_next_events_are_followed_until_it_is_stopped(place: Place) -> None:
    argv = [*ACCTCLI, "event", "tail", "--verbose"]
    with subprocess.Popen(
        argv, env=place.environ, cwd=place.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        for _ in range(2):  # how many there are, and which is the last
            assert "events/" in process.stderr.readline()
        place.run("tag", "create", "--name", "Oulu")
        assert line(process).split()[1] == "tag.created"
        process.send_signal(signal.SIGINT)
        assert "stopped" in process.communicate(timeout=60)[1]
        assert process.returncode == 0
