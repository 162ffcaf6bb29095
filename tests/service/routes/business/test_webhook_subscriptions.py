"""Webhook subscriptions over HTTP, on both databases (docs/interface.md 11.2)."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from acctcli.models.webhook import NewWebhookSubscription, WebhookSubscription
from acctcli.service.cases.webhooks.subscriptions import secret_place
from acctcli.service.identity.keys import InstallationKey
from acctcli.service.problems import SecretUnreadable
from acctcli.service.store.schema import metadata
from acctcli.service.store.schema.business import stored_reply
from acctcli.service.store.schema.events import webhook_subscription
from tests.replies import check_reply
from tests.service.actor import Actor, World
from tests.service.routes.books import Books
from tests.sql import execute

PATH = "webhook_subscriptions/"
PASSWORD = "open-sesame-4711"
TARGET = "https://shop.example/events?from=books"
EVERYTHING = {
    "name": "Shop",
    "target_url": TARGET,
    "is_active": False,
    "basic_auth_username": "books",
    "basic_auth_password": PASSWORD,
}
SHOWN = {name: value for name, value in EVERYTHING.items() if name != "basic_auth_password"}
SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{32}")


def made(subscription: dict[str, Any]) -> dict[str, Any]:
    """What of a reply nobody asked for."""
    return {name: subscription[name] for name in ("id", "created_at", "updated_at")}


def without_secret(created: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in created.items() if name != "signing_secret"}


@pytest.fixture
def kept(shared: World) -> Callable[[Books, int, str], bytes | None]:
    """What the database holds of a secret."""

    def read(books: Books, subscription_id: int, column: str) -> bytes | None:
        row = select(webhook_subscription.c[column]).where(
            webhook_subscription.c.business_id == books.business_id, webhook_subscription.c.id == subscription_id
        )
        with shared.database.read() as conn:
            found = execute(conn, row).scalar_one()
        return None if found is None else bytes(found)

    return read


def test_a_subscription_has_every_field_and_a_secret_once(books: Books) -> None:
    created = books.create(PATH, EVERYTHING)
    assert created == {**made(created), **SHOWN, "signing_secret": created["signing_secret"]}
    assert list(created) == list(NewWebhookSubscription.__annotations__)
    check_reply(NewWebhookSubscription, created)
    assert SECRET.fullmatch(created["signing_secret"])
    assert len(base64.b64decode(created["signing_secret"].removeprefix("whsec_"))) == 24
    shown = books.get(f"{PATH}{created['id']}/").body
    assert shown == without_secret(created)
    assert list(shown) == list(WebhookSubscription.__annotations__)
    assert books.get(PATH).body["results"] == [shown]


def test_name_and_address_are_enough(books: Books) -> None:
    one, two = (books.create(PATH, {"name": "x", "target_url": TARGET}) for _ in range(2))
    assert without_secret(one) == {
        **made(one),
        "name": "x",
        "target_url": TARGET,
        "is_active": True,
        "basic_auth_username": None,
    }
    assert one["signing_secret"] != two["signing_secret"]


@pytest.mark.together
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": None}, "name"),
        ({"name": "x" * 129}, "name"),
        ({"target_url": None}, "target_url"),
        ({"target_url": ""}, "target_url"),
        ({"target_url": "shop.example"}, "target_url"),
        ({"target_url": "ftp://shop.example/"}, "target_url"),
        ({"target_url": "file:///etc/passwd"}, "target_url"),
        ({"target_url": "https://"}, "target_url"),
        ({"target_url": "https://user:pass@shop.example/"}, "target_url"),
        ({"target_url": "https://token@shop.example/"}, "target_url"),
        ({"target_url": "https://shop.example/\r\nX: y"}, "target_url"),
        ({"target_url": f"https://shop.example/{'x' * 2048}"}, "target_url"),
        ({"is_active": None}, "is_active"),
        ({"basic_auth_username": ""}, "basic_auth_username"),
        ({"basic_auth_username": "a:b"}, "basic_auth_username"),
        ({"basic_auth_username": "a\nb"}, "basic_auth_username"),
        ({"basic_auth_username": None}, "basic_auth_username"),
        ({"basic_auth_password": "a\0b"}, "basic_auth_password"),
        ({"basic_auth_password": "x" * 256}, "basic_auth_password"),
    ],
)
def test_a_wrong_subscription_is_refused(books: Books, change: dict[str, Any], field: str) -> None:
    reply = books.send("POST", PATH, {**EVERYTHING, **change})
    assert (reply.status, reply.faults) == (400, [field])
    assert PASSWORD.encode() not in reply.raw
    assert books.get(PATH).body["count"] == 0


@pytest.mark.everywhere
def test_patch_keeps_and_put_resets_what_is_not_sent(
    books: Books, kept: Callable[[Books, int, str], bytes | None]
) -> None:
    created = books.create(PATH, EVERYTHING)
    number, path = created["id"], f"{PATH}{created['id']}/"
    secret = kept(books, number, "signing_secret")
    password = kept(books, number, "basic_auth_password")
    shown = books.get(path).body
    assert books.send("PUT", path, shown).body == {**shown, "updated_at": books.get(path).body["updated_at"]}
    assert kept(books, number, "basic_auth_password") == password
    changed = books.change(path, is_active=True, id=1, signing_secret="whsec_mine")
    assert changed == {**without_secret(created), "is_active": True}
    assert (kept(books, number, "basic_auth_password"), password is None) == (password, False)
    replaced = books.send("PUT", path, {"name": "y", "target_url": "http://127.0.0.1:9000/"}).body
    assert replaced == {
        **changed,
        "name": "y",
        "target_url": "http://127.0.0.1:9000/",
        "basic_auth_username": None,
    }
    assert books.get(path).body == replaced
    assert kept(books, number, "basic_auth_password") is None
    assert kept(books, number, "signing_secret") == secret


@pytest.mark.everywhere
def test_a_password_goes_with_its_user(books: Books, kept: Callable[[Books, int, str], bytes | None]) -> None:
    created = books.create(PATH, EVERYTHING)
    number, path = created["id"], f"{PATH}{created['id']}/"

    def has_password() -> bool:
        return kept(books, number, "basic_auth_password") is not None

    books.change(path, basic_auth_password=None)
    assert not has_password()
    books.send("PUT", path, EVERYTHING)
    assert has_password()
    books.send("PUT", path, EVERYTHING | {"basic_auth_password": None})
    assert not has_password()
    books.change(path, basic_auth_password=PASSWORD)
    books.change(path, basic_auth_username="other")
    assert has_password()
    books.change(path, basic_auth_username=None)
    assert not has_password()
    reply = books.send("PATCH", path, {"basic_auth_password": PASSWORD})
    assert (reply.status, reply.body["basic_auth_username"]) == (400, ["A password needs a user."])
    assert not has_password()
    books.change(path, basic_auth_username="books", basic_auth_password=PASSWORD)
    assert has_password()


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
def test_a_password_is_for_the_host_that_it_was_given_for(
    books: Books, kept: Callable[[Books, int, str], bytes | None], method: str
) -> None:
    created = books.create(PATH, EVERYTHING)
    number, path = created["id"], f"{PATH}{created['id']}/"
    unsaid = {name: value for name, value in EVERYTHING.items() if name != "basic_auth_password"}
    for target in ("https://evil.example/", TARGET.replace("https:", "http:"), "https://shop.example:8443/"):
        reply = books.send(method, path, {**unsaid, "target_url": target})
        assert (reply.status, "basic_auth_password" in reply.body) == (400, True), target
    assert books.get(path).body == without_secret(created)
    assert books.send(method, path, {**unsaid, "target_url": f"{TARGET}more/"}).status == 200
    assert kept(books, number, "basic_auth_password") is not None
    moved = {**unsaid, "target_url": "https://other.example/"}
    assert books.send(method, path, {**moved, "basic_auth_password": "another"}).status == 200
    assert books.send(method, path, {**moved, "target_url": TARGET, "basic_auth_password": None}).status == 200
    assert kept(books, number, "basic_auth_password") is None


def test_secrets_are_encrypted_for_their_place(
    shared: World, books: Books, kept: Callable[[Books, int, str], bytes | None]
) -> None:
    created = books.create(PATH, EVERYTHING)
    secrets = {"signing_secret": created["signing_secret"], "basic_auth_password": PASSWORD}
    for column, secret in secrets.items():
        sealed = kept(books, created["id"], column)
        assert sealed is not None
        place = secret_place(books.business_id, column)
        assert shared.installation.unseal(sealed, place).decode() == secret
        for key, elsewhere in [
            (shared.installation, secret_place(books.business_id + 1, column)),
            (InstallationKey(lambda: bytes(32)), place),
        ]:
            with pytest.raises(SecretUnreadable):
                key.unseal(sealed, elsewhere)


def everything_kept(shared: World) -> bytes:
    """All texts and bytes of the database."""
    found: list[bytes] = []
    with shared.database.read() as conn:
        for table in metadata.sorted_tables:
            for row in execute(conn, select(table)):
                found += [bytes(one) if isinstance(one, bytes | memoryview) else str(one).encode() for one in row]
    return b"\n".join(found)


@pytest.mark.everywhere
def test_no_table_holds_a_secret_in_clear(shared: World, books: Books, bookkeeper: Actor) -> None:
    path = f"{books.path}{PATH}"
    reply = bookkeeper.send("POST", path, EVERYTHING, headers={"Idempotency-Key": "clear"})
    books.change(f"{PATH}{reply.body['id']}/", basic_auth_password=f"{PASSWORD}-2", basic_auth_username="x")
    everything = everything_kept(shared)
    assert TARGET.encode() in everything  # the search finds what is there
    assert PASSWORD.encode() not in everything
    assert reply.body["signing_secret"].removeprefix("whsec_").encode() not in everything


def test_a_repetition_gets_the_same_reply_with_the_secret(books: Books, bookkeeper: Actor) -> None:
    path, key = f"{books.path}{PATH}", {"Idempotency-Key": "again"}
    first = bookkeeper.send("POST", path, EVERYTHING, headers=key)
    again = bookkeeper.send("POST", path, EVERYTHING, headers=key)
    assert (again.status, again.raw, again.headers["Idempotent-Replayed"]) == (201, first.raw, "true")
    assert books.get(PATH).body["count"] == 1
    other = bookkeeper.send("POST", path, {**EVERYTHING, "basic_auth_password": "x"}, headers=key)
    assert other.error == (422, "idempotency_key_reused")
    assert PASSWORD.encode() not in other.raw


@pytest.mark.everywhere
def test_a_fingerprint_cannot_be_guessed_at(shared: World, books: Books, bookkeeper: Actor) -> None:
    path, body = f"{books.path}{PATH}", json.dumps(EVERYTHING).encode()
    key = {"Idempotency-Key": "guess", "Content-Type": "application/json"}
    assert bookkeeper.send("POST", path, content=body, headers=key).status == 201
    with shared.database.read() as conn:
        fingerprint = execute(
            conn, select(stored_reply.c.fingerprint).where(stored_reply.c.user_id == bookkeeper.id)
        ).scalar_one()
    content = f"POST\n{path}\n\n".encode() + body
    assert fingerprint != hashlib.sha256(content).hexdigest()
    assert fingerprint == shared.installation.mark(content)


@pytest.mark.everywhere
def test_subscriptions_are_listed_by_id(books: Books) -> None:
    ids = [books.create(PATH, {"name": name, "target_url": TARGET})["id"] for name in ("c", "a", "b")]
    page = books.get(PATH, page="2", page_size="2").body
    assert (page["count"], page["next"], page["prev"], page["size"]) == (3, None, 1, 2)
    assert [one["id"] for one in page["results"]] == ids[2:]


@pytest.mark.everywhere
def test_every_change_leaves_one_event_without_secrets(
    books: Books, events: Callable[[Books], list[tuple[str, Any]]]
) -> None:
    created = books.create(PATH, EVERYTHING)
    path = f"{PATH}{created['id']}/"
    changed = books.change(path, name="y", basic_auth_password=f"{PASSWORD}-2")
    books.send("PATCH", path, {"name": ""})
    assert books.send("DELETE", path).status == 204
    found = [one for one in events(books) if one[0].startswith("webhook_subscription.")]
    assert found == [
        ("webhook_subscription.created", without_secret(created)),
        ("webhook_subscription.updated", changed),
        ("webhook_subscription.deleted", {"id": created["id"]}),
    ]
    assert books.get(path).status == 404


def test_subscriptions_of_another_business_do_not_exist_here(books: Books, other_books: Books) -> None:
    foreign = other_books.create(PATH, EVERYTHING)
    path = f"{PATH}{foreign['id']}/"
    body = {"name": "y", "target_url": TARGET}
    for method, sent in [("GET", None), ("PATCH", body), ("PUT", body), ("DELETE", None)]:
        reply = books.send(method, path, sent)
        assert (reply.status, reply.body["code"]) == (404, "not_found"), method
    assert other_books.get(path).body == without_secret(foreign)
    assert books.get(PATH).body["count"] == 0


@pytest.mark.everywhere
def test_they_go_with_their_business(books: Books, shared: World) -> None:
    books.create(PATH, EVERYTHING)
    books.create("workflows/", {"name": "x"})
    assert books.send("DELETE", "").status == 204
    with shared.database.read() as conn:
        left = select(webhook_subscription.c.id).where(webhook_subscription.c.business_id == books.business_id)
        assert execute(conn, left).all() == []
