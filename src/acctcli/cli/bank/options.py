"""Options that commands about statements share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from acctcli.banking.statements import FORMATS
from acctcli.cli.completing.values import one_of

# the columns of the table that a rehearsal shows
ENTRIES = ("date", "account", "debit", "credit", "text", "reason")

Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", allow_dash=True, help="Statements of a bank, or `-` for stdin.")
]
Statements = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[FILE]...", allow_dash=True, help="Statements of a bank; else those kept with the books."),
]
BankAccount = Annotated[
    str | None,
    typer.Option(
        "--account", metavar="NUMBER", help="Bank account in the chart; else the one whose description holds the IBAN."
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        autocompletion=one_of(FORMATS),
        help=f"Format of the files, instead of telling it by their content: {', '.join(FORMATS)}.",
    ),
]
ProfileName = Annotated[
    str | None, typer.Option("--profile", metavar="NAME", help="Profile that says how the bank writes CSV.")
]
Rules = Annotated[
    Path | None,
    typer.Option("--rules", metavar="FILE", help="Rules, instead of bank-rules.toml in the project's folder."),
]
