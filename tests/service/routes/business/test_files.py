"""Files over HTTP, on SQLite and on PostgreSQL: uploads, lists, changes; content leaves when its record does."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import pytest

from acctcli.models.file import Attachment, AttachmentListItem
from acctcli.service.problems import Unavailable
from acctcli.service.store import contents
from acctcli.service.store.engine.connection import Connection
from tests.replies import check_reply
from tests.service.actor import Actor, Reply, World
from tests.service.files import MULTIPART, PDF, PNG, multipart
from tests.service.routes.books import Books, open_books
from tests.service.routes.conftest import NOW

Events = Callable[[Books], list[tuple[str, Any]]]
MOMENT = "2026-04-02T10:00:00.000000Z"


@pytest.fixture
def upload(bookkeeper: Actor, books: Books) -> Callable[..., Reply]:
    """Send a multipart body with a name and a file, under a key or not."""

    def send(name: str = "receipt.pdf", content: bytes = PDF, key: str | None = None, **fields: str) -> Reply:
        others = [(field, value.encode()) for field, value in fields.items()]
        body = multipart(("name", name.encode()), *others, ("file", content))
        headers = {"Content-Type": MULTIPART} | ({"Idempotency-Key": key} if key else {})
        return bookkeeper.send("POST", f"{books.path}file_upload/", content=body, headers=headers)

    return send


Upload = Callable[..., Reply]


def on_disk(world: World) -> set[str]:
    """The names of all content there is."""
    return {path.name for path in world.contents.folder.rglob("*") if path.is_file()}


def content_of(world: World, record: Any) -> bytes:
    """Fetch what a record's address names, as anybody may who knows it."""
    reply = world.client.get(record["file"])
    assert reply.status_code == 200, reply.text
    return reply.content


@pytest.fixture
def disk(shared: World) -> Callable[[], int]:
    """How many contents there are more than at the start of the test."""
    before = len(on_disk(shared))
    return lambda: len(on_disk(shared)) - before


def test_an_uploaded_file_is_shown_whole(shared: World, books: Books, upload: Upload) -> None:
    reply = upload()
    made = reply.body
    assert reply.status == 200
    assert made == {
        "id": made["id"],
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "file": made["file"],
        "name": "receipt.pdf",
        "type": "application/pdf",
        "preview": None,
        "folder_id": None,
        "blurhash": None,
        "blurhash_w": None,
        "blurhash_h": None,
        "analysis_badges": [],
        "analysis_status": "COMPLETED",
        "notes": "",
        "is_deletable": True,
        "analysis_results": [],
    }
    assert books.get(f"files/{made['id']}/").body == made
    assert list(made) == list(Attachment.__annotations__)
    check_reply(Attachment, made)
    assert content_of(shared, made) == PDF


def test_lists_leave_out_what_belongs_to_one(books: Books, upload: Upload) -> None:
    made = upload().body
    page = books.get("files/").body
    assert (page["count"], page["next"], page["size"]) == (1, None, 30)
    assert page["results"] == [{name: made[name] for name in AttachmentListItem.__annotations__}]


def test_base64_in_json_is_a_file_too(shared: World, books: Books) -> None:
    reply = books.send("POST", "file_upload/", {"name": "a.png", "file": base64.b64encode(PNG).decode()})
    assert (reply.status, reply.body["type"]) == (200, "image/png")
    assert content_of(shared, reply.body) == PNG


@pytest.mark.together
@pytest.mark.parametrize("escape", ["\\/", "\\u002f", "\\u002F"])
def test_base64_with_escapes_in_json_is_the_same_file(shared: World, books: Books, escape: str) -> None:
    content = b"%PDF" + bytes(range(256)) * 3
    encoded = base64.b64encode(content).decode()
    assert "/" in encoded
    body = f'{{"file":"{encoded.replace("/", escape)}","name":"a.pdf"}}'
    made = books.actor.send(
        "POST", f"{books.path}file_upload/", content=body.encode(), headers={"Content-Type": "application/json"}
    )
    assert made.status == 200, made
    assert content_of(shared, made.body) == content


def test_the_type_is_that_of_the_content(upload: Upload) -> None:
    assert upload("photo.png", PDF, type="image/png").body["type"] == "application/pdf"
    assert upload("page.html", b"<script>alert(1)</script>").body["type"] == "text/plain"


