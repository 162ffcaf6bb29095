"""Value sets of the interface, with words for people (docs/interface.md 3.3; docs/law.md 1)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict


class Choice(TypedDict):
    """One value and what it is called."""

    value: str
    label: str


Choices = TypeAliasType("Choices", Annotated[list[Choice], Field(title="Choices", description="Every value of a set.")])


class VatCode(TypedDict):
    """A VAT code; `tags` say its side, region, kind and mechanism."""

    value: int
    label: str
    tags: Sequence[str]


VatCodes = TypeAliasType("VatCodes", Annotated[list[VatCode], Field(title="VatCodes", description="Every VAT code.")])


class VatRateOption(TypedDict):
    """A rate one may choose, in percent with 2 decimals."""

    label: str
    rate: str


class VatRates(TypedDict):
    """The rates in force on a day."""

    effective_from: date
    default_vat_rate_label: str
    default_vat_rate: str
    vat_rate_options: list[VatRateOption]
