"""Options that many commands share: declared once, with one help text, and grouped in the help.

A command picks its set by its class (`cls=ListCommand`); the values arrive in `State.options`, so that a
command's own signature holds only what is its own. So do, in `State.named`, the values of fields that several
commands take: `cls=CreateCommand.taking(*FIELDS)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.models import TyperPath

from acctcli.cli.command.called import look_up_all
from acctcli.cli.command.options import LONGEST, Field, Make, Seconds, name_options, option
from acctcli.cli.command.spoken import what_is_meant
from acctcli.cli.command.typer_private import Command as BaseCommand
from acctcli.cli.command.typer_private import Context as ClickContext
from acctcli.cli.command.typer_private import HelpFormatter, Parameter, TyperChoice, types
from acctcli.cli.completing import values
from acctcli.cli.completing.values import Shown
from acctcli.cli.output.formats import CHECKS, COMMANDS, LISTS, REPORTS, offered
from acctcli.cli.session.options import Options
from acctcli.client.messages import Planned
from acctcli.errors import NotWritten, ServiceError, UsageError

if TYPE_CHECKING:
    from acctcli.cli.session.state import State

Context = typer.Context
# where the contexts of one command line have it
LINE = "acctcli.line"


@dataclass
class CommandLine:
    """A command line: the words it was typed with, and the state of the command that they name."""

    words: Sequence[str] = ()
    here: State | None = None


ALL_HELP = "--help-all"
# what every command takes, and help names in a line
COMMON = ("Output", "Connection")
Function = TypeVar("Function", bound=Callable[..., Any])


CONNECTION: tuple[Make, ...] = (
    option(
        "--env",
        type=types.STRING,
        metavar="NAME",
        complete=values.environments,
        help="Environment to talk to: local, testing, production or your own.",
    ),
    option(
        "--business",
        type=types.STRING,
        metavar="SLUG",
        complete=values.businesses,
        help="Business to work in; the default is set by `acctcli business use`.",
    ),
    option(
        "--timeout",
        type=Seconds(min=0.1, max=LONGEST),
        metavar="SECONDS",
        help="Longest time for one request with all its retries (120).",
    ),
    option(
        "--ca-file",
        type=TyperPath(exists=True, dir_okay=False, path_type=Path),
        metavar="PATH",
        help="Trust the certificates in this PEM file instead of the system's.",
    ),
    option("--scoped", help="Let no token out but one of an hour for the business."),
    option("--quiet", "-q", help="Say nothing on stderr but errors."),
    option("--verbose", "-v", help="Say on stderr what is requested and how it ends."),
    option("--debug", help="Also show headers and bodies, without secrets, and tracebacks."),
)


def _format(by: int) -> Make:
    *names, last = offered(COMMANDS)
    lists, reports = (offered(kind)[len(names) + 1 :] for kind in (LISTS, REPORTS))
    told = f"{', '.join(names)} or {last} (table); lists also {', '.join(lists)}, "
    told += f"reports {', '.join(reports[:-1])} and {reports[-1]}, check junit."
    return option("--output", "-o", type=TyperChoice(offered(by)), metavar="FORMAT", help=told)


OUTPUT: tuple[Make, ...] = (
    _format(COMMANDS),
    option("--json", help="The same as --output json."),
    option(
        "--columns",
        type=types.STRING,
        metavar="A,B.C",
        complete=values.columns,
        help="Fields to show, in this order; `all` for every field.",
    ),
    option("--jq", type=types.STRING, metavar="EXPR", help="Filter the JSON with a jq expression."),
    option(
        "--output-file",
        type=TyperPath(dir_okay=False, path_type=Path),
        metavar="PATH",
        help="Write to this file, whole or not at all, instead of stdout.",
    ),
    option("--raw-csv", help="Leave text alone that a spreadsheet would run as a formula."),
)
LISTING: tuple[Make, ...] = (
    option("--limit", type=types.IntRange(min=1), metavar="N", help="Show at most N rows (50)."),
    option("--all", help="Show every row, or fail."),
    option("--page-size", type=types.IntRange(min=1), metavar="N", help="Rows to ask for at a time (200)."),
)
SINCE: tuple[Make, ...] = (
    option(
        "--since",
        type=TyperPath(dir_okay=False, path_type=Path),
        metavar="STATE-FILE",
        help="Every row that is new or changed since the last time with this file; deleted ones are not told.",
    ),
)
BODY: tuple[Make, ...] = (
    option(
        "--file",
        "-f",
        type=types.STRING,
        metavar="FILE",
        help="Read the body from a JSON file, `-` for stdin.",
    ),
    option(
        "--set",
        type=types.STRING,
        multiple=True,
        metavar="FIELD=VALUE",
        help="Set one field; `a.b=1` for nested ones, `=null` for null. Repeatable.",
    ),
)
KEY: tuple[Make, ...] = (
    option(
        "--idempotency-key",
        type=types.STRING,
        metavar="KEY",
        help="Name of this intent: repeating it with the same key within 24 hours does nothing twice.",
    ),
)
DRY_RUN: tuple[Make, ...] = (option("--dry-run", help="Print the request and send nothing."),)
CONFIRM: tuple[Make, ...] = (
    option("--yes", "-y", help="Do not ask; without a terminal, what writes to production needs it."),
)

LONGEST_KEY = 255
_NAMES = {field.name for field in fields(Options)}


def _check_key(key: str | None) -> None:
    """Raise UsageError for a key that no header takes as it is (docs/interface.md 1.6)."""
    if key is not None and (
        not 1 <= len(key) <= LONGEST_KEY or not (key.isascii() and key.isprintable()) or key != key.strip()
    ):
        raise UsageError(
            f"--idempotency-key takes 1 to {LONGEST_KEY} ASCII characters without blanks around them",
            hint="write it without letters such as ö, or leave it out: each command makes one of its own",
        )


class Command(TyperCommand):
    """A command with the options every command has: where to, and how to show it."""

    shared: ClassVar[dict[str, tuple[Make, ...]]] = {"Output": OUTPUT, "Connection": CONNECTION}
    fields: ClassVar[tuple[Field, ...]] = ()
    model: ClassVar[str] = ""
    # whether what is written is shown as a record, whose fields --columns may name
    leaves_a_record: ClassVar[bool] = False

    @classmethod
    def taking(cls, *fields: Field, model: str = "") -> type[Command]:
        """Return this class of commands with options for fields; the values arrive in `State.named`.

        `model` is where `acctcli.models` has the request that they are fields of, such as `tag:TagRequest`.
        """
        return type(cls.__name__, (cls,), {"fields": fields, "model": model})

    def __init__(self, name: str | None, **given: Any) -> None:
        given["help"], _, example = (given.get("help") or "").partition("\n\nExample:")
        self.example = tuple(line.strip() for line in example.splitlines() if line.strip())
        given["params"] = [*(given.get("params") or ()), *(one.make() for one in self.fields)]
        own = {text for parameter in given["params"] for text in parameter.opts}
        self.sections: dict[str, list[TyperOption]] = {
            title: [made for make in makes if not own.intersection((made := make()).opts)]
            for title, makes in self.shared.items()
        }
        given["params"] += [made for options in self.sections.values() for made in options]
        given["context_settings"] = {"help_option_names": ["-h", "--help", ALL_HELP]}
        super().__init__(name, **given)

    def parse_args(self, ctx: ClickContext, args: list[str]) -> list[str]:
        """Refuse a token among the words, before anything is made of them."""
        from acctcli.client.known import token_among

        if (name := token_among(args)) is not None:
            token, other_way = (f"the token of {name}", f", {name} is read anyway") if name else ("a token", "")
            raise UsageError(
                f"{token} stands among the arguments: others can read it in the list of processes",
                hint=f"leave it out{other_way}; make a new token, as this one has been seen",
            )
        return super().parse_args(ctx, args)

    def invoke(self, ctx: ClickContext) -> Any:
        """Move the shared values out of the command's own arguments, into the state."""
        from acctcli.cli.output.check import check_output
        from acctcli.cli.session.state import State

        shared = {option.name for options in self.sections.values() for option in options}
        given = {name: ctx.params.pop(name) for name in shared & _NAMES if name is not None}
        given["set"] = tuple(given.get("set") or ())
        _check_key(given.get("idempotency_key"))
        line: CommandLine = ctx.meta.setdefault(LINE, CommandLine())
        ctx.obj = line.here = here = State(Options(**given), words=line.words, takes_key="idempotency_key" in given)
        try:
            check_output(here, values.fields(ctx) if self.leaves_a_record and here.options.columns else ())
            look_up_all(here, self.params, ctx.params)
            here.named |= {one.wire: value for one in self.fields if (value := one.take(ctx)) is not None}
            return super().invoke(ctx)
        except Planned as planned:
            from acctcli.cli.output.show import show_plan

            show_plan(here, planned)
        except ServiceError as problem:
            name_options(problem, self.fields)
            raise
        except UsageError as problem:
            name_options(problem, self.fields)
            if here.writes is None or not here.writes.any_done:
                raise
            # exit 2 would mean that nothing was sent
            raise NotWritten(f"it was done, but cannot be shown: {problem.message}", hint=problem.hint) from problem
        finally:
            here.close()

    def get_help_option(self, ctx: ClickContext) -> Any:
        """Say which of its names tells more."""
        if (made := super().get_help_option(ctx)) is not None:
            made.help = f"Show this message; {ALL_HELP} tells the common options, too."
        return made

    def format_epilog(self, ctx: ClickContext, formatter: HelpFormatter) -> None:
        """Print the example as it is typed, never folded."""
        with formatter.section("Example"):
            for line in self.example:
                formatter.write(f"{'':>{formatter.current_indent}}{line}\n")

    def format_options(self, ctx: ClickContext, formatter: HelpFormatter) -> None:
        """Print the command's own options first, then the shared ones by section."""
        shared = {id(option) for options in self.sections.values() for option in options}
        own = [parameter for parameter in self.get_params(ctx) if id(parameter) not in shared]
        arguments = [parameter for parameter in own if parameter.param_type_name == "argument"]
        _write_section(ctx, formatter, "Arguments", arguments)
        _write_section(ctx, formatter, "Options", [one for one in own if one not in arguments])
        is_whole = ALL_HELP in ctx.meta.get(LINE, CommandLine()).words
        for title, options in self.sections.items():
            if is_whole or title not in COMMON:
                _write_section(ctx, formatter, title, list(options))
        if not is_whole:
            with formatter.section("Common options"):
                names = (option.opts[0] for title in COMMON for option in self.sections.get(title, ()))
                formatter.write_text(f"{', '.join(names)}. See: {ctx.command_path} {ALL_HELP}")


