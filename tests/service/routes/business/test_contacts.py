"""Contacts over HTTP, on both databases (docs/interface.md 1.4, 6.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from acctcli.models.contact import Contact
from tests.replies import check_reply
from tests.service.routes.books import Books

ADDRESS = {
    "invoicing_street": "Hämeenkatu 1",
    "invoicing_city": "Tampere",
    "invoicing_postal_code": "00100",
    "invoicing_country": "FI",
}
EVERYTHING = {
    "customer_id": "K-17",
    "type": "BUSINESS",
    "name": "Äänekosken Paperi Oy",
    "name_aliases": ["Paperi", "Äki"],
    "contact_business_id": "0112038-9",
    "xrechnung_buyer_reference": "04011000-12345-03",
    "notes": "Pays late.",
    "phone_number": "+358 40 1",
    "is_invoicing_enabled": True,
    "invoicing_email": "laskut@example.com",
    "invoicing_electronic_address": "003701120389",
    "invoicing_electronic_address_scheme": "0216",
    "invoicing_einvoice_address": "003701120389",
    "invoicing_einvoice_operator": "BAWCFI22",
    "invoicing_tax_code": "FI01120389",
    **ADDRESS,
    "invoicing_language": "sv",
    "buyer_postal_address_details_xml_override": "<cac:PostalAddress/>",
}
DEFAULTS: dict[str, Any] = {
    **dict.fromkeys(EVERYTHING),
    "type": "UNSET",
    "name_aliases": [],
    "is_invoicing_enabled": False,
    "invoicing_language": "fi",
}
NOT_INVOICED = {
    "can_be_invoiced": False,
    "can_be_invoiced_via_email": False,
    "can_be_invoiced_via_einvoice": False,
}
INVOICED = dict.fromkeys(NOT_INVOICED, True)


def made(contact: dict[str, Any]) -> dict[str, Any]:
    """What of a reply nobody asked for."""
    return {name: contact[name] for name in ("id", "created_at", "updated_at")}


def names(books: Books, **query: str) -> list[str]:
    reply = books.get("contacts/", **query)
    assert reply.status == 200, reply
    assert reply.body["count"] == len(reply.body["results"])
    return [contact["name"] for contact in reply.body["results"]]


def test_a_contact_has_every_field(books: Books) -> None:
    created = books.create("contacts/", EVERYTHING)
    assert created == {**made(created), **EVERYTHING, **INVOICED}
    assert list(created) == list(Contact.__annotations__)
    check_reply(Contact, created)
    assert books.get(f"contacts/{created['id']}/").body == created
    assert books.get("contacts/").body["results"] == [created]


def test_only_the_name_is_required(books: Books) -> None:
    created = books.create("contacts/", {"name": "Meyer"})
    assert created == {**made(created), **DEFAULTS, "name": "Meyer", **NOT_INVOICED}


@pytest.mark.together
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": None}, "name"),
        ({"name": "x" * 257}, "name"),
        ({"type": "CAT"}, "type"),
        ({"name_aliases": ["x"] * 11}, "name_aliases"),
        ({"name_aliases": [""]}, "name_aliases"),
        ({"name_aliases": None}, "name_aliases"),
        ({"customer_id": "x" * 33}, "customer_id"),
        ({"contact_business_id": "x" * 17}, "contact_business_id"),
        ({"notes": "x" * 8193}, "notes"),
        ({"phone_number": "x" * 33}, "phone_number"),
        ({"invoicing_email": "nobody"}, "invoicing_email"),
        ({"invoicing_tax_code": "x" * 17}, "invoicing_tax_code"),
        ({"invoicing_street": "x" * 65}, "invoicing_street"),
        ({"invoicing_city": "x" * 33}, "invoicing_city"),
        ({"invoicing_postal_code": "x" * 9}, "invoicing_postal_code"),
        ({"invoicing_postal_code": False}, "invoicing_postal_code"),
        ({"invoicing_country": "FIN"}, "invoicing_country"),
        ({"invoicing_language": "de"}, "invoicing_language"),
        ({"is_invoicing_enabled": "perhaps"}, "is_invoicing_enabled"),
        ({"xrechnung_buyer_reference": "nul\0"}, "xrechnung_buyer_reference"),
    ],
)
def test_a_wrong_contact_is_refused(books: Books, change: dict[str, Any], field: str) -> None:
    reply = books.send("POST", "contacts/", {"name": "x", **change})
    assert (reply.status, reply.faults) == (400, [field])
    assert books.get("contacts/").body["count"] == 0


def test_patch_keeps_and_put_resets_what_is_not_sent(books: Books) -> None:
    created = books.create("contacts/", EVERYTHING)
    path = f"contacts/{created['id']}/"
    changed = books.change(path, notes=None, name_aliases=[], id=1, can_be_invoiced=False)
    assert changed == {**created, "notes": None, "name_aliases": []}
    replaced = books.send("PUT", path, {"name": "Meyer"}).body
    assert replaced == {**changed, **DEFAULTS, "name": "Meyer", **NOT_INVOICED}
    assert books.get(path).body == replaced
    refused = books.send("PUT", path, {"notes": "x"})
    assert (refused.status, refused.faults) == (400, ["name"])
    assert books.get(path).body == replaced


# --- invoicing ---


def test_invoicing_needs_an_address(books: Books) -> None:
    body = {"name": "x", "is_invoicing_enabled": True, **ADDRESS, "invoicing_city": " ", "invoicing_country": None}
    text = "Invoicing needs a whole address: invoicing_city, invoicing_country."
    reply = books.send("POST", "contacts/", body)
    assert (reply.status, reply.body) == (
        400,
        {
            "code": "validation_error",
            "detail": text,
            "message": text,
            "missing_invoicing_fields": ["invoicing_city", "invoicing_country"],
            "invoicing_city": ["Invoicing needs this field."],
            "invoicing_country": ["Invoicing needs this field."],
        },
    )
    assert books.get("contacts/").body["count"] == 0


def test_an_address_that_is_in_use_stays_whole(books: Books) -> None:
    created = books.create("contacts/", {"name": "x", **ADDRESS})
    path = f"contacts/{created['id']}/"
    assert books.change(path, is_invoicing_enabled=True)["can_be_invoiced"] is True
    reply = books.send("PATCH", path, {"invoicing_street": None})
    assert (reply.status, reply.body["missing_invoicing_fields"]) == (400, ["invoicing_street"])
    assert books.get(path).body["invoicing_street"] == ADDRESS["invoicing_street"]
    assert books.change(path, is_invoicing_enabled=False, invoicing_street=None)["can_be_invoiced"] is False


@pytest.mark.together
@pytest.mark.parametrize(
    ("fields", "ways"),
    [
        ({}, (True, False, False)),
        ({"invoicing_email": "a@b.fi"}, (True, True, False)),
        ({"invoicing_einvoice_address": "0037"}, (True, False, False)),
        ({"invoicing_einvoice_operator": "0037"}, (True, False, False)),
        ({"invoicing_einvoice_address": "0037", "invoicing_einvoice_operator": "0037"}, (True, False, True)),
        ({"invoicing_electronic_address": "0037"}, (True, False, True)),
        ({"is_invoicing_enabled": False, "invoicing_email": "a@b.fi"}, (False, False, False)),
    ],
)
def test_the_ways_to_invoice_follow_from_the_fields(
    books: Books, fields: dict[str, Any], ways: tuple[bool, bool, bool]
) -> None:
    created = books.create("contacts/", {"name": "x", "is_invoicing_enabled": True, **ADDRESS, **fields})
    assert tuple(created[name] for name in NOT_INVOICED) == ways


# --- deleting ---


def test_a_contact_can_be_deleted(books: Books) -> None:
    path = f"contacts/{books.create('contacts/', {'name': 'x'})['id']}/"
    reply = books.send("DELETE", path)
    assert (reply.status, reply.raw) == (204, b"")
    assert books.get(path).status == 404
    assert books.get("contacts/").body["count"] == 0


@pytest.mark.parametrize("is_draft", [True, False])
def test_a_contact_that_a_document_names_stays(books: Books, is_draft: bool) -> None:
    contact = books.create("contacts/", {"name": "Meyer"})
    document = books.document("2026-04-02", "1.00", contact_id=contact["id"], is_draft=is_draft)
    path = f"contacts/{contact['id']}/"
    reply = books.send("DELETE", path)
    assert (reply.status, reply.body) == (
        412,
        {"code": "precondition_failed", "detail": "Documents name the contact Meyer."},
    )
    books.change(f"document/{document['id']}/", contact_id=None)
    assert books.send("DELETE", path).status == 204


def test_contacts_of_another_business_do_not_exist_here(books: Books, other_books: Books) -> None:
    foreign = other_books.create("contacts/", {"name": "x"})
    path = f"contacts/{foreign['id']}/"
    for method, body in [("GET", None), ("PATCH", {"name": "y"}), ("PUT", {"name": "y"}), ("DELETE", None)]:
        reply = books.send(method, path, body)
        assert (reply.status, reply.body["code"]) == (404, "not_found"), method
    assert other_books.get(path).body == foreign
    assert names(books) == []


# --- lists ---


@pytest.mark.everywhere
def test_contacts_are_listed_by_name_then_id(books: Books) -> None:
    first, second = (books.create("contacts/", {"name": "meyer"})["id"] for _ in range(2))
    for name in ("Öberg", "_x", "Zahn", "MEYERS", "abel", "Abel-2", "Ääni", "Ångström"):
        books.create("contacts/", {"name": name})
    assert names(books) == ["_x", "abel", "Abel-2", "meyer", "meyer", "MEYERS", "Zahn", "Ääni", "Ångström", "Öberg"]
    found = [one["id"] for one in books.get("contacts/", search="meyer").body["results"]]
    assert found[:2] == [first, second]
    page = books.get("contacts/", page="2", page_size="4").body
    assert (page["count"], page["next"], page["prev"], page["size"]) == (10, 3, 1, 4)
    assert [one["name"] for one in page["results"]] == ["meyer", "MEYERS", "Zahn", "Ääni"]


@pytest.mark.everywhere
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"search": "ÄÄNE"}, ["Äänekosken Paperi Oy"]),
        ({"search": "äki"}, ["Äänekosken Paperi Oy"]),
        ({"search": "k-17"}, ["Äänekosken Paperi Oy"]),
        ({"search": "0112038"}, ["Äänekosken Paperi Oy"]),
        ({"search": "LASKUT@"}, ["Äänekosken Paperi Oy"]),
        ({"search": "Tampere"}, []),
        ({"search": "%"}, []),
        ({"search": "STRASSE"}, ["Straße 5"]),
        ({"search": ""}, ["Straße 5", "Äänekosken Paperi Oy"]),
        ({"name_iexact": "STRASSE 5"}, ["Straße 5"]),
        ({"name_iexact": "straße 5"}, ["Straße 5"]),
        ({"name_iexact": "äänekosken paperi oy"}, ["Äänekosken Paperi Oy"]),
        ({"name_iexact": "äänekosken"}, []),
        ({"is_invoicing_enabled": "true"}, ["Äänekosken Paperi Oy"]),
        ({"is_invoicing_enabled": "0"}, ["Straße 5"]),
        ({"is_invoicing_enabled": "true", "search": "straße"}, []),
        ({"exclude_id": "1000000000"}, ["Straße 5", "Äänekosken Paperi Oy"]),
    ],
)
def test_filters(books: Books, query: dict[str, str], found: list[str]) -> None:
    books.create("contacts/", EVERYTHING)
    books.create("contacts/", {"name": "Straße 5"})
    assert names(books, **query) == found


@pytest.mark.everywhere
def test_one_contact_can_be_left_out(books: Books) -> None:
    first, second = (books.create("contacts/", {"name": "Meyer"})["id"] for _ in range(2))
    listed = books.get("contacts/", name_iexact="MEYER", exclude_id=str(first)).body["results"]
    assert [contact["id"] for contact in listed] == [second]


@pytest.mark.everywhere
def test_a_search_finds_what_a_contact_is_called_now(books: Books) -> None:
    contact = books.create("contacts/", {"name": "Meyer", "name_aliases": ["Mei"]})
    books.change(f"contacts/{contact['id']}/", name="Schulze")
    assert (names(books, search="meyer"), names(books, search="schul"), names(books, search="mei")) == (
        [],
        ["Schulze"],
        ["Schulze"],
    )


@pytest.mark.parametrize(("name", "value"), [("exclude_id", "x"), ("is_invoicing_enabled", "yes")])
def test_a_filter_of_the_wrong_type_is_refused(books: Books, name: str, value: str) -> None:
    reply = books.get("contacts/", **{name: value})
    assert (reply.status, reply.faults) == (400, [name])


def test_every_change_leaves_one_event(books: Books, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    created = books.create("contacts/", {"name": "x"})
    path = f"contacts/{created['id']}/"
    changed = books.change(path, name="y")
    books.send("PATCH", path, {"is_invoicing_enabled": True})
    books.send("DELETE", path)
    assert [event for event in events(books) if event[0].startswith("contact.")] == [
        ("contact.created", created),
        ("contact.updated", changed),
        ("contact.deleted", {"id": created["id"]}),
    ]
