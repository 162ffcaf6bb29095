"""Contacts: customers and suppliers (docs/interface.md 6.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from acctcli.law.invoices import missing_address
from acctcli.service.cases.bodies import refuse_wrong_numbers
from acctcli.service.cases.records import Columns, Records
from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.rules.contacts import NUMBERS, can_be_invoiced, takes_einvoice, takes_email
from acctcli.service.store import contacts
from acctcli.service.store.invoicing import invoices

if TYPE_CHECKING:
    from acctcli.models.contact import Contact

ENUMS = ("type", "invoicing_language")
SEARCHED = ("name", "customer_id", "contact_business_id", "invoicing_email")


def _columns(work: Work, sent: dict[str, Any], row: Columns) -> dict[str, Any]:
    """Return the columns of a whole contact; whoever is to be invoiced needs an address."""
    del work
    # a default is still a member of its enum, what was sent is plain text
    content = {**_content(row), **sent, **{name: str(sent[name]) for name in ENUMS if name in sent}}
    refuse_wrong_numbers(NUMBERS, content, row or None)
    if content["is_invoicing_enabled"] and (missing := missing_address(content)):
        raise _no_address(missing)
    wanted = [content[name] or "" for name in SEARCHED] + content["name_aliases"]
    return content | {
        "name_aliases": msgspec.json.encode(content["name_aliases"]).decode(),
        "sort_name": content["name"].casefold(),
        "search_text": "\n".join(wanted).casefold(),
    }


def _content(row: Columns) -> dict[str, Any]:
    """Return what callers may write of a contact."""
    if not row:
        return {}
    from acctcli.models.contact import ContactRequest

    written = {name: row[name] for name in ContactRequest.model_fields}
    return written | {"name_aliases": msgspec.json.decode(row["name_aliases"])}


def _no_address(missing: list[str]) -> Invalid:
    text = f"Invoicing needs a whole address: {', '.join(missing)}."
    faults = {name: ["Invoicing needs this field."] for name in missing}
    return Invalid(text, fields={"message": text, "missing_invoicing_fields": missing, **faults})


def show_contact(row: Mapping[str, Any]) -> Contact:
    """Return a contact as it is shown, alone, in lists and in invoices."""
    return {
        "id": row["id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "customer_id": row["customer_id"],
        "type": row["type"],
        "name": row["name"],
        "name_aliases": msgspec.Raw(row["name_aliases"].encode()),
        "contact_business_id": row["contact_business_id"],
        "xrechnung_buyer_reference": row["xrechnung_buyer_reference"],
        "notes": row["notes"],
        "phone_number": row["phone_number"],
        "is_invoicing_enabled": row["is_invoicing_enabled"],
        "invoicing_email": row["invoicing_email"],
        "invoicing_electronic_address": row["invoicing_electronic_address"],
        "invoicing_electronic_address_scheme": row["invoicing_electronic_address_scheme"],
        "invoicing_einvoice_address": row["invoicing_einvoice_address"],
        "invoicing_einvoice_operator": row["invoicing_einvoice_operator"],
        "invoicing_tax_code": row["invoicing_tax_code"],
        "invoicing_street": row["invoicing_street"],
        "invoicing_city": row["invoicing_city"],
        "invoicing_postal_code": row["invoicing_postal_code"],
        "invoicing_country": row["invoicing_country"],
        "invoicing_language": row["invoicing_language"],
        "buyer_postal_address_details_xml_override": row["buyer_postal_address_details_xml_override"],
        "can_be_invoiced": can_be_invoiced(row),
        "can_be_invoiced_via_email": takes_email(row),
        "can_be_invoiced_via_einvoice": takes_einvoice(row),
    }


def _refuse_deletion(work: Work, row: Columns) -> None:
    if contacts.is_named_by_documents(work.conn, work.business.id, row["id"]):
        raise Precondition(f"Documents name the contact {row['name']}.")
    if invoices.name_contact(work.conn, work.business.id, row["id"]):
        raise Precondition(f"Invoices are made out to the contact {row['name']}.")


CONTACTS = Records("contact", contacts.ROWS, _columns, show_contact, _refuse_deletion)
