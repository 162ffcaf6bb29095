"""Accounts over HTTP, on SQLite and on PostgreSQL: lists, filters, changes, balances."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.account import Account, AccountListItem
from tests.replies import check_reply
from tests.service.routes.books import Books

MOMENT = "2026-04-02T10:00:00.000000Z"
NAMES = [{"key": "fi", "value": "Säästötili"}, {"key": "en", "value": "Savings"}]
NEW = {"number": "1930", "name_translations": NAMES}


@pytest.mark.everywhere
def test_the_default_chart_is_listed_in_order(books: Books) -> None:
    page = books.get("account/", page_size="200").body
    numbers = [account["number"] for account in page["results"]]
    assert (page["count"], page["next"], page["prev"], page["size"]) == (51, None, None, 200)
    assert numbers == sorted(numbers)
    for account in page["results"]:
        assert list(account) == list(AccountListItem.__annotations__)


def test_a_created_account_is_shown_whole(books: Books) -> None:
    created = books.create("account/", NEW | {"type": "ASS_PAY", "default_vat_rate_label": "standard"})
    assert created == {
        "id": created["id"],
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "number": "1930",
        "padded_number": 1930000,
        "name": "Savings",
        "name_translations": NAMES,
        "header_id": None,
        "header_path": [],
        "description": None,
        "type": "ASS_PAY",
        "default_vat_code": 3,
        "default_vat_rate_label": "standard",
        "default_vat_rate": Decimal("25.50"),
        "opening_balance": Decimal("0.00"),
        "is_shown": True,
    }
    shown = books.get(f"account/{created['id']}/").body
    assert shown == created | {"balance": Decimal("0.00"), "is_used": False}
    assert list(shown) == list(Account.__annotations__)
    check_reply(Account, shown)


@pytest.mark.everywhere
def test_accounts_stand_by_padded_number(books: Books) -> None:
    for number in ("999", "19", "191", "1910001", "9999999", "0"):
        books.create("account/", NEW | {"number": number})
    numbers = books.numbers()
    assert numbers == sorted(numbers, key=lambda number: (number.ljust(7, "0"), books_order(number)))
    assert books.numbers(number_gte="19", number_lte="1910") == ["1900", "19", "1910", "191"]
    assert books.numbers(number="9999999") == books.numbers(number_gte="9999999") == ["9999999"]


def test_names_in_other_languages_come_back(books: Books) -> None:
    names = [{"key": "fr", "value": "Banque"}, {"key": "pt-BR", "value": "Banco"}]
    created = books.create("account/", NEW | {"name_translations": names})
    assert (created["name_translations"], created["name"]) == (names, "Banque")


def books_order(number: str) -> int:
    # equal when padded: the older account first, and the default chart is older than any of these
    return 0 if len(number) == 4 else 1


def test_defaults_are_those_of_the_documentation(books: Books) -> None:
    created = books.create("account/", NEW)
    plain = ("type", "default_vat_code", "default_vat_rate_label", "opening_balance", "description", "header_id")
    assert [created[name] for name in plain] == ["EXP", 3, "zero", Decimal("0.00"), None, None]


@pytest.mark.together
@pytest.mark.parametrize(
    ("body", "field"),
    [
        (NEW | {"number": "1910"}, "number"),
        (NEW | {"number": "12345678"}, "number"),
        (NEW | {"number": True}, "number"),
        (NEW | {"header_id": 3}, "header_id"),
        (NEW | {"type": "BANK"}, "type"),
        (NEW | {"type": "EXP", "opening_balance": Decimal("1.00")}, "opening_balance"),
        (NEW | {"type": "ASS", "opening_balance": Decimal("92233720368547758.08")}, "opening_balance"),
        ({"number": "1930"}, "name_translations"),
        ({"name_translations": NAMES}, "number"),
    ],
)
def test_a_wrong_account_is_refused(books: Books, body: dict[str, Any], field: str) -> None:
    reply = books.send("POST", "account/", body)
    assert (reply.status, reply.faults) == (400, [field])
    assert books.get("account/").body["count"] == 51


@pytest.mark.everywhere
def test_patch_keeps_and_put_resets_what_is_not_sent(books: Books) -> None:
    sent = NEW | {"type": "ASS", "description": "Nordea", "opening_balance": Decimal("10.10")}
    created = books.create("account/", sent)
    path = f"account/{created['id']}/"
    changed = books.change(path, number="193")
    rest = {"number": "193", "padded_number": 1930000, "balance": Decimal("10.10"), "is_used": False}
    assert changed == created | rest
    replaced = books.send("PUT", path, NEW | {"number": "1931"}).body
    reset = {"number": "1931", "padded_number": 1931000, "type": "EXP", "description": None}
    assert replaced == changed | reset | {"opening_balance": Decimal("0.00"), "balance": Decimal("0.00")}
    assert books.get(path).body == replaced


@pytest.mark.everywhere
def test_names_follow_the_translations(books: Books) -> None:
    path = f"account/{books.ids['1910']}/"
    changed = books.change(path, name="ignored", name_translations=[{"key": "sv", "value": "Kassakonto"}])
    assert (changed["name"], changed["name_translations"]) == (
        "Kassakonto",
        [{"key": "sv", "value": "Kassakonto"}],
    )
    assert books.numbers(search="kassak") == ["1910"]


@pytest.mark.everywhere
def test_a_taken_number_is_refused_on_change_and_nothing_else_happens(books: Books) -> None:
    before = books.account("1920")
    reply = books.send("PATCH", f"account/{books.ids['1920']}/", {"number": "1910", "description": "x"})
    assert (reply.status, reply.body) == (
        400,
        {
            "code": "validation_error",
            "detail": "number: Another account has this number.",
            "number": ["Another account has this number."],
        },
    )
    assert books.account("1920") == before


def test_hidden_accounts_are_still_there(books: Books) -> None:
    path = f"account/{books.ids['1920']}/"
    hidden = books.act(f"{path}hide/")
    assert (hidden["is_shown"], list(hidden)) == (False, list(Account.__annotations__))
    assert books.get(path).body == hidden
    assert books.numbers(is_shown="false") == ["1920"]
    assert "1920" not in books.numbers(is_shown="true")
    assert "1920" in books.numbers()
    assert books.act(f"{path}show/")["is_shown"] is True


# --- deleting ---


def test_an_unused_account_can_be_deleted(books: Books) -> None:
    reply = books.send("DELETE", f"account/{books.ids['1920']}/")
    assert (reply.status, reply.raw) == (204, b"")
    assert books.get(f"account/{books.ids['1920']}/").status == 404
    assert books.get("account/").body["count"] == 50


def test_a_used_account_stays(books: Books) -> None:
    document = books.document("2026-04-02", "1.00")
    path = f"account/{books.ids['1910']}/"
    reply = books.send("DELETE", path)
    assert (reply.status, reply.body) == (
        412,
        {"code": "precondition_failed", "detail": "Account 1910 has entries."},
    )
    books.send("DELETE", f"document/{document['id']}/")
    assert books.send("DELETE", path).status == 204


def test_an_account_the_business_points_at_stays(books: Books) -> None:
    reply = books.send("DELETE", f"account/{books.ids['2939']}/")
    assert (reply.status, reply.body["detail"]) == (
        412,
        "Account 2939 is set as account_vat_liabilities of the business.",
    )


def test_accounts_of_another_business_do_not_exist_here(books: Books, other_books: Books) -> None:
    path = f"account/{other_books.ids['1910']}/"
    tries = [("GET", path, None), ("PATCH", path, {}), ("PUT", path, NEW), ("DELETE", path, None)]
    tries += [("POST", f"{path}{verb}/", None) for verb in ("hide", "show")]
    for method, address, body in tries:
        reply = books.send(method, address, body)
        assert (reply.status, reply.body["code"]) == (404, "not_found"), (method, address)
    assert other_books.account("1910")["is_shown"] is True


# --- balances ---


@pytest.mark.parametrize(
    ("type_", "debit", "credit"),
    [("ASS_PAY", "15.00", "5.00"), ("EXP", "5.00", "-5.00"), ("LIA_DEB", "5.00", "15.00"), ("REV", "-5.00", "5.00")],
)
def test_balances_have_the_natural_sign(books: Books, type_: str, debit: str, credit: str) -> None:
    opening = Decimal("10.00") if type_.startswith(("ASS", "LIA")) else Decimal(0)
    for number, side in (("1", "debit"), ("2", "credit")):
        account = books.create("account/", NEW | {"number": number, "type": type_, "opening_balance": opening})
        books.ids[side] = account["id"]
    books.create("document/", {"blueprint": books.sales("debit", [books.row("credit", "5.00")])})
    assert (books.balance("debit"), books.balance("credit")) == (debit, credit)


def test_an_income_account_with_an_opening_balance_cannot_come_about(books: Books) -> None:
    account = books.create("account/", NEW | {"type": "ASS", "opening_balance": Decimal("10.00")})
    reply = books.send("PATCH", f"account/{account['id']}/", {"type": "REV"})
    assert (reply.status, reply.faults) == (400, ["opening_balance"])


@pytest.mark.everywhere
def test_documents_follow_an_account_that_becomes_money(books: Books) -> None:
    document = books.document("2026-04-02", "5.00")
    path = f"account/{books.ids['3900']}/"
    assert books.change(path, type="ASS_PAY")["type"] == "ASS_PAY"
    assert str(books.get(f"document/{document['id']}/").body["balance"]) == "0.00"
    books.change(path, type="REV")
    assert str(books.get(f"document/{document['id']}/").body["balance"]) == "5.00"


# --- filters ---


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ({"number": "1910"}, "1910"),
        ({"number": "191"}, ""),
        ({"number_gte": "9900"}, "9900 9910 9980"),
        ({"number_lte": "1500"}, "1160 1500"),
        ({"number_gte": "1900", "number_lte": "1920"}, "1900 1910 1920"),
        ({"search": "19"}, "1900 1910 1920"),
        ({"search": "91"}, ""),
        ({"search": "ACCRUED"}, "1800 2960"),
        ({"search": "%"}, ""),
        ({"search": "19_0"}, ""),
        ({"type": "ASS_PAY"}, "1900 1910 1920"),
        ({"type": ["ASS_VAT", "LIA_VAT"]}, "1763 2939"),
        ({"type": "ASS_PAY", "search": "bank"}, "1910 1920"),
        ({"is_used": "true"}, "1910 3900"),
        ({"is_used": "true", "type": "REV"}, "3900"),
        ({"is_used": "false", "number_lte": "1920", "number_gte": "1900"}, "1900 1920"),
        ({"tags": "1"}, ""),
        ({"type": "", "search": "", "number": "1910"}, "1910"),
    ],
)
def test_filters(books: Books, query: dict[str, str | list[str]], numbers: str) -> None:
    books.document("2026-04-02", "1.00")
    books.document("2026-04-02", "1.00", is_draft=True, blueprint=books.simple("1.00", "1900"))
    assert books.numbers(**query) == numbers.split()
    assert books.get("account/", **query).body["count"] == len(numbers.split())


def test_a_sharp_s_is_found_however_it_is_written(books: Books) -> None:
    books.create("account/", NEW | {"name_translations": [{"key": "de", "value": "Straßenmaut"}]})
    assert [books.numbers(search=text) for text in ("STRASSEN", "straßen", "strasen")] == [["1930"], ["1930"], []]
    books.change(f"account/{books.ids['1920']}/", name_translations=[{"key": "de", "value": "Süßwaren"}])
    assert books.numbers(search="süß") == ["1920"]


def test_an_account_is_used_until_its_last_document_is_gone(books: Books) -> None:
    first, last = (books.document("2026-04-02", "1.00") for _ in range(2))
    books.send("DELETE", f"document/{first['id']}/")
    assert (books.numbers(is_used="true"), books.account("1910")["is_used"]) == (["1910", "3900"], True)
    books.send("DELETE", f"document/{last['id']}/")
    assert (books.numbers(is_used="true"), books.account("1910")["is_used"]) == ([], False)
    assert books.numbers(is_used="false", number_gte="1910", number_lte="1920") == ["1910", "1920"]


@pytest.mark.everywhere
def test_accounts_of_tagged_documents(books: Books, other_books: Books) -> None:
    oulu, turku = (books.create("tags/", {"name": name})["id"] for name in ("Oulu", "Turku"))
    tagged = books.document("2026-04-02", "1.00", tag_ids=[oulu])
    books.document("2026-04-02", "1.00", tag_ids=[oulu, turku], blueprint=books.simple("1.00", "1900", "3990"))
    books.document("2026-04-02", "1.00", tag_ids=[turku], is_draft=True, blueprint=books.simple("1.00", "1920"))
    books.document("2026-04-02", "1.00", blueprint=books.simple("1.00", "1800"))
    assert books.numbers(tags=str(oulu)) == ["1900", "1910", "3900", "3990"]
    assert books.numbers(tags=str(turku)) == ["1900", "3990"]
    assert books.numbers(tags=str(oulu), type="ASS_PAY", search="19") == ["1900", "1910"]
    assert books.get("account/", tags=str(oulu), page_size="1").body["count"] == 4
    assert other_books.numbers(tags=str(oulu)) == []
    books.change(f"document/{tagged['id']}/", tag_ids=[])
    assert books.numbers(tags=str(oulu)) == ["1900", "3990"]


@pytest.mark.together
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("is_shown", "yes"),
        ("is_used", "2"),
        ("number", "19x"),
        ("number", "-1"),
        ("number_gte", "1.5"),
        ("number_lte", "12345678"),
        ("type", "BANK"),
        ("tags", "x"),
    ],
)
def test_a_filter_of_the_wrong_type_is_refused(books: Books, name: str, value: str) -> None:
    reply = books.get("account/", **{name: value})
    assert (reply.status, reply.faults) == (400, [name])


@pytest.mark.everywhere
def test_pages_follow_each_other(books: Books) -> None:
    numbers: list[str] = []
    page: int | None = 1
    while page is not None:
        body = books.get("account/", page=str(page), page_size="10").body
        assert (body["count"], body["size"], body["prev"]) == (51, 10, page - 1 or None)
        numbers += [account["number"] for account in body["results"]]
        page = body["next"]
    assert numbers == books.numbers()
    assert books.get("account/", page="7", page_size="10").status == 404


def test_every_change_leaves_one_event(books: Books, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    path = f"account/{books.create('account/', NEW)['id']}/"
    expected = [("account.created", books.get(path).body)]
    expected.append(("account.updated", books.change(path, description="x")))
    expected.append(("account.updated", books.act(f"{path}hide/")))
    books.act(f"{path}hide/")
    account_id = expected[0][1]["id"]
    books.send("DELETE", path)
    expected.append(("account.deleted", {"id": account_id}))
    assert [event for event in events(books) if event[0].startswith("account.")] == expected


def test_reading_needs_no_models() -> None:
    at = "acctcli.service.routes"
    routes = f"{at}.business.account, {at}.business.document, acctcli.service.cases.reports.statements"
    code = f"import sys, {routes}; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
