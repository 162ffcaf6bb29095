import os
import stat
import subprocess
import sys
import threading
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import platformdirs
import pytest

from acctcli.errors import UsageError
from acctcli.settings import files, folders

KILLED = """
import os, sys
from pathlib import Path
from acctcli.settings import files

def die(*arguments, **options):
    os._exit(9)

target, step = Path(sys.argv[1]), sys.argv[2]
if step == "replace":
    Path.replace = die
elif step == "fsync":
    os.fsync = die
elif step == "folder":
    files.sync_folder = die
files.change_toml(target, lambda tables: tables.update(environment="new"))
"""

COUNTING = """
import sys
from pathlib import Path
from acctcli.settings import files

for _ in range(15):
    files.change_toml(Path(sys.argv[1]), lambda tables: tables.update(n=tables.get("n", 0) + 1))
"""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def empty(tables: files.Table) -> None:
    tables.clear()


def empty_file(path: Path) -> files.Table:
    return files.change_toml(path, empty)


def count_up(path: Path, times: int) -> None:
    for _ in range(times):
        files.change_toml(path, lambda tables: tables.update(n=tables.get("n", 0) + 1))


def test_a_missing_file_has_no_tables(tmp_path: Path) -> None:
    assert files.read_toml(tmp_path / "none" / "config.toml") is None


def test_files_are_0600_and_new_folders_0700_whatever_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "config.toml"
    before = os.umask(0)
    try:
        files.change_toml(path, lambda tables: tables.update(environment="testing"))
    finally:
        os.umask(before)
    assert [mode(path), mode(path.parent), mode(path.parent.parent)] == [0o600, 0o700, 0o700]
    assert {entry.name: mode(entry) for entry in path.parent.iterdir()} == {
        "config.toml": 0o600,
        "config.toml.lock": 0o600,
    }


def test_a_wider_mode_is_narrowed_by_the_next_change(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('later_key = "kept"\n')
    path.chmod(0o644)
    assert files.change_toml(path, lambda tables: tables.update(x=1)) == {"later_key": "kept", "x": 1}
    assert mode(path) == 0o600
    assert tomllib.loads(path.read_text()) == {"later_key": "kept", "x": 1}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"environment = ", "it is not valid TOML"),
        (b"\xff\xfe", "it is not UTF-8 text"),
        (b"a = " + b"[" * 5000, "it is nested too deep|it is not valid TOML"),
        (b"#" * (256 * 1024 + 1), "it is larger than 262144 bytes"),
    ],
)
def test_a_corrupt_file_is_named_and_left_as_it_is(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(content)
    for attempt in (files.read_toml, empty_file):
        with pytest.raises(UsageError, match=f"config.toml cannot be read: ({why})"):
            attempt(path)
    assert path.read_bytes() == content


def test_a_file_may_be_as_large_as_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b'business = "acme"\n'.ljust(256 * 1024, b"#"))
    assert files.read_toml(path) == {"business": "acme"}


@pytest.mark.parametrize("target", ["elsewhere.toml", "missing.toml", "config.toml"])
def test_a_symbolic_link_is_refused_and_kept(tmp_path: Path, target: str) -> None:
    (tmp_path / "elsewhere.toml").write_text('environment = "testing"\n')
    path = tmp_path / "config.toml"
    path.symlink_to(tmp_path / target)
    for attempt in (files.read_toml, empty_file):
        with pytest.raises(UsageError, match="cannot be read: it is a symbolic link"):
            attempt(path)
    assert path.is_symlink()
    assert (tmp_path / "elsewhere.toml").read_text() == 'environment = "testing"\n'


def test_a_linked_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "config.toml.lock").symlink_to(tmp_path / "victim")
    with pytest.raises(UsageError, match="cannot be written"):
        files.change_toml(tmp_path / "config.toml", empty)
    assert not (tmp_path / "victim").exists()


def test_a_folder_or_pipe_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "pipe"):
        with pytest.raises(UsageError, match=f"{name} cannot be read: it is not a plain file"):
            files.read_toml(tmp_path / name)


