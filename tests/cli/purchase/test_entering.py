"""`acctcli purchase create`: no double of sender and number, and `--post`, which leaves nothing half without a word."""

from __future__ import annotations

import json
from typing import Any

import pytest

from acctcli.cli.purchase import entering
from tests.cli.company import company
from tests.journeys.places import Place

NEW = ("--sender", "Paperi Oy", "--number", "A-7", "--date", "2026-03-02", "--amount", "125.50", "--source", "UPLOAD")


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("entering"))


def create(place: Place, *more: str) -> Any:
    return place.json("purchase", "create", *NEW, *more)


def entries(place: Place, document: dict[str, Any]) -> set[tuple[str, bool, str]]:
    rows = place.json("document", "entries", str(document["id"]))
    return {(row["account_number"], row["is_debet"], f"{row['amount']:.2f}") for row in rows}


def test_it_is_entered_and_posted_at_once(place: Place) -> None:
    made = create(place, "--post", "--account", "4000")
    assert (made["id"], made["document"]["date"]) == (1, "2026-03-02")
    assert made["document"]["description"] == "Purchase invoice 1: Paperi Oy A-7"
    assert entries(place, made["document"]) == {
        ("4000", True, "100.00"), ("1763", True, "25.50"), ("2871", False, "125.50"),
    }  # fmt: skip


def test_the_account_is_that_of_the_last_invoice_of_the_sender(place: Place) -> None:
    create(place, "--post", "--account", "7800:125.50@3")
    create(place, "--number", "A-6", "--date", "2026-03-01", "--post", "--account", "4000")
    done = place.run("purchase", "create", *NEW, "--sender", "PAPERI  oy", "--number", "A-8", "--post", "--json")
    made = json.loads(done.out)
    assert entries(place, made["document"]) == {("7800", True, "125.50"), ("2871", False, "125.50")}
    assert "note: account 7800 " in done.err
    assert "as purchase invoice 1 has it" in done.err


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ((), "nothing tells the account: no invoice of Paperi Oy is posted"),
        (("--post", "--account", "4000:100@3", "--account", "7800:25.50@3"), "was posted on 4000, 7800"),
    ],
)
def test_where_nothing_tells_the_account_nothing_is_entered(place: Place, before: tuple[str, ...], told: str) -> None:
    create(place, *before)
    done = place.try_run("purchase", "create", *NEW, "--number", "A-8", "--post")
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert "--account NUMBER" in done.err
    assert len(place.json("purchase", "list")) == 1


@pytest.mark.parametrize(
    ("there", "new", "is_double"),
    [
        ((), (), True),
        ((), ("--sender", " paperi  OY", "--number", "a-7", "--amount", "1"), True),
        (("--sender-vat", "FI01120389"), ("--sender", "Paper Ltd", "--sender-vat", "FI01120389"), True),
        (("--sender-vat", "FI01120389"), ("--sender-vat", "FI20774740"), False),
        ((), ("--number", "A-77"), False),
        ((), ("--sender", "Kone Oy"), False),
    ],
)
def test_a_double_of_sender_and_number_is_refused(
    place: Place, there: tuple[str, ...], new: tuple[str, ...], is_double: bool
) -> None:
    create(place, *there)
    done = place.try_run("purchase", "create", *NEW, *new, "--json")
    assert (done.code, len(place.json("purchase", "list"))) == ((2, 1) if is_double else (0, 2)), done.err
    if is_double:
        error = json.loads(done.err)["error"]
        assert "is there already: purchase invoice 1, of 2026-03-02, 125.50" in error["message"]
        assert error["fields"] == {"invoice_number": ["is that of purchase invoice 1"]}
        create(place, *new, "--duplicate")
        assert len(place.json("purchase", "list")) == 2


def test_invoices_without_a_number_or_a_sender_are_no_doubles(place: Place) -> None:
    for given in (("--set", "invoice_number=null"), ("--set", "sender_name=null")):
        create(place, *given)
        create(place, *given)
    assert len(place.json("purchase", "list")) == 4


def test_the_same_key_goes_on_where_the_first_run_was_stopped(place: Place) -> None:
    key = ("--idempotency-key", "k")
    create(place, *key)
    done = place.run("purchase", "create", *NEW, "--post", "--account", "4000", "--json", *key)
    made = json.loads(done.out)
    assert (made["id"], made["document"]["number"]) == (1, "260302-1")
    assert "it is there already, as purchase invoice 1" in done.err
    other = place.try_run("purchase", "create", *NEW, "--amount", "125.51", "--post", "--account", "4000", *key)
    assert (other.code, "purchase invoice 1, of 2026-03-02, 125.50" in other.err) == (2, True)
    again = create(place, "--post", "--account", "4000", *key)
    assert (again["id"], again["document"]["number"]) == (1, "260302-1")
    assert (len(place.json("purchase", "list")), len(place.json("document", "list"))) == (1, 1)


