"""VAT and EU sales: `/v1/business/{business_slug}/report/` (wire facts 4.3)."""

from __future__ import annotations

from typing import Any

from acctcli import law
from acctcli.service.routes.call import Call
from acctcli.service.routes.reports.columns import first_span, range_head, read_tags
from acctcli.service.rules.reports.eu_sales import eu_sales
from acctcli.service.rules.reports.spans import years
from acctcli.service.rules.vat_sums import vat_groups
from acctcli.service.store.books.vat_entries import movements
from acctcli.service.store.reports.eu_sales import sales, vat_id


def vat_report(call: Call) -> dict[str, Any]:
    """Report the VAT of the first column's days, as the tax form of the country asks for it."""
    span, tag_ids = first_span(call), read_tags(call)
    moved = [one for year in years(span) for one in movements(call.conn, call.business.id, *year, tag_ids)]
    head = range_head("vat_report", [span])
    return {**head, **law.country(call.business.country).filing().report_vat(vat_groups(moved))}


def eu_vat_contact_report(call: Call) -> dict[str, Any]:
    """Report sales to other EU countries in the first column's days, by document and handling."""
    span = first_span(call)
    sold = sales(call.conn, call.business.id, span, read_tags(call))
    return {
        **range_head("eu_vat_contact_report", [span]),
        "business_vat_id": vat_id(call.conn, call.business.id) or "",
        **eu_sales(sold),
    }
