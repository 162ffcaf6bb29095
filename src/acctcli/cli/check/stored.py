"""The database behind the books: damage, odd tables, rows that do not fit, figures that are not those of their rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from acctcli.cli.check.findings import Finding
from acctcli.cli.output.replies import decoded
from acctcli.errors import Forbidden

if TYPE_CHECKING:
    from acctcli.cli.session.state import State

DATABASE = "database"
# one after the other: each takes a while in large books
PARTS = ("structure", "rows", "figures")


class _Fault(msgspec.Struct):
    record: str
    text: str


class _Verified(msgspec.Struct):
    faults: list[_Fault]


def check_database(here: State) -> Iterator[Finding]:
    """Have the service look through its database; only the owner may ask for it."""
    for part in PARTS:
        try:
            reply = here.api.verify_database(part)
        except Forbidden:
            here.say("the database was not looked at: only its owner may")
            return
        for fault in decoded(reply, _Verified).faults:
            yield Finding(DATABASE, fault.record, fault.text, "acctcli local restore FILE", is_fault=True)