@pytest.mark.together
@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "..", "a\\b", "c:\\x", "\x1b[2J.pdf", "äö €.pdf", "x" * 256, "'\"%\n"]
)
def test_a_name_is_a_text_and_never_a_path(shared: World, books: Books, name: str) -> None:
    body = {"name": name, "file": base64.b64encode(PDF).decode()}
    made = books.send("POST", "file_upload/", body).body
    assert (made["name"], books.get(f"files/{made['id']}/").body["name"]) == (name.strip(), name.strip())
    assert urlsplit(made["file"]).path.strip("/").rpartition("/")[2] in on_disk(shared)
    assert list(shared.contents.folder.parent.iterdir()) == [shared.contents.folder]


def parts(*fields: tuple[str, bytes]) -> tuple[bytes, str]:
    return multipart(*fields), MULTIPART


def as_json(**fields: object) -> tuple[bytes, str]:
    return json.dumps(fields).encode(), "application/json"


NAMED = ("name", b"a.pdf")
CONTENT = ("file", PDF)


@pytest.mark.together
@pytest.mark.parametrize(
    ("body", "faults"),
    [
        (parts(CONTENT), ["name"]),
        (parts(NAMED), ["file"]),
        (parts(NAMED, ("file", b"")), ["file"]),
        (parts(NAMED, CONTENT, CONTENT), ["file"]),
        (parts(("name", b""), CONTENT), ["name"]),
        (parts(("name", b"x" * 257), CONTENT), ["name"]),
        (parts(("name", b"a\0b"), CONTENT), ["name"]),
        (parts(("name", b"\xff"), CONTENT), ["non_field_errors"]),
        (parts(NAMED, CONTENT, ("folder_id", b"5")), ["folder_id"]),
        (parts(NAMED, CONTENT, ("folder_id", b"x")), ["folder_id"]),
        ((parts(NAMED, CONTENT)[0][:-20], MULTIPART), ["non_field_errors"]),
        ((parts(NAMED, CONTENT)[0][:-60], MULTIPART), ["non_field_errors"]),
        ((b"", MULTIPART), ["non_field_errors"]),
        ((parts(NAMED, CONTENT)[0], "multipart/form-data"), ["non_field_errors"]),
        ((parts(NAMED, CONTENT)[0], "multipart/form-data; boundary=other"), ["non_field_errors"]),
        (as_json(name="a", file="not base64!"), ["file"]),
        (as_json(name="a", file="ä"), ["file"]),
        (as_json(name="a", file=5), ["file"]),
        (as_json(name="a", file=""), ["file"]),
        (as_json(name="a"), ["file"]),
        (as_json(name=True, file="QUJD"), ["name"]),
        ((b"[]", "application/json"), ["non_field_errors"]),
    ],
)
def test_what_is_no_upload_is_refused_and_leaves_nothing(
    bookkeeper: Actor, books: Books, disk: Callable[[], int], events: Events, body: tuple[bytes, str], faults: list[str]
) -> None:
    path, headers = f"{books.path}file_upload/", {"Content-Type": body[1]}
    reply = bookkeeper.send("POST", path, content=body[0], headers=headers)
    assert reply.error == (400, "validation_error")
    assert [name for name in reply.body if name not in {"code", "detail"}] == faults
    assert (disk(), books.get("files/").body["count"]) == (0, 0)
    assert [name for name, _ in events(books) if name.startswith("file.")] == []


def test_other_formats_are_415(bookkeeper: Actor, books: Books) -> None:
    for kind in ("application/pdf", "application/x-www-form-urlencoded", "text/plain"):
        reply = bookkeeper.send("POST", f"{books.path}file_upload/", content=PDF, headers={"Content-Type": kind})
        assert reply.error == (415, "unsupported_media_type")


@pytest.mark.everywhere
def test_a_file_beyond_the_limit_is_413(
    upload: Upload, books: Books, disk: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "LARGEST_FILE", 2**20)
    assert upload(content=bytes(2**20)).status == 200
    assert upload(content=bytes(2**20 + 1)).error == (413, "request_too_large")
    encoded = base64.b64encode(bytes(2**20 + 1)).decode()
    assert books.send("POST", "file_upload/", {"name": "a", "file": encoded}).status == 413
    assert disk() == 1


def test_a_body_beyond_any_file_is_not_read(upload: Upload, disk: Callable[[], int]) -> None:
    assert upload(content=bytes(36 * 2**20)).error == (413, "request_too_large")
    assert disk() == 0


def test_uploads_may_be_larger_than_other_bodies(upload: Upload, bookkeeper: Actor, books: Books) -> None:
    assert upload(content=b"%PDF-" + bytes(11 * 2**20)).status == 200
    body = b'{"name": "' + b"x" * 11 * 2**20 + b'"}'
    assert bookkeeper.send("POST", f"{books.path}tags/", content=body).status == 413


