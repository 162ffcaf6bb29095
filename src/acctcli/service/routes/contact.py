"""Contacts of a business: `/v1/business/{business_slug}/contacts/` (wire facts 1.3, 2.10)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from acctcli.service.problems import Invalid, Missing, Precondition
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.filters import contact_clauses
from acctcli.service.routes.identifiers import refuse_wrong_numbers
from acctcli.service.rules.contacts import NUMBERS, can_be_invoiced, missing_address, takes_einvoice, takes_email
from acctcli.service.store import contacts
from acctcli.service.store.invoicing import invoices

if TYPE_CHECKING:
    from acctcli.models.contact import ContactRequest

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


def list_contacts(call: Call) -> Page:
    """List contacts by name, then id, narrowed by the filters of wire facts 7.3."""
    page, clauses = call.page, contact_clauses(call.query)
    count, rows = contacts.list_page(call.conn, call.business.id, clauses, limit=page.size, offset=page.offset)
    return Page(count, [show_contact(row) for row in rows])


def create_contact(call: Call) -> dict[str, Any]:
    """Create a contact."""
    sent = _sent(call.body, FIELDS)
    refuse_wrong_numbers(NUMBERS, sent)
    columns = _columns(sent) | {"created_at": call.stamp, "updated_at": call.stamp}
    contact_id = contacts.create(call.conn, call.business.id, columns)
    shown = show_contact(columns | {"id": contact_id})
    call.emit("contact.created", shown)
    return shown


def get_contact(call: Call) -> dict[str, Any]:
    """Show a contact."""
    return show_contact(_find(call))


def replace_contact(call: Call) -> dict[str, Any]:
    """Replace a contact: fields that are not sent return to their defaults."""
    return _change(call, FIELDS)


def update_contact(call: Call) -> dict[str, Any]:
    """Change the fields that are sent."""
    return _change(call, call.body.model_fields_set)


def delete_contact(call: Call) -> None:
    """Delete a contact; one that documents or invoices name stays (412)."""
    row = _find(call, for_update=True)
    if contacts.is_named_by_documents(call.conn, call.business.id, row["id"]):
        raise Precondition(f"Documents name the contact {row['name']}.")
    if invoices.name_contact(call.conn, call.business.id, row["id"]):
        raise Precondition(f"Invoices are made out to the contact {row['name']}.")
    contacts.remove(call.conn, call.business.id, row["id"])
    call.emit("contact.deleted", {"id": row["id"]})


def _find(call: Call, *, for_update: bool = False) -> dict[str, Any]:
    row = contacts.get(call.conn, call.business.id, call.ids["contact_id"], for_update=for_update)
    if row is None:
        raise Missing("There is no such contact.")
    return row


def _change(call: Call, names: Collection[str]) -> dict[str, Any]:
    row = _find(call, for_update=True)
    content = _content(row) | _sent(call.body, names)
    refuse_wrong_numbers(NUMBERS, content, row)
    columns = _columns(content) | {"updated_at": call.stamp}
    contacts.change(call.conn, call.business.id, row["id"], columns)
    shown = show_contact(row | columns)
    call.emit("contact.updated", shown)
    return shown


def _sent(body: ContactRequest, names: Collection[str]) -> dict[str, Any]:
    """Return the fields named; a default is still a member of its enum, what was sent is plain text."""
    content = {name: getattr(body, name) for name in FIELDS if name in names}
    return content | {name: str(content[name]) for name in ENUMS if name in content}


def _content(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what callers may write of a contact."""
    return {name: row[name] for name in FIELDS} | {"name_aliases": msgspec.json.decode(row["name_aliases"])}


def _columns(content: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of a whole contact; whoever is to be invoiced needs an address."""
    if content["is_invoicing_enabled"] and (missing := missing_address(content)):
        raise _no_address(missing)
    wanted = [content[name] or "" for name in SEARCHED] + content["name_aliases"]
    return content | {
        "name_aliases": msgspec.json.encode(content["name_aliases"]).decode(),
        "sort_name": content["name"].casefold(),
        "search_text": "\n".join(wanted).casefold(),
    }


def _no_address(missing: list[str]) -> Invalid:
    text = f"Invoicing needs a whole address: {', '.join(missing)}."
    faults = {name: ["Invoicing needs this field."] for name in missing}
    return Invalid(text, fields={"message": text, "missing_invoicing_fields": missing, **faults})


def show_contact(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a contact as it is shown, alone, in lists and in invoices."""
    return {
        "id": row["id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        **{name: row[name] for name in FIELDS},
        "name_aliases": msgspec.Raw(row["name_aliases"].encode()),
        "can_be_invoiced": can_be_invoiced(row),
        "can_be_invoiced_via_email": takes_email(row),
        "can_be_invoiced_via_einvoice": takes_einvoice(row),
    }
