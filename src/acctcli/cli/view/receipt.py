"""Files of documents, and papers of invoices: shown by an address of the pages, where browsers show them safely.

What a file is says its content. Only pictures and PDFs are shown; anything else is saved, and nothing of it runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from tempfile import TemporaryFile
from typing import BinaryIO
from urllib.parse import quote

import msgspec

from acctcli.cli.file.downloads import PATIENCE
from acctcli.cli.output.replies import decoded
from acctcli.cli.report.sheet import clean
from acctcli.cli.view.asked import Asked
from acctcli.cli.view.page import FAULTS, Reply, failure
from acctcli.cli.view.tags import Html, tag
from acctcli.client.downloads import Budget, ContentKind, Fetcher, kind_of
from acctcli.errors import NotFound

# as the service takes (docs/interface.md 6.2), and some more
_LARGEST = 64 * 2**20
_PIECE, _BEGINNING = 2**16, 16
_POLICY = "default-src 'none'; frame-ancestors 'self'"
_PDF = "application/pdf"
# readers of PDFs leave their room to the page
_READER = "#navpanes=0&view=FitH"
_BEGINNINGS = (
    (b"%PDF-", _PDF),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})


class _File(msgspec.Struct):
    name: str
    type: str | None = None
    file: str | None = None


def page(asked: Asked) -> Reply:
    """Send a file."""
    found = decoded(asked.here.api.files.get(asked.record_id), _File)
    return content(asked, found.name, found.file, kind_of(found.name))


def content(asked: Asked, name: str, address: str | None, kind: ContentKind) -> Reply:
    """Send what is at an address of the service: all of it is here before the first byte goes."""
    if address is None:
        raise NotFound("there is no file yet")
    here = asked.here
    stream = TemporaryFile()  # noqa: SIM115 - it is closed when it is sent
    try:
        with closing(
            Fetcher(here.http, Budget(_LARGEST), here.options.ca_file, here.options.timeout or PATIENCE)
        ) as one:
            one.fetch(address, stream, kind)
    except BaseException:
        stream.close()
        raise
    stream.seek(0)
    shown = _shown(stream.read(_BEGINNING))
    stream.seek(0)
    way = "inline" if shown else "attachment"
    told = {"Content-Disposition": f"{way}; filename*=UTF-8''{quote(name, safe='', errors='replace')}"}
    return Reply(200, _Content(stream), shown or "application/octet-stream", _POLICY, told)


def shown_beside(asked: Asked, numbers: Sequence[int]) -> Iterator[Html]:
    """Yield the files of a document, each shown or to be saved."""
    for number in numbers:
        try:
            found = decoded(asked.here.api.files.get(number), _File)
        except FAULTS as problem:
            yield failure(asked, problem)
            continue
        yield figure(clean(found.name), found.type, asked.link("receipt", number))


def figure(name: str, kind: str | None, address: str) -> Html:
    """Return what shows a file that is said to be of a kind, and the way to it alone."""
    way = tag("a", name, href=address)
    shown = None
    if kind in _PICTURES:
        shown = tag("img", src=address, alt=name, loading="lazy")
    elif kind == _PDF:
        shown = tag("iframe", src=f"{address}{_READER}", title=name, loading="lazy")
    return tag("figure", tag("figcaption", way), shown, class_="paper")


def _shown(start: bytes) -> str | None:
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for beginning, kind in _BEGINNINGS if start.startswith(beginning)), None)


class _Content:
    """What is in a file, piece by piece; the file goes with it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        return iter(partial(self._stream.read, _PIECE), b"")

    def close(self) -> None:
        self._stream.close()