def test_whoever_may_not_write_lays_nothing_on_the_disk(
    shared: World, books: Books, disk: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("nothing may be written")

    stranger, reader = shared.user(), shared.user()
    shared.permit(reader, books.business_id, "files_read", "bookkeeping_read", "contact_editor")
    monkeypatch.setattr(contents.Contents, "keep", refuse)
    body, headers = multipart(NAMED, CONTENT), {"Content-Type": MULTIPART}
    for actor in (stranger, reader):
        reply = actor.send("POST", f"{books.path}file_upload/", content=body, headers=headers)
        assert reply.error == (403, "permission_denied")
    reply = stranger.send("POST", f"{books.path}file_upload/", content=body, headers=headers | {"Authorization": "x"})
    assert reply.error == (401, "not_authenticated")
    assert stranger.send("POST", "/v1/business/nobody/file_upload/", content=body, headers=headers).status == 404
    assert disk() == 0


# --- the same request again ---


def test_a_repeated_upload_is_one_file(upload: Upload, books: Books, disk: Callable[[], int]) -> None:
    first = upload(key="one")
    again = upload(key="one")
    assert (again.status, again.raw, again.headers["Idempotent-Replayed"]) == (200, first.raw, "true")
    assert (disk(), books.get("files/").body["count"]) == (1, 1)


def test_the_parts_count_and_not_their_boundary(
    bookkeeper: Actor, upload: Upload, books: Books, disk: Callable[[], int]
) -> None:
    first = upload(key="one")
    body = multipart(("name", b"receipt.pdf"), CONTENT, boundary="another", filename="another")
    headers = {"Content-Type": "multipart/form-data; boundary=another", "Idempotency-Key": "one"}
    again = bookkeeper.send("POST", f"{books.path}file_upload/", content=body, headers=headers)
    assert (again.raw, disk()) == (first.raw, 1)


def test_other_content_under_the_key_is_422(upload: Upload, books: Books, disk: Callable[[], int]) -> None:
    upload(key="one")
    same_size = PDF[:-1] + b"x"
    assert same_size != PDF
    for name, content in (
        ("receipt.pdf", PDF + b"x"), ("other.pdf", PDF), ("receipt.pdf", PDF[:-1]), ("receipt.pdf", same_size),
    ):  # fmt: skip
        assert upload(name, content, key="one").error == (422, "idempotency_key_reused")
    assert (disk(), books.get("files/").body["count"]) == (1, 1)


def test_two_files_of_the_same_content_are_two(upload: Upload, disk: Callable[[], int]) -> None:
    one, two = upload().body, upload().body
    assert one["id"] != two["id"]
    assert urlsplit(one["file"]).path != urlsplit(two["file"]).path
    assert disk() == 2


@pytest.mark.everywhere
def test_of_many_at_once_under_one_key_one_is_kept(upload: Upload, books: Books, disk: Callable[[], int]) -> None:
    with ThreadPoolExecutor(10) as pool:
        replies = list(pool.map(lambda _: upload(key="one"), range(20)))
    assert {reply.status for reply in replies} <= {200, 409}
    assert len({reply.raw for reply in replies if reply.status == 200}) == 1
    assert (disk(), books.get("files/").body["count"]) == (1, 1)


def test_content_stays_when_it_is_not_known_whether_its_record_does(
    shared: World, upload: Upload, books: Books, disk: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    write = shared.database.write

    def lost(work: Callable[[Connection], Any], *, claim: int | None = None) -> Any:
        write(work, claim=claim)
        raise Unavailable

    with monkeypatch.context() as broken:
        broken.setattr(shared.database, "write", lost)
        assert upload(key="one").status == 503
    record = books.get("files/").body["results"][0]
    assert (disk(), content_of(shared, record)) == (1, PDF)
    assert upload(key="one").body["id"] == record["id"]
    assert disk() == 1


# --- lists ---


def names(books: Books, **query: str) -> list[str]:
    page = books.get("files/", **query)
    assert page.status == 200, page
    assert page.body["count"] == len(page.body["results"])
    return [file["name"] for file in page.body["results"]]


@pytest.fixture
def three(books: Books, upload: Upload) -> dict[str, int]:
    """Three files: one attached to a tagged document, one to another document, one loose."""
    ids = {name: int(upload(name).body["id"]) for name in ("Rent_1.pdf", "rent%2.pdf", "ÄLVSJÖ.pdf")}
    books.document("2026-03-01", "1.00", attachment_ids=[ids["Rent_1.pdf"]], tag_ids=[books.tag("Sauna")])
    books.document("2026-03-02", "1.00", attachment_ids=[ids["rent%2.pdf"]])
    return ids


def test_a_sharp_s_is_found_however_it_is_written(books: Books, upload: Upload) -> None:
    upload("Süße Straße.pdf")
    assert [names(books, search=text) for text in ("SÜSSE", "straße", "strasse", "strase")] == [
        *[["Süße Straße.pdf"]] * 3,
        [],
    ]


@pytest.mark.everywhere
def test_the_newest_stand_first(books: Books, three: dict[str, int]) -> None:
    assert names(books) == ["ÄLVSJÖ.pdf", "rent%2.pdf", "Rent_1.pdf"]
    page = books.get("files/", page="2", page_size="2").body
    assert (page["count"], page["prev"], [one["name"] for one in page["results"]]) == (3, 1, ["Rent_1.pdf"])


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"search": "RENT"}, ["rent%2.pdf", "Rent_1.pdf"]),
        ({"search": "älvsjö"}, ["ÄLVSJÖ.pdf"]),
        ({"search": "t_1"}, ["Rent_1.pdf"]),
        ({"search": "t%"}, ["rent%2.pdf"]),
        ({"is_used": "true"}, ["rent%2.pdf", "Rent_1.pdf"]),
        ({"is_used": "false"}, ["ÄLVSJÖ.pdf"]),
        ({"is_used": "true", "search": "1"}, ["Rent_1.pdf"]),
        ({"folder": "1"}, []),
        ({"root": "true"}, ["ÄLVSJÖ.pdf", "rent%2.pdf", "Rent_1.pdf"]),
        ({"root": "false"}, ["ÄLVSJÖ.pdf", "rent%2.pdf", "Rent_1.pdf"]),
        ({"tags": "999999"}, []),
    ],
)
def test_lists_are_narrowed(books: Books, three: dict[str, int], query: dict[str, str], expected: list[str]) -> None:
    assert names(books, **query) == expected


