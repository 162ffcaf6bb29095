"""Records from a file, one a row of CSV or a line of JSON, each made once (docs/moving.md 2).

What is there is known by what it is called, so that the same command goes on wherever it was stopped, on any machine.
The key of each follows from the books and its content, so that two commands at once make one.
"""

from __future__ import annotations

import hashlib
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from functools import partial
from http import HTTPStatus
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from acctcli.cli.command.body import check, leaves, parse_json, read_text
from acctcli.cli.command.called import Many
from acctcli.cli.command.items import says
from acctcli.cli.command.local_forms import number_of
from acctcli.cli.command.many import Step, create_once, send_all
from acctcli.cli.command.once import base_key
from acctcli.cli.command.options import Field, name_options
from acctcli.cli.command.tables import CsvTable
from acctcli.cli.output.progress import counted
from acctcli.cli.output.replies import read_all
from acctcli.cli.output.stderr import how_many, how_many_are, tell
from acctcli.cli.session.state import State
from acctcli.client.collection import Collection
from acctcli.client.messages import Extent, Reply, encode
from acctcli.errors import ServerFault, UsageError
from acctcli.models.base import Request

What = TypeVar("What")

_YES_OR_NO = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_MOST_TOLD = 20
_decode = msgspec.json.Decoder(dict[str, Any], float_hook=Decimal).decode


class Brought(NamedTuple):
    """What is made: the noun of one, where they are, the request, and options that its columns may be called like.

    `refuse` raises UsageError for a body that makes no sense.
    """

    noun: str
    records: Collection[Any]
    model: type[Request]
    fields: Sequence[Field]
    many: Many
    refuse: Callable[[Any, None], None]


class _Row(NamedTuple):
    """A body, what it says, and where it stands."""

    place: str
    body: Request
    said: Mapping[str, Any]


class _There(NamedTuple):
    """A record of the service, and as it came."""

    values: Mapping[str, Any]
    raw: bytes


def create_all(here: State, brought: Brought, columns: Sequence[str]) -> None:
    """Create what is not there yet of all that the file holds, in order, and show `columns` of each.

    Raises UsageError, before anything is sent, naming all that is wrong.
    """
    rows = _read(here, brought)
    there = _all(brought)
    found = [there.find(row.said) for row in rows]
    told = [_told(row, one, brought) for row, one in zip(rows, found, strict=True) if one is not None]
    if told:
        tell(f"already there, and left as they are: {', '.join(told)}")
    if here.options.dry_run:
        base = str(uuid.uuid4())
        new = [row for row, one in zip(rows, found, strict=True) if one is None]
        send_all(here, (Step(partial(_create, here, brought, base, row), row.place) for row in new), base, columns, str)
    else:
        base = base_key(here)
        steps = (
            Step(partial(_settle, here, brought, base, row, one), row.place)
            for row, one in zip(rows, found, strict=True)
        )
        send_all(
            here,
            steps,
            base,
            columns,
            lambda number: f"{how_many_are(number, brought.noun)} there; the same command goes on",
            lambda pages: counted(here, pages, len(rows)),
            goes_on=True,
        )
        here.say(f"created {how_many(len(rows) - len(told), brought.noun)}")


# --- what the file says ---


def _read(here: State, brought: Brought) -> list[_Row]:
    source = here.options.file or ""
    if here.options.set:
        raise UsageError("--set does not go with a file of many: an option says it of all")
    rows, wrong, filling = list[_Row](), list[str](), brought.many.filling(here)
    is_json = source.lower().endswith(("jsonl", "ndjson"))
    for place, values in _lines(source) if is_json else _table(here, source, brought):
        try:
            if isinstance(values, UsageError):
                raise values
            given = {**values, **here.named}
            said = given if is_json else {**given, **filling(given)}
            body = check(brought.model, said)
            brought.refuse(body, None)
            rows.append(_Row(place, body, _decode(encode(body))))
        except UsageError as problem:
            name_options(problem, brought.fields)
            wrong.append(f"{place}: {problem.message}")
    wrong += _twice(rows, brought)
    if wrong:
        more = f"; and {len(wrong) - _MOST_TOLD} more" if len(wrong) > _MOST_TOLD else ""
        raise UsageError(f"{'; '.join(wrong[:_MOST_TOLD])}{more}", hint="nothing was sent")
    return rows


def _lines(source: str) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(read_text(source).split("\n"), 1):
        if line.strip():
            place = f"--file {source} line {number}"
            values = parse_json(line, place)
            yield place, values if isinstance(values, dict) else UsageError("it must hold one JSON object")


def _table(here: State, source: str, brought: Brought) -> list[tuple[str, dict[str, Any] | UsageError]]:
    rows = list(_cells(source, brought))
    brought.many.mending(here, [values for _, values in rows if isinstance(values, dict)])
    return rows


