"""`depreciation plan` and `post`: the file of assets, what is posted of it once, and what is not as planned."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from acctcli.cli.depreciation import posting
from tests.journeys.cutting import cut_off
from tests.journeys.places import Place, fresh

D = Decimal
VAN = """
[[assets]]
id = "van"
name = "Delivery van"
account = "1160"
expense = "6800"
price = "12000.00"
residual = "2000"
start = 2026-07-14
method = "straight-line"
months = 36
"""
TOOLS = """
[[assets]]
id = "tools"
account = "1160"
expense = "6800"
price = "1000"
start = 2026-02-01
method = "residue"
every = "month"
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = fresh("assets", tmp_path_factory.mktemp("assets"), ACCTCLI_BUSINESS="assets")
    place.run("business", "create", "--name", "Assets Oy", "--form", "FI_OY", "--slug", "assets")
    return place


@pytest.fixture
def place(house: Place) -> Place:
    """The house with its assets and without documents."""
    (house.folder / "assets.toml").write_text(VAN + TOOLS)
    for one in documents(house):
        house.run("document", "delete", str(one["id"]), "--yes")
    return house


def documents(place: Place) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = place.json("document", "list", "--all")
    return sorted(found, key=lambda one: one["id"])


def test_a_plan_goes_from_the_price_to_the_residual_value_and_asks_nobody(place: Place) -> None:
    rows = place.run("depreciation", "plan", "--output", "csv", ACCTCLI_ENV="nowhere-else").lines()
    assert rows[:6] == [
        "asset,period,date,opening,depreciation,closing",
        "van,2026,2026-12-31,12000.00,1666.67,10333.33",
        "van,2027,2027-12-31,10333.33,3333.33,7000.00",
        "van,2028,2028-12-31,7000.00,3333.33,3666.67",
        "van,2029,2029-12-31,3666.67,1666.67,2000.00",
        "tools,2026-02,2026-02-28,1000.00,22.73,977.27",
    ]
    months = place.json("depreciation", "plan", "--period", "2026-Q1")
    assert [(one["asset"], one["period"]) for one in months] == [("tools", "2026-02"), ("tools", "2026-03")]


@pytest.mark.parametrize("period", ["0001", "0001-01", "0001-Q1", "0001-01-01", "9999", "9999-12-31"])
def test_periods_at_both_ends_of_the_calendar_have_no_portion(place: Place, period: str) -> None:
    assert place.json("depreciation", "plan", "--period", period) == []
    done = place.run("depreciation", "post", "--period", period)
    named = "2026, 2027, 2028, 2029" in done.err
    assert ("note: no portion of a plan ends from" in done.err, named, documents(place)) == (True, period > "2", [])


def test_what_ends_in_a_period_is_posted_once_without_vat(place: Place) -> None:
    place.run("depreciation", "post", "--period", "2026-Q1")
    made = documents(place)
    assert [(one["date"], one["description"], one["type"]) for one in made] == [
        ("2026-02-28", "Depreciation 2026-02: tools depreciation-tools-2026-02", 4),
        ("2026-03-31", "Depreciation 2026-03: tools depreciation-tools-2026-03", 4),
    ]
    entries = place.json("document", "entries", str(made[1]["id"]))
    assert [(one["account_number"], one["is_debet"], one["amount"], one["vat_code"]) for one in entries] == [
        ("6800", True, D("22.72"), 3),
        ("1160", False, D("22.72"), 3),
    ]
    done = place.run("depreciation", "post", "--period", "2026")
    assert f"note: tools, 2026-03: document {made[1]['number']} is there already" in done.err
    place.run("depreciation", "post", "--period", "2026")
    assert len(documents(place)) == 12
    sums = {row["number"]: row["balance"] for row in place.json("account", "balances", "--date", "2026-12-31")}
    assert (sums["6800"], sums["1160"]) == (D("1916.67"), D("-1916.67"))