def test_the_tags_of_documents_find_their_files(books: Books, three: dict[str, int]) -> None:
    tag = books.get("tags/").body["results"][0]["id"]
    assert names(books, tags=str(tag)) == ["Rent_1.pdf"]


@pytest.mark.together
@pytest.mark.parametrize("name", ["is_used", "root", "folder", "tags"])
def test_a_wrong_filter_is_named(books: Books, name: str) -> None:
    reply = books.get("files/", **{name: "x"})
    assert (reply.status, reply.faults) == (400, [name])


# --- changes ---


def test_a_file_is_renamed(shared: World, books: Books, upload: Upload, events: Events) -> None:
    shared.clock.now = NOW.replace(minute=5)
    made = upload().body
    shared.clock.now = NOW.replace(minute=6)
    changed = books.change(f"files/{made['id']}/", name="Ä.pdf", folder_id=None)
    assert changed == made | {"name": "Ä.pdf", "updated_at": "2026-04-02T10:06:00.000000Z"}
    assert books.get(f"files/{made['id']}/").body == changed
    assert names(books, search="ä") == ["Ä.pdf"]
    assert content_of(shared, changed) == PDF
    assert [one for one in events(books) if one[0].startswith("file.")] == [
        ("file.created", made | {"sha256": sha256(PDF).hexdigest()}),
        ("file.updated", changed),
    ]


def test_a_change_to_what_is_there_is_none(shared: World, books: Books, upload: Upload, events: Events) -> None:
    shared.clock.now = NOW.replace(minute=5)
    made = upload().body
    shared.clock.now = NOW.replace(minute=6)
    for body in ({}, {"name": "receipt.pdf"}, {"analysis_status": "COMPLETED", "folder_id": None}):
        assert books.send("PATCH", f"files/{made['id']}/", body).body == made
    assert books.send("PUT", f"files/{made['id']}/", {"name": "receipt.pdf"}).body == made
    assert [name for name, _ in events(books) if name.startswith("file.")] == ["file.created"]


def test_replacing_returns_the_rest_to_its_defaults(books: Books, upload: Upload) -> None:
    made = upload().body
    changed = books.change(f"files/{made['id']}/", analysis_status="FAILED")
    assert changed == made | {"analysis_status": "FAILED"}
    assert books.send("PUT", f"files/{made['id']}/", {"name": "b"}).body == made | {"name": "b"}
    assert books.send("PUT", f"files/{made['id']}/", {}).faults == ["name"]


