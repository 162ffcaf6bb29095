"""Books to look through: which browsers are let in, and what there is for them to choose from (docs/view.md 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from acctcli.service.pages.page import SAME_SITE, Page, Shown


def at_the_door(page: Page) -> Shown | None:
    """Refuse another address and what other sites cause; None for what the person at the browser asks for."""
    asked, own = page.asked, page.host.address
    if asked.called.lower() != urlsplit(own).netloc.lower():
        return page.refuse(421, "elsewhere_about", own)
    if asked.origin not in (None, own) or asked.site not in (None, *SAME_SITE):
        return page.refuse(403, "led_here")
    return None


def show(page: Page, books: Sequence[Mapping[str, str]], *, is_known: bool = True) -> Shown:
    """Show books by `name` and `address`; where others were asked for they are not known, whether they exist or not."""
    fault = None if is_known else page.text["unknown_books"]
    return page.show("books", 200 if is_known else 404, rows=books, fault=fault)


def busy(page: Page) -> Shown:
    """Say that too many pages are being made."""
    return page.refuse(503, "busy_books")
