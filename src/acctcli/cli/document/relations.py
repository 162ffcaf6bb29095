"""Relations of documents: which accrual a settlement clears."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from acctcli.cli.command.classes import BODY, Command, CreateCommand, DeleteCommand, ListCommand, UpdateCommand
from acctcli.cli.command.group import Context, new_group, shows
from acctcli.cli.command.options import INT, field
from acctcli.cli.document import options as opt
from acctcli.cli.output.show import show, show_done, show_rows
from acctcli.cli.session.state import State, state

if TYPE_CHECKING:
    from acctcli.models.relation import RelationRequest

COLUMNS = ("id", "related_document", "role", "type", "description")
DETAILS = (*COLUMNS, "related_document_summary", "created_at", "updated_at")
SUGGESTION_COLUMNS = ("related_document", "role", "type", "score", "reason")
PAIR = "ACCRUAL_PAIR"

relation = new_group("Relations of documents: which accrual a settlement clears.", shows="relation:DocumentRelation")


class AskCommand(Command):
    """A command that sends a body and changes nothing by it."""

    shared: ClassVar = {"Body": BODY, **Command.shared}


Document = Annotated[int, typer.Argument(metavar="DOCUMENT", min=1, help="The document's id.")]
Relation = Annotated[int, typer.Argument(metavar="RELATION", min=1, help="The relation's id, of this document's list.")]
FIELDS = (
    field("related_document", "--related", type=INT, metavar="ID", help="Document it is paired with."),
    field(
        "role",
        "--role",
        metavar="ROLE",
        read=str.upper,
        help="What the document is: ACCRUAL (open item) or SETTLEMENT (its payment).",
    ),
    field("type", "--type", metavar="TYPE", help=f"Kind of the pair ({PAIR})."),
)
EXCLUDE = field(
    "exclude_document_ids",
    "--exclude",
    type=INT,
    multiple=True,
    metavar="ID",
    help="Leave this document out. Repeatable.",
)


@relation.command("list", cls=ListCommand)
def list_relations(ctx: Context, document: Document) -> None:
    """List what a document is paired with."""
    here = state(ctx)
    show_rows(here, here.api.relations(document).list({}, here.extent), COLUMNS)


@relation.command("get", cls=Command)
def get_relation(ctx: Context, document: Document, relation: Relation) -> None:
    """Show one relation of a document."""
    here = state(ctx)
    show(here, here.api.relations(document).get(relation), DETAILS)


@relation.command("create", cls=CreateCommand.taking(*FIELDS))
def create_relation(ctx: Context, document: Document) -> None:
    """Pair a document with another one: an accrual with its settlement."""
    here = state(ctx)
    show(here, here.api.relations(document).create(_whole(here), here.options.idempotency_key), DETAILS)


@relation.command("update", cls=UpdateCommand.taking(*FIELDS))
def update_relation(ctx: Context, document: Document, relation: Relation) -> None:
    """Change the fields given, and no others."""
    from acctcli.cli.command.body import read_changes
    from acctcli.models.relation import RelationRequest

    here = state(ctx)
    show(here, here.api.relations(document).update(relation, read_changes(here, RelationRequest)), DETAILS)


@relation.command("replace", cls=UpdateCommand.taking(*FIELDS))
def replace_relation(ctx: Context, document: Document, relation: Relation) -> None:
    """Replace a relation of a document."""
    here = state(ctx)
    show(here, here.api.relations(document).replace(relation, _whole(here)), DETAILS)


@relation.command("delete", cls=DeleteCommand)
def delete_relation(ctx: Context, document: Document, relation: Relation) -> None:
    """Part two documents; both stay as they are."""
    here = state(ctx)
    here.confirm(f"Delete relation {relation} of document {document}?")
    here.api.relations(document).delete(relation)
    show_done(here, f"Deleted relation {relation} of document {document}.", id=relation, deleted=True)


@relation.command("suggestions", cls=Command)
@shows(SUGGESTION_COLUMNS)
def suggest_relations(ctx: Context, document: Document) -> None:
    """List the documents that may belong to this one, the likeliest first."""
    from acctcli.cli.output.replies import show_array

    here = state(ctx)
    show_array(here, here.api.relation_suggestions(document), SUGGESTION_COLUMNS)


@relation.command("preview", cls=AskCommand.taking(opt.DATE, opt.CONTACT, EXCLUDE))
@shows(SUGGESTION_COLUMNS)
def preview_relations(
    ctx: Context,
    debit: opt.Debit = None,
    credit: opt.Credit = None,
    expense: opt.Expense = None,
    account_numbers: opt.Numbers = False,
) -> None:
    """List the documents that may belong to one that is not posted yet; nothing is posted."""
    from acctcli.cli.command.body import check, read_body
    from acctcli.cli.document.blueprints import read_legs
    from acctcli.cli.document.bodies import Written, with_accounts
    from acctcli.cli.output.replies import show_array
    from acctcli.models.base import partial
    from acctcli.models.document import PreviewRequest

    here = state(ctx)
    written = Written(account_numbers, read_legs(debit, credit, expense))
    body, _ = with_accounts(here, read_body(here, partial(PreviewRequest)), written)
    whole = check(PreviewRequest, body.model_dump(exclude_unset=True))
    show_array(here, here.api.preview_relations(whole), SUGGESTION_COLUMNS)


def _whole(here: State) -> RelationRequest:
    """Build a whole body; of the kinds of pairs there is one, which need not be said."""
    from acctcli.cli.command.body import check, read_body
    from acctcli.models.base import partial
    from acctcli.models.relation import RelationRequest

    body = read_body(here, partial(RelationRequest))
    return check(RelationRequest, {"type": PAIR, **body.model_dump(exclude_unset=True)})
