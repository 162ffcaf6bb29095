"""Value sets of the interface, with words for people (wire facts 1.1, 3.3, 3.4)."""

from __future__ import annotations

from datetime import date

from pydantic import RootModel

from acctcli.models.base import Response


class Choice(Response):
    """One value and what it is called."""

    value: str
    label: str


class Choices(RootModel[list[Choice]]):
    """Every value of a set."""


class VatCode(Response):
    """A VAT code; `tags` say its side, region, kind and mechanism."""

    value: int
    label: str
    tags: list[str]


class VatCodes(RootModel[list[VatCode]]):
    """Every VAT code."""


class VatRateOption(Response):
    """A rate one may choose, in percent with 2 decimals."""

    label: str
    rate: str


class VatRates(Response):
    """The rates in force on a day."""

    effective_from: date
    default_vat_rate_label: str
    default_vat_rate: str
    vat_rate_options: list[VatRateOption]
