"""Records by what people call them: one is found or none, before anything else is sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.company import company
from tests.cli.conftest import At, Cli
from tests.cli.recorder import Answer, Sent, of_a_business, page, recorder, said
from tests.journeys.places import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return company(tmp_path)


def posted(place: Place, *options: str) -> dict[str, object]:
    words = ("--date", "2026-03-02", "--debit", "1910", "--credit", "3000:12.50", *options)
    made: dict[str, object] = place.json("document", "create", *words)
    return made


def test_documents_go_by_their_number(place: Place) -> None:
    first, second = posted(place), posted(place)
    for name in (first["number"], f"no:{first['number']}", str(first["id"]), f"id:{first['id']}"):
        assert place.json("document", "get", str(name))["id"] == first["id"]
    place.run("document", "lock", str(second["number"]), str(first["number"]))
    assert place.json("document", "list", "--locked", "--columns", "id") == [{"id": second["id"]}, {"id": first["id"]}]
    entries = [place.json("document", "entries", str(second[name]), "--columns", "id") for name in ("number", "id")]
    assert entries[0] == entries[1] != []
    refused = place.try_run("document", "unlock", str(first["number"]), "260302-99")
    assert (refused.code, refused.err.splitlines()[0]) == (6, "error: there is no document called '260302-99'")
    assert place.json("document", "get", str(first["id"]))["is_locked"] is True


def test_tags_and_contacts_go_by_name_also_where_they_are_options(place: Place) -> None:
    tag = place.json("tag", "create", "--name", "Helsinki")["id"]
    contact = place.json("contact", "create", "--name", "Paperi Oy")["id"]
    made = posted(place, "--tag", "helsinki", "--contact", "paperi oy")
    assert (made["tag_ids"], made["contact_id"]) == ([tag], contact)
    listed = place.json("document", "list", "--tag", "Helsinki", "--contact", "Paperi Oy", "--columns", "id")
    assert listed == [{"id": made["id"]}]
    # what options name is not what a command is about
    refused = place.try_run("document", "create", "--tag", "Hels", "--debit", "1910", "--credit", "3000:1")
    assert (refused.code, refused.err) == (
        2, "error: --tag: there is no tag called 'Hels'\nhint: did you mean Helsinki?\n",
    )  # fmt: skip
    assert len(place.json("document", "list")) == 1
    assert place.json("tag", "update", "Helsinki", "--color", "#0055aa")["id"] == tag


def test_names_that_are_digits_stand_behind_a_prefix(place: Place) -> None:
    years = [place.json("tag", "create", "--name", str(year))["id"] for year in (2025, 2026)]
    assert place.json("tag", "get", "no:2026")["id"] == years[1]
    assert place.try_run("tag", "get", "2026").code == 6


def test_invoices_go_by_number_behind_a_prefix(cli: Cli, at: At) -> None:
    def behave(sent: Sent) -> Answer:
        listed = page({"id": 5, "invoice_number": 1001})
        return listed if "invoice_number=1001" in sent.path else said({"id": int(sent.path.split("/")[5])})

    with recorder(of_a_business(behave)) as server:
        at(server)
        assert cli("invoice", "get", "no:1001", "--json").json() == {"id": 5}
        assert cli("invoice", "get", "1001", "--json").json() == {"id": 1001}


@pytest.mark.together
@pytest.mark.parametrize(
    ("written", "came"),
    [
        ("2025", 7),  # the year, which no id is
        ("2026", 2026),  # the id, which no year is
        ("id:2025", 2025),
        ("no:2025", 7),
        ("2024", 2024),  # neither: the service says so
        ("7", 7),
    ],
)
def test_vat_periods_go_by_a_year_that_is_no_other_ones_id(cli: Cli, at: At, written: str, came: int) -> None:
    year = {"id": 7, "start_date": "2025-01-01", "end_date": "2025-12-31"}
    month = {"id": 2026, "start_date": "2026-01-01", "end_date": "2026-01-31"}

    def behave(sent: Sent) -> Answer:
        _, _, last = sent.path.partition("/vat_period/")
        return page(year, month) if not last or last.startswith("?") else said({**year, "id": int(last.strip("/"))})

    with recorder(of_a_business(behave)) as server:
        at(server)
        assert cli("vat", "period", "get", written, "--json").json()["id"] == came


def test_a_year_that_is_another_ones_id_is_none(cli: Cli, at: At) -> None:
    year = {"id": 7, "start_date": "2025-01-01", "end_date": "2025-12-31"}
    month = {"id": 2025, "start_date": "2026-01-01", "end_date": "2026-01-31"}
    with recorder(of_a_business(page(month, year))) as server:
        at(server)
        done = cli("vat", "period", "lock", "2025")
        told = "2 VAT periods are called '2025': 7 (2025-01-01, 2025-12-31), 2025 (2026-01-01, 2026-01-31)"
        assert (done.code, done.err) == (2, f"error: {told}\nhint: name the one by its id, such as id:7\n")
        assert {one.method for one in server.sent} == {"GET"}


def test_products_go_by_code_or_name_and_several_of_a_name_are_none(place: Place) -> None:
    price = ("--unit", "kpl", "--amount", "10")
    first = place.json("product", "create", "--code", "A1", "--name", "Tea", *price)["id"]
    second = place.json("product", "create", "--code", "A2", "--name", "Tea", *price)["id"]
    assert [one["id"] for one in place.json("product", "get", "A2", "a1")] == [second, first]
    refused = place.try_run("product", "delete", "tea", "--yes")
    assert refused.code == 2
    told = f"2 products are called 'tea': {first} (A1, Tea, 10.00), {second} (A2, Tea, 10.00)"
    assert refused.err == f"error: {told}\nhint: name the one by its id, such as id:{first}\n"
    third = place.json("product", "create", "--code", "A3", "--name", "TEA", *price)["id"]
    assert place.json("product", "get", "TEA")["id"] == third
    assert len(place.json("product", "list")) == 3


@pytest.mark.together
@pytest.mark.parametrize(
    ("name", "says"),
    [("0", "'0' is not an id: ids begin at 1."), ("", "'' names no tag"), ("no:", "'no:' names no tag"),
     (str(2**63), f"'{2**63}' is not an id"), ("9" * 5000, "9' is not an id: ids begin at 1.")],
)  # fmt: skip
def test_what_can_be_no_name_is_refused_and_nothing_sent(cli: Cli, at: At, name: str, says: str) -> None:
    with recorder(of_a_business(said({"id": 1}))) as server:
        at(server)
        done = cli("tag", "get", name)
        assert (done.code, says in done.err, server.sent) == (2, True, [])


def test_a_vat_period_that_is_not_there_is_added_and_not_mistaken_for_another(cli: Cli, at: At) -> None:
    march = {"id": 1, "start_date": "2026-03-01", "end_date": "2026-03-31"}
    with recorder(of_a_business(page(march))) as server:
        at(server)
        done = cli("vat", "period", "report", "2026-02", "--yes")
    assert (done.code, "acctcli vat period create" in done.err, "2026-03" in done.err) == (6, True, False), done.err


def test_a_service_that_knows_no_such_filter_is_believed_in_nothing(cli: Cli, at: At) -> None:
    def behave(sent: Sent) -> Answer:
        if sent.path.startswith("/v1/business/demo/document/?"):
            return page({"id": 7, "number": "26-1"}, {"id": 8, "number": "26-10"})
        return said({"id": int(sent.path.split("/")[5])})

    with recorder(of_a_business(behave)) as server:
        at(server)
        assert cli("document", "get", "26-10", "--json").json() == {"id": 8}
        done = cli("document", "get", "26-2")
        assert (done.code, "did you mean 26-1, 26-10?" in done.err) == (6, True)


@pytest.mark.together
@pytest.mark.parametrize("row", [{"number": "26-1"}, {"id": "7", "number": "26-1"}, {"id": True, "number": "26-1"}])
def test_a_record_without_an_id_is_none(cli: Cli, at: At, row: dict[str, object]) -> None:
    with recorder(of_a_business(page(row))) as server:
        at(server)
        assert cli("document", "get", "26-1").code == 9
        assert {one.method for one in server.sent} == {"GET"}