def test_what_is_posted_is_known_by_its_tag_whatever_else_became_of_it(place: Place) -> None:
    place.run("depreciation", "post", "--period", "2026-02")
    (made,) = documents(place)
    moved = "description=Tools, moved depreciation-tools-2026-02"
    place.run("document", "update", str(made["id"]), "--date", "2026-02-20", "--set", moved)
    place.run("depreciation", "post", "--period", "2026-02")
    assert len(documents(place)) == 1
    place.run("document", "delete", str(made["id"]), "--yes")
    place.run("depreciation", "post", "--period", "2026-02")
    assert len(documents(place)) == 1


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_any_request_each_portion_is_posted_once(place: Place, when: str) -> None:
    command = ("depreciation", "post", "--period", "2026-Q2", "--assets", str(place.folder / "assets.toml"), "--json")
    for cut in range(1, 30):
        done = cut_off(place, cut, *command, when=when)
        found = [one["description"] for one in documents(place)]
        assert len(found) == len(set(found)) <= 3
        if done == 0:
            break
    assert cut > 3
    assert len(documents(place)) == 3


def test_earlier_portions_that_are_not_posted_are_named(place: Place) -> None:
    done = place.run("depreciation", "post", "--period", "2026-04")
    assert "note: tools: not posted in these books before: 2026-02, 2026-03" in done.err
    assert (
        "note: no portion of a plan ends from 2026-01-01 to 2026-01-31"
        in place.run("depreciation", "post", "--period", "2026-01").err
    )


def test_what_is_not_as_planned_is_named_and_ends_with_10(place: Place) -> None:
    place.run("depreciation", "post", "--period", "2026-Q1")
    first, second = documents(place)
    place.run("document", "update", str(first["id"]), "--debit", "6800:20@3", "--credit", "1160:20@3")
    place.run("document", "update", str(second["id"]), "--draft")
    done = place.try_run("depreciation", "post", "--period", "2026-Q2")
    assert done.code == 0
    done = place.try_run("depreciation", "post", "--period", "2026-Q1")
    assert done.code == 10
    assert f"document {first['number']}: it takes 20.00 off, the plan 22.73" in done.err
    assert f"document {second['number']}: it is a draft" in done.err
    assert len(documents(place)) == 5


def test_a_plan_that_was_changed_behind_what_was_posted_is_told(place: Place) -> None:
    months = VAN + 'every = "month"\n'
    (place.folder / "assets.toml").write_text(months)
    place.run("depreciation", "post", "--period", "2026-07")
    (place.folder / "assets.toml").write_text(months.replace("months = 36", "months = 50"))
    done = place.run("depreciation", "post", "--period", "2026-08")
    told = f"document {documents(place)[0]['number']}: it takes 277.78 off, the plan 200.00"
    assert f"note: before 2026-08-01, not as planned: {told}; where the plan was changed" in done.err
    rows = json.loads(place.try_run("close", "check", "--period", "2026-08", "--json").out)
    assert [(row["record"], row["problem"]) for row in rows if row["part"] == "depreciation"] == [
        ("Delivery van, 2026-07", "it takes 277.78 off, the plan 200.00")
    ]


def test_what_was_taken_back_is_named_until_its_reversal_is_gone(place: Place) -> None:
    command = ("depreciation", "post", "--period", "2026-02")
    place.run(*command)
    (made,) = documents(place)
    mirror = place.json("document", "reverse", str(made["id"]), "--date", "2026-02-28")
    done = place.try_run(*command)
    assert (done.code, len(documents(place))) == (10, 2)
    assert f"document {made['number']}: it and {mirror['number']} take 0.00 off, the plan 22.73" in done.err
    place.run("document", "relation", "delete", str(made["id"]), str(mirror["relations"][0]["id"]), "--yes")
    place.run("document", "delete", str(mirror["id"]), "--yes")
    place.run(*command)


