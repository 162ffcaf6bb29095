"""Sales payouts: what a payment provider paid out for sales, less its fees (docs/interface.md 8.2)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as day
from decimal import Decimal
from typing import Annotated

from pydantic import Field, PlainSerializer, StringConstraints

from acctcli.models.base import NO_NUL, AccountNumber, Currency, Date, Id, Money, Rate, Request, Text64, Text256
from acctcli.models.document import VatCode
from acctcli.models.reply import Stored

ExternalId = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=NO_NUL)]
Source = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=NO_NUL)]
# the only rate of the interface that is a text in requests, too
RateText = Annotated[Rate, PlainSerializer(lambda rate: f"{rate:.2f}", return_type=str)]


class SalesPayoutItemRequest(Request):
    """A part of a payout: sales positive, fees and refunds negative, VAT included."""

    amount: Money
    description: Text256 = ""
    vat_code: VatCode = 3
    vat_rate: RateText = Decimal("0.00")
    account_number: AccountNumber


class SalesPayoutRequest(Request):
    """A new payout; its items come to its amount, to the cent."""

    external_id: ExternalId
    end_to_end_id: Text64 | None = None
    source: Source
    date: Date
    amount: Money
    currency: Currency = "EUR"
    description: Text256 = ""
    attachments: list[Id] = Field(default_factory=list)
    items: Annotated[list[SalesPayoutItemRequest], Field(min_length=1)]


class SalesPayoutItem(Stored):
    """A part of a payout as the service shows it."""

    amount: Money
    description: str
    vat_code: int
    vat_rate: str
    account_number: str


class SalesPayout(Stored):
    """A payout as the service shows it, alone and in lists."""

    external_id: str
    end_to_end_id: str | None
    source: str
    date: day
    amount: Money
    currency: str
    description: str
    attachments: Sequence[int]
    items: list[SalesPayoutItem]
