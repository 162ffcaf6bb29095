"""The file of the local books: restored, reset, missed, damaged, while it is in use and while it is not."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from acctcli.cli.local import copies
from acctcli.service.identity.keys import InstallationKey
from acctcli.service.store.engine.snapshots import copy_out, put
from tests.cli.conftest import Cli, succeed
from tests.databases import opened
from tests.power import names_at_risk
from tests.serving import serve
from tests.sizes import is_full

CONTENT = b"%PDF-1.7\n"


@pytest.fixture
def books(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the local books, which have a business `books` and a file a.pdf, and a backup of them."""
    monkeypatch.setenv("ACCTCLI_BUSINESS", "books")
    succeed(cli("business", "create", "--name", "Books Oy", "--slug", "books"))
    Path("a.pdf").write_bytes(CONTENT)
    succeed(cli("file", "upload", "a.pdf"))
    succeed(cli("local", "backup", "backup.sqlite3"))
    return home / "data" / "local" / "books.sqlite3"


def slugs(cli: Cli) -> list[str]:
    return [one["slug"] for one in succeed(cli("business", "list", "--json")).json()]


def content_of(folder: Path) -> Path:
    (path,) = folder.glob("??/*")
    return path


def test_the_books_that_were_there_are_kept_and_named(cli: Cli, books: Path) -> None:
    succeed(cli("business", "create", "--name", "Later Oy", "--slug", "later"))
    told = succeed(cli("local", "restore", "backup.sqlite3", "--yes", "--json")).json()
    assert (told["restored"], slugs(cli)) == (True, ["books"])
    succeed(cli("local", "restore", told["kept"], "--yes"))
    assert slugs(cli) == ["books", "later"]
    succeed(cli("local", "reset", "--yes"))
    assert list(books.parent.glob("books-before-*")) == []


@pytest.mark.parametrize("how", ["--yes", "--dry-run"])
def test_a_wrong_file_changes_nothing(cli: Cli, books: Path, how: str) -> None:
    Path("wrong.sqlite3").write_bytes(Path("backup.sqlite3").read_bytes()[:8192])
    before = {path: path.read_bytes() for path in books.parent.rglob("*") if path.is_file()}
    for source in ("wrong.sqlite3", str(books), "a.pdf", "nothing"):
        refused = cli("local", "restore", source, how)
        assert (refused.code, refused.out) == (2, ""), source
    assert {path: path.read_bytes() for path in books.parent.rglob("*") if path.is_file()} == before
    assert slugs(cli) == ["books"]


