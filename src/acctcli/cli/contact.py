"""Customers and suppliers."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, CreateCommand, DeleteCommand, ExportCommand, UpdateCommand
from acctcli.cli.command.group import Context, new_group
from acctcli.cli.command.options import INT, SEARCH, field, flag, wire_name
from acctcli.cli.output.show import show, show_done
from acctcli.cli.session.state import state

COLUMNS = ("id", "name", "type", "customer_id", "invoicing_tax_code", "invoicing_country", "can_be_invoiced")
DETAILS = (
    *COLUMNS,
    "name_aliases",
    "contact_business_id",
    "phone_number",
    "is_invoicing_enabled",
    "invoicing_email",
    "invoicing_street",
    "invoicing_postal_code",
    "invoicing_city",
    "invoicing_language",
    "can_be_invoiced_via_email",
    "can_be_invoiced_via_einvoice",
    "notes",
    "updated_at",
)

app = new_group("Customers and suppliers.", shows="contact:Contact")

ContactId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The contact's id.")]
FIELDS = (
    field("name", "--name", metavar="TEXT", help="Name of the person or business."),
    field("type", "--type", metavar="TYPE", read=wire_name, help="person, business or unset."),
    field("customer_id", "--customer-id", metavar="TEXT", help="Your own number for it."),
    field("contact_business_id", "--business-id", metavar="ID", help="Its official business id."),
    field("invoicing_tax_code", "--vat-id", metavar="ID", help="Its VAT id, with the country's letters."),
    field("phone_number", "--phone", metavar="NUMBER", help="Telephone number."),
    field("invoicing_email", "--email", metavar="ADDRESS", help="Where invoices are sent by e-mail."),
    field("invoicing_street", "--street", metavar="TEXT", help="Street and number."),
    field("invoicing_postal_code", "--postal-code", metavar="CODE", help="Postal code."),
    field("invoicing_city", "--city", metavar="TEXT", help="Town or city."),
    field("invoicing_country", "--country", metavar="CODE", help="Country, two letters such as FI."),
    field("invoicing_language", "--language", metavar="CODE", help="Language of invoices: fi, sv or en."),
    flag("is_invoicing_enabled", "--invoicing/--no-invoicing", help="Whether it is to be invoiced."),
)
FILTERS = (
    SEARCH,
    field("name_iexact", "--name", metavar="TEXT", help="Only those of this name, in any case."),
    flag("is_invoicing_enabled", "--invoicing/--no-invoicing", help="Only those to be invoiced, or the others."),
    field("exclude_id", "--exclude", type=INT, metavar="ID", help="All but this one."),
)


@app.command("list", cls=ExportCommand.taking(*FILTERS))
def list_contacts(ctx: Context) -> None:
    """List contacts by name."""
    from acctcli.cli.exports.changes import show_list

    here = state(ctx)
    show_list(here, "contact", here.api.contacts, here.named, COLUMNS)


@app.command("get", cls=Command)
def get_contact(ctx: Context, contact: ContactId) -> None:
    """Show one contact."""
    here = state(ctx)
    show(here, here.api.contacts.get(contact), DETAILS)


@app.command("create", cls=CreateCommand.taking(*FIELDS))
def create_contact(ctx: Context) -> None:
    """Add a contact."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.contact import ContactRequest

    here = state(ctx)
    body = read_body(here, ContactRequest)
    show(here, here.api.contacts.create(body, here.options.idempotency_key), DETAILS)


@app.command("update", cls=UpdateCommand.taking(*FIELDS))
def update_contact(ctx: Context, contact: ContactId) -> None:
    """Change the fields given, and no others."""
    from acctcli.cli.command.body import read_changes
    from acctcli.models.contact import ContactRequest

    here = state(ctx)
    show(here, here.api.contacts.update(contact, read_changes(here, ContactRequest)), DETAILS)


@app.command("replace", cls=UpdateCommand.taking(*FIELDS))
def replace_contact(ctx: Context, contact: ContactId) -> None:
    """Replace the contact's fields; what is not given goes back to its default."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.contact import ContactRequest

    here = state(ctx)
    show(here, here.api.contacts.replace(contact, read_body(here, ContactRequest)), DETAILS)


@app.command("delete", cls=DeleteCommand)
def delete_contact(ctx: Context, contact: ContactId) -> None:
    """Delete a contact that nothing refers to."""
    here = state(ctx)
    here.confirm(f"Delete contact {contact}?")
    here.api.contacts.delete(contact)
    show_done(here, f"Deleted contact {contact}.", id=contact, deleted=True)
