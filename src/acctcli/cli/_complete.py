"""Values for the shell's completion: fast, silent, and never from the network."""

from __future__ import annotations

from importlib import import_module

from typer._click.core import Context  # at run time: Typer evaluates the annotations

# group and command of what shows other fields than the group's records -> module and name of its columns
_OWN_COLUMNS = {
    ("account", "statement"): ("acctcli.cli.account", "STATEMENT_COLUMNS"),
    ("business", "permissions"): ("acctcli.cli.business", "PERMISSION_COLUMNS"),
    ("document", "entries"): ("acctcli.cli.document", "ENTRY_COLUMNS"),
    ("file", "download"): ("acctcli.cli.file", "SAVED"),
    ("relation", "preview"): ("acctcli.cli._document_relations", "SUGGESTION_COLUMNS"),
    ("relation", "suggestions"): ("acctcli.cli._document_relations", "SUGGESTION_COLUMNS"),
    ("vat", "calendar"): ("acctcli.cli._vat_calendar", "COLUMNS"),
    ("vat", "recapitulative"): ("acctcli.cli._vat_recapitulative", "COLUMNS"),
    ("vat", "return"): ("acctcli.cli._vat_return", "COLUMNS"),
}
_UNKNOWN = {("document", "suggestions"), ("document", "suggest-attachments")}


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
    group, command = (ctx.parent and ctx.parent.info_name) or "", ctx.info_name or ""
    if (group, command) in _UNKNOWN:
        return ()
    if group == "report":
        from acctcli.cli.report import COLUMNS

        return COLUMNS.get(command, ())
    if place := _OWN_COLUMNS.get((group, command)):
        module, name = place
        own: tuple[str, ...] = getattr(import_module(module), name)
        return own
    from acctcli.models.fields import FIELDS

    return FIELDS.get("vat_period" if _is_below_vat(ctx) else group, ())


def _is_below_vat(ctx: Context) -> bool:
    """Whether the group is one of `vat`: its periods are not those of accounting."""
    return ctx.parent is not None and ctx.parent.parent is not None and ctx.parent.parent.info_name == "vat"


def shells(ctx: Context, args: list[str], incomplete: str) -> list[str]:
    """Complete names of shells."""
    from acctcli.cli._shells import SCRIPTS

    return _starting(list(SCRIPTS), incomplete)


def _starting(names: list[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
