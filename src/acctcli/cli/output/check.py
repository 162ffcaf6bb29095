"""Whether what a command is going to show can be shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from acctcli.cli.output.formats import FORMATS
from acctcli.cli.session.state import State
from acctcli.errors import UsageError


def check_output(here: State, known: Sequence[str] = ()) -> None:
    """Refuse what could not be shown, before anything is sent; a write that is done cannot be refused any more.

    `known` are the fields that a write's reply has; empty where only the reply can tell.
    """
    options = here.options
    form = here.format  # raises where formats exclude each other
    if library := FORMATS[form].library:
        _check_binary(here, form, library)
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


def require_library(module: str, option: str, extra: str) -> None:
    """Raise UsageError where what an option needs is not installed; `extra` brings it."""
    if find_spec(module) is None:
        hint = f"install it with: pip install 'acctcli[{extra}]'"
        raise UsageError(f"{option} needs {module}, which is not installed", hint=hint)


def _check_binary(here: State, form: str, library: str) -> None:
    require_library(library, f"--output {form}", "reports")
    if here.options.output_file is None and os.isatty(sys.stdout.fileno()):
        raise UsageError(
            f"--output {form} is no text for a terminal", hint=f"write it with --output-file FILE.{form}, or pipe it"
        )
