"""Customers as people name them: by customer number, official business id or whole name; `id:57` for scripts.

An invoice to the wrong customer is worse than none: where a name means several contacts, nobody is chosen.
"""

from __future__ import annotations

import re

import msgspec

from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import NotFound, UsageError

BY_ID = re.compile(r"id:([1-9][0-9]{0,18})", re.ASCII)
_DIGITS = re.compile(r"[1-9][0-9]{0,18}", re.ASCII)
_NEAREST = 3


class Customer(msgspec.Struct):
    """What tells contacts apart."""

    id: int
    name: str
    customer_id: str | None = None
    contact_business_id: str | None = None

    def __str__(self) -> str:
        known = [f"number {self.customer_id}" if self.customer_id else "", self.contact_business_id or ""]
        told = ", ".join(filter(None, known))
        return f"id:{self.id} {self.name}{f' ({told})' if told else ''}"

    def is_called(self, written: str) -> bool:
        """Whether this is its number, its business id or its whole name, in any case."""
        names = (self.name, self.customer_id, self.contact_business_id)
        return written.casefold() in {name.casefold() for name in names if name}


_read = reader(Customer, "a contact")


def find_customer(here: State, written: str, option: str = "--to") -> int:
    """Return the id of the contact that is meant.

    Raises UsageError, naming those that come into question, when none or several are.
    """
    chosen = BY_ID.fullmatch(written)
    if chosen:
        return int(chosen[1])
    listing = here.api.contacts.list({"search": written}, Extent(limit=None))
    near = list(read_all(listing, _read))
    found = {one.id: one for one in near if one.is_called(written)} | _by_id(here, written)
    if len(found) == 1:
        return next(iter(found))
    if found:
        raise UsageError(
            f"{option} {written!r} means {len(found)} contacts: {'; '.join(map(str, found.values()))}",
            hint=f"name the one that is meant by its id, such as {option} id:{min(found)}",
        )
    shown = "; ".join(map(str, near[:_NEAREST]))
    hint = f"did you mean {shown}?" if near else "see: acctcli contact list"
    raise UsageError(f"{option}: there is no contact {written!r}", hint=hint)


def _by_id(here: State, written: str) -> dict[int, Customer]:
    """The contact of a bare id, if there is one."""
    if not _DIGITS.fullmatch(written) or int(written) >= 2**63:
        return {}
    try:
        found = decoded(here.api.contacts.get(int(written)), Customer)
    except NotFound:
        return {}
    return {found.id: found}
