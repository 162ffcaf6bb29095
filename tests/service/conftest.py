"""Databases of both kinds, and the service over them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from acctcli.service.store.engine.database import Database
from tests.databases import KINDS, Factory, Lasting, SqliteFactory, lent, opened
from tests.service.actor import World, world
from tests.sizes import runs_everywhere

NO_SQL = frozenset({"cases", "http", "identity", "pages", "routes"})


@pytest.fixture(scope="session")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> SqliteFactory:
    """Files of a folder."""
    return SqliteFactory(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture
def sqlite_factory(sqlite: SqliteFactory) -> Iterator[Factory]:
    """Files for one test."""
    with lent(sqlite) as factory:
        yield factory


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Choose the databases of a test: both; the first where the code knows no SQL, unless SQL counts.

    So tests of `NO_SQL` are marked `everywhere` that run a statement which no other test does, or are about what the
    databases do in their own ways: order, search, limits, what goes with what, and writers at once. Others that are
    about neither are marked `anywhere`.
    """
    if "database_kind" in metafunc.fixturenames:
        usually = NO_SQL.isdisjoint(metafunc.definition.path.parts)
        kinds = KINDS if runs_everywhere(metafunc.definition, usually=usually) else KINDS[:1]
        metafunc.parametrize("database_kind", kinds, indirect=True, scope="session")


@pytest.fixture(scope="session")
def database_kind(request: pytest.FixtureRequest) -> str:
    """The kind of database a test runs on."""
    return str(request.param)


@pytest.fixture(scope="session")
def lasting(database_kind: str, request: pytest.FixtureRequest) -> Lasting:
    """Makes databases of the kind; the server starts only when a test needs it."""
    made: Lasting = request.getfixturevalue("sqlite" if database_kind == "sqlite" else "postgres")
    return made


@pytest.fixture
def factory(lasting: Lasting) -> Iterator[Factory]:
    """Makes databases of the kind for one test."""
    with lent(lasting) as made:
        yield made


@pytest.fixture
def database_url(factory: Factory) -> str:
    """An empty, migrated database."""
    return factory.fresh()


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """The same, open."""
    with opened(database_url) as made:
        yield made


@pytest.fixture
def service(database: Database) -> Iterator[World]:
    """The service in process, over a database of its own."""
    with world(database) as made:
        yield made


@pytest.fixture(scope="module")
def shared(lasting: Lasting) -> Iterator[World]:
    """The service over a database that the tests of a module share."""
    with lent(lasting) as factory, opened(factory.fresh()) as database, world(database) as made:
        yield made