class ReportCommand(Command):
    """A command that shows a report, for people also on paper, on a page, or in a workbook."""

    shared: ClassVar = {**Command.shared, "Output": (_format(REPORTS), *OUTPUT[1:])}


class CheckCommand(Command):
    """A command that looks for faults, for CI too."""

    shared: ClassVar = {**Command.shared, "Output": (_format(CHECKS), *OUTPUT[1:])}


class ListCommand(Command):
    """A command that shows rows."""

    shared: ClassVar = {"Rows": LISTING, **Command.shared, "Output": (_format(LISTS), *OUTPUT[1:])}


class ExportCommand(ListCommand):
    """A command that shows rows, and can tell which of them have changed."""

    shared: ClassVar = {**ListCommand.shared, "Rows": (*LISTING, *SINCE)}


class RehearsedCommand(Command):
    """A command that writes, and may only tell what it would do."""

    shared: ClassVar = {"Request": (*CONFIRM, *DRY_RUN), **Command.shared}
    leaves_a_record = True


class CreateCommand(RehearsedCommand):
    """A command that sends a new record."""

    shared: ClassVar = {"Body": (*BODY, *KEY, *DRY_RUN, *CONFIRM), **Command.shared}


class UpdateCommand(RehearsedCommand):
    """A command that changes a record."""

    shared: ClassVar = {"Body": (*BODY, *DRY_RUN, *CONFIRM), **Command.shared}


