"""Fixtures of tests about signing in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cli.auth.door import door
from tests.cli.conftest import At
from tests.cli.recorder import Recorder, recorder
from tests.credentials.keyrings import MemoryKeyring, installed


@pytest.fixture
def server(at: At, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    """A service, and nobody signed in to it."""
    with recorder(door) as running:
        at(running)
        monkeypatch.delenv("ACCTCLI_TOKEN")
        yield running


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    backend = MemoryKeyring()
    with installed(backend):
        yield backend
