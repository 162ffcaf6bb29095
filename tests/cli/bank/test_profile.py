"""`bank profile`: listed, shown, and proposed from what a bank gives."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import date

import pytest

from tests.banking.statements import flat
from tests.banking.statements import generator as made
from tests.banking.statements.shipped import shipped
from tests.journeys.places import Place

PAID = made.Move(date(2026, 1, 25), date(2026, 1, 25), 12_550, "A1", "Äiti", made.OTHERS[0], "1232", "E1", "Kahvi")
BOOK = made.Book(
    made.FINNISH, 1, date(2026, 1, 1), date(2026, 1, 31), 123_456_789, [PAID, replace(PAID, cents=-900, reference="A2")]
)
BANKS = ("danske", "n26", "nordea", "op", "s-pankki", "sparkasse")
CARD = (
    '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","Transaction ID","Balance"\n'
    '"02/03/2026","10:00:00","PST","X","Payment","Completed","EUR","1,000.00","-1.00","999.00","T1","999.00"\n'
    '"03/03/2026","10:00:00","PST","Y","Payment","Completed","EUR","-10.00","0.00","-10.00","T2","989.00"\n'
)


def test_those_that_come_along_are_listed_and_shown(place: Place) -> None:
    rows = {row["name"]: row for row in place.json("bank", "profile", "list")}
    assert rows.keys() == shipped().keys()
    assert (rows["danske"]["is_proved"], rows["op"]["is_proved"], rows["op"]["own"]) == (True, False, False)
    for name in rows:
        tomllib.loads(place.run("bank", "profile", "show", name).out)
    done = place.try_run("bank", "profile", "show", "../op")
    assert (done.code, "there is no profile '../op'" in done.err) == (2, True)


@pytest.mark.parametrize("bank", BANKS)
def test_a_profile_that_is_proposed_reads_its_file(place: Place, bank: str) -> None:
    (place.folder / "export.csv").write_bytes(flat.csv([BOOK], bank))
    made_up = place.json("bank", "profile", "create", f"my-{bank}", "--from", "export.csv")
    own, known = made_up["profile"]["columns"], shipped()[bank].columns
    assert (own["booked"], own["amount"], own.get("balance", "")) == (known.booked, known.amount, known.balance)
    argv = ("bank", "import", "export.csv", "--profile", f"my-{bank}", "--account", "1910", "--unproved", "--dry-run")
    kept, *requests = place.json(*argv)
    assert f" csv-my-{bank} " in kept["body"]["name"]
    assert sorted(one["body"]["blueprint"]["debet_entries"][0]["amount"] for one in requests) == [9, 125.5]
    again = place.try_run("bank", "profile", "create", f"my-{bank}", "--from", "export.csv")
    assert (again.code, "there is a profile" in again.err) == (2, True)


def test_a_file_that_a_profile_reads_needs_no_other_and_is_told_so(place: Place) -> None:
    (place.folder / "export.csv").write_bytes(flat.csv([BOOK], "sparkasse"))
    create = ("bank", "profile", "create")
    path = place.folder / "config" / "bank-profiles" / "my.toml"
    told = f"note: sparkasse is for such files, and knows more of them: unless you mean to replace it, delete {path}"
    assert told in place.run(*create, "my", "--from", "export.csv").err
    (place.folder / "card.csv").write_text(CARD)
    assert "is for such files" not in place.run(*create, "card", "--from", "card.csv", "--day", "%d/%m/%Y").err


def test_days_that_may_be_two_have_to_be_decided(place: Place) -> None:
    (place.folder / "card.csv").write_text(CARD)
    create = ("bank", "profile", "create", "card", "--from", "card.csv")
    done = place.try_run(*create)
    assert done.code == 2
    assert "card.csv: line 2, day, column 'Date': '02/03/2026' may be %d/%m/%Y or %m/%d/%Y" in done.err
    made_up = place.json(*create, "--day", "%d/%m/%Y")["profile"]
    assert (made_up["decimal"], made_up["columns"]["fee"], made_up["is_fee_negative"]) == (".", "Fee", True)
    done = place.run("bank", "import", "card.csv", "--account", "1910", "--dry-run", "--json", "--quiet")
    assert '"date":"2026-03-02"' in done.out.replace(" ", "")


@pytest.mark.together
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nothing\n", "there is no table of at least two columns"),
        ("a;b\n1;2\n", "there is no column of days whose heading is known"),
        ("Date;Who\n2026-01-05;x\n", "there is no column of amounts whose heading is known"),
        ("Date;Amount;amount\n2026-01-05;1,23;2,00\n", "line 1, columns.amount: several columns are called 'Amount'"),
        ("Date;Amount;Text\n2026-01-05;1,23\n", "line 2: the row has 2 cells, and the one of line 1 has 3"),
        ("Date;Amount\n2026-01-05;1.234\n", "amounts do not tell whether they have decimals or thousands"),
        ("Date;Amount\n2026-01-05;1.23\n2026-01-05;1,23\n", "amounts are not all written in one way"),
    ],
)
def test_what_cannot_be_told_is_named(place: Place, text: str, told: str) -> None:
    (place.folder / "odd.csv").write_text(text)
    done = place.try_run("bank", "profile", "create", "odd", "--from", "odd.csv")
    assert (done.code, told in done.err) == (2, True), done.err
    assert not (place.folder / "config" / "bank-profiles").exists()


def test_headings_that_a_terminal_would_obey_are_shown_and_mean_the_same(place: Place) -> None:
    heading = "T\x9b31m\u202ex\U000e0041t"
    (place.folder / "odd.csv").write_text(f"Date;Amount;{heading}\n2026-01-15;1,23;a\n", encoding="utf-8")
    for argv in (("create", "odd", "--from", "odd.csv"), ("show", "odd")):
        shown = place.run("bank", "profile", *argv).out
        assert shown.replace("\n", "").isprintable()
        assert tomllib.loads(shown)["header"] == ["Date", "Amount", heading]


def test_a_profile_of_one_s_own_wins_and_is_checked(place: Place) -> None:
    folder = place.folder / "config" / "bank-profiles"
    folder.mkdir(parents=True)
    own = place.run("bank", "profile", "show", "op").out
    (folder / "op.toml").write_text(own.replace("OP, Finland", "Ours"))
    rows = {row["name"]: row for row in place.json("bank", "profile", "list")}
    assert (rows["op"]["title"], rows["op"]["own"]) == ("Ours", True)
    (folder / "op.toml").write_text(own.replace('decimal = ","', "") + '\ncolour = "red"\n')
    done = place.try_run("bank", "profile", "list")
    assert (done.code, "op.toml" in done.err) == (2, True)


def test_fees_of_both_signs_are_not_proposed(place: Place) -> None:
    (place.folder / "card.csv").write_text(CARD.replace('"-10.00","0.00","-10.00"', '"-11.00","1.00","-10.00"'))
    made_up = place.json("bank", "profile", "create", "card", "--from", "card.csv", "--day", "%d/%m/%Y")["profile"]
    assert ("fee" in made_up["columns"], made_up.get("is_fee_negative", False)) == (False, False)


def test_of_two_profiles_that_know_a_file_one_has_to_be_named(place: Place) -> None:
    rows = CARD.replace('"Balance"', '"Balance","Invoice Number","Item Title","Subject","Balance Impact"')
    rows = rows.replace('"999.00"\n', '"999.00","","","","Credit"\n').replace(
        '"989.00"\n', '"989.00","","","","Debit"\n'
    )
    (place.folder / "card.csv").write_text(rows)
    argv = ("bank", "import", "card.csv", "--account", "1910", "--dry-run", "--json", "--quiet")
    done = place.try_run(*argv)
    assert (done.code, "paypal-dmy or paypal-mdy" in done.err, "--profile" in done.err) == (2, True, True)
    assert '"date":"2026-02-03"' in place.run(*argv, "--profile", "paypal-mdy").out.replace(" ", "")


def test_a_name_stays_in_its_folder(place: Place) -> None:
    (place.folder / "card.csv").write_text(CARD)
    done = place.try_run("bank", "profile", "create", "../x", "--from", "card.csv")
    assert (done.code, "'../x' is no name of a profile" in done.err) == (2, True)
