"""The VAT of a range of days: by the days of documents, or by those of payments (docs/law.md 2.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from acctcli.law.closed_days import Span
from acctcli.law.vat_rules import TAXED, last_day_of_rate
from acctcli.service.cases.documents.guard import name
from acctcli.service.cases.work import Work
from acctcli.service.rules.claims import OpenItems
from acctcli.service.rules.money import from_cents
from acctcli.service.rules.paid_vat import paid_movements, untold
from acctcli.service.rules.reports.spans import years
from acctcli.service.rules.vat_sums import VatMovement, vat_groups
from acctcli.service.store import businesses
from acctcli.service.store.books import documents, paid_vat, vat_entries

if TYPE_CHECKING:
    from acctcli.law.decisions import Country, PaymentBasis
    from acctcli.law.filing import VatGroup
    from acctcli.models.report import MoneyOfDocument, Untold


class Vat(NamedTuple):
    """What is to be reported of a range, and what that was worked out from where VAT follows payments."""

    moved: list[VatMovement]
    ledger: OpenItems | None = None


def vat_of(work: Work, span: Span, tag_ids: Sequence[int] = ()) -> Vat:
    """Return what is to be reported of a range, as its business reports VAT."""
    conn, business_id = work.conn, work.business.id
    moved = [one for year in years(span) for one in vat_entries.movements(conn, business_id, *year, tag_ids)]
    if (basis := _basis(work)) is None:
        return Vat(moved)
    ledger = paid_vat.ledger(conn, business_id, span.end, tag_ids)
    # what is lost was never reported: nothing is taken off for it
    moved = [one._replace(is_apart=one.is_apart and one.vat_code not in basis.codes) for one in moved]
    return Vat([*moved, *paid_movements(ledger, basis, span.start, span.end)], ledger)


def untold_money(work: Work, span: Span, ledger: OpenItems | None) -> Untold:
    """Return the documents of a range whose money is in no return, because nothing told by its end where it belongs."""
    found: Untold = {}
    if ledger is None:
        return found
    left = untold(ledger, span.start, span.end)
    if left.unclaimed:
        found["unclaimed_money"] = _documents(work, left.unclaimed)
    if left.returned:
        found["returned_money"] = _documents(work, left.returned)
    return found


def _documents(work: Work, money: Mapping[int, int]) -> list[MoneyOfDocument]:
    rows = {row.id: row for row in documents.several(work.conn, work.business.id, money)}
    return [
        {"document_id": one, "number": name(rows[one]), "date": rows[one].date, "amount": from_cents(cents)}
        for one, cents in money.items()
    ]


def vat_to_declare(work: Work, span: Span, moved: Sequence[VatMovement]) -> list[VatGroup]:
    """Add up what is to be reported of a range; VAT at rates that the country did not have belongs on no form.

    Those that it had before do: of what was delivered then, and comes into the books now (docs/law.md 1).
    """
    return [one._replace(is_foreign=_is_foreign(work.law, one, span.end)) for one in vat_groups(moved)]


def _is_foreign(country: Country, one: VatGroup, last: date) -> bool:
    if one.vat_code not in TAXED or not (one.base or one.tax):
        return False
    return last_day_of_rate(country, one.rate, last) is None


def _basis(work: Work) -> PaymentBasis | None:
    """Return how VAT follows payments; None where it follows documents."""
    basis = work.law.payment_basis
    if basis is None:
        return None
    method = businesses.get(work.conn, work.business.id, work.today)["vat_reporting_method"]
    return basis if method == basis.method else None
