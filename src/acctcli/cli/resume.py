"""Posts and uploads of files that were cut off: list them, and finish them."""

from __future__ import annotations

import shlex
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli.command.classes import Context, ResumeCommand, new_group
from acctcli.cli.output.show import show_done, show_values
from acctcli.cli.session.state import State, state
from acctcli.errors import Forbidden, NotFound, UsageError

if TYPE_CHECKING:
    from acctcli.cli.command.record import CutOff, Run

COLUMNS = ("id", "began", "file", "lines", "done", "in_doubt", "business", "environment", "command")

app = new_group(__doc__)

Name = Annotated[
    str | None, typer.Argument(metavar="[ID]", help="The run to finish, as it is listed; none lists them.")
]
Forget = Annotated[bool, typer.Option("--forget", help="Do not finish it; what was sent stays.")]


@app.command("resume", cls=ResumeCommand)
def resume(ctx: Context, name: Name = None, forget: Forget = False) -> None:
    """List the posts and uploads that were cut off, or finish one: what is there already is not sent again.

    Example: acctcli resume
    """
    from acctcli.cli.command import record

    here = state(ctx)
    found = record.cut_off(record.runs_folder(here.environ))
    if name is None:
        if forget:
            raise UsageError("--forget needs the id of a run", hint="see: acctcli resume")
        show_values(here, [_facts(one) for one in found.values()], COLUMNS)
        if not found:
            here.say("no file was cut off")
        return
    if name not in found:
        raise UsageError(f"no run {name!r} was cut off", hint="see: acctcli resume")
    one = found[name]
    if forget:
        if not one.forget():
            raise UsageError(f"another command goes on with the run {name}", hint="see: acctcli resume")
        show_done(here, f"Forgot the run {name} of {one.run.file}.", id=name, forgotten=True)
        return
    _finish(here, name, one.run)


def _facts(one: CutOff) -> dict[str, object]:
    run = one.run
    known, done = one.progress()
    return {
        "id": run.name,
        "began": run.at.isoformat(timespec="seconds"),
        "file": run.file,
        "lines": run.lines,
        "done": done,
        "in_doubt": len(known.in_doubt()),
        "business": run.business,
        "environment": run.environment,
        "command": shlex.join(["acctcli", *_words(run)]),
    }


def _words(run: Run) -> list[str]:
    """Return the command line that goes on with a run, wherever the settings point by now."""
    key = [] if run.again else ["--idempotency-key", run.key]
    return [*run.words, "--env", run.environment, "--business", run.business, *key]


def _finish(here: State, name: str, run: Run) -> None:
    from acctcli.cli.command.once import books_of
    from acctcli.cli.root import run as run_line

    if here.options.env or here.options.business:
        raise UsageError("a run goes on where it was cut off: --env and --business do not go with its id")
    there = State(replace(here.options, env=run.environment, business=run.business), here.environ)
    try:
        books = books_of(there)
    except (Forbidden, NotFound):
        books = None
    finally:
        there.close()
    if books != run.books:
        raise UsageError(
            f"it was sent to {run.business} of {run.place}, which {run.environment} is not by now",
            hint=f"let {run.environment} be that again, or forget the run with: acctcli resume {name} --forget",
        )
    if not Path(run.file).is_file():
        raise UsageError(f"{run.file} is not there any more", hint="put it back, or forget the run with --forget")
    given = list(here.words)
    given.remove("resume")
    given.remove(name)
    # where to write is meant from here, and what the run reads from there
    if here.options.output_file:
        given += ["--output-file", str(here.options.output_file.absolute())]
    with chdir(run.folder if Path(run.folder).is_dir() else Path.cwd()):
        code = run_line([*_words(run), *given])
    if code:
        raise typer.Exit(code)
