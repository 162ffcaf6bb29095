"""Turn any error reply, whatever its body, into one error of the tree with the fields named (docs/interface.md 1.5)."""

from __future__ import annotations

import html
import json
import re
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from http import HTTPStatus
from itertools import chain, islice, starmap

from acctcli.client import redact
from acctcli.client.bounds import RECORD
from acctcli.client.messages import Reply
from acctcli.errors import (
    Conflict,
    Forbidden,
    NotAuthenticated,
    NotFound,
    Rejected,
    ServerFault,
    ServiceError,
)

_TEXT_KEYS = ("detail", "message", "error_message", "error_description", "error")
_CODE_KEYS = ("code", "error_code")
_NOT_FOUND = "not_found"
# what says in the reply to a deletion that it was refused, where it holds something, and where it is false
_ERROR_KEYS = ("error", "errors", "error_code", "error_message", "error_description")
_DONE_KEYS = ("success", "ok", "deleted")
# fields that a contact needs to be invoiced; most have a key of their own as well (docs/interface.md 6.3)
_MISSING_KEY = "missing_invoicing_fields"
_KNOWN = {*_TEXT_KEYS, *_CODE_KEYS, _MISSING_KEY}
_LONGEST = 500
# what is shown of field errors: so many texts, and of a name so many characters; more are kept for what masking needs
_MOST = 100
_LONGEST_NAME, _KEPT_NAME = 200, 2000
# of a body, in bytes
_PIECE = 2**20
_JSON_STARTS = frozenset(b'{["-0123456789tfn')
_TITLE, _TITLE_ENDS = re.compile(r"<title[^<>]*>", re.IGNORECASE), re.compile("</title>", re.IGNORECASE)

# what the service says of a day before all periods
_FIRST_PERIOD = re.compile(r"no accounting period: one begins on (\d{4}-\d{2}-\d{2})\.", re.ASCII)

# what the service says of a lock, and what opens it; ids are in lists
_LOCKS = {
    re.compile(r"The accounting period .* is locked"): "open its days with acctcli period unlock ID, by the id that "
    "acctcli period list shows, or write on an open day",
    re.compile(r"The VAT period .* is locked"): "open its days with acctcli vat period unlock ID, by the id that "
    "acctcli vat period list shows, or write on an open day",
    re.compile(
        r"The VAT period .* has been reported"
    ): "write on an open day; or open its days with acctcli vat period "
    "reopen ID --reason TEXT, by the id that acctcli vat period list shows, and file it anew",
    re.compile(
        r"Document .* is locked\."
    ): "unlock it with acctcli document unlock ID, which says what else closes its day",
}

_CLASSES: dict[int, type[ServiceError]] = {
    401: NotAuthenticated,
    403: Forbidden,
    404: NotFound,
    405: NotFound,
    409: Conflict,
    412: Conflict,
    423: Conflict,
    429: ServerFault,
}
_HINTS = {
    401: "sign in with: acctcli auth login",
    429: "the service is throttling; try again later",
}
_HINTS_OF_CODES = {
    "idempotency_key_reused": "the key belongs to another request, which was done; this one was not: give it a key of "
    "its own, or none",
}


def error_of(reply: Reply) -> ServiceError:
    """Build the error for a non-2xx reply; its message fits on one line and names the fields."""
    text, code, fields = _read(reply)
    named = "; ".join(_field_text(name, texts) for name, texts in fields.items())
    message = named or text or _standard_text(reply.status)
    return _class(reply.status)(
        f"{_shorten(message)} ({reply.status})",
        status=reply.status,
        code=code,
        fields=fields,
        request_id=reply.request_id,
        hint=_HINTS.get(reply.status) or _HINTS_OF_CODES.get(code or "") or _hint_of(reply.status, message, fields),
    )


def _hint_of(status: int, text: str, fields: Mapping[str, list[str]]) -> str | None:
    """Return how to go on where the day of what was to be posted is what stands in the way, or a lock."""
    if status == HTTPStatus.LOCKED:
        return next((hint for said, hint in _LOCKS.items() if said.match(text)), None)
    if status != HTTPStatus.PRECONDITION_FAILED or "date" not in fields:
        return None
    if (before := _year_before(" ".join(fields["date"]))) is not None:
        return "add the accounting period before that one: acctcli period create --start {} --end {}".format(*before)
    return "add the accounting period: acctcli period create --next, or with --start DAY --end DAY for days before"


