"""How many workers there are, and how many threads each makes, of those that the system grants."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from acctcli.errors import UsageError
from acctcli.service.http import granted
from acctcli.service.http.granted import BESIDE, LEAST, most_connections, share
from acctcli.service.http.patience import THREADS

NO_LIMIT = resource.RLIM_INFINITY
Grant = Callable[..., None]


@pytest.fixture
def grant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Grant:
    """Let the system grant so many threads to a user, and so many more to a group that has some."""

    def grants(
        user: int = NO_LIMIT, *, number: int = 1000, group: str = "max", used: int = 0, files: int = 4096
    ) -> None:
        limits = {resource.RLIMIT_NPROC: (user, NO_LIMIT), resource.RLIMIT_NOFILE: (files, files)}
        monkeypatch.setattr(resource, "getrlimit", limits.get)
        monkeypatch.setattr(os, "geteuid", lambda: number)
        monkeypatch.setattr(granted, "GROUPS", tmp_path)
        monkeypatch.setattr(granted, "PROCESSES", tmp_path / "proc")
        for folder in (tmp_path / "pids" / "box", tmp_path / "pids"):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "pids.max").write_text(f"{group if folder.name == 'pids' else 'max'}\n")
            (folder / "pids.current").write_text(f"{used}\n")
        own = tmp_path / "cgroup"
        own.write_text("9:memory:/other\n8:pids:/box\n0::/nowhere\n")
        monkeypatch.setattr(granted, "OWN", own)

    return grants


@pytest.mark.parametrize(
    ("wanted", "workers", "threads"), [(1, 1, 100), (2, 2, 50), (6, 6, LEAST), (7, 6, LEAST), (100, 6, LEAST)]
)
def test_workers_share_half_of_what_a_user_may_have(grant: Grant, wanted: int, workers: int, threads: int) -> None:
    grant(200)
    assert share(wanted) == (workers, threads)


def test_what_a_user_has_already_is_not_granted_again(grant: Grant, tmp_path: Path) -> None:
    grant(200, number=os.getuid() or 1000)
    for process, threads in ((7, 30), (8, 70)):
        for number in range(threads):
            (tmp_path / "proc" / str(process) / "task" / str(number)).mkdir(parents=True)
        os.chown(tmp_path / "proc" / str(process), os.geteuid(), -1)
    others = tmp_path / "proc" / "self"
    others.mkdir()
    assert share(1) == (1, 50)


def test_they_share_half_of_what_is_left_to_a_group_around_them(grant: Grant) -> None:
    grant(group="150", used=50)
    assert share(1) == (1, 50)


@pytest.mark.parametrize(("user", "number"), [(NO_LIMIT, 1000), (10**6, 1000), (200, 0)])
def test_there_are_no_more_than_are_of_use_and_root_has_no_limit(grant: Grant, user: int, number: int) -> None:
    grant(user, number=number)
    assert share(4) == (4, THREADS)


@pytest.mark.parametrize(("files", "threads"), [(128, LEAST), (1024, 165), (4096, THREADS)])
def test_there_are_connections_for_more_than_the_requests_under_way(grant: Grant, files: int, threads: int) -> None:
    grant(files=files)
    assert share(1) == (1, threads)
    assert most_connections() >= 2 * threads
    # what is open anyway, and three files of the database and one of the content
    assert 32 + most_connections() + 4 * threads <= files


def test_without_descriptors_for_one_worker_nothing_is_served(grant: Grant) -> None:
    grant(files=127)
    with pytest.raises(UsageError, match="grants 127 descriptors, and serving takes 128"):
        share(1)


def test_without_enough_for_one_worker_nothing_is_served(grant: Grant) -> None:
    grant(LEAST + BESIDE)
    assert share(4) == (1, LEAST)
    grant(LEAST + BESIDE - 1)
    with pytest.raises(
        UsageError, match=f"grants {LEAST + BESIDE - 1} more threads, and serving takes {LEAST + BESIDE}"
    ):
        share(4)


@pytest.mark.parametrize("used", [150, 160])
def test_a_group_that_has_them_all_leaves_none(grant: Grant, used: int) -> None:
    grant(group="150", used=used)
    with pytest.raises(UsageError, match="grants 0 more threads"):
        share(1)
