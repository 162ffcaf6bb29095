"""The whole command tree, walked the way a command line walks it, so that lazy groups are loaded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from typer.core import TyperGroup, TyperOption

from acctcli.cli.command.classes import Command as OwnCommand
from acctcli.cli.command.typer_private import Command, Context
from acctcli.cli.root import PROGRAM, build


@dataclass(frozen=True)
class Found:
    """A command or group and the words that lead to it."""

    path: tuple[str, ...]
    command: Command

    @property
    def name(self) -> str:
        return " ".join(self.path)

    @property
    def verb(self) -> str:
        return self.path[-1]

    @property
    def is_group(self) -> bool:
        return isinstance(self.command, TyperGroup)

    @property
    def own(self) -> OwnCommand:
        """The command, which is one of this program's classes."""
        assert isinstance(self.command, OwnCommand)
        return self.command

    @property
    def examples(self) -> tuple[str, ...]:
        """The command lines that the help shows."""
        return self.own.example

    def options(self) -> dict[str, TyperOption]:
        """The options by each of their spellings, --no-… and short ones too."""
        found = [one for one in self.command.params if isinstance(one, TyperOption)]
        return {text: one for one in found for text in (*one.opts, *one.secondary_opts)}


def walk() -> list[Found]:
    """Return everything below the root, groups before what is in them."""
    root = build()
    return list(_below(root, Context(root, info_name=PROGRAM), ()))


def commands() -> list[Found]:
    """Return everything that runs."""
    return [one for one in walk() if not one.is_group]


def groups() -> list[Found]:
    """Return everything that holds commands."""
    return [one for one in walk() if one.is_group]


def _below(group: TyperGroup, context: Context, path: tuple[str, ...]) -> Iterator[Found]:
    for name in group.list_commands(context):
        _, command, rest = group.resolve_command(context, [name])
        assert command is not None
        assert rest == []
        yield Found((*path, name), command)
        if isinstance(command, TyperGroup):
            yield from _below(command, Context(command, info_name=name, parent=context), (*path, name))
