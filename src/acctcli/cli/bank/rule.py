"""Rules that book lines of statements: add, list, remove and test them."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.bank.options import Files, Format, ProfileName, Rules
from acctcli.cli.command.classes import Command, Context, DeleteCommand, new_group
from acctcli.cli.completing.values import one_of
from acctcli.cli.output.show import show_ended, show_values
from acctcli.cli.session.state import state

COLUMNS = ("number", "text", "iban", "reference", "direction", "account", "vat")
TESTED = ("file", "line", "date", "amount", "name", "rule", "account", "vat", "reason")

rule = new_group(__doc__)

Text = Annotated[str | None, typer.Option("--text", metavar="TEXT", help="Words that stand in its name or text.")]
Iban = Annotated[str | None, typer.Option("--iban", metavar="IBAN", help="Account of the other side.")]
Reference = Annotated[str | None, typer.Option("--reference", metavar="TEXT", help="Reference that it has.")]
Direction = Annotated[
    str | None,
    typer.Option(
        "--direction",
        metavar="WORD",
        autocompletion=one_of(("in", "out")),
        help="Only what comes in, or goes out.",
    ),
]
Booked = Annotated[str, typer.Option("--account", metavar="NUMBER", help="Account to book it on, against the bank.")]
Vat = Annotated[
    str | None,
    typer.Option("--vat", metavar="CODE/RATE", help="VAT code and rate, as 2/13.5; else the account's."),
]
Number = Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="Number of the rule, as it is listed.")]


@rule.command("list", cls=Command)
def list_rules(ctx: Context, file: Rules = None) -> None:
    """List the rules in the order in which they are written.

    Example: acctcli bank rule list
    """
    from acctcli.cli.bank.rulebook import facts, read_book

    here = state(ctx)
    show_values(here, facts(read_book(here, file)), COLUMNS)


@rule.command("add", cls=Command)
def add_rule(
    ctx: Context,
    account: Booked,
    text: Text = None,
    iban: Iban = None,
    reference: Reference = None,
    direction: Direction = None,
    vat: Vat = None,
    file: Rules = None,
) -> None:
    """Add a rule to bank-rules.toml in the project's folder; all that it says has to be so of a line.

    Example: acctcli bank rule add --text Kespro --account 4000 --vat 2/13.5
    """
    from acctcli.cli.account.chart import find_account
    from acctcli.cli.bank.rulebook import Written, add, facts

    here = state(ctx)
    written = Written(account, text or "", iban or "", reference or "", direction or "", vat or "")
    book, path = add(here, file, written, lambda: find_account(here, account, "--account"))
    here.say(f"{path} has {written.title} as its rule {len(book.rules)}; try it: acctcli bank rule test FILE")
    show_values(here, facts(book)[-1:], COLUMNS)


@rule.command("remove", cls=DeleteCommand)
def remove_rule(ctx: Context, number: Number, file: Rules = None) -> None:
    """Remove a rule; those behind it get other numbers.

    Example: acctcli bank rule remove 1 --yes
    """
    from acctcli.cli.bank.rulebook import remove

    here = state(ctx)
    removed = remove(here, file, number)
    show_ended(here, ("remove", "Removed"), f"rule {number}, {removed.title}", "removed", number=number)


@rule.command("test", cls=Command)
def try_rules(
    ctx: Context, files: Files, file: Rules = None, format: Format = None, profile: ProfileName = None
) -> None:
    """Show which rule would book which line of statements; nothing is posted, and what is open is not looked at.

    Example: acctcli bank rule test statement.xml
    """
    from acctcli.cli.bank.trying import rows_of

    here = state(ctx)
    show_values(here, rows_of(here, files, file, format, profile), TESTED)
