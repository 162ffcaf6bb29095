"""Request bodies: bytes to checked models, and what is wrong with them as fields (docs/interface.md 1.5)."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from decimal import Decimal
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast
from urllib.parse import parse_qsl

from msgspec import Raw
from msgspec.json import Decoder

from acctcli.service.http.large import CHUNKED_TURNS, TURNS
from acctcli.service.problems import Invalid, MediaUnknown, TooLarge

if TYPE_CHECKING:
    from multipart import PushMultipartParser
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
# beyond it they arrive on the disk
LARGE_BODY = 2**19
CHUNK = 2**18
MAX_FIELDS = 1000
# each escape of a form is an object while it is read
MAX_FORM = 2**18
MAX_BODY_PARTS = 64
MAX_PART_HEADER = 2**13
MAX_TEXT = 2**20
AS_THEY_ARE = ("binary", "8bit", "7bit")
# commas and brackets of JSON: what is between two of them may take a hundred bytes in memory
MAX_PARTS = 500_000
PARTS = (b",", b"[", b"{")

_decode = Decoder(float_hook=Decimal).decode
_decode_parts = Decoder(dict[str, Raw]).decode
_ESCAPE = re.compile(rb"\\")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Stream(Protocol):
    """A body as it arrives."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Return up to `size` bytes, all that is left for -1 and None, nothing at the end."""


