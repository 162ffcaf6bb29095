"""Values for the shell's completion: fast, silent, and never from the network."""

from __future__ import annotations

from typer._click.core import Context  # at run time: Typer evaluates the annotations


def environments(ctx: Context, args: list[str], incomplete: str) -> list[str]:
    """Complete names of environments from the settings."""
    from acctcli.settings import Settings

    return _starting(Settings.load().environment_names(), incomplete)


def businesses(ctx: Context, args: list[str], incomplete: str) -> list[str]:
    """Complete slugs of businesses seen before in the chosen environment."""
    from acctcli.cli import _slugs

    return _starting(_slugs.remembered(ctx.params.get("env")), incomplete)


def columns(ctx: Context, args: list[str], incomplete: str) -> list[str]:
    """Complete the last of several comma-separated field names of the record that the command shows."""
    done, comma, last = incomplete.rpartition(",")
    given = done.split(",")
    names = [name for name in fields(ctx) if name not in given]
    return [f"{done}{comma}{name}" for name in _starting(names, last)]


def fields(ctx: Context) -> tuple[str, ...]:
    """Return the names of the fields of the record that a command shows; none where they are not known here."""
    group = ctx.parent.info_name if ctx.parent else None
    match group, ctx.info_name:
        case "document", "entries":
            from acctcli.cli.document import ENTRY_COLUMNS

            return ENTRY_COLUMNS
        case "report", "journal":
            from acctcli.cli.report import JOURNAL_COLUMNS

            return JOURNAL_COLUMNS
        case "identifier", _:
            return ("id", "type", "value")
        case _:
            from acctcli.models.fields import FIELDS

            return FIELDS.get(group or "", ())


def shells(ctx: Context, args: list[str], incomplete: str) -> list[str]:
    """Complete names of shells."""
    from acctcli.cli._shells import SCRIPTS

    return _starting(list(SCRIPTS), incomplete)


def _starting(names: list[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
