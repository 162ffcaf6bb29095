"""What was closed, and what was recorded: fingerprints of periods, and the trail (docs/interface.md 3.6, 11.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from acctcli.cli.check.books import EVERY, Period, read_periods, read_vat_periods
from acctcli.cli.check.findings import Finding
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State
from acctcli.credentials import resolve
from acctcli.errors import Forbidden, Incomplete, NotFound

if TYPE_CHECKING:
    from acctcli.client.messages import Reply

FINGERPRINTS, TRAIL = "fingerprints", "audit trail"
COMMANDS = {"period": "period", "vat_period": "vat period"}
# what closes a period, opens it or ends it
CHANGES = {"locked", "reported", "unlocked", "reopened", "deleted"}
NOUNS = {"period": "accounting period", "vat_period": "VAT period"}


class _Fingerprint(msgspec.Struct):
    id: int
    kind: str
    period_id: int
    start_date: str
    end_date: str
    created_at: str
    author: str
    is_comparable: bool = True
    differing: list[str] = []
    replaced: list[str] = []

    @property
    def record(self) -> str:
        return f"{NOUNS.get(self.kind, self.kind)} {self.start_date} - {self.end_date}"

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with it, a sentence each."""
        if self.differing:
            yield f"{_names(self.differing)}: other figures than when {self.author} closed it on {self.created_at[:10]}"
        if self.replaced:
            yield f"{_names(self.replaced)}: the fingerprint is not the one that the audit trail recorded"


def _names(reports: Sequence[str]) -> str:
    return ", ".join(reports).replace("_", " ")


def refuse_differing(reply: Reply) -> None:
    """Raise Incomplete when a fingerprint that was taken again differs from what was kept or recorded."""
    found = decoded(reply, _Fingerprint)
    if problems := list(found.problems()):
        raise Incomplete(f"{found.record}: {'; '.join(problems)}", hint="see: acctcli check, and acctcli audit list")


class _State(msgspec.Struct):
    start_date: str = ""
    end_date: str = ""
    fingerprint: dict[str, msgspec.Raw] | None = None


class _Recorded(msgspec.Struct):
    type: str
    record_id: int | None
    data: _State


_read = reader(_Fingerprint, "a fingerprint")
_read_recorded = reader(_Recorded, "a record of the audit trail")


def check_fingerprints(here: State) -> Iterator[Finding]:
    """Take every fingerprint again, and look for closed periods that have none, and for open ones that have one.

    What the trail says of periods is compared with what they are.
    """
    closed_then = _closed_then(here)
    closed = {"period": _locked(read_periods(here)), "vat_period": _locked(read_vat_periods(here))}
    for (kind, period_id), days in closed_then.items():
        if period_id not in closed[kind]:
            problem = "it is open, and the audit trail has not recorded that it was opened"
            remedy = f"acctcli audit show {kind} {period_id}"
            yield Finding(FINGERPRINTS, f"{NOUNS[kind]} {days}", problem, remedy, is_fault=True)
    for found in _fingerprints(here):
        if closed.get(found.kind, {}).pop(found.period_id, None) is None:
            problem = f"it was closed on {found.created_at[:10]} by {found.author} and is open, without being opened"
            yield Finding(FINGERPRINTS, found.record, problem, "acctcli audit list", is_fault=True)
        for problem in found.problems():
            remedy = f"acctcli audit list --period {found.start_date}.."
            yield Finding(FINGERPRINTS, found.record, problem, remedy, is_fault=True)
        if not found.is_comparable:
            problem = "its fingerprint is of a form that this program does not know"
            yield Finding(FINGERPRINTS, found.record, problem, "update acctcli")
    for kind, left in closed.items():
        for period_id, days in left.items():
            remedy = f"acctcli {COMMANDS[kind]} unlock {period_id}, then lock {period_id}"
            is_gone = (kind, period_id) in closed_then
            problem = f"it is closed and has no fingerprint{', though one was recorded' if is_gone else ''}"
            yield Finding(FINGERPRINTS, f"{NOUNS[kind]} {days}", problem, remedy, is_fault=is_gone)


def _fingerprints(here: State) -> Iterator[_Fingerprint]:
    """Yield the fingerprints, each taken again; not of what is opened meanwhile."""
    for listed in list(read_all(here.api.fingerprints.list({}, EVERY), _read)):
        with suppress(NotFound):
            yield decoded(here.api.fingerprints.get(listed.id), _Fingerprint)


def _closed_then(here: State) -> dict[tuple[str, int], str]:
    """Return the periods that the trail says are closed, with their days, where it recorded a fingerprint."""
    found: dict[tuple[str, int], str] = {}
    for kind in COMMANDS:
        # the newest first: the first of a period says what it is
        last: dict[int, _Recorded] = {}
        for record in read_all(here.api.audit.list({"resource": kind}, EVERY), _read_recorded):
            if record.type.rpartition(".")[2] in CHANGES and record.record_id is not None:
                last.setdefault(record.record_id, record)
        for period_id, record in last.items():
            if record.data.fingerprint is not None:
                found[kind, period_id] = f"{record.data.start_date} - {record.data.end_date}"
    return found


def _locked(periods: Sequence[Period]) -> dict[int, str]:
    return {period.id: str(period) for period in periods if period.is_locked}


def check_trail(here: State) -> Iterator[Finding]:
    """Recompute the audit trail, and that of the service for whoever may read it."""
    yield from _faults(here.api.verify_audit(), "", "acctcli audit verify")
    try:
        of_service = here.api.verify_audit(of_service=True)
    except Forbidden:
        if here.environment.in_process and resolve(here.environment, here.environ) is None:
            problem = "it is not shown to the user of this machine: the books name another one as their owner"
            yield Finding(TRAIL, "the service", problem, "acctcli audit verify --service", is_fault=True)
        here.say("the audit trail of the service was not looked at: only its owner may")
        return
    yield from _faults(of_service, " of the service", "acctcli audit verify --service")


def _faults(reply: Reply, whose: str, remedy: str) -> Iterator[Finding]:
    from acctcli.cli.audit.exporting import Verified

    found = decoded(reply, Verified)
    for fault in found.faults:
        yield Finding(TRAIL, f"record {fault.id}{whose}", fault.text, remedy, is_fault=True)
    for one in found.unrecorded:
        yield Finding(TRAIL, one.record, one.text, remedy, is_fault=True)
