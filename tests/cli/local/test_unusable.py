"""Files and folders that cannot be used, tried out in processes that modes bind: a sentence, and never a fault."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.company import company
from tests.cli.processes import heed_modes, run_process
from tests.journeys.places import Place
from tests.sizes import covering

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="modes are heeded by root only where it gives that up")
DENIED, FOLDER = "Permission denied", "Is a directory"
LIST = ("account", "list", "--quiet")
CREATE = ("account", "create", "--number", "1999", "--name", "x", "--type", "ASS_PAY")
WEBHOOK = ("webhook", "create", "--name", "x", "--url", "https://shop.example/")
UPLOAD = ("file", "upload", "receipt.txt", "--again")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made = company(tmp_path)
    monkeypatch.chdir(made.folder)
    made.run(*WEBHOOK)
    (made.folder / "receipt.txt").write_text("hello")
    return made


def locked(path: Path) -> None:
    path.touch()
    path.chmod(0)


def a_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def closed(path: Path) -> None:
    path.mkdir(exist_ok=True)
    path.chmod(0)


def read_only(path: Path) -> None:
    path.chmod(0o500)


SPOILT: list[tuple[str, Callable[[Path], None], tuple[str, ...], int, str]] = [
    ("local/token", locked, LIST, 2, f"/local/token cannot be used: {DENIED}"),
    ("local/token", a_folder, CREATE, 2, f"/local/token cannot be used: {FOLDER}"),
    ("local/key", locked, WEBHOOK, 9, f"The file key of the service: {DENIED}. (500)"),
    ("local/key", a_folder, WEBHOOK, 9, f"The file key of the service: {FOLDER}. (500)"),
    ("local/books.sqlite3-claims", locked, CREATE, 9, f"books.sqlite3-claims of the service: {DENIED}. (500)"),
    ("local/books.sqlite3-claims", a_folder, CREATE, 9, f"books.sqlite3-claims of the service: {FOLDER}. (500)"),
    ("local/books.sqlite3", locked, LIST, 2, "/books.sqlite3: it is no file that you may read and write"),
    ("local/books.sqlite3", a_folder, LIST, 2, "/books.sqlite3: it is no file that you may read and write"),
    ("local/files", closed, UPLOAD, 9, f"of the service: {DENIED}. (500)"),
    ("local", closed, LIST, 2, f"/books.sqlite3 cannot be used: {DENIED}"),
    ("local", closed, ("local", "status"), 2, f"/books.sqlite3 cannot be used: {DENIED}"),
    ("local", closed, ("local", "backup", "b.sqlite3"), 2, f"/books.sqlite3 cannot be used: {DENIED}"),
    ("local", read_only, LIST, 2, "/books.sqlite3 may be read and not written here"),
    ("local", read_only, ("local", "backup", "b.sqlite3"), 2, "/books.sqlite3 may be read and not written here"),
    (".", closed, ("local", "restore", "receipt.txt", "--yes"), 2, f"/local cannot be used: {DENIED}"),
    ("../state", closed, ("resume",), 2, f"/state/runs cannot be used: {DENIED}"),
]
# each file and each way to spoil one, unless a run is full
SPOILT_ONCE = covering(SPOILT, lambda row: row[0], lambda row: row[1])


@pytest.mark.parametrize(("name", "spoil", "argv", "code", "told"), SPOILT_ONCE)
def test_what_cannot_be_used_is_named(
    place: Place, name: str, spoil: Callable[[Path], None], argv: tuple[str, ...], code: int, told: str
) -> None:
    path = Path(place.environ["ACCTCLI_DATA_DIR"], name)
    spoil(path)
    try:
        done = run_process(argv, place.environ, begin=heed_modes)
    finally:
        path.chmod(0o700)
    err = done.stderr.decode()
    assert (done.returncode, done.stdout) == (code, b"")
    assert told in err
    assert "internal fault" not in err
    assert "Traceback" not in err


@pytest.mark.parametrize("content", [b"\xff\xfe\x00\x80abc", b"", b'{"a": [', b"\x00" * 50])
def test_a_token_that_is_none_is_made_anew(place: Place, content: bytes) -> None:
    token = Path(place.environ["ACCTCLI_DATA_DIR"], "local", "token")
    token.write_bytes(content)
    place.run(*LIST)
    assert token.read_bytes() != content
    place.run(*LIST)
