"""Identifiers: one of each type, checked by the rules of their country (docs/interface.md 3.2)."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from acctcli.service.store.schema.events import event
from tests.service.actor import Actor, World
from tests.sql import execute


@pytest.fixture(scope="module")
def admin(shared: World) -> Actor:
    return shared.user()


@pytest.fixture
def path(admin: Actor) -> str:
    slug = admin.create_business(business_id="0112038-9")["slug"]
    return f"/v1/business/{slug}/identifiers/"


def test_post_sets_the_value_of_a_type(admin: Actor, path: str) -> None:
    first = admin.send("POST", path, {"type": "vat_code", "value": "FI01120389"})
    again = admin.send("POST", path, {"type": "vat_code", "value": "FI15728600"})
    assert (first.status, again.status) == (201, 201)
    assert again.body == {"id": first.body["id"], "type": "vat_code", "value": "FI15728600"}
    assert admin.get(path)["count"] == 2


@pytest.mark.together
@pytest.mark.parametrize(
    ("kind", "value", "stored"),
    [
        ("y_tunnus", "0112038-9", "0112038-9"),
        ("y_tunnus", "01120389", "0112038-9"),
        ("y_tunnus", "0112038-8", None),
        ("y_tunnus", "x", None),
        ("vat_code", "FI01120389", "FI01120389"),
        ("vat_code", "FI01120388", None),
        ("vat_code", "DE136695976", "DE136695976"),
        ("vat_code", "01120389", None),
        ("steuernummer", "181/815/0815 5", "18181508155"),
        ("steuernummer", "1", None),
        ("ssn", "1", None),
        ("vat_code", "", None),
        ("vat_code", "F" * 65, None),
    ],
)
def test_values_are_checked(admin: Actor, path: str, kind: str, value: str, stored: str | None) -> None:
    reply = admin.send("POST", path, {"type": kind, "value": value})
    if stored:
        assert (reply.status, reply.body["value"]) == (201, stored)
    else:
        assert reply.error == (400, "validation_error")
        assert reply.body.keys() - {"code", "detail"} == {"type" if kind == "ssn" else "value"}


def test_demos_are_not_checked(admin: Actor) -> None:
    path = f"/v1/business/{admin.create_business(form='DEMO')['slug']}/identifiers/"
    reply = admin.send("POST", path, {"type": "vat_code", "value": "anything"})
    assert (reply.status, reply.body["value"]) == (201, "anything")
    changed = admin.send("PATCH", f"{path}{reply.body['id']}/", {"value": "anything else"})
    assert (changed.status, changed.body) == (200, {**reply.body, "value": "anything else"})


def test_one_by_one(admin: Actor, path: str) -> None:
    made = admin.send("POST", path, {"type": "vat_code", "value": "FI01120389"}).body
    one = f"{path}{made['id']}/"
    assert admin.get(one) == made
    changed = {**made, "value": "FI15728600"}
    assert admin.send("PATCH", one, {"value": "FI15728600"}).body == changed
    assert admin.send("PUT", one, {"value": "FI01120389"}).error == (400, "validation_error")
    moved = {"type": "steuernummer", "value": "18181508155"}
    assert admin.send("PUT", one, moved).body == {"id": made["id"], **moved}
    assert admin.send("PATCH", one, {"type": "y_tunnus", "value": "0112038-9"}).error == (400, "validation_error")
    assert admin.send("DELETE", one).status == 204
    assert admin.send("GET", one).error == (404, "not_found")


def test_what_is_not_sent_of_one_stays(admin: Actor, path: str) -> None:
    (official,) = admin.get(path)["results"]
    one = f"{path}{official['id']}/"
    for sent, value in (
        ({"value": "15728600"}, "1572860-0"),
        ({"type": "y_tunnus"}, "1572860-0"),
        ({}, "1572860-0"),
    ):
        reply = admin.send("PATCH", one, sent)
        assert (reply.status, reply.body) == (200, {**official, "value": value})


@pytest.mark.together
@pytest.mark.parametrize(("form", "kind"), [("FI_OY", "y_tunnus"), ("DEMO", "y_tunnus"), ("DE_UG", "steuernummer")])
def test_the_one_the_country_demands_stays(admin: Actor, form: str, kind: str) -> None:
    value = {"y_tunnus": "0112038-9", "steuernummer": "18181508155"}[kind]
    made = admin.create_business(form=form, business_id=value)
    path = f"/v1/business/{made['slug']}/identifiers/{made['identifiers'][0]['id']}/"
    assert admin.send("DELETE", path).error == (412, "precondition_failed")
    other = {"type": "vat_code", "value": "FI01120389"}
    assert admin.send("PUT", path, other).error == (412, "precondition_failed")
    assert admin.get(f"/v1/business/{made['slug']}/") == made


def test_the_business_shows_them(admin: Actor, path: str) -> None:
    admin.send("POST", path, {"type": "vat_code", "value": "FI01120389"})
    admin.send("POST", path, {"type": "y_tunnus", "value": "1572860-0"})
    shown = admin.get(path.removesuffix("identifiers/"))
    assert (shown["business_id"], shown["invoicing_tax_code"]) == ("1572860-0", "FI01120389")
    assert shown["identifiers"] == admin.get(path)["results"]
    place = admin.get("/v1/user/")["userships"][-1]
    assert (place["business"], place["business_id"]) == (shown["id"], "1572860-0")


@pytest.mark.everywhere
def test_events(service: World) -> None:
    actor = service.user()
    path = f"/v1/business/{actor.create_business()['slug']}/identifiers/"
    made: dict[str, Any] = actor.send("POST", path, {"type": "vat_code", "value": "FI01120389"}).body
    actor.send("POST", path, {"type": "vat_code", "value": "FI15728600"})
    actor.send("DELETE", f"{path}{made['id']}/")
    with service.database.read() as conn:
        of_business = select(event.c.type).where(event.c.business_id > 0)
        types = execute(conn, of_business.order_by(event.c.number)).scalars().all()
    assert types == ["business.created", "identifier.created", "identifier.updated", "identifier.deleted"]
