"""What is said of an invoice that repeats: days that are over, and mail that does not go (docs/interface.md 7.6)."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

import msgspec

from acctcli.cli.invoice.standing import ACCEPTED
from acctcli.cli.session.state import State
from acctcli.client.messages import Reply
from acctcli.models.enums import BY_MAIL

_MONTHS = {"MONTHLY": 1, "YEARLY": 12}
_DAYS = {"DAILY": 1, "WEEKLY": 7}


class _Rule(msgspec.Struct):
    frequency: str = ""
    interval: int = 1


class _Template(msgspec.Struct):
    status: str
    invoicing_date: date
    is_active_recurrence_template: bool
    recurrence_rule: _Rule
    recurrence_end: date | None = None


class _Mailed(msgspec.Struct):
    id: int
    status: str
    is_active_recurrence_template: bool
    delivery_method: str | None = None
    recurrence_email_subject: str | None = None


def note_unmailed(here: State, reply: Reply) -> None:
    """Say that invoices which are to go by mail have no subject to go with, so that they do not."""
    try:
        found = msgspec.json.decode(reply.body, type=_Mailed)
    except (msgspec.DecodeError, RecursionError):  # no invoice that repeats
        return
    is_to_go = found.is_active_recurrence_template and found.delivery_method in BY_MAIL
    if not (here.is_local_service and is_to_go) or found.recurrence_email_subject:
        return
    told = "note: what repeats of it is to go by mail, and has no subject, so that it is not mailed"
    if found.status == ACCEPTED:
        here.say(f"{told}: acctcli invoice send mails each; an accepted invoice keeps its subject")
    else:
        here.say(f"{told}: acctcli invoice update {found.id} --set 'recurrence_email_subject=Invoice {{number}}'")


def note_past(here: State, reply: Reply) -> None:
    """Say that invoices are due of days before tomorrow, which `next_recurrences` does not show."""
    try:
        found = msgspec.json.decode(reply.body, type=_Template)
    except (msgspec.DecodeError, RecursionError):  # no invoice that repeats
        return
    if not (here.is_local_service and found.is_active_recurrence_template and found.status == ACCEPTED):
        return
    first, today = _first(found), here.today()
    if first is not None and first <= min(today, found.recurrence_end or today):
        here.say(
            f"note: it repeats from {first} on: acctcli local tick --dry-run shows the invoices of days that are over, "
            "and acctcli local tick makes them"
        )


def _first(found: _Template) -> date | None:
    """Return the day of the first repetition; None where the calendar has none, or the rule is another one."""
    day, rule = found.invoicing_date, found.recurrence_rule
    try:
        if rule.frequency in _DAYS:
            return day + timedelta(days=_DAYS[rule.frequency] * rule.interval)
        months = day.month - 1 + _MONTHS.get(rule.frequency, 0) * rule.interval
        year, month = day.year + months // 12, months % 12 + 1
        return date(year, month, min(day.day, monthrange(year, month)[1])) if rule.frequency in _MONTHS else None
    except (ValueError, OverflowError):
        return None
