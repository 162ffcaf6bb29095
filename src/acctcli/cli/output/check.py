"""Whether what a command is going to show can be shown."""

from __future__ import annotations

from collections.abc import Sequence

from acctcli.cli.session.state import State
from acctcli.errors import UsageError


def check_output(here: State, known: Sequence[str] = ()) -> None:
    """Refuse what could not be shown, before anything is sent; a write that is done cannot be refused any more.

    `known` are the fields that a write's reply has; empty where only the reply can tell.
    """
    options = here.options
    _ = here.format  # which raises where formats exclude each other
    if options.jq is not None:
        from acctcli.cli.output.jq import Filter

        if options.columns is not None:
            raise UsageError("--columns and --jq exclude each other: let the expression pick the fields")
        Filter(options.jq)
    if options.columns is not None:
        from acctcli.cli.output.columns import ALL, check_known, parse_columns

        names = parse_columns(options.columns, ())
        if known and names != (ALL,):
            check_known(names, known)
    if options.output_file is not None:
        from acctcli.cli.output import sink

        sink.check(options.output_file)
