"""Customers and suppliers."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, CreateCommand, DeleteCommand, ListCommand, UpdateCommand
from acctcli.cli.command.group import Context, Search, new_group
from acctcli.cli.output.show import show, show_done, show_rows
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

app = new_group("Customers and suppliers.")

ContactId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The contact's id.")]
Name = Annotated[str | None, typer.Option("--name", metavar="TEXT", help="Name of the person or business.")]
Type = Annotated[str | None, typer.Option("--type", metavar="TYPE", help="PERSON, BUSINESS or UNSET.")]
CustomerId = Annotated[str | None, typer.Option("--customer-id", metavar="TEXT", help="Your own number for it.")]
BusinessId = Annotated[str | None, typer.Option("--business-id", metavar="ID", help="Its official business id.")]
VatId = Annotated[str | None, typer.Option("--vat-id", metavar="ID", help="Its VAT id, with the country's letters.")]
Email = Annotated[str | None, typer.Option("--email", metavar="ADDRESS", help="Where invoices are sent by e-mail.")]
Phone = Annotated[str | None, typer.Option("--phone", metavar="NUMBER", help="Telephone number.")]
Street = Annotated[str | None, typer.Option("--street", metavar="TEXT", help="Street and number.")]
PostalCode = Annotated[str | None, typer.Option("--postal-code", metavar="CODE", help="Postal code.")]
City = Annotated[str | None, typer.Option("--city", metavar="TEXT", help="Town or city.")]
Country = Annotated[str | None, typer.Option("--country", metavar="CODE", help="Country, two letters such as FI.")]
Language = Annotated[str | None, typer.Option("--language", metavar="CODE", help="Language of invoices: fi, sv or en.")]
Invoicing = Annotated[bool | None, typer.Option("--invoicing/--no-invoicing", help="Whether it is to be invoiced.")]
WholeName = Annotated[str | None, typer.Option("--name", metavar="TEXT", help="Only those of this name, in any case.")]
Invoiced = Annotated[
    bool | None, typer.Option("--invoicing/--no-invoicing", help="Only those to be invoiced, or the others.")
]
Exclude = Annotated[int | None, typer.Option("--exclude", metavar="ID", help="All but this one.")]


@app.command("list", cls=ListCommand)
def list_contacts(
    ctx: Context, search: Search = None, name: WholeName = None, invoicing: Invoiced = None, exclude: Exclude = None
) -> None:
    """List contacts by name."""
    here = state(ctx)
    query = {"search": search, "name_iexact": name, "is_invoicing_enabled": invoicing, "exclude_id": exclude}
    show_rows(here, here.api.contacts.list(query, here.extent), COLUMNS)


@app.command("get", cls=Command)
def get_contact(ctx: Context, contact: ContactId) -> None:
    """Show one contact."""
    here = state(ctx)
    show(here, here.api.contacts.get(contact), DETAILS)


@app.command("create", cls=CreateCommand)
def create_contact(
    ctx: Context,
    name: Name = None,
    type: Type = None,
    customer_id: CustomerId = None,
    business_id: BusinessId = None,
    vat_id: VatId = None,
    email: Email = None,
    phone: Phone = None,
    street: Street = None,
    postal_code: PostalCode = None,
    city: City = None,
    country: Country = None,
    language: Language = None,
    invoicing: Invoicing = None,
) -> None:
    """Add a contact."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.contact import ContactRequest

    here = state(ctx)
    named = _identity(name, type, customer_id, business_id, vat_id, phone)
    named |= _invoicing(email, street, postal_code, city, country, language, invoicing)
    body = read_body(here, ContactRequest, named)
    show(here, here.api.contacts.create(body, here.options.idempotency_key), DETAILS)


@app.command("update", cls=UpdateCommand)
def update_contact(
    ctx: Context,
    contact: ContactId,
    name: Name = None,
    type: Type = None,
    customer_id: CustomerId = None,
    business_id: BusinessId = None,
    vat_id: VatId = None,
    email: Email = None,
    phone: Phone = None,
    street: Street = None,
    postal_code: PostalCode = None,
    city: City = None,
    country: Country = None,
    language: Language = None,
    invoicing: Invoicing = None,
) -> None:
    """Change the fields given, and no others."""
    from acctcli.cli.command.body import read_changes
    from acctcli.models.contact import ContactRequest

    here = state(ctx)
    named = _identity(name, type, customer_id, business_id, vat_id, phone)
    named |= _invoicing(email, street, postal_code, city, country, language, invoicing)
    body = read_changes(here, ContactRequest, named)
    show(here, here.api.contacts.update(contact, body), DETAILS)


@app.command("replace", cls=UpdateCommand)
def replace_contact(
    ctx: Context,
    contact: ContactId,
    name: Name = None,
    type: Type = None,
    customer_id: CustomerId = None,
    business_id: BusinessId = None,
    vat_id: VatId = None,
    email: Email = None,
    phone: Phone = None,
    street: Street = None,
    postal_code: PostalCode = None,
    city: City = None,
    country: Country = None,
    language: Language = None,
    invoicing: Invoicing = None,
) -> None:
    """Replace the contact's fields; what is not given goes back to its default."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.contact import ContactRequest

    here = state(ctx)
    named = _identity(name, type, customer_id, business_id, vat_id, phone)
    named |= _invoicing(email, street, postal_code, city, country, language, invoicing)
    body = read_body(here, ContactRequest, named)
    show(here, here.api.contacts.replace(contact, body), DETAILS)


@app.command("delete", cls=DeleteCommand)
def delete_contact(ctx: Context, contact: ContactId) -> None:
    """Delete a contact that nothing refers to."""
    here = state(ctx)
    here.confirm(f"Delete contact {contact}?")
    here.api.contacts.delete(contact)
    show_done(here, f"Deleted contact {contact}.", id=contact, deleted=True)


def _identity(
    name: str | None,
    type: str | None,
    customer_id: str | None,
    business_id: str | None,
    vat_id: str | None,
    phone: str | None,
) -> dict[str, object]:
    """The body's fields that say who the contact is."""
    return {
        "name": name,
        "type": type,
        "customer_id": customer_id,
        "contact_business_id": business_id,
        "invoicing_tax_code": vat_id,
        "phone_number": phone,
    }


def _invoicing(
    email: str | None,
    street: str | None,
    postal_code: str | None,
    city: str | None,
    country: str | None,
    language: str | None,
    invoicing: bool | None,
) -> dict[str, object]:
    """The body's fields that say how the contact is invoiced."""
    return {
        "invoicing_email": email,
        "invoicing_street": street,
        "invoicing_postal_code": postal_code,
        "invoicing_city": city,
        "invoicing_country": country,
        "invoicing_language": language,
        "is_invoicing_enabled": invoicing,
    }
