"""Answers, and what problems become: statuses and error bodies (docs/interface.md 1.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.json import Encoder

from acctcli.service.http.logs import LOG
from acctcli.service.problems import (
    UNCHANGED,
    BeingSent,
    DiskFull,
    InFlight,
    Invalid,
    KeyReused,
    Locked,
    MediaUnknown,
    MethodUnknown,
    Missing,
    NotAllowed,
    NotSent,
    Precondition,
    Problem,
    ReadOnly,
    SecretUnreadable,
    Throttled,
    TokenRefused,
    TooLarge,
    Unauthenticated,
    Unavailable,
)
from acctcli.service.store.engine.connection import explain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from acctcli.service.http.spool import Streamed

STATUS: dict[type[Problem], int] = {
    Invalid: 400,
    Unauthenticated: 401,
    TokenRefused: 401,
    NotAllowed: 403,
    Missing: 404,
    MethodUnknown: 405,
    InFlight: 409,
    BeingSent: 409,
    Precondition: 412,
    SecretUnreadable: 412,
    TooLarge: 413,
    MediaUnknown: 415,
    KeyReused: 422,
    Locked: 423,
    Throttled: 429,
    Unavailable: 503,
    NotSent: 503,
    ReadOnly: 503,
    DiskFull: 507,
}
HEADERS = {401: (("WWW-Authenticate", "Token"),), **dict.fromkeys((429, 503), (("Retry-After", "1"),))}

NOTHING_CHANGED = (("Nothing-Changed", "true"),)
REPLAYED = (("Idempotent-Replayed", "true"),)
CONTENT_TYPE = "Content-Type"
NO_CONTENT = 204

encode = Encoder(decimal_format="number").encode


class Answer(NamedTuple):
    """A status, an encoded body, and headers beyond the usual ones; a body too large to be stored is in a file.

    It is JSON, unless its headers name another type.
    """

    status: int
    body: bytes | Streamed
    headers: tuple[tuple[str, str], ...] = ()

    def all_headers(self, usual: Mapping[str, str]) -> list[tuple[str, str]]:
        """Return its headers and the usual ones, with type and length of the body, which a 204 has not."""
        headers = [*usual.items(), *self.headers]
        if self.status != NO_CONTENT:
            if all(name != CONTENT_TYPE for name, _ in self.headers):
                headers.append((CONTENT_TYPE, "application/json"))
            length = len(self.body) if isinstance(self.body, bytes) else self.body.length
            headers.append(("Content-Length", str(length)))
        return headers


def refusal(error: Exception, request_id: str) -> Answer:
    """Return the answer to a problem: `{"code", "detail"}` and one key per field at fault (docs/interface.md 1.5).

    A field named `code` keeps its key, and the word for programs stands under `error_code`.

    Anything that is no problem is a fault of this program: the log has more of it, the caller gets the id to ask for.
    """
    problem = explain(error) or Problem(f"The service failed; its log has more under {request_id}.")
    status = STATUS.get(type(problem), 500)
    if status >= 500:
        LOG.error("%s failed", request_id, exc_info=error)
    word = "error_code" if "code" in problem.fields else "code"
    body = encode({**problem.fields, word: problem.code, "detail": problem.detail})
    is_known = problem.detail.endswith(UNCHANGED) or isinstance(problem, (NotSent, BeingSent))
    known = NOTHING_CHANGED if is_known else ()
    return Answer(status, body, (*HEADERS.get(status, ()), *known))
