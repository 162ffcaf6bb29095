"""Bodies of writing commands: options are fields of the request, and a value is checked once before it is sent."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import date
from importlib import import_module
from typing import Any, get_args, get_origin

import pytest
from pydantic import BaseModel

from acctcli.cli.command.classes import Command
from acctcli.cli.command.options import Field
from acctcli.models.base import Request
from tests.cli.demo import demo
from tests.cli.walk import commands
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
OWN = {"ask_password", "debit", "credit", "expense", "account_numbers", "part"}
# asked for as people call it, and sent as an id
LOOKED_UP = {"account_id", "receiver"}


def model_of(command: Command) -> type[Request]:
    module, _, name = command.model.partition(":")
    model: type[Request] = getattr(import_module(f"acctcli.models.{module}"), name)
    return model


def fields() -> Iterator[tuple[str, Field, type[Request]]]:
    for found in WRITING:
        if isinstance(found.command, Command) and found.command.model:
            model = model_of(found.command)
            yield from ((found.name, one, model) for one in found.command.fields if one.wire not in OWN)


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
    assert [
        one.name for one in WRITING if isinstance(one.command, Command) and one.command.fields and not one.command.model
    ] == []


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    made = demo(tmp_path_factory.mktemp("bodies"))
    made.write("legs.json", {"date": date(2026, 3, 2), "blueprint": {"debet_account_id": 1910}, "is_draft": True})
    return made


@pytest.mark.parametrize("example", EXAMPLES)
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
