"""Fingerprints of closed periods: taken when a period is closed, dropped when it is opened, taken again to compare.

See docs/interface.md 3.6.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from typing import TYPE_CHECKING, Literal

from acctcli.law.closed_days import Span
from acctcli.service.cases.reports.columns import start_of_result
from acctcli.service.cases.reports.vat import vat_figures
from acctcli.service.cases.work import Work, found
from acctcli.service.rules.fingerprints import REPORTS, VERSION, Entries, statement_digest, vat_digest
from acctcli.service.rules.reports.balance_sheet import balance_figures
from acctcli.service.rules.reports.income_statement import income_figures
from acctcli.service.rules.reports.spans import day_before
from acctcli.service.store import trail
from acctcli.service.store.books import fingerprints
from acctcli.service.store.books.fingerprints import FingerprintRow
from acctcli.service.store.reports import ground
from acctcli.service.store.reports.movements import movements

if TYPE_CHECKING:
    from acctcli.models.period import CheckedFingerprint, Fingerprint

Kind = Literal["period", "vat_period"]


def take(work: Work, kind: Kind, period_id: int, span: Span) -> dict[str, object]:
    """Store the fingerprint of a period that was closed, in place of any that it has; return what the trail keeps."""
    taken = digests(work, span)
    values = {
        **work.born,
        "start_date": span.start,
        "end_date": span.end,
        "version": VERSION,
        "author": work.user.email,
        **taken,
    }
    fingerprints.keep(work.conn, work.business.id, kind, period_id, values)
    return {"fingerprint": {"version": VERSION, **taken}}


def drop(work: Work, kind: Kind, period_id: int) -> None:
    """Forget the fingerprint of a period that was opened."""
    fingerprints.drop(work.conn, work.business.id, kind, period_id)


def digests(work: Work, span: Span) -> dict[str, str]:
    """Return the digest of each report of a range, by its name."""
    conn, business_id = work.conn, work.business.id
    accounts = ground.accounts(conn, business_id)
    entries = Entries(accounts)
    with closing(fingerprints.posted(conn, business_id, span)) as rows:
        journal = entries.take(rows)
    eve = day_before(span.start)
    before = movements(conn, business_id, None, eve)
    of_period = movements(conn, business_id, start_of_result(work, span.start), eve)
    until = movements(conn, business_id, None, span.end)
    result = movements(conn, business_id, start_of_result(work, span.end), span.end)
    sheet = balance_figures(accounts, until, result, has_openings=True)
    income = income_figures(accounts, movements(conn, business_id, *span))
    made = (
        journal,
        entries.ledger(accounts, before, of_period),
        vat_digest(vat_figures(work, span)),
        statement_digest(accounts, sheet),
        statement_digest(accounts, income),
    )
    return dict(zip(REPORTS, made, strict=True))


def check_fingerprint(work: Work, fingerprint_id: int) -> CheckedFingerprint:
    """Take the fingerprint of a closed period again, and name the reports that differ from what was kept.

    What was kept, its days and its author too, is compared with what the trail recorded when the period was closed.
    """
    row = found(fingerprints.get(work.conn, work.business.id, fingerprint_id), "fingerprint")
    now = digests(work, row.span)
    kept = row._asdict()
    closed = trail.closed(work.conn, work.business.id, row.kind, row.period_id)
    recorded = closed.period.get("fingerprint") or {}
    is_comparable = recorded.get("version", row.version) == VERSION
    differing = [name for name in REPORTS if kept[name] != now[name]] if is_comparable else []
    return {
        **show(row),
        "found": now,
        "is_comparable": is_comparable,
        "differing": differing,
        "recorded": recorded,
        "replaced": [
            *(name for name in ("version", *REPORTS) if kept[name] != recorded.get(name)),
            *(name for name in ("start_date", "end_date") if str(kept[name]) != closed.period.get(name)),
            *(["author"] if row.author not in (closed.author or "") else []),
        ],
    }


def show_fingerprints(work: Work, rows: Iterable[FingerprintRow]) -> list[Fingerprint]:
    """Return fingerprints as they are shown."""
    del work
    return [show(row) for row in rows]


def show(row: FingerprintRow) -> Fingerprint:
    """Return a fingerprint as it is shown."""
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "kind": row.kind,
        "period_id": row.period_id,
        "start_date": row.start_date,
        "end_date": row.end_date,
        "version": row.version,
        "author": row.author,
        "journal": row.journal,
        "ledger": row.ledger,
        "vat_report": row.vat_report,
        "balance_sheet": row.balance_sheet,
        "income_statement": row.income_statement,
    }
