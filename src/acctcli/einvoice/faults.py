"""What an invoice lacks: collected, so that people hear of everything at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from acctcli.einvoice.markup import written
from acctcli.errors import UsageError


class EInvoiceError(UsageError):
    """The e-invoice cannot be made; `fields` says why, by wire name such as `business.invoicing_iban`.

    Fields of the invoice stand bare (`invoice_number`, `rows.0.vat_code`), those of others after `business.` or
    `receiver_info.`.
    """

    code = "einvoice"

    def __init__(self, fields: Mapping[str, list[str]]) -> None:
        faults = (f"{name} ({'; '.join(texts)})" for name, texts in fields.items())
        super().__init__(f"the e-invoice cannot be made: {', '.join(faults)}", fields=fields)


class PaperRefused(UsageError):
    """A PDF cannot hold the e-invoice, as it is not fit for an archive; the message says why."""

    code = "paper"


class Faults:
    """Field names and what is wrong with them; raised together."""

    def __init__(self) -> None:
        self.fields: dict[str, list[str]] = {}

    def add(self, field: str, why: str) -> None:
        """Note what is wrong with a field."""
        self.fields.setdefault(field, []).append(why)

    def require(self, record: Mapping[str, Any], prefix: str, terms: Mapping[str, str]) -> None:
        """Note every field of a record that says nothing; `terms` are field names and what the e-invoice calls them."""
        for name, term in terms.items():
            if written(str(record[name] or "")) is None:
                self.add(f"{prefix}{name}", f"missing: {term}")

    def check(self) -> None:
        """Raise EInvoiceError when anything was noted."""
        if self.fields:
            raise EInvoiceError(self.fields)
