"""`acctcli constant`: the names of the sets and their values."""

from __future__ import annotations

import json

import pytest

from acctcli.cli.constant import KNOWN, SETS
from acctcli.models.enums import AccountType
from acctcli.service.routes.business.constants import AREA
from tests.cli.company import company
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Sent, recorder, said
from tests.journeys.places import Place


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("constant"), "DE_UG")


def test_every_set_of_the_interface_has_a_name() -> None:
    assert [name.replace("-", "_") for name in SETS] == [route.path.split("/")[-2] for route in AREA.operations]


def test_the_names_are_listed_without_a_request(cli: Cli) -> None:
    outcome = cli("constant", "list", "--json")
    assert (outcome.code, outcome.json()) == (0, [{"value": name, "label": text} for name, text in KNOWN.items()])


def test_types_of_accounts_are_told_without_a_request(cli: Cli) -> None:
    told = succeed(cli("constant", "get", "account-types", "--json")).json()
    assert {one["value"]: one["label"] for one in told} == {kind.value: kind.label for kind in AccountType}


def test_values_are_rows_in_every_format(place: Place) -> None:
    assert place.run("constant", "get", "business-invoicing-countries", "-o", "csv").lines() == [
        "value,label",
        "FI,Finland",
        "DE,Germany",
    ]
    codes = place.run("constant", "get", "vat-codes").lines()
    assert codes[0].split() == ["value", "label", "tags"]
    assert len(codes) == 2 + 15
    assert place.json("constant", "get", "vat-codes")[2] == {"value": 3, "label": "No VAT handling", "tags": ["none"]}


def test_rates_are_those_of_the_day(place: Place) -> None:
    rates = place.run("constant", "get", "vat-rates", "--date", "2020-12-31", "-o", "csv").lines()
    assert rates == ["label,rate", "standard,16.00", "reduced_a,5.00", "reduced_b,0.00", "zero,0.00"]
    lines = map(json.loads, place.run("constant", "get", "vat-rates", "--date", "2020-12-31", "-o", "jsonl").lines())
    assert [(line["label"], line["rate"]) for line in lines] == [
        ("standard", "16.00"),
        ("reduced_a", "5.00"),
        ("reduced_b", "0.00"),
        ("zero", "0.00"),
    ]
    today = place.json("constant", "get", "vat-rates")
    assert (today["effective_from"], today["default_vat_rate"]) == ("2021-01-01", "19.00")


@pytest.mark.together
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nothing",), "see: acctcli constant list"),
        (("vat_codes",), "did you mean vat-codes?"),
        (("countries", "--date", "2026-01-01"), "--date goes with vat-rates"),
        (("vat-rates", "--date", "soon"), "not a day"),
    ],
)
def test_what_makes_no_sense_is_refused(place: Place, arguments: tuple[str, ...], says: str) -> None:
    done = place.try_run("constant", "get", *arguments)
    assert (done.code, done.out) == (2, "")
    assert says in done.err


@pytest.mark.parametrize("name", ["countries", "vat-rates"])
def test_an_odd_reply_is_a_fault_of_the_service(cli: Cli, at: At, name: str) -> None:
    def odd(sent: Sent) -> Answer:
        return said({"vat_rate_options": 7, "results": 7})

    with recorder(odd) as server:
        at(server)
        outcome = cli("constant", "get", name)
    assert (outcome.code, outcome.out) == (9, "")


@pytest.mark.together
@pytest.mark.parametrize("rows", [[{"value": "FI", "label": "Finland"}, 7], [7], [[]], [None]])
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_an_array_of_something_else_than_records_is_none(cli: Cli, at: At, rows: list[object], form: str) -> None:
    with recorder(said(rows)) as server:
        at(server)
        outcome = cli("constant", "get", "countries", "-o", form)
    assert (outcome.code, outcome.out) == (9, "")


@pytest.mark.together
@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b'\n {"count": 1, "next": null, "results": [{"value": "FI", "label": "Finland"}]}', 0),
        (b'{"count": 1, "next": 2, "results": [{"value": "FI", "label": "Finland"}]}', 9),
        (b'{"count": 2, "next": null, "results": [{"value": "FI", "label": "Finland"}]}', 9),
    ],
)
def test_the_only_page_of_a_list_is_an_array_and_one_of_several_is_none(
    cli: Cli, at: At, text: bytes, code: int
) -> None:
    with recorder(Answer(200, text)) as server:
        at(server)
        outcome = cli("constant", "get", "countries", "-o", "csv")
    assert (outcome.code, outcome.out) == (code, "" if code else "value,label\nFI,Finland\n")
