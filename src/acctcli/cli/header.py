"""Headers that accounts stand under: list, add."""

from __future__ import annotations

from acctcli.cli.command.classes import new_group
from acctcli.cli.command.options import INT, SEARCH, TRANSLATED_NAME, field
from acctcli.cli.command.plain import Resource

COLUMNS = ("id", "name", "type", "level", "parent_id")
DETAILS = (*COLUMNS, "parent_ids", "name_translations")

app = new_group(__doc__, shows="header:Header")

FIELDS = (
    TRANSLATED_NAME,
    field("type", "--type", metavar="TYPE", help="B for the balance sheet, I for the income statement."),
    field("parent_id", "--parent", type=INT, metavar="ID", help="The header that it stands under."),
)

headers = Resource(app, "header", lambda api: api.headers, "header:HeaderRequest", COLUMNS, DETAILS, FIELDS)
headers.list("List the headers of the chart.", "acctcli header list --all", SEARCH)
headers.get("Show one header.", "acctcli header get 1")
headers.create(
    "Add a header; headers cannot be changed or deleted afterwards.",
    "acctcli header create --name 'Cash at hand' --type B --parent 1",
)
