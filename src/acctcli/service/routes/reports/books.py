"""Journal and ledger: `/v1/business/{business_slug}/report/` (wire facts 4.3). Both may be long, so both are texts."""

from __future__ import annotations

from acctcli.service.routes.call import Call, JsonText
from acctcli.service.routes.reports.columns import first_span, read_tags, start_of_result
from acctcli.service.rules.reports.journal import Journal
from acctcli.service.rules.reports.ledger import Ledger, openings
from acctcli.service.rules.reports.spans import day_before
from acctcli.service.store.reports import ground
from acctcli.service.store.reports.journal import posted
from acctcli.service.store.reports.ledger import AccountEntries
from acctcli.service.store.reports.movements import movements


def journal(call: Call) -> JsonText:
    """Report posted documents of the first column's days by date, then number, each with entries and totals.

    Drafts are left out. Totals are currency units, debit and credit, per document and over all.
    """
    span, tag_ids = first_span(call), read_tags(call)
    accounts = ground.accounts(call.conn, call.business.id)
    rows = posted(call.conn, call.business.id, span, tag_ids)
    return JsonText(Journal(span, accounts).write(rows))


def ledger(call: Call) -> JsonText:
    """Report the first column's days account by account, each with its balance before them and after every entry."""
    span, tag_ids = first_span(call), read_tags(call)
    accounts = ground.accounts(call.conn, call.business.id)
    last = day_before(span.start)
    opening = openings(
        accounts,
        movements(call.conn, call.business.id, None, last, tag_ids),
        movements(call.conn, call.business.id, start_of_result(call, span.start), last, tag_ids),
        has_openings=not tag_ids,
    )
    entries = AccountEntries(call.conn, call.business.id, span, tag_ids)
    return JsonText(Ledger(span, opening, entries).write(accounts))
