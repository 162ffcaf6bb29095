"""Contacts: customers and suppliers (wire facts 1.3, 2.10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import msgspec

from acctcli.service.cases.identifiers import refuse_wrong_numbers
from acctcli.service.cases.records import Columns, Records
from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.rules.contacts import NUMBERS, can_be_invoiced, missing_address, takes_einvoice, takes_email
from acctcli.service.store import contacts
from acctcli.service.store.invoicing import invoices

if TYPE_CHECKING:
    from acctcli.models.contact import Contact

FIELDS = (
    "customer_id",
    "type",
    "name",
    "name_aliases",
    "contact_business_id",
    "xrechnung_buyer_reference",
    "notes",
    "phone_number",
    "is_invoicing_enabled",
    "invoicing_email",
    "invoicing_electronic_address",
    "invoicing_electronic_address_scheme",
    "invoicing_einvoice_address",
    "invoicing_einvoice_operator",
    "invoicing_tax_code",
    "invoicing_street",
    "invoicing_city",
    "invoicing_postal_code",
    "invoicing_country",
    "invoicing_language",
    "buyer_postal_address_details_xml_override",
)
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
    return {name: row[name] for name in FIELDS} | {"name_aliases": msgspec.json.decode(row["name_aliases"])}


def _no_address(missing: list[str]) -> Invalid:
    text = f"Invoicing needs a whole address: {', '.join(missing)}."
    faults = {name: ["Invoicing needs this field."] for name in missing}
    return Invalid(text, fields={"message": text, "missing_invoicing_fields": missing, **faults})


def show_contact(row: Mapping[str, Any]) -> Contact:
    """Return a contact as it is shown, alone, in lists and in invoices."""
    shown = {
        "id": row["id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        **{name: row[name] for name in FIELDS},
        "name_aliases": msgspec.Raw(row["name_aliases"].encode()),
        "can_be_invoiced": can_be_invoiced(row),
        "can_be_invoiced_via_email": takes_email(row),
        "can_be_invoiced_via_einvoice": takes_einvoice(row),
    }
    return cast("Contact", shown)


def _refuse_deletion(work: Work, row: Columns) -> None:
    if contacts.is_named_by_documents(work.conn, work.business.id, row["id"]):
        raise Precondition(f"Documents name the contact {row['name']}.")
    if invoices.name_contact(work.conn, work.business.id, row["id"]):
        raise Precondition(f"Invoices are made out to the contact {row['name']}.")


CONTACTS = Records("contact", contacts, FIELDS, _columns, show_contact, _refuse_deletion)
