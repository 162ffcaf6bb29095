"""Bodies of documents: with accounts by number, and many from a file of JSON lines."""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from acctcli.cli._input import check, parse_json, read_body, read_changes, read_text
from acctcli.cli._output import show_plans, show_stream
from acctcli.cli._state import State
from acctcli.client.extent import Extent
from acctcli.client.plan import Planned
from acctcli.errors import AcctcliError, Interrupted, UsageError
from acctcli.models.base import partial
from acctcli.models.document import Blueprint, DocumentRequest

_LINES = (".jsonl", ".ndjson")


def is_json_lines(source: str | None) -> bool:
    """Tell whether the file holds one body a line, by its name."""
    return source is not None and source.lower().endswith(_LINES)


def read_document(here: State, named: Mapping[str, object], by_number: bool) -> DocumentRequest:
    """Build a whole document body."""
    return _resolved(here, read_body(here, DocumentRequest, named), by_number)


def read_document_changes(here: State, named: Mapping[str, object], by_number: bool) -> DocumentRequest:
    """Build a partial document body."""
    return _resolved(here, read_changes(here, DocumentRequest, named), by_number)


def read_document_copy(here: State, named: Mapping[str, object], by_number: bool) -> DocumentRequest:
    """Build what a copy shall have other than its original; nothing is needed."""
    return _resolved(here, read_body(here, partial(DocumentRequest), named), by_number)


def create_many(here: State, named: Mapping[str, object], by_number: bool, columns: Sequence[str]) -> None:
    """Post every line of the file, in order; all lines are checked before the first is sent.

    Each line has its own idempotency key, made from one base key: after a failure the message names the base, and
    running the command again with it goes on without posting anything twice.
    """
    bodies = list(_read_lines(here, named, by_number))
    base = here.options.idempotency_key or str(uuid.uuid4())
    if here.options.dry_run:
        show_plans(here, _plan_all(here, bodies, base))
        return
    posting = _post_all(here, bodies, base)
    try:
        show_stream(here, posting, columns)
    except KeyboardInterrupt as stop:
        raise Interrupted("interrupted", hint=f"go on safely with --idempotency-key {base}") from stop
    except (AcctcliError, OSError):
        # a failure to show, or a reader who left, stops no posting; a failure to post has ended it already
        deque(posting, 0)
        raise
    here.say(f"posted {len(bodies)} documents")


def _post_all(here: State, bodies: list[DocumentRequest], base: str) -> Iterator[list[msgspec.Raw]]:
    for line, body in enumerate(bodies, 1):
        try:
            reply = here.api.documents.create(body, _key(base, line))
        except AcctcliError as error:
            error.message = f"line {line} of {len(bodies)}: {error.message}"
            error.hint = f"{line - 1} lines are posted; mend it and go on with --idempotency-key {base}"
            raise
        yield [msgspec.Raw(reply.body)]


def _plan_all(here: State, bodies: list[DocumentRequest], base: str) -> Iterator[list[msgspec.Raw]]:
    for line, body in enumerate(bodies, 1):
        try:
            here.api.documents.create(body, _key(base, line))
        except Planned as planned:
            yield [msgspec.Raw(planned.as_json())]


def _key(base: str, line: int) -> str:
    return str(uuid.uuid5(uuid.uuid5(uuid.NAMESPACE_OID, base), str(line)))


def _read_lines(here: State, named: Mapping[str, object], by_number: bool) -> Iterator[DocumentRequest]:
    assert here.options.file is not None
    if here.options.set:
        raise UsageError("--set does not go with a file of many documents")
    given = {name: value for name, value in named.items() if value is not None}
    resolve = _resolver(here) if by_number else None
    lines = read_text(here.options.file).split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        place = f"{here.options.file} line {number}"
        values = parse_json(line, place)
        body = check(DocumentRequest, {**values, **given} if isinstance(values, dict) else values, place)
        yield _with_ids(body, resolve) if resolve else body


def _resolved(here: State, body: DocumentRequest, by_number: bool) -> DocumentRequest:
    return _with_ids(body, _resolver(here)) if by_number else body


def _with_ids(body: DocumentRequest, resolve: Callable[[int], int]) -> DocumentRequest:
    """Return the body with ids where it held account numbers."""
    if "blueprint" not in body.model_fields_set:
        return body
    values = body.model_dump(exclude_unset=True)
    values["blueprint"] = _replace_numbers(values["blueprint"], resolve)
    return check(type(body), values)


def _replace_numbers(blueprint: dict[str, Any], resolve: Callable[[int], int]) -> dict[str, Any]:
    changed = dict(blueprint)
    for name in Blueprint.model_fields:
        value = blueprint.get(name)
        if name.endswith("account_id") and value is not None:
            changed[name] = resolve(value)
        elif isinstance(value, list):
            changed[name] = [_replace_number(row, resolve) for row in value]
    return changed


def _replace_number(row: dict[str, Any], resolve: Callable[[int], int]) -> dict[str, Any]:
    number = row.get("account_id")
    return row if number is None else {**row, "account_id": resolve(number)}


def _resolver(here: State) -> Callable[[int], int]:
    """Read the chart once; return what turns a number into an id."""

    class _Account(msgspec.Struct):
        id: int
        number: str

    decode = msgspec.json.Decoder(_Account).decode
    chart = here.api.accounts.list({}, Extent(limit=None))
    ids = {account.number: account.id for page in chart for account in map(decode, page)}

    def resolve(number: int) -> int:
        if str(number) not in ids:
            raise UsageError(
                f"there is no account {number} in the chart",
                hint=f"see: acctcli account list --search {number}",
            )
        return ids[str(number)]

    return resolve
