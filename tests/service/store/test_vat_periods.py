"""What follows from the books is found without walking them."""

from __future__ import annotations

from acctcli.service.store.books import vat_periods
from tests.databases import Factory, opened


def test_eu_sales_are_looked_up_among_themselves(sqlite_factory: Factory) -> None:
    """A list of periods over a million documents would take seconds otherwise."""
    with opened(sqlite_factory.fresh()) as database, database.read() as conn:
        text, values = vat_periods.PAGES.rows.bound(conn, {"business_id": 1, "limit": 30, "offset": 0})
        plan = [row[3] for row in conn.fetch(f"EXPLAIN QUERY PLAN {text}", values)[1]]
    (of_entries,) = [detail for detail in plan if "entry" in detail]
    assert of_entries == "SEARCH entry USING INDEX ix_entry_eu_sales (business_id=? AND date>? AND date<?)"
