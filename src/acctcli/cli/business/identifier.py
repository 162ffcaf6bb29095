"""Official identifiers of a business: `acctcli business identifier`."""

from __future__ import annotations

from acctcli.cli.command.classes import new_group
from acctcli.cli.command.options import field
from acctcli.cli.command.plain import Resource

COLUMNS = ("id", "type", "value")

app = new_group("Official identifiers of the business.", shows="business:Identifier")

FIELDS = (
    field("type", "--type", metavar="TYPE", help="Its kind: y_tunnus, vat_code or steuernummer."),
    field("value", "--value", metavar="TEXT", help="The identifier, such as 0112038-9."),
)

identifiers = Resource(
    app, "identifier", lambda api: api.identifiers, "business:IdentifierRequest", COLUMNS, COLUMNS, FIELDS
)
identifiers.list("List the official identifiers of the business.", "acctcli business identifier list")
identifiers.get("Show one identifier.", "acctcli business identifier get 1")
identifiers.create(
    "Set the identifier of a kind; there is one of each, and an older value gives way.",
    "acctcli business identifier create --type vat_code --value FI01120389",
)
identifiers.update("Change the fields given, and no others.", "acctcli business identifier update 1 --value 0112038-9")
identifiers.replace("Replace an identifier.", "acctcli business identifier replace 1 --type y_tunnus --value 0112038-9")
identifiers.delete(
    "Delete an identifier that the country does not demand.", "acctcli business identifier delete 2 --yes"
)
