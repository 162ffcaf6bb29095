"""The root of the command tree: groups load when their name is typed; all errors end here."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from acctcli.cli.command.classes import LINE, CommandLine, Group
from acctcli.cli.command.spoken import in_a_sentence
from acctcli.cli.command.typer_private import (
    ClickException,
    CompletionItem,
    Context,
    HelpFormatter,
    NoArgsIsHelpError,
)
from acctcli.cli.command.typer_private import Command as BaseCommand
from acctcli.cli.command.typer_private import UsageError as ClickUsageError
from acctcli.cli.output.stderr import let_go, report, tell, tell_doubt
from acctcli.errors import UNWRITABLE, AcctcliError, Interrupted, NotWritten, ServerFault, Stopped, TooDeep, UsageError

if TYPE_CHECKING:
    from acctcli.cli.session.state import State

PROGRAM = "acctcli"
COMPLETE = "_ACCTCLI_COMPLETE"
FOLDER = Path(__file__).parent
# modules here that are no group; packages that are none have no module of commands
FRAME = {"__init__", "root"}
# what is no group of commands, but one command
ALONE = {"api", "check", "resume", "start", "tour", "view"}

EXIT_CODES = """Exit codes:
  0 done                        6 not found
  1 internal fault, full disk   7 rejected as invalid (400, 422)
  2 usage or invalid input      8 conflict, precondition or lock (409, 412, 423)
  3 network                     9 server fault or throttled (5xx, 429)
  4 not authenticated          10 incomplete result
  5 forbidden                 130 interrupted
"""


@cache
def files() -> dict[str, Path]:
    """Return the file of each group and lone command, in the order of the help: `NAME.py` or `NAME/commands.py`."""
    paths = [path for path in FOLDER.iterdir() if path.suffix in ("", ".py") and path.stem not in FRAME]
    found = {path.stem: path if path.suffix else path / "commands.py" for path in sorted(paths)}
    return {name: path for name, path in found.items() if path.is_file()}


def summary(name: str) -> str:
    """Return the one line of help of a name, which its file begins with; nothing is imported for it."""
    with files()[name].open(encoding="utf-8") as file:
        return file.readline().strip().strip('"')


class RootGroup(Group):
    """The top level: knows every name and its help without importing anything."""

    def list_commands(self, ctx: Context) -> list[str]:
        """Return the names in the order of the help."""
        return list(files())

    def get_command(self, ctx: Context, cmd_name: str) -> BaseCommand | None:
        """Import the module behind a name, once its name was typed."""
        if cmd_name not in files():
            return None
        if cmd_name not in self.commands:
            self.commands[cmd_name] = load(cmd_name)
        return self.commands[cmd_name]

    def shell_complete(self, ctx: Context, incomplete: str) -> list[CompletionItem]:
        """Offer the names without importing what is behind them."""
        if incomplete.startswith("-"):
            return BaseCommand.shell_complete(self, ctx, incomplete)
        return [CompletionItem(name, help=summary(name)) for name in files() if name.startswith(incomplete)]

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Print the names and their lines of help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary(name)) for name in files()])

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Print the exit codes."""
        formatter.write_paragraph()
        for line in EXIT_CODES.splitlines():
            formatter.write(f"{line}\n")


@cache
def load(name: str) -> BaseCommand:
    """Import and build one group or lone command, once: a process may run many command lines."""
    module = ".".join(("acctcli.cli", *files()[name].relative_to(FOLDER).with_suffix("").parts))
    app: typer.Typer = importlib.import_module(module).app
    command: BaseCommand = typer.main.get_command(app) if name in ALONE else typer.main.get_group(app)
    command.name = name
    return command


def build() -> RootGroup:
    """Build the root; only names and help lines are known until a group is used."""
    return RootGroup(
        name=PROGRAM,
        help="Bookkeeping and invoicing from the command line.",
        no_args_is_help=True,
        rich_markup_mode=None,
        params=[_version_option()],
    )


def run(argv: Sequence[str], *, leaves: bool = False, listen: Callable[[bool], None] = lambda stops: None) -> int:
    """Run one command line and return its exit code; every error ends here. `leaves` says that the process does too.

    `listen` is told that signals stop the command from now on, and that they come too late: both in here, so that one
    that comes in between has somebody to tell it.
    """
    line, Stopped.last = CommandLine(_asking(argv)), None
    try:
        listen(True)
        code = _run(line, leaves=leaves)
        listen(False)
    except KeyboardInterrupt as stop:  # before, after, or while another end was told
        code = _report(_interruption(stop), line)
    if line.here is not None and (code or not leaves):
        line.here.at_end.close()
    return code


def _asking(argv: Sequence[str]) -> tuple[str, ...]:
    """Return the command line; `help document create` asks what `document create --help` does."""
    return (*argv[1:], "--help") if argv and argv[0] == "help" else tuple(argv)


def _run(line: CommandLine, *, leaves: bool) -> int:
    completing = bool(os.environ.get(COMPLETE))
    try:
        _make_usable_streams()
        root = build()
        if completing:
            from acctcli.cli.completing import shells

            return shells.complete(root, line.words)
        with root.make_context(PROGRAM, list(line.words)) as ctx:
            ctx.meta[LINE] = line
            root.invoke(ctx)
        _act_last(line.here, leaves=leaves)
        return 0
    except typer.Exit as done:
        return done.exit_code
    except NoArgsIsHelpError as shown:
        tell(shown.ctx.get_help() if shown.ctx else "")
        return 2
    except KeyboardInterrupt as stop:
        return 0 if completing else _report(_interruption(stop), line)
    except BrokenPipeError as gone:
        # the reader has enough, as in `| head -1`; nothing more may be written, not even at exit
        let_go(sys.stdout)
        _tell_unread(gone, line)
        return 0
    except Exception as fault:  # noqa: BLE001 - the one edge of the command line
        # libraries in other languages make faults of their own of a signal
        stopped = Stopped.last if not isinstance(fault, AcctcliError) else None
        return 0 if completing else _report(_interruption(stopped) if stopped else fault, line)


