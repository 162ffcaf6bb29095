"""Contacts, tags, headers and constants, every command of theirs in every place."""

from __future__ import annotations

import pytest

from acctcli.cli.constant import KNOWN
from tests.journeys.places import Place
from tests.journeys.test_life import refused

INVOICED = ("--street", "Weg 1", "--postal-code", "01067", "--city", "Dresden", "--country", "DE", "--invoicing")


def document(place: Place, **fields: object) -> str:
    """The id of a posted sale with these fields."""
    sale = {"debet_account_id": 1910, "credit_entries": [{"account_id": 3900, "amount": 5}]}
    body = place.write("sale.json", {"date": "2026-03-02", "blueprint": sale, **fields})
    return str(place.json("document", "create", "--file", body, "--account-numbers")["id"])


@pytest.mark.everywhere
def test_a_contact_lives(place: Place) -> None:
    made = place.json("contact", "create", "--name", "Meyer GmbH", "--vat-id", "DE136695976", *INVOICED)
    number = str(made["id"])
    assert (made["can_be_invoiced"], made["can_be_invoiced_via_email"]) == (True, False)
    changed = place.json("contact", "update", number, "--email", "a@example.com")
    assert changed == made | {
        "invoicing_email": "a@example.com",
        "can_be_invoiced_via_email": True,
        "updated_at": changed["updated_at"],
    }
    assert place.json("contact", "get", number) == changed
    place.run("contact", "create", "--name", "abel")
    assert [one["name"] for one in place.json("contact", "list")] == ["abel", "Meyer GmbH"]
    assert place.json("contact", "list", "--name", "MEYER GMBH", "--invoicing") == [changed]
    assert [one["name"] for one in place.json("contact", "list", "--exclude", number)] == ["abel"]
    replaced = place.json("contact", "replace", number, "--name", "Meyer AG")
    assert (replaced["name"], replaced["invoicing_tax_code"], replaced["can_be_invoiced"]) == ("Meyer AG", None, False)
    assert "invoicing_street" in refused(place, 7, "contact", "update", number, "--invoicing")
    place.run("contact", "delete", number, "--yes")
    refused(place, 6, "contact", "get", number)


def test_a_contact_of_a_document_stays(place: Place) -> None:
    contact = place.json("contact", "create", "--name", "Meyer")["id"]
    sale = document(place, contact_id=contact)
    assert "Documents name the contact Meyer" in refused(place, 8, "contact", "delete", str(contact), "--yes")
    place.run("document", "delete", sale, "--yes")
    place.run("contact", "delete", str(contact), "--yes")


def test_a_tag_lives(place: Place) -> None:
    made = place.json("tag", "create", "--name", "Oulu", "--color", "blue")
    number = str(made["id"])
    changed = place.json("tag", "update", number, "--description", "The branch")
    assert changed == made | {"description": "The branch", "updated_at": changed["updated_at"]}
    assert place.json("tag", "list", "--search", "OUL") == [changed] == [place.json("tag", "get", number)]
    replaced = place.json("tag", "replace", number, "--name", "Turku")
    assert (replaced["name"], replaced["description"], replaced["color"]) == ("Turku", None, None)
    assert "name" in refused(place, 7, "tag", "create", "--name", "Turku")
    sale = document(place, tag_ids=[made["id"]])
    assert place.json("business", "get", place.environ["ACCTCLI_BUSINESS"])["has_tags"] is True
    assert [one["number"] for one in place.json("account", "list", "--tag", number)] == ["1910", "3900"]
    place.run("tag", "delete", number, "--yes")
    assert place.json("document", "get", sale)["tag_ids"] == []
    refused(place, 6, "tag", "get", number)


def test_headers_and_the_accounts_under_them(place: Place) -> None:
    root = place.json("header", "create", "--name", "Assets", "--type", "B")
    leaf = place.json("header", "create", "--name", "Money", "--type", "B", "--parent", str(root["id"]))
    assert (leaf["parent_ids"], leaf["level"]) == ([root["id"]], 1)
    assert place.json("header", "list") == [root, leaf]
    assert place.json("header", "list", "--search", "mon") == [leaf] == [place.json("header", "get", str(leaf["id"]))]
    refused(place, 7, "header", "create", "--name", "x", "--type", "I", "--parent", str(root["id"]))
    bank = place.json("account", "list", "--number", "1910")[0]["id"]
    path = f"/v1/business/{{business}}/account/{bank}/"
    place.run("api", "PATCH", path, "--field", f"header_id={leaf['id']}")
    assert place.json("account", "list", "--number", "1910")[0]["header_path"] == ["Assets", "Money"]


def test_every_set_can_be_read(place: Place) -> None:
    names = [one["value"] for one in place.json("constant", "list")]
    assert names == list(KNOWN)
    for name in names:
        values = place.json("constant", "get", name)
        assert values, name
        assert name == "vat-rates" or all(one["label"] for one in values), name


def test_rates_and_permissions(place: Place) -> None:
    assert place.json("constant", "get", "vat-rates", "--date", "2024-08-31")["default_vat_rate"] == "24.00"
    assert place.json("business", "permissions")["granted_permission_ids"] == ["admin"]


def test_german_books(place: Place) -> None:
    slug = f"{place.environ['ACCTCLI_BUSINESS']}de"
    made = place.json("business", "create", "--name", "Muster UG", "--form", "DE_UG", "--slug", slug)
    assert (made["country"], made["country_config"]["language"], made["account_yle_tax"]) == ("DE", "de", None)
    chart = place.json("account", "list", "--all", "--business", slug)
    names = {one["number"]: one["name"] for one in chart}
    assert (len(names), names["1800"], names["4400"]) == (60, "Bankkonto", "Erlöse, allgemeiner Satz")
    row = {"account_id": 4400, "amount": 119, "vat_code": 1, "vat_rate": 19}
    body = place.write("sale.json", {"blueprint": {"debet_account_id": 1800, "credit_entries": [row]}})
    sale = place.json("document", "create", "--file", body, "--account-numbers", "--business", slug)
    entries = place.json("document", "entries", str(sale["id"]), "--business", slug)
    assert [(one["account_number"], one["is_debet"], str(one["amount"])) for one in entries] == [
        ("1800", True, "119.00"),
        ("4400", False, "100.00"),
        ("3800", False, "19.00"),
    ]
