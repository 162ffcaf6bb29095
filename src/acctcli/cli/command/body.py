"""Bodies from files, stdin, options and --set; typed by the model of the interface, never guessed."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Iterator, Mapping
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from acctcli.cli.command.local_forms import in_our_form
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.models.base import Request, partial, sentence

Body = TypeVar("Body", bound=Request)
_LARGEST_BODY = 64 * 1024 * 1024
_WORKBOOKS = (".xlsx", ".xls", ".ods")


class Part(dict[str, Any]):
    """What `--set a.b=value` says of an object that nothing else gives: some fields of one that may be there."""


def read_body(
    here: State,
    model: type[Body],
    named: Mapping[str, object] | None = None,
    defaults: Mapping[str, object] | None = None,
) -> Body:
    """Build a whole body: the file over `defaults`, then `State.named` and `named`, then --set.

    Raises UsageError naming every field that is unknown (with the nearest name), missing or wrong.
    """
    return check(model, {**(defaults or {}), **collect(here, model, named or {})})


def read_changes(here: State, model: type[Body], named: Mapping[str, object] | None = None) -> Body:
    """Build a partial body; at least one field must be given."""
    values = collect(here, model, named or {})
    check_any(values)
    form: type[Body] = partial(model)
    return check(form, values)


def check_any(values: Mapping[str, object]) -> None:
    """Raise UsageError unless a field is given."""
    if not values:
        raise UsageError("nothing to change", hint="give --set FIELD=VALUE, --file, or an option")


def read_text(source: str, option: str = "--file") -> str:
    """Read a file, or stdin for `-`; raise UsageError when it cannot be read or is not UTF-8.

    `option` is what gave the source: errors name it.
    """
    try:
        return read_content(source, option).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        hint = "it is a workbook: save it as CSV" if source.lower().endswith(_WORKBOOKS) else None
        raise UsageError(f"{option} {source}: not UTF-8 text (byte {problem.start})", hint=hint) from problem


def read_content(source: str, option: str) -> bytes:
    """Read the bytes of a file, or of stdin for `-`; raise UsageError when it cannot be read, or is too large."""
    try:
        if source == "-":
            data = sys.stdin.buffer.read(_LARGEST_BODY + 1)
        else:
            with Path(source).open("rb") as stream:
                data = stream.read(_LARGEST_BODY + 1)
    except OSError as problem:
        raise UsageError(f"{option} {source}: {problem.strerror or problem}") from problem
    if len(data) > _LARGEST_BODY:
        raise UsageError(f"{option} {source}: larger than {_LARGEST_BODY // 1024 // 1024} MiB")
    return data


def parse_json(text: str, name: str) -> Any:
    """Parse JSON with exact decimals; duplicate keys, NaN and Infinity are errors. `name` says where it came from."""
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except json.JSONDecodeError as problem:
        raise UsageError(
            f"{name}: not JSON: {problem.msg} at line {problem.lineno}, column {problem.colno}"
        ) from problem
    except (ValueError, RecursionError) as problem:
        raise UsageError(f"{name}: not JSON: {problem}") from problem


def read_json(source: str, option: str) -> Any:
    """Return the JSON that an option gives: as it is typed, in a file for `@FILE`, on stdin for `-`."""
    if source == "-" or source.startswith("@"):
        return parse_json(read_text(source.removeprefix("@"), option), f"{option} {source}")
    return parse_json(source, option)


def check(model: type[Body], values: object, name: str = "the body") -> Body:
    """Type `values` by the model; raise UsageError with every wrong field."""
    if not isinstance(values, dict):
        raise UsageError(f"{name} must be one JSON object")
    problems = dict(_unknown_fields(model, values, ""))
    if problems:
        raise _wrong(problems, name)
    try:
        return model.model_validate(values)
    except ValidationError as problem:
        raise _wrong(dict(_field_problems(problem)), name) from problem


def collect(here: State, model: type[Request], named: Mapping[str, object]) -> dict[str, Any]:
    """Return what is said of a body: in the file, by options, by --set; not checked yet."""
    values: dict[str, Any] = {}
    if here.options.file is not None:
        parsed = parse_json(read_text(here.options.file), f"--file {here.options.file}")
        if not isinstance(parsed, dict):
            raise UsageError(f"--file {here.options.file}: must hold one JSON object")
        values.update(parsed)
    values.update(here.named)
    values.update({name: value for name, value in named.items() if value is not None})
    for assignment in here.options.set:
        _assign(values, model, assignment)
    return values


def _assign(values: dict[str, Any], model: type[BaseModel], assignment: str) -> None:
    """Carry out one `--set a.b=value`."""
    path, equals, text = assignment.partition("=")
    parts = path.split(".")
    if not equals or not all(parts):
        raise UsageError(f"--set {assignment!r}: write it like field=value")
    kinds: list[Any] = [model]
    place = values
    for depth, part in enumerate(parts):
        kinds = _field_kinds(kinds, part, path)
        if depth < len(parts) - 1:
            inner = place.setdefault(part, Part())
            if not isinstance(inner, dict):
                raise UsageError(f"--set {path}: {'.'.join(parts[: depth + 1])} is no object")
            place = inner
    place[parts[-1]] = _typed(kinds, text, path)


def _field_kinds(kinds: list[Any], part: str, path: str) -> list[Any]:
    for kind in kinds:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            if part not in kind.model_fields:
                raise _wrong({path: [_no_such_field(part, kind)]}, "--set")
            return list(leaves(kind.model_fields[part].annotation))
    return [Any]


def _typed(kinds: list[Any], text: str, path: str) -> Any:
    """Give the text the form its field wants: null, JSON for lists and objects, else the text itself."""
    if text == "null":
        return None
    if any(get_origin(kind) in {list, dict} or _is_model(kind) or kind in {Any, dict, list} for kind in kinds):
        if str in kinds and text[:1] not in {"[", "{"}:
            return text
        return parse_json(text, f"--set {path}")
    return text


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def leaves(annotation: Any) -> Iterator[Any]:
    """Yield the types that an annotation of a field allows, without None."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from leaves(get_args(annotation)[0])
    elif origin in {Union, types.UnionType}:
        for one in get_args(annotation):
            yield from leaves(one)
    elif annotation is not type(None):
        yield annotation


