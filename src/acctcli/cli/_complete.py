"""Values for the shell's completion: fast, silent, and never from the network."""

from __future__ import annotations

from typer import Context  # at run time: Typer evaluates the annotations


def environments(incomplete: str) -> list[str]:
    """Complete names of environments from the settings."""
    from acctcli.errors import AcctcliError
    from acctcli.settings import Settings

    try:
        names = Settings.load().environment_names()
    except (AcctcliError, OSError):
        return []
    return _starting(names, incomplete)


def businesses(ctx: Context, incomplete: str) -> list[str]:
    """Complete slugs of businesses seen before in the chosen environment."""
    from acctcli.cli import _slugs
    from acctcli.errors import AcctcliError

    try:
        return _starting(_slugs.remembered(ctx.params.get("env")), incomplete)
    except (AcctcliError, OSError):
        return []


def columns(ctx: Context, incomplete: str) -> list[str]:
    """Complete the last of several comma-separated field names of the group's record."""
    from acctcli.models.fields import FIELDS

    group = ctx.parent.info_name if ctx.parent else None
    done, comma, last = incomplete.rpartition(",")
    return [f"{done}{comma}{name}" for name in _starting(list(FIELDS.get(group or "", ())), last)]


def _starting(names: list[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
