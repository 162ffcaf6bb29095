"""`bank rule`: added, listed, removed, and tried on a statement; kept as TOML in the project's folder."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import date

import pytest

from tests.banking.statements import generator as made
from tests.journeys.places import Place

CARD = made.Move(date(2026, 1, 5), date(2026, 1, 5), -4_550, "A1", "KESPRO HELSINKI", "", "", "", "Korttiosto")
FEE = replace(CARD, reference="A2", name="Bank", text="Palvelumaksu")
ADD = ("bank", "rule", "add")


def statement(place: Place, *moves: made.Move) -> str:
    book = made.Book(made.FINNISH, 1, date(2026, 1, 1), date(2026, 1, 31), 0, list(moves))
    (place.folder / "s.xml").write_bytes(made.camt([book]))
    return "s.xml"


def test_rules_are_added_listed_and_removed(place: Place) -> None:
    assert place.json("bank", "rule", "list") == []
    place.run(*ADD, "--text", "Kespro", "--account", "4000", "--vat", "2/13.5")
    place.run(*ADD, "--text", "Palvelumaksu", "--direction", "out", "--account", "8500")
    path = place.folder / "bank-rules.toml"
    assert tomllib.loads(path.read_text()) == {
        "rules": [
            {"text": "Kespro", "account": "4000", "vat": "2/13.5"},
            {"text": "Palvelumaksu", "direction": "out", "account": "8500"},
        ]
    }
    path.write_text(f'tax_reference = "1232"\n{path.read_text()}')
    assert "Would remove rule 1, Kespro to 4000." in place.run("bank", "rule", "remove", "1", "--dry-run").err
    refused = place.try_run("bank", "rule", "remove", "1")
    assert (refused.code, len(place.json("bank", "rule", "list"))) == (2, 2)
    assert place.json("bank", "rule", "remove", "1", "--yes") == {"number": 1, "removed": True}
    assert [(row["number"], row["text"]) for row in place.json("bank", "rule", "list")] == [(1, "Palvelumaksu")]
    assert tomllib.loads(path.read_text())["tax_reference"] == "1232"


def test_accounts_that_a_person_writes_above_the_rules_take_none_of_them_in(place: Place) -> None:
    path = place.folder / "bank-rules.toml"
    place.run(*ADD, "--text", "x", "--account", "4000")
    path.write_text(f'[accounts]\nfees = "8500"\n{path.read_text()}')
    place.run(*ADD, "--text", "y", "--account", "4000")
    assert [row["text"] for row in place.json("bank", "rule", "list")] == ["x", "y"]
    assert path.read_text().splitlines()[1:] == [
        "",
        "[accounts]",
        'fees = "8500"',
        "",
        "[[rules]]",
        'account = "4000"',
        'text = "x"',
        "",
        "[[rules]]",
        'account = "4000"',
        'text = "y"',
    ]
    place.run("bank", "rule", "remove", "1", "--yes")
    place.run("bank", "rule", "remove", "1", "--yes")
    assert tomllib.loads(path.read_text()) == {"accounts": {"fees": "8500"}}


RULE = '{ text = "x", account = "4000" }'
RULES = '[[rules]]\ntext = "x"\naccount = "4000"\n'


@pytest.mark.together
@pytest.mark.parametrize(
    ("written", "told", "hint"),
    [
        (f'[accounts]\nfees = "8500"\nrules = [{RULE}]\n', "rules stands below [accounts]",
         "write each rule as a table of its own, below a heading [[rules]]"),
        (f'[accounts]\nfees = "8500"\ntax_reference = "1232"\n{RULES}', "tax_reference stands below [accounts]",
         "write tax_reference above the first heading"),
        (f'{RULES}{RULES}tax_reference = "1232"\n', "tax_reference stands below [[rules]] 2",
         "write tax_reference above the first heading"),
        (f'{RULES}accounts = {{ fees = "8500" }}\n', "accounts stands below [[rules]] 1",
         "write [accounts] as a heading, and its names below it"),
        (f'fees = "8500"\n{RULES}', "fees stands below no heading", "write fees below the heading [accounts]"),
        (f"[accounts]\nfees = 8500\n{RULES}", "Expected `str`, got `int` - at `$.accounts.fees`",
         "all of it stands in quotes; docs/bank.md, section 7, says what rules hold"),
    ],
)  # fmt: skip
def test_what_stands_below_the_wrong_heading_is_told_with_where_it_belongs(
    place: Place, written: str, told: str, hint: str
) -> None:
    (place.folder / "bank-rules.toml").write_text(written)
    done = place.try_run("bank", "rule", "list")
    assert (done.code, done.err) == (2, f"error: bank-rules.toml: {told}\nhint: {hint}\n")


def test_rules_lie_beside_the_settings_of_the_project(place: Place) -> None:
    (place.folder / ".acctcli.toml").write_text('business = "demo"\n')
    inner = place.folder / "2026"
    inner.mkdir()
    Place(place.name, inner, place.environ).run(*ADD, "--text", "x", "--account", "4000")
    assert (place.folder / "bank-rules.toml").exists()
    place.run(*ADD, "--text", "y", "--account", "4000", "--rules", "own.toml")
    assert [row["text"] for row in place.json("bank", "rule", "list", "--rules", "own.toml")] == ["y"]


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("--account", "4000"), "text, iban or reference has to say which lines it is of"),
        (("--text", "..", "--account", "4000"), "text, iban or reference has to say which lines it is of"),
        (("--text", "x", "--account", "9999"), "--account: there is no account 9999 in the chart"),
        (("--text", "x", "--account", "food"), "account: 'food' is not an account"),
        (("--text", "x", "--account", "4000", "--vat", "16"), "vat: '16' is no VAT code and rate"),
        (("--text", "x", "--account", "4000", "--direction", "up"), "direction: 'up' is neither in nor out"),
        (("--reference", "1231", "--account", "4000"), "reference: '1231' has wrong check digits"),
    ],
)
def test_a_rule_that_cannot_be_is_refused_and_not_written(place: Place, argv: tuple[str, ...], told: str) -> None:
    done = place.try_run(*ADD, *argv)
    assert (done.code, told in done.err) == (2, True), done.err
    assert not (place.folder / "bank-rules.toml").exists()


def test_a_rule_that_is_there_is_not_added_twice(place: Place) -> None:
    place.run(*ADD, "--text", "x", "--account", "4000")
    done = place.try_run(*ADD, "--text", "x", "--account", "4000")
    assert (done.code, "has this rule: it is number 1" in done.err) == (2, True)
    missing = place.try_run("bank", "rule", "remove", "2", "--yes")
    assert (missing.code, "has no rule 2" in missing.err) == (2, True)


def test_rules_are_tried_and_nothing_is_posted(place: Place) -> None:
    before = place.json("document", "list", "--all")
    for words in (("--text", "kespro"), ("--text", "Palvelumaksu"), ("--text", "none"), ("--text", "bank")):
        place.run(*ADD, *words, "--account", "4000" if words[1] == "kespro" else "8500")
    place.run(*ADD, "--text", "korttiosto", "--account", "8700")
    path = statement(place, CARD, FEE, replace(CARD, name="Other", reference="A3", text=""))
    done = place.run("bank", "rule", "test", path, "--output", "csv", "--columns", "line,rule,account,reason")
    assert [line.partition(",")[2] for line in done.lines()] == [
        "rule,account,reason",
        '"1, 5",,these rules contradict each other: none of them books it',
        '"2, 4",8500,Palvelumaksu to 8500',
    ]
    assert "note: rule 3, none to 8500, is for no line of these" in done.err
    assert "3 lines tried" in done.err
    assert place.json("document", "list", "--all") == before


def test_a_rate_that_the_country_has_not_on_the_day_of_a_line_is_told_and_books_nothing(place: Place) -> None:
    path = statement(place, CARD, FEE)
    place.run(*ADD, "--text", "Kespro", "--account", "4000", "--vat", "2/14")
    place.run(*ADD, "--text", "Palvelumaksu", "--account", "8500", "--vat", "3")
    why = "the rule Kespro to 4000: 14 % is no VAT rate of Finland on 2026-01-05: the rate is 13.5 % on that day"
    tried = place.json("bank", "rule", "test", path)
    assert [(row["account"], row["reason"]) for row in tried] == [(None, why), ("8500", "Palvelumaksu to 8500")]
    planned = place.run("bank", "import", path, "--account", "1910", "--dry-run").out
    assert (planned.count(why), planned.count("  4000 "), planned.count("  8500 ")) == (2, 0, 1)
