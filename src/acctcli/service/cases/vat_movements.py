"""The VAT of a range of days: by the days of documents, or by those of payments (docs/law.md 2.5)."""

from __future__ import annotations

from collections.abc import Sequence

from acctcli.service.cases.work import Work
from acctcli.service.rules.paid_vat import paid_movements
from acctcli.service.rules.periods import Span
from acctcli.service.rules.reports.spans import years
from acctcli.service.rules.vat_sums import VatMovement
from acctcli.service.store import businesses
from acctcli.service.store.books import paid_vat, vat_entries


def vat_movements(work: Work, span: Span, tag_ids: Sequence[int] = ()) -> list[VatMovement]:
    """Return what is to be reported of a range, as its business reports VAT."""
    conn, business_id = work.conn, work.business.id
    moved = [one for year in years(span) for one in vat_entries.movements(conn, business_id, *year, tag_ids)]
    basis = work.law.payment_basis
    if basis is not None and businesses.get(conn, business_id, work.today)["vat_reporting_method"] == basis.method:
        ledger = paid_vat.ledger(conn, business_id, span.end, tag_ids)
        # what is lost was never reported: nothing is taken off for it
        moved = [one._replace(is_apart=one.is_apart and one.vat_code not in basis.codes) for one in moved]
        moved += paid_movements(ledger, basis, span.start, span.end)
    return moved
