"""Assets that are depreciated, kept as TOML in the folder of the project, as rules of banks are (docs/closing.md 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import msgspec

from acctcli.cli.account.chart import PATTERN
from acctcli.cli.document.entries import cents_of
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.law.depreciation import MOST_OF_RESIDUE, Asset, Method, Portion, plan
from acctcli.settings.files import read_toml

NAME = "assets.toml"
PREFIX = "depreciation-"
# of all tags, whichever asset they are of
TAG = re.compile(rf"\b{PREFIX}[a-z][a-z0-9]*-[0-9]{{4}}(?:-[0-9]{{2}})?(?![a-z0-9-])")
_ID = re.compile(r"[a-z][a-z0-9]{0,31}", re.ASCII)
_ACCOUNT = re.compile(PATTERN, re.ASCII)
_AMOUNT = re.compile(r"[0-9]{1,13}(?:\.[0-9]{1,2})?", re.ASCII)
_RATE = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,2})?", re.ASCII)
_LONGEST_USE = 1200
# years that use begins in; it ends within the calendar, and portions have four digits in their tags
_FIRST, _LAST = 1800, 2999
HINT = "docs/closing.md, section 3, says what assets hold"
_EVERY = ("year", "month")
# a rate of fewer percent would go on for centuries
_LEAST, _WHOLE = 500, 10_000


class Written(msgspec.Struct, forbid_unknown_fields=True):
    """An asset as it is written; amounts and rates stand in quotes."""

    id: str
    account: str
    expense: str
    price: str
    start: date
    method: str
    name: str = ""
    residual: str = "0"
    months: int = 0
    rate: str = ""
    every: str = "year"


class _Book(msgspec.Struct, forbid_unknown_fields=True):
    assets: list[Written] = msgspec.field(default_factory=list)
    year_ends: int = 12


class Planned(NamedTuple):
    """An asset with its plan; `place` is where it is written, `year_ends` the month that its years end with."""

    written: Written
    portions: list[Portion]
    place: str
    year_ends: int

    @property
    def title(self) -> str:
        """What it is called."""
        return self.written.name or self.written.id

    @property
    def prefix(self) -> str:
        """What the tags of all its portions begin with."""
        return f"{PREFIX}{self.written.id}-"

    def left_on(self, day: date) -> int:
        """What its plan leaves of it at the end of a day, in cents; nothing before the month of its first use."""
        if self.written.start.replace(day=1) > day:
            return 0
        taken = sum(one.amount for one in self.portions if one.last <= day)
        return _cents(self.written.price) - taken

    def tag(self, portion: Portion) -> str:
        """What the document of a portion is found by."""
        return f"{self.prefix}{portion.name}"


def path_of(here: State, named: Path | None) -> Path:
    """Return the file of the assets: the one named, else that beside the project's settings, or in this folder."""
    if named is not None:
        return named
    project = here.settings.project_path
    return (project.parent if project else Path()) / NAME


def read_plans(here: State, named: Path | None) -> list[Planned]:
    """Return the assets with their plans; raise UsageError for a file that is not there, and for what cannot be."""
    path = path_of(here, named)
    tables = read_toml(path, links=True)
    if tables is None:
        raise UsageError(f"there is no file {path} of assets", hint=HINT)
    try:
        book = msgspec.convert(tables, _Book)
    except msgspec.ValidationError as problem:
        raise UsageError(f"{path}: {problem}", hint=f"amounts and rates stand in quotes; {HINT}") from None
    if not 1 <= book.year_ends <= 12:
        raise UsageError(f"{path}, year_ends: {book.year_ends} is no month, from 1 to 12")
    found: dict[str, Planned] = {}
    for number, one in enumerate(book.assets, 1):
        place = f"{path}, asset {number}"
        if wrong := next(_problems(one), None):
            raise UsageError(f"{place}, {wrong}", hint=HINT)
        if one.id in found:
            raise UsageError(f"{place}, id: {one.id!r} is another asset, too", hint="each has an id of its own")
        found[one.id] = Planned(one, plan(_asset(one, book.year_ends)), place, book.year_ends)
    return list(found.values())


def _problems(one: Written) -> Iterator[str]:
    """Yield what is wrong with an asset, the field first."""
    if not _ID.fullmatch(one.id):
        yield f"id: {one.id!r} is none: write small letters and digits, such as van or van2"
    for field in ("account", "expense"):
        if not _ACCOUNT.fullmatch(getattr(one, field)):
            yield f"{field}: {getattr(one, field)!r} is not an account: write its number, such as 1160"
    for field in ("price", "residual"):
        if not _AMOUNT.fullmatch(getattr(one, field)):
            yield f"{field}: {getattr(one, field)!r} is no amount: write it as 12000.00"
    if _cents(one.price) <= _cents(one.residual):
        yield f"residual: {one.residual} is not less than the price, {one.price}: nothing is depreciated"
    if not _FIRST <= one.start.year <= _LAST:
        yield f"start: {one.start} is no day that use begins: write one of the years {_FIRST} to {_LAST}"
    if one.method not in set(Method):
        yield f"method: {one.method!r} is none: write {', '.join(Method)}"
    if one.every not in _EVERY:
        yield f"every: {one.every!r} is neither year nor month"
    yield from _problems_of_use(one)


def _problems_of_use(one: Written) -> Iterator[str]:
    has_months, has_rate = one.method != Method.RESIDUE, one.method != Method.STRAIGHT_LINE
    if has_months and not 1 <= one.months <= _LONGEST_USE:
        yield f"months: {one.months or 'nothing'} says how long it is used: write 1 to {_LONGEST_USE}"
    if not has_months and one.months:
        yield f"months: {one.method} goes on until nothing is left: leave it out"
    if not has_rate and one.rate:
        yield f"rate: {one.method} has none: leave it out"
    if has_rate and one.rate and not _RATE.fullmatch(one.rate):
        yield f"rate: {one.rate!r} is no percentage: write it as 25 or 12.5"
    most = MOST_OF_RESIDUE if one.method == Method.RESIDUE else _WHOLE
    if has_rate and not _LEAST <= _rate(one) <= most:
        yield f"rate: {one.rate or 'nothing'} is not {_LEAST // 100} to {most // 100} percent a year"


def _asset(one: Written, year_ends: int) -> Asset:
    return Asset(
        _cents(one.price),
        _cents(one.residual),
        one.start,
        Method(one.method),
        one.months,
        _rate(one),
        one.every == "month",
        year_ends,
    )


def _rate(one: Written) -> int:
    """Return the rate in hundredths of a percent; of the residue it is the highest that there is."""
    if one.method == Method.RESIDUE and not one.rate:
        return MOST_OF_RESIDUE
    return cents_of(Decimal(one.rate)) if one.rate else 0


def _cents(amount: str) -> int:
    return cents_of(Decimal(amount))
