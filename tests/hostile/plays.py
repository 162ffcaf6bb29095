"""What servers do: each behaviour makes a play of the body that would be right, and says what must come of it.

`OK` is that all is well, `NETWORK` that the connection is at fault, `FAULT` that the reply is, `CUT` that its beginning
was good; others are exit codes.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from tests.hostile.server import CLOSE, HOLD, RESET, Forever, Play, chunks, head, reply

READ, WRITE, REPORT, DOWNLOAD = "read", "write", "report", "download"
ALL = (READ, WRITE, REPORT, DOWNLOAD)
RECORDS = (READ, WRITE, REPORT)
OK, NETWORK, FAULT, CUT = 0, 3, 9, 10
# seconds in which a limit is reached before the time is up, also on a slow machine
LONG = 15.0
Make = Callable[[bytes], Play]


@dataclass(frozen=True)
class Behaviour:
    """One row of the table; `report` is what comes of a report if that is another than of the rest."""

    name: str
    make: Make
    code: int
    of: tuple[str, ...] = ALL
    report: int | None = None
    deadline: float = 1.0


def bound(make: Callable[..., Play], *values: object) -> Make:
    """Return a play that is made of the body and these values."""
    return lambda body: make(body, *values)


def behaviours() -> Iterator[Behaviour]:
    """Yield the table."""
    for group in (_cuts, _drips, _heads, _statuses, _lengths, _chunk_forms, _encodings, _refusals, _redirects, _types):
        yield from group()


CHUNKED = head("Transfer-Encoding: chunked")
LINE = b"HTTP/1.1 200 OK\r\n"


def _cuts() -> Iterator[Behaviour]:
    stages: dict[str, Callable[[bytes], bytes]] = {
        "nothing": lambda body: b"",
        "half a status line": lambda body: LINE[:9],
        "a status line": lambda body: LINE,
        "half a header": lambda body: LINE + b"Content-Len",
        "a head without its end": lambda body: head(length=len(body))[:-2],
        "a head": lambda body: head(length=len(body)),
        "half a body": lambda body: reply(body)[: -(len(body) // 2)],
        "all but a byte": lambda body: reply(body)[:-1],
        "half the size of a chunk": lambda body: CHUNKED + b"1",
        "half a chunk": lambda body: CHUNKED + chunks(body)[: len(body) // 2],
        "a chunk without its end": lambda body: CHUNKED + b"%x\r\n%b" % (len(body), body),
        "chunks without the last": lambda body: CHUNKED + chunks(body)[:-5],
        "the last chunk without its end": lambda body: CHUNKED + chunks(body)[:-2],
        "half a trailer": lambda body: CHUNKED + chunks(body)[:-2] + b"X-Sum: 1",
        "an announcement": lambda body: b"HTTP/1.1 103 Early Hints\r\n\r\n",
    }
    begun = {stage for stage, part in stages.items() if b"\r\n\r\n" in part(b"{}") and stage != "an announcement"}
    for stage, part in stages.items():
        for end in (CLOSE, RESET):
            make = bound(lambda body, p, e: [p(body), 0.2, e], part, end)
            yield Behaviour(f"{end} after {stage}", make, NETWORK, report=CUT if stage in begun else None)
        yield Behaviour(f"hold after {stage}", bound(lambda body, p: [p(body), HOLD], part), NETWORK)


def _drips() -> Iterator[Behaviour]:
    comment = b"\x1f\x8b\x08\x10\x00\x00\x00\x00\x00\x03"
    zipped = head("Content-Encoding: gzip")
    forms: dict[str, tuple[bytes, bytes]] = {
        "a status line": (b"HTTP/1.1 ", b"2"),
        "a reason": (b"HTTP/1.1 200 ", b"O"),
        "a header": (LINE, b"x"),
        "headers": (LINE, b"X: y\r\n"),
        "a folded header": (LINE + b"X: y\r\n", b" z\r\n"),
        "announcements": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        "hints": (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
        "a body": (head(length=2_000_000_000) + b"{", b" "),
        "a body without a length": (head() + b"{", b" "),
        "the size of a chunk": (CHUNKED, b"0"),
        "an extension of a chunk": (CHUNKED + b"1;", b"x"),
        "chunks": (CHUNKED, b"1\r\n \r\n"),
        "trailers": (CHUNKED + chunks(b"{}")[:-2], b"X: y\r\n"),
    }
    for name, (first, then) in forms.items():
        yield Behaviour(f"drip of {name}", bound(lambda body, f, t: [f, Forever(t, 0.1)], first, then), NETWORK)
    packed = {"a comment": comment, "a name": comment.replace(b"\x10", b"\x08", 1)}
    for name, start in packed.items():
        for pause in (0.0, 0.1):
            sort = "drip" if pause else "flood"
            text = b"x" if pause else b"x" * 65536
            yield Behaviour(
                f"{sort} of {name} of gzip",
                bound(lambda body, s, t, p: [zipped + s, Forever(t, p)], start, text, pause),
                NETWORK,
                RECORDS,
            )
    yield Behaviour(
        "flood of empty members of gzip", lambda body: [zipped, Forever(gzip.compress(b"") * 99)], NETWORK, RECORDS
    )
    for name in (*list(forms)[:7], "the size of a chunk", "an extension of a chunk"):
        first, then = forms[name]
        make = bound(lambda body, f, t: [f, Forever(t * 500)], first, then)
        report, kept = CUT if first.startswith(CHUNKED) else None, name not in {"announcements", "hints"}
        yield Behaviour(f"flood of {name}", make, NETWORK, report=report, deadline=LONG if kept else 1.0)
    make = bound(lambda body: [CHUNKED + chunks(body)[:-2], Forever(b"X: y\r\n" * 500)])
    yield Behaviour("flood of trailers", make, NETWORK, report=CUT, deadline=LONG)
    for name, start, more in (("blanks", b"", b" "), ("a text", b'{"a":"', b"x")):
        make = bound(lambda body, s, m: [head() + s, Forever(m * 65536)], start, more)
        yield Behaviour(f"flood of {name}", make, FAULT, (READ, WRITE), deadline=LONG)
    yield Behaviour("flood of a refusal", lambda body: [head(status="400 Bad"), Forever(b"x" * 65536)], 7, RECORDS)
    yield Behaviour("a byte at a time", lambda body: [reply(body)[n : n + 1] for n in range(len(reply(body)))], OK)
    yield Behaviour("a pause in the head", lambda body: [reply(body)[:20], 0.3, reply(body)[20:]], OK)
    yield Behaviour("a pause in the body", lambda body: [reply(body)[:-4], 0.3, reply(body)[-4:]], OK)


def _heads() -> Iterator[Behaviour]:
    for name, line, code in (
        ("no value", "X:", OK),
        ("a folded value", "X: a\r\n b", OK),
        ("letters beyond ASCII", "X: \xe4\xff", OK),
        ("twice the same", "X: a\r\nX: b", OK),
        ("80 KB", "X: " + "y" * 80_000, OK),
        ("a thousand", "\r\n".join(f"X-{n}: y" for n in range(1000)), OK),
        ("small letters", "content-language: fi", OK),
        ("cookies", "Set-Cookie: a=b; Domain=example", OK),
        ("a line of 200 KB", "X: " + "y" * 200_000, NETWORK),
        ("40,000 of them", "X: y\r\n" * 40_000 + "X: z", NETWORK),
        ("no colon", "nonsense", NETWORK),
        ("a blank before the colon", "X : y", NETWORK),
        ("no name", ": y", NETWORK),
        ("a NUL", "X: a\0b", NETWORK),
        ("a bare CR", "X: a\rContent-Length: 1", NETWORK),
        ("a name with a blank", "X Y: z", NETWORK),
        ("a name beyond ASCII", "X\xe4: z", NETWORK),
    ):
        yield Behaviour(f"header: {name}", bound(lambda body, h: [reply(body, h), CLOSE], line), code)
    bare = b"Content-Type: application/json\r\n"
    for text, code in (
        (b"HTTP/1.1 200", OK),
        (b"HTTP/1.1 200 ", OK),
        (b"HTTP/1.0 200 OK", OK),
        (b"HTTP/1.1 200 \xc3\xa4", OK),
        (b"HTTP/1.1  200 OK", NETWORK),
        (b"http/1.1 200 OK", NETWORK),
        (b"HTTP/1 200 OK", NETWORK),
        (b"HTTP/1.1 20 OK", NETWORK),
        (b"HTTP/1.1 2000 OK", NETWORK),
        (b"HTTP/1.1 OK", NETWORK),
        (b"HTTP/1.1 -200 OK", NETWORK),
        (b"HTTP/1.1 099 OK", NETWORK),
        (b"ICY 200 OK", NETWORK),
        (b"200 OK", NETWORK),
        (b"", NETWORK),
        (b"SSH-2.0-OpenSSH_9.6", NETWORK),
        (b"\x15\x03\x03\x00\x02\x02\x28", NETWORK),
        (b"HTTP/1.1 101 Switching Protocols", NETWORK),
    ):
        yield Behaviour(
            f"status line {text.decode('latin-1')!r}",
            bound(lambda body, t: [t + b"\r\n" + bare + b"Content-Length: %d\r\n\r\n" % len(body) + body, CLOSE], text),
            code,
        )
    yield Behaviour("lines that end in LF", lambda body: [reply(body).replace(b"\r\n", b"\n"), CLOSE], OK)
    for number in (100, 102, 103, 199):
        text = b"HTTP/1.1 %d Wait\r\nLink: </a>\r\n\r\n" % number
        yield Behaviour(f"announced by {number}", bound(lambda body, t: [t, 0.02, t + reply(body)], text), OK)


def _statuses() -> Iterator[Behaviour]:
    codes = {401: 4, 403: 5, 404: 6, 405: 6, 409: 8, 412: 8, 423: 8} | dict.fromkeys((429, 502, 503, 504), FAULT)
    rest = dict.fromkeys((400, 402, 408, 410, 413, 415, 418, 421, 422, 431, 451), 7) | dict.fromkeys(
        (300, 304, 305, 500, 501, 505, 507, 599, 999), 9
    )
    for status, code in (codes | rest).items():
        yield Behaviour(
            f"status {status}",
            bound(lambda body, s: [reply(b'{"detail": "No."}' if s != 304 else b"", status=f"{s} Odd")], status),
            code,
        )


def _lengths() -> Iterator[Behaviour]:
    for name, lines, code in (
        ("the same twice", ["Content-Length: %d", "Content-Length: %d"], OK),
        ("a list of the same", ["Content-Length: %d, %d"], OK),
        ("zeros in front", ["Content-Length: 0000000%d"], OK),
        ("blanks around", ["Content-Length: \t %d \t"], OK),
        ("two", ["Content-Length: %d", "Content-Length: 5"], NETWORK),
        ("a list of two", ["Content-Length: %d, 5"], NETWORK),
        ("negative", ["Content-Length: -%d"], NETWORK),
        ("a plus", ["Content-Length: +%d"], NETWORK),
        ("hexadecimal", ["Content-Length: 0x%d"], NETWORK),
        ("a fraction", ["Content-Length: %d.0"], NETWORK),
        ("a word", ["Content-Length: many"], NETWORK),
        ("nothing", ["Content-Length:"], NETWORK),
        ("superscripts", ["Content-Length: \xb2\xb3"], NETWORK),
        ("30 digits", ["Content-Length: " + "9" * 30], NETWORK),
        ("5,000 digits", ["Content-Length: " + "9" * 5000], NETWORK),
        ("too long by a byte", ["Content-Length: 1%d"], NETWORK),
        ("2^63", ["Content-Length: 9223372036854775808"], NETWORK),
    ):
        yield Behaviour(
            f"length: {name}",
            bound(lambda body, ls: [head(*(x.replace("%d", str(len(body))) for x in ls)) + body, CLOSE], lines),
            code,
            report=CUT if name in {"too long by a byte", "2^63"} else None,
        )
    yield Behaviour("no length, then the end", lambda body: [head() + body, CLOSE], OK)
    yield Behaviour("more than announced", lambda body: [reply(body) + b"EVIL" * 100], OK)


def _chunk_forms() -> Iterator[Behaviour]:
    for name, form, code in (
        ("capital letters", b"%X\r\n%b\r\n0\r\n\r\n", OK),
        ("zeros in front", b"000000%x\r\n%b\r\n0\r\n\r\n", OK),
        ("an extension", b'%x;a="b"\r\n%b\r\n0;c\r\n\r\n', OK),
        ("a trailer", b"%x\r\n%b\r\n0\r\nX-Sum: 1\r\n\r\n", OK),
        ("a blank behind", b"%x \r\n%b\r\n0\r\n\r\n", OK),
        ("a word", b"size%x\r\n%b\r\n0\r\n\r\n", NETWORK),
        ("a sign", b"+%x\r\n%b\r\n0\r\n\r\n", NETWORK),
        ("a minus", b"-%x\r\n%b\r\n0\r\n\r\n", NETWORK),
        ("0x", b"0x%x\r\n%b\r\n0\r\n\r\n", NETWORK),
        ("an underscore", b"0_%x\r\n%b\r\n0\r\n\r\n", NETWORK),
        ("a blank in front", b" %x\r\n%b\r\n0\r\n\r\n", NETWORK),
        ("nothing", b"\r\n%x\r\n%b\r\n0\r\n\r\n", NETWORK),
        ("30 digits", b"1" + b"0" * 29 + b"%x\r\n%b\r\n0\r\n\r\n", NETWORK),
        ("a NUL", b"%x\0\r\n%b\r\n0\r\n\r\n", NETWORK),
        ("LF alone", b"%x\n%b\n0\n\n", NETWORK),
        ("another end", b"%x\r\n%bXX0\r\n\r\n", NETWORK),
        ("a bad trailer", b"%x\r\n%b\r\n0\r\nnonsense\r\n\r\n", NETWORK),
        ("too long", b"f%x\r\n%b\r\n0\r\n\r\n", NETWORK),
    ):
        make = bound(lambda body, f: [CHUNKED + f % (len(body), body), CLOSE], form)
        yield Behaviour(f"chunks: {name}", make, code, report=CUT if code else OK)
    yield Behaviour(
        "chunks of one byte", lambda body: [CHUNKED + chunks(*(body[n : n + 1] for n in range(len(body))))], OK
    )
    for coding in ("identity", "gzip, chunked", "chunked, chunked", "xchunked", "", "\x0bchunked"):
        yield Behaviour(
            f"transfer of {coding!r}",
            bound(lambda body, c: [head(f"Transfer-Encoding: {c}") + chunks(body), CLOSE], coding),
            NETWORK,
        )


@cache
def _bomb(levels: int = 1) -> bytes:
    """Return 256 MiB of blanks, packed once or more."""
    if levels > 1:
        return gzip.compress(_bomb(levels - 1))
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([packer.compress(b" " * 2**20) for _ in range(256)]) + packer.flush()


def _encodings() -> Iterator[Behaviour]:
    def packed(body: bytes, coding: str = "gzip") -> list[bytes | str]:
        return [reply(body, f"Content-Encoding: {coding}"), CLOSE]

    yield Behaviour("gzip", lambda body: packed(gzip.compress(body)), OK, RECORDS)
    yield Behaviour("identity", lambda body: packed(body, "identity"), OK)
    yield Behaviour(
        "two members of gzip", lambda body: packed(gzip.compress(body[:9]) + gzip.compress(body[9:])), OK, RECORDS
    )
    broken: dict[str, Callable[[bytes], bytes]] = {
        "gzip that is none": lambda body: body,
        "gzip without its end": lambda body: gzip.compress(body)[:-4],
        "gzip with a wrong sum": lambda body: gzip.compress(body)[:-8] + b"\0" * 8,
        "gzip and more": lambda body: gzip.compress(body) + b"more",
    }
    for name, form in broken.items():
        yield Behaviour(name, bound(lambda body, f: packed(f(body)), form), NETWORK, RECORDS, report=CUT)
    yield Behaviour("a bomb", lambda body: packed(_bomb()), FAULT, RECORDS, deadline=LONG)
    yield Behaviour(
        "a bomb in a refusal", lambda body: [reply(_bomb(), "Content-Encoding: gzip", status="400 Bad")], 7, RECORDS
    )
    yield Behaviour("bombs in a bomb", lambda body: packed(_bomb(3), "gzip, gzip, gzip"), FAULT)
    make = bound(lambda body: [reply(_bomb(3), *["Content-Encoding: gzip"] * 3), CLOSE])
    yield Behaviour("bombs in a bomb, line by line", make, FAULT)
    for coding in ("br", "deflate", "zstd", "compress", "gzip, identity", "nonsense"):
        yield Behaviour(f"encoding {coding}", bound(packed, coding), FAULT)
    yield Behaviour("a file that is packed", lambda body: packed(gzip.compress(body)), FAULT, (DOWNLOAD,))


def _refusals() -> Iterator[Behaviour]:
    for value in (
        "1000000",
        "-5",
        "\xb2",
        "9" * 400,
        "1e3",
        "soon",
        "Fri, 31 Dec 9999 23:59:59 GMT",
        "Fri, 31 Dec 9999 23:59:59 -2300",
        "Fri, 31 Dec 9999 23:59:59 +9999",
        "Sun, 99 Nov 1994 08:49:37 GMT",
        "",
    ):
        for status in (429, 503):
            yield Behaviour(
                f"{status}, retry after {value[:32]!r}",
                bound(lambda body, v, s: [reply(b"{}", f"Retry-After: {v}", status=f"{s} Later")], value, status),
                FAULT,
            )
    for name, body in (
        ("a page", b"<html><title>Gateway \xff</title>" + b"x" * 100_000),
        ("nothing", b""),
        ("null", b"null"),
        ("a deep list", b"[" * 100_000),
        ("no text", b"\xff\xfe\x00"),
        ("what a terminal obeys", b'{"detail": "\\u001b]0;owned\\u0007\\u001b[2J"}'),
        ("many fields", b'{"a": ["x"]' + b"".join(b', "f%d": ["y"]' % n for n in range(20_000)) + b"}"),
    ):
        yield Behaviour(
            f"refused with {name}", bound(lambda _, b: [reply(b, status="400 Bad Request")], body), 7, RECORDS
        )


def _redirects() -> Iterator[Behaviour]:
    for to, code in (
        ("https://elsewhere.invalid/", FAULT),
        ("http://127.0.0.1:1/", FAULT),
        ("//elsewhere.invalid/", FAULT),
        ("file:///etc/passwd", FAULT),
        ("javascript:alert(1)", FAULT),
        ("http://[::1", FAULT),
        ("http://xn--/", FAULT),
        ("http://127.0.0.1:99999/", FAULT),
        ("/again/", FAULT),
        ("", FAULT),
    ):
        for status in (302, 308):
            yield Behaviour(
                f"{status} to {to!r}",
                bound(lambda body, t, s: [reply(b"", f"Location: {t}", status=f"{s} Found")], to, status),
                code,
            )


def _types() -> Iterator[Behaviour]:
    page = b"<!DOCTYPE html><html><title>Sign in</title></html>"
    for name, body in (
        ("a page", page),
        ("nothing", b""),
        ("blanks", b" \r\n "),
        ("null", b"null"),
        ("true", b"true"),
        ("a number", b"1"),
        ("a text", b'"x"'),
        ("a list", b"[]"),
        ("a half", b'{"id": 1, "name": "x'),
        ("two", b'{"id": 1}{"id": 2}'),
        ("more behind", b'{"id": 1} x'),
        ("NaN", b'{"id": NaN}'),
        ("single quotes", b"{'id': 1}"),
        ("bytes that are no text", b'{"id": 1, "name": "\xff\xfe"}'),
        ("half a surrogate", b'{"id": 1, "name": "\xed\xa0\x80"}'),
        ("a mark in front", b'\xef\xbb\xbf{"id": 1}'),
        ("UTF-16", '{"id": 1}'.encode("utf-16")),
        ("Latin-1", '{"name": "\xe4"}'.encode("latin-1")),
        ("deep lists", b"[" * 200_000),
        ("deep objects", b'{"a":' * 200_000),
        ("OK", b"OK"),
        ("a PDF", b"%PDF-1.7 x"),
    ):
        # an object is a report until it is not: no text it may not be
        report = CUT if body.startswith(b"{") and body.isascii() else None
        yield Behaviour(f"instead of JSON: {name}", bound(lambda _, b: [reply(b)], body), FAULT, RECORDS, report)
    yield Behaviour("204", lambda body: [head(status="204 No Content")], FAULT, RECORDS)
    yield Behaviour("204 with a body", lambda body: [reply(body, status="204 No Content")], FAULT, RECORDS)
    yield Behaviour("a page for a file", lambda body: [reply(page, kind="text/html")], FAULT, (DOWNLOAD,))
    yield Behaviour("206 for a file", lambda body: [reply(body, status="206 Part")], FAULT, (DOWNLOAD,))
    yield Behaviour("204 for a file", lambda body: [head(status="204 No Content")], FAULT, (DOWNLOAD,))
    for name, part in (
        ("text", b"x" * 65536),
        ("lists", b'"a":[{"number":"1",' * 3000),
        ("blanks", b" " * 65536),
    ):
        start = b'{"documents":[{"number":"1","a":"' if name == "text" else b'{"documents":[{"number":"1","a":[{'
        yield Behaviour(
            f"a record without end, of {name}",
            bound(lambda body, s, p: [head() + s, Forever(p)], start, part),
            FAULT,
            (REPORT,),
        )
    yield Behaviour(
        "a report without records", lambda body: [head() + b'{"a":"', Forever(b"x" * 65536)], FAULT, (REPORT,)
    )
