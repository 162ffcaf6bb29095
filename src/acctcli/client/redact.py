"""Take secrets out of anything that may be printed.

They are found as they are known (`client/known.py`) and by their looks: fields and forms that are named like one, user
info in addresses, JWTs, tokens of the service, and what is long and mixed behind a word for a secret. A known one, but
a passphrase, is found in parts as well, from eight characters on, or from six that are neither a word nor a number; in
upper and lower case, in base64 and in hex; with blanks, line breaks, punctuation or markup in between; behind escapes
of URLs, JSON and HTML, and of one in another. Whoever shortens a text shortens it here: masked first, then cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from acctcli.client import known
from acctcli.errors import AcctcliError, ServiceError, UsageError

MASK = "[hidden]"
Fault = TypeVar("Fault", bound=AcctcliError)
Spans = Iterator[tuple[int, int]]

_SECRET_HEADERS = {"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"}
# patterns are texts, which `re` compiles when it meets them first: a command that shows none pays for none
_ESCAPE = (
    r"(?i)%([0-9a-f]{2})|\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|&\#x([0-9a-f]{1,8});?"
    r"|&\#([0-9]{1,9});?|&(\w{2,8});|\\([^ux0-9])"
)
# an ending that is no whole word; a longer one is none
_HALF_WORD = r"(?<=[\s\"])[^\s\"]{1,64}$"
# a password may look like an escape of addresses where it stands
_BUT_PERCENT = _ESCAPE.replace("%", "(?!)%", 1)
_DECIMAL, _NAMED, _BEHIND_STROKE = 6, 7, 8
_BLANKS = dict.fromkeys("bfnrtv", " ")
_LEVELS = 4
# how far beyond a cut is masked, and how far where almost everything was
_BEYOND, _MUCH = 1000, 16
_TAG = r"</?[a-zA-Z][^<>]{0,60}>"
_NAME = f"(?:{known.NAMES}|passwd|authorization|jwt)"
# a long word of letters and digits right behind the name of what it would be; no IBAN and no moment, and keys are those
# of an interface: that of a repetition is shown, to be typed again
_OPAQUE = (
    rf"(?i)\b(?:bearer|basic|authorization|{known.NAMES}|(?:api|access|private|signing|secret)[ _-]?key)"
    r"(?:\W{1,4}|\W{1,3}(?:is|was|value|header)\W{1,4})(?<![-/])"
    r"(?!(?-i:[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}\b)|[0-9]{4}-[0-9]{2}-[0-9]{2}T)"
    r"(?=[\w.~+/=-]*[0-9])(?=[\w.~+/=-]*[a-z])(\w[\w.~+/=-]{15,})"
)
_LOOKS = (
    # a text that is shown in part may end within the value
    rf'(?i)"[^"]{{0,99}}{_NAME}[^"]{{0,99}}"\s*:\s*"((?:[^"\\]|\\.)*)',
    rf"(?i)'[^']{{0,99}}{_NAME}[^']{{0,99}}'\s*:\s*'((?:[^'\\]|\\.)*)",
    # a signature in an address is a permission, for as long as it holds
    rf"(?i)(?:^|[&?])[^=&]{{0,99}}(?:{known.NAMES}|signature)[^=&]{{0,99}}=([^&\s\"]*)",
    # up to the last @ before the path, or further where what follows the first colon is no port
    r"\w://([^/?#\s\"'<>]{1,999}|[^/?#\s\"'<>:]{0,99}:(?!\d+(?:[/?#]|$))[^\s\"'<>]{1,999})@",
    known.OWN_LOOK,
    known.JWT_LOOK,
    r"(?i)authorization:\s*((?:\w+\s+)?[^\s\"',]+)",
    _OPAQUE,
)
_FIELD = rf'(?i)"[^"]{{0,99}}{_NAME}[^"]{{0,99}}"\s*:\s*"((?:[^"\\]|\\.)*)"'
_STRING = r'"((?:[^"\\]|\\.)*)"'


def headers(items: Mapping[str, str]) -> dict[str, str]:
    """Copy headers with the values of credentials masked."""
    return {name: MASK if name.lower() in _SECRET_HEADERS else value for name, value in items.items()}


def error(problem: Fault) -> Fault:
    """Mask secrets in everything an error says: a service may send back what it was sent, anywhere."""
    problem.message = text(problem.message)
    problem.hint = problem.hint and text(problem.hint)
    if isinstance(problem, (ServiceError, UsageError)):
        problem.fields = {text(name): _all(texts) for name, texts in problem.fields.items()}
    if isinstance(problem, ServiceError):
        problem.code = text(problem.code)
        problem.request_id = problem.request_id and text(problem.request_id)
    return problem


def fields(body: bytes) -> bytes:
    """Mask the values of secret-looking fields in JSON, and known secrets in its texts; it stays JSON."""
    plain = body.decode("utf-8", "replace")
    needles = known.needles()
    spans = [match.span(1) for match in re.finditer(_FIELD, plain)]
    for string in re.finditer(_STRING, plain):
        start = string.start(1)
        spans += [(start + first, start + last) for first, last in _known_spans(string[1], needles)]
    return _masked(plain, spans).encode()


def named(body: bytes) -> bytes:
    """Mask the values of secret-looking fields in JSON, and nothing else."""
    plain = body.decode("utf-8", "replace")
    return _masked(plain, [match.span(1) for match in re.finditer(_FIELD, plain)]).encode()


def text(value: str) -> str:
    """Mask known secrets, secret-looking JSON and form fields, and user info in URLs."""
    spans = [*_known_spans(value, known.needles())]
    for view in _views(value):
        spans += [view.place(*match.span(1)) for look in _LOOKS for match in re.finditer(look, view.text) if match[1]]
    return _masked(value, spans)


def shortened(value: str, most: int) -> str:
    """Mask as `text` does, then cut to `most` characters and a mark, not within a word."""
    for extent in (most + _BEYOND, _MUCH * most):
        masked = text(value[:extent])
        if len(masked) > most or len(value) <= extent:
            break
    whole = len(masked) <= most and len(value) <= extent
    return masked if whole else f"{re.sub(_HALF_WORD, '', masked[:most])}…"


def _all(texts: Sequence[str]) -> list[str]:
    return [text(one) for one in texts]


def _masked(value: str, spans: list[tuple[int, int]]) -> str:
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if start >= done:
            parts += (value[done:start], MASK)
        done = max(done, end)
    return "".join((*parts, value[done:]))


class _View:
    """A text without its escapes; the character at `i` stands for `starts[i]` to `ends[i]` of what it was made of."""

    def __init__(self, text: str, starts: Sequence[int], ends: Sequence[int]) -> None:
        self.text = text
        self.starts = starts
        self.ends = ends

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a span of this view stands in the original."""
        return self.starts[start], self.ends[end - 1]

    def without(self, pattern: str) -> _View:
        """Return the view with each match read as what it stands for, if anything."""
        texts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        done = 0
        for match in re.finditer(pattern, self.text):
            first, last = match.span()
            meant = _meant(match)
            texts += (self.text[done:first], meant)
            starts += (*self.starts[done:first], *[self.starts[first]] * len(meant))
            ends += (*self.ends[done:first], *[self.ends[last - 1]] * len(meant))
            done = last
        texts.append(self.text[done:])
        return _View("".join(texts), [*starts, *self.starts[done:]], [*ends, *self.ends[done:]])


