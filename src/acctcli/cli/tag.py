"""Tags that documents are grouped by."""

from __future__ import annotations

from acctcli.cli.command.called import TAG
from acctcli.cli.command.classes import new_group
from acctcli.cli.command.options import SEARCH, field
from acctcli.cli.command.plain import Resource

COLUMNS = ("id", "name", "description", "color")
DETAILS = (*COLUMNS, "created_at", "updated_at")

app = new_group(__doc__, shows="tag:Tag")

FIELDS = (
    field("name", "--name", metavar="TEXT", help="Name, which no other tag has."),
    field("description", "--description", metavar="TEXT", help="What it stands for."),
    field("color", "--color", metavar="TEXT", help="Colour to show it in."),
)

tags = Resource(app, TAG.noun, TAG.records, "tag:TagRequest", COLUMNS, DETAILS, FIELDS, kind=TAG)
tags.list("List the tags of the business.", "acctcli tag list --search oulu", SEARCH)
tags.get("Show one tag.", "acctcli tag get 1")
tags.create("Add a tag.", "acctcli tag create --name Helsinki --color '#0055aa'")
tags.update("Change the fields given, and no others.", "acctcli tag update 1 --name Tampere")
tags.replace(
    "Replace the tag's fields; what is not given becomes empty.",
    "acctcli tag replace 1 --name Turku --description 'The shop by the river'",
)
tags.delete(
    "Delete a tag and take it off every document.", "acctcli tag delete 1 --yes", " and take it off every document"
)