def _unknown_fields(model: type[BaseModel], values: dict[str, Any], prefix: str) -> Iterator[tuple[str, list[str]]]:
    for key, value in values.items():
        if key not in model.model_fields:
            yield f"{prefix}{key}", [_no_such_field(key, model)]
            continue
        for kind in leaves(model.model_fields[key].annotation):
            inner = get_args(kind)[0] if get_origin(kind) is list else kind
            if not _is_model(inner):
                continue
            items = enumerate(value) if isinstance(value, list) else [(None, value)]
            for position, item in items:
                if isinstance(item, dict):
                    place = key if position is None else f"{key}.{position}"
                    yield from _unknown_fields(inner, item, f"{prefix}{place}.")


def _no_such_field(name: str, model: type[BaseModel]) -> str:
    near = get_close_matches(name, model.model_fields, 1)
    return (
        f"no such field; did you mean {near[0]}?"
        if near
        else f"no such field; there are {', '.join(model.model_fields)}"
    )


def _field_problems(found: ValidationError) -> Iterator[tuple[str, list[str]]]:
    for problem in found.errors(include_url=False, include_context=False):
        place = ".".join(str(part) for part in problem["loc"] if not str(part).startswith("function-"))
        text = "required" if problem["type"] == "missing" else sentence(problem["msg"])
        if problem["type"] in {"decimal", "date"}:
            text = f"{text.rstrip('.')}{in_our_form(problem['input'])}."
        yield place, [text]


def _wrong(problems: dict[str, list[str]], name: str) -> UsageError:
    text = "; ".join(f"{field}: {' '.join(texts)}" for field, texts in problems.items())
    return UsageError(text if name == "the body" else f"{name}: {text}", fields=problems)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number JSON has")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {twice!r} comes twice")
    return found
