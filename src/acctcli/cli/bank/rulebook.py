"""Rules of users, kept as TOML in the folder of the project: which lines are booked how (docs/bank.md 7)."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from acctcli.banking.checks import compact
from acctcli.banking.matching.candidates import Differences, Rule
from acctcli.banking.matching.words import folded, reference_key
from acctcli.cli.account.chart import PATTERN, Chart
from acctcli.cli.session.state import State
from acctcli.errors import UsageError, unwritten
from acctcli.settings.files import read_toml, write_atomically

NAME = "bank-rules.toml"
_ACCOUNT = re.compile(PATTERN, re.ASCII)
_VAT = re.compile(r"([0-9]|1[0-5])(?:/([0-9]{1,3}(?:\.[0-9]{1,2})?))?", re.ASCII)
_HEAD = "# Rules of `acctcli bank import`; docs/bank.md, section 7, says what they may hold.\n"


class Written(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A rule as it is written; all that it says has to be so of a line."""

    account: str
    text: str = ""
    iban: str = ""
    reference: str = ""
    direction: str = ""
    vat: str = ""

    @property
    def title(self) -> str:
        """What it is called."""
        said = [self.text, self.iban, self.reference, {"in": "money in", "out": "money out"}.get(self.direction, "")]
        return f"{' and '.join(filter(None, said))} to {self.account}"


class Accounts(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Accounts for what payments differ by, by their numbers."""

    fees: str = ""
    rounding: str = ""
    exchange: str = ""


class Book(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The rules of a project; `tax_reference` is the one that the business pays its taxes with."""

    tax_reference: str = ""
    accounts: Accounts = msgspec.field(default_factory=Accounts)
    rules: list[Written] = msgspec.field(default_factory=list)

    @property
    def names_accounts(self) -> bool:
        """Whether the chart is needed to read it."""
        return bool(self.rules) or self.accounts != Accounts()


def path_of(here: State, named: Path | None) -> Path:
    """Return the file of the rules: the one named, else that beside the project's settings, or in this folder."""
    if named is not None:
        return named
    project = here.settings.project_path
    return (project.parent if project else Path()) / NAME


def read_book(here: State, named: Path | None) -> Book:
    """Return the rules, none where there is no file; raise UsageError for what cannot be read, and what is named."""
    path = path_of(here, named)
    tables = read_toml(path, links=True)
    if tables is None:
        if named is not None:
            raise UsageError(f"--rules {named}: there is no such file")
        return Book()
    try:
        book = msgspec.convert(tables, Book)
    except msgspec.ValidationError as problem:
        raise UsageError(f"{path}: {problem}", hint="docs/bank.md, section 7, says what rules hold") from None
    for number, rule in enumerate(book.rules, 1):
        _check(rule, f"{path}, rule {number}")
    if book.tax_reference and not reference_key(book.tax_reference):
        raise UsageError(f"{path}, tax_reference: {book.tax_reference!r} has wrong check digits")
    return book


def change_book(here: State, named: Path | None, edit: Callable[[Book], None]) -> Path:
    """Change the rules and write them, whole or not at all; comments in the file are not kept."""
    path = path_of(here, named)
    book = read_book(here, named if named is not None and named.exists() else None)
    edit(book)
    for number, rule in enumerate(book.rules, 1):
        _check(rule, f"rule {number}")
    import tomli_w

    plain: dict[str, Any] = msgspec.to_builtins(book)
    try:
        write_atomically(path, f"{_HEAD}\n{tomli_w.dumps(plain)}".encode())
    except OSError as problem:
        raise unwritten(f"{path} cannot be written", problem, "name another file with --rules") from problem
    return path


def rules_of(book: Book, chart: Chart, where: Path) -> tuple[Rule, ...]:
    """Return the rules with the accounts of the chart; raise UsageError for an account that is not there."""
    return tuple(_rule(one, chart, f"{where}, rule {number}, account") for number, one in enumerate(book.rules, 1))


def differences_of(book: Book, chart: Chart, where: Path) -> Differences:
    """Return the accounts for differences; raise UsageError for one that is not there."""
    found = {
        name: chart.find(number, f"{where}, accounts.{name}").id
        for name in Accounts.__struct_fields__
        if (number := getattr(book.accounts, name))
    }
    return Differences(**found)


def _rule(written: Written, chart: Chart, where: str) -> Rule:
    vat = _VAT.fullmatch(written.vat) if written.vat else None
    return Rule(
        title=written.title,
        account=chart.find(written.account, where).id,
        words=folded(written.text),
        iban=compact(written.iban),
        reference=reference_key(written.reference),
        comes_in={"in": True, "out": False}.get(written.direction),
        vat_code=int(vat[1]) if vat else None,
        vat_rate=Decimal(vat[2]) if vat and vat[2] else None,
    )


def _check(rule: Written, where: str) -> None:
    """Raise UsageError for a rule that says nothing, or what cannot be."""
    if not (folded(rule.text) or rule.iban or rule.reference):
        raise UsageError(f"{where}: text, iban or reference has to say which lines it is of")
    if not _ACCOUNT.fullmatch(rule.account):
        raise UsageError(f"{where}, account: {rule.account!r} is not an account", hint="write its number, such as 4000")
    if rule.direction not in {"", "in", "out"}:
        raise UsageError(f"{where}, direction: {rule.direction!r} is neither in nor out")
    if rule.vat and not _VAT.fullmatch(rule.vat):
        raise UsageError(f"{where}, vat: {rule.vat!r} is no VAT code and rate", hint="write 2/13.5, or 3 for no VAT")
    if rule.reference and not reference_key(rule.reference):
        raise UsageError(f"{where}, reference: {rule.reference!r} has wrong check digits")
