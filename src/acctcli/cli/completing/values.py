"""Values for the shell's completion: fast, silent, and never from the network."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from acctcli.cli.command.typer_private import Context  # at run time: Typer evaluates the annotations

Complete = Callable[[str], list[str]]
# what a command shows: names of fields, or a type of replies as `module:Type`, with what is made for people as
# `module:Type+field,field`
Shown = tuple[str, ...] | str


def environments(ctx: Context, args: list[str], incomplete: str) -> list[str]:
    """Complete names of environments from the settings."""
    from acctcli.settings import Settings

    return _starting(Settings.load().environment_names(), incomplete)


def businesses(ctx: Context, args: list[str], incomplete: str) -> list[str]:
    """Complete slugs of businesses seen before in the chosen environment."""
    from acctcli.cli.completing import slugs

    return _starting(slugs.remembered(ctx.params.get("env")), incomplete)


def accounts(ctx: Context, args: list[str], incomplete: str) -> list[tuple[str, str]]:
    """Complete numbers of accounts, with their names, of the chart that a command read last."""
    from acctcli.cli.completing.kept import ACCOUNTS, beginning_with

    return beginning_with(ctx, ACCOUNTS, incomplete)


def contacts(ctx: Context, args: list[str], incomplete: str) -> list[tuple[str, str]]:
    """Complete ids and names of the contacts that lists have shown."""
    from acctcli.cli.completing.kept import CONTACTS, beginning_with

    return beginning_with(ctx, CONTACTS, incomplete)


def columns(ctx: Context, args: list[str], incomplete: str) -> list[str]:
    """Complete the last of several comma-separated field names of the record that the command shows."""
    done, comma, last = incomplete.rpartition(",")
    given = done.split(",")
    names = [name for name in fields(ctx) if name not in given]
    return [f"{done}{comma}{name}" for name in _starting(names, last)]


def fields(ctx: Context) -> tuple[str, ...]:
    """Return the names of the fields that a command shows: its own if it is marked, else those of its group's records.

    None where they are not known here; in the table of a rehearsal its own, where it has some.
    """
    rehearsed: tuple[str, ...] = getattr(ctx.command.callback, "rehearsed", ())
    if rehearsed and ctx.obj is not None and ctx.obj.options.dry_run and ctx.obj.format == "table":
        return rehearsed
    group = ctx.parent.command if ctx.parent else None
    shown: Shown = getattr(ctx.command.callback, "shows", getattr(group, "shows", ()))
    if isinstance(shown, tuple):
        return shown
    from acctcli.models.fields import fields_of

    type_, _, made = shown.partition("+")
    return (*fields_of(type_), *filter(None, made.split(",")))


def shells(ctx: Context, args: list[str], incomplete: str) -> list[str]:
    """Complete names of shells."""
    from acctcli.cli.completing.shells import SCRIPTS

    return _starting(list(SCRIPTS), incomplete)


def charts(incomplete: str) -> list[str]:
    """Complete names of the charts of accounts that there is a choice of, in small letters where some are typed."""
    from acctcli import law

    names = [one.name for country in law.countries() for one in country.charts if one.name]
    return _starting([name.lower() if incomplete.islower() else name for name in names], incomplete)


def one_of(names: Iterable[str]) -> Complete:
    """Return what completes one of a few names."""
    return lambda incomplete: _starting(list(names), incomplete)


def value_of(enum: str) -> Complete:
    """Return what completes a value of a set of `acctcli.models.enums`, imported when it is asked."""

    def complete(incomplete: str) -> list[str]:
        from acctcli.models import enums

        return _starting([one.value for one in getattr(enums, enum)], incomplete)

    return complete


def _starting(names: list[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