def test_books_are_restored_where_there_are_none(cli: Cli, books: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCTCLI_DATA_DIR", str(books.parent.parent / "elsewhere"))
    assert succeed(cli("local", "restore", "backup.sqlite3", "--yes", "--json")).json()["kept"] is None
    assert slugs(cli) == ["books"]
    succeed(cli("file", "download", "1", "--to", "out"))
    assert Path("out/a.pdf").read_bytes() == CONTENT


def damaged(path: Path) -> None:
    path.write_bytes(b"no database" * 1000)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def unmounted(path: Path) -> None:
    shutil.rmtree(path.parent)
    path.parent.mkdir()


@pytest.mark.together
@pytest.mark.parametrize("loss", [Path.unlink, emptied, lambda path: shutil.rmtree(path.parent), unmounted])
def test_books_that_are_lost_are_missed_and_not_begun_anew(cli: Cli, books: Path, loss: Callable[[Path], None]) -> None:
    loss(books)
    for argv in (("business", "list"), ("local", "status"), ("local", "init"), ("local", "token")):
        refused = cli(*argv)
        assert (refused.code, refused.out) == (2, "")
        assert "there were books here" in refused.err
    succeed(cli("local", "restore", "backup.sqlite3", "--yes"))
    assert slugs(cli) == ["books"]
    loss(books)
    succeed(cli("local", "reset", "--yes"))
    assert slugs(cli) == []


def test_damaged_books_are_told_as_such_and_kept_aside(cli: Cli, books: Path) -> None:
    damaged(books)
    for argv in (("business", "list"), ("local", "status")):
        refused = cli(*argv)
        assert (refused.code, refused.out) == (9, "")
        assert "The database is damaged" in refused.err
    kept = succeed(cli("local", "restore", "backup.sqlite3", "--yes", "--json")).json()["kept"]
    assert Path(kept).read_bytes() == b"no database" * 1000
    assert slugs(cli) == ["books"]


def test_a_rehearsal_checks_all_and_changes_nothing(
    cli: Cli, books: Path, hook: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    succeed(cli("local", "backup", "with.sqlite3", "--with-key", stdin="open sesame\n"))
    before = {path: path.read_bytes() for path in Path("..").rglob("*") if path.is_file()}
    plain = ("local", "restore", "backup.sqlite3", "--dry-run")
    assert succeed(cli(*plain)).err == (
        "Would restore backup.sqlite3, which is whole. The books that are there would be kept.\n"
        "The backup lacks 1 record of the audit trail of Books Oy: the books that are replaced are kept with what they"
        " tell of.\n"
    )
    assert succeed(cli(*plain, "--json")).json() == {"file": "backup.sqlite3", "restored": False, "kept": None}
    wrong = cli("local", "restore", "with.sqlite3", "--with-key", "--dry-run", stdin="wrong\n")
    assert (wrong.code, "does not open" in wrong.err) == (2, True)
    monkeypatch.setenv("ACCTCLI_DATA_DIR", str(books.parents[2] / "elsewhere"))
    strange = "was marked with another key: nothing in it can be proved here."
    assert succeed(cli(*plain)).err == (
        "Would restore backup.sqlite3, which is whole.\n"
        f"The audit trail of the service {strange}\nThe audit trail of Books Oy {strange}\n"
    )
    assert {path: path.read_bytes() for path in Path("..").rglob("*") if path.is_file()} == before
    content_of(Path("backup.sqlite3-files")).unlink()
    missing = cli(*plain)
    assert (missing.code, "can be restored, but the content of 1 file is missing" in missing.err) == (10, True)


@pytest.mark.parametrize("loss", [Path.unlink, lambda content: content.write_bytes(b"damaged")])
def test_a_backup_names_the_content_that_is_missing(cli: Cli, books: Path, loss: Callable[[Path], object]) -> None:
    loss(content_of(books.parent / "files"))
    backup = cli("local", "backup", "another.sqlite3", "--json")
    assert (backup.code, json.loads(backup.out)["file"]) == (10, "another.sqlite3")
    assert "1 file is missing or damaged: 1 (a.pdf)" in backup.err


def test_damaged_content_of_a_backup_is_named_and_not_brought_back(cli: Cli, books: Path) -> None:
    kept = content_of(books.parent / "files")
    content_of(Path("backup.sqlite3-files")).write_bytes(b"damaged")
    succeed(cli("local", "restore", "backup.sqlite3", "--yes"))
    assert kept.read_bytes() == CONTENT
    kept.unlink()
    refused = cli("local", "restore", "backup.sqlite3", "--yes")
    assert refused.code == 10
    assert "1 (a.pdf)" in refused.err
    assert not kept.exists()


def test_content_that_is_damaged_is_repaired(cli: Cli, books: Path) -> None:
    there = content_of(books.parent / "files")
    there.write_bytes(b"damaged")
    succeed(cli("local", "restore", "backup.sqlite3", "--yes"))
    assert there.read_bytes() == CONTENT


def age(folder: Path) -> None:
    """Make all that is in a folder old enough for a stray."""
    for path in folder.rglob("*"):
        os.utime(path, (1000, 1000))


def test_kept_books_keep_their_content_whatever_becomes_of_the_new_ones(cli: Cli, books: Path) -> None:
    Path("b.pdf").write_bytes(CONTENT + b"more")
    succeed(cli("file", "upload", "b.pdf"))
    kept = succeed(cli("local", "restore", "backup.sqlite3", "--yes", "--json")).json()["kept"]
    succeed(cli("file", "delete", "1", "--yes"))
    age(books.parent)
    assert succeed(cli("local", "clean", "--yes", "--json")).json()["files"] == 1
    succeed(cli("local", "restore", kept, "--yes"))
    succeed(cli("file", "download", "1", "2", "--to", "out"))
    assert [Path("out", name).read_bytes() for name in ("a.pdf", "b.pdf")] == [CONTENT, CONTENT + b"more"]


def test_content_that_comes_and_goes_during_a_backup_is_in_it(
    cli: Cli, books: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("b.pdf").write_bytes(CONTENT + b"more")

    def busy(database: Path, target: Path) -> int:
        succeed(cli("file", "upload", "b.pdf"))
        size = copy_out(database, target)
        succeed(cli("file", "delete", "1", "--yes"))
        return size

    monkeypatch.setattr(copies, "copy_out", busy)
    succeed(cli("local", "backup", "another.sqlite3"))
    succeed(cli("local", "restore", "another.sqlite3", "--yes"))
    succeed(cli("file", "download", "1", "2", "--to", "out"))
    assert [Path("out", name).read_bytes() for name in ("a.pdf", "b.pdf")] == [CONTENT, CONTENT + b"more"]


def test_content_that_comes_during_a_restore_is_kept(cli: Cli, books: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("b.pdf").write_bytes(CONTENT + b"more")

    def busy(*args: Any) -> Path | None:
        succeed(cli("file", "upload", "b.pdf"))
        return put(*args)

    monkeypatch.setattr(copies, "put", busy)
    kept = succeed(cli("local", "restore", "backup.sqlite3", "--yes", "--json")).json()["kept"]
    held = [path.read_bytes() for path in Path(f"{kept}-files").glob("??/*")]
    assert sorted(held) == [CONTENT, CONTENT + b"more"]


def test_damaged_books_keep_all_content_there_is(cli: Cli, books: Path) -> None:
    Path("b.pdf").write_bytes(CONTENT + b"more")
    succeed(cli("file", "upload", "b.pdf"))
    damaged(books)
    kept = succeed(cli("local", "restore", "backup.sqlite3", "--yes", "--json")).json()["kept"]
    held = [path.read_bytes() for path in Path(f"{kept}-files").glob("??/*")]
    assert sorted(held) == [CONTENT, CONTENT + b"more"]


def test_a_reset_leaves_nothing_of_kept_books(cli: Cli, books: Path) -> None:
    Path("b.pdf").write_bytes(CONTENT + b"more")
    succeed(cli("file", "upload", "b.pdf"))
    succeed(cli("local", "restore", "backup.sqlite3", "--yes"))
    succeed(cli("local", "reset", "--yes"))
    assert [path for path in books.parent.rglob("*") if path.is_file() and CONTENT in path.read_bytes()] == []


KILLED = """
import os
from acctcli.service.store.engine import snapshots
from acctcli.__main__ import main
kill = lambda *_: os.kill(os.getpid(), 9)
{}
main()
"""
# once the backup is copied, in a rehearsal, and once the content of the books is kept
MOMENTS = ("snapshots._upgrade = kill", "snapshots._upgrade = kill", "snapshots._replace = kill")


@pytest.mark.parametrize("how", [("clean", "--yes"), ("reset", "--yes")])
def test_what_a_killed_restore_leaves_goes(cli: Cli, books: Path, how: tuple[str, ...]) -> None:
    succeed(cli("local", "clean", "--yes"))
    before = set(books.parent.iterdir())
    for moment, option in zip(MOMENTS, ("--yes", "--dry-run", "--yes"), strict=True):
        command = [sys.executable, "-c", KILLED.format(moment), "local", "restore", "backup.sqlite3", option]
        assert subprocess.run(command, check=False, capture_output=True).returncode == -9
        # each has cleared away what the one before it was writing
        assert len(list(books.parent.glob(".acctcli-*"))) == 1
    assert len(set(books.parent.iterdir()) - before) == 2
    # the other may be a restore's that is under way
    assert succeed(cli("local", "clean", "--dry-run", "--json")).json()["files"] == 1
    age(books.parent)
    succeed(cli("local", *how))
    assert set(books.parent.iterdir()) - before == set()


# once the content is copied and the database is written, and once all is whole and has no names yet
BACKUP_MOMENTS = ("snapshots._check = kill", "copies._settle = kill")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows kills otherwise")
def test_what_a_killed_backup_leaves_goes_with_the_next_one_there(cli: Cli, books: Path, tmp_path: Path) -> None:
    place = tmp_path / "backups"
    place.mkdir()
    for number, moment in enumerate(BACKUP_MOMENTS):
        code = KILLED.format(f"from acctcli.cli.local import copies\n{moment}")
        command = [sys.executable, "-c", code, "local", "backup", str(place / f"{number}.sqlite3")]
        assert subprocess.run(command, check=False, capture_output=True).returncode == -9
    assert list(place.iterdir()) != []
    told = succeed(cli("local", "backup", str(place / "last.sqlite3"))).err
    assert sorted(path.name for path in place.iterdir()) == ["last.sqlite3", "last.sqlite3-files"]
    assert "that is not there" not in told


def test_content_of_a_backup_that_is_not_there_is_named_and_taken_over(cli: Cli, books: Path) -> None:
    Path("backup.sqlite3").unlink()
    Path("my-files/ab").mkdir(parents=True)
    Path("my-files/ab/notes").touch()
    content_of(Path("backup.sqlite3-files")).write_bytes(b"damaged")
    told = succeed(cli("local", "backup", "another.sqlite3")).err
    assert told.splitlines()[1] == (
        "The folder backup.sqlite3-files holds files of a backup that is not there: bring its file back, or delete it."
    )
    assert "my-files" not in told
    assert "that is not there" not in succeed(cli("local", "backup", "backup.sqlite3")).err
    assert content_of(Path("backup.sqlite3-files")).read_bytes() == CONTENT
    assert list(Path().glob(".acctcli-*")) == []


def test_a_service_goes_on_while_its_books_are_reset_and_restored(cli: Cli, books: Path) -> None:
    with serve(os.environ) as address, httpx.Client(base_url=address, trust_env=False, verify=False) as client:

        def ask(method: str = "GET", **body: Any) -> httpx.Response:
            token = succeed(cli("local", "token")).out.strip()
            return client.request(method, "/v1/business/", headers={"Authorization": f"Token {token}"}, **body)

        def slugs_served() -> list[str]:
            return [one["slug"] for one in ask().json()["results"]]

        assert slugs_served() == ["books"]
        succeed(cli("local", "reset", "--yes"))
        assert slugs_served() == []
        assert ask("POST", json={"name": "New Oy", "slug": "new"}).status_code == 201
        succeed(cli("local", "restore", "backup.sqlite3", "--yes"))
        assert slugs_served() == ["books"]
        token = succeed(cli("local", "token")).out.strip()
        books.unlink()
        gone = client.get("/v1/business/", headers={"Authorization": f"Token {token}"})
        assert (gone.status_code, gone.json()["code"]) == (503, "server_error")
        assert "is gone" in gone.json()["detail"]


def test_commands_that_start_while_books_are_reset_see_the_old_or_the_new(books: Path) -> None:
    command = [sys.executable, "-m", "acctcli"]
    for _ in range(3 if is_full() else 1):
        starting = [
            subprocess.Popen([*command, "business", "list", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(3)
        ]
        subprocess.run([*command, "local", "reset", "--yes"], check=True, capture_output=True)
        for one in starting:
            out, err = one.communicate(timeout=60)
            # 4: it had read the token of the books before
            assert one.returncode in (0, 4), err
            assert one.returncode or json.loads(out) == [] or json.loads(out)[0]["slug"] == "books"
            assert b"OperationalError" not in err


def test_names_are_on_the_disk_when_a_command_is_done(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCTCLI_BUSINESS", "books")
    Path("a.pdf").write_bytes(CONTENT)
    with names_at_risk(home) as named:
        for argv in (
            ("local", "init"),
            ("business", "create", "--name", "Books Oy", "--slug", "books"),
            ("file", "upload", "a.pdf"),
            ("webhook", "create", "--name", "x", "--url", "https://example.com/"),
            ("local", "backup", "backup.sqlite3"),
            ("local", "restore", "backup.sqlite3", "--yes"),
        ):
            succeed(cli(*argv))
    data = home / "data" / "local"
    assert {(data / name).exists() for name in ("key", "token", "files")} == {True}
    assert [path for path in named if not path.is_relative_to(home / "cache")] == []


def test_a_damage_that_cannot_be_quoted_is_called_a_damage(cli: Cli, books: Path) -> None:
    content = books.read_bytes()
    row = content.index(b"tabledocumentdocument")
    spoiled = content[row:].replace(b"documentdocument", b"d\xf7cumentdocument", 1).replace(b"CREATE", b"CREATX", 1)
    books.write_bytes(content[:row] + spoiled)
    for argv in (("business", "list"), ("local", "status")):
        refused = cli(*argv)
        assert (refused.code, refused.out) == (9, "")
        assert "The database is damaged" in refused.err


@pytest.fixture
def hook(cli: Cli, books: Path) -> None:
    """A webhook, whose secret is sealed with the key of the installation."""
    succeed(cli("webhook", "create", "--name", "Shop", "--url", "https://shop.example/", "--json"))


def test_the_key_travels_under_a_passphrase(
    cli: Cli, books: Path, hook: None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = (books.parent / "key").read_bytes()
    assert "--with-key" in succeed(cli("local", "backup", "without.sqlite3")).err
    succeed(cli("local", "backup", "with.sqlite3", "--with-key", stdin="open sesame\n"))
    assert not {key, key.hex().encode(), b"open sesame"} & {Path("with.sqlite3-key").read_bytes()}
    for path in (path for path in home.rglob("*") if path.is_file()):
        assert b"sesame" not in path.read_bytes()
    monkeypatch.setenv("ACCTCLI_DATA_DIR", str(home / "elsewhere"))
    for stdin, told in (("wrong\n", "does not open"), ("", "No passphrase")):
        refused = cli("local", "restore", "with.sqlite3", "--with-key", "--yes", stdin=stdin)
        assert (refused.code, told in refused.err) == (2, True)
        assert not (home / "elsewhere" / "local" / "books.sqlite3").exists()
    assert "--with-key" in succeed(cli("local", "restore", "with.sqlite3", "--yes")).err
    succeed(cli("webhook", "create", "--name", "Another", "--url", "https://shop.example/"))
    other = (home / "elsewhere" / "local" / "key").read_bytes()
    monkeypatch.setenv("ACCTCLI_BACKUP_PASSPHRASE", "open sesame")
    succeed(cli("local", "restore", "with.sqlite3", "--with-key", "--yes"))
    assert (home / "elsewhere" / "local" / "key").read_bytes() == key
    assert [path.read_bytes() for path in (home / "elsewhere").rglob("*.key")] == [other]


def test_a_service_seals_with_the_key_that_a_restore_brings(
    cli: Cli, books: Path, hook: None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    succeed(cli("local", "backup", "with.sqlite3", "--with-key", stdin="open sesame\n"))
    succeed(cli("local", "reset", "--yes"))
    (books.parent / "key").unlink()
    succeed(cli("business", "create", "--name", "Books Oy", "--slug", "books"))
    body = {"name": "Till", "target_url": "https://till.example/"}
    with serve(os.environ) as address, httpx.Client(base_url=address, trust_env=False, verify=False) as client:

        def create() -> Any:
            token = succeed(cli("local", "token")).out.strip()
            path, headers = "/v1/business/books/webhook_subscriptions/", {"Authorization": f"Token {token}"}
            made = client.post(path, headers=headers, json=body)
            assert made.status_code == 201
            return made.json()

        create()
        succeed(cli("local", "restore", "with.sqlite3", "--with-key", "--yes", stdin="open sesame\n"))
        made = create()
    key = InstallationKey((books.parent / "key").read_bytes)
    with opened(f"sqlite:///{books}") as database, database.read() as conn:
        rows = conn.fetch("SELECT business_id, signing_secret FROM webhook_subscription ORDER BY id")[1]
    secrets = [key.unseal(sealed, f"webhook_subscription/{business}/signing_secret") for business, sealed in rows]
    assert secrets[1:] == [made["signing_secret"].encode()]


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"scrypt": [2, 1], "salt": "", "nonce": "", "key": ""}'])
def test_a_key_that_no_backup_wrote_is_refused(cli: Cli, books: Path, hook: None, content: str) -> None:
    Path("backup.sqlite3-key").write_text(content)
    refused = cli("local", "restore", "backup.sqlite3", "--with-key", "--yes", stdin="open sesame\n")
    assert (refused.code, "is no key that a backup wrote" in refused.err) == (2, True)


def everything(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_backup_that_fails_leaves_nothing(cli: Cli, books: Path) -> None:
    succeed(cli("webhook", "create", "--name", "x", "--url", "https://shop.example/"))
    (books.parent / "key").write_bytes(b"damaged")
    before = everything(Path())
    refused = cli("local", "backup", "another.sqlite3", "--with-key", stdin="open sesame\n")
    assert (refused.code, refused.out) == (2, "")
    books.write_bytes(b"no database" * 1000)
    assert cli("local", "backup", "another.sqlite3").code == 2
    assert everything(Path()) == before
    assert not Path("another.sqlite3-files").exists()


def test_books_that_never_had_a_key_need_none(cli: Cli, books: Path) -> None:
    (books.parent / "key").unlink()  # as an earlier release left them
    told = succeed(cli("local", "backup", "another.sqlite3", "--with-key")).err
    assert "have no key yet" in told
    assert not Path("another.sqlite3-key").exists()
    succeed(cli("local", "restore", "another.sqlite3", "--yes"))


COPIER = """
import os, signal, sys
from pathlib import Path
from acctcli.service.store.engine import snapshots

def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)

snapshots._check = killed
database, target = map(Path, sys.argv[2:])
snapshots.copy_out(database, target) if sys.argv[1] == "out" else snapshots.stage(target, database)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows kills otherwise")
def test_what_killed_copies_leave_goes_with_the_next_one_or_with_clean(cli: Cli, books: Path) -> None:
    here, there = everything(Path()), everything(books.parent)
    for way, target in (("out", "killed"), ("in", "backup.sqlite3")):
        done = subprocess.run([sys.executable, "-c", COPIER, way, str(books), target], check=False)
        assert done.returncode == -signal.SIGKILL
    assert len(everything(Path())) > len(here)
    assert len(everything(books.parent)) > len(there)
    assert "Removed 1 file." in succeed(cli("local", "clean", "--yes")).err
    assert everything(books.parent).keys() == there.keys()
    succeed(cli("local", "backup", "another.sqlite3"))
    succeed(cli("local", "backup", "another2.sqlite3"))
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []
