"""Callers, addresses, bodies and errors: what holds for every operation (docs/interface.md 1)."""

from __future__ import annotations

import json
from datetime import timedelta
from wsgiref.util import setup_testing_defaults

import pytest

from acctcli.service.http.answers import refusal
from acctcli.service.http.service import MAX_KEY
from acctcli.service.problems import SecretUnreadable, Unavailable
from acctcli.service.routes.operation import MAX_BODY
from tests.service.actor import Actor, World

BODY = {"name": "Test"}


@pytest.fixture(scope="module")
def admin(shared: World) -> Actor:
    return shared.user()


@pytest.mark.together
@pytest.mark.parametrize(
    ("credential", "code"),
    [
        (None, "not_authenticated"),
        ("", "not_authenticated"),
        ("Token", "not_authenticated"),
        ("Token  ", "not_authenticated"),
        ("Bearer {token}", "not_authenticated"),
        ("Basic {token}", "not_authenticated"),
        ("{token}", "not_authenticated"),
        ("Token {token}x", "authentication_failed"),
        ("Token x{token}", "authentication_failed"),
    ],
)
@pytest.mark.parametrize(("method", "path"), [("GET", "/v1/user/"), ("POST", "/v1/business/")])
def test_without_a_good_token_there_is_401(
    admin: Actor, method: str, path: str, credential: str | None, code: str
) -> None:
    headers = {} if credential is None else {"Authorization": credential.format(token=admin.token)}
    reply = admin.client.request(method, path, headers=headers)
    assert (reply.status_code, reply.json()["code"]) == (401, code)
    assert reply.headers["WWW-Authenticate"] == "Token"


@pytest.mark.together
@pytest.mark.parametrize("written", ["token {token}", "TOKEN {token}", "Token  {token}", "Token {token}  "])
def test_the_word_token_may_be_written_in_any_case_and_with_any_blanks(admin: Actor, written: str) -> None:
    reply = admin.send("GET", "/v1/user/", headers={"Authorization": written.format(token=admin.token)})
    assert reply.status == 200


def test_a_secret_of_another_key_stands_in_the_way_of_a_request() -> None:
    """It is no fault of the service, and is told as what mends it (docs/interface.md 1.5)."""
    answer = refusal(SecretUnreadable(), "r-1")
    assert isinstance(answer.body, bytes)
    assert (answer.status, answer.headers, json.loads(answer.body)) == (
        412,
        (),
        {
            "code": "precondition_failed",
            "detail": "A secret kept here was encrypted with another key than this installation has.",
        },
    )


@pytest.mark.everywhere
def test_a_token_ends_when_it_expires_or_is_revoked(service: World) -> None:
    actor = service.user()
    actor.token = service.token(actor.id, expires=service.clock.now + timedelta(hours=1))
    assert actor.send("GET", "/v1/user/").status == 200
    service.clock.move(timedelta(hours=1))
    assert actor.send("GET", "/v1/user/").error == (401, "authentication_failed")
    actor.token = service.token(actor.id)
    keyed = {"Idempotency-Key": "one"}
    assert actor.send("POST", "/v1/business/", BODY, headers=keyed).status == 201
    service.revoke(actor.token)
    assert actor.send("GET", "/v1/user/").error == (401, "authentication_failed")
    # neither a replay nor the memory of whose token it was lets it in
    assert actor.send("POST", "/v1/business/", BODY, headers=keyed).error == (401, "authentication_failed")


@pytest.mark.everywhere
def test_only_the_hash_of_a_token_is_stored(service: World) -> None:
    actor = service.user()
    assert actor.token.startswith("acct_pat_")
    assert len(actor.token) >= len("acct_pat_") + 32
    with service.database.read() as conn:
        rows = conn.fetch("SELECT * FROM token")[1]
    assert actor.token not in repr(rows)