class ActionCommand(RehearsedCommand):
    """A command that does something to a record."""

    shared: ClassVar = {"Request": (*KEY, *DRY_RUN, *CONFIRM), **Command.shared}


class DeleteCommand(RehearsedCommand):
    """A command that cannot be taken back."""

    leaves_a_record = False


class ResumeCommand(Command):
    """A command that goes on with what was cut off."""

    shared: ClassVar = {"Request": CONFIRM, **Command.shared}


class ApiCommand(Command):
    """The command that sends anything: it may write, page, and delete."""

    shared: ClassVar = {
        "Rows": (LISTING[2],),
        "Request": (*KEY, *CONFIRM, *DRY_RUN),
        **Command.shared,
    }


class Group(TyperGroup):
    """A group of commands; without a command it shows its help and fails with exit 2."""

    shows: ClassVar[Shown] = ()

    @classmethod
    def showing(cls, shown: Shown) -> type[Group]:
        """Return this class of groups for commands that show records of a type."""
        return type(cls.__name__, (cls,), {"shows": shown})

    def __init__(self, **given: Any) -> None:
        given["context_settings"] = {"help_option_names": ["-h", "--help"]}
        super().__init__(**given)

    def resolve_command(self, ctx: ClickContext, args: list[str]) -> tuple[str | None, BaseCommand | None, list[str]]:
        """Name what is meant where there is no command of that name."""
        names = self.list_commands(ctx)
        is_root = ctx.parent is None
        # a completion goes on behind what may be a command of another version
        if args[0] not in names and not args[0].startswith("-") and (is_root or not ctx.resilient_parsing):
            hint = what_is_meant(args[0], names, ctx.command_path, is_root=is_root)
            raise UsageError(f"there is no command {args[0]!r}", hint=hint)
        return super().resolve_command(ctx, args)


def new_group(help: str | None, shows: Shown = ()) -> typer.Typer:
    """Return an empty group of commands, which show records of the type named, such as "tag:Tag".

    The help of a group below the root is the docstring of its module: the help of the root shows its first line.
    """
    return typer.Typer(
        cls=Group.showing(shows),
        help=help,
        no_args_is_help=True,
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
    )


def shows(shown: Shown, rehearsed: tuple[str, ...] = ()) -> Callable[[Function], Function]:
    """Mark a command that shows other fields than its group's records have, or in a rehearsal; `()` if not known."""

    def mark(function: Function) -> Function:
        function.shows, function.rehearsed = shown, rehearsed  # type: ignore[attr-defined]
        return function

    return mark


def _write_section(ctx: ClickContext, formatter: HelpFormatter, title: str, parameters: list[Parameter]) -> None:
    records = [record for one in parameters if (record := one.get_help_record(ctx)) is not None]
    if records:
        with formatter.section(title):
            formatter.write_dl(records)
