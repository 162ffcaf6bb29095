"""What was acknowledged stays: through hard kills, power cuts and failing disks. All of it with `--full`."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.databases import Factory
from tests.service.store.drilling import acknowledged, check_books
from tests.service.store.tracing import Disk, recorded, traced
from tests.sizes import is_full

MODULE = "tests.service.store.drilling"
MANY = 1_000_000


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows kills otherwise")
def test_hard_kills_lose_nothing_that_was_acknowledged(factory: Factory, tmp_path: Path) -> None:
    url, dice, known = factory.fresh(), random.Random(1), dict[str, int]()
    for kill in range(250 if is_full() else 8):
        command = [sys.executable, "-m", MODULE, str(tmp_path / "local"), url, str(kill * MANY), str(MANY)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == b"ready\n"
            with pytest.raises(subprocess.TimeoutExpired):
                child.wait(dice.uniform(0, 0.5))
            child.kill()
            known |= acknowledged(child.stdout.read())
        assert check_books(url, known) - len(known) <= kill + 1
    assert len(known) > 8


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
    fault = f"inject=pwrite64,fdatasync,fsync:error={error}:when=3+17"
    ran = traced(
        [MODULE, str(folder), url, "1", str(count)], log, *calls, str(folder / "books.sqlite3-wal"), "-e", fault
    )
    assert ran.returncode == 0, ran.stderr
    assert log.read_text().count("(INJECTED)") >= (250 if is_full() else 10)
    refused = [line.split()[2] for line in ran.stdout.decode().splitlines() if line.startswith("no ")]
    assert refused
    assert set(refused) <= {"503", "507"}
    known = acknowledged(ran.stdout)
    assert check_books(url, known) - len(known) - 1 <= len(refused)
