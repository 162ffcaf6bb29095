"""Rules of users, kept as TOML in the folder of the project: which lines are booked how (docs/bank.md 7)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from acctcli.banking.checks import compact
from acctcli.banking.matching.candidates import Differences, Rule
from acctcli.banking.matching.words import folded, reference_key
from acctcli.cli.account.chart import PATTERN, Chart
from acctcli.cli.session.state import State
from acctcli.cli.vat.charged import Charged, Check, checker
from acctcli.errors import UsageError, unwritten
from acctcli.law.vat_codes import OUTPUT_VAT
from acctcli.law.vat_rules import TAXED
from acctcli.settings.files import Table, read_toml, write_atomically

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
    late_interest: str = ""
    reminder_fees: str = ""


class Book(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The rules of a project; `tax_reference` is the one that the business pays its taxes with."""

    tax_reference: str = ""
    accounts: Accounts = msgspec.field(default_factory=Accounts)
    rules: list[Written] = msgspec.field(default_factory=list)


# where a name belongs that stands elsewhere
_PLACES = {
    "tax_reference": "tax_reference above the first heading",
    "accounts": "[accounts] as a heading, and its names below it",
    "rules": "each rule as a table of its own, below a heading [[rules]]",
    **{name: f"{name} below the heading [accounts]" for name in Accounts.__struct_fields__},
}


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
    _check_places(tables, path)
    try:
        book = msgspec.convert(tables, Book)
    except msgspec.ValidationError as problem:
        hint = "all of it stands in quotes; docs/bank.md, section 7, says what rules hold"
        raise UsageError(f"{path}: {problem}", hint=hint) from None
    for number, rule in enumerate(book.rules, 1):
        _check(rule, f"{path}, rule {number}")
    if book.tax_reference and not reference_key(book.tax_reference):
        raise UsageError(f"{path}, tax_reference: {book.tax_reference!r} has wrong check digits")
    return book


def add(here: State, named: Path | None, written: Written, check: Callable[[], object]) -> tuple[Book, Path]:
    """Add a rule behind the others, once `check` has nothing against it; raise UsageError for one that is there."""
    path = path_of(here, named)
    book = _read_if_there(here, path)
    _check(written, "the rule")
    if written in book.rules:
        raise UsageError(f"{path} has this rule: it is number {book.rules.index(written) + 1}")
    check()
    book.rules.append(written)
    _write(path, book)
    return book, path


def remove(here: State, named: Path | None, number: int) -> Written:
    """Ask, and remove the rule of a number, but in a rehearsal; raise UsageError where there is none."""
    path = path_of(here, named)
    book = _read_if_there(here, path)
    if number > len(book.rules):
        raise UsageError(f"{path} has no rule {number}", hint="see: acctcli bank rule list")
    removed = book.rules.pop(number - 1)
    here.confirm(f"Remove rule {number}, {removed.title}?")
    if not here.options.dry_run:
        _write(path, book)
    return removed


def facts(book: Book) -> list[dict[str, object]]:
    """Return rules as rows, each with its number."""
    return [
        {"number": number, **{name: getattr(rule, name) or None for name in Written.__struct_fields__}}
        for number, rule in enumerate(book.rules, 1)
    ]


def _read_if_there(here: State, path: Path) -> Book:
    return read_book(here, path) if path.exists() else Book()


def _check_places(tables: Table, path: Path) -> None:
    """Raise UsageError for a name below the heading of another table, of which TOML then takes it for a part."""
    rules = rules if isinstance(rules := tables.get("rules"), list) else []
    some = [("no heading", tables, Book), ("[accounts]", tables.get("accounts"), Accounts)]
    some += [(f"[[rules]] {place}", one, Written) for place, one in enumerate(rules, 1)]
    for heading, table, known in some:
        for name in table if isinstance(table, dict) else ():
            if name in _PLACES and name not in known.__struct_fields__:
                raise UsageError(f"{path}: {name} stands below {heading}", hint=f"write {_PLACES[name]}")


def _write(path: Path, book: Book) -> None:
    """Write the rules whole, or not at all; comments of people in the file are not kept.

    Each rule is a table of its own, so that nothing that a person writes above it takes it in.
    """
    import tomli_w

    plain: dict[str, Any] = msgspec.to_builtins(book)
    if book.accounts == Accounts():
        del plain["accounts"]
    rules = (f"[[rules]]\n{tomli_w.dumps(one)}" for one in plain.pop("rules", ()))
    try:
        write_atomically(path, "\n".join(filter(None, (_HEAD, tomli_w.dumps(plain), *rules))).encode())
    except OSError as problem:
        raise unwritten(f"{path} cannot be written", problem, "name another file with --rules") from problem


def rules_of(here: State, book: Book, chart: Chart, where: Path) -> tuple[Rule, ...]:
    """Return the rules with the accounts of the chart; raise UsageError for an account that is not there."""
    check = checker(here, chart.rates)
    return tuple(
        _rule(one, chart, check, f"{where}, rule {number}, account") for number, one in enumerate(book.rules, 1)
    )


def differences_of(book: Book, chart: Chart, where: Path) -> Differences:
    """Return the accounts for differences; raise UsageError for one that is not there."""
    found = {
        name: chart.find(number, f"{where}, accounts.{name}").id
        for name in Accounts.__struct_fields__
        if (number := getattr(book.accounts, name))
    }
    return Differences(**found)


def _rule(written: Written, chart: Chart, check: Check, where: str) -> Rule:
    vat = _VAT.fullmatch(written.vat) if written.vat else None
    rate = Decimal(vat[2]) if vat and vat[2] else None

    @cache
    def fault_on(day: date) -> str:
        # a rule knows no invoice that came late: what is input VAT, too, is of the day
        try:
            check([Charged(f"the rule {written.title}", OUTPUT_VAT, rate or Decimal(0))], lambda: day)
        except UsageError as wrong:
            return wrong.message
        return ""

    return Rule(
        title=written.title,
        account=chart.find(written.account, where).id,
        words=folded(written.text),
        iban=compact(written.iban),
        reference=reference_key(written.reference),
        comes_in={"in": True, "out": False}.get(written.direction),
        vat_code=int(vat[1]) if vat else None,
        vat_rate=rate,
        fault_on=fault_on if vat and int(vat[1]) in TAXED else None,
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
