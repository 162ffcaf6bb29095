"""Contacts: customers and suppliers (docs/interface.md 6.3)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from acctcli.models.base import Country, Email, Name256, Request, Text8, Text16, Text32, Text64, Text128, Text8192
from acctcli.models.enums import ContactType, InvoicingLanguage
from acctcli.models.reply import Stored, shown_as

Aliases = Annotated[list[Name256], Field(max_length=10)]


class ContactRequest(Request):
    """What may be written of a contact; only `name` is required."""

    customer_id: Text32 | None = None
    type: ContactType = ContactType.UNSET
    name: Name256
    name_aliases: Aliases = Field(default_factory=list)
    contact_business_id: Text16 | None = None
    xrechnung_buyer_reference: Text128 | None = None
    notes: Text8192 | None = None
    phone_number: Text32 | None = None
    is_invoicing_enabled: bool = False
    invoicing_email: Email | None = None
    invoicing_electronic_address: Text64 | None = None
    invoicing_electronic_address_scheme: Text16 | None = None
    invoicing_einvoice_address: Text32 | None = None
    invoicing_einvoice_operator: Text32 | None = None
    invoicing_tax_code: Text16 | None = None
    invoicing_street: Text64 | None = None
    invoicing_city: Text32 | None = None
    invoicing_postal_code: Text8 | None = None
    invoicing_country: Country | None = None
    invoicing_language: InvoicingLanguage = InvoicingLanguage.FI
    buyer_postal_address_details_xml_override: Text8192 | None = None


class Contact(Stored):
    """A contact as the service shows it."""

    customer_id: str | None
    type: str
    name: str
    name_aliases: Annotated[Any, shown_as(list[str])]
    contact_business_id: str | None
    xrechnung_buyer_reference: str | None
    notes: str | None
    phone_number: str | None
    is_invoicing_enabled: bool
    invoicing_email: str | None
    invoicing_electronic_address: str | None
    invoicing_electronic_address_scheme: str | None
    invoicing_einvoice_address: str | None
    invoicing_einvoice_operator: str | None
    invoicing_tax_code: str | None
    invoicing_street: str | None
    invoicing_city: str | None
    invoicing_postal_code: str | None
    invoicing_country: str | None
    invoicing_language: str
    buyer_postal_address_details_xml_override: str | None
    can_be_invoiced: bool
    can_be_invoiced_via_email: bool
    can_be_invoiced_via_einvoice: bool
