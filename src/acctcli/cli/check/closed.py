"""What was closed, and what was recorded: fingerprints of periods, and the trail (docs/interface.md 3.6, 11.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from acctcli.cli.check.books import EVERY, Books, Period
from acctcli.cli.check.findings import Finding
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State

FINGERPRINTS, TRAIL = "fingerprints", "audit trail"
COMMANDS = {"period": "period", "vat_period": "vat period"}
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

    @property
    def record(self) -> str:
        return f"{NOUNS[self.kind]} {self.start_date} - {self.end_date}"


_read = reader(_Fingerprint, "a fingerprint")


def check_fingerprints(here: State, books: Books) -> Iterator[Finding]:
    """Take every fingerprint again, and look for closed periods that have none, and for open ones that have one."""
    closed = {"period": _locked(books.periods), "vat_period": _locked(books.vat_periods)}
    for listed in list(read_all(here.api.fingerprints.list({}, EVERY), _read)):
        found = decoded(here.api.fingerprints.get(listed.id), _Fingerprint)
        if closed[found.kind].pop(found.period_id, None) is None:
            problem = f"it was closed on {found.created_at[:10]} by {found.author} and is open, without being opened"
            yield Finding(FINGERPRINTS, found.record, problem, "acctcli audit list", is_fault=True)
        if found.differing:
            reports = ", ".join(found.differing).replace("_", " ")
            problem = f"{reports}: other figures than when {found.author} closed it on {found.created_at[:10]}"
            remedy = f"acctcli audit list --period {found.start_date}.."
            yield Finding(FINGERPRINTS, found.record, problem, remedy, is_fault=True)
        if not found.is_comparable:
            problem = "its fingerprint is of a form that this program does not know"
            yield Finding(FINGERPRINTS, found.record, problem, "update acctcli")
    for kind, left in closed.items():
        for period_id, days in left.items():
            remedy = f"acctcli {COMMANDS[kind]} unlock {period_id}, then lock {period_id}"
            yield Finding(FINGERPRINTS, f"{NOUNS[kind]} {days}", "it is closed and has no fingerprint", remedy)


def _locked(periods: Sequence[Period]) -> dict[int, str]:
    return {period.id: str(period) for period in periods if period.is_locked}


def check_trail(here: State, books: Books) -> Iterator[Finding]:
    """Recompute the audit trail."""
    from acctcli.cli.audit.exporting import Verified

    del books
    for fault in decoded(here.api.verify_audit(), Verified).faults:
        yield Finding(TRAIL, f"record {fault.id}", fault.text, "acctcli audit verify", is_fault=True)