def _year_before(text: str) -> tuple[date, date] | None:
    """Return the first and the last day of the year before the first accounting period, where that is what is said."""
    found = _FIRST_PERIOD.search(text)
    try:
        first = date.fromisoformat(found[1]) if found else date.min
        return first.replace(year=first.year - 1, day=min(first.day, 28)), first - timedelta(days=1)
    except (ValueError, OverflowError):
        return None


def unreadable(reply: Reply, why: str) -> ServerFault:
    """Build the error for a 2xx reply whose body is not what the interface promises."""
    kind = "an HTML page" if _is_html(reply) else why
    return ServerFault(
        f"the service answered {reply.status} with {kind} instead of the expected JSON",
        status=reply.status,
        code="unreadable_reply",
        request_id=reply.request_id,
        hint="check the base URL of the environment with: acctcli env show",
    )


def half_character(body: bytes) -> str:
    """Name row and field of a page where half of a pair of surrogates stands, which is no text; "" if nowhere."""
    if not RECORD.allows(body) or b"\\ud" not in body.lower():
        return ""
    try:
        for number, row in enumerate(json.loads(body)["results"], 1):
            for field in filter(lambda name: _is_half(row[name]), row):
                name, record = (redact.shortened(str(text), _LONGEST_NAME) for text in (field, row.get("id")))
                return f"half a character in the field {name} of row {number} of a page (id {record})"
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        pass
    return ""