class Body:
    """The `length` bytes of a request's body, of `limit` at most."""

    def __init__(self, stream: Stream, length: int, limit: int) -> None:
        if length > limit:
            raise TooLarge
        self._stream = stream
        self.length = length
        self._left = length

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the next bytes, all that is left for -1; Invalid for a body that ends before its length."""
        wanted = self._left if size is None or size < 0 else min(size, self._left)
        if not wanted:
            return b""
        data = self._stream.read(wanted)
        self._left -= len(data)
        if self._left and (len(data) < wanted if size is None or size < 0 else not data):
            raise Invalid.whole("The body is shorter than its Content-Length.")
        return data


def open_body(stream: Stream, length: int | None, limit: int) -> AbstractContextManager[Body]:
    """Open a body whose sender said how long it is, or who sends it in chunks."""
    return _chunked(stream, limit) if length is None else nullcontext(Body(stream, length, limit))


@contextmanager
def _chunked(stream: Stream, limit: int) -> Iterator[Body]:
    with SpooledTemporaryFile(LARGE_BODY, prefix="acctcli-") as file:
        with CHUNKED_TURNS.held():
            size = _keep(read_chunked(stream), file, limit)
        file.seek(0)
        yield Body(cast("Stream", file), size, limit)


def whole(body: Body) -> AbstractContextManager[bytes]:
    """Give the bytes of a body; a large one arrives on the disk, and has a turn while the block lasts."""
    return _large(body) if body.length > LARGE_BODY else nullcontext(body.read())


@contextmanager
def _large(body: Body) -> Iterator[bytes]:
    with SpooledTemporaryFile(LARGE_BODY, prefix="acctcli-") as file:
        while piece := body.read(CHUNK):
            file.write(piece)
        with TURNS.held():
            file.seek(0)
            yield file.read()


def _keep(data: bytes, file: SpooledTemporaryFile[bytes], limit: int) -> int:
    if len(data) > limit:
        raise TooLarge
    if len(data) > LARGE_BODY:
        file.rollover()
    return file.write(data)


def read_chunked(stream: Stream) -> bytes:
    """Return a body that came in chunks, whole.

    The server hides what is wrong with chunks: asked for some bytes it returns those before the fault, asked for all of
    them it returns none. So all are asked for at once, and a body without any counts as one that broke off.
    """
    body = stream.read()
    if not body:
        raise Invalid.whole("The body broke off, or has no bytes: send Content-Length: 0 for none.")
    return body


def media_type(content_type: str | None) -> str:
    """Return the bare media type; a body without one is read as JSON."""
    return (content_type or JSON).split(";", 1)[0].strip().lower()


def read_fields(body: bytes, content_type: str | None, *, forms: bool, arrays: Collection[str] = ()) -> dict[str, Any]:
    """Return the fields of a body; an empty one has none. Numbers with a point are Decimal with all their digits.

    Of a field that comes more than once in a form the last one counts, or all where `arrays` names it.
    Raises MediaUnknown for a format the operation does not read, Invalid for a body that is not an object.
    """
    kind = media_type(content_type)
    if not body:
        return {}
    if kind == JSON:
        return _read_json(body)
    if forms and kind == FORM:
        return _gathered(_read_form(body), arrays)
    if forms and kind == MULTIPART:
        return _gathered(read_parts(body, content_type or ""), arrays)
    raise MediaUnknown


def split_off(body: bytes, name: str) -> tuple[dict[str, Any], memoryview] | None:
    """Return the fields of a JSON object but one, and the letters of that one's text as they stand in the body.

    So a text of megabytes is there once and not twice. None for anything else, as a text with escapes, or a body in
    which something is wrong.
    """
    if _has_many_parts(body):
        return None
    try:
        parts = _decode_parts(body)
        text = memoryview(parts.pop(name, b"null"))
        fields = {key: _decode(value) for key, value in parts.items()}
    except (ValueError, ArithmeticError, RecursionError):
        return None
    return (fields, text[1:-1]) if bytes(text[:1]) == b'"' and not _ESCAPE.search(text) else None


def check_items(fields: Mapping[str, Any], most: int) -> None:
    """Refuse a body with more items in its lists than a request may have (docs/interface.md 1.2)."""
    counts = {name: _items(value) for name, value in fields.items()}
    if (count := sum(counts.values())) > most:
        name = max(counts, key=counts.__getitem__)
        text = f"The lists of a request may have {most} items together; these have {count}."
        raise TooLarge(text, fields={name: [text]})


def _items(value: object) -> int:
    count, left = 0, [value]
    while left:
        match left.pop():
            case dict() as fields:
                left.extend(fields.values())
            case list() as items:
                count += len(items)
                left.extend(items)
    return count


def _read_json(body: bytes) -> dict[str, Any]:
    if _has_many_parts(body):
        raise TooLarge(f"A body may have {MAX_PARTS} commas and brackets.")
    try:
        fields = _decode(body)
    except ArithmeticError as error:
        raise Invalid.whole("The exponent of a number in the body is out of range.") from error
    except (ValueError, RecursionError) as error:
        if half := _half_character(body):
            raise Invalid.field(*half) from error
        raise Invalid.whole(f"The body is not JSON: {error}.") from error
    if not isinstance(fields, dict):
        raise Invalid.whole("The body must be a JSON object.")
    return fields


def _half_character(body: bytes) -> tuple[str, str] | None:
    r"""Return the field of a body that says half of a pair of surrogates, such as \ud800, with where it does so.

    None where that is not what is wrong.
    """
    if not _SURROGATE.search(body):
        return None
    import json

    try:
        fields = json.loads(body)  # which takes such halves
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict):
        return None
    halves = {name: json.dumps(value, ensure_ascii=False) for name, value in fields.items()}
    name = next((name for name, text in halves.items() if not _is_text(text) and _is_text(name)), None)
    if name is None:
        return None
    from acctcli.models.graph import find_odd_text

    inside = find_odd_text(fields[name]) if isinstance(fields[name], dict | list) else None
    return name, inside or "Must hold no half of a surrogate pair, which is no character."


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _has_many_parts(body: bytes) -> bool:
    return len(body) > MAX_PARTS and sum(map(body.count, PARTS)) > MAX_PARTS


def _gathered(pairs: Iterable[tuple[str, str]], arrays: Collection[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        fields[name] = [*fields.get(name, ()), value] if name in arrays else value
    return fields


def _read_form(body: bytes) -> list[tuple[str, str]]:
    if len(body) > MAX_FORM:
        raise TooLarge(f"A form may have {MAX_FORM // 2**10} KiB: send more as JSON or multipart.")
    try:
        return parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict")
    except ValueError as error:
        raise Invalid.whole("The form cannot be read.") from error


def read_parts(body: bytes, content_type: str) -> list[tuple[str, str]]:
    """Return names and texts of the parts of a multipart body."""
    with parts_of(io.BytesIO(body), content_type) as parts:
        return [(part.name, part.text()) for part in parts]


class Part(NamedTuple):
    """A part of a multipart body: its name, and its bytes as they arrive."""

    name: str
    pieces: Iterator[bytes]

    def text(self) -> str:
        """Read the part as text, of MAX_TEXT bytes at most."""
        text = bytearray()
        for piece in self.pieces:
            text += piece
            if len(text) > MAX_TEXT:
                raise Invalid.field(self.name, f"A text of a multipart body may have {MAX_TEXT // 2**20} MiB.")
        return text.decode()


@contextmanager
def parts_of(stream: Stream, content_type: str) -> Iterator[Iterator[Part]]:
    """Open a multipart body: each part has to be read before the next; Invalid for what cannot be read in the block."""
    from multipart import MultipartError, PushMultipartParser, parse_options_header

    boundary = parse_options_header(content_type)[1].get("boundary", "")
    try:
        parser = PushMultipartParser(boundary, max_header_size=MAX_PART_HEADER, max_segment_count=MAX_BODY_PARTS)
        yield _parts(parser, stream)
    except (MultipartError, UnicodeError) as error:
        raise Invalid.whole("The multipart body cannot be read.") from error


def _parts(parser: PushMultipartParser, stream: Stream) -> Iterator[Part]:
    events = parser.parse_blocking(stream.read, CHUNK)
    for event in events:
        # what nobody read of the part before is passed by
        if event is not None and not isinstance(event, (bytes, bytearray)):
            if event.header("Content-Transfer-Encoding", "binary").lower() not in AS_THEY_ARE:
                raise Invalid.whole("A part of a multipart body must not be encoded.")
            # None ends a part
            yield Part(event.name, iter(partial(next, events), None))


def may_be_blank(body: bytes, content_type: str | None) -> bool:
    """Whether a field of a body may be an empty text: of JSON its bytes tell, a form shows it in many ways."""
    return b'""' in body or (content_type != JSON and media_type(content_type) != JSON)


def check(model: type[BaseModel], fields: dict[str, Any], *, partial: bool, may_be_blank: bool = True) -> BaseModel:
    """Return the fields as a model, read as section 1.7 says; Invalid names every field at fault."""
    from pydantic import ValidationError

    from acctcli.service.http.tolerance import MOST_MISTAKES, Mistaken, validate

    try:
        return validate(model, fields, partial=partial, may_be_blank=may_be_blank)
    except ValidationError as error:
        mistakes = error.errors(include_url=False, include_context=False, include_input=False)
    except Mistaken as error:
        mistakes = error.mistakes
    raise _invalid(mistakes, MOST_MISTAKES)


def _invalid(mistakes: Sequence[ErrorDetails], most: int) -> Invalid:
    """Return what is wrong with a body by its fields: the first mistakes, and that there are more."""
    fields: dict[str, Any] = {}
    if len(mistakes) > most:
        fields["non_field_errors"] = [f"There are more mistakes: these are the first {most}."]
    for mistake in mistakes[:most]:
        place = mistake["loc"] or ("non_field_errors",)
        _put(fields, [part for part in place if not _is_branch(part)], _sentence(mistake["type"], mistake["msg"]))
    first = mistakes[0]
    name = ".".join(str(part) for part in first["loc"])
    return Invalid(f"{name}: {_sentence(first['type'], first['msg'])}".lstrip(": "), fields=fields)


def _is_branch(part: str | int) -> bool:
    """Whether a step is pydantic's name for a member of a union, which is no field."""
    return isinstance(part, str) and not part.isidentifier()


def _sentence(kind: str, text: str) -> str:
    if kind == "missing":
        return "This field is required."
    from acctcli.models.base import sentence

    text = sentence(text)
    return text if text.endswith(".") else f"{text}."


def _put(fields: dict[str, Any], place: Sequence[str | int], text: str) -> None:
    """Put a text at its place: objects nest, rows become arrays with `{}` for the good ones."""
    name, rest = str(place[0]), place[1:]
    if not rest:
        texts = fields.setdefault(name, [])
        if isinstance(texts, list):
            texts.append(text)
    elif isinstance(rest[0], int):
        _put_row(fields.setdefault(name, []), rest[0], rest[1:], text)
    else:
        inner = fields.setdefault(name, {})
        if isinstance(inner, dict):
            _put(inner, rest, text)


def _put_row(rows: list[Any], index: int, rest: Sequence[str | int], text: str) -> None:
    rows.extend({} for _ in range(index + 1 - len(rows)))
    row = rows[index]
    if isinstance(row, dict):
        _put(row, rest or ("non_field_errors",), text)
