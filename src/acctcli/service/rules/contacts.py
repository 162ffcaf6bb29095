"""Who can be sent invoices, and how (wire facts 2.10). A contact is a mapping with the names of the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ADDRESS = ("invoicing_street", "invoicing_city", "invoicing_postal_code", "invoicing_country")


def missing_address(contact: Mapping[str, Any]) -> list[str]:
    """Return the fields an invoice needs that are empty."""
    return [name for name in ADDRESS if not (contact[name] or "").strip()]


def can_be_invoiced(contact: Mapping[str, Any]) -> bool:
    """Say whether invoices may be made out to the contact: invoicing is on and the address complete."""
    return bool(contact["is_invoicing_enabled"]) and not missing_address(contact)


def takes_email(contact: Mapping[str, Any]) -> bool:
    """Say whether invoices can go to the contact by e-mail."""
    return can_be_invoiced(contact) and bool(contact["invoicing_email"])


def takes_einvoice(contact: Mapping[str, Any]) -> bool:
    """Say whether invoices can go to the contact as e-invoices: by an operator, or to an electronic address."""
    by_operator = contact["invoicing_einvoice_address"] and contact["invoicing_einvoice_operator"]
    return can_be_invoiced(contact) and bool(by_operator or contact["invoicing_electronic_address"])
