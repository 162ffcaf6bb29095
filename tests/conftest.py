"""What tests of every area share."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest

from acctcli.client import known
from tests import sizes, surroundings
from tests.databases import Factory, PostgresFactory, lent, postgres_server
from tests.postgres import find_obstacle


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--full`."""
    sizes.add_option(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Settle down before anything is collected; in CI (CI=true), see that PostgreSQL can run."""
    # a third of the time that reading all tests takes goes into looking for garbage, and none of them is
    gc.disable()
    surroundings.settle()
    sizes.choose(config)
    if os.environ.get("CI") == "true" and (obstacle := find_obstacle()):
        raise pytest.UsageError(obstacle)


@pytest.hookimpl(trylast=True)
def pytest_sessionstart() -> None:
    """Prepare random texts, once the plugin of hypothesis allows it."""
    sizes.prepare()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes minutes, lest one worker still walks when the others are done."""
    items.sort(key=lambda item: "company" not in item.path.parts)


def pytest_collection_finish() -> None:
    """Look for garbage from now on, and never among the tests themselves; who only counts results makes none."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """See that no test masks the secrets of another: a process is one command's elsewhere."""
    monkeypatch.setattr(known, "_told", set())


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresFactory]:
    """One PostgreSQL server for the whole run; where it cannot run, its tests are skipped and say why."""
    if obstacle := find_obstacle():
        pytest.skip(obstacle)
    with postgres_server() as factory:
        yield factory


@pytest.fixture
def postgres_factory(postgres: PostgresFactory) -> Iterator[Factory]:
    """Databases of the server for one test."""
    with lent(postgres) as factory:
        yield factory
