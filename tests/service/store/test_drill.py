"""What was acknowledged stays: through hard kills, power cuts and failing disks. All of it with `--full`."""

from __future__ import annotations

import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.databases import Factory, PostgresFactory
from tests.service.store import clusters, drilling
from tests.service.store.clusters import Books, cluster, copied, restored
from tests.service.store.drilling import acknowledged, check_books, refused
from tests.service.store.tracing import Disk, Said, recorded, traced
from tests.sizes import is_full, sized

MODULE, CLUSTER = drilling.__name__, clusters.__name__
MANY = 1_000_000
# of the log of a server: those that it has not begun yet, too
SEGMENTS = [f"pg_wal/{1:08X}{0:08X}{number:08X}" for number in range(256)]
# the last words of a server of which it is known that nothing was changed: at COMMIT that is not
ENDED_BEFORE_COMMIT = re.compile(
    r"PANIC: .* No space left on device\n(.* (CONTEXT|DETAIL|HINT): .*\n)*.* STATEMENT:  (?!COMMIT)"
)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows kills otherwise")
@pytest.mark.parametrize("series", range(sized(2)))
def test_hard_kills_lose_nothing_that_was_acknowledged(factory: Factory, tmp_path: Path, series: int) -> None:
    url, dice, known = factory.fresh(), random.Random(series), dict[str, int]()
    for kill in range(250 if is_full() else 2):
        command = [sys.executable, "-m", MODULE, str(tmp_path / "local"), url, str(kill * MANY), str(MANY)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == b"ready\n"
            said = b"".join(child.stdout.readline() for _ in range(dice.randrange(40)))
            with pytest.raises(subprocess.TimeoutExpired):
                child.wait(dice.uniform(0, 0.05))
            child.kill()
            known |= acknowledged(said + child.stdout.read())
        assert check_books(url, known) - len(known) <= kill + 1
    assert len(known) > 4


def books_of(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.glob("books.sqlite3*") if path.suffix != ".sqlite3-shm"}


def test_a_power_cut_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    folder, image = tmp_path / "local", tmp_path / "image"
    url = f"sqlite:///{folder / 'books.sqlite3'}"
    subprocess.run([sys.executable, "-m", MODULE, folder, url, "0", "1"], check=True, capture_output=True)
    disk, dice = Disk(books_of(folder)), random.Random(2)
    steps = recorded([MODULE, str(folder), url, "1", "400" if is_full() else "60"], tmp_path / "log", folder)
    assert disk.image(dice) != books_of(folder)
    images = 2000 if is_full() else 40
    cuts = sorted(dice.randrange(len(steps)) for _ in range(images))
    image.mkdir()
    place = 0
    for cut in cuts:
        for step in steps[place:cut]:
            disk.do(step)
        place = max(place, cut)
        for path in image.iterdir():
            path.unlink()
        for path, content in disk.image(dice).items():
            (image / path.name).write_bytes(content)
        known = acknowledged(disk.said)
        assert check_books(f"sqlite:///{image / 'books.sqlite3'}", known) - len(known) <= 2
    assert len(acknowledged(disk.said)) > 10


@pytest.mark.parametrize("error", ["EIO", "ENOSPC"])
def test_a_failing_disk_is_told_and_loses_nothing(tmp_path: Path, error: str) -> None:
    folder, count = tmp_path / "local", 1500 if is_full() else 60
    url = f"sqlite:///{folder / 'books.sqlite3'}"
    subprocess.run([sys.executable, "-m", MODULE, folder, url, "0", "1"], check=True, capture_output=True)
    log = tmp_path / "log"
    calls = ("-e", "trace=pwrite64,fdatasync,fsync", "-P", str(folder / "books.sqlite3"), "-P")
    fault = f"inject=pwrite64,fdatasync,fsync:error={error}:when=3+151"
    ran = traced(
        [MODULE, str(folder), url, "1", str(count)], log, *calls, str(folder / "books.sqlite3-wal"), "-e", fault
    )
    assert ran.returncode == 0, ran.stderr
    assert log.read_text().count("(INJECTED)") >= (250 if is_full() else 10)
    assert set(refused(ran.stdout)) in ({"503"}, {"507"}, {"503", "507"})
    known = acknowledged(ran.stdout)
    assert check_books(url, known) == len(known) + 1 == count + 1


@pytest.fixture(scope="module")
def original(postgres: PostgresFactory, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Books, Path]]:
    """A PostgreSQL with the books of a clerk, and the clerk's home; both at rest."""
    del postgres  # where it cannot run, this one cannot
    home = tmp_path_factory.mktemp("drill")
    with cluster() as made:
        with made.started():
            drilling.main(str(home), made.books, "0", "1")
        yield made, home


