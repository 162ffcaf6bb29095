"""Text from elsewhere is data: whatever a terminal or a spreadsheet would obey is shown or defused."""

from __future__ import annotations

import re

# C0, DEL, C1, what is not seen, line and paragraph separators, directional overrides and isolates, lone surrogates,
# tags
_ACTIVE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_IN_JSON = re.compile(_ACTIVE.pattern.replace("\x00-\x1f", "", 1))
_UNSEEN = "\x00-\x1f\xad\u180e\u200b-\u200f\u2060\ufeff"
# some programs drop what is not seen before they look; blanks make a text of a formula
_FORMULA = re.compile(f"[\t\r\n]|[{_UNSEEN}]*[=+\\-@＝＋－＠]")  # noqa: RUF001 - full-width signs start formulas too
_PLAIN_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)


def visible(text: str) -> str:
    """Return `text` with every character a terminal would act on written as an escape."""
    # most texts are printable throughout, which is quicker to tell
    return text if text.isascii() and text.isprintable() else _ACTIVE.sub(_escape, text)


def visible_json(text: str) -> str:
    """The same for JSON: the characters that JSON lets through raw become escapes of JSON itself."""
    return _IN_JSON.sub(_escape_json, text)


def visible_toml(text: str) -> str:
    """The same for TOML, whose texts have such escapes, too."""
    return _IN_JSON.sub(_escape_unicode, text)


def defused(text: str) -> str:
    """Return a cell that a spreadsheet will not run: a quote before what starts like a formula."""
    # no formula begins with a letter or a digit
    if not text[:1].isalnum() and _FORMULA.match(text) and not _PLAIN_NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    named = {9: "\\t", 10: "\\n", 13: "\\r"}
    if code in named:
        return named[code]
    if code < 0x100:
        return f"\\x{code:02x}"
    return _escape_unicode(match)


def _escape_unicode(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escape_json(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
