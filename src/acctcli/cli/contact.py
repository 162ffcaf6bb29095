"""Customers and suppliers."""

from __future__ import annotations

from acctcli.cli.command.called import CONTACT, Many
from acctcli.cli.command.classes import new_group
from acctcli.cli.command.options import INT, SEARCH, field, flag, wire_name
from acctcli.cli.command.plain import Resource
from acctcli.errors import UsageError

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

app = new_group(__doc__, shows="contact:Contact")


def _language(code: str) -> str:
    """Return the code of a language that invoices may have for a contact."""
    if code.casefold() == "de":
        raise UsageError(
            "invoicing_language (--language): the interface knows fi, sv and en for a contact",
            hint="acctcli invoice accept ID --language de makes a German invoice of a draft, whoever it is for",
        )
    return code


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
    field(
        "invoicing_language",
        "--language",
        metavar="CODE",
        read=_language,
        help="Language of invoices: fi, sv or en; see invoice accept --language.",
    ),
    flag("is_invoicing_enabled", "--invoicing/--no-invoicing", help="Whether it is to be invoiced."),
)
FILTERS = (
    SEARCH,
    field("name_iexact", "--name", metavar="TEXT", help="Only those of this name, in any case."),
    flag("is_invoicing_enabled", "--invoicing/--no-invoicing", help="Only those to be invoiced, or the others."),
    field("exclude_id", "--exclude", type=INT, metavar="ID", help="All but this one."),
)

contacts = Resource(
    app,
    CONTACT.noun,
    CONTACT.records,
    "contact:ContactRequest",
    COLUMNS,
    DETAILS,
    FIELDS,
    kind=CONTACT,
    many=Many(("customer_id", "name")),
)
contacts.export("List contacts by name.", "acctcli contact list --search virtanen", *FILTERS)
contacts.get("Show one contact.", "acctcli contact get 1")
contacts.create(
    "Add a contact, or from a file of CSV all that are not there.",
    "acctcli contact create --name 'Virtanen Oy' --type business --email laskut@virtanen.example",
)
contacts.update("Change the fields given, and no others.", "acctcli contact update 1 --city Oulu --postal-code 90100")
contacts.replace(
    "Replace the contact's fields; what is not given goes back to its default.",
    "acctcli contact replace 1 --name 'Virtanen & Co Oy' --type business",
)
contacts.delete("Delete a contact that nothing refers to.", "acctcli contact delete 2 --yes")
