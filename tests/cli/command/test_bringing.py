"""`create --file` with many: accounts, contacts and products of a file, each made once, whatever ends the command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.company import company
from tests.journeys.cutting import cut_off
from tests.journeys.places import Done, Place, fresh

CHART = (
    "number,name,type,vat-code,vat-rate,description\n"
    "5100,Social costs,EXP,,,Of employers\n"
    "3050,Books sold,sales revenue,1,13.5,\n"
    "0123,Odd,ASS,2,standard,\n"
)
CONTACTS = (
    "name;type;customer-id;vat-id;email;street;postal-code;city;country;invoicing;name_aliases\n"
    'Asiakas Öy;business;1001;FI01120389;osto@asiakas.example;Katu 1;00100;Oulu;FI;yes;["Asiakas"]\n'
    "Virtanen;person;;;;;;;;no;\n"
)
PRODUCTS = (
    "code;name;unit;amount;vat-rate;vat-code;account\n"
    "A1;Consulting;h;95,50;25,5;1;3000\n"
    "A2;Books;kpl;1.200,00;13,5;1;3000\n"
)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return company(tmp_path)


def bring(place: Place, noun: str, content: str | bytes, *words: str, name: str = "many.csv") -> Done:
    (place.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return place.try_run(noun, "create", "--file", name, *words)


def listed(place: Place, noun: str, *columns: str) -> list[tuple[Any, ...]]:
    rows = place.json(noun, "list", "--all", "--columns", "all")
    return [tuple(str(row[one]) for one in columns) for row in rows]


# --- what is made ---


def test_accounts_have_number_name_type_and_vat(place: Place) -> None:
    done = bring(place, "account", CHART)
    assert (done.code, done.err) == (0, "created 3 accounts\n")
    facts = ("number", "name", "type", "default_vat_code", "default_vat_rate_label", "description")
    assert [one for one in listed(place, "account", *facts) if one[0] in {"5100", "3050", "0123"}] == [
        ("0123", "Odd", "ASS", "2", "standard", "None"),
        ("3050", "Books sold", "REV_SAL", "1", "reduced_a", "None"),
        ("5100", "Social costs", "EXP", "3", "zero", "Of employers"),
    ]


def test_contacts_have_what_options_and_fields_say(place: Place) -> None:
    assert bring(place, "contact", CONTACTS.encode("cp1252"), "--language", "sv").code == 0
    facts = (
        "name", "type", "customer_id", "invoicing_tax_code", "invoicing_email", "invoicing_postal_code",
        "invoicing_country", "is_invoicing_enabled", "name_aliases", "invoicing_language",
    )  # fmt: skip
    assert listed(place, "contact", *facts) == [
        ("Asiakas Öy", "BUSINESS", "1001", "FI01120389", "osto@asiakas.example", "00100", "FI", "True",
         "['Asiakas']", "sv"),
        ("Virtanen", "PERSON", "None", "None", "None", "None", "None", "False", "[]", "sv"),
    ]  # fmt: skip


def test_products_go_to_accounts_by_number(place: Place) -> None:
    (sales,) = (one["id"] for one in place.json("account", "list", "--number", "3000"))
    assert bring(place, "product", PRODUCTS).code == 0
    facts = ("code", "name", "unit", "amount", "vat_rate", "vat_code", "account_id")
    assert listed(place, "product", *facts) == [
        ("A2", "Books", "kpl", "1200.00", "13.50", "1", str(sales)),
        ("A1", "Consulting", "h", "95.50", "25.50", "1", str(sales)),
    ]


def test_a_line_of_json_is_a_body(place: Place) -> None:
    lines = '{"name": "Yksi", "invoicing_city": "Oulu"}\n\n{"name": "Kaksi"}\n'
    assert bring(place, "contact", lines, name="many.jsonl").code == 0
    assert listed(place, "contact", "name", "invoicing_city") == [("Kaksi", "None"), ("Yksi", "Oulu")]


def test_a_rehearsal_shows_the_requests_of_what_is_new(place: Place) -> None:
    place.run("account", "create", "--number", "5100", "--name", "Social costs", "--type", "EXP")
    done = bring(place, "account", CHART, "--dry-run", "--output", "jsonl")
    assert [line.count('"POST"') for line in done.lines()] == [1, 1]
    assert "already there, and left as they are: 5100 (another description)" in done.err
    assert "3050" not in {one for (one,) in listed(place, "account", "number")}


# --- once ---


@pytest.mark.parametrize(
    ("noun", "content", "name"),
    [("account", CHART, "number"), ("contact", CONTACTS, "name"), ("product", PRODUCTS, "name")],
)
def test_run_again_it_makes_nothing_and_names_what_is_there(place: Place, noun: str, content: str, name: str) -> None:
    bring(place, noun, content)
    before = listed(place, noun, "id", name)
    done = bring(place, noun, content, "--json")
    assert (done.code, listed(place, noun, "id", name)) == (0, before)
    assert "already there, and left as they are: " in done.err
    assert done.err.endswith(f"created 0 {noun}s\n")
    assert "another" not in done.err


def test_contacts_are_known_by_number_and_else_by_name(place: Place) -> None:
    place.run("contact", "create", "--name", "Asiakas  öy", "--customer-id", "1002")
    place.run("contact", "create", "--name", "VIRTANEN", "--city", "Oulu", "--customer-id", "7")
    done = bring(place, "contact", CONTACTS)
    assert "already there, and left as they are: Virtanen (another type, name)\n" in done.err
    assert sorted(listed(place, "contact", "name", "customer_id")) == [
        ("Asiakas  öy", "1002"), ("Asiakas Öy", "1001"), ("VIRTANEN", "7"),
    ]  # fmt: skip


def test_one_that_was_deleted_is_made_again(place: Place) -> None:
    bring(place, "contact", CONTACTS)
    place.run("contact", "delete", "Virtanen", "--yes")
    assert bring(place, "contact", CONTACTS).code == 0
    assert len(listed(place, "contact", "name")) == 2


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_any_request_the_same_command_goes_on(place: Place, when: str) -> None:
    (place.folder / "many.csv").write_text(PRODUCTS)
    for cut in range(1, 30):
        if not cut_off(place, cut, "product", "create", "--file", "many.csv", when=when):
            break
    assert cut > 4
    assert [code for (code,) in listed(place, "product", "code")] == ["A2", "A1"]


# --- what is refused ---


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_a_table_in_utf_16_says_what_to_do(place: Place, mark: bytes) -> None:
    content = mark + CHART.encode("utf-16-le" if mark == b"\xff\xfe" else "utf-16-be")
    for done in (bring(place, "account", content), place.try_run("business", "import-opening", "many.csv", "--yes")):
        assert (done.code, "many.csv: it is written in UTF-16: save it as UTF-8" in done.err) == (2, True), done.err
        assert "as many cells" not in done.err


@pytest.mark.together
@pytest.mark.parametrize(
    ("noun", "content", "told"),
    [
        ("account", "number,nmae,type\n1,x,EXP\n", "there is no field 'nmae'; did you mean name?"),
        ("account", "number,name,type\n12345678,x,EXP\n3,,EXP\n", "line 2: number"),
        ("account", "number,name,type\n12345678,x,EXP\n3,,EXP\n", "line 3: name_translations (--name): required"),
        ("account", "number,name,vat-rate\n5,x,24\n", "there is no such rate today"),
        ("account", "number,name\n5,x\n6,y\n5,z\n", "line 4: 5 stands at --file many.csv line 2, too"),
        ("contact", "name,invoicing\nA,maybe\n", "invoicing: 'maybe' is neither yes nor no"),
        ("contact", "name,language\nA,de\n", "the interface knows fi, sv and en"),
        ("product", "name,unit,amount,account\nA,h,1,2999\n", "there is no account 2999"),
        ("product", "name,unit,amount\nA,h,\"1,234\"\n", "amount"),
        ("product", "name,unit,amount\nA,h,1.234\n", "line 2: amount: '1.234' is no number that is certain: write two"),
        ("product", "name,unit,amount,vat-rate,vat-code\nA,h,1,24.7,1\n", "line 2: --vat-rate"),
    ],
)  # fmt: skip
def test_all_that_is_wrong_is_named_and_nothing_is_made(place: Place, noun: str, content: str, told: str) -> None:
    before = listed(place, noun, "id")
    done = bring(place, noun, content)
    assert (done.code, listed(place, noun, "id")) == (2, before), done.err
    assert told in done.err


def test_what_the_service_refuses_of_one_keeps_no_other_from_being_made(place: Place) -> None:
    done = bring(place, "contact", "name,invoicing\nA,yes\nB,no\n")
    assert (done.code, listed(place, "contact", "name")) == (7, [("B",)])
    assert "1 of 2 failed: --file many.csv line 2: invoicing_street" in done.err


def test_set_goes_with_one(place: Place) -> None:
    done = bring(place, "contact", CONTACTS, "--set", "notes=x")
    assert (done.code, "--set does not go with a file of many" in done.err) == (2, True)


# --- what spreadsheets did ---


def test_numbers_without_their_zeros_are_the_accounts_that_have_them(tmp_path: Path) -> None:
    place = fresh("books", tmp_path, ACCTCLI_BUSINESS="books")
    place.run("business", "create", "--name", "Books", "--form", "DE_UG", "--slug", "books", "--chart", "skr03")
    rows = "number;name;type\n980;Other;ASS\n982;New;ASS\n4999;Usual;EXP\n1x;None;ASS\n"
    done = bring(place, "account", rows)
    assert (done.code, "line 5: number: Write 1 to 7 digits." in done.err) == (2, True), done.err
    done = bring(place, "account", rows.replace("1x;None;ASS\n", ""))
    assert (done.code, done.err.splitlines()) == (0, [
        "read with their zeros in front: 980, 982",
        "already there, and left as they are: 0980 (another type)",
        "created 2 accounts",
    ])  # fmt: skip
    numbers = {one for (one,) in listed(place, "account", "number")}
    assert numbers & {"980", "982", "0980", "0982", "4999"} == {"0980", "0982", "4999"}
    # who types a number, or makes bodies, has dropped no zeros
    place.run("account", "create", "--number", "980", "--name", "Short", "--type", "ASS")
    assert bring(place, "account", "number;name;type\n980;Short;ASS\n0980;Long;ASS\n").code == 0
    body = '{"number":"981","name_translations":[{"key":"de","value":"Short"}],"type":"ASS"}\n'
    assert bring(place, "account", body, name="many.jsonl").code == 0
    assert place.json("account", "get", "981")["name"] == "Short"


def test_zeros_of_a_file_tell_those_that_others_of_it_lost(place: Place) -> None:
    done = bring(place, "account", "number;name;type\n0980;One;ASS\n980;Same;ASS\n")
    assert (done.code, "many.csv line 3: 0980 stands at --file many.csv line 2, too" in done.err) == (2, True), done.err
    done = bring(place, "account", "number;name;type\n0980;One;ASS\n70;Other;ASS\n1999;Usual;ASS\n")
    assert (done.code, done.err) == (0, "read with their zeros in front: 70\ncreated 3 accounts\n")
    assert {"0980", "0070", "1999"} <= {one for (one,) in listed(place, "account", "number")}
