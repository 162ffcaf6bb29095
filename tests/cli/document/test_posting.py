"""A file of documents is posted once, however often and after whatever end it is posted again."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from acctcli.cli.command import record
from acctcli.cli.command.items import says
from acctcli.cli.document import posting
from acctcli.errors import NotWritten
from acctcli.settings.files import claimed
from tests.cli.company import company
from tests.cli.processes import ACCTCLI
from tests.fault_proxy import Fault, FaultProxy, fault_proxy
from tests.journeys.places import Place, served

POST = ("document", "create", "--file", "many.jsonl", "--json", "--columns", "id,description")
ALREADY = "lines are there already"


def lines(*numbers: int) -> list[dict[str, str]]:
    return [{"date": "2026-03-01", "description": f"line {number}"} for number in numbers]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return company(tmp_path)


def there(place: Place) -> Counter[str]:
    """How often each line is in the books."""
    return Counter(one["description"] for one in place.json("document", "list", "--all", "--columns", "description"))


def once(*numbers: int) -> Counter[str]:
    return Counter(line["description"] for line in lines(*numbers))


def test_a_second_run_says_what_is_there_already(place: Place) -> None:
    place.write_lines("many.jsonl", lines(1, 2, 3))
    first = place.run(*POST)
    second = place.run(*POST)
    assert there(place) == once(1, 2, 3)
    assert second.out == first.out
    assert second.err.splitlines()[-2:] == [
        "already there: lines 1-3 are documents 1-3; to post them once more give --again --lines 1-3",
        f"nothing was posted: all 3 {ALREADY}",
    ]


def test_again_means_it(place: Place) -> None:
    place.write_lines("many.jsonl", lines(1, 2))
    place.run(*POST)
    assert place.run(*POST, "--again").err.splitlines()[-1] == "posted 2 documents"
    assert there(place) == once(1, 2) + once(1, 2)


def test_equal_lines_of_a_file_are_as_many_documents(place: Place) -> None:
    place.write_lines("many.jsonl", lines(1, 1, 2))
    place.run(*POST)
    place.write_lines("many.jsonl", lines(1, 1, 1, 2))
    assert place.run(*POST).err.splitlines()[-1] == f"posted 1 document: 3 {ALREADY}"
    assert there(place) == once(1, 1, 1, 2)


def test_a_file_that_was_mended_renamed_and_shuffled_goes_on(place: Place) -> None:
    place.write_lines("many.jsonl", [*lines(1, 2), {"date": "2026-03-01", "contact_id": 99}, *lines(4)])
    failed = place.try_run(*POST)
    assert failed.code == 7
    place.write_lines("other.jsonl", lines(4, 3, 2, 1))
    told = place.run(*POST[:3], "other.jsonl", "--quiet")
    assert there(place) == once(1, 2, 3, 4)
    assert told.err == (
        "already there: line 3 is document 2, line 4 is document 1; to post them once more give --again --lines 3,4\n"
    )


@pytest.mark.parametrize("how", ["the key is forgotten", "the record is lost"])
def test_the_record_and_the_service_each_know_it_alone(place: Place, how: str) -> None:
    place.write_lines("many.jsonl", lines(1, 2))
    place.run(*POST)
    if how == "the record is lost":
        shutil.rmtree(record.runs_folder(place.environ))
    else:
        forget_keys(place)
    assert place.run(*POST).err.splitlines()[-1].startswith("nothing was posted: all 2 lines are there already")
    assert there(place) == once(1, 2)


def forget_keys(place: Place) -> None:
    """Let the service know no key any more, as after 24 hours."""
    from acctcli.service.store.engine.driver import sqlite3

    with sqlite3.connect(Path(place.environ["ACCTCLI_DATA_DIR"], "local", "books.sqlite3")) as database:
        assert database.execute("DELETE FROM stored_reply").rowcount > 0
    database.close()


def test_what_was_deleted_since_is_posted_again(place: Place) -> None:
    place.write_lines("many.jsonl", lines(1, 2))
    made = json.loads(place.run(*POST).out)
    place.run("document", "delete", str(made[1]["id"]), "--yes")
    told = place.run(*POST).err.splitlines()
    assert told[-3:] == [
        f"gone, and posted again: line 2 was document {made[1]['id']}",
        "already there: line 1 is document 1; to post it once more give --again --lines 1",
        "posted 1 document: 1 line is there already",
    ]
    assert place.run(*POST).err.splitlines()[-1].startswith("nothing was posted: all 2")
    assert there(place) == once(1, 2)


def test_new_books_with_the_ids_of_the_old_ones_get_all_lines(place: Place) -> None:
    place.write_lines("many.jsonl", lines(1, 2))
    place.run(*POST)
    place.run("local", "reset", "--yes")
    place.run("business", "create", "--name", "Company", "--form", "FI_OY", "--slug", "company")
    place.run(*POST)
    assert there(place) == once(1, 2)


def record_of(place: Place) -> Path:
    (path,) = record.runs_folder(place.environ).glob("*/*.jsonl")
    return path


def test_what_was_sent_is_kept_while_it_is_needed_and_is_the_owner_s(place: Place) -> None:
    place.write_lines("many.jsonl", [{"date": "2026-03-01", "contact_id": 99}])
    assert place.try_run(*POST, "--description", "Salary of Anna 4711.99").code == 7
    path = record_of(place)
    run = path.with_suffix(".json")
    assert "Anna" in run.read_text()
    assert {one.stat().st_mode & 0o777 for one in (path, run)} == {0o600}
    assert {one.stat().st_mode & 0o777 for one in (path.parent, path.parent.parent)} == {0o700}
    place.write_lines("many.jsonl", [{"date": "2026-03-01"}])
    place.run(*POST, "--description", "Salary of Anna 4711.99")
    assert not run.exists()
    assert "Anna" not in path.read_text()
    told = ["listed", "done"]
    assert re.findall('"event":"([a-z]+)"', path.read_text()) == told


def test_what_may_be_there_stays_in_a_record_that_has_ended(tmp_path: Path) -> None:
    run = record.Run(datetime.now(UTC), "b", None, "demo", "local", "k", "f", False, "", 1, [], "", "posting")
    environ = {"ACCTCLI_STATE_DIR": str(tmp_path)}
    at = datetime(2026, 3, 1, tzinfo=UTC)
    lost, other = record.Sent("k-1", 1, at), record.Sent("k-2", 2, at)
    with record.Record(environ, run) as kept:
        kept.begin([])
        for sent in (lost, other, lost):
            kept.sending(sent)
        kept.is_refused("k-1")
        kept.is_done(record.Done("k-2", 2, 7))
        kept.end({"k-2"})
    assert kept.path.read_bytes().count(b"\n") == 2
    with record.Record(environ, run) as again:
        assert again.known.tries("k-1") == [lost]
        assert again.known.done == {"k-2": record.Done("k-2", 2, 7)}


@pytest.mark.parametrize("is_running", [False, True])
def test_records_of_two_years_ago_are_forgotten_unless_they_are_in_use(place: Place, *, is_running: bool) -> None:
    place.write_lines("many.jsonl", lines(1))
    place.run(*POST)
    path = record_of(place)
    old = (datetime.now(UTC) - timedelta(days=730)).timestamp()
    lock = path.with_name(f"{path.name}.lock")
    for one in (path, lock):
        os.utime(one, (old, old))
    place.write_lines("other.jsonl", lines(2))
    with claimed(path) if is_running else nullcontext():
        place.run(*POST[:3], "other.jsonl")
    assert (path.exists(), lock.exists()) == (is_running, is_running)


def test_a_folder_that_cannot_be_written_is_said_before_anything_is_sent(place: Place) -> None:
    place.write_lines("many.jsonl", lines(1))
    (place.folder / "file").write_text("")
    done = place.try_run(*POST, ACCTCLI_STATE_DIR=str(place.folder / "file" / "state"))
    assert (done.code, there(place)) == (2, Counter())
    assert "what is sent cannot be remembered" in done.err


def test_a_line_does_not_leave_of_which_the_disk_takes_a_part(tmp_path: Path) -> None:
    run = record.Run(datetime.now(UTC), "b", None, "demo", "local", "k", "f", False, "", 1, [], "", "posting")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with record.Record({"ACCTCLI_STATE_DIR": str(tmp_path)}, run) as kept:
        kept.begin([])
        resource.setrlimit(resource.RLIMIT_FSIZE, (kept.path.stat().st_size + 10, hard))
        try:
            with pytest.raises(NotWritten, match=r"what is sent cannot be remembered in .*: File too large"):
                kept.sending(record.Sent("k-1", 1, None))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_whatever_signal_ends_a_run_the_next_one_finishes_it(place: Place, number: signal.Signals) -> None:
    place.write_lines("many.jsonl", lines(*range(40)))
    with served(place) as guest, fault_proxy(guest.environ["ACCTCLI_LOCAL_BASE_URL"], stalling(12)) as proxy:
        guest.environ.update(ACCTCLI_LOCAL_BASE_URL=proxy.base_url, ACCTCLI_BUSINESS="company")
        argv = ("document", "create", "--file", str(place.folder / "many.jsonl"), "--quiet")
        command = [*ACCTCLI, *argv]
        with subprocess.Popen(command, env=guest.environ, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as running:
            wait_for_stall(proxy)
            running.send_signal(number)
            _, err = running.communicate(timeout=30)
        again = guest.run(*argv[:-1])
    assert there(place) == once(*range(40))
    assert again.err.splitlines()[-1] == f"posted 28 documents: 12 {ALREADY}"
    if number != signal.SIGKILL:
        assert running.returncode == 128 + number
        assert "11 lines are there, and line 12 of 40 may be; look with: acctcli api GET" in err.decode()
        assert re.search(
            r"do it again safely with: acctcli document create --file \S+ --quiet --idempotency-key \S+\n", err.decode()
        )


def stalling(line: int) -> Iterator[Fault]:
    yield from [Fault.NONE] * line  # the first request asks which books these are
    yield Fault.STALL


def wait_for_stall(proxy: FaultProxy) -> None:
    deadline = time.monotonic() + 30
    while sum(one.status in {200, 201} for one in proxy.deliveries) < 13:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_file_that_another_command_posts_is_refused(place: Place) -> None:
    place.write_lines("many.jsonl", lines(1))
    place.run(*POST)
    with claimed(record_of(place)) as is_ours:
        assert is_ours
        done = place.try_run(*POST)
    assert done.code == 2
    assert "another command is posting" in done.err


def test_amounts_are_compared_by_all_their_digits() -> None:
    sent, other = (posting._exact(f'{{"amount": 90071992547409.9{cent}}}'.encode()) for cent in "23")
    assert says(sent, posting._exact(b'{"amount": 90071992547409.920, "id": 1}'))
    assert not says(sent, other)
    long, longer = (posting._exact(f'{{"amount": 9007199254740993.{cent}}}'.encode()) for cent in ("01", "02"))
    assert not says(long, longer)
