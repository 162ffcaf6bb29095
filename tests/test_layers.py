"""Imports run one way; read from the syntax trees, so that a lazy import counts too."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest

import acctcli

ROOT = Path(acctcli.__file__).parent
BASE = {"acctcli", "acctcli.errors"}
SETTINGS = {"acctcli.settings", *BASE}

# pure packages of law, forms and formats that both halves use
LAW = {"acctcli.banking", "acctcli.einvoice", "acctcli.law", "acctcli.printing"}

# what cases stand on, and with them whoever calls cases
BELOW_CASES = {
    "acctcli.models",
    "acctcli.service.delivery",
    "acctcli.service.identity",
    "acctcli.papers",
    "acctcli.service.rules",
    "acctcli.service.store",
}

# what the modules under a prefix may import of acctcli, besides their own package
ALLOWED: dict[str, set[str]] = {
    "acctcli.errors": set(),
    "acctcli.settings": BASE,
    "acctcli.models": BASE,
    "acctcli.markup": set(),
    "acctcli.banking": {"acctcli.markup"},
    "acctcli.printing": {"acctcli.banking", "acctcli.law", "acctcli.models"},
    "acctcli.einvoice": {
        "acctcli.banking", "acctcli.law", "acctcli.markup", "acctcli.models", "acctcli.printing.numbers", *BASE,
    },
    "acctcli.papers": {"acctcli.models", *LAW},
    "acctcli.law": {"acctcli.banking", "acctcli.models", *BASE},
    "acctcli.credentials": SETTINGS,
    "acctcli.credentials.sign_in": {"acctcli.client", "acctcli.credentials", *SETTINGS},
    "acctcli.client": {"acctcli.models", *SETTINGS},
    "acctcli.client.transport": {"acctcli.client", "acctcli.models", "acctcli.service.http.embedded", *SETTINGS},
    "acctcli.cli": {"acctcli.credentials", "acctcli.client", "acctcli.models", "acctcli.papers", *LAW, *SETTINGS},
    "acctcli.cli.local": {
        "acctcli.cli", "acctcli.credentials", "acctcli.client", "acctcli.models", "acctcli.service", *LAW, *SETTINGS,
    },
    "acctcli.service.rules": {"acctcli.models", *LAW, *BASE},
    "acctcli.service.store": {
        "acctcli.law", "acctcli.models", "acctcli.service.rules", "acctcli.settings.temporaries", *BASE,
    },
    "acctcli.service.identity": {"acctcli.models", "acctcli.service.rules", "acctcli.service.store", *BASE},
    "acctcli.service.pages": {
        "acctcli.models", "acctcli.printing.numbers", "acctcli.service.cases", "acctcli.service.identity",
        "acctcli.service.store", *BASE,
    },
    "acctcli.service.delivery": {"acctcli.models", "acctcli.service.store", *BASE},
    "acctcli.service.cases": {*BELOW_CASES, *LAW, *BASE},
    "acctcli.service.routes": {"acctcli.service.cases", *BELOW_CASES, *LAW, *BASE},
    "acctcli.service.http": {
        "acctcli.service.routes", "acctcli.service.cases", "acctcli.service.pages", "acctcli.law.days",
        "acctcli.settings.names", *BELOW_CASES, *BASE,
    },
}  # fmt: skip
# what all of the service but the rules may refuse with
PROBLEMS = "acctcli.service.problems"


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), path


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements of a tree, which takes a tenth of the time of looking at their expressions, too."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for one in getattr(tree, part, ()):
            yield one
            yield from statements(one)


@cache
def read(path: Path) -> tuple[list[str], int]:
    """Return what a file imports, and how often it catches everything."""
    found: list[str] = []
    catches = 0
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name):
            catches += node.type.id == "Exception"
        elif isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            found += (f"{node.module}.{alias.name}" for alias in node.names)
    return found, catches


def imports(path: Path) -> list[str]:
    return read(path)[0]


def under(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(f"{prefix}.")


def rule_of(module: str) -> str | None:
    found = [prefix for prefix in ALLOWED if under(module, prefix)]
    return max(found, key=len, default=None)


def permitted(target: str, rule: str) -> bool:
    if under(target, rule):
        return True
    if under(target, PROBLEMS):
        return rule != "acctcli.service.rules"
    return any(target == name or (name != "acctcli" and under(target, name)) for name in ALLOWED[rule]) or (
        target.rpartition(".")[0] == "acctcli" and target.rpartition(".")[2].startswith("__")
    )


def test_imports_run_one_way() -> None:
    unruled = {module for module, _ in modules() if rule_of(module) is None}
    assert unruled == {"acctcli", "acctcli.__main__", "acctcli.service", PROBLEMS}
    for module, path in modules():
        if rule := rule_of(module):
            targets = [target for target in imports(path) if under(target, "acctcli")]
            assert [target for target in targets if not permitted(target, rule)] == [], module


def test_no_files_import_each_other_in_a_circle() -> None:
    known = dict(modules())
    graph: dict[str, set[str]] = {}
    for module, path in known.items():
        named = {name if name in known else name.rpartition(".")[0] for name in imports(path)}
        graph[module] = named & known.keys() - {module}
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_the_rules_are_pure() -> None:
    outside = {"sqlalchemy", "granian", "httpx", "time", "random", "os", "socket", "subprocess", "pydantic"}
    for module, path in modules():
        if under(module, "acctcli.service.rules"):
            tops = {target.split(".")[0] for target in imports(path)}
            assert not tops & outside, module


# what reports and PDFs need besides, which says how to get it where it is not there
EXTRAS = {
    "acctcli.cli.output.workbook": {"xlsxwriter"},
    "acctcli.cli.report": {"reportlab", "xlsxwriter"},
    "acctcli.einvoice.hybrid": {"pypdf"},
    "acctcli.einvoice.incoming.embedded": {"pypdf"},
    "acctcli.papers": {"reportlab"},
    "acctcli.printing": {"reportlab"},
    # which reportlab brings
    "acctcli.printing.logos": {"PIL"},
}


def test_what_commands_import_is_installed_with_them() -> None:
    installed = {re.split(r"[^\w-]", one)[0].lower() for one in requires("acctcli") or () if "extra ==" not in one}
    # of the very version that pydantic asks for
    installed.add("pydantic-core")
    packages = packages_distributions()
    for module, path in modules():
        if under(module, "acctcli.service") or under(module, "acctcli.cli.local"):
            continue
        tops = {target.split(".")[0] for target in imports(path)} - sys.stdlib_module_names - {"acctcli"}
        found = {top for top in tops if not {name.lower().replace("_", "-") for name in packages[top]} & installed}
        assert found <= {one for prefix, extra in EXTRAS.items() if under(module, prefix) for one in extra}, module


def test_sql_stands_in_the_store_only() -> None:
    for module, path in modules():
        if any(target.split(".")[0] in {"sqlalchemy", "alembic", "psycopg", "sqlite3"} for target in imports(path)):
            assert under(module, "acctcli.service.store"), module


def test_everything_is_caught_at_the_edges_only() -> None:
    catching = [module for module, path in modules() for _ in range(read(path)[1])]
    assert sorted(catching) == ["acctcli.cli.root", "acctcli.service.http.service"]


def test_nothing_is_called_utils() -> None:
    assert [module for module, _ in modules() if "util" in module or "helper" in module or "common" in module] == []
