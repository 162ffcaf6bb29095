"""What tests of every area share."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import sizes
from tests.databases import Factory, postgres_server

MEMORY = Path("/dev/shm")
ROOM = 8 * 2**30


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--full`."""
    sizes.add_option(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Put what tests write into memory where there is room: SQLite waits for the disk at every commit."""
    sizes.choose(config)
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ROOM:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes minutes, lest one worker still walks when the others are done."""
    items.sort(key=lambda item: "company" not in item.path.parts)


@pytest.fixture(scope="session")
def postgres_factory() -> Iterator[Factory]:
    """One PostgreSQL server for the whole run."""
    environ = dict(os.environ)
    with postgres_server() as factory:
        yield factory
    os.environ.clear()
    os.environ.update(environ)
