"""How a server may write a secret down that it sends back."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from urllib.parse import quote


def _base64(before: int) -> Callable[[str], str]:
    return lambda text: base64.b64encode(b"\xff" * before + text.encode() + b"\xff").decode()


def _urlsafe(before: int) -> Callable[[str], str]:
    return lambda text: base64.urlsafe_b64encode(b"\xff" * before + text.encode() + b"\xff").decode()


def _every(form: str) -> Callable[[str], str]:
    return lambda text: "".join(form.format(ord(letter), letter) for letter in text)


def _split(between: str) -> Callable[[str], str]:
    return lambda text: between.join(text[start : start + 5] for start in range(0, len(text), 5))


SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "upper case": str.upper,
    "lower case": str.lower,
    **{f"base64 at {before}": _base64(before) for before in range(3)},
    **{f"base64 of URLs at {before}": _urlsafe(before) for before in range(3)},
    "base64 in lines": lambda text: base64.encodebytes(f"{'x' * 61}{text}".encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "HEX": lambda text: text.encode().hex(":").upper(),
    "URL": lambda text: quote(text, safe=""),
    "URL, every letter": _every("%{0:02x}"),
    "URL, twice": _every("%25{0:02X}"),
    "JSON": lambda text: json.dumps(text)[1:-1].replace("/", "\\/"),
    "JSON, every letter": _every("\\u{0:04x}"),
    "JSON in JSON": _every("\\\\u{0:04X}"),
    "bytes of Python": _every("\\x{0:02x}"),
    "HTML": html.escape,
    "HTML, decimal": _every("&#{0};"),
    "HTML, hexadecimal": _every("&#x{0:X};"),
    "HTML, twice": _every("&amp;#{0};"),
    "URL in HTML": _every("&#37;{0:02x}"),
    "lines": _split("\n"),
    "lines of Windows": _split("\r\n    "),
    "lines in JSON": _split("\\n"),
    "invisible": _split("\u200b"),
    "tags": _split("<wbr>"),
    "UTF-16": _every("{1}\0"),
    "a list": _split('", "'),
}
