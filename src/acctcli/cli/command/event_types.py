"""Types of events, where options name them (docs/interface.md 11.1)."""

from __future__ import annotations

from collections.abc import Collection

from acctcli.errors import UsageError


def complete_event_types(incomplete: str) -> list[str]:
    """Complete the type of an event."""
    from acctcli.models.events import EVENT_TYPES

    return [one for one in EVENT_TYPES if one.startswith(incomplete)]


def check_event_types(option: str, named: Collection[str], *, of_deliveries: bool = False) -> None:
    """Raise UsageError where there is no event of a type that an option names; of deliveries, no test event either."""
    from difflib import get_close_matches

    from acctcli.models.events import EVENT_TYPES, PING

    there_are = (*EVENT_TYPES, PING) if of_deliveries else EVENT_TYPES
    for unknown in sorted(set(named).difference(there_are)):
        similar = get_close_matches(unknown, there_are, n=1)
        hint = f"did you mean {similar[0]}?" if similar else "such as sales_invoice.accepted"
        raise UsageError(f"{option}: there is no event {unknown}", hint=hint)
