"""`accrual create`: a document and what takes it back, once, wherever a run was cut off."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from acctcli.cli.document import accruing, mirrors, reversing
from tests.journeys.cutting import cut_off
from tests.journeys.places import Place, fresh

D = Decimal
RENT = ("--date", "2026-03-31", "--debit", "7160:400", "--credit", "2960", "--description", "Rent, March")
ON = ("--reverse-on", "2026-04-01")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = fresh("accrual", tmp_path_factory.mktemp("accrual"), ACCTCLI_BUSINESS="accrual")
    place.run("business", "create", "--name", "Accrual Oy", "--form", "FI_OY", "--slug", "accrual")
    place.run("period", "create", "--next")
    return place


@pytest.fixture
def place(house: Place) -> Place:
    """The house without documents."""
    for one in documents(house):
        for relation in house.json("document", "relation", "list", str(one["id"])):
            house.run("document", "relation", "delete", str(one["id"]), str(relation["id"]), "--yes")
    for one in documents(house):
        house.run("document", "delete", str(one["id"]), "--yes")
    return house


def documents(place: Place) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = place.json("document", "list", "--all")
    return sorted(found, key=lambda one: one["id"])


def entries(place: Place, document: int) -> list[tuple[str, str, Any, int]]:
    return [
        (one["account_number"], "D" if one["is_debet"] else "C", one["amount"], one["vat_code"])
        for one in place.json("document", "entries", str(document))
    ]


def test_a_pair_is_posted_without_vat_and_related(place: Place) -> None:
    made = place.json("accrual", "create", *RENT, *ON)
    accrual, mirror = documents(place)
    assert made["id"] == accrual["id"]
    assert (accrual["date"], mirror["date"]) == ("2026-03-31", "2026-04-01")
    assert accrual["description"].startswith("Rent, March accrual-")
    assert accrual["description"].endswith(" reversed 2026-04-01")
    assert mirror["description"] == f"Reversal of {accrual['number']}: {accrual['description']}"
    assert entries(place, accrual["id"]) == [("7160", "D", D("400.00"), 3), ("2960", "C", D("400.00"), 3)]
    assert entries(place, mirror["id"]) == [("7160", "C", D("400.00"), 3), ("2960", "D", D("400.00"), 3)]
    (pair,) = place.json("document", "relation", "list", str(accrual["id"]))
    assert (pair["related_document"], pair["role"]) == (mirror["id"], "ACCRUAL")


def test_it_is_taken_back_on_the_day_after_its_accounting_period_unless_told_otherwise(place: Place) -> None:
    done = place.run("accrual", "create", *RENT, "--dry-run")
    assert "note: what takes it back would be posted on 2027-01-01" in done.err
    assert documents(place) == []


def test_the_same_again_posts_nothing_and_what_is_another_one_does(place: Place) -> None:
    place.run("accrual", "create", *RENT, *ON)
    done = place.run("accrual", "create", *RENT[:2], "--debit", "7160:400.00", *RENT[4:], *ON)
    accrual, mirror = documents(place)
    assert f"note: {accrual['number']} and {mirror['number']}, which takes it back, are there" in done.err
    place.run("document", "update", str(accrual["id"]), "--set", f"description=Told {accrual['description']}")
    place.run("accrual", "create", *RENT, *ON)
    assert len(documents(place)) == 2
    for other in (("--debit", "7160:401"), ("--description", "Rent, the other"), ("--reverse-on", "2026-04-02")):
        place.run("accrual", "create", *RENT, *ON, *other)
    assert len(documents(place)) == 8


def test_a_pair_that_was_parted_is_related_again(place: Place) -> None:
    """A stored reply says nothing of a relation that was taken back since (docs/interface.md 1.6)."""
    made = place.json("accrual", "create", *RENT, *ON)["id"]
    (pair,) = place.json("document", "relation", "list", str(made))
    place.run("document", "relation", "delete", str(made), str(pair["id"]), "--yes")
    place.run("accrual", "create", *RENT, *ON)
    (again,) = place.json("document", "relation", "list", str(made))
    assert again["related_document"] == pair["related_document"]
    assert len(documents(place)) == 2


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_any_request_the_pair_is_there_once(place: Place, when: str) -> None:
    """Runs are killed one after the other, each a request later, and each goes on with the books of the last one."""
    command = ("accrual", "create", *RENT, *ON, "--json")
    for cut in range(1, 40):
        done = cut_off(place, cut, *command, when=when)
        assert len(documents(place)) <= 2
        if done == 0:
            break
    assert cut > 4
    accrual, mirror = documents(place)
    assert [pair["related_document"] for pair in place.json("document", "relation", "list", str(accrual["id"]))] == [
        mirror["id"]
    ]
    sums = {row["number"]: row["balance"] for row in place.json("account", "balances")}
    assert (sums.get("7160", 0), sums.get("2960", 0)) == (0, 0)


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("--reverse-on", "2026-03-31"), "--reverse-on 2026-03-31 is not after 2026-03-31, the day of the accrual"),
        (("--reverse-on", "2099-01-01"), "no accounting period has 2099-01-01, on which the accrual would be taken"),
        (("--date", "1999-12-31"), "no accounting period has 1999-12-31"),
        (("--draft",), "an accrual is posted, together with what takes it back"),
        (("--debit", "4000:10@2/25.5"), "an accrual has no VAT: that belongs to the day of the invoice"),
        (("--description", "x" * 200), "--description: an accrual has at most 183 characters, and this has 200"),
        (("--reverse-on", "1.4.2026"), "--reverse-on '1.4.2026': not a day"),
    ],
)
def test_what_is_no_accrual_is_refused_and_nothing_is_sent(place: Place, argv: tuple[str, ...], told: str) -> None:
    done = place.try_run("accrual", "create", *RENT, *argv)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert documents(place) == []


def test_an_accrual_without_legs_is_refused(place: Place) -> None:
    done = place.try_run("accrual", "create", "--date", "2026-03-31")
    assert done.code == 2
    assert "nothing is said of what is accrued" in done.err


def test_an_accrual_that_was_made_a_draft_is_no_double(place: Place) -> None:
    made = place.json("accrual", "create", *RENT, *ON)
    place.run("document", "update", str(made["id"]), "--draft")
    done = place.try_run("accrual", "create", *RENT, *ON)
    assert done.code == 2
    assert f"document {made['id']} is this accrual, and a draft" in done.err
    assert len(documents(place)) == 2


@pytest.mark.parametrize("key", [(), ("--idempotency-key", "of another user")])
def test_two_who_post_at_once_post_one_pair(
    place: Place, monkeypatch: pytest.MonkeyPatch, key: tuple[str, ...]
) -> None:
    """Both looked before either had posted, and the other one has posted, taken back and related all of it since.

    Keys are of one user: that of another is as good as another key.
    """
    looked, others = accruing._there, iter([("accrual", "create", *RENT, *ON, *key)])

    def before_another(*given: Any) -> Any:
        found = looked(*given)
        for other in others:
            place.run(*other)
        return found

    monkeypatch.setattr(accruing, "_there", before_another)
    made = place.json("accrual", "create", *RENT, *ON)
    accrual, mirror = documents(place)
    assert made["id"] == accrual["id"]
    assert [one["related_document"] for one in accrual["relations"]] == [mirror["id"]]


def test_who_is_first_to_relate_them_leaves_nothing_to_relate(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    looked, others = mirrors.reversal_of, iter([("accrual", "create", *RENT, *ON)])

    def before_another(*given: Any) -> Any:
        found = looked(*given)
        for other in others:
            place.run(*other)
        return found

    monkeypatch.setattr(reversing, "reversal_of", before_another)
    place.run("accrual", "create", *RENT, *ON)
    assert [len(one["relations"]) for one in documents(place)] == [1, 1]
