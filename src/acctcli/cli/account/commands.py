"""The chart of accounts: list, add, change, hide."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli.account.words import complete_types, type_of, types_of
from acctcli.cli.command.classes import (
    ActionCommand,
    Command,
    CreateCommand,
    DeleteCommand,
    ListCommand,
    UpdateCommand,
)
from acctcli.cli.command.dates import choose_range
from acctcli.cli.command.group import Context, From, Period, To, new_group, shows
from acctcli.cli.command.options import INT, SEARCH, Field, field, flag
from acctcli.cli.output.show import show, show_done, show_record, show_rows
from acctcli.cli.session.state import State, state
from acctcli.client.extent import Extent
from acctcli.errors import UsageError

if TYPE_CHECKING:
    from acctcli.client.reply import Reply

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
STATEMENT_COLUMNS = ("date", "number", "description", "debit", "credit", "balance")
# tables put types and VAT into words
IN_WORDS = ("number", "name", "type", "vat")

app = new_group("The chart of accounts: list, add, change, hide.", shows="account:Account")

Account = Annotated[
    str, typer.Argument(metavar="NUMBER", help="The account's number, such as 1910; id:57 for that of an id.")
]
Number = Annotated[str | None, typer.Option("--number", metavar="DIGITS", help="Account number, 1 to 7 digits.")]
Name = Annotated[str | None, typer.Option("--name", metavar="TEXT", help="Name, the same in every language.")]
Type = Annotated[
    str | None,
    typer.Option(
        "--type",
        metavar="TYPE",
        autocompletion=complete_types,
        help="Account type: ASS_PAY, or its words: bank and cash.",
    ),
]
Balances = Annotated[
    bool | None,
    typer.Option(
        "--balances/--no-balances",
        help="Read balances too, one request for each account in use; tables have them unless told otherwise.",
    ),
]


def _number(wire: str, name: str, help: str) -> Field:
    """Declare a filter by account numbers."""

    def read(written: str) -> str | None:
        from acctcli.cli.account.chart import checked_number

        return checked_number(written, name)

    return field(wire, name, metavar="DIGITS", help=help, read=read)


FILTERS = (
    SEARCH,
    field(
        "type",
        "--type",
        multiple=True,
        metavar="TYPE",
        complete=complete_types,
        read=types_of,
        help="Only accounts of this type: ASS_PAY, or its words: bank and cash. Repeatable.",
    ),
    _number("number", "--number", "Only the account of this number."),
    _number("number_gte", "--number-gte", "Only numbers from this one."),
    _number("number_lte", "--number-lte", "Only numbers up to this one."),
    flag("is_shown", "--shown/--hidden", help="Only accounts shown, or only hidden ones."),
    flag("is_used", "--used/--unused", help="Only accounts with entries, or without."),
    field("tags", "--tag", type=INT, metavar="ID", help="Only accounts used in documents with this tag."),
)


@app.command("list", cls=ListCommand.taking(*FILTERS))
def list_accounts(ctx: Context, balances: Balances = None) -> None:
    """List accounts in the order of their numbers, with VAT and balance."""
    from acctcli.cli.account.rows import AccountListing

    here = state(ctx)
    words = here.format == "table"
    wanted = _wants_balances(here) if balances is None else balances
    listing = AccountListing(here, here.named, here.extent, balances=wanted, words=words)
    show_rows(here, listing, (*(IN_WORDS if words else COLUMNS), *(("balance",) if wanted else ())))


@app.command("get", cls=Command)
def get_account(ctx: Context, account: Account) -> None:
    """Show one account with its balance."""
    from acctcli.cli.account.chart import account_id

    here = state(ctx)
    _show(here, here.api.accounts.get(account_id(here, account)))


@app.command("balances", cls=Command)
def list_balances(ctx: Context) -> None:
    """List the accounts in use with their balances; one request an account."""
    from acctcli.cli.account.rows import AccountListing

    here = state(ctx)
    words = here.format == "table"
    listing = AccountListing(here, {"is_used": True}, Extent(limit=None), balances=True, words=words)
    show_rows(here, listing, ("number", "name", "type", "balance"))


@app.command("statement", cls=Command)
@shows(STATEMENT_COLUMNS)
def show_statement(ctx: Context, account: Account, period: Period = None, first: From = None, last: To = None) -> None:
    """Show the ledger of one account: opening balance, entries, closing balance.

    The current year unless told otherwise. Balances are debit minus credit, as in every ledger, and are added up
    again here: a ledger that does not add up is refused.
    """
    from acctcli.cli.account.statement import print_statement

    days = _days(*choose_range(period, first, last))
    print_statement(state(ctx), account, days, STATEMENT_COLUMNS)


@app.command("create", cls=CreateCommand)
def create_account(ctx: Context, number: Number = None, name: Name = None, type: Type = None) -> None:
    """Add an account to the chart."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.account import AccountRequest

    here = state(ctx)
    body = read_body(here, AccountRequest, _named(number, name, type))
    show(here, here.api.accounts.create(body, here.options.idempotency_key), COLUMNS)


