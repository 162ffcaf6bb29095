"""Real Chromium: nothing hostile runs, everybody can use the pages, and they fit a phone."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from acctcli import __version__
from acctcli.cli.session.options import Options
from acctcli.cli.session.state import State
from acctcli.printing.numbers import LOCALES, format_decimal
from tests.browser import browser, print_sheets
from tests.cli.view.looking import LONG, MARCH, YEAR, Pages, served
from tests.journeys.places import Place
from tests.sizes import is_full

D = Decimal
RUN = "axe.run({resultTypes: ['violations'], preload: false, iframes: false})"
PATHS = {
    "overview": f"?{YEAR}",
    "journal": f"journal?{MARCH}",
    "account": f"account/1910?{YEAR}",
    "document": "document/2",
    "income-statement": f"income-statement?{YEAR}&compare=previous-year",
    "balance-sheet": f"balance-sheet?{YEAR}",
    "trial-balance": f"trial-balance?{MARCH}",
    "vat": f"vat?{MARCH}",
    "invoices": "invoices",
    "open": "invoices/open",
    "invoice": "invoice/3",
    "search": "search?text=onerror",
    "check": "check",
    "nothing": "document/999999",
}
DESK, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=390, height=844)
Scheme = Literal["light", "dark"]
SIZES: list[tuple[str, ViewportSize, Scheme]] = [("desk", DESK, "light"), ("phone", PHONE, "dark")]
if is_full():
    SIZES += [("desk at night", DESK, "dark"), ("phone by day", PHONE, "light")]
LANGUAGES = ["fi", "sv", "en", "de"] if is_full() else ["de"]
# where pictures of all pages are kept, if there is such a folder, for who wants to look at them
PICTURES = Path(tempfile.gettempdir(), "acctcli-view")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module", params=LANGUAGES)
def opened(books: Place, chromium: Browser, request: pytest.FixtureRequest) -> Iterator[tuple[Pages, Page, list[str]]]:
    """A browser that has opened the address, and what its console says."""
    here = State(Options(quiet=True), books.environ)
    with served(here, request.param) as pages:
        context = chromium.new_context()
        page, said = context.new_page(), list[str]()
        page.on("console", lambda message: said.append(message.text))
        page.on("dialog", lambda dialog: said.append(f"dialog: {dialog.message}"))
        page.add_init_script("window.hits = 0; window.hit = () => { window.hits += 1 }")
        page.goto(pages.address)
        assert page.url == f"{pages.host}{pages.root}"
        yield pages, page, said
        context.close()
    here.close()


@pytest.mark.parametrize("name", PATHS)
def test_everybody_can_use_every_page_and_nothing_in_it_runs(opened: tuple[Pages, Page, list[str]], name: str) -> None:
    pages, page, said = opened
    said.clear()
    page.goto(f"{pages.host}{pages.root}{PATHS[name]}")
    page.evaluate(Axe().axe_script)
    faults = []
    for number, (size, window, scheme) in enumerate(SIZES):
        page.set_viewport_size(window)
        page.emulate_media(color_scheme=scheme)
        # each page by day or at night, one after the other, unless a run is full
        is_judged = is_full() or (list(PATHS).index(name) + number) % 2 == 0
        found = page.evaluate(RUN)["violations"] if is_judged else ()
        faults += [f"{size}: {one['id']} {node['html']}" for one in found for node in one["nodes"]]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            faults.append(f"wider than the window of a {size}")
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        if page.evaluate("[...document.querySelectorAll('.scroll')].some(one => one.scrollWidth > one.clientWidth)"):
            faults.append(f"{size}: a table hides some of its columns")
        if PICTURES.is_dir():
            page.screenshot(path=PICTURES / f"{name}-{page.get_attribute('html', 'lang')}-{size}.png", full_page=True)
    assert faults == []
    assert page.evaluate("window.hits") == 0
    # nothing of the policy; a page that is not there says its status
    assert [one for one in said if name != "nothing" or "404" not in one] == []


def test_long_names_and_large_amounts_fit_a_small_phone(opened: tuple[Pages, Page, list[str]]) -> None:
    """Of 320 points, and of 160, as it is with a zoom of 200 %."""
    pages, page, _ = opened
    page.goto(f"{pages.host}{pages.root}invoice/3")
    for place, text in ((".whose a", LONG * 3), (".figure data", "6\xa0274\xa0999\xa0999,99")):
        page.eval_on_selector(place, "(one, text) => { one.textContent = text }", text)
    for width in (320, 160):
        page.set_viewport_size({"width": width, "height": 640})
        for place in (".whose", ".figure"):
            assert page.eval_on_selector(place, "one => one.scrollWidth <= one.clientWidth + 1"), (width, place)
        assert page.evaluate("document.querySelector('.whose').getBoundingClientRect().right <= innerWidth")


def test_a_long_word_pushes_no_amount_out_of_sight(opened: tuple[Pages, Page, list[str]]) -> None:
    pages, page, _ = opened
    page.set_viewport_size(DESK)
    page.goto(f"{pages.host}{pages.root}journal?{MARCH}")
    for place in (".heading .long", "td .long"):
        page.eval_on_selector(place, "(one, text) => { one.textContent = text }", LONG * 5)
        assert page.eval_on_selector(".scroll", "one => one.scrollWidth <= one.clientWidth"), place


REPORTS = {
    f"income-statement?{YEAR}": ("income-statement", "--period", "2026", "--accounts"),
    f"balance-sheet?{YEAR}": ("balance-sheet", "--period", "2026", "--accounts"),
    f"trial-balance?{MARCH}": ("trial-balance", "--period", "2026-03"),
    f"account/1910?{YEAR}": ("ledger", "--period", "2026"),
}


def figures(told: object) -> set[Decimal]:
    """All amounts of a report."""
    if isinstance(told, dict | list):
        return set().union(*map(figures, told.values() if isinstance(told, dict) else told))
    return {told} if isinstance(told, Decimal) else set()


def seen(page: Page, language: str) -> set[Decimal]:
    """The figures of a page, each as a person reads it and as programs do."""
    pairs = page.evaluate("[...document.querySelectorAll('main data')].map(one => [one.textContent, one.value])")
    assert all(text.replace("\u2212", "-") == format_decimal(D(value), LOCALES[language]) for text, value in pairs)
    return {D(value) for _, value in pairs}


def test_figures_that_are_seen_are_the_reports_wherever_one_goes(
    opened: tuple[Pages, Page, list[str]], books: Place
) -> None:
    pages, page, _ = opened
    language = page.get_attribute("html", "lang") or ""
    for path, report in REPORTS.items():
        page.goto(f"{pages.host}{pages.root}{path}")
        found = seen(page, language)
        assert found, path
        assert found - figures(books.json("report", *report)) == set(), path
    waiting, gone = [f"{pages.root}?{YEAR}"], Counter[str]()
    while waiting:
        path = waiting.pop(0)
        kind = path.removeprefix(pages.root).partition("?")[0].partition("/")[0]
        if kind in {"receipt", "paper"} or gone[kind] == 3:
            continue
        gone[kind] += 1
        reply = page.goto(f"{pages.host}{path}")
        assert reply is not None
        assert reply.status == 200, path
        seen(page, language)
        waiting += page.evaluate("[...document.links].map(one => one.pathname + one.search)")
    assert gone.keys() >= {"", "journal", "account", "document", "invoices", "invoice", "vat", "check"}


def test_what_receipts_hold_does_not_run(opened: tuple[Pages, Page, list[str]], books: Place) -> None:
    pages, page, _ = opened
    numbers = {one["name"]: one["id"] for one in books.json("file", "list", "--all")}
    for name in ("evil.svg", "evil.html"):
        with page.expect_download() as saved:
            page.evaluate("address => { location.href = address }", f"{pages.host}{pages.root}receipt/{numbers[name]}")
        assert saved.value.suggested_filename == name
    page.goto(f"{pages.host}{pages.root}document/2")
    # a receipt is fetched when it comes into sight
    page.locator("figure img").scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('figure img').naturalWidth === 1")
    assert page.evaluate("window.hits") == 0


def test_pages_are_used_with_the_keyboard_alone(opened: tuple[Pages, Page, list[str]]) -> None:
    pages, page, _ = opened
    page.goto(f"{pages.host}{pages.root}{PATHS['trial-balance']}")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "1500":
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/account/1500?**")
    assert page.inner_text("h1").startswith("1500 ")


def test_paper_has_the_figures_and_no_ways(opened: tuple[Pages, Page, list[str]]) -> None:
    pages, page, _ = opened
    page.goto(f"{pages.host}{pages.root}{PATHS['vat']}")
    assert not page.locator(".printed").is_visible()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".printed").inner_text() == "2026-03"
    page.goto(f"{pages.host}{pages.root}{PATHS['balance-sheet']}")
    assert not page.locator(".site nav").is_visible()
    assert not page.locator("main form").is_visible()
    assert page.locator("main table").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(media="screen")


def test_each_sheet_says_whose_it_is_what_of_which_days_and_its_number(
    opened: tuple[Pages, Page, list[str]], tmp_path: Path
) -> None:
    pages, page, said = opened
    if page.get_attribute("html", "lang") != "de":
        return
    said.clear()
    page.goto(f"{pages.host}{pages.root}journal?{YEAR}")
    sheets = [" ".join(sheet.split()) for sheet in print_sheets(page, tmp_path / "journal.pdf")]
    assert len(sheets) > 1
    for number, sheet in enumerate(sheets, 1):
        assert sheet.endswith(f"Seite {number} von {len(sheets)}")
        assert f"acctcli {__version__} · local" in sheet
        assert sheet.startswith("Demo Oy · Journal · 2026 ") == (number > 1)
    # the first one says it in its head
    assert sheets[0].startswith("Demo Oy Journal 2026 ")
    assert said == []


def test_no_page_of_others_reaches_these(
    opened: tuple[Pages, Page, list[str]], chromium: Browser, tmp_path: Path
) -> None:
    pages, page, _ = opened
    around = tmp_path / "around.html"
    target = f"{pages.host}{pages.root}"
    around.write_text(
        f'<iframe src="{target}"></iframe><img src="{target}icon.svg" id="icon"><a href="{target}">go</a>'
    )
    other = page.context.new_page()
    other.goto(around.as_uri())
    assert other.evaluate("document.querySelector('#icon').naturalWidth") == 0
    with other.expect_navigation() as gone:
        other.click("a")
    reply = gone.value
    assert reply is not None
    assert reply.status == 403
    other.close()
