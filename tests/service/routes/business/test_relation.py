"""Relations between documents over HTTP, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.relation import DocumentRelation
from tests.replies import check_reply
from tests.service.actor import World
from tests.service.routes.books import Books, Row
from tests.service.routes.conftest import NOW

MOMENT = "2026-04-02T10:00:00.000000Z"
LATER = "2026-04-02T11:00:00.000000Z"
ACCRUAL = {"role": "ACCRUAL", "type": "ACCRUAL_PAIR"}
SETTLEMENT = {"role": "SETTLEMENT", "type": "ACCRUAL_PAIR"}

Events = Callable[[Books], list[tuple[str, Any]]]


@pytest.fixture
def invoice(books: Books) -> Any:
    """A sale on credit to a contact."""
    sale = books.sales("1700", [books.row("3380", "500.00", 6)])
    fields = {"date": "2026-01-10", "description": "Advice", "contact_id": books.contact(), "blueprint": sale}
    return books.create("document/", fields)


@pytest.fixture
def payment(books: Books) -> Any:
    """The payment of it."""
    paid = books.sales("1910", [books.row("1700", "500.00")])
    return books.create("document/", {"date": "2026-02-20", "description": "Paid", "blueprint": paid})


@pytest.fixture
def pair(books: Books, invoice: Any, payment: Any) -> Any:
    """The relation of the two, as it is seen from the payment."""
    return books.create(f"{at(payment)}relation/", {"related_document": invoice["id"], **SETTLEMENT})


def at(document: Any) -> str:
    return f"document/{document['id']}/"


def shown(relation: Any, role: str, related: Any, **fields: object) -> Row:
    """Return a relation as it looks from the document that is not `related`."""
    names = ("id", "number", "date", "description", "balance", "contact_name", "is_draft")
    return {
        "id": relation["id"],
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "related_document": related["id"],
        "related_document_summary": {name: related[name] for name in names},
        "description": related["description"],
        "role": role,
        "type": "ACCRUAL_PAIR",
        "source_document_signals": {},
        "related_document_signals": {},
        **fields,
    }


def test_a_relation_is_seen_from_both_sides(books: Books, invoice: Any, payment: Any, pair: Any) -> None:
    other = shown(pair, "ACCRUAL", payment)
    assert pair == shown(pair, "SETTLEMENT", invoice)
    assert pair["related_document_summary"]["contact_name"] == "Birch Oy"
    assert pair["related_document_summary"]["balance"] == Decimal("0.00")
    for document, relation in ((payment, pair), (invoice, other)):
        page = {"count": 1, "next": None, "prev": None, "size": 30, "results": [relation]}
        assert books.get(f"{at(document)}relation/").body == page
        assert books.get(f"{at(document)}relation/{pair['id']}/").body == relation
        assert books.get(at(document)).body == document | {"relations": [relation], "is_deletable": False}
    assert list(pair) == list(DocumentRelation.__annotations__)
    check_reply(DocumentRelation, pair)


def test_every_change_of_a_document_shows_its_relations(books: Books, invoice: Any, payment: Any, pair: Any) -> None:
    related = invoice | {"relations": [shown(pair, "ACCRUAL", payment)], "is_deletable": False}
    assert books.change(at(invoice), description="x") == related | {"description": "x"}
    assert books.act(f"{at(invoice)}action/flag/") == related | {"description": "x", "is_flagged": True}
    draft = books.change(at(invoice), is_draft=True)
    assert books.get(f"{at(payment)}relation/").body["results"][0]["related_document_summary"]["is_draft"] is True
    assert draft["relations"] == related["relations"]
    copy = books.act(f"{at(invoice)}action/copy/")
    assert (copy["relations"], copy["is_deletable"]) == ([], True)


@pytest.mark.everywhere
def test_many_relations_are_listed_in_the_order_they_were_made(books: Books, payment: Any) -> None:
    others = [books.document("2026-01-10", "1.00") for _ in range(3)]
    later = books.document("2026-03-01", "1.00")
    made = []
    for one, other in ((payment, others[1]), (others[0], payment), (payment, later), (others[2], payment)):
        made.append(books.create(f"{at(one)}relation/", {"related_document": other["id"], **ACCRUAL})["id"])
    listed = books.get(at(payment)).body["relations"]
    assert [relation["id"] for relation in listed] == made
    assert [relation["role"] for relation in listed] == ["ACCRUAL", "SETTLEMENT", "ACCRUAL", "SETTLEMENT"]
    page = books.get(f"{at(payment)}relation/", page="2", page_size="3").body
    assert page == {"count": 4, "next": None, "prev": 1, "size": 3, "results": listed[3:]}
    assert books.get(f"{at(payment)}relation/", page="3", page_size="3").status == 404


# --- refusals ---


def test_what_cannot_be_related(books: Books, other_books: Books, invoice: Any, payment: Any) -> None:
    foreign = other_books.document("2026-01-10", "1.00")["id"]
    refused: list[tuple[Row, Row]] = [
        (
            {"related_document": invoice["id"], **ACCRUAL},
            {"related_document": ["A document cannot be related to itself."]},
        ),
        ({"related_document": foreign, **ACCRUAL}, {"related_document": [f"Unknown document id {foreign}."]}),
        ({"related_document": 99_999_999, **ACCRUAL}, {"related_document": ["Unknown document id 99999999."]}),
        (ACCRUAL, {"related_document": ["This field is required."]}),
        ({"related_document": payment["id"], "type": "ACCRUAL_PAIR"}, {"role": ["This field is required."]}),
        (
            {"related_document": payment["id"], **ACCRUAL, "role": "x"},
            {"role": ["Input should be 'ACCRUAL' or 'SETTLEMENT'."]},
        ),
        ({"related_document": payment["id"], **ACCRUAL, "type": "x"}, {"type": ["Input should be 'ACCRUAL_PAIR'."]}),
    ]
    for body, fields in refused:
        reply = books.send("POST", f"{at(invoice)}relation/", body)
        assert reply.status == 400, body
        assert reply.body == {"code": "validation_error", "detail": reply.body["detail"]} | fields
    assert books.get(at(invoice)).body == invoice


def test_a_pair_is_related_once_whichever_way_round(books: Books, invoice: Any, payment: Any, pair: Any) -> None:
    for one, other in ((invoice, payment), (payment, invoice)):
        for role in (ACCRUAL, SETTLEMENT):
            reply = books.send("POST", f"{at(one)}relation/", {"related_document": other["id"], **role})
            text = f"The document is related to {other['number']} already."
            assert (reply.status, reply.body["related_document"]) == (400, [text])
    assert books.get(f"{at(payment)}relation/").body["results"] == [pair]


def test_a_document_in_a_relation_is_not_deleted(books: Books, invoice: Any, payment: Any, pair: Any) -> None:
    for document, other in ((invoice, payment), (payment, invoice)):
        reply = books.send("DELETE", at(document))
        detail = f"Document {document['number']} is related to {other['number']}."
        assert (reply.status, reply.body) == (412, {"code": "precondition_failed", "detail": detail})
    assert books.send("DELETE", f"{at(invoice)}relation/{pair['id']}/").status == 204
    assert books.get(at(invoice)).body == invoice
    assert books.send("DELETE", at(invoice)).status == 204


def test_a_relation_belongs_to_its_two_documents(books: Books, other_books: Books, invoice: Any, pair: Any) -> None:
    stranger = books.document("2026-01-10", "1.00")
    foreign = other_books.document("2026-01-10", "1.00")
    body = {"related_document": invoice["id"], **ACCRUAL}
    for place in (f"{at(stranger)}relation/{pair['id']}/", f"{at(invoice)}relation/99999999/"):
        for method, sent in (("GET", None), ("PUT", body), ("PATCH", {}), ("DELETE", None)):
            assert books.send(method, place, sent).status == 404, (method, place)
    for method, place, sent in (("GET", "relation/", None), ("POST", "relation/", body), ("GET", "relation/1/", None)):
        assert books.send(method, at(foreign) + place, sent).status == 404
    assert other_books.send("GET", f"{at(foreign)}relation/{pair['id']}/").status == 404


# --- changes ---


def test_put_and_patch_change_a_relation(shared: World, books: Books, invoice: Any, payment: Any, pair: Any) -> None:
    shared.clock.now = NOW + timedelta(hours=1)
    path = f"{at(payment)}relation/{pair['id']}/"
    assert books.change(path, role="ACCRUAL") == shown(pair, "ACCRUAL", invoice, updated_at=LATER)
    turned = shown(pair, "SETTLEMENT", payment, updated_at=LATER)
    assert books.get(f"{at(invoice)}relation/").body["results"] == [turned]
    other = books.document("2026-01-11", "1.00")
    replaced = books.send("PUT", path, {"related_document": other["id"], **SETTLEMENT})
    assert (replaced.status, replaced.body) == (200, shown(pair, "SETTLEMENT", other, updated_at=LATER))
    assert books.get(at(invoice)).body == invoice
    assert books.change(path, related_document=invoice["id"]) == shown(pair, "SETTLEMENT", invoice, updated_at=LATER)


def test_a_change_keeps_the_rules(books: Books, invoice: Any, payment: Any, pair: Any) -> None:
    other = books.document("2026-01-11", "1.00")
    second = books.create(f"{at(payment)}relation/", {"related_document": other["id"], **SETTLEMENT})
    path = f"{at(payment)}relation/{pair['id']}/"
    for related in (payment["id"], other["id"], 99_999_999):
        reply = books.send("PATCH", path, {"related_document": related})
        assert (reply.status, reply.faults) == (400, ["related_document"])
    assert books.get(f"{at(payment)}relation/").body["results"] == [pair, second]


def test_what_is_not_said_of_a_pair_is_known(books: Books, invoice: Any, payment: Any) -> None:
    made = books.create(f"{at(payment)}relation/", {"related_document": invoice["id"], "role": "SETTLEMENT"})
    path = f"{at(payment)}relation/{made['id']}/"
    assert made["type"] == "ACCRUAL_PAIR"
    assert books.send("PUT", path, {"type": "ACCRUAL_PAIR"}).body == {
        **made,
        "updated_at": books.get(path).body["updated_at"],
    }
    assert books.send("PUT", path, {"role": "ACCRUAL"}).body["role"] == "ACCRUAL"


def test_every_change_leaves_one_event(books: Books, invoice: Any, payment: Any, events: Events) -> None:
    before = len(events(books))
    made = books.create(f"{at(payment)}relation/", {"related_document": invoice["id"], **SETTLEMENT})
    path = f"{at(payment)}relation/{made['id']}/"
    changed = books.change(path, role="ACCRUAL")
    assert books.send("PATCH", path, {"related_document": payment["id"]}).status == 400
    assert books.send("DELETE", path).status == 204
    expected = [
        ("relation.created", {**made, "document": payment["id"]}),
        ("relation.updated", {**changed, "document": payment["id"]}),
        ("relation.deleted", {"id": made["id"]}),
    ]
    assert events(books)[before:] == expected


# --- locks ---


def writes(document: Any, other: Any, relation: Any, third: Any) -> list[tuple[str, str, Row | None]]:
    """Return every way to write relations from a document that is related to another one."""
    path = f"{at(document)}relation/"
    return [
        ("POST", path, {"related_document": third["id"], **ACCRUAL}),
        ("PUT", f"{path}{relation['id']}/", {"related_document": other["id"], **ACCRUAL}),
        ("PATCH", f"{path}{relation['id']}/", {"related_document": third["id"]}),
        ("DELETE", f"{path}{relation['id']}/", None),
    ]


def test_a_locked_document_keeps_its_relations(books: Books, invoice: Any, payment: Any, pair: Any) -> None:
    third = books.document("2026-02-20", "1.00")
    books.act(f"{at(invoice)}action/lock/")
    tries = writes(invoice, payment, pair, third) + writes(payment, invoice, pair, third)[1:]
    tries.append(("POST", f"{at(third)}relation/", {"related_document": invoice["id"], **ACCRUAL}))
    for method, path, body in tries:
        reply = books.send(method, path, body)
        locked = {"code": "locked", "detail": f"Document {invoice['number']} is locked."}
        assert (reply.status, reply.body) == (423, locked), (method, path)
    assert books.get(f"{at(payment)}relation/").body["results"] == [pair]
    assert books.get(at(third)).body == third


@pytest.mark.parametrize("table", ["period", "vat_period"])
def test_nothing_is_related_from_inside_a_locked_period(
    books: Books,
    invoice: Any,
    payment: Any,
    pair: Any,
    lock_days: Callable[[str, str, str], str],
    table: str,
) -> None:
    third = books.document("2026-02-20", "1.00")
    closed = lock_days(table, "2026-01-01", "2026-01-31")
    for method, path, body in writes(invoice, payment, pair, third):
        reply = books.send(method, path, body)
        assert (reply.status, reply.body["detail"]) == (423, closed), (method, path)
    assert books.get(f"{at(invoice)}relation/").body["results"] == [shown(pair, "ACCRUAL", payment)]


def test_a_payment_is_related_to_an_invoice_whose_vat_is_reported(books: Books, invoice: Any, payment: Any) -> None:
    for period in books.get("vat_period/").body["results"]:
        books.send("DELETE", f"vat_period/{period['id']}/")
    january = books.create("vat_period/", {"start_date": "2026-01-01", "period": 0})
    books.act(f"vat_period/{january['id']}/action/report/")
    assert books.get(at(invoice)).body["is_locked"] is True
    body = {"related_document": invoice["id"], **SETTLEMENT}
    made = books.create(f"{at(payment)}relation/", body)
    assert books.send("PUT", f"{at(payment)}relation/{made['id']}/", body).status == 200
    assert books.send("DELETE", f"{at(payment)}relation/{made['id']}/").status == 204
    assert books.send("DELETE", at(payment)).status == 204
