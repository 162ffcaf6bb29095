"""Accounting periods over HTTP, on SQLite and on PostgreSQL: days, order, posted documents, locks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from acctcli.models.period import Period
from tests.replies import check_reply
from tests.service.actor import Actor, World
from tests.service.routes.books import Books, open_books

MOMENT = "2026-04-02T10:00:00.000000Z"
Y2027 = {"start_date": "2027-01-01", "end_date": "2027-12-31"}
LOCKED = {"code": "precondition_failed", "detail": "The accounting period 2026-01-01 - 2026-12-31 is locked."}


def current(books: Books) -> Any:
    """Return the period a new business begins with: the calendar year."""
    return books.get("period/").body["results"][-1]


def test_a_business_begins_with_the_calendar_year(books: Books) -> None:
    page = books.get("period/").body
    (first,) = page.pop("results")
    assert page == {"count": 1, "next": None, "prev": None, "size": 30}
    assert first == {
        "id": first["id"],
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "start_date": "2026-01-01",
        "end_date": "2026-12-31",
        "has_began": True,
        "has_ended": False,
        "is_ensured": False,
        "is_depreciations_recorded": False,
        "is_depreciations_ensured": False,
        "is_deferrals_recorded": False,
        "is_taxed": False,
        "is_deducted": False,
        "is_locked": False,
        "is_reported": False,
    }
    assert books.get(f"period/{first['id']}/").body == first
    assert list(first) == list(Period.__annotations__)
    check_reply(Period, first)


@pytest.mark.everywhere
def test_periods_are_listed_the_latest_first(books: Books) -> None:
    later = books.create("period/", Y2027)
    earlier = books.create("period/", {"start_date": "2024-07-01", "end_date": "2025-12-31"})
    assert [one["has_began"] for one in (later, earlier)] == [False, True]
    assert [one["has_ended"] for one in (later, earlier)] == [False, True]
    listed = [later["id"], current_id := current_of(books), earlier["id"]]
    assert [one["id"] for one in books.get("period/").body["results"]] == listed
    second = books.get("period/", page="2", page_size="1").body
    assert (second["count"], second["next"], second["prev"]) == (3, 3, 1)
    assert [one["id"] for one in second["results"]] == [current_id]


@pytest.mark.together
@pytest.mark.parametrize(
    ("today", "has_began", "has_ended"),
    [
        ("2025-12-31T21:59", False, False),
        ("2025-12-31T22:00", True, False),
        ("2026-12-31T21:59", True, False),
        ("2026-12-31T22:00", True, True),
    ],
)
def test_a_period_begins_and_ends_with_its_days_in_helsinki(
    books: Books, shared: World, today: str, has_began: bool, has_ended: bool
) -> None:
    shared.clock.now = datetime.fromisoformat(today).replace(tzinfo=UTC)
    period = current(books)
    assert (period["has_began"], period["has_ended"]) == (has_began, has_ended)


def current_of(books: Books) -> int:
    """Return the id of the period that the business says is today's."""
    number: int = books.get("").body["period_id"]
    return number


@pytest.mark.parametrize(
    ("today", "days"),
    [("2026-04-02", "2026-01-01"), ("2027-03-01", "2027-01-01"), ("2030-01-01", "2027-01-01")],
)
def test_the_business_names_the_period_of_today_else_the_latest(
    books: Books, shared: World, today: str, days: str
) -> None:
    books.create("period/", Y2027)
    books.create("period/", {"start_date": "2025-01-01", "end_date": "2025-12-31"})
    shared.clock.now = datetime.fromisoformat(today).replace(tzinfo=UTC)
    assert books.get(f"period/{current_of(books)}/").body["start_date"] == days


def test_a_list_names_the_period_of_the_day_where_each_business_is(shared: World) -> None:
    actor = shared.user()
    shared.clock.now = datetime(2026, 4, 2, tzinfo=UTC)
    both = [open_books(actor, form=form) for form in ("FI_OY", "DE_UG")]
    for books in both:
        books.keep_books(2026, 2027)
    shared.clock.now = datetime(2026, 12, 31, 22, 30, tzinfo=UTC)

    def of_2027(books: Books) -> bool:
        shown = next(one for one in actor.get("/v1/business/")["results"] if one["id"] == books.business_id)
        assert shown["period_id"] == current_of(books)
        return bool(books.get(f"period/{shown['period_id']}/").body["start_date"] == "2027-01-01")

    assert [of_2027(books) for books in both] == [True, False]


@pytest.mark.together
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"start_date": "2026-12-31", "end_date": "2027-12-31"}, "start_date"),
        ({"start_date": "2025-01-01", "end_date": "2026-01-01"}, "start_date"),
        ({"start_date": "2026-02-01", "end_date": "2026-02-28"}, "start_date"),
        ({"start_date": "2027-01-01", "end_date": "2028-07-01"}, "end_date"),
        ({"start_date": "2027-01-01", "end_date": "2026-12-31"}, "end_date"),
        ({"start_date": "2026-12-31"}, "start_date"),
        ({"end_date": "2026-12-31"}, "end_date"),
        ({"end_date": "2028-07-01"}, "end_date"),
        ({"start_date": "2028-03-01"}, "start_date"),
        (Y2027 | {"end_date": None}, "end_date"),
        (Y2027 | {"start_date": "2027-02-30"}, "start_date"),
        (Y2027 | {"start_date": 20270101}, "start_date"),
    ],
)
def test_wrong_days_are_refused(books: Books, body: dict[str, object], field: str) -> None:
    reply = books.send("POST", "period/", body)
    assert (reply.status, reply.faults) == (400, [field])
    assert books.get("period/").body["count"] == 1


