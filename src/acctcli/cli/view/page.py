"""The frame of every page: its head, the ways to the others, what was asked for, and what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as made_by
from datetime import date
from typing import NamedTuple

import msgspec

from acctcli import __version__
from acctcli.cli.report import as_html
from acctcli.cli.report.as_html import Link, table
from acctcli.cli.report.sheet import Sheet, with_days
from acctcli.cli.report.spans import Span
from acctcli.cli.view.asked import FROM, PAGE, TO, Asked
from acctcli.cli.view.tags import Html, joined, tag
from acctcli.cli.view.words import TAX
from acctcli.client import redact
from acctcli.errors import AcctcliError, ServerFault, TooDeep
from acctcli.settings import PRODUCTION

# what a page may use: its sheet of styles, pictures and papers of this server, and forms that come back here
_STYLES = "style-src 'self'"
POLICY = (
    f"default-src 'none'; {_STYLES}; img-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
# what may go wrong where the books are read
FAULTS = (AcctcliError, msgspec.DecodeError, RecursionError)
# the ways that stand on each page: the first word of an address, and what it is called
_WAYS = (
    ("", "Overview"),
    ("journal", "Journal"),
    ("trial-balance", "Accounts"),
    ("invoices", "Invoices"),
    ("income-statement", "Income statement"),
    ("balance-sheet", "Balance sheet"),
    ("vat", TAX),
)
_LATEST = 4
# what every reply says
ALWAYS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Page(NamedTuple):
    """A page: what stands above it, what is in it, piece by piece as it is read, its days, and its status."""

    title: str
    body: Iterable[Html]
    days: Sequence[date | None] = ()
    status: int = 200


@dataclass(frozen=True)
class Reply:
    """What a browser is sent: headers of this reply alone, and the content as it is made."""

    status: int
    body: Iterable[bytes]
    kind: str = "text/html; charset=utf-8"
    policy: str = POLICY
    headers: Mapping[str, str] = made_by(default_factory=dict)

    def close(self) -> None:
        """Give up what the content is read from."""
        if (close := getattr(self.body, "close", None)) is not None:
            close()


def replied(asked: Asked, page: Page) -> Reply:
    """Return a page as a browser is sent it, with what stands around it on paper, which its policy names."""
    title, made = f"{page.title} · {asked.books.business.name or ''}", _made(asked)
    days = _said(asked, page.days)
    around = as_html.margins(" · ".join(filter(None, (asked.books.business.name, page.title, days))), made, asked.words)
    policy = POLICY.replace(_STYLES, f"{_STYLES} {as_html.named_by_hash(around)}")
    pieces = _framed(asked, page, _head(asked, title, around), made)
    return Reply(page.status, (piece.encode("utf-8", "replace") for piece in pieces), policy=policy)


def _made(asked: Asked) -> str:
    return f"acctcli {__version__} · {asked.here.environment.name} · {asked.dated(asked.here.today())}"


def _framed(asked: Asked, page: Page, head: Html, made: str) -> Iterator[Html]:
    """Yield a whole page; what goes wrong when it has begun stands at its end."""
    language = asked.words.language
    yield Html(f'<!doctype html>\n<html lang="{language}">{head}<body>{_site(asked)}<main id="content" tabindex="-1">')
    yield tag("h1", page.title)
    try:
        yield from page.body
    except FAULTS as problem:
        yield failure(asked, problem)
    yield Html(f"</main>{tag('footer', made)}</body></html>\n")


def _head(asked: Asked, title: str, around: str) -> Html:
    sheet = tag("link", rel="stylesheet", href=asked.link("style.css"))
    icon = tag("link", rel="icon", type="image/svg+xml", href=asked.link("icon.svg"))
    wide = tag("meta", name="viewport", content="width=device-width, initial-scale=1")
    charset, style = Html('<meta charset="utf-8">'), Html(f"<style>{around}</style>")
    return tag("head", charset, wide, tag("title", title), sheet, style, icon)


def _site(asked: Asked) -> Html:
    """Return what stands above every page: whose books they are, the ways to the others, and who looks."""
    words, business = asked.words, asked.books.business.name or ""
    skip = tag("a", words("Skip to content"), class_="skip", href="#content")
    is_real = asked.here.environment.name == PRODUCTION
    where = tag("span", PRODUCTION, class_="mark") if is_real else None
    whose = tag("p", tag("a", business, href=asked.link()), where, class_="whose")
    ways = (_way(asked, word, name) for word, name in _WAYS)
    nav = tag("nav", *ways, aria_label=words("Pages"))
    return joined((skip, tag("header", whose, nav, _search(asked), _person(asked), class_="site")))


def _way(asked: Asked, word: str, name: str) -> Html:
    is_here = (asked.path[0] if asked.path else "") == word
    return tag("a", asked.words(name), href=asked.link(*filter(None, [word])), aria_current="page" if is_here else None)


def _person(asked: Asked) -> Html | None:
    """Return who looks, where pages are for several, with the ways to their account and to other books, and out."""
    if (person := asked.books.person) is None:
        return None
    words = asked.words
    proof = tag("input", type="hidden", name="csrf", value=person.proof)
    out = tag("form", proof, tag("button", words("Sign out")), action=person.sign_out, method="post")
    ways = tag("a", words("Other books"), href=person.businesses), tag("a", person.called, href=person.account)
    return tag("div", *ways, out, class_="person")


def _search(asked: Asked) -> Html:
    word = asked.words("Search")
    given = asked.one("text") if asked.path[:1] == ("search",) else None
    box = tag("input", type="search", name="text", aria_label=word, placeholder=word, value=given, required="")
    return tag("form", box, action=asked.link("search"), method="get", role="search")


def told(problem: Exception) -> AcctcliError:
    """Return what is said of a problem, without secrets, as the command line says it."""
    if isinstance(problem, AcctcliError):
        redact.error(problem)
        return problem
    if isinstance(problem, RecursionError):
        return TooDeep()
    said = str(problem).partition("\n")[0]
    return ServerFault(f"a reply is not what the interface promises: {said}", code="unreadable_reply")


def failure(asked: Asked, problem: Exception, *, titled: bool = True) -> Html:
    """Show what went wrong where something should stand, in the words of the command line, below a title of its own."""
    error = told(problem)
    hint = tag("p", error.hint, lang="en") if error.hint else None
    said = tag("p", " ".join(error.message.split()), lang="en")
    title = tag("strong", asked.words("This cannot be shown")) if titled else None
    return tag("div", title, said, hint, class_="fault", role="alert")


def sections(asked: Asked, *parts: tuple[str, Callable[[], Iterable[Html]]]) -> Iterator[Html]:
    """Yield parts of a page, each below its title; one that fails says so, and the others are shown."""
    for title, part in parts:
        try:
            inside = joined(part())
        except FAULTS as problem:
            inside = failure(asked, problem)
        yield tag("section", tag("h2", asked.words(title)), inside)


def _nowhere(position: int, place: int) -> None:
    """Lead nowhere from any cell."""


def sheet(asked: Asked, found: Sheet, link: Link = _nowhere) -> Html:
    """Return the table of a report."""
    found = with_days(found, asked.words("Date"), asked.books.day)
    return Html("".join(table(found, asked.words, asked.books.locale, link)))


def rows(heads: Sequence[Html], lines: Iterable[Sequence[Html]], caption: str) -> Html:
    """Return a table of cells that are made."""
    head = tag("thead", tag("tr", *heads))
    body = tag("tbody", *(tag("tr", *line) for line in lines))
    table_of_them = tag("table", tag("caption", caption), head, body, class_="list texts")
    return tag("div", table_of_them, class_="scroll", tabindex="0", role="region", aria_label=caption)


def facts(asked: Asked, *given: tuple[str, object]) -> Html:
    """Return what is said of a record, each below its name; what is empty is left out."""
    pairs = ((name, value) for name, value in given if value not in {None, ""})
    return tag("dl", *(tag("div", tag("dt", asked.words(name)), tag("dd", value)) for name, value in pairs))


def head_cell(title: str, *, amount: bool = False) -> Html:
    """Return a cell of the first line of a table."""
    return tag("th", title, scope="col", class_="amount" if amount else None)


def range_form(asked: Asked, days: Sequence[date | None], *more: Html) -> Html:
    """Return the form that asks for other days, with fields of the page's own, and the accounting periods to choose."""
    words = asked.words
    dates = ((FROM, "From", days[0]), (TO, "To", days[1]))
    fields = (
        field(words(name), tag("input", type="date", name=key, id=key, value=day), key) for key, name, day in dates
    )
    form = tag("form", *fields, *more, tag("button", words("Show")), method="get", action=asked.link(*asked.path))
    ways = [
        tag("a", asked.days(one), href=asked.again(**{FROM: one.first, TO: one.last, PAGE: None}),
            aria_current="true" if one == (*days,) else None)
        for one in asked.periods[:_LATEST]
    ]  # fmt: skip
    # on paper the days stand in place of the form
    said = _said(asked, days)
    printed = tag("p", said, class_="printed") if said else None
    return joined((printed, tag("div", form, tag("p", *ways, class_="ways") if ways else None, class_="choose")))


def _said(asked: Asked, days: Sequence[date | None]) -> str | None:
    """Say which days a page is of; None where it is not of days from one to another."""
    first, last = (*days, None, None)[:2]
    return asked.days(Span(first, last)) if first and last else None


def field(label: str, control: Html, name: str) -> Html:
    """Return a field of a form below its label."""
    return tag("div", tag("label", label, for_=name), control, class_="field")


def paging(asked: Asked, page: int, pages: int) -> Html | None:
    """Return the ways to the pages before and after; None where there is one page."""
    if pages <= 1:
        return None
    words = asked.words
    before = tag("a", words("Earlier page"), href=asked.again(**{PAGE: page - 1}), rel="prev") if page > 1 else None
    after = tag("a", words("Next page"), href=asked.again(**{PAGE: page + 1}), rel="next") if page < pages else None
    here = tag("span", f"{words('Page')} {page} {words('of')} {pages}")
    return tag("nav", before, here, after, class_="paging", aria_label=words("Paging"))
