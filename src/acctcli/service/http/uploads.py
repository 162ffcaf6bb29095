"""Bodies that carry a file: it goes to the disk as it arrives, the other fields are read as from any body.

The disk is slow, so all this happens before the transaction that makes the row.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from acctcli.service.http import bodies
from acctcli.service.problems import Invalid

if TYPE_CHECKING:
    from acctcli.service.http.bodies import Body, Stream
    from acctcli.service.store.contents import Content, Contents

FILE = "file"
CHUNK = 2**18

# makes what is kept of what was sent
Remake = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class Upload:
    """The fields of a body, `file` among them as Content; `mark` stands for the whole body in a fingerprint."""

    fields: Mapping[str, Any]
    mark: bytes

    @property
    def content(self) -> Content | None:
        """What was laid on the disk, None when there was no file in the body."""
        found: Content | None = self.fields.get(FILE)
        return found


def receive(
    stream: Body,
    content_type: str | None,
    contents: Contents,
    name: str,
    remake: Remake | None = None,
) -> Upload:
    """Read a body and keep its file under a new name; when anything is wrong with it, nothing is kept.

    What is kept is what `remake` makes of it, where that is said. Raises MediaUnknown, Invalid, TooLarge, Unavailable.
    """
    try:
        upload = _received(stream, content_type, contents, name)
        return upload if remake is None or upload.content is None else _remade(upload, contents, name, remake)
    except BaseException:
        contents.remove([name])
        raise


def _received(stream: Body, content_type: str | None, contents: Contents, name: str) -> Upload:
    if bodies.media_type(content_type) == bodies.MULTIPART:
        return _receive_parts(stream, content_type or "", contents, name)
    with bodies.whole(stream) as body:
        return _receive_json(body, content_type, contents, name)


def _remade(upload: Upload, contents: Contents, name: str, remake: Remake) -> Upload:
    with contents.open(name) as stream:
        made = remake(stream.read())
    return replace(upload, fields={**upload.fields, FILE: contents.keep(name, [made])})


def _receive_parts(stream: Stream, content_type: str, contents: Contents, name: str) -> Upload:
    fields: dict[str, Any] = {}
    marks: list[tuple[str, str]] = []
    with bodies.parts_of(stream, content_type) as parts:
        for part in parts:
            if part.name != FILE:
                fields[part.name] = text = part.text()
                marks.append((part.name, text))
            elif FILE in fields:
                raise Invalid.field(FILE, "Send one file.")
            else:
                fields[FILE] = content = contents.keep(name, part.pieces)
                marks.append((FILE, content.sha256))
    return Upload(fields, msgspec.json.encode(marks))


def _receive_json(body: bytes, content_type: str | None, contents: Contents, name: str) -> Upload:
    text: object = None
    if bodies.media_type(content_type) == bodies.JSON and (found := bodies.split_off(body, FILE)) is not None:
        fields, text = found
    else:
        fields = bodies.read_fields(body, content_type, forms=False)
        text = fields[FILE].encode("ascii", "replace") if isinstance(fields.get(FILE), str) else fields.get(FILE)
    if text is not None or FILE in fields:
        fields[FILE] = contents.keep(name, _decoded(text))
    return Upload(fields, hashlib.sha256(body).digest())


def _decoded(text: object) -> Iterator[bytes]:
    """Yield what base64 stands for piece by piece; padding ends it."""
    try:
        if not isinstance(text, bytes | memoryview):
            raise TypeError
        for begin in range(0, len(text), CHUNK):
            piece = bytes(text[begin : begin + CHUNK])
            if b"=" in piece and begin + CHUNK < len(text):
                raise ValueError
            yield base64.b64decode(piece, validate=True)
    except (TypeError, ValueError):
        raise Invalid.field(FILE, "Must be base64, or a part of a multipart body.") from None