@pytest.fixture
def server(original: tuple[Books, Path], tmp_path: Path) -> Iterator[Books]:
    """A copy of both for one test."""
    made, home = original
    shutil.copytree(home, tmp_path / "home")
    with copied(made.data) as copy:
        yield copy


def kill_now_and_then(server: Books, said: Path, kills: int, dice: random.Random) -> None:
    """Kill a server while its clerk posts, who goes on when it is there again."""
    until = time.monotonic() + 30
    while said.stat().st_size < len(b"ready\n"):
        assert time.monotonic() < until
        time.sleep(0.02)
    for _ in range(kills):
        time.sleep(dice.uniform(0, 0.5))
        server.kill()
        server.start()
    time.sleep(0.5)


def test_hard_kills_of_postgresql_lose_nothing(server: Books, tmp_path: Path) -> None:
    rounds, kills = (25, 10) if is_full() else (1, 3)
    dice, known, said = random.Random(3), dict[str, int](), tmp_path / "said"
    for number in range(rounds):
        first = str((number + 1) * MANY)
        with server.started(signal.SIGQUIT), said.open("wb") as out:
            command = [sys.executable, "-m", MODULE, str(tmp_path / "home"), server.books, first, str(MANY)]
            with subprocess.Popen(command, stdout=out) as clerk:
                try:
                    kill_now_and_then(server, said, kills, dice)
                finally:
                    clerk.kill()
            assert set(refused(said.read_bytes())) <= {"503"}
            known |= acknowledged(said.read_bytes())
            assert check_books(server.books, known) - len(known) - 1 <= number + 1
    assert len(known) > 8 * rounds


def test_a_power_cut_of_postgresql_loses_nothing(server: Books, tmp_path: Path) -> None:
    dice = random.Random(4)
    disk = Disk({path: path.read_bytes() for path in server.data.rglob("*") if path.is_file()})
    folders = [path for path in server.data.rglob("*") if path.is_dir()]
    count = "400" if is_full() else "40"
    steps = recorded([CLUSTER, str(server.folder), str(tmp_path / "home"), "1", count], tmp_path / "log", server.data)
    ready = steps.index(Said(b"ready\n"))
    cuts = sorted(dice.randrange(ready, len(steps)) for _ in range(2000 if is_full() else 6))
    place = 0
    for cut in cuts:
        for step in steps[place:cut]:
            disk.do(step)
        place = max(place, cut)
        with restored(server.data, folders, disk.image(dice)) as image, image.started(signal.SIGQUIT):
            known = acknowledged(disk.said)
            assert 0 <= check_books(image.books, known) - len(known) - 1 <= 1
    assert len(acknowledged(disk.said)) > 10


@pytest.mark.parametrize(
    ("error", "calls", "files", "refusal", "most"),
    [
        # a log that cannot be flushed or has no room ends all of PostgreSQL, which does not tell those who come then
        # why; a table that cannot grow ends a statement, or a connection that begins, and says it
        ("EIO:when=10+10", "fdatasync", [], "503", 1500),
        ("ENOSPC:when=10+6", "pwrite64", SEGMENTS, "503", 300),
        ("ENOSPC:when=4+11", "pwrite64,pwritev,fallocate", ["base/*/*[0-9]"], "507", 2500),
    ],
    ids=["log not flushed", "log full", "table full"],
)
def test_a_failing_disk_of_postgresql_is_told_and_loses_nothing(
    server: Books, tmp_path: Path, error: str, calls: str, files: list[str], refusal: str, most: int
) -> None:
    count, log = most if is_full() else 25, tmp_path / "log"
    found = [path for name in files for path in sorted(server.data.glob(name)) or [server.data / name]]
    paths = [word for path in found for word in ("-P", str(path))]
    module = [CLUSTER, str(server.folder), str(tmp_path / "home"), "1", str(count)]
    ran = traced(module, log, "-e", f"trace={calls}", *paths, "-e", f"inject={calls}:error={error}")
    assert ran.returncode == 0, ran.stderr
    assert log.read_text(errors="replace").count("(INJECTED)") >= (250 if is_full() else 3)
    said = (server.folder / "log").read_text(errors="replace")
    assert set(refused(ran.stdout)) == {refusal, *(["507"] if ENDED_BEFORE_COMMIT.search(said) else ())}
    known = acknowledged(ran.stdout)
    with server.started():
        assert check_books(server.books, known) == len(known) + 1 == count + 1