@pytest.mark.together
@pytest.mark.parametrize(
    ("method", "path", "status", "location"),
    [
        ("GET", "/v1/user", 301, "/v1/user/"),
        ("HEAD", "/v1/user", 301, "/v1/user/"),
        ("GET", "/%2Fv1/user", 404, None),  # it would send on to a host of that name
        ("GET", "/%2Fhealth", 404, None),
        ("GET", "/v1/business?page=2&search=a%20b", 301, "/v1/business/?page=2&search=a%20b"),
        ("POST", "/v1/business", 404, None),
        ("PATCH", "/v1/user", 404, None),
        ("GET", "/v1/nothing/", 404, None),
        ("GET", "/v1/nothing", 404, None),
        ("GET", "/", 302, "/identity/account"),
        ("GET", "/v1/business/a b/", 404, None),
        ("GET", "/v1/business/%2e%2e/", 404, None),
        ("GET", "/v1/business/abcdefghijklmnopq/", 404, None),
        ("GET", "/v1/business/none/account/0/", 404, None),
        ("GET", "/v1/business/none/account/-1/", 404, None),
        ("GET", "/v1/business/none/account/1_0/", 404, None),
        ("GET", "/v1/business/none/account/9223372036854775808/", 404, None),
        ("GET", "/v1/business/none/account/%D9%A1/", 404, None),
        ("DELETE", "/v1/user/", 405, None),
        ("POST", "/v1/user/", 405, None),
        ("PUT", "/v1/business/", 405, None),
    ],
)
def test_addresses(admin: Actor, method: str, path: str, status: int, location: str | None) -> None:
    reply = admin.send(method, path)
    assert (reply.status, reply.headers.get("Location")) == (status, location)
    if status in (404, 405):
        assert reply.body.keys() == {"code", "detail"}
        assert reply.body["code"] == {404: "not_found", 405: "method_not_allowed"}[status]
    if status == 405:
        assert "GET" in reply.headers["Allow"]


def test_an_address_tells_its_methods(admin: Actor) -> None:
    told = {"Allow": "GET, HEAD, OPTIONS, PATCH, PUT"}
    reply = admin.send("OPTIONS", "/v1/user/")
    assert (reply.status, reply.raw, reply.headers["Allow"]) == (200, b"", told["Allow"])
    for method in ("DELETE", "TRACE", "BREW"):
        reply = admin.send(method, "/v1/user/")
        assert (reply.status, reply.body["code"], reply.headers["Allow"]) == (405, "method_not_allowed", told["Allow"])


@pytest.mark.together
@pytest.mark.parametrize("path", ["//evil.example/v1/user", "/v1/user/\xff", "/v1/\u0661", "/v1/user/\0"])
def test_odd_paths_lead_nowhere(admin: Actor, shared: World, path: str) -> None:
    statuses: list[str] = []
    environ: dict[str, object] = {"PATH_INFO": path, "HTTP_AUTHORIZATION": f"Token {admin.token}"}
    setup_testing_defaults(environ)
    body = b"".join(shared.app(environ, lambda status, _: statuses.append(status)))
    assert (statuses, json.loads(body)["code"]) == (["404 Not Found"], "not_found")


def test_head_is_get_without_a_body(admin: Actor) -> None:
    reply = admin.send("HEAD", "/v1/user/")
    assert (reply.status, reply.raw) == (200, b"")
    assert int(reply.headers["Content-Length"]) == len(admin.send("GET", "/v1/user/").raw)


def test_every_reply_has_an_id_of_its_own(admin: Actor) -> None:
    replies = [admin.send("GET", path) for path in ("/v1/user/", "/v1/user/", "/v1/nothing/", "/v1/user")]
    assert len({reply.headers["X-Request-Id"] for reply in replies}) == len(replies)


@pytest.mark.together
@pytest.mark.parametrize(
    "content",
    [b"{", b"[1]", b'"text"', b"null", b"\xff", b'{"name": NaN}', b"[" * 100_000, b'{"name": 1e99999999999999999999}'],
)
def test_a_body_that_is_no_json_object_is_400(admin: Actor, content: bytes) -> None:
    reply = admin.send("POST", "/v1/business/", content=content, headers={"Content-Type": "application/json"})
    assert reply.error == (400, "validation_error")
    assert reply.body.keys() == {"code", "detail", "non_field_errors"}


