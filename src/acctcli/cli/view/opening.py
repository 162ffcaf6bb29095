"""`view`: pages for as long as the command runs, and a browser that opens them."""

from __future__ import annotations

import sys
from contextlib import suppress
from threading import Event

from acctcli.cli.auth.login import open_browser
from acctcli.cli.output.show import show_value
from acctcli.cli.report.amounts import told_locale
from acctcli.cli.report.view import View
from acctcli.cli.session.state import State
from acctcli.cli.view.asked import Books
from acctcli.cli.view.server import serving

# how often it is looked whether to stop
_LOOK_SECONDS = 0.5


def show(here: State, port: int, *, opens: bool) -> None:
    """Serve the pages until the command is stopped; that the books can be read shows before there is an address."""
    books = books_of(here, here.named.get("locale"))
    quiet = here.anew(output=None, json=False, columns=None, jq=None, output_file=None, quiet=True)
    with serving(quiet, books, port) as address:
        show_value(here, {"address": address})
        sys.stdout.flush()
        here.say("pages are shown until this ends; stop it with Ctrl-C")
        if opens:
            with suppress(OSError):  # the address was shown
                open_browser(address, here.environ)
        ended = Event()
        with suppress(KeyboardInterrupt):
            while not ended.wait(_LOOK_SECONDS):
                pass
    here.say("stopped")


def books_of(here: State, locale: str | None) -> Books:
    """Return whose books are shown, and how."""
    shown = View(here, locale)
    return Books(shown.business, shown.locale, told_locale(locale, here.environ) is not None, day=shown.days or "{}")
