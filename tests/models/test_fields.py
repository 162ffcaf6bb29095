"""Names of fields read from the source are those of the types themselves."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest
from typing_extensions import is_typeddict

import acctcli.models
from acctcli.models.fields import fields_of


def replies() -> Iterator[tuple[str, Any]]:
    for module in iter_modules(acctcli.models.__path__):
        for name, kind in vars(import_module(f"acctcli.models.{module.name}")).items():
            if is_typeddict(kind) and kind.__module__ == f"acctcli.models.{module.name}":
                yield f"{module.name}:{name}", kind


@pytest.mark.parametrize(("reply", "kind"), list(replies()), ids=lambda one: one if isinstance(one, str) else "")
def test_the_source_names_the_fields_of_the_type(reply: str, kind: Any) -> None:
    assert fields_of(reply) == tuple(kind.__annotations__)


def test_a_reply_that_is_none_is_an_error() -> None:
    with pytest.raises(KeyError):
        fields_of("tag:Nosuch")
    with pytest.raises(FileNotFoundError):
        fields_of("nosuch:Tag")


def test_the_names_are_read_without_pydantic() -> None:
    read = "import sys; from acctcli.models.fields import fields_of; fields_of('tag:Tag')"
    code = f"{read}; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