def test_months_that_become_years_are_refused(place: Place) -> None:
    place.run("depreciation", "post", "--period", "2026-02")
    (place.folder / "assets.toml").write_text(TOOLS.replace('"month"', '"year"'))
    done = place.try_run("depreciation", "post", "--period", "2026")
    assert done.code == 10
    assert "(depreciation-tools-2026-02); nothing more is posted" in done.err
    assert len(documents(place)) == 1


def test_a_rehearsal_shows_each_request(place: Place) -> None:
    plans = place.json("depreciation", "post", "--period", "2026-Q1", "--dry-run")
    assert [plan["body"]["description"] for plan in plans] == [
        "Depreciation 2026-02: tools depreciation-tools-2026-02",
        "Depreciation 2026-03: tools depreciation-tools-2026-03",
    ]
    assert documents(place) == []


@pytest.mark.together
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"van"', '"My van"', "asset 1, id: 'My van' is none: write small letters and digits, such as van or van2"),
        ('"1160"', '"11600000"', "asset 1, account: '11600000' is not an account"),
        ('"6800"', '"x"', "asset 1, expense: 'x' is not an account"),
        ('"12000.00"', '"12.000,00"', "asset 1, price: '12.000,00' is no amount: write it as 12000.00"),
        ('"12000.00"', "12000.00", "Expected `str`, got `float` - at `$.assets[0].price`"),
        ('"2000"', '"12000"', "asset 1, residual: 12000 is not less than the price, 12000.00: nothing is depreciated"),
        ('"straight-line"', '"linear"', "asset 1, method: 'linear' is none: write straight-line, declining-balance"),
        ("months = 36", "", "asset 1, months: nothing says how long it is used: write 1 to 1200"),
        ("months = 36", 'months = 36\nrate = "5"', "asset 1, rate: straight-line has none: leave it out"),
        ("months = 36", 'months = 36\nevery = "day"', "asset 1, every: 'day' is neither year nor month"),
        ('"straight-line"', '"declining-balance"', "asset 1, rate: nothing is not 5 to 100 percent a year"),
        ('"straight-line"', '"residue"', "asset 1, months: residue goes on until nothing is left: leave it out"),
        ("months = 36", "color = 1", "Object contains unknown field `color` - at `$.assets[0]`"),
        ("2026-07-14", '"July"', "Invalid RFC3339"),
        ("2026-07-14", "9999-12-31", "asset 1, start: 9999-12-31 is no day that use begins: write one"),
        ("2026-07-14", "0202-07-14", "asset 1, start: 0202-07-14 is no day that use begins: write one"),
        ('"tools"', '"van"', "asset 2, id: 'van' is another asset, too"),
        ('method = "residue"', 'method = "residue"\nrate = "26"', "asset 2, rate: 26 is not 5 to 25 percent a year"),
        ("[[assets]]", "year_ends = 13\n[[assets]]", "year_ends: 13 is no month, from 1 to 12"),
    ],
)
def test_what_cannot_be_is_refused_by_file_asset_and_field(place: Place, old: str, new: str, told: str) -> None:
    (place.folder / "assets.toml").write_text((VAN + TOOLS).replace(old, new, 1))
    for verb in ("plan", "post"):
        done = place.try_run("depreciation", verb, "--period", "2026")
        assert (done.code, done.out) == (2, "")
        assert "assets.toml" in done.err
        assert told in done.err
    assert documents(place) == []


@pytest.mark.together
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"1160"', '"2871"', "asset 1, account: 2871 Trade payables is no account of assets"),
        ('"6800"', '"3000"', "asset 1, expense: 3000 Sales, standard rate is no account of expenses"),
        ('"6800"', '"6801"', "asset 1, expense: there is no account 6801 in the chart"),
    ],
)
def test_accounts_that_cannot_be_are_refused_before_anything_is_posted(
    place: Place, old: str, new: str, told: str
) -> None:
    (place.folder / "assets.toml").write_text((VAN + TOOLS).replace(old, new, 1))
    done = place.try_run("depreciation", "post", "--period", "2026")
    assert done.code == 2
    assert told in done.err
    assert documents(place) == []


