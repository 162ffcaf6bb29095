"""What tests of every area share."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

from acctcli.__main__ import GC_THRESHOLDS
from acctcli.client import known
from tests import sizes, surroundings, tables
from tests.databases import Factory, PostgresFactory, lent, postgres_server
from tests.postgres import find_obstacle

# walks through books of months, disks that fail, processes that wait for each other
LONG: Final = {
    "company",
    "test_drill.py",
    "test_long_reads.py",
    "test_postgres.py",
    "test_readme.py",
    "test_restoring.py",
    "test_serving.py",
    "test_sign_in.py",
    "test_sign_in_pages.py",
    "test_watch.py",
    "test_workers.py",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--full`."""
    sizes.add_option(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Settle down before anything is collected; in CI (CI=true), see that PostgreSQL can run."""
    # a third of the time that reading all tests takes goes into looking for garbage, and none of them is
    gc.disable()
    surroundings.settle()
    sizes.choose(config)
    if folder := config.getoption("measure"):
        worker = getattr(config, "workerinput", {}).get("workerid")
        # who only hands tests out runs none
        if worker or not config.getoption("numprocesses", None):
            from tests.choosing import Measure

            config.pluginmanager.register(Measure(folder, worker or "one"))
    config.addinivalue_line("markers", f"{tables.TOGETHER}: rows share what fixtures give, and are one test")
    if os.environ.get(surroundings.IN_CI) == "true" and (obstacle := find_obstacle()):
        raise pytest.UsageError(obstacle)


@pytest.hookimpl(trylast=True)
def pytest_sessionstart() -> None:
    """Prepare random texts, once the plugin of hypothesis allows it."""
    sizes.prepare()


def pytest_collection(session: pytest.Session) -> None:
    """Let each worker read all tests from another quarter on: who is first at a module compiles it for the others."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    modules = sorted(Path(__file__).parent.rglob("test_*.py"))
    first = len(modules) * int(worker["workerid"].removeprefix("gw")) // int(worker["workercount"])
    for path in (*modules[first:], *modules[:first]):
        # what is wrong with a module is told when it is collected
        with contextlib.suppress(Exception, pytest.skip.Exception):
            import_module(".".join(path.relative_to(session.config.rootpath).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)
def pytest_make_collect_report(collector: pytest.Collector) -> None:
    """Make one test of the rows of a table, unless one of them is asked for by its name."""
    if isinstance(collector, pytest.Module) and not any("[" in word for word in collector.config.args):
        # what is wrong with a module is told when it is collected
        with contextlib.suppress(Exception, pytest.skip.Exception):
            tables.join(collector.obj)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes long or waits long, lest one worker is at it when the others are done."""
    sizes.leave_out(config, items)
    items.sort(key=lambda item: LONG.isdisjoint(item.path.parts))


def pytest_collection_finish() -> None:
    """Look for garbage from now on, and never among the tests themselves; who only counts results makes none."""
    gc.freeze()
    # as rarely as commands do
    gc.set_threshold(*GC_THRESHOLDS)
    gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell what was left out, if this is a worker."""
    sizes.tell_controller(session.config)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear what a worker left out."""
    sizes.hear_worker(node.config, getattr(node, "workeroutput", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what is left to the night, in a line."""
    if said := sizes.summary(terminalreporter.config):
        terminalreporter.write_line(said)


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """See that no test masks the secrets of another: a process is one command's elsewhere."""
    monkeypatch.setattr(known, "_told", set())


@pytest.fixture
def books_stay_open(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the commands of one test find books open, unless all of them are run."""
    # most tests run no command
    from tests.journeys.places import kept_open

    if sizes.is_full():
        yield
        return
    if "tmp_path" in request.fixturenames:
        # it is gone later than what is open in it
        request.getfixturevalue("tmp_path")
    with kept_open():
        yield


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
