"""Profiles of banks' CSV: list and show them, and propose one from a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli.command.classes import Command, Context, new_group
from acctcli.cli.output.show import show_text, show_values
from acctcli.cli.session.state import State, state

if TYPE_CHECKING:
    from acctcli.banking.statements.profile import Profile

COLUMNS = ("name", "title", "delimiter", "day", "is_proved", "own")

profile = new_group("Profiles of banks' CSV: list and show them, and propose one from a file.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the profile, as it is listed.")]
NewName = Annotated[str, typer.Argument(metavar="NAME", help="Name of the new profile: letters, digits and dashes.")]
From = Annotated[Path, typer.Option("--from", metavar="FILE", help="A CSV file of the bank.")]
Day = Annotated[
    str | None, typer.Option("--day", metavar="FORMAT", help="How days are written, such as %d/%m/%Y, where two fit.")
]


@profile.command("list", cls=Command)
def list_profiles(ctx: Context) -> None:
    """List the profiles, those that came along and your own.

    Example: acctcli bank profile list
    """
    from acctcli.cli.bank.profiles import own_folder, profiles

    here = state(ctx)
    own = own_folder(here)
    rows = [{**_facts(name, found), "own": (own / f"{name}.toml").is_file()} for name, found in profiles(here).items()]
    show_values(here, rows, COLUMNS)


@profile.command("show", cls=Command)
def show_profile(ctx: Context, name: Name) -> None:
    """Show a profile as it is written, to be copied and changed.

    Example: acctcli bank profile show op
    """
    from acctcli.cli.bank.profiles import profile_named, written

    here = state(ctx)
    found = profile_named(here, name)
    show_text(here, written(found), **_facts(name, found), profile=_plain(found))


@profile.command("create", cls=Command)
def create_profile(ctx: Context, name: NewName, source: From, day: Day = None) -> None:
    """Propose a profile from a CSV file, and keep it among your settings: read it before you use it.

    Example: acctcli bank profile create mybank --from export.csv
    """
    from acctcli.cli.bank.profiles import create

    here = state(ctx)
    found, path = create(here, name, source, day)
    _say(here, path, found)
    show_text(here, _written(found), **_facts(name, found), path=str(path), profile=_plain(found))


def _say(here: State, path: Path, found: Profile) -> None:
    proves = "has balances, which prove files" if found.columns.balance else "has no balances: it needs --unproved"
    here.say(f"proposed as {path}: read it, and mend what is wrong; it {proves}")


def _written(found: Profile) -> str:
    from acctcli.cli.bank.profiles import written

    return written(found)


def _plain(found: Profile) -> object:
    import msgspec

    return msgspec.to_builtins(found)


def _facts(name: str, found: Profile) -> dict[str, object]:
    return {
        "name": name,
        "title": found.title,
        "delimiter": found.delimiter,
        "day": found.day,
        "is_proved": bool(found.columns.balance),
    }
