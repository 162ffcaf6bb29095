"""What can go wrong inside the service, without a word of HTTP.

Problem
+-- Invalid             the body or the query is wrong; `fields` says where
+-- Unauthenticated     no credential, or one that is not valid here
+-- NotAllowed          the caller may not see or change this
+-- Missing             no such record in this business
+-- MethodUnknown       the address exists, the method does not
+-- MediaUnknown        a body in a format this operation does not read
+-- TooLarge            a body beyond the limit
+-- Throttled           too many requests of one client are under way
+-- InFlight            the first request with this idempotency key still runs
|   +-- BeingSent       another request sends the same at this moment
+-- KeyReused           the idempotency key belongs to another request
+-- Precondition        another record or a missing setting stands in the way
+-- Locked              the record or its period is locked
+-- Unavailable         the database or another server cannot do it now; whether it was done, the sentence says
|   +-- NotSent         who was to carry it took nothing, and may later
|   +-- DiskFull        there is no room for it
|   +-- Damaged         the database cannot be read
+-- MailUnsure          mail may have left, and nobody can tell
+-- MailUnrecorded      mail has left, and cannot be recorded
+-- SecretUnreadable    a secret was encrypted with another key than this installation's
+-- KeyDamaged          the key of this installation is none
+-- FileUnusable        a file of the service cannot be read or written

`http/answers.py` holds the one table that maps them to statuses; each carries its machine code (docs/interface.md 1.5).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Problem(Exception):
    """A refusal with a machine code, a sentence for people, and fields at fault."""

    code = "server_error"
    sentence = "The service failed."

    def __init__(self, detail: str | None = None, *, fields: Mapping[str, Any] | None = None) -> None:
        self.detail = detail or self.sentence
        self.fields = dict(fields or {})
        super().__init__(self.detail)


class Invalid(Problem):
    """400. `fields` maps a field name to its texts; nested rows are arrays of objects."""

    code = "validation_error"
    sentence = "The request is not valid."

    @classmethod
    def field(cls, name: str, text: str) -> Invalid:
        """One field at fault: `Invalid.field("date", "Not a date.")`."""
        return cls(f"{name}: {text}", fields={name: [text]})

    @classmethod
    def whole(cls, text: str) -> Invalid:
        """Fields that do not go together: reported under `non_field_errors`."""
        return cls(text, fields={"non_field_errors": [text]})


class Unauthenticated(Problem):
    """401."""

    code = "not_authenticated"
    sentence = "Send a token: `Authorization: Token <token>`."


class TokenRefused(Unauthenticated):
    """401: a token was sent and is unknown, revoked or expired."""

    code = "authentication_failed"
    sentence = "The token is not valid here."


class NotAllowed(Problem):
    """403."""

    code = "permission_denied"
    sentence = "You may not do this."


class Missing(Problem):
    """404."""

    code = "not_found"
    sentence = "There is no such record."


class MethodUnknown(Problem):
    """405."""

    code = "method_not_allowed"
    sentence = "This address does not take this method."


class Throttled(Problem):
    """429: too much of one client is under way at once."""

    code = "rate_limited"
    sentence = "Too many of your requests are under way at once: wait until some are answered."


class InFlight(Problem):
    """409."""

    code = "conflict"
    sentence = "The first request with this idempotency key is still being processed."


class BeingSent(InFlight):
    """409: what another request sends at this moment; nothing was changed."""


class Precondition(Problem):
    """412."""

    code = "precondition_failed"
    sentence = "Another record stands in the way."


class TooLarge(Problem):
    """413."""

    code = "request_too_large"
    sentence = "The body is too large."


class MediaUnknown(Problem):
    """415."""

    code = "unsupported_media_type"
    sentence = "Send the body as application/json."


class KeyReused(Problem):
    """422."""

    code = "idempotency_key_reused"
    sentence = "This idempotency key was used for another request."


class Locked(Problem):
    """423."""

    code = "locked"
    sentence = "The record is locked."


# ends a sentence where that is known, and then the reply says so to programs, too
UNCHANGED = "; nothing was changed."


class Unavailable(Problem):
    """503: the change was not made, unless it was just being recorded: a repetition tells (docs/interface.md 1.5)."""

    code = "server_error"
    sentence = f"The database is busy{UNCHANGED}"


class NotSent(Unavailable):
    """503: a mail server, or an operator's client, took nothing over now, and may later; nothing was changed."""


class DiskFull(Unavailable):
    """507: nothing can be kept before somebody makes room."""

    sentence = f"The disk of the service is full{UNCHANGED}"


class ReadOnly(Unavailable):
    """503: of a database that may be read only, which SQLite does not read, either."""

    sentence = f"The database may be read and not written here{UNCHANGED}"


class Damaged(Unavailable):
    """500: the database is there and is none any more."""

    sentence = "The database is damaged. Bring it back from a backup: acctcli local restore FILE."


class FileUnusable(Problem):
    """500: a file of the service, other than its database, cannot be read or written, or is not what it was."""


class MailUnsure(Problem):
    """500: the mail server was handed a mail and did not say whether it took it."""


class MailUnrecorded(Problem):
    """500: mail has left, and what it was about is not there any more to record that."""


class SecretUnreadable(Problem):
    """412: an encrypted secret does not open, as after the database came here without its key."""

    code = "precondition_failed"
    sentence = "A secret kept here was encrypted with another key than this installation has."


class KeyDamaged(Problem):
    """500: nothing can be signed or encrypted before the key is back."""

    sentence = "The key of this installation is damaged. Bring it back from a copy of its file."
