"""A business that was deleted is gone at once; what it had goes in portions, whoever interrupts that."""

from __future__ import annotations

import base64
import threading
from urllib.parse import urlsplit

import pytest

from acctcli.service.cases import erasing
from acctcli.service.cases.erasing import Erasure
from acctcli.service.store.businesses import erase_some
from acctcli.service.store.engine.statements import update
from acctcli.service.store.invoicing import recurrences
from tests.databases import Factory, opened
from tests.service.actor import Actor, World, world
from tests.service.cases.invoices.test_recurrence import BIRCH, MAILED, MONTHLY, ROW
from tests.service.routes import full
from tests.service.routes.books import open_books

DOCUMENTS = 5
KEPT = (
    "business", "stored_reply", "schema_revision", "sqlite_sequence", "users", "token", "local_user", "event",
    "jwt_key", "password", "guess", "session", "app", "app_grant", "app_code", "refresh_token", "signing_key",
)  # fmt: skip


def left(service: World, business: int) -> dict[str, int]:
    """Return how many rows of a business each table has."""
    with service.database.read() as conn:
        texts = {"sqlite": "SELECT name FROM sqlite_master WHERE type = 'table'"}
        names = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        tables = [name for (name,) in conn.fetch(texts.get(conn.dialect, names))[1] if name not in KEPT]
        count = "SELECT count(*) FROM {} WHERE business_id = {}"
        found = {name: conn.fetch(count.format(name, business))[1][0][0] for name in tables}
    return {name: number for name, number in found.items() if number}


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever deletes a business be interrupted at once."""
    monkeypatch.setattr(Erasure, "begin", lambda _: None)


def fill(actor: Actor, slug: str) -> int:
    books = open_books(actor, slug=slug)
    for _ in range(DOCUMENTS):
        books.document("2026-03-02", "12.55")
    return int(actor.send("GET", f"/v1/business/{slug}/").body["id"])


@pytest.mark.everywhere
@pytest.mark.usefixtures("patience")
def test_it_is_gone_at_once_and_what_it_had_goes_in_portions(service: World) -> None:
    actor = service.user()
    first, second = fill(actor, "first"), fill(actor, "second")
    before = left(service, second)
    assert actor.send("DELETE", "/v1/business/first/").status == 204
    assert actor.send("GET", "/v1/business/first/").status == 404
    assert actor.send("GET", "/v1/business/first/document/").status == 404
    assert [one["slug"] for one in actor.send("GET", "/v1/business/").body["results"]] == ["second"]
    third = fill(actor, "first")
    assert left(service, first)["document"] == DOCUMENTS
    portions = 0
    while service.database.write(lambda conn: erase_some(conn, first, 2))[0]:
        portions += 1
        open_books(actor, slug=f"more-{portions}")
    assert portions > DOCUMENTS // 2
    assert (left(service, first), left(service, second)) == ({}, before)
    assert left(service, third)["document"] == DOCUMENTS
    with service.database.read() as conn:
        events = conn.fetch(f"SELECT type FROM event WHERE business_id = {first}")[1]
    assert events == [("business.deleted",)]


@pytest.mark.everywhere
def test_a_large_one_does_not_keep_the_request_waiting(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    actor = service.user()
    business = fill(actor, "large")
    monkeypatch.setattr(erasing, "PATIENCE_SECONDS", 0.0)
    before = set(threading.enumerate())
    assert actor.send("DELETE", "/v1/business/large/").status == 204
    for thread in set(threading.enumerate()) - before:
        thread.join(30)
    assert left(service, business) == {}


@pytest.mark.usefixtures("patience")
def test_all_there_can_be_goes_a_row_at_a_time(service: World) -> None:
    business = full.fill(service.user(), "whole")
    assert business.books.actor.send("DELETE", f"/v1/business/{business.slug}/").status == 204
    assert len(left(service, business.business_id)) > 20
    while service.database.write(lambda conn: erase_some(conn, business.business_id, 1))[0]:
        pass
    assert left(service, business.business_id) == {}


@pytest.mark.usefixtures("patience")
def test_credit_notes_of_newer_and_older_invoices_are_no_obstacle(service: World) -> None:
    actor = service.user()
    books = open_books(actor, slug="birches", invoicing_email="books@example.com")
    body = {"receiver": books.contact(**BIRCH), "invoicing_date": "2026-01-31", "payment_condition_days": 14}
    older, newer = (books.invoicing.create("invoice/", {**body, "rows": [ROW]})["id"] for _ in range(2))
    books.invoicing.act(f"invoice/{newer}/actions/accept/")
    credit = {"is_credit_note_for": newer, "rows": [{**ROW, "amount": -5}]}
    books.invoicing.change(f"invoice/{older}/", **credit)
    books.invoicing.create("invoice/", {**body, **credit})
    business = int(actor.send("GET", "/v1/business/birches/").body["id"])
    assert actor.send("DELETE", "/v1/business/birches/").status == 204
    while service.database.write(lambda conn: erase_some(conn, business, 1))[0]:
        pass
    assert left(service, business) == {}


@pytest.mark.everywhere
@pytest.mark.usefixtures("patience")
def test_nothing_goes_on_in_one_that_is_deleted(service: World) -> None:
    actor = service.user()
    books = open_books(actor, slug="birches", invoicing_email="books@example.com")
    body = {"receiver": books.contact(**BIRCH), "invoicing_date": "2026-01-31", "payment_condition_days": 14}
    body |= {"rows": [ROW], **MONTHLY, **MAILED}
    template, made = (books.invoicing.create("invoice/", body)["id"] for _ in range(2))
    for invoice in (template, made):
        books.invoicing.act(f"invoice/{invoice}/actions/accept/")
    service.database.write(lambda conn: update(conn, "sales_invoice", {"recurrence_parent_id": template}, id=made))
    file = books.act("file_upload/", {"name": "a.txt", "file": base64.b64encode(b"1").decode()})
    address = urlsplit(file["file"])._replace(scheme="", netloc="").geturl()

    def seen() -> tuple[int, int, int]:
        with service.database.read() as conn:
            due = len(recurrences.templates(conn)), len(recurrences.unsent(conn))
        return *due, actor.send("GET", address).status

    assert seen() == (2, 1, 200)
    assert actor.send("DELETE", "/v1/business/birches/").status == 204
    assert seen() == (0, 0, 404)


STOP = """CREATE TRIGGER stop BEFORE DELETE ON account WHEN old.business_id = {}
    BEGIN SELECT RAISE(ABORT, 'this one stays'); END"""


def test_one_that_cannot_go_stops_neither_the_others_nor_a_reply(sqlite_factory: Factory) -> None:
    with opened(sqlite_factory.fresh()) as database, world(database) as service:
        actor = service.user()
        stuck, other = fill(actor, "stuck"), fill(actor, "other")
        database.write(lambda conn: conn.run(STOP.format(stuck)))
        for slug in ("stuck", "other"):
            assert actor.send("DELETE", f"/v1/business/{slug}/").status == 204
        assert (left(service, stuck).keys() >= {"account"}, left(service, other)) == (True, {})
        erasure = Erasure(database, service.contents)
        assert (erasure.run(), list(erasure.faults)) == (True, [stuck])
        database.write(lambda conn: conn.run("DROP TRIGGER stop"))
        erasure = Erasure(database, service.contents)
        assert (erasure.run(), erasure.faults, left(service, stuck)) == (True, {}, {})
