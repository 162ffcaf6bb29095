"""What an e-invoice needs and was empty when its invoice was accepted, filled in from today (docs/interface.md 7.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from acctcli.einvoice.faults import EInvoiceError

Record = Mapping[str, Any]
# writes an e-invoice of an invoice, its business and what it credits
Writer = Callable[[Record, Record, Record | None], bytes]

BUYER, SELLER = "receiver_info", "business"
# what else is there where a field is missing
_INSTEAD = {
    "invoicing_electronic_address": ("invoicing_einvoice_address", "invoicing_email"),
    "invoicing_tax_code": ("contact_business_id",),
}


class Said(NamedTuple):
    """An invoice, its business and what it credits, as they are shown."""

    invoice: Record
    business: Record
    original: Record | None

    def part(self, name: str) -> Record:
        """Return who buys, or who sells."""
        found: Record = self.invoice[BUYER] if name == BUYER else self.business
        return found

    def filled(self, name: str, values: Record) -> Said:
        """Return it with other values of who buys, or who sells."""
        part = {**self.part(name), **values}
        return self._replace(invoice={**self.invoice, BUYER: part}) if name == BUYER else self._replace(business=part)


class Filled(NamedTuple):
    """An e-invoice, what it says, and the fields of that which are as they are today."""

    content: bytes
    said: Said
    fields: list[str]


def write(writer: Writer, said: Said, today: Mapping[str, Record]) -> Filled:
    """Write an e-invoice; what it needs and is empty is taken from buyer and seller of today.

    Raises EInvoiceError where that is not enough.
    """
    fields: list[str] = []
    while True:
        try:
            return Filled(writer(*said), said, fields)
        except EInvoiceError as fault:
            added = _found(fault, said, today)
            if not added:
                raise
            for name, values in added.items():
                said = said.filled(name, values)
                fields += [f"{name}.{field}" for field in values]


def _found(fault: EInvoiceError, said: Said, today: Mapping[str, Record]) -> dict[str, dict[str, Any]]:
    """Return what is missing and there today, by who it is about."""
    found: dict[str, dict[str, Any]] = {}
    for place in fault.fields or ():
        name, _, missing = place.partition(".")
        if name in today:
            then, now = said.part(name), today[name]
            fields = (one for one in (missing, *_INSTEAD.get(missing, ())) if not then.get(one))
            if field := next((one for one in fields if now.get(one)), None):
                found.setdefault(name, {})[field] = now[field]
    return found
