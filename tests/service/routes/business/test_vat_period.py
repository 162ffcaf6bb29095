"""VAT periods over HTTP, on SQLite and on PostgreSQL: days, deadlines, locks (docs/interface.md 9.1, 9.2)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from acctcli.models.vat_period import VatPeriod
from tests.replies import check_reply
from tests.service.actor import Actor, World
from tests.service.routes.books import Books, open_books

MOMENT = "2026-04-02T10:00:00.000000Z"
DATES = ("start_date", "end_date", "due_date", "period")


def latest(books: Books) -> Any:
    """Return the latest VAT period; a new business has that of today."""
    return books.get("vat_period/").body["results"][0]


def path_of(vat_period: Any) -> str:
    return f"vat_period/{vat_period['id']}/"


def dates(vat_period: Any) -> tuple[str, str, str, int]:
    start, end, due, kind = (vat_period[name] for name in DATES)
    return start, end, due, kind


def starts(books: Books) -> list[str]:
    return [one["start_date"] for one in books.get("vat_period/").body["results"]]


def test_a_business_begins_with_the_vat_period_of_today(books: Books) -> None:
    page = books.get("vat_period/").body
    (first,) = page.pop("results")
    assert page == {"count": 1, "next": None, "prev": None, "size": 30}
    assert first == {
        "id": first["id"],
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "start_date": "2026-04-01",
        "end_date": "2026-04-30",
        "due_date": "2026-06-12",
        "period": 0,
        "has_began": True,
        "has_ended": False,
        "has_due_passed": False,
        "is_locked": False,
        "is_reported": False,
        "is_recapitulative_reported": False,
        "has_eu_sales": False,
        "recapitulative_due_date": None,
        "has_locked_accounting_period": False,
        "filing_tax_to_be_paid": None,
        "filing_accepted_at": None,
        "purchase_invoice_id": None,
    }
    assert books.get(path_of(first)).body == first
    assert list(first) == list(VatPeriod.__annotations__)
    check_reply(VatPeriod, first)


@pytest.mark.together
@pytest.mark.parametrize(
    ("default", "expected"),
    [
        (-1, [("2026-04-01", "2026-04-30", "2026-06-12", 0), ("2026-05-01", "2026-05-31", "2026-07-13", 0)]),
        (0, [("2026-05-01", "2026-05-31", "2026-07-13", 0), ("2026-06-01", "2026-06-30", "2026-08-12", 0)]),
        (1, [("2026-07-01", "2026-09-30", "2026-11-12", 1), ("2026-10-01", "2026-12-31", "2027-02-12", 1)]),
        (2, [("2027-01-01", "2027-12-31", "2028-02-29", 2), ("2028-01-01", "2028-12-31", "2029-02-28", 2)]),
    ],
)
def test_an_empty_body_makes_the_period_that_follows(bookkeeper: Actor, default: int, expected: list[Any]) -> None:
    books = open_books(bookkeeper, default_vat_period=default)
    bodies: tuple[object, ...] = (None, {})
    assert [dates(books.create("vat_period/", body)) for body in bodies] == expected
    assert starts(books) == sorted(starts(books), reverse=True)


@pytest.mark.together
@pytest.mark.parametrize(
    "expected",
    [
        ("2026-05-01", "2026-05-31", "2026-07-13", 0),
        ("2026-04-01", "2026-06-30", "2026-08-12", 1),
        ("2026-01-01", "2026-12-31", "2027-03-01", 2),
    ],
)
def test_the_first_period_is_that_of_today(
    bookkeeper: Actor, shared: World, expected: tuple[str, str, str, int]
) -> None:
    books = open_books(bookkeeper, default_vat_period=-1)
    shared.clock.now = datetime(2026, 4, 30, 21, tzinfo=UTC)  # May begins in Helsinki
    assert dates(books.create("vat_period/", {"period": expected[-1]})) == expected


# the examples of docs/interface.md 9.1 and docs/law.md 4.2, moved to banking days
@pytest.mark.together
@pytest.mark.parametrize(
    ("start", "kind", "end", "due"),
    [
        ("2026-01-01", 0, "2026-01-31", "2026-03-12"),
        ("2026-08-01", 0, "2026-08-31", "2026-10-12"),
        ("2026-10-01", 0, "2026-10-31", "2026-12-14"),
        ("2026-01-01", 1, "2026-03-31", "2026-05-12"),
        ("2026-07-01", 1, "2026-09-30", "2026-11-12"),
        ("2025-01-01", 2, "2025-12-31", "2026-03-02"),
        ("2026-01-01", 2, "2026-12-31", "2027-03-01"),
    ],
)
def test_finnish_deadlines(bookkeeper: Actor, start: str, kind: int, end: str, due: str) -> None:
    books = open_books(bookkeeper, default_vat_period=-1)
    created = books.create("vat_period/", {"start_date": start, "period": kind})
    assert dates(created) == (start, end, due, kind)


@pytest.mark.together
@pytest.mark.parametrize(
    ("start", "has_extension", "due"),
    [
        ("2025-11-01", False, "2025-12-10"),
        ("2025-11-01", True, "2026-01-12"),
        ("2026-01-01", False, "2026-02-10"),
        ("2026-01-01", True, "2026-03-10"),
    ],
)
def test_german_deadlines(bookkeeper: Actor, start: str, has_extension: bool, due: str) -> None:
    books = open_books(bookkeeper, form="DE_UG", default_vat_period=-1, has_dauerfristverlaengerung=has_extension)
    assert books.create("vat_period/", {"start_date": start})["due_date"] == due


@pytest.mark.everywhere
def test_what_is_not_reported_is_due_as_the_business_files_now(
    bookkeeper: Actor, shared: World, events: Callable[[Books], list[tuple[str, Any]]]
) -> None:
    books = open_books(bookkeeper, form="DE_UG", default_vat_period=0)
    march = books.create("vat_period/", {"start_date": "2026-03-01"})
    february = books.create("vat_period/", {"start_date": "2026-02-01"})
    books.act(f"{path_of(february)}action/report/")
    books.act(f"{path_of(march)}action/lock/")
    told = len(events(books))
    books.change("", has_dauerfristverlaengerung=True)
    assert [dates(one)[2] for one in books.get("vat_period/").body["results"]] == [
        "2026-06-10", "2026-05-11", "2026-03-10",
    ]  # fmt: skip
    assert [type_ for type_, _ in events(books)[told:]] == ["business.updated", *["vat_period.updated"] * 2]
    assert [data["due_date"] for _, data in events(books)[-2:]] == ["2026-05-11", "2026-06-10"]
    books.change("", name="Other GmbH", has_dauerfristverlaengerung=True)
    assert [type_ for type_, _ in events(books)[told + 3 :]] == ["business.updated"]
    books.change("", has_dauerfristverlaengerung=False)
    assert dates(latest(books))[2] == "2026-05-11"


@pytest.mark.everywhere
def test_a_due_date_follows_the_length_of_its_own_period(bookkeeper: Actor) -> None:
    books = open_books(bookkeeper, form="DE_UG", default_vat_period=0)
    books.change("", has_dauerfristverlaengerung=True, default_vat_period=1)
    april = latest(books)
    assert dates(april) == ("2026-04-01", "2026-04-30", "2026-06-10", 0)
    later = books.create("vat_period/")
    assert dates(later) == ("2026-05-01", "2026-07-31", "2026-09-10", 1)
    # changed itself, it falls due by the rules of the day it is changed
    assert dates(books.change(path_of(later), period=0)) == ("2026-05-01", "2026-05-31", "2026-07-10", 0)


def test_what_time_does(books: Books, shared: World) -> None:
    flags = ("has_began", "has_ended", "has_due_passed")
    found = []
    for day in ("2026-03-31", "2026-04-30", "2026-06-12"):
        # the last minute of the day in Helsinki, and the first one of the next
        for moment in (f"{day}T20:59", f"{day}T21:00"):
            shared.clock.now = datetime.fromisoformat(moment).replace(tzinfo=UTC)
            found.append(tuple(latest(books)[name] for name in flags))
    assert found == [
        (False, False, False),
        (True, False, False),
        (True, False, False),
        (True, True, False),
        (True, True, False),
        (True, True, True),
    ]


@pytest.mark.parametrize(
    ("today", "start"),
    [("2026-04-30T20:59", "2026-04-01"), ("2026-04-30T21:00", "2026-05-01"), ("2027-05-05", "2026-05-01")],
)
def test_the_business_names_the_vat_period_of_today_else_the_latest(
    books: Books, shared: World, today: str, start: str
) -> None:
    books.create("vat_period/")
    books.create("vat_period/", {"start_date": "2026-03-01"})
    shared.clock.now = datetime.fromisoformat(today).replace(tzinfo=UTC)
    named = books.get("").body["vat_period_id"]
    assert books.get(f"vat_period/{named}/").body["start_date"] == start


@pytest.mark.together
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"start_date": "2026-04-01"}, "start_date"),
        ({"start_date": "2026-03-01", "period": 1}, "start_date"),
        ({"start_date": "2026-06-01"}, "start_date"),
        ({"start_date": "2026-02-01"}, "start_date"),
        ({"start_date": "2026-05-02"}, "start_date"),
        ({"start_date": "9999-01-01"}, "start_date"),
        ({"start_date": "2026-05"}, "start_date"),
        ({"period": -1}, "period"),
        ({"period": 3}, "period"),
        ({"period": "month"}, "period"),
        ({"period": True}, "period"),
    ],
)
def test_wrong_days_and_lengths_are_refused(books: Books, body: dict[str, object], field: str) -> None:
    reply = books.send("POST", "vat_period/", body)
    assert (reply.status, reply.body["code"], reply.faults) == (400, "validation_error", [field])
    assert starts(books) == ["2026-04-01"]


def test_periods_may_be_put_before_and_holes_filled(books: Books) -> None:
    for start in ("2026-03-01", "2026-02-01", "2026-01-01"):
        books.create("vat_period/", {"start_date": start})
    for row in books.get("vat_period/").body["results"][1:3]:
        assert books.send("DELETE", path_of(row)).status == 204
    assert starts(books) == ["2026-04-01", "2026-01-01"]
    assert books.create("vat_period/", {"start_date": "2026-03-01"})["end_date"] == "2026-03-31"
    assert books.create("vat_period/", {"start_date": "2026-02-01"})["end_date"] == "2026-02-28"


def test_patch_changes_what_is_sent_and_put_the_length_too(books: Books, shared: World) -> None:
    before = latest(books)
    shared.clock.now = datetime(2026, 4, 3, tzinfo=UTC)
    path = path_of(before)
    quarter = {"end_date": "2026-06-30", "due_date": "2026-08-12", "period": 1}
    changed = books.change(path, period=1)
    assert changed == before | quarter | {"updated_at": "2026-04-03T00:00:00.000000Z"}
    january = {"start_date": "2026-01-01", "end_date": "2026-03-31", "due_date": "2026-05-12", "has_ended": True}
    assert books.change(path, start_date="2026-01-01") == changed | january
    replaced = books.send("PUT", path, {}).body
    month = {"end_date": "2026-01-31", "due_date": "2026-03-12", "period": 0, "has_due_passed": True}
    assert replaced == changed | january | month
    assert books.get(path).body == replaced
    assert books.send("PUT", path, {"start_date": "2026-02-01", "period": 2}).body["end_date"] == "2027-01-31"
    assert dates(books.change(path, period=None)) == ("2026-02-01", "2026-02-28", "2026-04-13", 0)


def test_a_change_leaves_no_gap_and_no_overlap(books: Books) -> None:
    april = latest(books)
    may, _june = (books.create("vat_period/") for _ in range(2))
    for row, fields in [
        (may, {"start_date": "2026-07-01"}),
        (may, {"start_date": "2026-04-01"}),
        (may, {"period": 1}),
        (april, {"start_date": "2026-02-01"}),
    ]:
        reply = books.send("PATCH", path_of(row), fields)
        assert (reply.status, reply.faults) == (400, ["start_date"]), fields
    assert starts(books) == ["2026-06-01", "2026-05-01", "2026-04-01"]
    assert books.change(path_of(april), start_date="2026-07-01")["end_date"] == "2026-07-31"


# --- what lies inside ---


@pytest.mark.parametrize(("code", "found"), [(5, True), (6, True), (4, False), (7, False), (12, False)])
def test_eu_sales_are_reported_by_themselves(books: Books, code: int, found: bool) -> None:
    eu_sale = books.sales("1700", [books.row("3380", "500.00", code)])
    books.create("document/", {"date": "2026-04-30", "blueprint": eu_sale, "is_draft": True})
    books.create("document/", {"date": "2026-05-01", "blueprint": eu_sale})
    assert (latest(books)["has_eu_sales"], latest(books)["recapitulative_due_date"]) == (False, None)
    books.create("document/", {"date": "2026-04-30", "blueprint": eu_sale})
    due = "2026-05-20" if found else None
    assert (latest(books)["has_eu_sales"], latest(books)["recapitulative_due_date"]) == (found, due)


def test_the_german_statement_has_a_deadline_of_its_own(bookkeeper: Actor) -> None:
    books = open_books(bookkeeper, form="DE_UG", has_dauerfristverlaengerung=True, default_vat_period=0)
    bank, sales = (books.get("account/", type=type_).body["results"][0]["number"] for type_ in ("ASS_PAY", "REV_SAL"))
    eu_sale = books.sales(bank, [books.row(sales, "500.00", 5)])
    books.create("document/", {"date": "2026-04-01", "blueprint": eu_sale})
    assert latest(books)["recapitulative_due_date"] == "2026-05-26"  # 25 May 2026 is Whit Monday


@pytest.mark.parametrize(
    ("days", "found"),
    [
        ("2026-04-30 2026-05-31", True),
        ("2026-05-01 2026-05-31", False),
        ("2026-03-01 2026-04-01", True),
        ("2026-03-01 2026-03-31", False),
    ],
)
def test_a_locked_accounting_period_is_told_of(books: Books, days: str, found: bool) -> None:
    start, end = days.split()
    year = books.get("period/").body["results"][0]
    books.change(f"period/{year['id']}/", start_date=start, end_date=end)
    assert latest(books)["has_locked_accounting_period"] is False
    books.act(f"period/{year['id']}/action/lock/")
    assert latest(books)["has_locked_accounting_period"] is found


# --- locks ---


def test_a_locked_period_does_not_change(books: Books) -> None:
    before = latest(books)
    path = path_of(before)
    locked = books.act(f"{path}action/lock/")
    assert locked == before | {"is_locked": True}
    changes: list[tuple[str, object]] = [("PATCH", {"period": 1}), ("PATCH", {}), ("PUT", {}), ("DELETE", None)]
    for method, body in changes:
        reply = books.send(method, path, body)
        detail = "The VAT period 2026-04-01 - 2026-04-30 is locked."
        assert (reply.status, reply.body) == (412, {"code": "precondition_failed", "detail": detail})
    assert books.act(f"{path}action/lock/") == locked
    assert books.act(f"{path}action/unlock/") == before
    assert books.act(f"{path}action/unlock/") == before
    assert books.send("DELETE", path).status == 204
    assert books.get("").body["vat_period_id"] is None


def test_a_lock_takes_every_document_inside_and_gives_back_its_own(books: Books) -> None:
    first, last, outside = (books.document(day, "5.00") for day in ("2026-04-01", "2026-04-30", "2026-05-01"))
    draft = books.document("2026-04-15", "5.00", is_draft=True)
    own = books.document("2026-04-15", "5.00")
    books.act(f"document/{own['id']}/action/lock/")
    path = path_of(latest(books))
    books.act(f"{path}action/lock/")
    assert books.listed(is_locked="true") == [last["id"], own["id"], draft["id"], first["id"]]
    for document in (first, last, draft, own):
        address = f"document/{document['id']}/"
        for method in ("PATCH", "PUT", "DELETE"):
            reply = books.send(method, address, {"description": "x"})
            assert (reply.status, reply.body["code"]) == (423, "locked"), (method, document)
    assert books.send("POST", "document/", {"date": "2026-04-30"}).status == 423
    assert books.send("PATCH", f"document/{outside['id']}/", {"date": "2026-04-30"}).status == 423
    books.act(f"{path}action/unlock/")
    assert books.listed(is_locked="true") == [own["id"]]
    assert books.get(f"document/{first['id']}/").body == first
    assert books.change(f"document/{first['id']}/", description="x")["description"] == "x"


def test_documents_change_when_their_vat_period_is_locked_and_unlocked(books: Books, shared: World) -> None:
    documents = [books.document(day, "5.00") for day in ("2026-04-01", "2026-04-30", "2026-03-31", "2026-05-01")]
    path = path_of(latest(books))
    for verb, hour in (("lock", 11), ("unlock", 12)):
        shared.clock.now = datetime(2026, 4, 2, hour, tzinfo=UTC)
        books.act(f"{path}action/{verb}/")
        state = {"is_locked": verb == "lock", "is_deletable": verb == "unlock"}
        changed = {**state, "updated_at": f"2026-04-02T{hour}:00:00.000000Z"}
        shown = [books.get(f"document/{document['id']}/").body for document in documents]
        assert shown == [*({**document, **changed} for document in documents[:2]), *documents[2:]]


def test_a_lock_leaves_the_documents_of_another_business_alone(books: Books, other_books: Books) -> None:
    document = other_books.document("2026-04-15", "5.00")
    path = path_of(latest(books))
    books.act(f"{path}action/lock/")
    assert other_books.get(f"document/{document['id']}/").body == document
    other_books.act(f"{path_of(latest(other_books))}action/lock/")
    locked = other_books.get(f"document/{document['id']}/").body
    books.act(f"{path}action/unlock/")
    assert locked["is_locked"]
    assert other_books.get(f"document/{document['id']}/").body == locked


def test_a_document_locked_by_hand_in_a_locked_period_stays_locked(books: Books) -> None:
    by_hand, other = books.document("2026-04-01", "1.00"), books.document("2026-04-02", "1.00")
    path = path_of(latest(books))
    books.act(f"{path}action/lock/")
    books.act(f"document/{by_hand['id']}/action/lock/")
    books.act(f"{path}action/unlock/")
    assert books.listed(is_locked="true") == [by_hand["id"]]
    books.change(f"document/{other['id']}/", is_draft=True)


def test_a_document_unlocked_in_a_locked_period_is_still_closed_in(books: Books) -> None:
    document = books.document("2026-04-01", "5.00")
    books.act(f"{path_of(latest(books))}action/lock/")
    assert books.act(f"document/{document['id']}/action/unlock/")["is_locked"] is False
    reply = books.send("PATCH", f"document/{document['id']}/", {"description": "x"})
    assert (reply.status, reply.body["detail"]) == (423, "The VAT period 2026-04-01 - 2026-04-30 is locked.")


def test_only_an_administrator_locks_and_reports(books: Books, shared: World) -> None:
    editor = shared.user()
    shared.permit(editor, books.business_id, "reporting_editor")
    path = f"{books.path}{path_of(latest(books))}"
    assert editor.send("PATCH", path, {"period": 1}).status == 200
    for verb in ("lock", "unlock", "report"):
        assert editor.send("POST", f"{path}action/{verb}/").error == (403, "permission_denied")
    shared.permit(editor, books.business_id, "reporting_admin")
    assert editor.send("POST", f"{path}action/lock/").body["is_locked"] is True


def test_vat_periods_of_another_business_do_not_exist_here(books: Books, other_books: Books) -> None:
    path = path_of(latest(other_books))
    tries: list[tuple[str, str, object]] = [("GET", path, None), ("PATCH", path, {}), ("PUT", path, {})]
    tries += [("DELETE", path, None), *(("POST", f"{path}action/{verb}/", None) for verb in ("lock", "unlock"))]
    for method, address, body in [*tries, ("POST", f"{path}action/report/", None)]:
        reply = books.send(method, address, body)
        assert (reply.status, reply.body["code"]) == (404, "not_found"), (method, address)
    assert latest(other_books)["is_locked"] is False


def test_every_change_leaves_one_event(books: Books, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    created = books.create("vat_period/")
    path = path_of(created)
    expected = [("vat_period.created", created), ("vat_period.updated", books.change(path, period=1))]
    expected.append(("vat_period.locked", books.closed(books.act(f"{path}action/lock/"))))
    books.act(f"{path}action/lock/")
    expected.append(("vat_period.unlocked", books.act(f"{path}action/unlock/")))
    books.act(f"{path}action/unlock/")
    books.send("DELETE", path)
    expected.append(("vat_period.deleted", {"id": created["id"]}))
    assert [event for event in events(books) if event[0].startswith("vat_period.")] == expected
