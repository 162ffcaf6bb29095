"""Relations of documents: which accrual a settlement clears."""

from __future__ import annotations

from typing import Annotated, ClassVar

from acctcli.cli.command.called import DOCUMENT, Called, id_argument
from acctcli.cli.command.classes import BODY, Command, Context, new_group, shows
from acctcli.cli.command.options import INT, field, many
from acctcli.cli.command.plain import Resource
from acctcli.cli.document import options as opt
from acctcli.cli.session.state import state

COLUMNS = ("id", "related_document", "role", "type", "description")
DETAILS = (*COLUMNS, "related_document_summary", "created_at", "updated_at")
SUGGESTION_COLUMNS = ("related_document", "role", "type", "score", "reason")
PAIR = "ACCRUAL_PAIR"

relation = new_group("Relations of documents: which accrual a settlement clears.", shows="relation:DocumentRelation")


class AskCommand(Command):
    """A command that sends a body and changes nothing by it."""

    shared: ClassVar = {"Body": BODY, **Command.shared}


Document = Annotated[int, id_argument(DOCUMENT, metavar="DOCUMENT")]
FIELDS = (
    field("related_document", "--related", type=Called(DOCUMENT), metavar="ID", help="Document it is paired with."),
    field(
        "role",
        "--role",
        metavar="ROLE",
        read=str.upper,
        help="What the document is: ACCRUAL (open item) or SETTLEMENT (its payment).",
    ),
    field("type", "--type", metavar="TYPE", help=f"Kind of the pair ({PAIR})."),
)
EXCLUDE = many("exclude_document_ids", "--exclude", "ID", "Leave this document out.", type=INT)


relations = Resource(
    relation,
    "relation",
    lambda api, document: api.relations(document),
    "relation:RelationRequest",
    COLUMNS,
    DETAILS,
    FIELDS,
    part_of=DOCUMENT,
    defaults={"type": PAIR},  # of the kinds of pairs there is one, which need not be said
)
relations.list("List what a document is paired with.", "acctcli document relation list 2")
relations.get("Show one relation of a document.", "acctcli document relation get 2 1")
relations.create(
    "Pair a document with another one: an accrual with its settlement.",
    "acctcli document relation create 4 --related 5 --role accrual",
)
relations.update("Change the fields given, and no others.", "acctcli document relation update 2 1 --role accrual")
relations.replace(
    "Replace a relation of a document.", "acctcli document relation replace 2 1 --related 3 --role accrual"
)
relations.delete("Part two documents; both stay as they are.", "acctcli document relation delete 2 1 --yes")


@relation.command("suggestions", cls=Command)
@shows(SUGGESTION_COLUMNS)
def suggest_relations(ctx: Context, document: Document) -> None:
    """List the documents that may belong to this one, the likeliest first.

    Example: acctcli document relation suggestions 4
    """
    from acctcli.cli.output.replies import show_array

    here = state(ctx)
    show_array(here, here.api.relation_suggestions(document), SUGGESTION_COLUMNS)


@relation.command(
    "preview", cls=AskCommand.taking(*opt.LEGS, opt.DATE, opt.CONTACT, EXCLUDE, model="document:PreviewRequest")
)
@shows(SUGGESTION_COLUMNS)
def preview_relations(ctx: Context) -> None:
    """List the documents that may belong to one that is not posted yet; nothing is posted.

    Example: acctcli document relation preview --date 2026-03-20 --debit 1910 --credit 1700:50
    """
    from acctcli.cli.command.body import read_body
    from acctcli.cli.document.bodies import fill_accounts, take_written
    from acctcli.cli.output.replies import show_array
    from acctcli.models.base import partial
    from acctcli.models.document import PreviewRequest

    here = state(ctx)
    written = take_written(here)
    # the blueprint may still be missing where legs are going to make it
    body = read_body(here, PreviewRequest if written.legs is None else partial(PreviewRequest))
    fill_accounts(here, body, written)
    show_array(here, here.api.preview_relations(body), SUGGESTION_COLUMNS)