@pytest.mark.together
@pytest.mark.parametrize("body", [{"name": ""}, {"name": None}, {"folder_id": 1}, {"analysis_status": "DONE"}])
def test_a_wrong_change_is_named(books: Books, upload: Upload, body: dict[str, object]) -> None:
    made = upload().body
    reply = books.send("PATCH", f"files/{made['id']}/", body)
    assert (reply.status, reply.faults) == (400, list(body))
    assert books.get(f"files/{made['id']}/").body == made


def test_a_deleted_file_takes_its_content_along(
    shared: World, books: Books, upload: Upload, disk: Callable[[], int], events: Events
) -> None:
    made = upload().body
    assert books.send("DELETE", f"files/{made['id']}/").status == 204
    assert books.get(f"files/{made['id']}/").status == 404
    assert shared.client.get(made["file"]).status_code == 404
    assert disk() == 0
    assert events(books)[-1] == ("file.deleted", {"id": made["id"]})
    assert books.send("DELETE", f"files/{made['id']}/").status == 404


def test_a_file_that_a_document_uses_stays(
    shared: World, books: Books, disk: Callable[[], int], three: dict[str, int]
) -> None:
    used = three["Rent_1.pdf"]
    record = books.get(f"files/{used}/").body
    assert record["is_deletable"] is False
    assert books.send("DELETE", f"files/{used}/").body["code"] == "precondition_failed"
    assert (disk(), content_of(shared, record)) == (3, PDF)
    document = books.listed(file=str(used))[0]
    books.change(f"document/{document}/", attachment_ids=[])
    assert books.send("DELETE", f"files/{used}/").status == 204
    assert disk() == 2


@pytest.mark.everywhere
def test_content_stays_when_the_deletion_is_rolled_back(
    shared: World, books: Books, upload: Upload, monkeypatch: pytest.MonkeyPatch, disk: Callable[[], int]
) -> None:
    from acctcli.service.store import events as outbox

    made = upload().body

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as broken:
        broken.setattr(outbox.RECORD, "run", fail)
        assert books.send("DELETE", f"files/{made['id']}/").status == 500
    assert (disk(), content_of(shared, made)) == (1, PDF)


def test_a_deleted_business_takes_all_its_content(
    shared: World, bookkeeper: Actor, upload: Upload, books: Books, disk: Callable[[], int], three: dict[str, int]
) -> None:
    elsewhere = open_books(bookkeeper)
    kept = elsewhere.send("POST", "file_upload/", {"name": "a", "file": "QUJD"}).body
    record = books.get(f"files/{three['Rent_1.pdf']}/").body
    assert disk() == 4
    assert books.send("DELETE", "").status == 204
    assert shared.client.get(record["file"]).status_code == 404
    assert (disk(), content_of(shared, kept)) == (1, b"ABC")


# --- whose it is ---


def test_files_of_another_business_are_not_there(books: Books, other_books: Books, upload: Upload) -> None:
    made = upload().body
    for method, body in (("GET", None), ("PUT", {"name": "x"}), ("PATCH", {"name": "x"}), ("DELETE", None)):
        assert other_books.send(method, f"files/{made['id']}/", body).status == 404
    assert names(other_books) == []
    assert books.get(f"files/{made['id']}/").body == made


@pytest.mark.together
@pytest.mark.parametrize(
    ("keys", "reads", "brings", "writes"),
    [
        (["files_read"], True, False, False),
        (["files_editor"], True, True, True),
        (["bookkeeping_editor"], True, True, False),
        (["bookkeeping_attachment"], True, True, False),
        (["invoicing_editor"], True, True, False),
        (["bookkeeping_read", "invoicing_read"], True, False, False),
        (["contact_editor", "reporting_admin"], False, False, False),
    ],
)
def test_who_may(
    shared: World, books: Books, upload: Upload, keys: list[str], reads: bool, brings: bool, writes: bool
) -> None:
    made, actor = upload().body, shared.user()
    shared.permit(actor, books.business_id, *keys)
    one = f"{books.path}files/{made['id']}/"
    seen = [actor.send("GET", path).status for path in (f"{books.path}files/", one)]
    assert seen == [200 if reads else 403] * 2
    file = {"name": "b", "file": "QUJD"}
    done = [
        actor.send(method, path, body).status
        for method, path, body in (("POST", f"{books.path}file_upload/", file), ("PATCH", one, {"name": "b"}))
    ]
    assert done == [200 if brings else 403, 200 if writes else 403]
