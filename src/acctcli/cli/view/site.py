"""The pages by the first word of their addresses; each is a module here, and imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.resources import files
from urllib.parse import parse_qs, unquote

from acctcli.cli.session.state import State
from acctcli.cli.view.asked import Asked, Books
from acctcli.cli.view.page import FAULTS, Page, Reply, failure, replied, told
from acctcli.errors import Forbidden, NotFound, Rejected, UsageError

_PAGES = {
    "": "dashboard",
    "account": "account",
    "check": "checked",
    "document": "document",
    **dict.fromkeys(("invoice", "invoices", "paper"), "invoices"),
    "journal": "journal",
    "payables": "payables",
    "receipt": "receipt",
    **dict.fromkeys(("balance-sheet", "income-statement", "trial-balance", "vat"), "reports"),
    "search": "search",
}
# pages whose addresses go on with a record, and the one that goes on with a word
_RECORDS, _OPEN = frozenset({"account", "document", "invoice", "paper", "receipt"}), ("invoices", "open")
_STATUS = {UsageError: 400, Rejected: 400, Forbidden: 403, NotFound: 404}
# that the service could not be read
_BEHIND = 502
# of what stands behind `?`: a line of a statement names the accounts behind it
MOST_FIELDS = 2000
_SHEETS = (("acctcli.cli.report", "page.css"), ("acctcli.cli.view", "view.css"))
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#2a5f8a"/>'
    '<path d="M4 12V8m4 4V4m4 8V6" stroke="#fff" stroke-width="2"/></svg>'
)


class Site:
    """Answers for pages."""

    def __init__(self, here: State, books: Books) -> None:
        self._here = here
        self._books = books

    def reply(self, target: str, query: str) -> Reply:
        """Answer an address below the folder of the pages; whatever goes wrong with the books is a page."""
        words = tuple(unquote(word) for word in target.split("/") if word)
        if (static := _static(words)) is not None:
            return static
        asked = Asked(self._here.anew(), self._books, words, {})
        try:
            asked = Asked(asked.here, self._books, words, _fields(query))
            made = _made(asked)
        except FAULTS as problem:
            made = Page(
                asked.words("This cannot be shown"), [failure(asked, problem, titled=False)], (), _status(problem)
            )
        return made if isinstance(made, Reply) else replied(asked, made)


def _made(asked: Asked) -> Page | Reply:
    name = asked.path[0] if asked.path else ""
    most = 2 if name in _RECORDS or asked.path == _OPEN else 1
    if name not in _PAGES or len(asked.path) > most:
        raise NotFound("there is no such page", hint="go on from one of those above")
    made: Page | Reply = import_module(f"acctcli.cli.view.{_PAGES[name]}").page(asked)
    return made


def _static(words: tuple[str, ...]) -> Reply | None:
    if words == ("style.css",):
        sheets = (files(package).joinpath(name).read_bytes() for package, name in _SHEETS)
        return Reply(200, sheets, "text/css; charset=utf-8")
    return Reply(200, [_ICON.encode()], "image/svg+xml") if words == ("icon.svg",) else None


def _fields(query: str) -> Mapping[str, list[str]]:
    try:
        return parse_qs(query, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError as problem:
        raise UsageError("this address says more than a page is asked for") from problem


def _status(problem: Exception) -> int:
    return next((status for kind, status in _STATUS.items() if isinstance(told(problem), kind)), _BEHIND)