def test_a_long_accounting_period_has_one_portion_of_the_residue(place: Place) -> None:
    place.run("period", "create", "--start", "2024-07-01", "--end", "2025-12-31")
    (place.folder / "assets.toml").write_text(TOOLS.replace("2026-02-01", "2024-08-10").replace('"month"', '"year"'))
    for days in ("2024", "2024-12"):
        done = place.try_run("depreciation", "post", "--period", days)
        assert (done.code, documents(place)) == (2, [])
        assert "the accounting period 2024-07-01 to 2025-12-31 has one portion of the residue" in done.err
        assert "and 2024 would be another one; 2025-01-01 would leave it out" in done.err
    (place.folder / "assets.toml").write_text(TOOLS.replace("2026-02-01", "2025-01-01").replace('"month"', '"year"'))
    place.run("depreciation", "post", "--period", "2025")
    assert [(one["date"], one["entry_ui_rows"][0]["amount"]) for one in documents(place)] == [("2025-12-31", 250)]


def test_years_that_are_not_those_of_accounting_periods_are_refused(place: Place) -> None:
    (place.folder / "assets.toml").write_text(f"year_ends = 6\n{VAN}")
    done = place.try_run("depreciation", "post", "--period", "2026")
    assert (done.code, documents(place)) == (2, [])
    told = "year_ends: the accounting period 2026-01-01 to 2026-12-31 ends with the month 12, and plans with 6"
    assert told in done.err
    problems = [row["problem"] for row in json.loads(place.try_run("close", "check", "--period", "2026", "--json").out)]
    assert told in problems


def test_months_of_the_period_before_are_no_part_of_a_year_after_the_financial_year_changed(place: Place) -> None:
    place.run("period", "create", "--start", "2027-01-01", "--end", "2027-06-30", "--change-of-year")
    (place.folder / "assets.toml").write_text(f"year_ends = 6\n{VAN}")
    done = place.try_run("depreciation", "post", "--period", "2027-06")
    assert (done.code, documents(place)) == (2, [])
    assert "the accounting period 2027-01-01 to 2027-06-30 begins within the year 2027 of the plan" in done.err
    assert "what is left then is an asset of another id, from 2027-01-01 on" in done.err
    rest = VAN.replace('"van"', '"van2"').replace("12000.00", "10333.33").replace("2026-07-14", "2027-01-01")
    (place.folder / "assets.toml").write_text(f"year_ends = 6\n{rest.replace('= 36', '= 30')}")
    place.run("depreciation", "post", "--period", "2027-06")
    assert [(one["date"], one["entry_ui_rows"][0]["amount"]) for one in documents(place)] == [
        ("2027-06-30", D("1666.67"))
    ]


def test_a_file_that_is_not_there_is_named(place: Place) -> None:
    done = place.try_run("depreciation", "plan", "--assets", "none.toml")
    assert done.code == 2
    assert "there is no file none.toml of assets" in done.err


@pytest.mark.parametrize("key", [(), ("--idempotency-key", "of another user")])
def test_of_two_runs_that_look_at_once_one_posts(
    place: Place, monkeypatch: pytest.MonkeyPatch, key: tuple[str, ...]
) -> None:
    look, others = posting.Posted, iter([("depreciation", "post", "--period", "2026-02", *key)])

    def behind_another(here: Any) -> Any:
        seen = look(here)
        for other in others:  # another one looks, posts and ends before this one has posted
            place.run(*other)
        return seen

    monkeypatch.setattr(posting, "Posted", behind_another)
    done = place.run("depreciation", "post", "--period", "2026-02")
    monkeypatch.undo()
    (left,) = documents(place)
    assert (f"as document {left['number']}: this one's is deleted" in done.err) == bool(key)
    assert "is there already" in place.run("depreciation", "post", "--period", "2026-02").err
