"""Options that are fields: of the request that a command sends, or of the query of a list; values are checked once."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from datetime import date
from importlib import import_module
from typing import Any, get_args, get_origin
from urllib.parse import parse_qsl, urlsplit

import pytest
from pydantic import BaseModel

from acctcli.cli.command.classes import Command
from acctcli.cli.command.options import Field
from acctcli.models.base import Request
from acctcli.service.http.endpoints import by_path
from acctcli.service.http.openapi import describe
from acctcli.service.routes.table import TABLE
from tests.cli.conftest import At, Cli
from tests.cli.demo import demo
from tests.cli.recorder import recorder, said
from tests.cli.test_dry_run import LOCAL_ONLY, SAMPLES
from tests.cli.walk import Found, commands
from tests.journeys.places import Place

WRITING = [found for found in commands() if "--set" in found.options()]
REHEARSED = [found for found in WRITING if "--dry-run" in found.options()]
EXAMPLES = [
    *(example for found in REHEARSED for example in found.examples),
    "acctcli document create --file legs.json --account-numbers",
    "acctcli document update 1 --debit 1910 --credit 3000:80",
    "acctcli invoice credit-note 2 --row name=Travel,unit=kpl,count=1,amount=1,vat=25.5",
]
# options that are no fields themselves, but what fields are made from
OWN = {
    "ask_password",
    "debit",
    "credit",
    "expense",
    "account_numbers",
    "foreign_vat",
    "change_of_year",
    "again",
    "lines",
    "part",
}
LISTING = [found for found in commands() if "--limit" in found.options() and found.own.fields]
# the days of a range, which every list calls by names of its own
SPAN = {"period", "from", "to"}
# asked for as people call it, and sent as an id
LOOKED_UP = {"account_id", "receiver"}


def model_of(command: Command) -> type[Request]:
    module, _, name = command.model.partition(":")
    model: type[Request] = getattr(import_module(f"acctcli.models.{module}"), name)
    return model


def fields() -> Iterator[tuple[str, Field, type[Request]]]:
    for found in WRITING:
        if found.own.model:
            model = model_of(found.own)
            yield from ((found.name, one, model) for one in found.own.fields if one.wire not in OWN)


def leaves(annotation: Any) -> Iterator[Any]:
    """The plain types that a field of a model takes."""
    inner = [one for one in get_args(annotation) if isinstance(one, type) or get_args(one)]
    for one in inner:
        yield from leaves(one)
    if not inner or isinstance(annotation, type):
        yield annotation


@pytest.mark.parametrize(("name", "field", "model"), list(fields()), ids=lambda one: getattr(one, "wire", None))
def test_an_option_is_a_field_of_the_request_and_of_its_type(name: str, field: Field, model: type[Request]) -> None:
    kinds = set(leaves(model.model_fields[field.wire].annotation))
    option = field.make()
    if option.is_flag:
        assert kinds == {bool}
    elif field.read is None and field.wire not in LOOKED_UP:
        assert option.type.name.startswith("int") == (int in kinds)
        assert option.multiple == (get_origin(model.model_fields[field.wire].annotation) is list)


def test_every_command_with_options_for_fields_says_whose_they_are() -> None:
    assert [found.name for found in WRITING if found.own.fields and not found.own.model] == []


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    made = demo(tmp_path_factory.mktemp("bodies"))
    made.write("legs.json", {"date": date(2026, 3, 2), "blueprint": {"debet_account_id": 1910}, "is_draft": True})
    return made


@pytest.fixture(scope="module")
def parameters() -> dict[str, set[str]]:
    """What the service lets a list be asked for, by path."""
    paths = describe(by_path(TABLE))["paths"]
    return {
        path.replace("{business_slug}", "demo"): {one["name"] for one in operations["get"]["parameters"]}
        for path, operations in paths.items()
        if "parameters" in operations.get("get", {})
    }


@pytest.mark.parametrize("found", LISTING, ids=lambda found: found.name)
def test_a_filter_is_a_parameter_of_the_list(place: Place, parameters: dict[str, set[str]], found: Found) -> None:
    span = ("--period", "2026-03") if "--period" in found.options() else ()
    told = place.run(*found.path, *span, "--verbose").err
    sent = urlsplit(re.findall(r"GET http://in-process(\S+) 200", told)[0])
    filters = {one.wire for one in found.own.fields} - SPAN
    assert filters | dict(parse_qsl(sent.query)).keys() <= parameters[sent.path]


# the mirror is a document of its own, and bodies that the command makes itself are not given
@pytest.mark.parametrize(
    "example", [one for one in EXAMPLES if " document correct " not in one and " period create --from " not in one]
)
def test_a_value_is_checked_once(place: Place, example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[tuple[str, str]]] = []
    validate = BaseModel.__dict__["model_validate"].__func__

    def note(cls: type[BaseModel], /, values: Any, **more: Any) -> Any:
        calls.append([(cls.__name__.removeprefix("Partial"), name) for name in values])
        return validate(cls, values, **more)

    monkeypatch.setattr(BaseModel, "model_validate", classmethod(note))
    place.run(*shlex.split(example)[1:], "--dry-run")
    assert calls
    checked = [one for call in calls for one in call]
    assert len(checked) == len(set(checked))


def options_of(found: Found) -> dict[str, str]:
    """Return the fields of a command whose option is called otherwise."""
    options = {one.wire: one.make().opts[0] for one in found.own.fields}
    return {wire: option for wire, option in options.items() if option != f"--{wire.replace('_', '-')}"}


# no server but the local one is asked
NOT_ASKED = {*LOCAL_ONLY, "audit list", "audit unseen"}
RENAMING = [found for found in (*WRITING, *LISTING) if options_of(found) and found.name not in NOT_ASKED]


@pytest.mark.together
@pytest.mark.parametrize("found", RENAMING, ids=lambda found: found.name)
def test_a_field_that_is_wrong_is_told_with_its_option(cli: Cli, at: At, found: Found) -> None:
    words = SAMPLES[found.name][0] if found.name in SAMPLES else shlex.split(found.examples[0])[1 + len(found.path) :]
    for wire, option in options_of(found).items():
        with recorder(said({wire: ["no, wrong: this"], f"x_{wire}": ["odd"]}, 400)) as server:
            at(server)
            outcome = cli(*found.path, *words)
        assert f"{wire} ({option}): no, wrong: this; x_{wire}: odd" in outcome.err


def test_a_field_that_is_missing_is_told_with_its_option(cli: Cli) -> None:
    assert cli("purchase", "create", "--sender", "Shop", "--env", "local", "--business", "b").err == (
        "error: invoicing_date (--date): required; amount: required\n"
    )


@pytest.mark.together
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("contact create --name A --email nonsense", "(--email): Write an address such as name@example.com."),
        ("business create --name A --slug b/c", "slug: Write letters of English, digits, - and _ only."),
        ("contact create --name A --country F1", "(--country): Write the two letters of a country, such as FI."),
        ("contact create --name A --language de", "invoice accept ID --language de makes a German invoice"),
        ("contact create --name \u200b", "name: Must have a character that can be seen."),
        ("account create --number 12a --name A --type EXP", "number: Write 1 to 7 digits."),
        (
            "document create --set blueprint.credit_entries=[{}]",
            "blueprint.credit_entries.0.account_id (--credit): required",
        ),
        ("document create --set blueprint.debet_account_id=x", "blueprint.debet_account_id (--debit): "),
    ],
)
def test_a_text_of_the_wrong_form_is_told_what_is_right(cli: Cli, words: str, told: str) -> None:
    outcome = cli(*words.split(" "), "--env", "local", "--business", "b")
    assert (outcome.code, told in outcome.err, "pattern" in outcome.err) == (2, True, False), outcome.err
