"""Values for the shell's completion: fast, silent, and never from the network."""

from __future__ import annotations

from typer._click.core import Context  # at run time: Typer evaluates the annotations


def environments(ctx: Context, args: list[str], incomplete: str) -> list[str]:
    """Complete names of environments from the settings."""
    from acctcli.settings import Settings

    return _starting(Settings.load().environment_names(), incomplete)


def businesses(ctx: Context, args: list[str], incomplete: str) -> list[str]:
    """Complete slugs of businesses seen before in the chosen environment."""
    from acctcli.cli.completing import slugs

    return _starting(slugs.remembered(ctx.params.get("env")), incomplete)


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
        case "account", "statement":
            from acctcli.cli.account import STATEMENT_COLUMNS

            return STATEMENT_COLUMNS
        case "document", "suggestions" | "suggest-attachments":
            return ()
        case "relation", "suggestions" | "preview":
            from acctcli.cli.documents.relations import SUGGESTION_COLUMNS

            return SUGGESTION_COLUMNS
        case "report", report:
            from acctcli.cli.report import COLUMNS

            return COLUMNS.get(report or "", ())
        case "business", "permissions":
            from acctcli.cli.business import PERMISSION_COLUMNS

            return PERMISSION_COLUMNS
        case "file", "download":
            from acctcli.cli.file import SAVED

            return SAVED
        case "identifier", _:
            return ("id", "type", "value")
        case "period", _ if ctx.parent and ctx.parent.parent and ctx.parent.parent.info_name == "vat":
            from acctcli.models.fields import FIELDS

            return FIELDS["vat_period"]
        case _:
            from acctcli.models.fields import FIELDS

            return FIELDS.get(group or "", ())


def shells(ctx: Context, args: list[str], incomplete: str) -> list[str]:
    """Complete names of shells."""
    from acctcli.cli.completing.shells import SCRIPTS

    return _starting(list(SCRIPTS), incomplete)


def _starting(names: list[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