@app.command("update", cls=UpdateCommand)
def update_account(ctx: Context, account: Account, number: Number = None, name: Name = None, type: Type = None) -> None:
    """Change the fields given, and no others."""
    from acctcli.cli.account.chart import account_id
    from acctcli.cli.command.body import read_changes
    from acctcli.models.account import AccountRequest

    here = state(ctx)
    body = read_changes(here, AccountRequest, _named(number, name, type))
    _show(here, here.api.accounts.update(account_id(here, account), body))


@app.command("replace", cls=UpdateCommand)
def replace_account(
    ctx: Context, account: Account, number: Number = None, name: Name = None, type: Type = None
) -> None:
    """Replace the account's fields; what is not given goes back to its default."""
    from acctcli.cli.account.chart import account_id
    from acctcli.cli.command.body import read_body
    from acctcli.models.account import AccountRequest

    here = state(ctx)
    body = read_body(here, AccountRequest, _named(number, name, type))
    _show(here, here.api.accounts.replace(account_id(here, account), body))


@app.command("delete", cls=DeleteCommand)
def delete_account(ctx: Context, account: Account) -> None:
    """Delete an account that nothing refers to."""
    from acctcli.cli.account.chart import account_id

    here = state(ctx)
    here.confirm(f"Delete account {account}?")
    record = account_id(here, account)
    here.api.accounts.delete(record)
    show_done(here, f"Deleted account {account}.", id=record, deleted=True)


@app.command("show", cls=ActionCommand)
def show_account(ctx: Context, account: Account) -> None:
    """Show a hidden account in lists again."""
    _act(state(ctx), account, "show/")


@app.command("hide", cls=ActionCommand)
def hide_account(ctx: Context, account: Account) -> None:
    """Hide an account from lists; its entries stay."""
    _act(state(ctx), account, "hide/")


def _days(first: date | None, last: date | None) -> tuple[date, date]:
    """Return the days of a statement, the current year unless told otherwise."""
    if first is None and last is None:
        year = date.today().year
        return date(year, 1, 1), date(year, 12, 31)
    if first is None or last is None:
        raise UsageError("give both --from and --to, or --period")
    return first, last


def _act(here: State, account: str, action: str) -> None:
    from acctcli.cli.account.chart import account_id

    record = account_id(here, account)
    _show(here, here.api.accounts.act(record, action, key=here.options.idempotency_key))


def _show(here: State, reply: Reply) -> None:
    """Show one account; its type in words where people read it."""
    from acctcli.cli.account.rows import in_words
    from acctcli.cli.output.columns import check_object

    record = check_object(reply.body)
    show_record(here, in_words(record) if here.format == "table" else record, DETAILS)


def _wants_balances(here: State) -> bool:
    """Whether balances are shown: in tables, or where their column is asked for."""
    if here.options.columns is None:
        return here.format == "table"
    return not {"balance", "is_used"}.isdisjoint(here.options.columns.split(","))


def _named(number: str | None, name: str | None, type: str | None) -> dict[str, object]:
    """The body's fields behind the named options; a name is given in every language (wire facts 2.5)."""
    from acctcli.models.enums import Language

    names = [{"key": str(language), "value": name} for language in Language] if name is not None else None
    return {"number": number, "name_translations": names, "type": type_of(type) if type is not None else None}
