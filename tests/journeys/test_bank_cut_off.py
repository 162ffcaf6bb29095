"""Imports that match, killed behind and before each of their requests, and several at once: each line once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from acctcli.cli.bank import importing
from acctcli.cli.bank.posting import Posting
from acctcli.cli.purchase import posting
from tests.banking.statements import generator as made
from tests.journeys.cutting import cut_off
from tests.journeys.places import Place
from tests.journeys.test_bank import COFFEE, SALE, book, documents, write
from tests.journeys.test_bank_matching import (
    MAY,
    MOVE,
    SECOND,
    bill,
    bring,
    held,
    reference,
    rules,
    statement,
    tags_of,
    tax_of_march,
)
from tests.journeys.test_basis import keep
from tests.journeys.test_invoices import accepted, seller
from tests.journeys.test_settlement import WORK, before_posting
from tests.sizes import is_full

D = Decimal


def begin_with_claims(place: Place) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Two invoices in one payment, two purchase invoices, one of them in no books; a transfer of two lines."""
    seller(place)
    for number, iban in (("1910", made.FINNISH), ("1920", SECOND)):
        place.run("account", "update", number, "--set", f"description={iban}")
    accepted(place, WORK), accepted(place, WORK)
    bill(place, "80.00", "P-1")
    unposted = ("--date", "2026-03-02", "--amount", "113.50", "--source", "UPLOAD", "--sender", "Kespro Oy")
    place.run("purchase", "create", *unposted)
    book = rules(place, '[[rules]]\ntext = "Kespro"\naccount = "4000"\nvat = "2/13.5"\n')
    moves = [
        replace(MOVE, cents=25_100, text="Invoices 1 and 2"),
        replace(MOVE, cents=-8_000, reference="M3", name="Paperi Oy"),
        replace(MOVE, cents=-11_350, reference="M5", name="KESPRO OY"),
        replace(MOVE, cents=-50_000, reference="M4", name="Journey Oy", iban=SECOND),
    ]
    back = replace(MOVE, cents=50_000, name="Journey Oy", iban=made.FINNISH)
    return (statement(place, *moves), statement(place, back, name="t.xml", account=SECOND)), ("--rules", book)


def begin_with_actions(place: Place) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A sale that its payment posts, in two parts, and the tax of a period."""
    seller(place)
    tax_of_march(place)
    setting = ("--set", "has_accrual_based_entries_for_invoicing=false")
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], *setting)
    one = accepted(place, WORK, day="2026-05-01")
    moves = [
        replace(MOVE, cents=5_000, viite=reference(place, one), day=MAY),
        replace(MOVE, cents=7_550, reference="M2", viite=reference(place, one), day=MAY),
        replace(MOVE, cents=-2_550, reference="M3", viite="1232", name="Verohallinto", day=MAY),
    ]
    return (statement(place, *moves),), ("--account", "1910", "--rules", rules(place, 'tax_reference = "1232"\n'))


@pytest.mark.parametrize("begin", [begin_with_claims, begin_with_actions])
@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_any_request_each_line_is_settled_once(
    place: Place, when: str, begin: Callable[[Place], tuple[tuple[str, ...], tuple[str, ...]]]
) -> None:
    """Runs are killed one after the other, each a request later, and each goes on with the books of the last one."""
    paths, options = begin(place)
    command = ("bank", "import", *paths, *options, "--yes", "--json")
    before = len(documents(place))
    # before a request is after the one before it: both ways together take every request, unless a run is full
    for cut in range(1, 120, 1 if is_full() else 2):
        done = cut_off(place, cut, *command, when=when)
        posted = Counter(tag for doc in documents(place) if not doc["is_draft"] for tag in tags_of(doc))
        assert set(posted.values()) <= {1}
        if done == 0:
            break
    rows = bring(place, *command[2:-1])
    assert (done, {row["status"] for row in rows}) == (0, {"already there"})
    found = documents(place)
    assert [doc["id"] for doc in found if doc["is_draft"]] == []
    # a bill that a rule books has a document besides
    assert len(found) - before == (5 if len(paths) > 1 else 3)
    assert len({row["document"] for row in rows}) == (4 if len(paths) > 1 else 3)
    invoices = place.json("invoice", "list")
    assert {one["status"] for one in invoices} == {"PAID"}
    assert {one["is_paid"] for one in place.json("purchase", "list")} == {True}
    own = {"1910", "1920", "3000", "4000", "1763", "2939"}
    assert held(place).keys() <= own
    assert held(place)["1910"] == (D("-442.50") if len(paths) > 1 else D("225.50"))


def test_ended_before_a_draft_goes_the_next_run_takes_the_rest_of_its_claim(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths, options = begin_with_actions(place)

    def end(*said: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Posting, "_drop", end)
        done = place.try_run("bank", "import", *paths, *options, "--yes")
    assert done.code == 130
    done = place.run("bank", "import", *paths, *options, "--yes")
    assert "cannot settle" not in done.err
    assert [doc["id"] for doc in documents(place) if doc["is_draft"]] == []
    assert [one["status"] for one in place.json("invoice", "list")] == ["PAID"]


def test_a_bill_that_another_run_books_meanwhile_is_paid(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was in no books when this run looked, and is refused when it is to be booked."""
    book = posting.post

    def behind_another(*said: Any) -> Any:
        book(*said)
        return book(*said)

    paths, options = begin_with_claims(place)
    monkeypatch.setattr(posting, "post", behind_another)
    rows = bring(place, *paths, *options, "--yes")
    assert {row["status"] for row in rows} == {"posted"}
    assert not any(doc["is_draft"] for doc in documents(place))
    assert {one["is_paid"] for one in place.json("purchase", "list")} == {True}
    assert held(place)["1910"] == D("-442.50")


