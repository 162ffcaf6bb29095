"""What a country decides stands in its package and nowhere else; read from the syntax trees."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache

import pytest

from acctcli import law
from acctcli.law.world import COUNTRIES, VAT_FORMS
from tests.test_layers import imports, modules, under

CODES = {*COUNTRIES, *VAT_FORMS}
PREFIXES = tuple(f"{code}_" for code in law.PACKAGES)
# what stands wherever a country is named
NAMED = re.compile("|".join([rf"\b(?:{'|'.join(CODES)})\b", *PREFIXES]))
# the structure of accounts and of barcodes, names on letters, units of measure
FACTS = {
    "acctcli.banking.barcode", "acctcli.banking.iban", "acctcli.einvoice.units", "acctcli.papers.addresses",
}  # fmt: skip
# the list of forms, the one a business has unless told otherwise, and an example
FORMS = {"acctcli.models.enums", "acctcli.models.business", "acctcli.cli.tour"}


def compared(node: ast.AST) -> list[ast.expr]:
    """What is compared, looked up or asked for at a node."""
    match node:
        case ast.Compare():
            return [node.left, *node.comparators]
        case ast.Dict():
            return [key for key in node.keys if key is not None]
        case ast.Subscript(slice=ast.Constant() | ast.Attribute()):
            return [node.slice]
        case ast.MatchValue():
            return [node.value]
        case ast.Call(func=ast.Attribute(attr="startswith" | "endswith" | "get" | "setdefault" | "removeprefix")):
            return node.args
    return []


def codes(node: ast.AST) -> Iterator[str]:
    """The codes of countries, and the forms of business, that stand in an expression."""
    for part in ast.walk(node):
        match part:
            case ast.Constant(value=str(text)) if text in CODES or text.startswith(PREFIXES):
                yield text
            case ast.Attribute(attr=name) if name.startswith(PREFIXES):
                yield name


def decisions(tree: ast.AST) -> Iterator[str]:
    """Yield what looks like a decision by country: a code that is compared or looked up, and any code of the law."""
    for node in ast.walk(tree):
        for code in (code for one in compared(node) for code in codes(one)):
            yield f"{code} is compared or looked up"
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value in law.PACKAGES:
                yield f"{node.value} is named"
            if any(f"'{code}'" in node.value for code in law.PACKAGES):
                yield f"{node.value[:40]} names a country in another language"


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ('country == "DE"', 2),
        ('RULES = {"SE": 1}', 1),
        ('form.startswith("FI_")', 1),
        ('form in {BusinessForm.DE_UG, "x"}', 1),
        ('match country:\n    case "PL":\n        pass', 1),
        ("\"CASE WHEN country = 'DE' THEN 1 END\"", 1),
        ('TABLE["FR"]', 1),
        ('language == "de" or unit == "kpl"', 0),
    ],
)
def test_a_decision_is_recognized(source: str, count: int) -> None:
    assert len(list(decisions(ast.parse(source)))) == count


@cache
def outside() -> dict[str, tuple[list[str], set[str]]]:
    """Return what each module outside of the law decides by country, and the codes that it names."""
    found = {}
    for module, path in modules():
        if not under(module, "acctcli.law"):
            text = path.read_text(encoding="utf-8")
            # to look through a tree takes long
            tree = ast.parse(text if NAMED.search(text) else "")
            found[module] = list(decisions(tree)), set(codes(tree))
    return found


def test_nothing_outside_is_decided_by_country() -> None:
    found = {module: told for module, (told, _) in outside().items() if module not in FACTS}
    assert {module: told for module, told in found.items() if told} == {}


def test_forms_of_business_are_named_where_they_are_listed() -> None:
    naming = {
        module
        for module, (_, named) in outside().items()
        if any(text.startswith(PREFIXES) and text != "DE_CASH_BASIS" for text in named)
    }
    assert naming == FORMS


def test_countries_are_found_by_their_code() -> None:
    packages = tuple(law.PACKAGES.values())
    for module, path in modules():
        if not under(module, "acctcli.law"):
            assert [target for target in imports(path) if under(".".join(target.split(".")[:3]), "acctcli.law")
                    and target.startswith(packages)] == [], module  # fmt: skip


def test_the_law_reads_no_clock_and_no_file() -> None:
    others = {"os", "pathlib", "time", "random", "socket", "subprocess", "pydantic", "msgspec", "httpx", "typer"}
    for module, path in modules():
        if under(module, "acctcli.law"):
            assert not {target.split(".")[0] for target in imports(path)} & others, module
            source = path.read_text(encoding="utf-8")
            assert "now(" not in source, module
            assert "today(" not in source, module


def test_a_country_is_loaded_alone_and_its_forms_later() -> None:
    probe = "import sys; from acctcli import law; law.country('FI').vat_due_date; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith("acctcli.law.")}
    assert loaded == {f"acctcli.law.{name}" for name in ("calendar", "decisions", "finland", "vat_codes")}
