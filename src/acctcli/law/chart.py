"""What a chart is written in: its accounts, in four languages, and the numbers that rules ask for by what they do."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.models.enums import AccountType, VatRateLabel

VatDefault = tuple[int, VatRateLabel]

NO_VAT: VatDefault = (3, VatRateLabel.ZERO)
BOUGHT: VatDefault = (2, VatRateLabel.STANDARD)


class ChartAccount(NamedTuple):
    """One account of a default chart; `field` is the business setting that points at it."""

    number: str
    type: AccountType
    vat_default: VatDefault
    en: str
    fi: str
    sv: str
    de: str
    field: str | None = None

    @property
    def vat_code(self) -> int:
        """The VAT code that rows on this account start with."""
        return self.vat_default[0]

    @property
    def rate_label(self) -> VatRateLabel:
        """The name of the VAT rate that rows on this account start with."""
        return self.vat_default[1]

    @property
    def names(self) -> dict[str, str]:
        """The name by language."""
        return {"fi": self.fi, "sv": self.sv, "en": self.en, "de": self.de}


Accounts = tuple[ChartAccount, ...]
