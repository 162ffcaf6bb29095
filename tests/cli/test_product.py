"""`acctcli product`: what its options say to the service, and what they refuse before it is asked."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from tests.cli.company import company
from tests.journeys.places import Place

OPTIONS = (
    "--code", "C-1", "--name", "Consulting", "--unit", "h", "--amount", "0.1250", "--vat-rate", "25.5",
    "--vat-code", "1", "--vat-inclusive", "--account", "id:57", "--description", "By the hour",
)  # fmt: skip
BODY = {
    "code": "C-1",
    "name": "Consulting",
    "unit": "h",
    "amount": 0.125,
    "vat_rate": 25.50,
    "vat_code": 1,
    "is_vat_inclusive": True,
    "account_id": 57,
    "description": "By the hour",
}
NAIL = ("--name", "Nail", "--unit", "kpl", "--amount", "1")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("product"))


@pytest.mark.parametrize(
    ("verb", "method"), [(("create",), "POST"), (("update", "7"), "PATCH"), (("replace", "7"), "PUT")]
)
def test_every_option_is_a_field(place: Place, verb: tuple[str, ...], method: str) -> None:
    plan = place.json("product", *verb, *OPTIONS, "--dry-run")
    record = "7/" if len(verb) > 1 else ""
    path = f"/v1/invoicing/company/product/{record}"
    assert (plan["method"], plan["path"], json.loads(json.dumps(plan["body"], default=float))) == (method, path, BODY)


def test_only_what_is_given_is_sent(place: Place) -> None:
    plan = place.json("product", "update", "7", "--vat-exclusive", "--set", "code=null", "--dry-run")
    assert plan["body"] == {"is_vat_inclusive": False, "code": None}


def test_an_account_is_named_by_its_number(place: Place) -> None:
    sales = place.json("account", "get", "3000")["id"]
    assert place.json("product", "create", *NAIL, "--account", "3000")["account_id"] == sales
    done = place.try_run("product", "create", *NAIL, "--account", "3001")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: --account: there is no account 3001 in the chart\n")


@pytest.mark.together
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--amount", "0.00001"), "no more than 4 decimal places"),
        (("--amount", "1,50"), "amount"),
        (("--vat-code", "2"), "vat_code: Must be the VAT code of a sale: 1, 3, 4, 5, 6, 10, 12, 13"),
        (("--unit", ""), "unit"),
        (("--set", "descripton=x"), "did you mean description?"),
    ],
)
def test_a_wrong_field_costs_no_request(place: Place, options: tuple[str, ...], says: str) -> None:
    done = place.try_run("product", "create", *NAIL, *options)
    assert (done.code, done.out) == (2, "")
    assert says in done.err


def test_the_table_shows_both_prices(place: Place) -> None:
    place.run("product", "create", *OPTIONS[:6], "--amount", "100", "--vat-rate", "25.5")
    header, rule, row = place.run("product", "list", "--search", "c-1").lines()
    assert re.split(" {3,}", header) == ["id", "code", "name", "unit", "without VAT", "VAT rate", "with VAT"]
    assert set(rule) == {"─"}
    assert row.split()[1:] == ["C-1", "Consulting", "h", "100.00", "25.5", "125.50"]


def test_deleting_needs_a_yes(place: Place) -> None:
    done = place.try_run("product", "delete", "1")
    assert (done.code, done.out) == (2, "")
    assert "Delete product 1?" in done.err


def test_without_vat_it_has_that_of_sales_if_the_business_is_liable(tmp_path: Path) -> None:
    place = company(tmp_path)
    done = place.run("product", "create", *NAIL, "--json")
    made = json.loads(done.out, parse_float=Decimal)
    assert (made["vat_code"], made["vat_rate"]) == (1, Decimal("25.50"))
    assert done.err == "note: VAT code 1 at 25.5 %, as sales have today; --vat-code 3 is without\n"
    without = place.json("product", "create", *NAIL, "--vat-code", "3")
    assert (without["vat_code"], without["vat_rate"]) == (3, 0)
    # a change leaves what it does not name
    assert place.json("product", "update", str(without["id"]), "--amount", "3")["vat_code"] == 3
    place.run("business", "update", "--vat-period", "none")
    assert place.json("product", "create", *NAIL)["vat_code"] == 3
