"""What Typer keeps under private names, its own copy of Click above all.

This file alone imports them: when another Typer moves one, this is what has to change.
"""

from __future__ import annotations

from typer._click import types
from typer._click.core import Command, Context, Parameter
from typer._click.exceptions import ClickException, NoArgsIsHelpError, UsageError
from typer._click.formatting import HelpFormatter
from typer._click.shell_completion import CompletionItem, _resolve_context, _resolve_incomplete
from typer._types import TyperChoice

resolve_context, resolve_incomplete = _resolve_context, _resolve_incomplete

__all__ = [
    "ClickException",
    "Command",
    "CompletionItem",
    "Context",
    "HelpFormatter",
    "NoArgsIsHelpError",
    "Parameter",
    "TyperChoice",
    "UsageError",
    "resolve_context",
    "resolve_incomplete",
    "types",
]
