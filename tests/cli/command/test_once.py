"""Each line is there once: whatever happened at which hour, and by whatever clock of this machine."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta, tzinfo
from email.utils import format_datetime, parsedate_to_datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import httpx
import pytest

from acctcli.cli.command import once
from acctcli.client import retry
from acctcli.client.http import Http
from acctcli.client.messages import Reply
from acctcli.service.http import embedded
from acctcli.service.http.app import create_app
from acctcli.settings import state_dir
from tests.cli.company import company
from tests.journeys.places import Done, Place, served

BEGINNING = datetime(2026, 3, 2, 9, tzinfo=UTC)
LINE = {"date": "2026-03-01", "description": "rent"}
POST = ("document", "create", "--file", "many.jsonl")
UPLOAD = ("file", "upload", "rent.txt")
HTML = Reply(404, {"content-type": "text/html"}, b"<html><h1>404 page not found</h1></html>")

Exchange = Callable[..., Reply]


class Case(NamedTuple):
    """What happened: `HOUR WHAT`, or `HOUR@OFF WHAT` by a clock of this machine that is so many hours off.

    `left` is how often the last command leaves each line there, and its exit code.
    """

    happened: str
    left: int
    code: int = 0
    file: tuple[dict[str, Any], ...] = (LINE,)


CASES = {
    "all is well": Case("0 run, 1 run, 30 run", 1),
    "a lost reply, and the key is known": Case("0 lost, 2 run", 1),
    "a lost reply, and the key is forgotten": Case("0 lost, 26 run", 1),
    "a refused connection does not undo what was lost": Case("0 lost, 1 unreachable, 26 run", 1),
    "nor does a refusal": Case("0 lost, 1 unauthorized, 26 run", 1),
    "a refusal alone leaves no doubt": Case("0 unauthorized, 1 by hand, 26 run", 2),
    "nor does a full disk": Case("0 full, 1 by hand, 26 run", 2),
    "the service counts from the first": Case("0 lost, 2 lost, 24.5 run", 1),
    "so also later": Case("0 lost, 2 lost, 26 lost, 51 run", 1),
    "what never arrived is sent": Case("0 cut, 1 run", 1),
    "also after a day": Case("0 cut, 26 run", 1),
    "and after a day in which it was lost again": Case("0 cut, 20 lost, 26 lost, 43 lost, 51 run", 1),
    "a clock that was ahead": Case("0@2 lost, 26 run", 1),
    "a clock that was two days ahead": Case("0@48 lost, 26 run", 1),
    "a clock that was behind": Case("0@-48 lost, 1 run, 26 run", 1),
    "a clock that is ahead now": Case("0 lost, 1@72 run", 1),
    "another of earlier": Case("-72 by hand, 0 cut, 26 run", 2),
    "another of just before": Case("-3 by hand, 0 cut, 26 run", 1, 10),
    "another of just before, and the key is known": Case("-3 by hand, 0 cut, 2 run", 2),
    "a gateway with a clock of its own": Case("0 lost ahead, 2 run", 1),
    "a gateway with a clock of its own, later": Case("0 lost ahead, 26 run", 1, 10),
    "clocks of one service that differ": Case("0 lost elsewhere, 26 run", 1),
    "made by hand since it was not there": Case("0 cut, 1 by hand, 26 run", 1),
    "changed while the key is known": Case("0 lost, 1 change, 2 run", 1),
    "changed after that": Case("0 lost, 1 change, 26 run", 1, 10),
    "changed and lost again": Case("0 lost, 1 change, 22 lost, 26 run", 1, 10),
    "deleted since": Case("0 lost, 1 delete, 26 run", 1),
    "deleted and sent": Case("0 run, 1 delete, 2 run, 30 run", 1),
    "deleted, and the record is lost": Case("0 run, 1 delete, 1 forget, 2 run", 1),
    "its equal is another": Case("0 cut second, 26 run", 2, file=(LINE, LINE)),
    "both are there": Case("0 lost second, 26 run", 2, file=(LINE, LINE)),
    "a record that breaks off": Case("0 unreachable, 1 torn, 1 lost, 27 run", 1),
    "power that fails": Case("0 lost with the power, 26 run", 1),
    "power that fails while it is known": Case("0 lost with the power, 1 run", 1),
    "another's 404": Case("0 run, 1 gateway, 2 run", 1),
    "another's 404 is an error": Case("0 run, 1 gateway", 1, 6),
    "a moment written in another way": Case("0 run, 1 otherwise, 26 otherwise", 1),
    "no time": Case("0 lost timeless, 1 timeless, 26 timeless", 1),
    "no time and nothing there": Case("0 cut timeless, 26 timeless", 1),
    "no time, and changed": Case("0 lost timeless, 1 change, 2 timeless", 1, 10),
    "kept in another form": Case("0 lost, 26 reformed", 1, 10, file=({**LINE, "is_flagged": True},)),
    "again": Case("0 run, 1 again", 2),
    "again, goes on": Case("0 run, 1 again lost, 2 again", 2),
    "again, goes on when the key is forgotten": Case("0 run, 1 again lost, 27 again", 2),
    "again after it went on": Case("0 run, 1 again lost, 2 again, 3 again", 3),
    "no date": Case("0 run", 0, 2, file=({"description": "rent"},)),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_line_is_there_once(tmp_path: Path, case: Case) -> None:
    world = World(tmp_path)
    world.place.write_lines("many.jsonl", case.file)
    done = world.live(case.happened, POST)
    listed = world.place.json("document", "list", "--all", "--columns", "id")
    assert (len(listed), done.code) == (case.left, case.code), done.err


FILES = {
    "a lost reply, and the key is forgotten": Case("0 lost, 26 run", 1),
    "what never arrived, and another of its name": Case("0 cut, 0.5 other bytes, 26 run", 2),
    "what never arrived, and longer ones of its name": Case("0 cut, 0.5 more bytes, 26 run", 2),
    "what never arrived": Case("0 cut, 26 run", 1),
    "another of earlier": Case("-72 by hand, 0 cut, 26 run", 2),
}


@pytest.mark.parametrize("case", FILES.values(), ids=FILES)
def test_a_file_is_there_once(tmp_path: Path, case: Case) -> None:
    world = World(tmp_path)
    (tmp_path / "rent.txt").write_text("800.00")
    done = world.live(case.happened, UPLOAD)
    listed = world.place.json("file", "list", "--all", "--columns", "id")
    assert (len(listed), done.code) == (case.left, case.code), done.err


def test_what_may_be_there_and_was_changed_is_left_to_a_person(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.place.write_lines("many.jsonl", [{**LINE, "description": "first"}, LINE, {**LINE, "description": "last"}])
    told = world.live("0 lost second, 1 change, 26 run", POST).err.splitlines()
    assert "already there: line 1 is document 1; to post it once more give --again --lines 1" in told
    assert told[-2:] == [
        "error: line 2 of 3: it was sent at 2026-03-02 09:00:00+00:00 and may be there: document 2 was "
        "changed since then, or made shortly before",
        "hint: look at it: if it is this line, send the others with --lines; if not, also this one with --again "
        "--lines 2",
    ]
    world.at(27, "run", (*POST, "--lines", "1,3"))
    world.at(27, "run", (*POST, "--again", "--lines", "2"))
    listed = world.place.json("document", "list", "--all", "--columns", "description")
    assert sorted(one["description"] for one in listed) == ["changed", "first", "last", "rent"]


def test_a_line_in_doubt_that_was_edited_is_told(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.place.write_lines("many.jsonl", [LINE])
    world.live("0 lost", POST)
    world.place.write_lines("many.jsonl", [{**LINE, "description": "Rent"}])
    for _ in range(2):
        done = world.at(1, "run", POST)
        assert done.code == 10
        assert (
            "error: 1 line that the run before sent may be there as well, and is not what is sent now"
            in done.err.splitlines()
        )
    (cut_off,) = world.place.json("resume")
    assert f"hint: look for double documents, then: acctcli resume {cut_off['id']} --forget" in done.err.splitlines()
    world.place.run("resume", cut_off["id"], "--forget")
    assert world.at(1, "run", POST).code == 0


@pytest.mark.parametrize("argv", [POST, ("file", "upload", "one.txt", "two.txt")])
def test_one_record_is_not_two(tmp_path: Path, argv: tuple[str, ...]) -> None:
    world = World(tmp_path)
    world.place.write_lines("many.jsonl", [LINE, {**LINE, "description": "phone"}])
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text(name)
    done = world.at(0, "twin second", argv)
    assert (done.code, "was made of this" in done.err, " may be; look" in done.err) == (9, True, True), done.err
    (cut_off,) = world.place.json("resume")
    assert (cut_off["done"], cut_off["in_doubt"]) == (1, 1)
    done = world.at(1, "run", argv)
    assert (done.code, len(world.place.json(argv[0], "list", "--columns", "id"))) == (0, 2), done.err


def test_the_command_that_repeats_it_says_the_day_itself(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.place.write_lines("many.jsonl", [{"description": "rent"}])
    told = world.at(0, "lost", (*POST, "--date", "today")).err
    today = datetime.now(UTC).astimezone().date().isoformat()
    assert f"many.jsonl --date {today} --idempotency-key" in told


@pytest.mark.parametrize("what", ["run", "hiccup"])
def test_what_was_repeated_at_once_was_not_there_before(tmp_path: Path, what: str) -> None:
    world = World(tmp_path)
    world.place.write_lines("many.jsonl", [LINE])
    told = [world.at(hour, what, POST).err.splitlines()[1:] for hour in (0, 1)]
    again = "already there: line 1 is document 1; to post it once more give --again --lines 1"
    assert [[line for line in lines if not line.startswith("note: ")] for lines in told] == [
        ["posted 1 document"],
        [again, "nothing was posted: 1 line is there already"],
    ]


def test_books_are_the_same_however_they_are_reached(tmp_path: Path) -> None:
    place = company(tmp_path)
    place.write_lines("many.jsonl", [LINE])
    place.run(*POST)
    (tmp_path / "link").symlink_to(tmp_path / "data")
    place.run(*POST, ACCTCLI_DATA_DIR=str(tmp_path / "link"))
    with served(place) as guest:
        url = guest.environ["ACCTCLI_LOCAL_BASE_URL"]
        for other in (url, url.replace("127.0.0.1", "localhost")):
            kept = {"ACCTCLI_LOCAL_BASE_URL": other, "ACCTCLI_LOCAL_TOKEN": guest.environ["ACCTCLI_LOCAL_TOKEN"]}
            forget_replies(place)
            place.run(*POST, **kept)
    assert len(place.json("document", "list")) == 1


def forget_replies(place: Place) -> None:
    from acctcli.service.store.engine.driver import sqlite3

    with sqlite3.connect(Path(place.environ["ACCTCLI_DATA_DIR"], "local", "books.sqlite3")) as database:
        database.execute("DELETE FROM stored_reply")
    database.close()


class World:
    """A company, its service, whose clock is told, and what goes wrong between the two."""

    def __init__(self, folder: Path) -> None:
        self.now = BEGINNING - timedelta(days=10)
        self.off = timedelta()
        self._clocks = (
            patch.object(embedded, "create_app", partial(create_app, clock=lambda: self.now)),
            patch.object(once, "datetime", local_clock(lambda: self.now + self.off)),
            patch.object(retry, "backoff", lambda *_: 0.001),
        )
        with ExitStack() as stack:
            for clock in self._clocks:
                stack.enter_context(clock)
            self.place = company(folder)

    def live(self, happened: str, argv: tuple[str, ...]) -> Done:
        """Let it happen, and return what the last command said."""
        done = Done(0, "", "")
        for step in happened.split(", "):
            when, _, what = step.partition(" ")
            hour, _, off = when.partition("@")
            self.off = timedelta(hours=float(off or 0))
            done = self.at(float(hour), what, argv)
        return done

    def at(self, hour: float, what: str, argv: tuple[str, ...]) -> Done:
        """Let one thing happen at an hour of the service."""
        self.now = BEGINNING + timedelta(hours=hour)
        with ExitStack() as stack:
            for clock in self._clocks:
                stack.enter_context(clock)
            act = getattr(self, f"_{what.replace(' ', '_')}", None)
            if act is not None:
                act()
                return Done(0, "", "")
            if "again" in what:
                argv = (*argv, "--again")
            if "power" in what:
                return self._without_power(partial(self._command, what, argv))
            return self._command(what, argv)

    def _command(self, what: str, argv: tuple[str, ...]) -> Done:
        variables = {"ACCTCLI_DATA_DIR": self.place.environ["ACCTCLI_DATA_DIR"]}
        with patch.object(Http, "_exchange", Fault(self, what).exchange):
            return self.place.try_run(*argv, **variables)

    def _by_hand(self) -> None:
        if (self.place.folder / "rent.txt").exists():
            self._from_another_machine("800.00")
        else:
            self.place.run("document", "create", *(f"--{name}={value}" for name, value in LINE.items()))

    def _other_bytes(self) -> None:
        self._from_another_machine("900.00")

    def _more_bytes(self) -> None:
        self._from_another_machine("800.00 and more")

    def _from_another_machine(self, content: str) -> None:
        path = self.place.folder / "other" / "rent.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
        self.place.run("file", "upload", str(path), ACCTCLI_STATE_DIR=str(path.parent))

    def _change(self) -> None:
        self.place.run("document", "update", self._newest(), "--description", "changed")

    def _delete(self) -> None:
        self.place.run("document", "delete", self._newest(), "--yes")

    def _forget(self) -> None:
        shutil.rmtree(state_dir(self.place.environ))

    def _newest(self) -> str:
        return str(max(one["id"] for one in self.place.json("document", "list", "--columns", "id")))

    def _records(self) -> list[Path]:
        return sorted(path for path in state_dir(self.place.environ).rglob("*") if path.suffix in {".jsonl", ".json"})

    def _torn(self) -> None:
        for path in self._records():
            if path.suffix == ".jsonl":
                with path.open("ab") as file:
                    file.write(b'{"event":"sent","key":"')

    def _without_power(self, run: Callable[[], Done]) -> Done:
        """Leave of the records what was on the disk."""
        kept: dict[Path, bytes] = {}
        sync = os.fsync

        def keep(handle: int) -> None:
            sync(handle)
            path = Path(f"/proc/self/fd/{handle}").readlink()
            if path.is_file():
                kept[path] = path.read_bytes()

        with patch.object(os, "fsync", keep):
            done = run()
        for path in self._records():
            path.write_bytes(kept[path]) if path in kept else path.unlink()
        return done


class Fault:
    """What goes wrong with the requests of one command."""

    def __init__(self, world: World, what: str) -> None:
        self._world = world
        self._what = what
        self._after = 1 if "second" in what else 0
        self._posts: set[Any] = set()
        self._lost: set[Any] = set()
        self._exchange: Exchange = Http._exchange

    @property
    def exchange(self) -> Exchange:
        def exchange(http: Http, request: Any, *rest: Any) -> Reply:
            reply = self._written(http, request, *rest) if request.writes else self._read(http, request, *rest)
            if "timeless" in self._what:
                http.date = None
            if "ahead" in self._what and http.date:
                http.date = format_datetime(parsedate_to_datetime(http.date) + timedelta(hours=3))
            return reply

        return exchange

    def _read(self, http: Http, request: Any, *rest: Any) -> Reply:
        reply = self._exchange(http, request, *rest)
        if "gateway" in self._what and "/document/" in request.path:
            return HTML
        if "reformed" in self._what:
            return Reply(reply.status, reply.headers, reply.body.replace(b'"is_flagged":true', b'"is_flagged":false'))
        if "otherwise" in self._what:
            return Reply(reply.status, reply.headers, reply.body.replace(b'Z"', b'+00:00"'))
        return reply

    def _written(self, http: Http, request: Any, *rest: Any) -> Reply:
        self._posts.add(request.key)
        if len(self._posts) <= self._after:
            return self._exchange(http, request, *rest)
        if "unreachable" in self._what:
            http.writes.leaves(request)
            http.writes.never_arrived(request)
            raise httpx.ConnectError("refused")
        if status := {"unauthorized": 401, "full": 507}.get(self._what):
            http.writes.leaves(request)
            http.writes.is_answered(request, status, is_void=True)
            return Reply(status, {}, b'{"detail": "Refused."}')
        if "cut" in self._what:
            http.writes.leaves(request)
            raise httpx.ReadError("cut")
        if "lost" in self._what or ("hiccup" in self._what and request.key not in self._lost):
            self._lost.add(request.key)
            self._do(http, request, *rest)
            raise httpx.ReadError("lost")
        reply = self._exchange(http, request, *rest)
        if "twin" in self._what:
            return Reply(reply.status, reply.headers, json.dumps({**json.loads(reply.body), "id": 1}).encode())
        return reply

    def _do(self, http: Http, request: Any, *rest: Any) -> None:
        """Have it done, so that nobody hears of it."""
        if "elsewhere" in self._what:
            self._world.now -= timedelta(minutes=10)
        with patch.object(http, "writes", type(http.writes)()):
            self._exchange(http, request, *rest)
        if "elsewhere" in self._what:
            self._world.now += timedelta(minutes=10)
        http.writes.leaves(request)


def local_clock(now: Callable[[], datetime]) -> type[datetime]:
    class Local(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return now().astimezone(tz)

    return Local
