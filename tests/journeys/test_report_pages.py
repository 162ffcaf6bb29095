"""Reports as pages, on a desk by day and on a phone at night: axe finds nothing, and nothing is out of sight."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser import browser
from tests.journeys.places import Place, fresh
from tests.journeys.test_reports import REPORTS, post_month
from tests.sizes import is_full

RUN = "axe.run({resultTypes: ['violations'], preload: false, iframes: false})"
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}
Scheme = Literal["light", "dark"]
LOOKS: list[tuple[ViewportSize, Scheme]] = [(DESK, "light"), (PHONE, "dark")]
MORE: list[tuple[ViewportSize, Scheme]] = [(DESK, "dark"), (PHONE, "light")] if is_full() else []
# amounts that do not stand whole in the window
HIDDEN = """[...document.querySelectorAll('td data')].map(one => one.getBoundingClientRect())
  .filter(one => one.left < 0 || one.right > innerWidth || one.width === 0).length"""
# numbers, days and amounts that take more than a line
BROKEN = """[...document.querySelectorAll('td.code, td data')].filter(one => {
  const range = document.createRange(); range.selectNodeContents(one)
  return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1}).length"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser() as made:
        yield opened(made)


def opened(made: Browser) -> Page:
    # axe is a script, and a report lets none run
    return made.new_context(bypass_csp=True).new_page()


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = fresh("pages", tmp_path_factory.mktemp("pages"), ACCTCLI_BUSINESS="pages")
    place.run("business", "create", "--name", "Kahvila Ärjy Oy", "--form", "FI_OY", "--slug", "pages")
    place.run("purchase", "create", "--sender", "Tukku Oy", "--date", "2026-03-01", "--amount", "1200.50")
    return post_month(place)


# axe looks at each cell
DAYS = ("--from", "2026-03-01", "--to", "2026-03-03")
PAGES = {
    **{f"report {name}": DAYS if name in {"journal", "ledger"} else options for name, options in REPORTS.items()},
    "report income-statement --change --compare previous-year": ("--period", "2026-03"),
    "purchase aging": ("--date", "2026-03-31"),
}


@pytest.mark.parametrize("command", PAGES)
def test_everybody_can_read_a_report_on_a_desk_and_on_a_phone(office: Place, page: Page, command: str) -> None:
    path = office.folder / "report.html"
    argv = (*command.split(), *PAGES[command])
    office.run(*argv, "--output", "html", "--output-file", str(path), LC_ALL="fi_FI.UTF-8")
    page.goto(Path(path).as_uri())
    page.evaluate(Axe().axe_script)
    for size, scheme in (*LOOKS, *MORE):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        faults = page.evaluate(RUN)["violations"]
        assert [(one["id"], node["html"]) for one in faults for node in one["nodes"]] == []
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        assert (page.evaluate(HIDDEN), page.evaluate(BROKEN)) == (0, 0)
    assert page.evaluate("document.querySelectorAll('td data').length") > 2


def test_a_row_of_the_journal_names_its_sides_on_a_phone(office: Place, page: Page) -> None:
    path = office.folder / "report.html"
    options = (*REPORTS["journal"], "--locale", "fi")
    office.run("report", "journal", *options, "--output", "html", "--output-file", str(path))
    page.goto(Path(path).as_uri())
    said = """[...document.querySelectorAll('tr td.amount:not(:empty)')].slice(0, 2)
      .map(one => getComputedStyle(one, '::before').content)"""
    page.set_viewport_size(PHONE)
    assert page.evaluate(said) == ['"Debet "', '"Kredit "']
    page.set_viewport_size(DESK)
    assert page.evaluate(said) == ["none", "none"]
