"""A run that is watched where nothing is served: no longer than was said, and whatever else writes to the books."""

from __future__ import annotations

import json
import socket
import threading
import time
from typing import cast

import pytest

from acctcli.cli.local.flows import Stepper
from acctcli.service.http.embedded import EmbeddedService
from acctcli.service.store.engine import sqlite
from tests.cli.company import company
from tests.cli.local.test_ticking import BUSY, busy
from tests.cli.workflow.test_runs import by_hand
from tests.graphs import FLAG, LOG, uuid
from tests.journeys.places import Place


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("watched"))


def begun(place: Place) -> tuple[str, str]:
    workflow = by_hand(place, LOG)
    return workflow, str(place.json("workflow", "run", "start", workflow)["id"])


def test_people_read_of_a_run_what_each_node_did(place: Place) -> None:
    many = [{**LOG, "data": {"message": f"seen {number}"}} for number in range(30)]
    workflow = by_hand(place, *many, FLAG)
    run = str(place.json("workflow", "run", "start", workflow, "--input", '{"amount": 1.50}')["id"])
    assert place.try_run("workflow", "run", "watch", workflow, run).code == 10
    lines = place.run("workflow", "run", "get", workflow, run).lines()
    shown = [line.split(maxsplit=2)[1:] for line in lines if line.startswith("node ")]
    assert shown == [
        [uuid(1), 'completed  trigger.manual  {"amount":1.50}'],
        *([uuid(2 + number), f'completed  action.log  {{"message":"seen {number}"}}'] for number in range(30)),
        [uuid(32), "failed  action.flag_document  A run by hand has no document."],
    ]
    assert {"node_runs", "react_flow_data"} <= place.json("workflow", "run", "get", workflow, run).keys()
    of_one = place.run("workflow", "run", "get", workflow, run, "--columns", f"status,node_runs.{uuid(1)}.output")
    assert of_one.lines()[-1].split(maxsplit=1)[1] == '{"amount":1.50}'


def test_a_run_goes_on_when_the_database_is_free_again(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    workflow, run = begun(place)
    free = threading.Event()

    def hold() -> None:
        with busy(place):
            held.set()
            free.wait(60)

    held = threading.Event()
    holder = threading.Thread(target=hold)
    holder.start()
    assert held.wait(60)
    threading.Timer(0.8, free.set).start()
    assert place.run("workflow", "run", "watch", workflow, run).lines()[-1] == "-  run  run  completed"
    holder.join(60)


@pytest.mark.parametrize("patience", [0.1, 30])
def test_a_database_that_stays_busy_ends_it_in_time(
    place: Place, monkeypatch: pytest.MonkeyPatch, patience: float
) -> None:
    """Also where the service itself would wait longer than the command."""
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", patience)
    workflow, run = begun(place)
    with busy(place):
        began = time.monotonic()
        done = place.try_run("workflow", "run", "watch", workflow, run, "--wait-seconds", "1", "--json")
        assert time.monotonic() - began < 4
    message = f"the run {run} is not over after 1 s"
    is_told = patience < 1
    assert (done.code, json.loads(done.err)["error"]["message"]) == (
        (9, f"{message}: {BUSY}") if is_told else (3, message)
    )
    assert place.run("workflow", "run", "watch", workflow, run).lines()[-1] == "-  run  run  completed"


def test_the_books_are_closed_behind_a_step_that_is_under_way() -> None:
    """To close a connection that another thread is in takes the process down."""
    free, ends = threading.Event(), list[str]()

    class Service:
        def advance_run(self, *run: object, allows_private: bool) -> bool:
            del run, allows_private
            assert free.wait(60)
            ends.append("step")
            return True

        def close(self) -> None:
            ends.append("close")

    with Stepper(cast(EmbeddedService, Service()), "company", 1, 1, allows_private=False) as stepper:
        assert stepper.advance(0.01) is False
    assert ends == []
    free.set()
    stepper._pool.shutdown(wait=True)
    assert ends == ["step", "close"]
    with Stepper(cast(EmbeddedService, Service()), "company", 1, 1, allows_private=False) as stepper:
        assert stepper.advance(60) is True
    assert ends == ["step", "close", "step", "close"]


@pytest.mark.parametrize("verb", ["start", "watch"])
def test_nobody_is_waited_for_longer_than_was_said(place: Place, verb: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as receiver:
        hook = {"url": f"http://127.0.0.1:{receiver.getsockname()[1]}/", "method": "POST", "body": {}}
        workflow = by_hand(place, {"type": "action.http_request", "data": hook})
        words = ("start", workflow, "--wait")
        if verb == "watch":
            words = ("watch", workflow, str(place.json("workflow", "run", "start", workflow)["id"]))
        began = time.monotonic()
        done = place.try_run("workflow", "run", *words, "--wait-seconds", "1", "--allow-private-targets", "--json")
        assert time.monotonic() - began < 4
        assert done.code == 3
        assert json.loads(done.err)["error"]["hint"].startswith("nothing is served here: it goes on with: acctcli")
        (run,) = place.json("workflow", "run", "list", workflow)
        assert run["status"] == "running"
        receiver.settimeout(60)
        receiver.accept()[0].close()
