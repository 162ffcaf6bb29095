"""Bank statements: import their lines, each of them once, and prove the books by them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli.bank.options import ENTRIES, BankAccount, Files, Format, ProfileName, Rules, Statements
from acctcli.cli.bank.profile import profile
from acctcli.cli.bank.rule import rule
from acctcli.cli.command.classes import ActionCommand, CheckCommand, Command, Context, new_group, shows
from acctcli.cli.command.options import RANGE
from acctcli.cli.session.state import State, state

if TYPE_CHECKING:
    from acctcli.cli.bank.compared import Days

COLUMNS = ("file", "line", "identity", "date", "amount", "name", "status", "document", "reason")

app = new_group(__doc__)
app.add_typer(profile, name="profile")
app.add_typer(rule, name="rule")

PLAN = ("document", "identity", "date", "account", "amount", "text", "reason", "suggestions", "choice")
STATUS = ("account", "date", "opening", "closing", "books", "difference", "only_in_statement", "only_in_books")
RECONCILED = ("account", "to", "closing", "books", "record", "problem", "remedy")
CONFIRMED = ("file", "line", "payment", "purchase", "status", "date", "amount", "document", "reason")
MATCHED = ("document", "identity", "date", "amount", "text", "status", "reason")

MaybeFiles = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[FILE]...", allow_dash=True, help="Statements that the lines came from: they tell more."),
]
Reports = Annotated[
    list[Path],
    typer.Argument(metavar="FILE...", allow_dash=True, help="What the bank sent of payments, or `-` for stdin."),
]
Apply = Annotated[
    Path | None,
    typer.Option("--apply", metavar="FILE", help="Plan whose choices are made, one JSON object a line, or `-`."),
]
Contra = Annotated[
    str | None,
    typer.Option("--contra", metavar="NUMBER", help="Post against this account, instead of keeping drafts."),
]
Unproved = Annotated[
    bool, typer.Option("--unproved", help="Import also what has no balances, and cannot be proved to be whole.")
]
NoMatch = Annotated[
    bool, typer.Option("--no-match", help="Do not look for what lines are: keep all as drafts, or post to --contra.")
]
NoKeep = Annotated[
    bool, typer.Option("--no-keep", help="Do not keep the files with the books, by which these can be proved later.")
]

Again = Annotated[
    bool, typer.Option("--again", help="Post lines, too, that may be there under another name, as of another format.")
]
OpenDays = Annotated[
    bool, typer.Option("--open-days", help="Leave out lines on closed days, and end with 10; else nothing is posted.")
]


@app.command("import", cls=ActionCommand)
@shows(COLUMNS, rehearsed=ENTRIES)
def import_statements(
    ctx: Context,
    files: Files,
    account: BankAccount = None,
    contra: Contra = None,
    format: Format = None,
    profile: ProfileName = None,
    unproved: Unproved = False,
    no_match: NoMatch = False,
    rules: Rules = None,
    no_keep: NoKeep = False,
    again: Again = False,
    open_days: OpenDays = False,
) -> None:
    """Import statements in CAMT, MT940, TITO or CSV: each line once, posted as what it is, or kept as a draft.

    All files are read first, and proved by their balances; what does not prove is refused whole. Lines that can be
    nothing else are posted as payments, transfers, or by rules, each with its reason; the rest waits as drafts. What is
    there already is said, whoever imported it and from whatever file, so that after a stop the same command goes on;
    what may be there, told in another way, is left out, and the command ends with 10.
    The files are kept with the books, where `bank reconcile` finds them.

    Example: acctcli bank import statement.xml --account 1910 --yes
    """
    from acctcli.cli.bank.importing import Asked, import_all

    asked = Asked(account, contra, format, profile, unproved, not no_match, rules, not no_keep, again, open_days)
    import_all(state(ctx), files, asked, COLUMNS)


@app.command("confirm", cls=ActionCommand)
@shows(CONFIRMED)
def confirm_payments(ctx: Context, files: Reports) -> None:
    """Say of purchase invoices what the bank says of their payments: pain.002, and entries of camt.053, .052 and .054.

    What is paid is posted, and the invoice says so; what is rejected is free for another file, with the bank's reason.
    Run twice it does nothing twice, and `bank import` of the same payments finds them there. Ends with 10 where
    something is left to you.

    Example: acctcli bank confirm report.xml
    """
    from acctcli.cli.bank.confirming import confirm_all

    confirm_all(state(ctx), files, CONFIRMED)


@app.command("match", cls=ActionCommand)
@shows(MATCHED, rehearsed=ENTRIES)
def match_drafts(
    ctx: Context,
    files: MaybeFiles = None,
    account: BankAccount = None,
    format: Format = None,
    profile: ProfileName = None,
    rules: Rules = None,
) -> None:
    """Post lines that were kept as drafts as what they are: with what became open since, or rules that are new.

    A draft has one text of a line, and tells it by references, numbers, IBANs and rules; with the statement that has it
    names do so, too. What an earlier run began and did not end is ended first.

    Example: acctcli bank match --yes
    """
    from acctcli.cli.bank.treating import Asked, match_all

    match_all(state(ctx), Asked(files or (), account, format, profile, rules), MATCHED)


@app.command("review", cls=ActionCommand)
@shows(PLAN)
def review_drafts(
    ctx: Context,
    files: MaybeFiles = None,
    apply: Apply = None,
    account: BankAccount = None,
    format: Format = None,
    profile: ProfileName = None,
    rules: Rules = None,
) -> None:
    """Go through lines that are left as drafts: take a suggestion, an account, a split, attach a receipt, or skip.

    On a terminal it asks line by line, and may be left and gone on with at any time. With --json or --output jsonl it
    shows a plan: write what you choose into `choice`, and give it to --apply.

    Example: acctcli bank review --output jsonl --output-file plan.jsonl
    """
    from acctcli.cli.bank.reviewing import review_all
    from acctcli.cli.bank.treating import Asked

    review_all(state(ctx), Asked(files or (), account, format, profile, rules), apply, MATCHED)


@app.command("status", cls=Command.taking(*RANGE))
@shows(STATUS)
def show_status(
    ctx: Context,
    files: Statements = None,
    account: BankAccount = None,
    format: Format = None,
    profile: ProfileName = None,
) -> None:
    """Compare the books with statements, day by day: balances, and what stands on one side only.

    There is a row for each account and each day on which anything moved; the first that differs is named. A line of a
    statement is found in the books by its tag. Drafts are in no balance. Without files it is about those that imports
    have kept with the books.

    Example: acctcli bank status statement.xml --account 1910
    """
    from acctcli.cli.bank import status
    from acctcli.cli.bank.compared import Asked, compare_all

    here = state(ctx)
    some = compare_all(here, Asked(files or (), account, format, profile, _days(here)))
    status.show_status(here, some, STATUS)


@app.command("reconcile", cls=CheckCommand.taking(*RANGE))
@shows(RECONCILED)
def reconcile(
    ctx: Context,
    files: Statements = None,
    account: BankAccount = None,
    format: Format = None,
    profile: ProfileName = None,
) -> None:
    """Prove that the books have what the bank says of a period, to the cent, or name what differs; that is exit 10.

    Proved is an account whose statements cover the period without a gap, begin and end with what the books hold on
    these days, and have every document that moves it. Without a period it is about all days of the statements, without
    files about those that imports have kept with the books. --output junit is for CI.

    Example: acctcli bank reconcile march.xml --account 1920 --period 2026-03
    """
    from acctcli.cli.bank import reconciling
    from acctcli.cli.bank.compared import Asked, compare_all

    here = state(ctx)
    asked = Asked(files or (), account, format, profile, _days(here))
    reconciling.reconcile(here, compare_all(here, asked), asked.days, RECONCILED)


def _days(here: State) -> Days | None:
    """Take the days out of the fields; None where none are named."""
    from acctcli.cli.report.spans import choose_spans

    period, first, last = (here.named.pop(name, None) for name in ("period", "from", "to"))
    if period is None and first is None and last is None:
        return None
    [span] = choose_spans([period] if period else None, first, last, here.today)
    return span.first, span.last