def _is_half(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def check_text(reply: Reply) -> None:
    """Raise ServerFault when a body is there that cannot be JSON: a page for people, or no text at all."""
    start = reply.body[:200].lstrip()
    if start and start[0] not in _JSON_STARTS:
        raise unreadable(reply, "something else")
    try:
        # most is ASCII, which is seen at once
        if not reply.body.isascii():
            _check_decodes(reply.body)
    except UnicodeDecodeError as fault:
        raise unreadable(reply, "bytes that are no text (UTF-8)") from fault


def _check_decodes(body: bytes) -> None:
    """Raise UnicodeDecodeError for what is no UTF-8, piece by piece: a character can make a text four times as long."""
    decode = getincrementaldecoder("utf-8")().decode
    for start in range(0, len(body), _PIECE):
        decode(body[start : start + _PIECE])
    decode(b"", final=True)


def is_gone(reply: Reply) -> bool:
    """Tell whether the service itself says that a record is not there; a gateway may say 404 of anything."""
    return reply.status == 404 and _read(reply)[1] == _NOT_FOUND


def check_no_refusal(reply: Reply, method: str) -> None:
    """Raise ServerFault when the 2xx reply to a write says inside that it was refused."""
    if method == "DELETE" and reply.status == 204 and reply.headers.get("content-length", "").strip("0, "):
        text = "announces more than that it is done"
    elif _is_refusal(reply.body, method):
        text = f"says in it: {_shorten(_read(reply)[0])}"
    else:
        return
    raise ServerFault(
        f"the service answered {reply.status}, as if it were done, and {text}",
        status=reply.status,
        code="unreadable_reply",
        request_id=reply.request_id,
        hint="look at what became of it before the command is run again",
    )


def _is_refusal(body: bytes, method: str) -> bool:
    """Whether a body is an error of the interface, or in the place of nothing one of any shape."""
    if method != "DELETE" and b'"detail"' not in body:
        return False
    try:
        told = json.loads(body) if body.strip() else None
    except (ValueError, RecursionError):
        return False
    if not isinstance(told, dict):
        return method == "DELETE" and told is not None and told is not True
    if "id" not in told and _is_text(told, "detail") and any(_is_text(told, name) for name in _CODE_KEYS):
        return True
    return method == "DELETE" and (
        any(told.get(name) for name in _ERROR_KEYS) or any(told.get(name) is False for name in _DONE_KEYS)
    )


def _is_text(fields: dict[str, object], name: str) -> bool:
    return isinstance(fields.get(name), str)


def _class(status: int) -> type[ServiceError]:
    if status in _CLASSES:
        return _CLASSES[status]
    return Rejected if 400 <= status < 500 else ServerFault


def _field_text(name: str, texts: list[str]) -> str:
    joined = " ".join(texts)
    return joined if name == "non_field_errors" else f"{name}: {joined}"


def _read(reply: Reply) -> tuple[str, str | None, dict[str, list[str]]]:
    """Return the text, the machine code and the field errors of a body of any shape."""
    if _is_html(reply):
        title = _title(reply.text())
        return f"the server answered with an HTML page{f': {title}' if title else ''}", None, {}
    try:
        body = json.loads(reply.body) if reply.body.strip() else None
    except (ValueError, RecursionError):
        return reply.text().strip(), None, {}
    if isinstance(body, dict):
        return _read_object(body)
    if isinstance(body, list):
        return "; ".join(str(item) for item in body), None, {}
    return "" if body is None else str(body), None, {}


def _title(page: str) -> str:
    """Return what an HTML page is called; nothing where it does not say so."""
    begins = _TITLE.search(page)
    ends = begins and _TITLE_ENDS.search(page, begins.end())
    return html.unescape(page[begins.end() : ends.start()]).strip() if begins and ends else ""


def _read_object(body: dict[str, object]) -> tuple[str, str | None, dict[str, list[str]]]:
    text = next((value for key in _TEXT_KEYS if isinstance(value := body.get(key), str) and value), "")
    code = next((value for key in _CODE_KEYS if isinstance(value := body.get(key), str)), None)
    fields: dict[str, list[str]] = {}
    # a field may be called as the code is: then it holds its texts
    named = (
        (key, value)
        for key, value in body.items()
        if key not in _KNOWN or (key == "code" and isinstance(value, list | dict))
    )
    for name, message in islice(chain.from_iterable(starmap(_flatten, named)), _MOST):
        fields.setdefault(redact.shortened(name, _LONGEST_NAME), []).append(message)
    listed = body.get(_MISSING_KEY)
    for name in listed[:_MOST] if isinstance(listed, list) else ():
        fields.setdefault(redact.shortened(str(name), _LONGEST_NAME), ["missing"])
    return text, code, fields


def _flatten(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Walk nested field errors: rows become `rows.0.amount`."""
    name = name[:_KEPT_NAME]
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flatten(f"{name}.{key}", inner)
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from _flatten(f"{name}.{position}" if isinstance(inner, (dict, list)) else name, inner)
    elif value is not None:
        yield name, str(value)


def _is_html(reply: Reply) -> bool:
    return "html" in reply.headers.get("content-type", "") or reply.body[:200].lstrip()[:1] == b"<"


def _standard_text(status: int) -> str:
    try:
        return f"the service answered {HTTPStatus(status).phrase}"
    except ValueError:
        return "the service answered with an unknown status"


def _shorten(text: str) -> str:
    return redact.shortened(" ".join(text.split()), _LONGEST)


def undecided(reply: Reply) -> ServerFault:
    """Return the error for a status of success that says nothing clear."""
    return ServerFault(
        f"the service answered {reply.status}, which tells neither that all of it was done nor that nothing was",
        status=reply.status,
        code="unreadable_reply",
        request_id=reply.request_id,
        hint="look at what became of it before the command is run again",
    )


def sent_back(what: str, hint: str) -> ServerFault:
    """Return the error for a reply that holds a secret which was sent."""
    return ServerFault(
        f"the service sent {what} back in its reply, which is not shown",
        code="secret_sent_back",
        hint=f"check the base URL of the environment; {hint}",
    )


def text_of(body: bytes, name: str, complaint: str) -> str:
    """Take a text out of the object of a reply."""
    import msgspec

    try:
        found = msgspec.json.decode(body, type=dict[str, msgspec.Raw])[name]
        return msgspec.json.decode(found, type=str)
    except (msgspec.DecodeError, KeyError) as problem:
        raise ServerFault(complaint, code="unreadable_reply") from problem
