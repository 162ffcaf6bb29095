"""A progress bar on stderr, for people who wait for many pages."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import msgspec

from acctcli.cli._state import State
from acctcli.client.pages import Listing


def watched(here: State, listing: Listing) -> Iterator[list[msgspec.Raw]]:
    """Pass the pages on; show how far they are when stderr is a terminal and more than one page is wanted."""
    wanted = here.options.all or (here.options.limit or 0) > here.extent.size
    if not wanted or here.options.quiet or not sys.stderr.isatty():
        yield from listing
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True)
    with Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("rows", total=None)
        for page in listing:
            bar.update(task, completed=listing.shown, total=listing.total)
            yield page
