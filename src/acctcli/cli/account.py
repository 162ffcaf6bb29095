"""The chart of accounts: list, add, change, hide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli._group import Context, Search, new_group
from acctcli.cli._options import (
    ActionCommand,
    Command,
    CreateCommand,
    DeleteCommand,
    ListCommand,
    UpdateCommand,
)
from acctcli.cli._output import show, show_done, show_rows, show_stream
from acctcli.cli._state import state
from acctcli.client.extent import Extent

if TYPE_CHECKING:
    import msgspec

COLUMNS = (
    "id",
    "number",
    "name",
    "type",
    "default_vat_code",
    "default_vat_rate",
    "opening_balance",
    "is_shown",
)
DETAILS = (*COLUMNS, "balance", "is_used", "description", "created_at", "updated_at")

app = new_group("The chart of accounts: list, add, change, hide.")

AccountId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The account's id.")]
Number = Annotated[str | None, typer.Option("--number", metavar="DIGITS", help="Account number, 1 to 7 digits.")]
Name = Annotated[str | None, typer.Option("--name", metavar="TEXT", help="Name, the same in every language.")]
Type = Annotated[str | None, typer.Option("--type", metavar="TYPE", help="Account type, such as ASS_PAY or REV_SAL.")]
Types = Annotated[
    list[str] | None, typer.Option("--type", metavar="TYPE", help="Only accounts of this type. Repeatable.")
]
Shown = Annotated[bool | None, typer.Option("--shown/--hidden", help="Only accounts shown, or only hidden ones.")]
Used = Annotated[bool | None, typer.Option("--used/--unused", help="Only accounts with entries, or without.")]
ExactNumber = Annotated[int | None, typer.Option("--number", metavar="N", help="Only the account of this number.")]
Least = Annotated[int | None, typer.Option("--number-gte", metavar="N", help="Only numbers from this one.")]
Most = Annotated[int | None, typer.Option("--number-lte", metavar="N", help="Only numbers up to this one.")]
Tag = Annotated[int | None, typer.Option("--tag", metavar="ID", help="Only accounts used in documents with this tag.")]


@app.command("list", cls=ListCommand)
def list_accounts(
    ctx: Context,
    search: Search = None,
    type: Types = None,
    number: ExactNumber = None,
    number_gte: Least = None,
    number_lte: Most = None,
    shown: Shown = None,
    used: Used = None,
    tag: Tag = None,
) -> None:
    """List accounts in the order of their numbers."""
    here = state(ctx)
    query = {
        "search": search,
        "type": type,
        "number": number,
        "number_gte": number_gte,
        "number_lte": number_lte,
        "is_shown": shown,
        "is_used": used,
        "tags": tag,
    }
    show_rows(here, here.api.accounts.list(query, here.extent), COLUMNS)


@app.command("get", cls=Command)
def get_account(ctx: Context, account: AccountId) -> None:
    """Show one account with its balance."""
    here = state(ctx)
    show(here, here.api.accounts.get(account), DETAILS)


@app.command("balances", cls=Command)
def list_balances(ctx: Context) -> None:
    """List the accounts in use with their balances; one request an account."""
    import msgspec

    here = state(ctx)
    used = here.api.accounts.list({"is_used": True}, Extent(limit=None))
    found = ([msgspec.Raw(here.api.accounts.get(_id_of(row)).body)] for page in used for row in page)
    show_stream(here, found, ("number", "name", "type", "balance"))


@app.command("create", cls=CreateCommand)
def create_account(ctx: Context, number: Number = None, name: Name = None, type: Type = None) -> None:
    """Add an account to the chart."""
    from acctcli.cli._input import read_body
    from acctcli.models.account import AccountRequest

    here = state(ctx)
    body = read_body(here, AccountRequest, _named(number, name, type))
    show(here, here.api.accounts.create(body, here.options.idempotency_key), COLUMNS)


@app.command("update", cls=UpdateCommand)
def update_account(
    ctx: Context, account: AccountId, number: Number = None, name: Name = None, type: Type = None
) -> None:
    """Change the fields given, and no others."""
    from acctcli.cli._input import read_changes
    from acctcli.models.account import AccountRequest

    here = state(ctx)
    body = read_changes(here, AccountRequest, _named(number, name, type))
    show(here, here.api.accounts.update(account, body), DETAILS)


@app.command("replace", cls=UpdateCommand)
def replace_account(
    ctx: Context, account: AccountId, number: Number = None, name: Name = None, type: Type = None
) -> None:
    """Replace the account's fields; what is not given goes back to its default."""
    from acctcli.cli._input import read_body
    from acctcli.models.account import AccountRequest

    here = state(ctx)
    body = read_body(here, AccountRequest, _named(number, name, type))
    show(here, here.api.accounts.replace(account, body), DETAILS)


@app.command("delete", cls=DeleteCommand)
def delete_account(ctx: Context, account: AccountId) -> None:
    """Delete an account that nothing refers to."""
    here = state(ctx)
    here.confirm(f"Delete account {account}?")
    here.api.accounts.delete(account)
    show_done(here, f"Deleted account {account}.", id=account, deleted=True)


@app.command("show", cls=ActionCommand)
def show_account(ctx: Context, account: AccountId) -> None:
    """Show a hidden account in lists again."""
    here = state(ctx)
    show(here, here.api.accounts.act(account, "show/", key=here.options.idempotency_key), DETAILS)


@app.command("hide", cls=ActionCommand)
def hide_account(ctx: Context, account: AccountId) -> None:
    """Hide an account from lists; its entries stay."""
    here = state(ctx)
    show(here, here.api.accounts.act(account, "hide/", key=here.options.idempotency_key), DETAILS)


def _id_of(row: msgspec.Raw) -> int:
    import msgspec

    record: int = msgspec.json.decode(row)["id"]
    return record


def _named(number: str | None, name: str | None, type: str | None) -> dict[str, object]:
    """The body's fields behind the named options; a name is given in every language (wire facts 2.5)."""
    from acctcli.models.enums import Language

    names = [{"key": str(language), "value": name} for language in Language] if name is not None else None
    return {"number": number, "name_translations": names, "type": type}
