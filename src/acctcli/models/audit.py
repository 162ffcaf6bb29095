"""The audit trail on the wire (docs/interface.md 11.4)."""

from __future__ import annotations

from typing_extensions import TypedDict

from acctcli.models.reply import Json, Moment


class AuditRecord(TypedDict):
    """What was changed, when, by whom; `id` is the number in the trail, `data` the record as it was then.

    `author`, `client`, `via` and the rest of who it was are null in what was recorded before there was a trail.
    """

    id: int
    business_id: int
    type: str
    record_id: int | None
    created_at: Moment
    user_id: int | None
    author: str | None
    client: str | None
    via: str | None
    request_id: str | None
    operation: str | None
    hash: str | None
    data: Json


class AuditFault(TypedDict):
    """What is wrong at a record."""

    id: int
    text: str


class AuditSeal(TypedDict):
    """The end of a day: its last record, and the mark that the key of the installation makes of it."""

    day: str
    id: int
    hash: str
    mark: str


class AuditUnrecorded(TypedDict):
    """A token, rights of somebody in a business, or a business that the trail of the service has not recorded so."""

    record: str
    text: str


class DatabaseFault(TypedDict):
    """What is wrong with a row of the database, or with all of it."""

    record: str
    text: str


class DatabaseVerification(TypedDict):
    """What came of a look through the database behind the books; no fault is good."""

    faults: list[DatabaseFault]


class AuditVerification(TypedDict):
    """What came of recomputing the trail: how many records, the newest, and what is wrong.

    `sealed_until` is the last day whose seal was made with the key of this installation; `other_seals` is how many
    were made with another one; `unproved_until` the last record that came with a backup that could not be proved;
    `set_back` are the records that say a moment more than ten minutes before the record before them.
    """

    records: int
    last_id: int
    last_hash: str
    sealed_until: str | None
    other_seals: int
    unproved_until: int | None
    set_back: list[int]
    faults: list[AuditFault]
    unrecorded: list[AuditUnrecorded]
    seals: list[AuditSeal]
