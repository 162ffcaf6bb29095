"""What follows from the books is found without walking them."""

from __future__ import annotations

from datetime import date

from acctcli.service.store.books import vat_periods
from tests.databases import Factory, opened
from tests.service.actor import World
from tests.service.routes.books import open_books


def test_eu_sales_are_looked_up_among_themselves(sqlite_factory: Factory) -> None:
    """A list of periods over a million documents would take seconds otherwise."""
    with opened(sqlite_factory.fresh()) as database, database.read() as conn:
        text, values = vat_periods.PAGES.rows.bound(conn, {"business_id": 1, "limit": 30, "offset": 0})
        plan = [row[3] for row in conn.fetch(f"EXPLAIN QUERY PLAN {text}", values)[1]]
    (of_entries,) = [detail for detail in plan if "entry" in detail]
    assert of_entries == "SEARCH entry USING INDEX ix_entry_eu_sales (business_id=? AND date>? AND date<?)"


def test_spans_are_in_the_order_of_their_days(service: World) -> None:
    books = open_books(service.user(), default_vat_period=-1)
    for first, last in (("03-01", "03-31"), ("02-01", "02-28"), ("04-01", "04-30")):
        days = {"start_date": f"2025-{first}", "end_date": f"2025-{last}", "due_date": "2025-06-12"}
        books.create("vat_period/", days | {"period": 0})
    with service.database.read() as conn:
        spans = vat_periods.spans(conn, books.business_id)
    assert [span.start for span in spans] == [date(2025, month, 1) for month in (2, 3, 4)]
