"""How many threads a worker makes, of those that the system grants."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from acctcli.service.http import granted
from acctcli.service.http.granted import LEAST, most_threads
from acctcli.service.http.patience import THREADS

NO_LIMIT = resource.RLIM_INFINITY
Grant = Callable[..., None]


@pytest.fixture
def grant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Grant:
    """Let the system grant so many threads to a user, and so many more to a group that has some."""

    def grants(user: int = NO_LIMIT, *, number: int = 1000, group: str = "max", used: int = 0) -> None:
        monkeypatch.setattr(resource, "getrlimit", lambda _: (user, NO_LIMIT))
        monkeypatch.setattr(os, "geteuid", lambda: number)
        monkeypatch.setattr(granted, "GROUPS", tmp_path)
        for folder in (tmp_path / "pids" / "box", tmp_path / "pids"):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "pids.max").write_text(f"{group if folder.name == 'pids' else 'max'}\n")
            (folder / "pids.current").write_text(f"{used}\n")
        own = tmp_path / "cgroup"
        own.write_text("9:memory:/other\n8:pids:/box\n0::/nowhere\n")
        monkeypatch.setattr(granted, "OWN", own)

    return grants


@pytest.mark.parametrize(("workers", "threads"), [(1, 100), (2, 50), (100, LEAST)])
def test_workers_share_half_of_what_a_user_may_have(grant: Grant, workers: int, threads: int) -> None:
    grant(200)
    assert most_threads(workers) == threads


def test_they_share_half_of_what_is_left_to_a_group_around_them(grant: Grant) -> None:
    grant(group="150", used=50)
    assert most_threads(1) == 50


@pytest.mark.parametrize(("user", "number"), [(NO_LIMIT, 1000), (10**6, 1000), (200, 0)])
def test_there_are_no_more_than_are_of_use_and_root_has_no_limit(grant: Grant, user: int, number: int) -> None:
    grant(user, number=number)
    assert most_threads(1) == THREADS
