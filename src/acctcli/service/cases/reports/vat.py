"""VAT and EU sales (docs/interface.md 10.4, 10.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.law.closed_days import Span
from acctcli.service.cases.reports.columns import first_span, range_head, read_tags
from acctcli.service.cases.vat_movements import untold_money, vat_of, vat_to_declare
from acctcli.service.cases.work import Work
from acctcli.service.rules.reports.eu_sales import eu_sales
from acctcli.service.rules.vat_sums import vat_groups
from acctcli.service.store.reports.eu_sales import sales, vat_id

if TYPE_CHECKING:
    from acctcli.law.filing import VatGroup
    from acctcli.models.report import EuVatReport, RangeReportRequest, Untold, VatReport


def vat_report(work: Work, asked: RangeReportRequest) -> VatReport:
    """Report the VAT of the first column's days, as the tax form of the country asks for it."""
    span, tag_ids = first_span(asked), read_tags(work, asked)
    head = range_head("vat_report", [span])
    vat = vat_of(work, span, tag_ids)
    figures = work.law.filing().report_vat(vat_to_declare(work, span, vat.moved))
    # what is narrowed to tags is no return
    untold: Untold = {} if tag_ids else untold_money(work, span, vat.ledger)
    return {**head, **figures, **untold}


def vat_figures(work: Work, span: Span) -> list[VatGroup]:
    """Return what is to be reported of a range under each VAT code and rate: what its VAT report is made from."""
    return vat_groups(vat_of(work, span).moved)


def eu_vat_contact_report(work: Work, asked: RangeReportRequest) -> EuVatReport:
    """Report sales to other EU countries in the first column's days, by document and handling."""
    span = first_span(asked)
    sold = sales(work.conn, work.business.id, span, read_tags(work, asked))
    return {
        **range_head("eu_vat_contact_report", [span]),
        "business_vat_id": vat_id(work.conn, work.business.id) or "",
        **eu_sales(sold),
    }