def test_a_file_where_the_folder_should_be_is_an_error_not_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "config.toml"
    with pytest.raises(UsageError, match="cannot be read: Not a directory"):
        files.read_toml(path)
    with pytest.raises(UsageError, match="cannot be written: Not a directory") as caught:
        files.change_toml(path, empty)
    assert caught.value.hint == "set ACCTCLI_CONFIG_DIR to a folder of yours"


@pytest.mark.parametrize(("step", "left"), [("fsync", "old"), ("replace", "old"), ("folder", "new")])
def test_a_killed_writer_leaves_the_old_file_or_the_new_one(tmp_path: Path, step: str, left: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text('environment = "old"\n')
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path), step], check=False)
    assert killed.returncode == 9
    assert files.read_toml(path) == {"environment": left}
    assert files.change_toml(path, lambda tables: tables.update(x=1)) == {"environment": left, "x": 1}
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["config.toml", "config.toml.lock"]


def test_an_edit_that_fails_changes_nothing_and_gives_the_lock_back(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    files.change_toml(path, lambda tables: tables.update(n=1))

    def fail(tables: files.Table) -> None:
        tables.clear()
        raise UsageError("no")

    with pytest.raises(UsageError, match="no"):
        files.change_toml(path, fail)
    assert files.change_toml(path, lambda tables: tables.update(m=2)) == {"n": 1, "m": 2}


def test_a_write_that_fails_keeps_the_old_file_and_no_leftover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "config.toml"
    files.write_atomically(path, b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        files.write_atomically(path, b"new")
    assert [entry.name for entry in tmp_path.iterdir()] == ["config.toml"]
    assert path.read_bytes() == b"old"


def test_concurrent_threads_lose_no_change(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: count_up(path, 10), range(4)))
    assert files.read_toml(path) == {"n": 40}


def test_concurrent_processes_lose_no_change(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    processes = [subprocess.Popen([sys.executable, "-c", COUNTING, str(path)]) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert files.read_toml(path) == {"n": 45}


def test_a_reader_never_sees_a_part(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    files.change_toml(path, lambda tables: tables.update(n=0, pad="x" * 20_000))
    writer = threading.Thread(target=count_up, args=(path, 30))
    writer.start()
    seen = []
    while writer.is_alive():
        tables = files.read_toml(path) or {}
        seen.append((tables["n"], len(tables["pad"])))
    writer.join()
    assert [n for n, _ in seen] == sorted(n for n, _ in seen)
    assert {length for _, length in seen} <= {20_000}


def test_a_lock_that_stays_taken_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "config.toml"
    monkeypatch.setattr(files, "_LOCK_SECONDS", 0)

    def meanwhile(_: files.Table) -> None:
        with pytest.raises(UsageError, match="is being changed by another process"):
            files.change_toml(path, empty)

    files.change_toml(path, meanwhile)


def test_variables_name_the_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {
        "ACCTCLI_CONFIG_DIR": "/x/config",
        "ACCTCLI_DATA_DIR": "/x/y/../data",
        "ACCTCLI_CACHE_DIR": "~/cache",
        "ACCTCLI_STATE_DIR": "state",
    }
    monkeypatch.setenv("HOME", "/home/ann")
    assert [
        folders.config_dir(named),
        folders.data_dir(named),
        folders.cache_dir(named),
        folders.state_dir(named),
    ] == [Path("/x/config"), Path("/x/data"), Path("/home/ann/cache"), Path.cwd() / "state"]
    # what the local service keeps lies beside its books, or where a variable says
    assert [folders.files_dir(named), folders.outbox_dir(named)] == [
        Path("/x/data/local/files"),
        Path("/x/data/local/outbox"),
    ]
    assert folders.outbox_dir({**named, "ACCTCLI_OUTBOX_DIR": "/x/mail"}) == Path("/x/mail")


def test_without_a_variable_the_platform_names_the_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"ACCTCLI_{kind}_DIR", "")  # empty is unset
    assert [folders.config_dir(), folders.data_dir(), folders.cache_dir(), folders.state_dir()] == [
        platformdirs.user_config_path("acctcli", appauthor=False),
        platformdirs.user_data_path("acctcli", appauthor=False),
        platformdirs.user_cache_path("acctcli", appauthor=False),
        platformdirs.user_state_path("acctcli", appauthor=False),
    ]
