"""A real browser, without a window: what it makes of a page, what it complains about, and what it looks like."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.programs import require_program

_COMPLAINT = re.compile(r'CONSOLE[^\]]*\] (".*?"), source:', re.DOTALL)


@dataclass(frozen=True)
class View:
    """A page as the browser holds it, and the lines on its console: errors, and what the page's policy forbade."""

    dom: str
    console: list[str]


def open_page(page: Path, folder: Path) -> View:
    """Open a file in Chromium; its profile is kept in `folder`."""
    done = _chromium(folder, "--enable-logging=stderr", "--v=0", "--dump-dom", page.as_uri())
    return View(done.stdout.decode(), _COMPLAINT.findall(done.stderr.decode("utf-8", "replace")))


def photograph(page: Path, picture: Path, folder: Path, *, width: int = 1280, height: int = 1400) -> None:
    """Save what a page looks like as a PNG."""
    _chromium(folder, "--hide-scrollbars", f"--window-size={width},{height}", f"--screenshot={picture}", page.as_uri())


def _chromium(folder: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
    own = f"--user-data-dir={folder / 'profile'}"
    return subprocess.run(
        [require_program("chromium"), "--headless", "--no-sandbox", "--disable-gpu", own, *options],
        capture_output=True,
        check=True,
        timeout=120,
    )
