"""The folder of one user: made on first use, private, and healed when its token or database is gone."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from contextlib import closing
from functools import partial
from pathlib import Path

import httpx
import pytest

from acctcli.errors import Incomplete, UsageError
from acctcli.service.http.embedded import LOCAL_USER, EmbeddedService, open_embedded
from acctcli.service.store import trail
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.snapshots import clear
from acctcli.service.store.events import without_key
from acctcli.service.store.migrations import current_revision
from tests.databases import Factory, opened
from tests.service.wsgi import DirectClient

pytestmark = pytest.mark.everywhere


def status(service: EmbeddedService, token: str) -> int:
    with httpx.Client(transport=httpx.WSGITransport(service.app), base_url="http://x", trust_env=False) as client:
        return client.get("/v1/user/", headers={"Authorization": f"Token {token}"}).status_code


EARLIER = Path(__file__).parent.parent / "store" / "earlier" / "0.2.0.sql"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "a" / "local"


def test_first_use_makes_everything(folder: Path, factory: Factory) -> None:
    url = factory.bare()
    with open_embedded(folder, url) as service:
        assert status(service, service.token) == 200
        facts = service.facts()
    assert {name: facts[name] for name in ("folder", "user", "users", "businesses", "accounts", "documents")} == {
        "folder": str(folder),
        "user": LOCAL_USER,
        "users": 1,
        "businesses": 0,
        "accounts": 0,
        "documents": 0,
    }
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "files")] == [0o700, 0o700]
    assert [stat.S_IMODE(path.stat().st_mode) for path in folder.glob("token*")] == [0o600]
    with open_embedded(folder, url) as again:
        (file,) = folder.glob("token*")
        assert again.token == service.token == file.read_text().strip()


def test_the_database_is_a_private_file_of_the_folder(folder: Path) -> None:
    with open_embedded(folder) as service:
        assert service.facts()["database"] == str(folder / "books.sqlite3")
    assert stat.S_IMODE((folder / "books.sqlite3").stat().st_mode) == 0o600


def test_a_lost_token_is_replaced(folder: Path) -> None:
    with open_embedded(folder) as service:
        first = service.token
    (folder / "token").unlink()
    with open_embedded(folder) as service:
        assert service.token != first
        assert (status(service, first), status(service, service.token)) == (200, 200)
        assert service.facts()["users"] == 1


def test_a_token_of_another_database_is_replaced(folder: Path) -> None:
    with open_embedded(folder) as service:
        first = service.token
    clear(folder / "books.sqlite3", without_key)
    with open_embedded(folder) as service:
        assert (status(service, first), status(service, service.token)) == (401, 200)


@pytest.mark.parametrize("revision", ["0004", "0006"])
def test_books_that_had_a_trail_do_not_begin_one_again(folder: Path, factory: Factory, revision: str) -> None:
    url = factory.bare()
    with open_embedded(folder, url) as service:
        service.database.write(partial(set_back, revision))
    with pytest.raises(Incomplete, match=f"revision {revision}, of before its audit trail"):
        open_embedded(folder, url)
    with opened(url) as database, database.read() as conn:
        assert current_revision(conn) == revision
        ((mark,),) = conn.fetch("SELECT mark FROM trail_head WHERE business_id = 0")[1]
        assert mark == "forged"


def set_back(revision: str, conn: Connection) -> None:
    """Say that the database is of another revision, as who has nothing but the database may."""
    conn.run(f"UPDATE schema_revision SET number = '{revision}'")
    conn.run("UPDATE trail_head SET mark = 'forged'")


def test_earlier_books_begin_their_trail_once(folder: Path) -> None:
    folder.mkdir(parents=True)
    file = folder / "books.sqlite3"
    dump = EARLIER.read_text("utf-8")
    with closing(sqlite3.connect(file)) as conn:
        conn.executescript(dump)
    with open_embedded(folder) as service, service.database.read() as books:
        for business_id in (0, 1):
            assert trail.verify(books, business_id, service.installation.trail_marker()).faults == []
    file.unlink()
    with closing(sqlite3.connect(file)) as conn:
        conn.executescript(dump.replace("Kuusi", "Forged"))
    with pytest.raises(Incomplete, match="which had begun here"):
        open_embedded(folder)


def rename(service: EmbeddedService, email: str, token: str) -> None:
    with httpx.Client(transport=httpx.WSGITransport(service.app), base_url="http://x", trust_env=False) as client:
        reply = client.patch("/v1/user/", headers={"Authorization": f"Token {token}"}, json={"email": email})
        assert reply.status_code == 200, reply.text


def whose(service: EmbeddedService) -> tuple[int, str]:
    with httpx.Client(transport=httpx.WSGITransport(service.app), base_url="http://x", trust_env=False) as client:
        user = client.get("/v1/user/", headers={"Authorization": f"Token {service.token}"}).json()
    return user["id"], user["email"]


def test_the_local_user_stays_the_same_whatever_address_they_have(folder: Path, factory: Factory) -> None:
    url = factory.bare()
    with open_embedded(folder, url) as service:
        before, first = whose(service)
        other = service.keeper.new_token("bert@example.com", "local", None)
        rename(service, "anna@example.com", service.token)
        rename(service, first, other)
    (token,) = folder.glob("token*")
    token.unlink()
    with open_embedded(folder, url) as service:
        assert whose(service) == (before, "anna@example.com")
        assert (service.user(), service.facts()["user"]) == ("anna@example.com", "anna@example.com")
    with open_embedded(folder.parent / "elsewhere", url) as service:
        assert whose(service) == (before, "anna@example.com")


def test_other_users_get_tokens(folder: Path) -> None:
    with open_embedded(folder) as service:
        tokens = [service.keeper.new_token("ada@example.com", "local", None) for _ in range(2)]
        assert [status(service, token) for token in tokens] == [200, 200]
        assert service.facts()["users"] == 2


def jwt(service: EmbeddedService) -> str:
    with httpx.Client(transport=httpx.WSGITransport(service.app), base_url="http://x", trust_env=False) as client:
        reply = client.post("/auth/jwt/", headers={"Authorization": f"Token {service.token}"})
    return str(reply.json()["token"])


def test_the_key_is_a_private_file_made_with_the_first_record(folder: Path, tmp_path: Path, factory: Factory) -> None:
    url = factory.bare()
    with open_embedded(folder, url) as first, open_embedded(folder, url) as second:
        assert status(first, first.token) == 200
        assert status(second, jwt(first)) == status(first, jwt(second)) == 200
        assert stat.S_IMODE((folder / "key").stat().st_mode) == 0o600
        with open_embedded(tmp_path / "elsewhere", url) as other:
            assert status(other, jwt(first)) == 401
            assert status(other, first.token) == 200


def test_a_folder_that_cannot_be_made_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError):
        open_embedded(tmp_path / "file" / "local")


def test_what_files_hold_can_lie_elsewhere(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "b" / "files"
    with open_embedded(folder, files=elsewhere) as service:
        assert service.contents.folder == elsewhere
        assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o700
    assert not (folder / "files").exists()
    (tmp_path / "file").touch()
    with pytest.raises(UsageError):
        open_embedded(folder, files=tmp_path / "file" / "files")


def test_what_is_sent_can_lie_elsewhere(folder: Path, tmp_path: Path) -> None:
    with open_embedded(folder) as service:
        assert (service.outbox.folder, service.outbox.server) == (folder / "outbox", None)
        assert stat.S_IMODE((folder / "outbox").stat().st_mode) == 0o700
    elsewhere = tmp_path / "b" / "outbox"
    with open_embedded(folder, outbox=elsewhere, smtp_url="smtps://mail.example", smtp_password=lambda: "x") as service:
        assert service.outbox.folder == elsewhere
        assert service.outbox.server is not None
        assert (service.outbox.server.host, service.outbox.server.password()) == ("mail.example", "x")
    with open_embedded(folder, smtp_url="") as service:
        assert service.outbox.server is None
    with pytest.raises(UsageError, match="ACCTCLI_SMTP_URL is not the address of a mail server"):
        open_embedded(folder, smtp_url="mail.example")


def test_strays_are_what_no_record_names(folder: Path) -> None:
    with open_embedded(folder) as service:
        name = f"ab{'0' * 30}"
        service.contents.keep(name, [b"x"])
        stray = folder / "files" / "ab" / name
        assert service.strays(service.stray_before()) == []
        os.utime(stray, (1000, 1000))
        assert service.strays(service.stray_before()) == [stray]


def tokens(service: EmbeddedService) -> int:
    with service.database.read() as conn:
        return int(conn.fetch("SELECT count(*) FROM token")[1][0][0])


def test_each_database_of_a_folder_has_a_token_of_its_own(folder: Path, factory: Factory) -> None:
    url = factory.bare()
    seen = set()
    for _ in range(3):
        for which in (None, url):
            with open_embedded(folder, which) as service:
                assert status(service, service.token) == 200
                assert tokens(service) == 1
                seen.add((which, service.token))
    assert len(seen) == 2


def test_a_token_from_when_all_databases_had_one_file_is_still_used(folder: Path, factory: Factory) -> None:
    url = factory.bare()
    with open_embedded(folder, url) as service:
        (file,) = folder.glob("token-*")
    file.rename(folder / "token")
    with open_embedded(folder, url) as again:
        assert (again.token, tokens(again)) == (service.token, 1)


def test_a_database_is_told_from_every_other_one(factory: Factory) -> None:
    first, second = factory.bare(), factory.bare()
    places = []
    for url in (first, second, first):
        with opened(url) as database:
            database.migrate()
            places.append(database.place())
    assert places[0] == places[2] != places[1]
    assert all(re.fullmatch(r"[0-9a-f-]{16,}", place) for place in places)


def test_what_other_books_may_name_is_no_stray(folder: Path, factory: Factory) -> None:
    url = factory.bare()
    mine, yours, later = (f"{digits}{'0' * 30}" for digits in ("ab", "cd", "ef"))

    def strays(which: str | None) -> list[str]:
        for path in (folder / "files").glob("??/*"):
            os.utime(path, (1000, 1000))
        with open_embedded(folder, which) as service:
            return [path.name for path in service.strays(service.stray_before())]

    assert (strays(None), strays(url)) == ([], [])
    with open_embedded(folder) as service:
        service.contents.keep(mine, [b"x"])
    assert strays(None) == [mine]
    with pytest.raises(UsageError, match=r"also holds files of .*books\.sqlite3"):
        strays(url)
    with open_embedded(folder, url) as service:
        service.contents.keep(yours, [b"y"])
    for which in (None, url):
        with pytest.raises(UsageError, match="also holds files of"):
            strays(which)
    for sign in (folder / "files").glob("books-*"):
        sign.unlink()
    # as before folders were signed
    with pytest.raises(UsageError, match="books that have not said so"):
        strays(url)
    with open_embedded(folder) as service:
        service.contents.keep(later, [b"z"])
    assert sorted(strays(None)) == [mine, yours, later]


@pytest.mark.parametrize("host", ["localhost:abc", "localhost:", "[::1", "other.example", "localhost:1:2", ""])
def test_what_is_no_name_of_the_service_is_refused(folder: Path, host: str) -> None:
    with open_embedded(folder, allowed_hosts=("localhost",)) as service:
        reply = DirectClient(service.app).ask("GET", "/v1/user/", b"", {"Host": host})
    assert (reply.status_code, b"This host name is not served here." in reply.content) == (400, True)


@pytest.mark.parametrize("host", ["books.example", "BOOKS.Example:8443"])
def test_a_name_of_the_service_may_be_written_in_any_case(folder: Path, host: str) -> None:
    with open_embedded(folder, allowed_hosts=("Books.Example",)) as service:
        headers = {"Host": host, "Authorization": f"Token {service.token}"}
        assert DirectClient(service.app).ask("GET", "/v1/user/", b"", headers).status_code == 200


def test_a_compressed_body_is_refused(folder: Path) -> None:
    with open_embedded(folder) as service:
        headers = {"Authorization": f"Token {service.token}", "Content-Encoding": "gzip", "Content-Length": "2"}
        replies = [
            DirectClient(service.app).ask("POST", "/v1/business/", b"{}", {**headers, "Content-Encoding": coding})
            for coding in ("gzip", "br, identity", "Identity")
        ]
    assert [reply.status_code for reply in replies] == [415, 415, 400]