def _act_last(here: State | None, *, leaves: bool) -> None:
    """Do what counts only when the command ends with 0, as near to that end as can be."""
    if here is None or here.last_act is None:
        return
    sys.stdout.flush()
    if not leaves:
        here.last_act()
        return
    sys.stderr.flush()
    if hasattr(signal, "pthread_sigmask"):
        # a signal that comes now finds the command ended
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    here.last_act()
    os._exit(0)  # at once: SIGKILL cannot be held back, and would make a lie of what was just done


def _make_usable_streams() -> None:
    """Open what the caller closed (`>&-`) on nothing: else the next file or socket would become the standard stream.

    What is written to a stdout that is closed is an error, as it is to any other that takes nothing. One that would
    rather refuse than let us wait, as that of a Node.js program, is made to wait.
    """
    for name, mode, flags in (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8"))
    if os.name != "nt":
        for number in (1, 2):
            os.set_blocking(number, True)


def _interruption(stop: KeyboardInterrupt) -> Interrupted:
    return Interrupted(stop.signal) if isinstance(stop, Stopped) else Interrupted()


def _tell_unread(gone: BrokenPipeError, line: CommandLine) -> None:
    """Say what was written although nobody reads what came of it."""
    from acctcli.cli.output.doubt import facts_of

    if doubt := facts_of(gone, line.here):
        tell_doubt(doubt)


def _report(error: Exception, line: CommandLine) -> int:
    if isinstance(error, ClickUsageError):
        usage = f"{error.ctx.command_path} --help" if error.ctx else f"{PROGRAM} --help"
        error = UsageError(in_a_sentence(error.format_message()), hint=f"see: {usage}")
    elif isinstance(error, ClickException):
        error = UsageError(in_a_sentence(error.format_message()))
    elif isinstance(error, typer.Abort):
        error = UsageError("stopped; nothing was done")
    elif isinstance(error, OSError) and error.errno in UNWRITABLE and error.filename is None:
        error = NotWritten(f"stdout cannot be written: {error.strerror}")
    elif isinstance(error, OSError) and isinstance(error.filename, str):
        error = _unusable_file(error, line)
    elif isinstance(error, UnicodeEncodeError) and not _wrote(line) and (odd := _not_text(line.words)):
        _trace(error, line.words)
        error = UsageError(f"{odd} is not text in UTF-8", hint="say it to the terminal or the script in UTF-8")
    elif isinstance(error, RecursionError):
        _trace(error, line.words)
        error = TooDeep()
    elif not isinstance(error, AcctcliError):
        error = _unreadable(error, line) or _internal_fault(error, line.words)
    from acctcli.cli.output.doubt import facts_of

    return report(error, line.words, facts_of(error, line.here))


def _unusable_file(error: OSError, line: CommandLine) -> AcctcliError:
    _trace(error, line.words)
    # exit 2 would mean that nothing was sent, or that another file would do
    kind = NotWritten if _wrote(line) or error.errno in UNWRITABLE else UsageError
    return kind(f"{error.filename} cannot be used: {error.strerror}", hint="mend it, or give it the rights it needs")


def _wrote(line: CommandLine) -> bool:
    return line.here is not None and line.here.writes is not None and line.here.writes.last is not None


def _not_text(words: Sequence[str]) -> str | None:
    """Return the first word of a command line that is not text, with its bytes as escapes; a file may be called so."""
    shown = (word.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace") for word in words)
    return next((text for text, word in zip(shown, words, strict=True) if text != word), None)


def _trace(error: Exception, argv: Sequence[str]) -> bool:
    """Show where an error comes from, if that is wanted; tell whether it was."""
    if "--debug" not in argv:
        return False
    import traceback

    tell("".join(traceback.format_exception(error)).rstrip())
    return True


def _unreadable(error: Exception, line: CommandLine) -> AcctcliError | None:
    """Return what it means that something could not be decoded, once a service may have told it; before that None."""
    from msgspec import DecodeError

    # what is asked for next is made of what was told; what a person gives is checked where it is read
    kinds = (DecodeError, sys.modules["pydantic"].ValidationError) if "pydantic" in sys.modules else (DecodeError,)
    if not isinstance(error, kinds) or line.here is None or line.here.writes is None:
        return None
    _trace(error, line.words)
    told = str(error).partition("\n")[0]
    return ServerFault(f"a reply is not what the interface promises: {told}", code="unreadable_reply")


def _internal_fault(error: Exception, argv: Sequence[str]) -> AcctcliError:
    hint = None if _trace(error, argv) else "run it again with --debug to see where"
    return AcctcliError(f"internal fault: {type(error).__name__}: {error}", hint=hint)


def _version_option() -> Any:
    from typer.core import TyperOption

    def show(ctx: Context, parameter: object, value: bool) -> None:
        if value:
            from acctcli import __version__

            sys.stdout.write(f"{PROGRAM} {__version__}\n")
            ctx.exit()

    return TyperOption(
        param_decls=["--version"],
        is_flag=True,
        default=False,
        expose_value=False,
        is_eager=True,
        callback=show,
        help="Show the version and exit.",
    )
