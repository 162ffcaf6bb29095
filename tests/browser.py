"""A real browser, without a window: what it makes of a page, what it complains about, and what it looks like."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.programs import require_program

_COMPLAINT = re.compile(r'CONSOLE[^\]]*\] (".*?"), source:', re.DOTALL)


@dataclass(frozen=True)
class View:
    """A page as the browser holds it, and the lines on its console: errors, and what the page's policy forbade."""

    dom: str
    console: list[str]


def print_page(page: Path, folder: Path) -> list[str]:
    """Print a file with Chromium; return the text of each page, as another program reads it."""
    own = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}")
    paper = folder / "page.pdf"
    printing = ("--no-pdf-header-footer", f"--print-to-pdf={paper}")
    environ = {**os.environ, "HOME": str(folder)}
    asked = [require_program("chromium"), *own, *printing, page.as_uri()]
    subprocess.run(asked, env=environ, capture_output=True, check=True, timeout=120)
    return _sheets(paper)


def print_sheets(page: Page, paper: Path) -> list[str]:
    """Print a page that a browser has open into a file; return the text of each sheet, as another program reads it."""
    page.emulate_media(media="print")
    page.pdf(path=paper, prefer_css_page_size=True)
    page.emulate_media(media="null")
    return _sheets(paper)


def _sheets(paper: Path) -> list[str]:
    read = [require_program("pdftotext"), "-layout", str(paper), "-"]
    return subprocess.run(read, capture_output=True, check=True, timeout=60).stdout.decode().split("\f")[:-1]


def open_page(page: Path, folder: Path) -> View:
    """Open a file in Chromium; its profile is kept in `folder`, and what it looks like as `page.png`."""
    own = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}")
    seen = ("--hide-scrollbars", "--window-size=1280,1400", f"--screenshot={folder / 'page.png'}")
    told = ("--enable-logging=stderr", "--v=0", "--dump-dom")
    done = subprocess.run(
        [require_program("chromium"), *own, *seen, *told, page.as_uri()],
        env={**os.environ, "HOME": str(folder)},
        capture_output=True,
        check=True,
        timeout=120,
    )
    return View(done.stdout.decode(), _COMPLAINT.findall(done.stderr.decode("utf-8", "replace")))


@contextmanager
def browser() -> Iterator[Browser]:
    """Run Chromium for a block, to be driven: forms are filled in, and links followed."""
    program = require_program("chromium")
    with sync_playwright() as tools:
        made = tools.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield made
        finally:
            made.close()
