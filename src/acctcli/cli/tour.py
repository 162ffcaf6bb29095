"""Post a month of a small company on a scratch database and read its books."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from acctcli.cli.command.classes import Command, Context, new_group
from acctcli.cli.output.show import show_values
from acctcli.cli.session.state import state
from acctcli.errors import AcctcliError

app = new_group(__doc__)

SLUG = "tour"
MONTH = "2026-03"


@app.command("tour", cls=Command)
def tour(ctx: Context) -> None:
    """Run real commands on a scratch database and show them as they go.

    Nothing outside a temporary folder is read or written, and no network is used. As JSON, it is one list of the
    commands and what they gave.

    Example: acctcli tour
    """
    here = state(ctx)
    data = as_file(files("acctcli.cli").joinpath("tour_month.jsonl"))
    scratch = tempfile.TemporaryDirectory(prefix="acctcli-tour-")
    with data as month, scratch as folder, _at(Path(folder)):
        if here.format != "table":
            show_values(here, [_recorded(note, command) for note, command in _commands(month)])
            return
        for note, command in _commands(month):
            here.say(f"\n# {note}\n$ acctcli {shlex.join(command)}")
            _run(command)
    here.say("\nThe scratch database is gone. Start your own books with: acctcli start")


def _commands(month: Path) -> Iterator[tuple[str, list[str]]]:
    yield (
        "A limited company, with a chart of accounts and a VAT period",
        ["business", "create", "--name", "Tour Oy", "--form", "FI_OY", "--slug", SLUG],
    )
    yield "Commands from now on work in it", ["business", "use", SLUG]
    yield (
        "The accounting period that the month lies in",
        ["period", "update", "1", "--start", "2026-01-01", "--end", "2026-12-31"],
    )
    yield "The one after it, which books need before anything is posted there", ["period", "create", "--next"]
    yield "Its chart of accounts: the sales accounts", ["account", "list", "--type", "REV_SAL"]
    yield (
        "A month of documents from a file: sales, purchases, wages, refunds, reverse charge",
        [
            "document",
            "create",
            "--file",
            str(month),
            "--account-numbers",
            "--columns",
            "number,date,description,balance",
        ],
    )
    yield "The journal of the month, with its totals", ["report", "journal", "--period", MONTH]
    yield "What came of it: the balance of every account in use", ["account", "balances", "--date", "2026-03-31"]


def _recorded(note: str, command: list[str]) -> dict[str, Any]:
    """Run a command and return what it gave, as JSON."""
    import msgspec

    result = Path("result.json")
    _run([*command, "--quiet", "--json", "--output-file", str(result)])
    return {"note": note, "command": f"acctcli {shlex.join(command)}", "result": msgspec.Raw(result.read_bytes())}


def _run(command: list[str]) -> None:
    from acctcli.cli.root import run

    sys.stdout.flush()
    code = run(command)
    if code:
        raise AcctcliError(f"the tour stopped: acctcli {shlex.join(command)} ended with {code}")


@contextmanager
def _at(folder: Path) -> Iterator[None]:
    """Point every setting at a folder of its own, and put the user's own settings back afterwards."""
    kept = dict(os.environ)
    home = Path.cwd()
    for name in [name for name in os.environ if name.startswith("ACCTCLI_")]:
        del os.environ[name]
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        os.environ[f"ACCTCLI_{kind}_DIR"] = str(folder / kind.lower())
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(home)
        os.environ.clear()
        os.environ.update(kept)