def test_fields_at_fault_are_named(admin: Actor) -> None:
    reply = admin.send("POST", "/v1/business/", {"name": "", "form": "X", "einvoicing_enabled": "maybe"})
    assert reply.error == (400, "validation_error")
    assert reply.body.keys() == {"code", "detail", "name", "form", "einvoicing_enabled"}
    assert all(isinstance(reply.body[name], list) for name in ("name", "form", "einvoicing_enabled"))
    assert reply.body["detail"].startswith("name: ")


def test_an_empty_body_has_no_fields(admin: Actor) -> None:
    reply = admin.send("POST", "/v1/business/")
    assert (reply.status, reply.body["name"]) == (400, ["This field is required."])


def test_other_formats_are_415(admin: Actor) -> None:
    slug = admin.create_business()["slug"]
    for path, kind in [
        ("/v1/business/", "text/plain"),
        ("/v1/business/", "application/xml"),
        (f"/v1/business/{slug}/account/", "application/x-www-form-urlencoded"),
    ]:
        reply = admin.send("POST", path, content=b"name=a", headers={"Content-Type": kind})
        assert reply.error == (415, "unsupported_media_type")


def test_businesses_come_as_forms_too(admin: Actor) -> None:
    form = {
        "name": "Päivä & Yö",
        "einvoicing_enabled": "true",
        "default_vat_period": "1",
        "invoicing_postal_code": "00100",
    }
    token = {"Authorization": f"Token {admin.token}"}
    parts = {name: (None, value) for name, value in form.items()}
    for reply in (
        admin.client.post("/v1/business/", data=form, headers=token),
        admin.client.post("/v1/business/", files=parts, headers=token),
    ):
        assert reply.status_code == 201
        made = reply.json()
        assert [made[name] for name in form] == ["Päivä & Yö", True, 1, "00100"]


def test_a_body_beyond_the_limit_is_413(admin: Actor) -> None:
    body = b'{"name": "' + b"a" * MAX_BODY + b'"}'
    assert admin.send("POST", "/v1/business/", content=body).error == (413, "request_too_large")


def test_a_body_shorter_than_announced_is_400(admin: Actor) -> None:
    reply = admin.send("POST", "/v1/business/", content=b'{"name": "a"}', headers={"Content-Length": "50"})
    assert reply.error == (400, "validation_error")


@pytest.mark.together
@pytest.mark.parametrize("key", ["", "a" * (MAX_KEY + 1), "tab\there"])
def test_a_bad_idempotency_key_is_400(admin: Actor, key: str) -> None:
    reply = admin.send("POST", "/v1/business/", BODY, headers={"Idempotency-Key": key})
    assert reply.error == (400, "validation_error")


def test_the_longest_key_is_good(admin: Actor) -> None:
    reply = admin.send("POST", "/v1/business/", BODY, headers={"Idempotency-Key": "a" * MAX_KEY})
    assert reply.status == 201


@pytest.mark.everywhere
def test_a_nul_in_a_query_finds_nothing(admin: Actor) -> None:
    assert admin.send("GET", "/v1/business/?search=%00").error == (400, "validation_error")
    assert admin.get("/v1/business/?unknown=%00")["count"] >= 0


def test_too_many_parameters_are_400(admin: Actor) -> None:
    query = "&".join(f"a{number}=1" for number in range(1000))
    assert admin.send("GET", f"/v1/business/?{query}").error == (400, "validation_error")


def test_what_cannot_be_answered_now_says_when_to_ask_again(admin: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise Unavailable

    monkeypatch.setattr("acctcli.service.store.people.users.get", fail)
    reply = admin.send("GET", "/v1/user/")
    assert (*reply.error, reply.headers["Retry-After"]) == (503, "server_error", "1")
    assert reply.headers["Nothing-Changed"] == "true"


def test_a_fault_of_the_program_tells_only_its_id(
    admin: Actor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the inside")

    monkeypatch.setattr("acctcli.service.store.people.users.get", fail)
    reply = admin.send("GET", "/v1/user/")
    assert reply.error == (500, "server_error")
    assert b"inside" not in reply.raw
    assert reply.headers["X-Request-Id"] in reply.body["detail"]
    assert "the inside" in caplog.text
