"""`acctcli payout`: entering payouts, and the documents that book them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from tests.cli.company import company
from tests.journeys.places import Place

D = Decimal
PAYOUT = ("--source", "shop", "--date", "2026-03-02", "--amount", "102.40")
ITEMS = (
    "--item", 'amount=125.50,account=3000,vat=25.5,code=1,description="Sales, March"',
    "--item", "amount=-3.10,account=8500,description=Fee",
    "--item", "amount=-20,account=3000,code=1,vat=25.5,description=Refund",
)  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("payout"))


@pytest.fixture
def payout(place: Place, names: Iterator[str]) -> str:
    """The id of a payout that nothing books."""
    return str(place.json("payout", "create", "--external-id", next(names), *PAYOUT, *ITEMS)["id"])


@pytest.fixture(scope="module")
def names() -> Iterator[str]:
    return (f"po_{number}" for number in range(100))


def entries(shown: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [("D" if one["is_debet"] else "C", one["account_number"], str(one["amount"])) for one in shown]


BOOKED = [
    ("D", "1980", "102.40"),
    ("D", "8500", "3.10"),
    ("D", "3000", "15.94"),
    ("D", "2939", "4.06"),
    ("C", "3000", "100.00"),
    ("C", "2939", "25.50"),
]


@pytest.fixture(scope="module", autouse=True)
def _clearing(place: Place) -> None:
    place.run("account", "create", "--number", "1980", "--name", "Clearing", "--type", "ASS_DUE")


def test_every_option_is_a_field(place: Place) -> None:
    options = ("--end-to-end-id", "E2E", "--currency", "EUR", "--description", "Week 9", "--attachment", "4")
    plan = place.json("payout", "create", "--external-id", "x", *PAYOUT, *options, *ITEMS, "--dry-run")
    assert (plan["method"], plan["path"]) == ("POST", "/v1/business/company/sales_payouts/")
    sales = {"account_number": "3000", "vat_rate": "25.50", "vat_code": 1}
    assert plan["body"] == {
        "external_id": "x",
        "end_to_end_id": "E2E",
        "source": "shop",
        "date": "2026-03-02",
        "amount": D("102.40"),
        "currency": "EUR",
        "description": "Week 9",
        "attachments": [4],
        "items": [
            {"amount": D("125.50"), "description": "Sales, March", **sales},
            {"amount": D("-3.10"), "description": "Fee", "account_number": "8500"},
            {"amount": D("-20.00"), "description": "Refund", **sales},
        ],
    }


@pytest.mark.together
@pytest.mark.parametrize(
    ("item", "says", "hint"),
    [
        ("amount=1,acount=3000", "there is no 'acount'", "did you mean account?"),
        ("amount=1,50,account=3000", "'50' is no name=value", "write name=value"),
        ("amount=x,account=3000", "amount: 'x' is not a number such as 125.50", None),
        ("amount=1", "items.0.account_number (--item): required", None),
        ("amount=1,account=30x", "items.0.account_number", None),
    ],
)
def test_a_wrong_item_costs_no_request(place: Place, item: str, says: str, hint: str | None) -> None:
    done = place.try_run("payout", "create", "--external-id", "x", *PAYOUT, "--item", item)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert hint is None or hint in done.err


def test_a_sum_that_is_off_is_refused(place: Place) -> None:
    done = place.try_run("payout", "create", "--external-id", "off", *PAYOUT, *ITEMS[:4])
    assert (done.code, done.out) == (7, "")
    assert done.err.startswith("error: items (--item): The items come to 122.40 and the payout to 102.40. (400)\n")


def test_the_table_shows_a_line_a_payout(place: Place, payout: str) -> None:
    header, _, row, *_ = place.run("payout", "list").lines()
    assert re.split(" {3,}", header) == ["id", "date", "source", "external id", "amount", "currency", "description"]
    assert row.split() == [
        payout,
        "2026-03-02",
        "shop",
        place.json("payout", "get", payout)["external_id"],
        "102.40",
        "EUR",
    ]


def test_a_list_is_narrowed(place: Place, names: Iterator[str]) -> None:
    name, other = next(names), next(names)
    for one, day in ((name, "2026-05-04"), (other, "2026-05-05")):
        sent = (*PAYOUT[:1], f"source {name}", "--date", day, *PAYOUT[4:])
        place.run("payout", "create", "--external-id", one, *sent, *ITEMS)
    tries: tuple[tuple[tuple[str, ...], list[str]], ...] = (
        (("--source", f"source {name}"), [other, name]),
        (("--external-id", name), [name]),
        (("--from", "2026-05-05"), [other]),
        (("--from", "2026-05-01", "--to", "2026-05-04"), [name]),
        (("--period", "2026-05"), [other, name]),
        (("--source", name), []),
    )
    for options, found in tries:
        assert [one["external_id"] for one in place.json("payout", "list", *options)] == found, options


# --- booking ---


def test_booking_posts_what_the_rehearsal_showed(place: Place, payout: str) -> None:
    plan = place.json("payout", "book", payout, "--clearing", "1980", "--dry-run")
    title = f"Payout {place.json('payout', 'get', payout)['external_id']}"
    assert place.json("document", "list", "--search", title) == []
    document = place.json("payout", "book", payout, "--clearing", "1980")
    assert (document["description"], document["date"], document["blueprint_type"]) == (title, "2026-03-02", "MANUAL")
    posted = place.json("document", "entries", str(document["id"]))
    assert entries(posted) == BOOKED == entries(plan["entries"])
    assert [one["description"] for one in posted] == ["", "Fee", "Refund", "Refund", "Sales, March", "Sales, March"]


def test_the_blueprint_is_for_machines(place: Place, payout: str) -> None:
    shown = place.run("payout", "book", payout, "--clearing", "1980").lines()[2:]
    assert [line.split()[0] for line in shown] == [
        "id", "number", "date", "description", "balance", "is_draft", "attachment_ids",
    ]  # fmt: skip
    header = place.run("payout", "book", payout, "--clearing", "1980", "--again", "--output", "tsv").lines()[0]
    assert header.split("\t") == [
        "id", "number", "date", "description", "balance", "is_draft", "blueprint", "attachment_ids",
    ]  # fmt: skip


def test_a_payout_in_another_currency_is_not_booked_as_euros(place: Place) -> None:
    item = ("--item", "amount=102.40,account=3000")
    made = place.json("payout", "create", "--external-id", "crowns", *PAYOUT, "--currency", "SEK", *item)
    done = place.try_run("payout", "book", str(made["id"]), "--clearing", "1980")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: payout {made['id']} is in SEK: documents are in EUR\n")


def test_a_payout_is_booked_once(place: Place, payout: str) -> None:
    first = place.json("payout", "book", payout, "--clearing", "1980", "--date", "2026-03-05", "--draft")
    assert (first["is_draft"], first["date"]) == (True, "2026-03-05")
    done = place.try_run("payout", "book", payout, "--clearing", "1980")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: document {first['id']} books this payout already\n")
    assert place.json("payout", "book", payout, "--clearing", "1980", "--again")["is_draft"] is False


def test_payouts_whose_ids_begin_alike_are_each_booked_once(place: Place) -> None:
    documents = {}
    for name in ("alike", "alike 2", "alik"):
        payout = str(place.json("payout", "create", "--external-id", name, *PAYOUT, *ITEMS)["id"])
        documents[payout] = place.json("payout", "book", payout, "--clearing", "1980")
    for payout, document in documents.items():
        done = place.try_run("payout", "book", payout, "--clearing", "1980")
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"error: document {document['number']} books this payout already\n")


def test_the_files_of_a_payout_go_to_its_document(place: Place) -> None:
    (uploaded,) = place.json("file", "upload", str(place.write("report.csv", {})))
    file = str(uploaded["id"])
    made = place.json("payout", "create", "--external-id", "filed", *PAYOUT, *ITEMS, "--attachment", file)
    booked = place.json("payout", "book", str(made["id"]), "--clearing", "1980")
    assert [str(one) for one in booked["attachment_ids"]] == [file]


def test_what_is_owed_to_the_provider_stands_on_the_other_side(place: Place) -> None:
    item = ("--item", "amount=-3.10,account=8500")
    made = place.json("payout", "create", "--external-id", "owed", *PAYOUT, "--amount", "-3.10", *item)
    booked = place.json("payout", "book", str(made["id"]), "--clearing", "1980")
    posted = place.json("document", "entries", str(booked["id"]))
    assert entries(posted) == [("D", "8500", "3.10"), ("C", "1980", "3.10")]


def test_a_payout_of_nothing_leaves_the_clearing_account_alone(place: Place) -> None:
    items = ("--item", "amount=3.10,account=3000", "--item", "amount=-3.10,account=8500")
    made = place.json("payout", "create", "--external-id", "even", *PAYOUT, "--amount", "0", *items)
    booked = place.json("payout", "book", str(made["id"]), "--clearing", "1980")
    sides = [booked["blueprint"][f"{side}_entries"] for side in ("debet", "credit")]
    assert [[row["amount"] for row in rows] for rows in sides] == [[D("3.10")], [D("3.10")]]
    posted = place.json("document", "entries", str(booked["id"]))
    assert entries(posted) == [("D", "8500", "3.10"), ("C", "3000", "3.10")]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--clearing", "1981"), "--clearing: there is no account 1981 in the chart"),
        ((), "Missing option '--clearing'"),
        (("--clearing", "1980", "--date", "soon"), "--date 'soon': not a day"),
    ],
)
def test_a_wrong_booking_posts_nothing(place: Place, payout: str, options: tuple[str, ...], says: str) -> None:
    before = len(place.json("document", "list"))
    done = place.try_run("payout", "book", payout, *options)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert len(place.json("document", "list")) == before


def test_an_item_on_an_account_that_is_not_there_is_named(place: Place) -> None:
    item = ("--item", "amount=1,account=3001")
    made = place.json("payout", "create", "--external-id", "lost", *PAYOUT, "--amount", "1", *item)
    done = place.try_run("payout", "book", str(made["id"]), "--clearing", "1980", "--json")
    assert (done.code, done.out) == (2, "")
    assert json.loads(done.err)["error"]["message"] == "item 1: there is no account 3001 in the chart"
