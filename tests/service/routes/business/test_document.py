"""Documents over HTTP, on SQLite and on PostgreSQL: posting, numbers, drafts, locks, filters, exact amounts."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.document import Document, Entry
from tests.replies import check_reply
from tests.service.actor import World
from tests.service.routes.books import Books, Row, blueprint, open_books

MOMENT = "2026-04-02T10:00:00.000000Z"


def test_a_document_is_shown_whole(books: Books) -> None:
    rows = [books.row("3380", "10.10", 6), books.row("3900", "-0.10", 3)]
    document = books.create("document/", {"description": "Advice", "blueprint": books.sales("1910", rows)})
    assert document == {
        "id": document["id"],
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "number": "260402-1",
        "is_flagged": False,
        "is_locked": False,
        "is_draft": False,
        "date": "2026-04-02",
        "description": "Advice",
        "contact_id": None,
        "contact_name": None,
        "balance": Decimal("10.00"),
        "attachment_ids": [],
        "type": 0,
        "blueprint": books.sales("1910", rows),
        "blueprint_type": "SALES",
        "import_data": None,
        "entry_ui_rows": [
            ui_row(books, "1910", "10.00", is_debet=True),
            ui_row(books, "3380", "10.10", vat_code=6),
            ui_row(books, "3900", "0.10", is_debet=True),
        ],
        "audit_trail_last_seen_at": None,
        "audit_trail_last_mention_at": None,
        "audit_trail_last_comment_at": None,
        "audit_trail_has_unseen_actions": True,
        "tag_ids": [],
        "relations": [],
        "relation_network_signals": "",
        "relation_entry_signals": "",
        "available_link_kinds": "",
        "eu_b2b_vat_details_missing": True,
        "eu_sale_to_private_person": False,
        "is_deletable": True,
        "shortcuts": [],
    }
    assert list(document) == list(Document.__annotations__)
    check_reply(Document, document)


def ui_row(books: Books, number: str, amount: str, *, is_debet: bool = False, vat_code: int = 3) -> Row:
    return {
        "account_name": books.account(number)["name"],
        "account_number": number,
        "vat_code": vat_code,
        "vat_rate": "0.00",
        "is_debet": is_debet,
        "amount": Decimal(amount),
    }


def test_an_entry_is_shown_whole(books: Books) -> None:
    row = books.row("3000", "125.50", 1, "25.5") | {"description": "Boots"}
    document = books.create("document/", {"blueprint": books.sales("1910", [row])})
    page = books.get(f"document/{document['id']}/entry/", page_size="1", page="3").body
    entry = page["results"][0]
    assert page == {"count": 3, "next": None, "prev": 2, "size": 1, "results": [entry]}
    assert entry == {
        "id": entry["id"],
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "account": books.ids["2939"],
        "account_name": books.account("2939")["name"],
        "account_number": "2939",
        "amount": Decimal("25.50"),
        "is_debet": False,
        "description": "Boots",
        "vat_code": 1,
        "vat_rate": "25.50",
    }
    assert list(entry) == list(Entry.__annotations__)
    check_reply(Entry, entry)


def test_an_empty_body_posts_an_empty_document_today(books: Books) -> None:
    document = books.create("document/")
    assert (document["number"], document["date"], document["blueprint"]) == ("260402-1", "2026-04-02", blueprint())
    assert books.entries(document["id"]) == []


# --- days ---


def test_nothing_is_posted_outside_every_accounting_period(books: Books) -> None:
    inside = books.document("2026-12-31", "1.00")
    draft = books.document("2027-01-01", "2.00", is_draft=True)
    content = {"blueprint": books.simple("3.00")}
    late, early = "one ends on 2026-12-31", "one begins on 2026-01-01"
    writes = [
        ("POST", "document/", {**content, "date": "2206-01-10"}, "2206-01-10", late),
        ("POST", "document/", {**content, "date": "1926-01-10"}, "1926-01-10", early),
        ("POST", f"document/{inside['id']}/action/copy/", {"date": "2027-01-01"}, "2027-01-01", late),
        ("PATCH", f"document/{inside['id']}/", {"date": "2025-12-31"}, "2025-12-31", early),
        ("PUT", f"document/{inside['id']}/", {**content, "date": "2025-12-31"}, "2025-12-31", early),
        ("PATCH", f"document/{draft['id']}/", {"is_draft": False}, "2027-01-01", late),
    ]
    for method, path, body, day, beside in writes:
        reply = books.send(method, path, body)
        text = f"{day} lies in no accounting period: {beside}."
        said = {"code": "precondition_failed", "detail": text, "date": [text]}
        assert (reply.status, reply.body) == (412, said), (method, path)
    assert books.listed() == [draft["id"], inside["id"]]
    assert books.balance("1910") == "1.00"
    books.keep_books(2026, 2027)
    assert books.change(f"document/{draft['id']}/", is_draft=False)["number"] == "270101-1"


def test_books_without_a_period_take_no_document(books: Books) -> None:
    (period,) = books.get("period/").body["results"]
    assert books.send("DELETE", f"period/{period['id']}/").status == 204
    reply = books.send("POST", "document/", {"date": "2026-03-01"})
    assert (reply.status, reply.body["detail"]) == (412, "2026-03-01 lies in no accounting period: there is none.")


@pytest.mark.together
@pytest.mark.parametrize(
    ("form", "moment", "day"),
    [
        ("FI_OY", "2026-03-31T20:59:59", "2026-03-31"),
        ("FI_OY", "2026-03-31T21:00:00", "2026-04-01"),
        ("FI_OY", "2026-01-31T21:59:59", "2026-01-31"),
        ("FI_OY", "2026-01-31T22:00:00", "2026-02-01"),
        ("DE_UG", "2026-01-31T22:59:59", "2026-01-31"),
        ("DE_UG", "2026-01-31T23:00:00", "2026-02-01"),
    ],
)
def test_today_is_the_day_where_the_business_is(shared: World, form: str, moment: str, day: str) -> None:
    books = open_books(shared.user(), form=form)
    shared.clock.now = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    assert books.create("document/")["date"] == day


# --- numbers ---


def test_numbers_count_by_day_and_are_never_given_again(books: Books) -> None:
    books.keep_books(2025)
    first = books.document("2026-04-02", "1.00")
    second = books.document("2026-04-02", "2.00")
    other = books.document("2025-01-10", "3.00")
    assert [d["number"] for d in (first, second, other)] == ["260402-1", "260402-2", "250110-1"]
    assert books.send("DELETE", f"document/{second['id']}/").status == 204
    assert books.document("2026-04-02", "4.00")["number"] == "260402-3"


def test_the_number_stays_when_the_date_moves(books: Books) -> None:
    document = books.document("2026-04-02", "1.00")
    moved = books.change(f"document/{document['id']}/", date="2026-05-01")
    assert (moved["number"], moved["date"]) == ("260402-1", "2026-05-01")
    assert books.document("2026-05-01", "1.00")["number"] == "260501-1"


def test_a_refused_document_takes_no_number(books: Books) -> None:
    wrong = blueprint(debet_entries=[books.row("4000", "1.00")])
    assert books.send("POST", "document/", {"blueprint": wrong}).status == 400
    assert books.document("2026-04-02", "1.00")["number"] == "260402-1"


def test_centuries_do_not_share_a_number(books: Books) -> None:
    books.keep_books(1926, 2126)
    numbers = [books.document(day, "1.00")["number"] for day in ("1926-04-02", "2026-04-02", "2126-04-02")]
    assert numbers == ["260402-1", "260402-2", "260402-3"]


@pytest.mark.everywhere
def test_writers_at_once_get_every_number_once(books: Books) -> None:
    def write(_: int) -> list[str]:
        return [books.document("2026-04-02", "1.00")["number"] for _ in range(5)]

    with ThreadPoolExecutor(8) as pool:
        numbers = [number for numbers in pool.map(write, range(8)) for number in numbers]
    assert sorted(numbers) == sorted(f"260402-{n}" for n in range(1, 41))
    assert books.balance("1910") == "40.00"


# --- drafts ---


def test_a_draft_stays_out_of_the_books(books: Books) -> None:
    draft = books.document("2026-04-02", "5.00", is_draft=True)
    assert (draft["number"], draft["is_draft"], str(draft["balance"])) == (None, True, "5.00")
    assert len(draft["entry_ui_rows"]) == 2
    assert books.entries(draft["id"]) == []
    assert (books.balance("1910"), books.account("1910")["is_used"]) == ("0.00", False)


def test_a_draft_becomes_a_document_and_a_draft_again(books: Books) -> None:
    path = f"document/{books.document('2026-04-02', '5.00', is_draft=True)['id']}/"
    books.document("2026-04-03", "1.00")
    posted = books.change(path, is_draft=False, date="2026-04-03")
    assert (posted["number"], posted["is_draft"]) == ("260403-2", False)
    assert books.balance("1910") == "6.00"
    again = books.change(path, is_draft=True)
    assert (again["number"], again["is_draft"], books.entries(again["id"])) == ("260403-2", True, [])
    assert books.balance("1910") == "1.00"
    final = books.change(path, is_draft=False, date="2026-04-05")
    assert (final["number"], final["date"]) == ("260403-2", "2026-04-05")
    assert books.balance("1910") == "6.00"


def test_an_unfinished_draft_is_kept_but_not_posted(books: Books) -> None:
    unfinished = blueprint(debet_entries=[books.row("4000", "10.00") | {"account_id": None}])
    draft = books.create("document/", {"is_draft": True, "blueprint": unfinished})
    assert draft["blueprint"] == unfinished
    assert draft["entry_ui_rows"] == [
        {
            "account_name": "",
            "account_number": "",
            "vat_code": 3,
            "vat_rate": "0.00",
            "is_debet": True,
            "amount": Decimal("10.00"),
        }
    ]
    reply = books.send("PATCH", f"document/{draft['id']}/", {"is_draft": False})
    assert (reply.status, reply.faults) == (400, ["blueprint"])
    assert books.get(f"document/{draft['id']}/").body == draft


# --- changes ---


def test_patch_keeps_and_put_resets_what_is_not_sent(books: Books) -> None:
    sent = {"description": "Rent", "is_flagged": True, "type": 4}
    document = books.document("2026-01-31", "5.00", **sent)
    path = f"document/{document['id']}/"
    changed = books.change(path, description="Rent of January")
    assert changed == document | {"description": "Rent of January"}
    replaced = books.send("PUT", path, {"blueprint": books.simple("7.00")})
    assert replaced.status == 200
    expected = ("2026-01-31", "", False, 0, "260131-1", Decimal("7.00"))
    kept = tuple(replaced.body[n] for n in ("date", "description", "is_flagged", "type", "number", "balance"))
    assert kept == expected
    assert books.balance("1910") == "7.00"


def test_every_update_makes_the_entries_anew(books: Books) -> None:
    document = books.document("2026-04-02", "5.00")

    def ids() -> set[int]:
        return {entry["id"] for entry in books.get(f"document/{document['id']}/entry/").body["results"]}

    before = ids()
    books.change(f"document/{document['id']}/", description="Same entries")
    assert len(ids()) == len(before)
    assert ids().isdisjoint(before)


def test_a_blueprint_is_replaced_never_merged(books: Books) -> None:
    document = books.document("2026-04-02", "5.00")
    changed = books.change(f"document/{document['id']}/", blueprint={"debet_account_id": books.ids["1910"]})
    assert changed["blueprint"] == blueprint(debet_account_id=books.ids["1910"])
    assert books.entries(document["id"]) == []


def test_delete_takes_the_entries_out_of_the_books(books: Books) -> None:
    document = books.document("2026-04-02", "5.00")
    reply = books.send("DELETE", f"document/{document['id']}/")
    assert (reply.status, reply.raw) == (204, b"")
    assert books.get(f"document/{document['id']}/").status == 404
    assert (books.balance("1910"), books.account("1910")["is_used"]) == ("0.00", False)
    assert books.listed() == []


def test_a_copy_is_a_new_document(books: Books) -> None:
    original = books.document("2026-03-31", "5.00", description="Rent", is_flagged=True)
    books.act(f"document/{original['id']}/action/lock/")
    copy = books.act(f"document/{original['id']}/action/copy/")
    assert copy == original | {"id": copy["id"], "number": "260331-2", "is_flagged": False}
    reply = books.send("POST", f"document/{original['id']}/action/copy/", {"date": "2026-04-30", "is_draft": True})
    assert reply.status == 200
    assert (reply.body["date"], reply.body["number"], reply.body["description"]) == ("2026-04-30", None, "Rent")
    assert books.balance("1910") == "10.00"


def test_a_copy_of_a_draft_is_one_unless_it_is_told_to_be_posted(books: Books) -> None:
    draft = books.document("2026-03-31", "5.00", is_draft=True, is_flagged=True)
    assert draft["is_flagged"] is True
    path = f"document/{draft['id']}/action/copy/"
    copy = books.act(path)
    assert copy == draft | {"id": copy["id"], "is_flagged": False}
    posted = books.act(path, {"is_draft": False})
    assert (posted["is_draft"], posted["number"], books.balance("1910")) == (False, "260331-1", "5.00")


# --- refusals ---

REFUSED: dict[str, tuple[Callable[[Books], Any], Any]] = {
    "shortcut and rows": (
        lambda b: {"blueprint": b.simple("1.00") | {"debet_entries": [b.row("4000", "1.00")]}},
        {"blueprint": ["debet_account_id and debet_entries exclude each other."]},
    ),
    "expenses without shortcut": (
        lambda b: {"blueprint": blueprint(expense_entries=[b.row("8500", "1.00")])},
        {"blueprint": ["expense_entries need debet_account_id."]},
    ),
    "unknown account": (
        lambda b: {"blueprint": b.simple("1.00") | {"debet_account_id": 99999999}},
        {"blueprint": ["Unknown account id 99999999."]},
    ),
    "unknown account of a purchase": (
        lambda b: {
            "blueprint": blueprint(credit_account_id=99999999, debet_entries=[b.row("4000", "1.00")]),
        },
        {"blueprint": ["Unknown account id 99999999."]},
    ),
    "row without account": (
        lambda b: {"blueprint": b.sales("1910", [b.row("3000", "1.00") | {"account_id": None}])},
        {"blueprint": ["Every row needs an account unless the document is a draft."]},
    ),
    "sides differ": (
        lambda b: {
            "blueprint": blueprint(debet_entries=[b.row("4000", "10.00")], credit_entries=[b.row("1910", "9.99")])
        },
        {"blueprint": ["Debit 10.00 and credit 9.99 differ."]},
    ),
    "contact": (lambda _: {"contact_id": 7}, {"contact_id": ["Unknown contact id 7."]}),
    "attachment": (lambda _: {"attachment_ids": [7]}, {"attachment_ids": ["Unknown attachment id 7."]}),
    "tag": (lambda _: {"tag_ids": [7]}, {"tag_ids": ["Unknown tag id 7."]}),
    "three decimals": (
        lambda b: {"blueprint": b.sales("1910", [b.row("3000", "1.00"), b.row("3000", "1.001")])},
        {"blueprint": {"credit_entries": [{}, {"amount": ["Ensure that there are no more than 2 decimal places."]}]}},
    ),
    "no day": (lambda _: {"date": "2026-02-30"}, {"date": ["No such day in the calendar."]}),
}


@pytest.mark.together
@pytest.mark.parametrize(("make", "fields"), REFUSED.values(), ids=REFUSED.keys())
def test_a_wrong_document_is_refused_and_nothing_is_written(
    books: Books, make: Callable[[Books], Any], fields: Any
) -> None:
    reply = books.send("POST", "document/", make(books))
    assert reply.status == 400
    assert reply.body == {"code": "validation_error", "detail": reply.body["detail"]} | fields
    assert books.listed() == []
    assert books.document("2026-04-02", "1.00")["number"] == "260402-1"


def test_null_and_empty_references_are_fine(books: Books) -> None:
    document = books.create("document/", {"contact_id": None, "attachment_ids": [], "tag_ids": []})
    assert (document["contact_id"], document["attachment_ids"], document["tag_ids"]) == (None, [], [])


def test_accounts_and_documents_of_another_business_do_not_exist_here(books: Books, other_books: Books) -> None:
    foreign = other_books.simple("1.00")
    assert books.send("POST", "document/", {"blueprint": foreign}).status == 400
    document = other_books.document("2026-04-02", "1.00")
    path = f"document/{document['id']}/"
    tries = [("GET", path), ("PATCH", path), ("PUT", path), ("DELETE", path), ("GET", f"{path}entry/")]
    tries += [("POST", f"{path}action/{verb}/") for verb in ("lock", "unlock", "flag", "unflag", "copy")]
    for method, address in tries:
        reply = books.send(method, address)
        assert (reply.status, reply.body["code"]) == (404, "not_found"), (method, address)
    assert other_books.get(path).body == document


def test_vat_needs_an_account_to_stand_on(books: Books) -> None:
    assert books.send("PATCH", "", {"account_vat_liabilities": None}).status == 200
    body = {"blueprint": books.sales("1910", [books.row("3000", "125.50", 1, "25.5")])}
    reply = books.send("POST", "document/", body)
    assert (reply.status, reply.body) == (
        412,
        {
            "code": "precondition_failed",
            "detail": "The business has no account set as account_vat_liabilities.",
        },
    )
    assert books.create("document/", body | {"is_draft": True})["is_draft"] is True


# --- exact amounts ---


@pytest.mark.parametrize("amount", ["10.10", "0.01", "1234567890123456.78", "12345678901234567.89"])
def test_amounts_leave_as_they_came(books: Books, amount: str) -> None:
    document = books.document("2026-04-02", amount)
    raw = books.get(f"document/{document['id']}/").raw
    assert f'"balance":{amount},'.encode() in raw
    assert f'"amount":{amount}'.encode() in raw
    assert f'"amount":{amount},'.encode() in books.get(f"document/{document['id']}/entry/").raw
    assert f'"balance":{amount},'.encode() in books.get(f"account/{books.ids['1910']}/").raw


@pytest.mark.everywhere
def test_sums_beyond_64_bits_are_refused_not_rounded(books: Books) -> None:
    largest = "92233720368547758.07"
    rows = [books.row("3900", largest), books.row("3900", "0.01")]
    reply = books.send("POST", "document/", {"blueprint": books.sales("1910", rows)})
    assert (reply.status, reply.faults) == (400, ["blueprint"])
    first = books.document("2026-04-02", largest)
    reply = books.send("POST", "document/", {"date": "2026-05-02", "blueprint": books.simple("0.01")})
    assert (reply.status, reply.body["code"]) == (400, "validation_error")
    assert books.listed() == [first["id"]]
    assert books.balance("1910") == largest


# --- events ---


def test_every_change_leaves_one_event(books: Books, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    document = books.document("2026-04-02", "5.00")
    path = f"document/{document['id']}/"
    expected = [("document.created", document)]
    expected.append(("document.updated", books.change(path, description="x")))
    for verb, name in (("flag", "flagged"), ("lock", "locked"), ("unlock", "unlocked"), ("unflag", "unflagged")):
        expected.append((f"document.{name}", books.act(f"{path}action/{verb}/")))
        books.act(f"{path}action/{verb}/")  # a repeated action changes nothing and says nothing
    expected.append(("document.created", books.act(f"{path}action/copy/")))
    assert books.send("PATCH", path, {"type": 5}).status == 400
    assert books.send("DELETE", path).status == 204
    expected.append(("document.deleted", {"id": document["id"], "number": document["number"]}))
    assert [event for event in events(books) if event[0].startswith("document.")] == expected


# --- large documents ---


@pytest.mark.parametrize("copies", [1, 2])
def test_a_document_may_touch_every_account(books: Books, copies: int) -> None:
    rows = [books.row(number, "1.00") for number in books.ids] * copies
    document = books.create("document/", {"blueprint": books.sales("1910", rows)})
    assert len(books.entries(document["id"])) == len(rows) + 1
    assert len(document["entry_ui_rows"]) == len(rows) + 1
    assert all(row["account_number"] in books.ids for row in document["entry_ui_rows"])
    assert books.get(f"document/{document['id']}/").body == document


@pytest.mark.everywhere
def test_more_accounts_than_one_look_up_takes_are_all_looked_up(books: Books) -> None:
    known = books.row("3900", "1.00")
    unknown = [known | {"account_id": 9_000_000 + n} for n in range(1500)]
    reply = books.send("POST", "document/", {"blueprint": books.sales("1910", [*unknown, known])})
    assert (reply.status, reply.body["blueprint"]) == (400, ["Unknown account id 9000000."])