def _views(value: str) -> Iterator[_View]:
    """Yield a text as it is, and as often as it changes without its escapes, with those of addresses and without."""
    whole = _View(value, range(len(value)), range(1, len(value) + 1))
    yield whole
    for escape in (_ESCAPE, _BUT_PERCENT) if "%" in value else (_ESCAPE,):
        view = whole
        for _ in range(_LEVELS):
            if re.search(escape, view.text) is None:
                break
            view = view.without(escape)
            yield view


def _meant(match: re.Match[str]) -> str:
    """The character that an escape stands for; none for what only stands in between."""
    kind = match.lastindex
    if kind is None:
        return ""
    said = match[kind]
    if kind == _BEHIND_STROKE:
        return _BLANKS.get(said, said)
    if kind == _NAMED:
        from html import unescape

        return unescape(match[0])
    code = int(said, 10 if kind == _DECIMAL else 16)
    return chr(code) if code < 0x110000 else " "


def _known_spans(value: str, needles: known.Needles) -> Spans:
    """Yield where known secrets stand in a text, whatever it makes of them."""
    for view in _views(value):
        for one in (view, view.without(_TAG)) if "<" in view.text else (view,):
            yield from (one.place(*span) for span in _spans(one.text, needles))


def _spans(value: str, needles: known.Needles) -> Spans:
    written, places = known.as_written(value)
    letters = written.lower()
    for start in needles.short_in(written):
        yield places[start], places[start + known.SHORT - 1] + 1
    for size, pieces in needles.pieces.items():
        for start in range(len(letters) - size + 1):
            if letters[start : start + size] in pieces:
                yield places[start], places[start + size - 1] + 1
    if needles.words is not None:
        yield from (match.span() for match in needles.words.finditer(value))
