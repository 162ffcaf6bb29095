"""The audit trail as a folder of files that prove it without this program."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from acctcli.client.messages import LARGEST_PAGE, Extent
from acctcli.errors import Incomplete, unwritten
from acctcli.settings.temporaries import new_temporary

if TYPE_CHECKING:
    from acctcli.client.collection import Collection

RECORDS, FACTS, VERIFIER = "trail.jsonl", "trail.json", "verify.py"


class Fault(msgspec.Struct):
    """What is wrong at a record."""

    id: int
    text: str


class Unrecorded(msgspec.Struct):
    """Who may come in though no record says so."""

    record: str
    text: str


class Verified(msgspec.Struct):
    """What the service says of a trail."""

    records: int
    last_id: int
    last_hash: str
    faults: list[Fault]
    seals: list[dict[str, Any]]
    unrecorded: list[Unrecorded] = []


class _Record(msgspec.Struct, rename={"number": "id"}):
    number: int
    business_id: int
    type: str
    data: msgspec.Raw
    created_at: str
    user_id: int | None
    author: str | None
    client: str | None
    via: str | None
    request_id: str | None
    operation: str | None
    hash: str | None


_decode = msgspec.json.Decoder(_Record).decode
# what a hash covers, in its order (docs/interface.md 11.4)
COVERED = (
    "business_id", "number", "type", "data", "created_at", "user_id", "author", "client", "via", "request_id",
    "operation", "hash",
)  # fmt: skip


def export(trail: Collection[Any], head: Verified, target: Path) -> None:
    """Make a folder of the records up to the newest of a verification, seals and verifier: whole or not at all."""
    draft = new_temporary(target.parent)
    try:
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        draft.mkdir()
        with (draft / RECORDS).open("xb") as file:
            file.writelines(_lines(trail, head.last_id))
        facts = {"last_number": head.last_id, "last_hash": head.last_hash, "seals": head.seals}
        (draft / FACTS).write_bytes(msgspec.json.format(msgspec.json.encode(facts)) + b"\n")
        (draft / VERIFIER).write_bytes(Path(__file__).with_name("verifier.py").read_bytes())
        draft.rename(target)
    except OSError as error:
        raise unwritten(f"cannot write {target}", error, "give a folder that is not there yet") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _lines(trail: Collection[Any], last: int) -> Iterator[bytes]:
    """Yield the records as lines, the oldest first."""
    for record in map(_decode, read_windows(trail, last)):
        # the text that was hashed: read as JSON it could be written in another way
        said = {name: getattr(record, name) for name in COVERED} | {"data": bytes(record.data).decode()}
        yield msgspec.json.encode(said) + b"\n"


def read_windows(trail: Collection[Any], last: int) -> Iterator[msgspec.Raw]:
    """Yield the records up to a number, the oldest first: read by number they are the same, whatever comes."""
    for first in range(1, last + 1, LARGEST_PAGE):
        span = {"number_from": first, "number_to": min(first + LARGEST_PAGE - 1, last)}
        rows = [row for page in trail.list(span, Extent(None, LARGEST_PAGE)) for row in page]
        yield from reversed(rows)


def check_faults(found: Verified) -> None:
    """Raise Incomplete with what is wrong, if anything is."""
    faults = [f"record {fault.id}: {fault.text}" for fault in found.faults]
    faults += [f"{one.record}: {one.text}" for one in found.unrecorded]
    if faults:
        told = "; ".join(faults[:20])
        raise Incomplete(
            f"the audit trail is not what was recorded: {told}",
            hint="compare it with a backup or an export of before: acctcli audit export DIR",
        )
