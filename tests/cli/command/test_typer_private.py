"""What Typer keeps under private names is imported in one file."""

from __future__ import annotations

import ast
from pathlib import Path

import acctcli

SOURCE = Path(acctcli.__file__).parent
TESTS = Path(__file__).parents[2]
ONE_FILE = SOURCE / "cli" / "command" / "typer_private.py"


def private_names(path: Path) -> list[str]:
    """What a module imports of Typer below a name, or under a name, that begins with an underscore."""
    text = path.read_text(encoding="utf-8")
    if "typer" not in text:
        return []  # sooner said than after parsing it
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name for name in found if name.startswith("typer.") and "._" in name]


def test_one_file_imports_them() -> None:
    modules = [*SOURCE.rglob("*.py"), *TESTS.rglob("*.py")]
    assert {path for path in modules if private_names(path)} == {ONE_FILE}
