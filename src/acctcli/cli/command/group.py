"""How groups and lone commands are made, so that all behave alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import typer

from acctcli.cli.command.classes import Group
from acctcli.cli.completing.values import Shown

Context = typer.Context
Function = TypeVar("Function", bound=Callable[..., Any])


def new_group(help: str, shows: Shown = ()) -> typer.Typer:
    """Return an empty group of commands, which show records of the type named, such as "tag:Tag"."""
    return typer.Typer(
        cls=Group.showing(shows),
        help=help,
        no_args_is_help=True,
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
    )


def shows(shown: Shown) -> Callable[[Function], Function]:
    """Mark a command that shows other fields than its group's records have; `()` where they are not known."""

    def mark(function: Function) -> Function:
        function.shows = shown  # type: ignore[attr-defined]
        return function

    return mark