def test_what_is_in_another_currency_is_not_entered_as_posted(place: Place) -> None:
    done = place.try_run("purchase", "create", *NEW, "--currency", "SEK", "--post", "--account", "4000")
    assert done.code == 2
    assert "the invoice is in SEK: documents are in EUR" in done.err
    assert "enter it without --post" in done.err
    assert place.json("purchase", "list") == []


def test_what_is_entered_and_cannot_be_posted_is_named_with_what_goes_on(place: Place) -> None:
    (period,) = [one for one in place.json("period", "list") if one["start_date"] <= "2026-03-02" <= one["end_date"]]
    place.run("period", "lock", str(period["id"]), "--yes")
    done = place.try_run("purchase", "create", *NEW, "--post", "--account", "4000")
    assert done.code == 8, done.err
    assert "purchase invoice 1 is entered, but not posted: " in done.err
    assert "go on with: acctcli purchase post 1 --account 4000" in done.err
    (left,) = place.json("purchase", "list")
    assert (left["id"], left["document"]) == (1, None)
    place.run("period", "unlock", str(period["id"]), "--yes")
    place.run("purchase", "post", "1", "--account", "4000")
    assert place.json("purchase", "get", "1")["document"] is not None


@pytest.mark.together
@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--post", "--account", "4001"), "there is no account 4001"),
        (("--post", "--account", "4000:1@3"), "the accounts come to 1"),
        (("--post", "--account", "4000", "--currency", "SEK"), "is in SEK"),
        (("--post", "--account", "4000", "--document", "1"), "it does not go with --post"),
        (("--account", "4000"), "it goes with --post"),
    ],
)
def test_what_cannot_be_posted_is_not_entered(place: Place, more: tuple[str, ...], told: str) -> None:
    done = place.try_run("purchase", "create", *NEW, *more)
    assert (done.code, told in done.err) == (2, True), done.err
    assert place.json("purchase", "list") == []


def test_it_is_rehearsed_with_its_entries(place: Place) -> None:
    plan = place.json("purchase", "create", *NEW, "--post", "--account", "4000", "--dry-run")
    assert (plan["method"], plan["path"]) == ("POST", "/v1/invoicing/company/purchase_invoice/")
    assert {(one["account_number"], f"{one['amount']:.2f}") for one in plan["entries"]} == {
        ("4000", "100.00"), ("1763", "25.50"), ("2871", "125.50"),
    }  # fmt: skip
    assert place.json("purchase", "list") == []
    assert place.json("document", "list") == []


def test_the_vat_is_that_of_the_last_invoice_of_the_sender_too(place: Place) -> None:
    create(place, "--post", "--account", "4000:125.50@2/13.5")
    made = create(place, "--number", "A-8", "--amount", "113.50", "--post")
    assert entries(place, made["document"]) == {
        ("4000", True, "100.00"), ("1763", True, "13.50"), ("2871", False, "113.50"),
    }  # fmt: skip
    create(place, "--number", "A-9", "--post", "--account", "4000:100@2/25.5", "--account", "4000:25.50@2/13.5")
    refused = place.try_run("purchase", "create", *NEW, "--number", "A-10", "--post")
    assert (refused.code, "has several rates of VAT" in refused.err) == (2, True)


@pytest.mark.parametrize("posts", [(), ("--post", "--account", "4000")])
def test_of_two_runs_that_look_at_once_one_enters(
    place: Place, monkeypatch: pytest.MonkeyPatch, posts: tuple[str, ...]
) -> None:
    look, first = entering._there, list[int]()

    def behind_another(here: Any, body: Any) -> Any:
        seen = look(here, body)
        if not first:  # another one looks, enters and ends before this one has entered
            first.append(0)
            first.append(create(place, *posts)["id"])
        return seen

    monkeypatch.setattr(entering, "_there", behind_another)
    done = place.try_run("purchase", "create", *NEW, *posts)
    assert done.code == 8, done.err
    assert f"entered this invoice meanwhile, as purchase invoice {first[1]}: this one's is deleted" in done.err
    assert [one["id"] for one in place.json("purchase", "list")] == [first[1]]
    assert len(place.json("document", "list")) == (1 if posts else 0)
