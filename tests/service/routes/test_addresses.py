"""Which module answers an address: every operation is found where it is declared, and nothing else is loaded."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import pytest

from acctcli.service.http.endpoints import Endpoints
from acctcli.service.http.router import Handler, Router
from acctcli.service.routes.addresses import ELSEWHERE, module_of, modules, operations_of
from acctcli.service.routes.operation import Operation
from acctcli.service.routes.table import TABLE

if TYPE_CHECKING:
    from acctcli.service.http.service import Service

PATHS = sorted({operation.path for operation in TABLE})


def address(operation: Operation) -> str:
    """Return an address of an operation."""
    return re.sub(r"\{\w+\}", "17", operation.path.replace("{business_slug}", "birches"))


@pytest.mark.parametrize("operation", TABLE, ids=lambda operation: f"{operation.method} {operation.path}")
def test_the_module_of_an_address_declares_its_operation(operation: Operation) -> None:
    module = module_of(address(operation))
    assert module is not None
    assert operation in operations_of(module)


FEW_DESCRIPTORS = """
import inspect, os, resource
from acctcli.service.problems import Unavailable
from acctcli.service.routes.addresses import module_of
resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))
held = []
try:
    while True:
        held.append(os.dup(0))
except OSError:
    pass
try:
    print(module_of("/v1/business/birches/tags/"))
except Unavailable as problem:
    print(problem)
for one in held:
    os.close(one)
print(module_of("/v1/business/birches/tags/"))
"""


def test_addresses_are_not_forgotten_while_there_are_no_descriptors() -> None:
    told = subprocess.run([sys.executable, "-c", FEW_DESCRIPTORS], capture_output=True, text=True, check=True).stdout
    assert told == "The service cannot read its own files; nothing was changed.\nbusiness.tags\n"


def test_one_module_has_all_methods_of_an_address() -> None:
    homes = [{module for module in modules() for one in operations_of(module) if one.path == path} for path in PATHS]
    assert [len(home) for home in homes] == [1] * len(PATHS)


def test_no_operation_is_declared_twice() -> None:
    assert len({(operation.method, operation.path) for operation in TABLE}) == len(TABLE)
    assert len({operation.name for operation in TABLE}) == len(TABLE)


def test_every_module_has_operations_and_every_exception_is_one() -> None:
    assert [module for module in modules() if not list(operations_of(module))] == []
    assert set(ELSEWHERE.values()) <= modules()
    for place, module in ELSEWHERE.items():
        room, *words = place.split("/")
        assert module != f"{room}.{words[0]}"


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/v1/",
        "/v1/nothing/",
        "/v2/business/birches/tags/",
        "/v1/business/birches/nothing/",
        "/v1/business/birches/__init__/",
        "/v1/business/birches/../operation/",
        "/v1/business/birches/tags.os/",
        "/v1/invoicing/birches/tags/",
        "/v1/routes/birches/call/",
        "/v1//birches/tags/",
    ],
)
def test_anything_else_has_no_module(path: str) -> None:
    assert module_of(path) is None


def test_a_module_joins_the_router_once() -> None:
    added: list[str] = []

    class Counting(Router):
        def add_route(self, template: str, handlers: Mapping[str, Handler]) -> None:
            added.append(template)
            super().add_route(template, handlers)

    # nothing is asked of the service before a request comes
    router = Counting(Endpoints(cast("Service", None)).join)
    found = [router.find(f"/v1/business/{slug}/tags/") for slug in ("birches", "alders")]
    assert [place is not None for place in found] == [True, True]
    assert added == [f"/v1/business/{{business_slug:slug}}/tags/{one}" for one in ("", "{tag_id:id}/")]
