"""Bodies in other words than the models ask for: what has a plain meaning is read, everything else is refused."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.cli.command.body import check as check_typed
from acctcli.errors import UsageError
from acctcli.models.base import Id, Money, Rate, Request, Text16, Text512, UnitAmount
from acctcli.models.business import BusinessRequest
from acctcli.models.contact import ContactRequest
from acctcli.models.invoice import SalesInvoiceRequest
from acctcli.models.jwt import JwtRequest
from acctcli.models.user import UserRequest
from acctcli.service.http.bodies import FORM, check
from acctcli.service.problems import Invalid
from tests.service.actor import Actor, World
from tests.service.routes.books import Books

D = Decimal


class Row(Request):
    text: Text16 | None = None
    money: Money = D("0.00")


class Everything(Request):
    text: Text512 = "kept"
    number: Id | None = None
    flag: bool = False
    money: Money = D("1.00")
    price: UnitAmount = D("1.00")
    rate: Rate = D("1.00")
    rows: list[Row] | None = None


def read(fields: dict[str, Any]) -> Any:
    return check(Everything, fields, partial=False)


@pytest.mark.parametrize(
    ("name", "sent", "kept"),
    [
        ("text", 1001, "1001"),
        ("text", -5, "-5"),
        ("text", D("10.50"), "10.50"),
        ("text", D("1E+3"), "1000"),
        ("text", D("1E-7"), "0.0000001"),
        ("text", "", ""),
        ("number", " 12 ", 12),
        ("number", "12.0", 12),
        ("number", "", None),
        ("flag", "true", True),
        ("flag", "0", False),
        ("flag", 1, True),
        ("money", " 12.5 ", D("12.50")),
        ("money", "1.25e1", D("12.50")),
        ("money", D("27.729999999999997"), D("27.73")),
        ("money", "27.729999999999997", D("27.73")),
        ("money", D("-27.729999999999997"), D("-27.73")),
        ("money", D("0.010000000000000009"), D("0.01")),
        ("money", D("-0.000000000000000055"), D("0.00")),
        ("money", D("12345678901234567.890000000000001"), D("12345678901234567.89")),
        ("money", D("1.009999999"), D("1.01")),
        ("money", D("1.010000001"), D("1.01")),
        ("price", D("0.30000000000000004"), D("0.30")),
        ("price", D("0.00009999999999"), D("0.0001")),
        ("rate", D("25.500000000000004"), D("25.50")),
    ],
)
def test_what_has_a_plain_meaning_is_read(name: str, sent: object, kept: object) -> None:
    found = getattr(read({name: sent}), name)
    assert (type(found), str(found)) == (type(kept), str(kept))


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("text", True),
        ("text", None),
        ("text", []),
        ("text", {}),
        ("text", D("1E+999999999")),
        ("text", D("1E-999999999")),
        ("text", 10**40),
        ("number", "x"),
        ("number", "1.5"),
        ("number", "1_000"),
        ("number", "1e3"),
        ("number", True),
        ("flag", "perhaps"),
        ("flag", 2),
        ("flag", ""),
        ("money", ""),
        ("money", "1,50"),
        ("money", "1e999"),
        ("money", "٣"),
        ("money", True),
        ("money", D("1.005")),
        ("money", D("1.009999998")),
        ("money", D("1.010000002")),
        ("money", "27.7300001"),
        ("price", D("0.00001")),
        ("rate", D("-0.001")),
        ("rate", D("25.501")),
        ("rows", "x"),
    ],
)
def test_what_has_none_is_refused(name: str, sent: object) -> None:
    with pytest.raises(Invalid) as caught:
        read({name: sent})
    assert list(caught.value.fields) == [name]


@given(cents=st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=6))
def test_sums_of_floats_are_the_sums_they_stand_for(cents: list[int]) -> None:
    """As a client adds up amounts that it read as binary floats."""
    total = sum(cent / 100 for cent in cents)
    assert read({"money": D(repr(total))}).money == D(sum(cents)) / 100


def test_rows_are_read_alike_and_what_is_wrong_in_them_is_still_named() -> None:
    rows = [{"text": 7, "money": "1.5"}, {"text": "", "money": D("0.30000000000000004")}]
    assert read({"rows": rows}).rows == [Row(text="7", money=D("1.50")), Row(text=None, money=D("0.30"))]
    with pytest.raises(Invalid) as caught:
        read({"rows": [{"text": 7}, {"text": 8, "money": D("0.305")}]})
    assert caught.value.fields == {
        "rows": [{}, {"money": ["Ensure that there are no more than 2 decimal places."]}],
    }


@pytest.mark.parametrize("is_partial", [False, True])
def test_what_is_shown_as_empty_is_as_if_it_were_not_sent(is_partial: bool) -> None:
    for model, name in ((BusinessRequest, "business_id"), (UserRequest, "email")):
        assert name not in check(model, {"name": "x", name: ""}, partial=is_partial).model_fields_set


def test_an_empty_text_is_null_but_where_it_is_a_word_or_null_reaches_further() -> None:
    assert check(ContactRequest, {"invoicing_email": "", "notes": ""}, partial=True).model_dump(exclude_unset=True) == {
        "invoicing_email": None,
        "notes": None,
    }
    roll = check(SalesInvoiceRequest, {"recurrence_reference_method": ""}, partial=True)
    assert roll.model_dump(exclude_unset=True) == {"recurrence_reference_method": ""}
    assert check(UserRequest, {"language": ""}, partial=True).model_dump(exclude_unset=True) == {"language": ""}
    for name in ("business_slug", "selected_business_slugs"):
        with pytest.raises(Invalid):
            check(JwtRequest, {name: ""}, partial=False)


@pytest.mark.parametrize("fields", [{"customer_id": 1001}, {"invoicing_email": ""}, {"type": ""}])
def test_the_command_line_stays_strict(fields: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        check_typed(ContactRequest, {"name": "x", **fields})


# --- the service ---


@pytest.fixture(scope="module")
def actor(shared: World) -> Actor:
    return shared.user()


@pytest.fixture(scope="module")
def books(actor: Actor) -> Books:
    return Books(actor, actor.create_business()["slug"])


def test_a_refund_computed_with_floats_is_booked(books: Books) -> None:
    """34.80 received, 7.07 of it VAT: what is left is 27.729999999999997 in binary floats."""
    row = b'{"account_id": %d, "amount": %a}'
    rows = row % (books.ids["3000"], 34.8 - 7.07), row % (books.ids["2939"], 7.07)
    body = b'{"blueprint": {"debet_entries": [%s, %s], "credit_account_id": %d}}' % (*rows, books.ids["1910"])
    reply = books.actor.send("POST", f"{books.path}document/", content=body)
    assert (reply.status, reply.body["balance"]) == (201, D("-34.80"))
    assert [row["amount"] for row in reply.body["blueprint"]["debet_entries"]] == [D("27.73"), D("7.07")]


def test_numbers_for_texts(books: Books) -> None:
    made = books.create("contacts/", {"name": 1998, "customer_id": 1001, "name_aliases": [1]})
    assert (made["name"], made["customer_id"], made["name_aliases"]) == ("1998", "1001", ["1"])


@pytest.mark.together
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("contacts/", {}),
        ("tags/", {}),
        ("workflows/", {}),
        ("webhook_subscriptions/", {"target_url": "https://example.com/"}),
        ("file_upload/", {"file": "eA=="}),
    ],
)
def test_a_name_of_blanks_is_none(books: Books, path: str, body: dict[str, object]) -> None:
    for name in ("   ", "\t\n", "\u00a0"):
        reply = books.send("POST", path, {**body, "name": name})
        assert (reply.status, reply.faults) == (400, ["name"])
    reply = books.send("POST", path, {**body, "name": " Kirves ja kynä "})
    assert reply.body["name"] == "Kirves ja kynä"


def test_a_form_clears_what_may_be_null(books: Books) -> None:
    cash = books.get("").body["account_cash_payment"]
    assert cash == books.ids["1900"]
    books.change("", invoicing_email="a@b.fi")
    form = urlencode({"account_cash_payment": "", "invoicing_email": ""}).encode()
    reply = books.actor.send("PATCH", books.path, content=form, headers={"Content-Type": FORM})
    assert (reply.status, reply.body["account_cash_payment"], reply.body["invoicing_email"]) == (200, None, None)


@pytest.mark.together
@pytest.mark.parametrize("number", ["1e999999999", "-1e999999999", "1e-999999999", "1" * 4000, "0." + "3" * 4000])
def test_extreme_numbers_are_refused_at_once(books: Books, number: str) -> None:
    """Of a billion digits pydantic would write each, and so would a conversion to text."""
    row = f'{{"account_id": {number}, "vat_code": {number}, "amount": {number}, "description": {number}}}'
    body = f'{{"type": {number}, "contact_id": {number}, "blueprint": {{"debet_entries": [{row}]}}}}'
    reply = books.actor.send("POST", f"{books.path}document/", content=body.encode())
    assert (reply.status, reply.faults) == (400, ["contact_id", "type", "blueprint"])
