"""Invoices as other programs read them: texts by pdftotext, codes by zbarimg from rendered pages."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from PIL import Image

from tests.programs import Program, require_program

# an inch; printers do 300 and more
DOTS = 200


def run(program: Program, *arguments: str) -> str:
    done = subprocess.run([require_program(program), *arguments], capture_output=True, check=True)
    return done.stdout.decode()


def save(content: bytes, folder: Path) -> Path:
    path = folder / "invoice.pdf"
    path.write_bytes(content)
    return path


def pages(content: bytes, folder: Path) -> list[str]:
    """Return the text of each page, blanks made one space."""
    texts = run("pdftotext", "-layout", str(save(content, folder)), "-").split("\f")[:-1]
    return [re.sub(r"\s+", " ", text) for text in texts]


def codes(content: bytes, folder: Path, page: int = 1, dots: int = DOTS) -> dict[str, str]:
    """Return what a scanner sees on a page of so many dots an inch, by the kind of the code."""
    picture = folder / "page.pgm"
    only = ("-f", str(page), "-l", str(page), "-singlefile")
    run("pdftoppm", "-r", str(dots), "-gray", *only, str(save(content, folder)), str(picture.with_suffix("")))
    return _codes(picture)


def printed_codes(content: bytes, folder: Path, printer: int, scanner: int) -> dict[str, str]:
    """Return what is seen on the first page, printed in black and white and scanned, each of so many dots an inch."""
    picture = folder / "page.pbm"
    first = ("-mono", "-f", "1", "-l", "1", "-singlefile")
    run("pdftoppm", "-r", str(printer), *first, str(save(content, folder)), str(picture.with_suffix("")))
    page = Image.open(picture).convert("L")
    size = round(page.width * scanner / printer), round(page.height * scanner / printer)
    page.resize(size, Image.Resampling.BOX).save(scanned := folder / "scanned.pgm")
    return _codes(scanned)


def _codes(picture: Path) -> dict[str, str]:
    found = {kind: _scan(kind, picture) for kind in ("code128", "qrcode")}
    return {kind: text for kind, text in found.items() if text}


def _scan(kind: str, picture: Path) -> str:
    options = ("--quiet", "--raw", "--set", "disable", "--set", f"{kind}.enable")
    # it fails where it sees none
    done = subprocess.run([require_program("zbarimg"), *options, str(picture)], capture_output=True, check=False)
    return done.stdout.decode().rstrip("\n")
