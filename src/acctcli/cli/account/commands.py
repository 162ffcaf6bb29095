"""The chart of accounts: list, add, change, hide."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from acctcli.cli.account.words import TYPES, type_of
from acctcli.cli.command.called import Filling, Many
from acctcli.cli.command.classes import Command, Context, ListCommand, new_group, shows
from acctcli.cli.command.options import INT, RANGE, SEARCH, TRANSLATED_NAME, Field, field, flag, many
from acctcli.cli.command.plain import Resource
from acctcli.cli.completing import values
from acctcli.cli.completing.values import value_of
from acctcli.cli.output.show import show_record, show_rows
from acctcli.cli.session.state import State, state

if TYPE_CHECKING:
    from acctcli.client.messages import Reply

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
STATEMENT_COLUMNS = (
    "date",
    "number",
    "description",
    "counter_accounts",
    "contact_name",
    "vat_code",
    "debit",
    "credit",
    "balance",
)
BALANCES = ("number", "name", "type", "balance")
DATE = field("date", "--date", metavar="DAY", help="The day at whose end they stand so (today).")
# tables put types and VAT into words
IN_WORDS = ("number", "name", "type", "vat")

app = new_group(__doc__, shows="account:Account")

Account = Annotated[
    str,
    typer.Argument(
        metavar="NUMBER",
        autocompletion=values.accounts,
        help="The account's number, such as 1910; id:57 for that of an id.",
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


FIELDS = (
    field("number", "--number", metavar="DIGITS", help="Account number, 1 to 7 digits."),
    TRANSLATED_NAME,
    field("type", "--type", metavar="TYPE", complete=value_of("AccountType"), read=type_of, help=f"Account {TYPES}."),
    field("default_vat_code", "--vat-code", type=INT, metavar="N", help="VAT code its rows begin with, 1 to 15 (3)."),
    field("default_vat_rate_label", "--vat-rate", metavar="RATE", help="Their rate: 25.5, or standard, zero (zero)."),
)
FILTERS = (
    SEARCH,
    many("type", "--type", "TYPE", f"Only accounts of this {TYPES}.", complete=value_of("AccountType"), read=type_of),
    _number("number", "--number", "Only the account of this number."),
    _number("number_gte", "--number-gte", "Only numbers from this one."),
    _number("number_lte", "--number-lte", "Only numbers up to this one."),
    flag("is_shown", "--shown/--hidden", help="Only accounts shown, or only hidden ones."),
    flag("is_used", "--used/--unused", help="Only accounts with entries, or without."),
    field("tags", "--tag", type=INT, metavar="ID", help="Only accounts used in documents with this tag."),
)


@app.command("list", cls=ListCommand.taking(*FILTERS))
def list_accounts(ctx: Context, balances: Balances = None) -> None:
    """List accounts in the order of their numbers, with VAT and balance.

    Example: acctcli account list --type 'bank and cash'
    """
    from acctcli.cli.account.rows import AccountListing

    here = state(ctx)
    words = here.format == "table"
    wanted = _wants_balances(here) if balances is None else balances
    listing = AccountListing(here, here.named, here.extent, balances=wanted, words=words)
    show_rows(here, listing, (*(IN_WORDS if words else COLUMNS), *(("balance",) if wanted else ())))


def _find(here: State, written: str) -> int:
    from acctcli.cli.account.chart import account_id

    return account_id(here, written)


def _label(here: State) -> Filling:
    """Return what gives the label of the rate that is written; the service is asked once for each rate in percent."""
    from acctcli.cli.account.rates import label_of

    find = cache(partial(label_of, here))

    def fill(given: Mapping[str, Any]) -> Mapping[str, object]:
        written = given.get("default_vat_rate_label")
        return {} if written is None else {"default_vat_rate_label": find(written)}

    return fill


def _present(here: State, reply: Reply) -> None:
    """Show one account; its type in words where people read it."""
    from acctcli.cli.account.rows import in_words
    from acctcli.cli.output.columns import check_object

    record = check_object(reply.body)
    show_record(here, in_words(record) if here.format == "table" else record, DETAILS)


def _typed(here: State) -> Callable[[object, object], None]:
    """Return what refuses an account without a type that cannot be one of expenses."""
    from acctcli.cli.account.kinds import Untyped

    return Untyped(here)


def _whole_numbers(here: State, rows: list[dict[str, Any]]) -> None:
    """Give numbers of a table the zeros in front that a spreadsheet left out."""
    from acctcli.cli.account.chart import read_chart

    numbered = [row for row in rows if "number" in row]
    whole = read_chart(here).whole_numbers([row["number"] for row in numbered])
    for row, number in zip(numbered, whole, strict=True):
        row["number"] = number


accounts = Resource(
    app,
    "account",
    lambda api: api.accounts,
    "account:AccountRequest",
    COLUMNS,
    DETAILS,
    FIELDS,
    name=Account,
    find=_find,
    present=_present,
    many=Many(("number",), _label, _typed, _whole_numbers),
)
accounts.get("Show one account with its balance.", "acctcli account get 1910")


@app.command("balances", cls=Command.taking(DATE))
@shows(("id", *BALANCES))
def list_balances(ctx: Context) -> None:
    """List the accounts in use with their balances on a day.

    Today unless told otherwise. Balances have their natural sign: assets and expenses are positive on the debit side,
    all others on the credit side. Revenue and expenses are those of the accounting period of the day; what earlier ones
    earned stands on the account of the profit of previous periods.

    Example: acctcli account balances --date 2026-03-31
    """
    from acctcli.cli.account.balances import print_balances
    from acctcli.cli.command.dates import parse_day

    here = state(ctx)
    day = parse_day(here.named.get("date") or "today", "--date", here.today)
    print_balances(here, day, BALANCES if here.format == "table" else ("id", *BALANCES))


@app.command("statement", cls=Command.taking(*RANGE))
@shows(STATEMENT_COLUMNS)
def show_statement(ctx: Context, account: Account) -> None:
    """Show the ledger of one account: opening balance, entries, closing balance.

    The current year unless told otherwise. Balances are debit minus credit, as in every ledger, and are added up
    again here: a ledger that does not add up is refused.

    Example: acctcli account statement 1910 --period 2026-Q1
    """
    from acctcli.cli.account.statement import print_statement
    from acctcli.cli.report.spans import choose_spans

    here = state(ctx)
    period, first, last = (here.named.get(name) for name in ("period", "from", "to"))
    [days] = choose_spans([period] if period else None, first, last, here.today)
    print_statement(here, account, days, STATEMENT_COLUMNS)


accounts.create(
    "Add an account to the chart, or from a file of CSV all that are not there.",
    "acctcli account create --number 3010 --name 'Sales of services' --type REV_SAL",
)
accounts.update("Change the fields given, and no others.", "acctcli account update 3000 --name 'Sales of goods'")
accounts.replace(
    "Replace the account's fields; what is not given goes back to its default.",
    "acctcli account replace 3000 --number 3000 --name Sales --type REV_SAL",
)
accounts.delete("Delete an account that nothing refers to.", "acctcli account delete 3020 --yes")
accounts.act("show", "Show a hidden account in lists again.", "acctcli account show 3000", "show/")
accounts.act("hide", "Hide an account from lists; its entries stay.", "acctcli account hide 3000", "hide/")


def _wants_balances(here: State) -> bool:
    """Whether balances are shown: in tables, or where their column is asked for."""
    if here.options.columns is None:
        return here.format == "table"
    return not {"balance", "is_used"}.isdisjoint(here.options.columns.split(","))