def test_of_two_users_who_import_at_once_the_first_posts_a_line(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are of one user: that of another is as good as another key."""
    paths, options = begin_with_claims(place)
    command = ("bank", "import", *paths, *options, "--yes")
    theirs = partial(place.run, *command, "--idempotency-key", "of another user")
    before_posting(monkeypatch, theirs, importing, "read_known")
    done = place.try_run(*command)
    assert (done.code, "this run's documents of them are deleted" in done.err) == (10, True), done.err
    assert set(Counter(tag for doc in documents(place) for tag in tags_of(doc)).values()) == {1}
    assert {row["status"] for row in place.json(*command)} == {"already there"}
    assert {one["status"] for one in place.json("invoice", "list")} == {"PAID"}
    assert held(place)["1910"] == D("-442.50")


def test_a_part_of_a_sale_that_two_users_import_at_once_is_named(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """An action posted it, and nobody but a person takes that back."""
    seller(place)
    keep(place, by_claims=False)
    path = statement(place, replace(MOVE, cents=5_000, viite=reference(place, accepted(place, WORK))))
    command = ("bank", "import", path, "--account", "1910", "--yes")
    theirs = partial(place.run, *command, "--idempotency-key", "of another user")
    before_posting(monkeypatch, theirs, importing, "read_known")
    done = place.try_run(*command)
    first, other = sorted(doc["id"] for doc in documents(place))
    assert (done.code, f"both are there: documents {first} and {other}" in done.err) == (10, True), done.err


@pytest.mark.parametrize("begin", [begin_with_claims, begin_with_actions])
def test_several_who_import_at_once_settle_each_line_once(
    place: Place, begin: Callable[[Place], tuple[tuple[str, ...], tuple[str, ...]]]
) -> None:
    """Whoever meets another one's request may have to run again; nothing is there twice."""
    paths, options = begin(place)
    argv = ("bank", "import", *paths, *options, "--yes", "--json")
    ends = place.at_once(argv, argv, argv)
    assert {one.code for one in ends} <= {0, 6, 7, 8}, ends
    bring(place, *argv[2:-1])
    posted = Counter(tag for doc in documents(place) for tag in tags_of(doc))
    assert set(posted.values()) == {1}, ends
    assert not any(doc["is_draft"] for doc in documents(place))
    assert {one["status"] for one in place.json("invoice", "list")} == {"PAID"}
    assert {one["is_paid"] for one in place.json("purchase", "list")} == {True}
    assert held(place)["1910"] == (D("-442.50") if len(paths) > 1 else D("225.50"))


@pytest.mark.parametrize("contra", [(), ("--contra", "3000")])
def test_what_two_who_were_cut_off_left_twice_is_named_by_the_next_import(
    place: Place, monkeypatch: pytest.MonkeyPatch, contra: tuple[str, ...]
) -> None:
    """Both had posted, and neither looked again: nobody else could tell."""
    path = write(place, "statement.xml", [book(SALE, COFFEE)])
    command = ("bank", "import", path, "--account", "1910", "--yes", *contra)

    def end(*said: object) -> None:
        raise KeyboardInterrupt

    theirs = (*command, "--no-keep", "--idempotency-key", f"cut off {place.environ['ACCTCLI_BUSINESS']} {contra}")
    with monkeypatch.context() as patched:
        patched.setattr(importing._Importing, "check_doubles", end)
        before_posting(patched, lambda: place.try_run(*theirs), importing, "read_known")
        assert place.try_run(*command).code == 130
    first, other, *rest = sorted(one["id"] for one in documents(place) if "Asiakas" in one["description"])
    assert rest == []
    done = place.try_run(*command)
    assert (done.code, "2 lines are in the books twice" in done.err) == (10, True), done.err
    assert f"by documents {first} and {other}" in done.err
    for one in documents(place)[:2]:
        place.run("document", *(("reverse", str(one["id"])) if contra else ("delete", str(one["id"]), "--yes")))
    assert {row["status"] for row in bring(place, *command[2:])} == {"already there"}