def test_a_german_period_lasts_a_year_at_most(bookkeeper: Actor) -> None:
    books = open_books(bookkeeper, form="DE_UG")
    reply = books.send("POST", "period/", {"start_date": "2027-01-01", "end_date": "2028-06-30"})
    assert (reply.status, reply.body["end_date"]) == (400, ["An accounting period lasts at most 12 months."])
    assert open_books(bookkeeper).create("period/", {"start_date": "2027-01-01", "end_date": "2028-06-30"})


def test_patch_changes_what_is_sent_and_put_both_days(books: Books, shared: World) -> None:
    before = current(books)
    shared.clock.now = datetime(2026, 4, 3, tzinfo=UTC)
    path = f"period/{before['id']}/"
    changed = books.change(path, end_date="2026-06-30")
    assert changed == before | {"end_date": "2026-06-30", "updated_at": "2026-04-03T00:00:00.000000Z"}
    replaced = books.send("PUT", path, {"start_date": "2025-07-01", "end_date": "2026-03-31"}).body
    assert replaced == changed | {"start_date": "2025-07-01", "end_date": "2026-03-31", "has_ended": True}
    assert books.get(path).body == replaced
    for kept in ({"start_date": "2025-07-01"}, {"end_date": "2026-03-31"}, {}):
        assert books.send("PUT", path, kept).body == replaced


@pytest.mark.parametrize(
    ("body", "start", "end"),
    [
        ({}, "2027-01-01", "2027-12-31"),
        ({"end_date": "2027-06-30"}, "2027-01-01", "2027-06-30"),
        ({"start_date": "2027-01-01"}, "2027-01-01", "2027-12-31"),
        ({"start_date": "2024-07-01", "end_date": "2025-12-31"}, "2024-07-01", "2025-12-31"),
    ],
)
def test_days_that_are_not_said_are_the_usual_ones(books: Books, body: dict[str, Any], start: str, end: str) -> None:
    made = books.create("period/", body)
    assert (made["start_date"], made["end_date"]) == (start, end)


def test_the_first_period_is_this_year_and_nothing_follows_the_last_day(books: Books) -> None:
    assert books.send("DELETE", f"period/{current_of(books)}/").status == 204
    assert books.create("period/")["start_date"] == "2026-01-01"
    for start, end in (("2027-03-15", "2028-02-29"), ("9999-05-01", "9999-12-31")):
        assert books.send("DELETE", f"period/{current_of(books)}/").status == 204
        assert books.create("period/", {"start_date": start})["end_date"] == end
    reply = books.send("POST", "period/")
    assert (reply.status, reply.faults) == (400, ["start_date"])


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        ("2028-01-01", "2028-12-31", "this one begins on 2027-01-01."),
        ("2024-01-01", "2024-12-31", "this one ends on 2025-12-31."),
    ],
)
def test_no_days_lie_between_periods(books: Books, start: str, end: str, said: str) -> None:
    reply = books.send("POST", "period/", {"start_date": start, "end_date": end})
    text = f"No days lie between accounting periods: {said}"
    assert (reply.status, reply.body["start_date"]) == (400, [text])


def test_a_period_between_others_stays(books: Books) -> None:
    books.keep_books(2025, 2027)
    reply = books.send("DELETE", f"period/{current_of(books)}/")
    detail = "2026-01-01 - 2026-12-31 lies between other accounting periods."
    assert (reply.status, reply.body) == (412, {"code": "precondition_failed", "detail": detail})


def test_two_long_periods_never_follow_each_other(books: Books) -> None:
    """KPL 1:4: only the first one and one that changes the financial year last longer than 12 months."""
    books.create("period/", {"start_date": "2027-01-01", "end_date": "2028-06-30"})
    reply = books.send("POST", "period/", {"start_date": "2028-07-01", "end_date": "2029-12-31"})
    assert (reply.status, reply.body["end_date"]) == (
        400,
        ["An accounting period lasts at most 12 months beside a longer one."],
    )
    assert books.create("period/", {"start_date": "2028-07-01"})["end_date"] == "2029-06-30"


def test_a_change_keeps_clear_of_the_others_but_not_of_itself(books: Books) -> None:
    later = books.create("period/", Y2027)
    for path, fields, field in [
        (f"period/{later['id']}/", {"start_date": "2026-12-31"}, "start_date"),
        (f"period/{later['id']}/", {"end_date": "2026-12-31"}, "end_date"),
        (f"period/{current_of(books)}/", {"end_date": "2027-01-01"}, "start_date"),
    ]:
        reply = books.send("PATCH", path, fields)
        assert (reply.status, reply.faults) == (400, [field])
    gap = books.send("PATCH", f"period/{later['id']}/", {"start_date": "2027-02-01"})
    assert (gap.status, gap.faults) == (400, ["start_date"])
    assert books.change(f"period/{later['id']}/", end_date="2027-06-30")["end_date"] == "2027-06-30"


