"""A company with books, a model of them, and a clerk who keeps both."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.service.actor import Actor, World
from tests.service.company.clerk import Clerk
from tests.service.company.model import Model
from tests.service.company.plans import Company
from tests.service.company.posting import VatAccounts
from tests.service.routes.books import Books

FORMS = {"FI": "FI_OY", "DE": "DE_UG"}
BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)
AFTER = datetime(2027, 2, 15, 9, tzinfo=UTC)


def found_company(world: World, bookkeeper: Actor, country: str) -> tuple[Clerk, Company]:
    """Create a company that files VAT monthly, at the beginning of 2026; return its clerk with the year behind it."""
    world.clock.now = BEGIN
    made = bookkeeper.create_business("Example", form=FORMS[country], default_vat_period=0)

    books = Books(bookkeeper, made["slug"])
    listed = books.get("account/", page_size="200").body["results"]
    types = {account["number"]: account["type"] for account in listed}
    numbers = {account_id: number for number, account_id in books.ids.items()}
    vat = VatAccounts(numbers[made["account_vat_receivables"]], numbers[made["account_vat_liabilities"]])
    clerk = Clerk(books, Model(country, types, vat))
    first = books.get("vat_period/").body["results"]
    assert [(one["start_date"], one["end_date"]) for one in first] == [("2026-01-01", "2026-01-31")]
    clerk.adopt(first[0])
    world.clock.now = AFTER
    return clerk, Company(country, types)