def _cells(source: str, brought: Brought) -> Iterator[tuple[str, dict[str, Any] | UsageError]]:
    """Yield what each row says; empty cells say nothing."""
    options = {one.make().opts[0].removeprefix("--"): one for one in brought.fields}
    known = {**dict.fromkeys(brought.model.model_fields), **options}
    for row in CsvTable(source, "--file").records():
        if unknown := [name for name in row.cells if name not in known]:
            raise UsageError(f"--file {source}: {'; '.join(_unknown(name, known) for name in unknown)}")
        values: dict[str, Any] = {}
        try:
            for name, text in row.cells.items():
                field = known[name]
                if text:
                    wire = field.wire if field else name
                    values[wire] = _value(name, field, _plain_number(brought.model, wire, name, text))
        except UsageError as problem:
            yield row.place, problem
        else:
            yield row.place, values


def _plain_number(model: type[Request], wire: str, name: str, text: str) -> str:
    """Return a number as the interface has it, where the field is one; raise UsageError for what may be two."""
    asked = model.model_fields.get(wire)
    if asked is None or Decimal not in leaves(asked.annotation):
        return text
    meant = number_of(text)
    # no thousands begin with a zero
    if meant is None and not text.startswith("0"):
        raise UsageError(f"{name}: {text!r} is no number that is certain: write two decimals, or four, such as 1234,00")
    return meant or text


def _unknown(name: str, known: Mapping[str, object]) -> str:
    near = get_close_matches(name, known, 1)
    return f"there is no field {name!r}; " + (f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}")


def _value(name: str, field: Field | None, text: str) -> object:
    if field is None:
        return parse_json(text, name) if text[:1] in {"[", "{"} else text
    if field.make().is_flag:
        if text.casefold() not in _YES_OR_NO:
            raise UsageError(f"{name}: {text!r} is neither yes nor no")
        return _YES_OR_NO[text.casefold()]
    return field.read(text) if field.read else text


def _twice(rows: Sequence[_Row], brought: Brought) -> Iterator[str]:
    """Yield what is wrong with rows that are called as an earlier one."""
    known = _Known[str](brought.many.names)
    for row in rows:
        if (earlier := known.find(row.said)) is not None:
            yield f"{row.place}: {_called(row.said, brought)} stands at {earlier}, too"
        known.add(row.said, row.place)


# --- what is there ---


class _Known(Generic[What]):
    """What is known by what it is called: two are one if the first name that both have is the same."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._by: defaultdict[tuple[str, str], list[tuple[Mapping[str, Any], What]]] = defaultdict(list)

    def add(self, values: Mapping[str, Any], what: What) -> None:
        """Take in what is called by the values."""
        for name in self._names:
            if text := _plain(values, name):
                self._by[name, text].append((values, what))

    def find(self, said: Mapping[str, Any]) -> What | None:
        """Return the first that is called so."""
        for place, name in enumerate(self._names):
            if not (text := _plain(said, name)):
                continue
            for values, what in self._by[name, text]:
                if not any(_plain(values, other) and _plain(said, other) for other in self._names[:place]):
                    return what
        return None


def _all(brought: Brought) -> _Known[_There]:
    known = _Known[_There](brought.many.names)
    try:
        for raw in read_all(brought.records.list({}, Extent(limit=None)).while_it_grows(), bytes):
            known.add(values := _decode(raw), _There(values, raw))
    except (msgspec.DecodeError, RecursionError) as problem:
        raise ServerFault(f"a {brought.noun} cannot be read: {problem}", code="unreadable_reply") from problem
    return known


def _plain(values: Mapping[str, Any], name: str) -> str:
    return " ".join(str(values.get(name) or "").split()).casefold()


def _called(said: Mapping[str, Any], brought: Brought) -> str:
    return next((str(said[name]) for name in brought.many.names if _plain(said, name)), "")


def _told(row: _Row, there: _There, brought: Brought) -> str:
    """Name what is there, and the fields by which it differs from the file, but for lists, which are texts at best."""
    plain = {name: value for name, value in row.said.items() if not isinstance(value, list | dict)}
    differing = [name for name, value in plain.items() if not says(value, there.values.get(name))]
    called = _called(row.said, brought)
    return f"{called} (another {', '.join(differing)})" if differing else called


# --- making it ---


def _settle(here: State, brought: Brought, base: str, row: _Row, there: _There | None) -> Reply:
    if there is not None:
        return Reply(HTTPStatus.OK, {}, there.raw)
    return _create(here, brought, base, row)


def _create(here: State, brought: Brought, base: str, row: _Row) -> Reply:
    digest = hashlib.sha256(msgspec.json.encode(row.said, order="sorted")).hexdigest()
    create = partial(brought.records.create, row.body)
    return create_once(here, base, f"{brought.noun} {digest}", create, brought.records.get)