# --- posted documents ---


def test_posted_documents_stay_in_a_period(books: Books) -> None:
    books.document("2026-01-31", "5.00")
    books.document("2026-12-01", "5.00", is_draft=True)
    path = f"period/{current_of(books)}/"
    before = books.get(path).body
    for method, body, days in [
        ("DELETE", None, "2026-01-01 and 2026-12-31"),
        ("PATCH", {"start_date": "2026-02-01"}, "2026-01-01 and 2026-01-31"),
        ("PATCH", {"end_date": "2026-01-30"}, "2026-01-31 and 2026-12-31"),
        ("PUT", Y2027, "2026-01-01 and 2026-12-31"),
    ]:
        reply = books.send(method, path, body)
        detail = f"There are posted documents between {days}."
        assert (reply.status, reply.body) == (412, {"code": "precondition_failed", "detail": detail})
    assert books.get(path).body == before
    assert books.change(path, start_date="2026-01-31", end_date="2026-01-31")["has_ended"] is True


def test_a_period_without_posted_documents_can_go(books: Books) -> None:
    books.document("2026-01-31", "5.00", is_draft=True)
    path = f"period/{current_of(books)}/"
    reply = books.send("DELETE", path)
    assert (reply.status, reply.raw) == (204, b"")
    assert books.get(path).status == 404
    assert books.get("").body["period_id"] is None


# --- locks ---


def test_a_locked_period_does_not_change_and_its_days_are_closed(books: Books) -> None:
    books.keep_books(2026, 2027)
    document = books.document("2026-12-31", "5.00")
    path = f"period/{current_of(books)}/"
    before = books.get(path).body
    locked = books.act(f"{path}action/lock/")
    assert locked == before | {"is_locked": True}
    changes: list[tuple[str, object]] = [("PATCH", {"end_date": "2027-01-31"}), ("PUT", Y2027), ("DELETE", None)]
    for method, body in changes:
        reply = books.send(method, path, body)
        assert (reply.status, reply.body) == (412, LOCKED)
    closed = {"code": "locked", "detail": LOCKED["detail"]}
    writes: list[tuple[str, str, object]] = [
        ("POST", "document/", {"date": "2026-12-31"}),
        ("PATCH", f"document/{document['id']}/", {"date": "2027-01-01"}),
        ("DELETE", f"document/{document['id']}/", None),
    ]
    for method, address, body in writes:
        reply = books.send(method, address, body)
        assert (reply.status, reply.body) == (423, closed)
    assert books.get(f"document/{document['id']}/").body == document
    assert books.act(f"{path}action/unlock/") == before
    assert books.change(f"document/{document['id']}/", date="2027-01-01")["date"] == "2027-01-01"


def test_a_period_may_be_closed_before_it_ends_and_reopened_by_an_administrator(books: Books, shared: World) -> None:
    editor = shared.user()
    shared.permit(editor, books.business_id, "reporting_editor")
    path = f"{books.path}period/{current_of(books)}/"
    assert editor.send("PATCH", path, {"end_date": "2026-11-30"}).status == 200
    for verb in ("lock", "unlock"):
        assert editor.send("POST", f"{path}action/{verb}/").error == (403, "permission_denied")
    shared.permit(editor, books.business_id, "reporting_admin")
    assert editor.send("POST", f"{path}action/lock/").body["is_locked"] is True
    assert editor.send("POST", f"{path}action/unlock/").body["is_locked"] is False


def test_periods_of_another_business_do_not_exist_here(books: Books, other_books: Books) -> None:
    path = f"period/{current_of(other_books)}/"
    tries: list[tuple[str, str, object]] = [("GET", path, None), ("PATCH", path, {}), ("PUT", path, Y2027)]
    tries += [("DELETE", path, None), ("POST", f"{path}action/lock/", None), ("POST", f"{path}action/unlock/", None)]
    for method, address, body in tries:
        reply = books.send(method, address, body)
        assert (reply.status, reply.body["code"]) == (404, "not_found"), (method, address)
    assert current(other_books)["is_locked"] is False


def test_every_change_leaves_one_event(books: Books, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    created = books.create("period/", Y2027)
    path = f"period/{created['id']}/"
    expected = [("period.created", created), ("period.updated", books.change(path, end_date="2027-06-30"))]
    expected.append(("period.locked", books.closed(books.act(f"{path}action/lock/"))))
    books.act(f"{path}action/lock/")
    expected.append(("period.unlocked", books.act(f"{path}action/unlock/")))
    books.act(f"{path}action/unlock/")
    books.send("DELETE", path)
    expected.append(("period.deleted", {"id": created["id"]}))
    assert [event for event in events(books) if event[0].startswith("period.")] == expected
