"""A progress bar on stderr, for people who wait for many pages or files."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator

from acctcli.cli.output.columns import Rows
from acctcli.cli.session.state import State
from acctcli.client.pages import Listing


def watched(here: State, listing: Listing) -> Iterator[Rows]:
    """Pass the pages on; show how far they are when more than one page is wanted."""
    wanted = here.options.all or (here.options.limit or 0) > here.extent.size
    yield from _shown(here, listing, lambda: (listing.shown, listing.total)) if wanted else listing


def counted(here: State, pages: Iterator[Rows], total: int) -> Iterator[Rows]:
    """Pass on pages that each tell of one thing done; show how many of all there are when it is more than one."""
    done = itertools.count(1)
    return _shown(here, pages, lambda: (next(done), total)) if total > 1 else pages


def _shown(here: State, pages: Iterable[Rows], standing: Callable[[], tuple[int, int | None]]) -> Iterator[Rows]:
    """Show where things stand after each page, if stderr is a terminal."""
    if here.options.quiet or not sys.stderr.isatty():
        yield from pages
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True)
    with Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("rows", total=None)
        for page in pages:
            completed, total = standing()
            bar.update(task, completed=completed, total=total)
            yield page
