"""Products: what rows of sales invoices are filled in from (docs/interface.md 6.4)."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from acctcli.models.base import NO_NUL, Id, Name64, Rate, Request, Text25, Text128, UnitAmount, zero
from acctcli.models.invoice import SalesVatCode
from acctcli.models.reply import Stored

Unit = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8, pattern=NO_NUL)]


class ProductRequest(Request):
    """What may be written of a product; `amount` is the price of a unit, with VAT if `is_vat_inclusive`."""

    code: Text25 | None = None
    name: Name64
    unit: Unit
    amount: UnitAmount
    vat_rate: Rate = zero()
    vat_code: SalesVatCode = 3
    is_vat_inclusive: bool = False
    account_id: Id | None = None
    description: Text128 | None = None


class Product(Stored):
    """A product as the service shows it."""

    code: str | None
    name: str
    unit: str
    amount: UnitAmount
    vat_exclusive_amount: UnitAmount
    vat_inclusive_amount: UnitAmount
    vat_amount: UnitAmount
    vat_rate: Rate
    vat_code: int
    is_vat_inclusive: bool
    account_id: int | None
    description: str | None
