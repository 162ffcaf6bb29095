"""What tests make of PostgreSQL is gone when it is needed no more, however a run ends."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from acctcli.service.identity import grants
from acctcli.service.store.events import NOBODY
from tests.check import CHECKOUT
from tests.databases import NUMBERS, TABLES, Factory, PostgresFactory, SqliteFactory, lent, opened
from tests.postgres import lives

RUN = """
from tests import surroundings
surroundings.settle()
from tests.databases import postgres_server
with postgres_server():
    print(flush=True)
    input()
"""
GIVE = """
import sys
from pathlib import Path
from tests import postgres
postgres.SERVER_USER = sys.argv[1]
postgres.give(Path(sys.argv[2]))
"""


@pytest.fixture
def place() -> Iterator[str]:
    """A folder for temporary files that another user may enter."""
    with tempfile.TemporaryDirectory(prefix="acct-left-") as name:
        Path(name).chmod(0o755)
        yield name


def begin(place: str) -> subprocess.Popen[bytes]:
    """Begin a run that has a server, and wait until it has."""
    environ = {**os.environ, "TMPDIR": place}
    run = subprocess.Popen(
        [sys.executable, "-c", RUN], cwd=CHECKOUT, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert run.stdout is not None
    assert run.stdout.readline() == b"\n"
    return run


def servers(place: str) -> set[int]:
    """Return the processes whose data lie in a folder."""
    return {int(path.read_text().split()[0]) for path in Path(place).glob("*/*/postmaster.pid")}


def test_what_a_killed_run_left_is_put_away_by_the_next_and_nothing_else(postgres: PostgresFactory, place: str) -> None:
    del postgres  # where it cannot run, these cannot
    with begin(place) as killed, begin(place) as living:
        both = set(Path(place).iterdir())
        running = servers(place)
        killed.kill()
        killed.wait()
        Path(place, "acct-pg-of-another").mkdir()
        with begin(place) as last:
            assert len(servers(place) & running) == 1
            assert len(set(Path(place).iterdir()) & both) == len(both) - 1
            last.communicate(b"\n")
        living.communicate(b"\n")
    assert [path.name for path in Path(place).iterdir()] == ["acct-pg-of-another"]
    assert not any(map(lives, running))


def test_databases_are_gone_or_empty_after_their_test(postgres: PostgresFactory, tmp_path: Path) -> None:
    with lent(postgres) as factory:
        made, bare = factory.fresh(), factory.bare()
        left = psycopg.connect(made)
    with left, pytest.raises(psycopg.OperationalError):
        left.execute("SELECT 1")
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        psycopg.connect(bare)
    assert postgres.fresh() == made

    files = SqliteFactory(tmp_path)
    before = set(tmp_path.iterdir())
    with lent(files) as factory:
        use(factory)
        assert set(tmp_path.iterdir()) > before
    assert set(tmp_path.iterdir()) == before


def use(factory: Factory) -> None:
    """Leave a database with all the files that SQLite puts beside it."""
    with opened(factory.fresh()) as database:
        database.write(lambda conn: conn.run("UPDATE tally SET count = count"))


def test_the_first_on_a_machine_makes_the_user_that_servers_run_as(postgres: PostgresFactory, place: str) -> None:
    """Two runs begin at once, and neither finds the user."""
    del postgres  # where it cannot run, there is nobody to make
    name = f"acct{os.getpid()}"
    given = [Path(tempfile.mkdtemp(dir=place)) for _ in range(2)]
    try:
        runs = [subprocess.Popen([sys.executable, "-c", GIVE, name, folder], cwd=CHECKOUT) for folder in given]
        assert [run.wait() for run in runs] == [0, 0]
        # whoever is not root has the folder already
        assert {folder.owner() for folder in given} == {name if os.geteuid() == 0 else Path(place).owner()}
    finally:
        if os.geteuid() == 0:
            command = ["userdel", name]
            subprocess.run(command, env={"PATH": "/usr/sbin:/sbin"}, check=True, capture_output=True)


def content(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of every table, and what numbers go on from."""
    with psycopg.connect(url) as conn:
        names = [name for (name,) in conn.execute(TABLES).fetchall()]
        rows = {name: conn.execute(SQL("SELECT * FROM {}").format(Identifier(name))).fetchall() for name in names}
        return {**rows, "numbers": sorted(conn.execute(NUMBERS).fetchall())}


def test_a_database_that_was_written_into_is_lent_again_as_it_was_made(postgres: PostgresFactory) -> None:
    url = postgres.fresh()
    made = content(url)
    with opened(url) as database:
        database.write(lambda conn: grants.create_user(conn, "anna@example.com", datetime.now(UTC), NOBODY))
    assert content(url) != made
    postgres.drop(url)
    assert postgres.fresh() == url
    assert content(url) == made
    with psycopg.connect(url) as conn:
        conn.execute("ALTER TABLE tag ADD COLUMN note text")
    postgres.drop(url)
    assert postgres.fresh() != url
