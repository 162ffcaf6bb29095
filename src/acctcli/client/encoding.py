"""What a reply's body holds once it is unpacked: in steps of a limited size, whatever it was made of."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from acctcli.client.direct import httpx
from acctcli.errors import ServerFault

ACCEPTED = "gzip"
_STEP = 128 * 1024
_GZIP = 16 + zlib.MAX_WBITS


def unpacked(response: httpx.Response) -> Iterator[bytes]:
    """Yield the body; raise ServerFault for an encoding that was not asked for, DecodingError for a broken one."""
    raw = response.stream
    assert isinstance(raw, httpx.SyncByteStream)
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding in {"", "identity"}:
        return iter(raw)
    if coding == ACCEPTED:
        return _unzipped(raw)
    # one upon another they make a thousandfold of each other's thousandfold
    raise ServerFault(
        "the service answered in a Content-Encoding that was not asked for",
        status=response.status_code,
        code="unreadable_reply",
    )


def _unzipped(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Unpack one gzip member after the other; every step has room for so much and no more."""
    member = None
    for chunk in chunks:
        left = chunk
        while left:
            if member is None or member.eof:
                member = zlib.decompressobj(_GZIP)
            try:
                yield from _steps(member, left)
            except zlib.error as fault:
                raise httpx.DecodingError(str(fault)) from fault
            left = member.unused_data
    if member is not None and not member.eof:
        raise httpx.DecodingError("the compressed body ends too early")


def _steps(member: zlib._Decompress, packed: bytes) -> Iterator[bytes]:
    piece = member.decompress(packed, _STEP)
    if piece:
        yield piece
    while not member.eof and (member.unconsumed_tail or len(piece) == _STEP):
        piece = member.decompress(member.unconsumed_tail, _STEP)
        yield piece
