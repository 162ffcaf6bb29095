"""What an unlocked document still waits for: the period that closes its day (docs/interface.md 3.5)."""

from __future__ import annotations

from datetime import date

import msgspec

from acctcli.cli.command.plain import Name
from acctcli.cli.document.closed import closed_days
from acctcli.cli.output.replies import decoded
from acctcli.cli.session.state import State
from acctcli.client.messages import Reply
from acctcli.errors import Forbidden


class _Document(msgspec.Struct):
    id: int
    date: date
    number: str | None = None


def say_what_closes(here: State, document: Name, reply: Reply) -> None:
    """Say that a document whose day is closed stays as it is, and what goes on."""
    if here.options.quiet:
        return
    found = decoded(reply if reply.body.strip() else here.api.documents.get(document), _Document)
    try:
        closed = closed_days(here)
    except Forbidden:
        here.say("note: you may not see periods; while one closes its day, changes of it are refused all the same")
        return
    if not closed.has(found.date):
        return
    name = found.number or f"document {found.id}"
    here.say(f"note: {name} is unlocked, and changes of it are refused all the same: {closed.why(found.date)}")
    here.say(
        f"to mend it on an open day: acctcli document correct {found.id} --date DAY with what is right, or "
        f"acctcli document reverse {found.id} --date DAY; to open its day: {closed.opened(found.date)}"
    )
