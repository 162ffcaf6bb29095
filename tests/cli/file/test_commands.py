"""Files on the command line: sent once, saved safely, and nothing about you told to whoever keeps them."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acctcli.cli.file.downloads import AT_ONCE
from tests.cli.conftest import At, Cli, succeed
from tests.cli.processes import ACCTCLI, environ
from tests.cli.recorder import TOKEN, Answer, Keeper, Recorder, Sent, page, recorder, said

CONTENT = b"%PDF-1.7\nhello\n"
PDF = {"Content-Type": "application/pdf"}


def shelf_without(*refused: str) -> Keeper:
    """A service that refuses files of these names."""

    def read(upload: bytes) -> dict[str, str]:
        return {"name": upload.partition(b'name="name"\r\n\r\n')[2].partition(b"\r\n")[0].decode()}

    return Keeper(read, *refused)


def names(shelf: Keeper) -> list[object]:
    return [record["name"] for record in shelf.kept.values()]


def write(*files: str) -> tuple[str, ...]:
    for name in files:
        Path(name).write_bytes(CONTENT + name.encode())
    return files


# --- up ---


def test_files_are_sent_in_order_each_under_its_own_key(cli: Cli, at: At, home: Path) -> None:
    shelf = shelf_without()
    with recorder(shelf) as server:
        at(server)
        outcome = succeed(cli("file", "upload", *write("a.pdf", "b.pdf", "c.pdf"), "--json", "--columns", "id,name"))
        assert [sent.path for sent in server.writes] == ["/v1/business/demo/file_upload/"] * 3
    assert outcome.json() == [{"id": n, "name": name} for n, name in enumerate(("a.pdf", "b.pdf", "c.pdf"), 1)]
    assert len(shelf.kept) == 3


def test_after_a_failure_the_key_goes_on_without_sending_anything_twice(cli: Cli, at: At, home: Path) -> None:
    shelf = shelf_without("b.pdf")
    files = write("a.pdf", "b.pdf", "c.pdf")
    with recorder(shelf) as server:
        at(server)
        outcome = cli("file", "upload", *files, "--output", "jsonl")
        assert outcome.code == 8
        error = json.loads(outcome.err.splitlines()[-1])["error"]
        assert error["message"] == "file 2 of 3, b.pdf: Locked. (423)"
        assert error["doubt"]["told"] == "1 file is there"
        key = error["doubt"]["idempotency_key"]
        shelf.refused.clear()
        # in another order, and with one more: what is there already is known by what it is
        succeed(cli("file", "upload", *reversed(files), *write("d.pdf"), "--idempotency-key", key, "--quiet"))
    assert sorted(map(str, names(shelf))) == ["a.pdf", "b.pdf", "c.pdf", "d.pdf"]


def test_the_same_file_twice_is_two_files(cli: Cli, at: At, home: Path) -> None:
    shelf = shelf_without()
    with recorder(shelf) as server:
        at(server)
        succeed(cli("file", "upload", *write("a.pdf"), "a.pdf"))
    assert names(shelf) == ["a.pdf", "a.pdf"]


def test_stdin_is_a_file_with_a_name(cli: Cli, at: At, home: Path) -> None:
    shelf = shelf_without()
    with recorder(shelf) as server:
        at(server)
        succeed(cli("file", "upload", "-", "--name", "from a pipe.txt", "--folder", "3", stdin="hello"))
        body = server.writes[0].body
    assert names(shelf) == ["from a pipe.txt"]
    assert b"\r\n\r\nhello\r\n" in body
    assert b'name="folder_id"\r\n\r\n3\r\n' in body


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("-",), "needs a name"),
        (("-", "-", "--name", "x"), "--name goes with one file"),
        (("a.pdf", "-"), "stdin is one file"),
        (("a.pdf", "b.pdf", "--name", "x"), "--name goes with one file"),
        (("a.pdf", "missing.pdf"), "missing.pdf: No such file"),
        (("a.pdf", "."), ".: not a plain file"),
        (("empty",), "empty: the file is empty"),
        (("huge",), "huge: larger than 100 MiB"),
        (("a.pdf", "--name", ""), "name"),
        (("a.pdf", "--name", "x" * 257), "name"),
    ],
)
def test_what_cannot_be_uploaded_is_named_and_nothing_is_sent(
    cli: Cli, at: At, home: Path, argv: tuple[str, ...], says: str
) -> None:
    write("a.pdf", "b.pdf")
    Path("empty").touch()
    with Path("huge").open("wb") as huge:
        huge.truncate(100 * 2**20 + 1)
    with recorder(shelf_without()) as server:
        at(server)
        for more in ((), ("--dry-run",)):
            outcome = cli("file", "upload", *argv, *more)
            assert (outcome.code, outcome.out) == (2, ""), outcome.err
            assert says in outcome.err
        assert server.sent == []


def test_the_largest_file_is_sent_whole_and_no_larger_one(
    cli: Cli, at: At, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("acctcli.cli.file.uploads.LARGEST", 5)
    Path("five.txt").write_text("12345")
    Path("six.txt").write_text("123456")
    shelf = shelf_without()
    with recorder(shelf) as server:
        at(server)
        succeed(cli("file", "upload", "five.txt"))
        succeed(cli("file", "upload", "-", "--name", "piped.txt", stdin="abcde"))
        for argv in (("six.txt",), ("-", "--name", "longer.txt")):
            outcome = cli("file", "upload", *argv, stdin="abcdef")
            assert (outcome.code, outcome.out) == (2, "")
            assert f"error: {argv[0]}: larger than" in outcome.err
        assert [b"\r\n\r\n12345\r\n" in server.writes[0].body, b"abcde\r\n" in server.writes[1].body] == [True, True]
    assert names(shelf) == ["five.txt", "piped.txt"]


def test_a_rehearsal_shows_what_the_files_are(cli: Cli, at: At, home: Path) -> None:
    with recorder(shelf_without()) as server:
        at(server)
        argv = ("file", "upload", *write("a.pdf", "b.csv"), "--idempotency-key", "k")
        plans = succeed(cli(*argv, "--dry-run", "--json")).json()
        again = succeed(cli(*argv, "--dry-run", "--json", "--columns", "id")).json()
        assert server.sent == []
    assert [plan["path"] for plan in plans] == ["/v1/business/demo/file_upload/"] * 2
    assert [set(plan["body"]) for plan in plans] == [{"name", "size", "sha256", "type"}] * 2
    assert [(plan["body"]["name"], plan["body"]["size"]) for plan in plans] == [("a.pdf", 20), ("b.csv", 20)]
    assert plans == again
    assert len({plan["idempotency_key"] for plan in plans}) == 2


# --- down ---


def record(number: int, name: str, host: str, path: str = "") -> dict[str, object]:
    return {"id": number, "name": name, "file": f"{host}/{path or number}?signature=s{number}"}


@pytest.fixture
def host() -> Any:
    """Another server, where the files are."""

    def answer(sent: Sent) -> Answer:
        return Answer(200, CONTENT + sent.path.encode(), PDF)

    with recorder(answer) as server:
        yield server


Serve = Callable[..., Callable[[Sent], Answer]]


def listing(*records: dict[str, object]) -> Callable[[Sent], Answer]:
    """A service whose list and single records are these."""
    known = {f"/v1/business/demo/files/{one['id']}/": one for one in records}

    def answer(sent: Sent) -> Answer:
        if sent.path in known:
            return said(known[sent.path])
        return page(*records) if "?" in sent.path else said({"detail": "No such file.", "code": "not_found"}, 404)

    return answer


def saved(folder: str = "out") -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def assert_told_nothing(host: Recorder) -> None:
    """Nothing of the caller has reached the host of the files."""
    for sent in host.sent:
        assert set(sent.headers) <= {"host", "accept", "accept-encoding", "user-agent", "connection"}
        assert TOKEN not in str(sent.headers) + sent.path


def test_all_files_are_saved_and_the_token_stays_at_home(cli: Cli, at: At, home: Path, host: Recorder) -> None:
    records = [record(n, f"file {n}.pdf", host.base_url) for n in range(1, 3 * AT_ONCE)]
    with recorder(listing(*records)) as server:
        at(server)
        outcome = succeed(cli("file", "download", "--all", "--to", "out", "--json"))
        assert {sent.headers["authorization"] for sent in server.sent} == {f"Token {TOKEN}"}
    assert_told_nothing(host)
    assert outcome.json() == [
        {
            "id": one["id"],
            "name": one["name"],
            "path": f"out/{one['name']}",
            "size": len(CONTENT) + len(f"/{one['id']}?signature=s{one['id']}"),
            "outcome": "saved",
            "error": None,
        }
        for one in records
    ]
    assert saved() == {f"file {n}.pdf": CONTENT + f"/{n}?signature=s{n}".encode() for n in range(1, 3 * AT_ONCE)}
    assert outcome.err == ""


def test_files_are_chosen_by_id(cli: Cli, at: At, home: Path, host: Recorder) -> None:
    with recorder(listing(*(record(n, f"{n}.pdf", host.base_url) for n in (1, 2, 3)))) as server:
        at(server)
        succeed(cli("file", "download", "3", "1", "3", "--to", "out"))
        assert len(server.sent) == 2
    assert list(saved()) == ["1.pdf", "3.pdf"]
    assert len(host.sent) == 2


def test_what_failed_is_told_also_when_nobody_reads_what_was_saved(home: Path, host: Recorder) -> None:
    with recorder(listing(record(1, "1.pdf", host.base_url))) as server:
        unread, stdout = os.pipe()
        os.close(unread)
        argv = [*ACCTCLI, "file", "download", "1", "999", "--to", "out"]
        variables = environ(home, server.base_url)
        done = subprocess.run(argv, env=variables, stdout=stdout, stderr=subprocess.PIPE, check=False)
        os.close(stdout)
    assert done.returncode == 10
    assert done.stderr.decode().startswith("error: 1 of 2 files failed: 999: ")
    assert list(saved()) == ["1.pdf"]


@pytest.mark.parametrize("argv", [(), ("1", "--all")])
def test_it_is_ids_or_all(cli: Cli, at: At, home: Path, argv: tuple[str, ...]) -> None:
    with recorder(listing()) as server:
        at(server)
        assert cli("file", "download", *argv).code == 2
        assert server.sent == []


HOSTILE = ["../../x", "/etc/passwd", "..\\y", "\x1b[2Jz", "con", ".profile", "-rf", "a\u202efdp.exe", ""]


def test_hostile_names_stay_in_the_folder(cli: Cli, at: At, home: Path, host: Recorder) -> None:
    before = {path for path in home.rglob("*") if path.is_file()}
    records = [record(n, name, host.base_url) for n, name in enumerate(HOSTILE, 1)]
    with recorder(listing(*records)) as server:
        at(server)
        outcome = succeed(cli("file", "download", "--all", "--to", "out"))
    assert sorted(saved()) == sorted(
        ["_.._x", "_etc_passwd", "_y", "_[2Jz", "_con", "profile", "rf", "a_fdp.exe", "file-9"]
    )
    added = {path for path in home.rglob("*") if path.is_file()} - before
    assert {path.parent.name for path in added} == {"out"}
    assert "\x1b" not in outcome.out + outcome.err


def test_a_name_in_a_header_of_the_host_is_not_looked_at(cli: Cli, at: At, home: Path) -> None:
    said_name = {**PDF, "Content-Disposition": "attachment; filename=\"../../evil\"; filename*=UTF-8''..%2Fevil"}
    kind = Answer(200, CONTENT, said_name)
    with recorder(kind) as host, recorder(listing(record(1, "good.pdf", host.base_url))) as server:
        at(server)
        succeed(cli("file", "download", "1", "--to", "out"))
    assert saved() == {"good.pdf": CONTENT}


def test_files_of_one_name_are_told_apart_the_older_keeps_it(cli: Cli, at: At, home: Path, host: Recorder) -> None:
    records = [record(n, name, host.base_url) for n, name in ((9, "A.PDF"), (7, "a.pdf"), (5, "a.pdf"))]
    with recorder(listing(*records)) as server:
        at(server)
        succeed(cli("file", "download", "--all", "--to", "out"))
    assert {name: content[len(CONTENT) :][:2] for name, content in saved().items()} == {
        "a.pdf": b"/5",
        "a-7.pdf": b"/7",
        "A-9.PDF": b"/9",
    }


@pytest.fixture
def two(host: Recorder) -> Callable[[Sent], Answer]:
    return listing(record(1, "a.pdf", host.base_url), record(2, "b.pdf", host.base_url))


def test_nothing_is_overwritten_unasked(
    cli: Cli, at: At, home: Path, host: Recorder, two: Callable[[Sent], Answer]
) -> None:
    Path("out").mkdir()
    Path("out/a.pdf").write_bytes(b"mine")
    with recorder(two) as server:
        at(server)
        outcome = cli("file", "download", "--all", "--to", "out")
        assert (outcome.code, outcome.out) == (2, "")
        assert "Overwrite a.pdf in out" in outcome.err
        assert "--skip-existing" in outcome.err
        assert (saved(), host.sent) == ({"a.pdf": b"mine"}, [])
        skipped = succeed(cli("file", "download", "--all", "--to", "out", "--skip-existing", "--json")).json()
        assert [(one["outcome"], one["size"]) for one in skipped if one["id"] == 1] == [("kept", None)]
        assert saved()["a.pdf"] == b"mine"
        assert len(host.sent) == 1
        succeed(cli("file", "download", "--all", "--to", "out", "--yes"))
        assert saved()["a.pdf"].startswith(CONTENT)


def test_output_file_is_where_one_file_goes(
    cli: Cli, at: At, home: Path, host: Recorder, two: Callable[[Sent], Answer]
) -> None:
    with recorder(two) as server:
        at(server)
        outcome = succeed(cli("file", "download", "2", "--output-file", "mine.pdf"))
        assert outcome.out.split("\n")[2].split()[:3] == ["2", "b.pdf", "mine.pdf"]
        assert Path("mine.pdf").read_bytes() == CONTENT + b"/2?signature=s2"
        assert "Overwrite mine.pdf in ." in cli("file", "download", "1", "--output-file", "mine.pdf").err
        assert Path("mine.pdf").read_bytes() == CONTENT + b"/2?signature=s2"
        succeed(cli("file", "download", "1", "--output-file", "mine.pdf", "--yes"))
        assert Path("mine.pdf").read_bytes() == CONTENT + b"/1?signature=s1"


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("1", "2"), "--output-file takes one file: give one id, or --to DIR for several"),
        (("--all",), "--output-file takes one file: give one id, or --to DIR for several"),
        (("1", "--to", "out"), "--to and --output-file exclude each other: both say where the file is saved"),
    ],
)
def test_output_file_takes_no_second_file_or_place(
    cli: Cli, at: At, home: Path, two: Callable[[Sent], Answer], argv: tuple[str, ...], told: str
) -> None:
    with recorder(two) as server:
        at(server)
        outcome = cli("file", "download", *argv, "--output-file", "x.pdf")
        assert (outcome.code, outcome.err.split("\n")[0]) == (2, f"error: {told}")
        assert server.sent == []
    assert not Path("x.pdf").exists()


def test_output_file_takes_the_list_of_what_was_saved_where_its_form_is_named(
    cli: Cli, at: At, home: Path, two: Callable[[Sent], Answer]
) -> None:
    with recorder(two) as server:
        at(server)
        for form in (("--json",), ("--output", "csv"), ("--columns", "id,path")):
            succeed(cli("file", "download", "1", "--to", "out", *form, "--output-file", "list", "--yes"))
            assert b"out/a.pdf" in Path("list").read_bytes()
    assert list(saved()) == ["a.pdf"]


def test_a_link_is_replaced_and_not_followed(cli: Cli, at: At, home: Path, two: Callable[[Sent], Answer]) -> None:
    Path("out").mkdir()
    Path("target").write_bytes(b"mine")
    Path("out/a.pdf").symlink_to(Path("target").absolute())
    with recorder(two) as server:
        at(server)
        assert cli("file", "download", "1", "--to", "out").code == 2
        succeed(cli("file", "download", "1", "--to", "out", "--yes"))
    assert Path("target").read_bytes() == b"mine"
    assert not Path("out/a.pdf").is_symlink()


def refuse_link(target: Path, draft: Path) -> None:
    """What a file system without links says."""
    raise PermissionError(1, "Operation not permitted")


def test_a_file_system_without_links_keeps_files_too(
    cli: Cli, at: At, home: Path, two: Callable[[Sent], Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "hardlink_to", refuse_link)
    with recorder(two) as server:
        at(server)
        succeed(cli("file", "download", "--all", "--to", "out"))
    assert saved() == {"a.pdf": CONTENT + b"/1?signature=s1", "b.pdf": CONTENT + b"/2?signature=s2"}


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_appears_meanwhile_stays(
    cli: Cli, at: At, home: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.setattr(Path, "hardlink_to", refuse_link)

    def answer(sent: Sent) -> Answer:
        Path("out/a.pdf").write_bytes(b"mine")
        return Answer(200, CONTENT, PDF)

    with recorder(answer) as host, recorder(listing(record(1, "a.pdf", host.base_url))) as server:
        at(server)
        outcome = cli("file", "download", "1", "--to", "out")
    assert (outcome.code, saved()) == (10, {"a.pdf": b"mine"})
    assert "took its name" in outcome.err


def test_some_failures_are_named_and_the_rest_is_saved(cli: Cli, at: At, home: Path) -> None:
    def answer(sent: Sent) -> Answer:
        return Answer(500, b"") if sent.path.startswith("/2") else Answer(200, CONTENT, PDF)

    with recorder(answer) as host:
        away = [record(4, "d.pdf", "http://files.example"), {"id": 5, "name": "e.pdf", "file": "file:///etc/passwd"}]
        records = [record(n, f"{n}.pdf", host.base_url) for n in (1, 2, 3)]
        with recorder(listing(*records, *away)) as server:
            at(server)
            outcome = cli("file", "download", "1", "2", "3", "4", "5", "99", "--to", "out", "--output", "jsonl")
    assert outcome.code == 10
    assert saved() == {"1.pdf": CONTENT, "3.pdf": CONTENT}
    message = json.loads(outcome.err.splitlines()[-1])["error"]["message"]
    assert message.startswith("4 of 6 files failed: 99: ")
    for part in ("2 2.pdf: 127.0.0.1 answered 500", "4 d.pdf: ", "5 e.pdf: ", "only https"):
        assert part in message
    rows = [json.loads(line) for line in outcome.lines()]
    assert [(row["id"], row["outcome"], row["path"]) for row in rows] == [
        (1, "saved", "out/1.pdf"),
        (2, "failed", None),
        (3, "saved", "out/3.pdf"),
        (4, "failed", None),
        (5, "failed", None),
    ]


@pytest.mark.parametrize("status", [301, 302, 307])
def test_a_redirect_takes_no_token_along(cli: Cli, at: At, home: Path, host: Recorder, status: int) -> None:
    moved = Answer(status, b"", {"Location": f"{host.base_url}/elsewhere"})
    with recorder(moved) as first, recorder(listing(record(1, "a.pdf", first.base_url))) as server:
        at(server)
        succeed(cli("file", "download", "1", "--to", "out"))
        assert_told_nothing(first)
    assert [sent.path for sent in host.sent] == ["/elsewhere"]
    assert_told_nothing(host)


def test_whoever_asks_for_a_password_gets_none(cli: Cli, at: At, home: Path) -> None:
    asking = Answer(401, b"", {"WWW-Authenticate": 'Basic realm="books"'})
    with recorder(asking) as host, recorder(listing(record(1, "a.pdf", host.base_url))) as server:
        at(server)
        assert cli("file", "download", "1", "--to", "out").code == 10
        assert len(host.sent) == 1
        assert_told_nothing(host)
    assert saved() == {}


def test_an_address_that_is_over_is_asked_for_again(cli: Cli, at: At, home: Path) -> None:
    def answer(sent: Sent) -> Answer:
        return Answer(403, b"") if "old" in sent.path else Answer(200, CONTENT, PDF)

    with recorder(answer) as host:

        def service(sent: Sent) -> Answer:
            single = sent.path.endswith("/files/1/")
            one = record(1, "a.pdf", host.base_url, "new" if single else "old")
            return said(one) if single else page(one)

        with recorder(service) as server:
            at(server)
            succeed(cli("file", "download", "--all", "--to", "out"))
    assert saved() == {"a.pdf": CONTENT}
    assert [sent.path.partition("?")[0] for sent in host.sent] == ["/old", "/new"]


def test_more_than_agreed_is_not_saved(cli: Cli, at: At, home: Path) -> None:
    with recorder(Answer(200, bytes(700_000), PDF)) as host:
        records = [record(n, f"{n}.pdf", host.base_url) for n in (1, 2)]
        with recorder(listing(*records)) as server:
            at(server)
            outcome = cli("file", "download", "--all", "--to", "out", "--max-total", "1")
    assert outcome.code == 10
    assert "1 of 2 files failed" in outcome.err
    assert "more than 1 MiB together" in outcome.err
    assert len(saved()) == 1


def test_a_saved_file_has_the_modes_of_others_and_nothing_is_left_over(
    cli: Cli, at: At, home: Path, two: Callable[[Sent], Answer]
) -> None:
    before = os.umask(0o027)
    try:
        with recorder(two) as server:
            at(server)
            succeed(cli("file", "download", "--all", "--to", "a/b"))
    finally:
        os.umask(before)
    assert sorted(saved("a/b")) == ["a.pdf", "b.pdf"]
    path = Path("a/b/a.pdf")
    assert (stat.S_IMODE(path.stat().st_mode), path.stat().st_nlink) == (0o640, 1)


def test_a_folder_that_cannot_be_made_is_said_so(cli: Cli, at: At, home: Path, two: Callable[[Sent], Answer]) -> None:
    Path("file").write_text("")
    with recorder(two) as server:
        at(server)
        outcome = cli("file", "download", "--all", "--to", "file/out")
    assert outcome.code == 2
    assert "--to file/out" in outcome.err


def test_a_record_that_is_none_is_said_so(cli: Cli, at: At, home: Path) -> None:
    with recorder(page({"id": 1, "name": "a", "file": None})) as server:
        at(server)
        outcome = cli("file", "download", "--all", "--to", "out")
    assert outcome.code == 9
    assert "not what the interface promises" in outcome.err


def test_debug_shows_no_signature(cli: Cli, at: At, home: Path, host: Recorder) -> None:
    with recorder(listing(record(1, "a.pdf", host.base_url))) as server:
        at(server)
        outcome = succeed(cli("file", "get", "1", "--debug", "--columns", "id"))
    assert "signature=[hidden]" in outcome.err
    assert "signature=s1" not in outcome.err


# --- the other commands ---


def test_filters_are_those_of_the_interface(cli: Cli, at: At) -> None:
    with recorder(page()) as server:
        at(server)
        succeed(cli("file", "list", "--search", "a", "--used", "--tag", "3", "--folder", "4", "--root"))
        succeed(cli("file", "list", "--unused"))
        first, second = (sent.path.partition("?")[2] for sent in server.sent)
    assert set(first.split("&")) >= {"search=a", "is_used=true", "tags=3", "folder=4", "root=true"}
    assert "is_used=false" in second
    assert "root" not in second
