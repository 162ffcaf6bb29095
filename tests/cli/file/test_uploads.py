"""Files are uploaded once, however often and after whatever end the command is run again."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from acctcli.cli.command import record
from tests.cli.company import company
from tests.cli.document.test_posting import forget_keys, stalling, wait_for_stall
from tests.cli.processes import ACCTCLI
from tests.fault_proxy import fault_proxy
from tests.journeys.places import Place, served

ALREADY = "files are there already"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return company(tmp_path)


def written(place: Place, *names: str) -> list[str]:
    for name in names:
        (place.folder / name).write_text(f"receipt {name}")
    return list(names)


def there(place: Place) -> Counter[str]:
    """How often each file is there."""
    return Counter(one["name"] for one in place.json("file", "list", "--all", "--columns", "name"))


def test_a_second_run_uploads_nothing_and_says_what_is_there(place: Place) -> None:
    upload = ("file", "upload", *written(place, "a.txt", "b.txt"), "--json", "--columns", "id,name")
    first = place.run(*upload)
    second = place.run(*upload)
    assert first.err.splitlines()[0].startswith("uploading 2 files under the key ")
    assert first.err.splitlines()[1:] == ["uploaded 2 files"]
    assert second.out == first.out
    assert second.err.splitlines()[-1] == f"nothing was uploaded: all 2 {ALREADY}"
    assert place.run("file", "upload", *written(place, "b.txt", "c.txt")).err.splitlines()[-1] == (
        "uploaded 1 file: 1 file is there already"
    )
    assert there(place) == Counter(["a.txt", "b.txt", "c.txt"])


def test_a_single_file_is_known_again_in_any_folder_of_this_machine_and_from_a_pipe(place: Place) -> None:
    place.run("file", "upload", *written(place, "a.txt"))
    (place.folder / "other").mkdir()
    (place.folder / "a.txt").rename(place.folder / "other" / "a.txt")
    for told in (
        place.run("file", "upload", "other/a.txt"),
        place.run("file", "upload", "-", "--name", "a.txt", stdin="receipt a.txt"),
    ):
        assert told.err.splitlines() == [
            "already there: file 1 is file 1; to upload it once more give --again and just these paths",
            "nothing was uploaded: 1 file is there already",
        ]
    assert there(place) == Counter(["a.txt"])


def test_another_name_another_content_and_again_are_other_files(place: Place) -> None:
    place.run("file", "upload", *written(place, "a.txt"))
    place.run("file", "upload", "a.txt", "--name", "b.txt")
    (place.folder / "a.txt").write_text("another receipt")
    place.run("file", "upload", "a.txt")
    place.run("file", "upload", "a.txt", "--again")
    assert there(place) == Counter({"a.txt": 3, "b.txt": 1})


@pytest.mark.parametrize("how", ["the key is forgotten", "the record is lost"])
def test_the_record_and_the_service_each_know_it_alone(place: Place, how: str) -> None:
    upload = ("file", "upload", *written(place, "a.txt", "b.txt"))
    place.run(*upload)
    if how == "the record is lost":
        shutil.rmtree(record.runs_folder(place.environ))
    else:
        forget_keys(place)
    assert place.run(*upload).err.splitlines()[-1] == f"nothing was uploaded: all 2 {ALREADY}"
    assert there(place) == Counter(["a.txt", "b.txt"])


def test_what_was_deleted_since_is_uploaded_again(place: Place) -> None:
    upload = ("file", "upload", *written(place, "a.txt", "b.txt"))
    made = json.loads(place.run(*upload, "--json").out)
    place.run("file", "delete", str(made[1]["id"]), "--yes")
    assert place.run(*upload).err.splitlines()[-3:] == [
        f"gone, and uploaded again: file 2 was file {made[1]['id']}",
        "already there: file 1 is file 1; to upload it once more give --again and just these paths",
        "uploaded 1 file: 1 file is there already",
    ]
    assert there(place) == Counter(["a.txt", "b.txt"])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_whatever_signal_ends_a_run_the_next_one_finishes_it(place: Place, number: signal.Signals) -> None:
    names = written(place, *(f"{place}.txt" for place in range(20)))
    with served(place) as guest, fault_proxy(guest.environ["ACCTCLI_LOCAL_BASE_URL"], stalling(12)) as proxy:
        guest.environ.update(ACCTCLI_LOCAL_BASE_URL=proxy.base_url, ACCTCLI_BUSINESS="company")
        argv = ("file", "upload", *(str(place.folder / name) for name in names))
        with subprocess.Popen(
            [*ACCTCLI, *argv], env=guest.environ, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        ) as running:
            wait_for_stall(proxy)
            running.send_signal(number)
            running.communicate(timeout=30)
        (cut_off,) = guest.json("resume", "--columns", "id,lines,done,in_doubt")
        assert cut_off == {"id": cut_off["id"], "lines": 20, "done": 11, "in_doubt": 1}
        told = guest.run("resume", cut_off["id"]) if number == signal.SIGKILL else guest.run(*argv)
    assert there(place) == Counter(names)
    assert told.err.splitlines()[-1] == f"uploaded 8 files: 12 {ALREADY}"
    assert place.json("resume") == []
