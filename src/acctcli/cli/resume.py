"""Posts and uploads of files that were cut off: list them, and finish them."""

from __future__ import annotations

import shlex
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli.command.classes import Command, Context, new_group
from acctcli.cli.output.show import show_done, show_values
from acctcli.cli.session.options import Options
from acctcli.cli.session.state import State, state
from acctcli.errors import UsageError

if TYPE_CHECKING:
    from acctcli.cli.command.record import Began, Run

COLUMNS = ("id", "began", "file", "lines", "done", "in_doubt", "business", "environment", "command")

app = new_group(__doc__)

Name = Annotated[
    str | None, typer.Argument(metavar="[ID]", help="The run to finish, as it is listed; none lists them.")
]
Forget = Annotated[bool, typer.Option("--forget", help="Do not finish it; what was sent stays.")]


@app.command("resume", cls=Command)
def resume(ctx: Context, name: Name = None, forget: Forget = False) -> None:
    """List the posts and uploads that were cut off, or finish one: what is there already is not sent again.

    Example: acctcli resume
    """
    from acctcli.cli.command import record

    here = state(ctx)
    folder = record.runs_folder(here.environ)
    cut_off = {
        run.name: (run, run.began)
        for run in record.runs(folder)
        if run.began and not run.has_ended and not record.is_running(folder, run.name)
    }
    if name is None:
        show_values(here, [_facts(*one) for one in cut_off.values()], COLUMNS)
        if not cut_off:
            here.say("no file was cut off")
        return
    _, began = cut_off.get(name, (None, None))
    if began is None:
        raise UsageError(f"no run {name!r} was cut off", hint="see: acctcli resume")
    if forget:
        record.end(folder, name)
        show_done(here, f"Forgot the run {name} of {began.file}.", id=name, forgotten=True)
        return
    _finish(here, began)


def _facts(run: Run, began: Began) -> dict[str, object]:
    return {
        "id": run.name,
        "began": began.at.isoformat(timespec="seconds"),
        "file": began.file,
        "lines": began.lines,
        "done": len(run.done),
        "in_doubt": len(run.in_doubt),
        "business": began.business,
        "environment": began.environment,
        "command": shlex.join(["acctcli", *_words(began)]),
    }


def _words(began: Began) -> list[str]:
    """Return the command line that goes on with a run, wherever the settings point by now."""
    there = ["--env", began.environment, "--business", began.business]
    return [*began.words, *there, "--idempotency-key", began.key]


def _finish(here: State, began: Began) -> None:
    from acctcli.cli.exports.states import place_of
    from acctcli.cli.root import run

    place = place_of(State(Options(env=began.environment, business=began.business), here.environ))
    if place != began.place:
        raise UsageError(f"it was posted to {began.place}, and {began.environment} is {place} by now")
    if not Path(began.file).is_file():
        raise UsageError(f"{began.file} is not there any more", hint="put it back, or forget the run with --forget")
    with chdir(began.folder if Path(began.folder).is_dir() else Path.cwd()):
        code = run(_words(began))
    if code:
        raise typer.Exit(code)
