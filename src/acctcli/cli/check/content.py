"""What files hold, against what was uploaded: the service refuses other bytes, and the audit trail has their hash."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING

from acctcli.cli.check.findings import Finding
from acctcli.cli.file.downloads import PATIENCE, files_of
from acctcli.client.downloads import AddressRefused, Budget, ContentKind, Fetcher
from acctcli.errors import NotFound, ServerFault

if TYPE_CHECKING:
    from acctcli.cli.check.books import Books
    from acctcli.cli.file.downloads import Source, Wanted
    from acctcli.cli.session.state import State

FILES = "files"
ANYTHING = ContentKind(re.compile(b""), is_page=True)


def check_files(here: State, books: Books) -> Iterator[Finding]:
    """Fetch every file that was uploaded, and name those that hold something else; what is printed has no record."""
    source, patience = files_of(here), here.options.timeout or PATIENCE
    with closing(Fetcher(here.http, Budget(sys.maxsize), here.options.ca_file, patience)) as fetcher:
        for wanted in [one for one in source.every() if one.id in books.uploaded]:
            problem, is_fault = _problem(source, fetcher, wanted, books.uploaded[wanted.id])
            if problem is not None:
                remedy = f"acctcli audit show file {wanted.id}"
                yield Finding(FILES, f"file {wanted.id}", f"{wanted.name}: {problem}", remedy, is_fault=is_fault)


def _problem(source: Source, fetcher: Fetcher, wanted: Wanted, recorded: str | None) -> tuple[str | None, bool]:
    """Say what is wrong with a file, and whether that is one of the books; an expired address is asked for anew."""
    into = BytesIO()
    try:
        try:
            fetcher.fetch(wanted.file or "", into, ANYTHING)
        except AddressRefused:
            fetcher.fetch(source.one(wanted.id).file or "", into, ANYTHING)
    except NotFound:
        return None, False  # deleted meanwhile
    except AddressRefused:
        return "what it holds is gone", True
    except ServerFault as fault:
        # without a status nobody was asked: the address is none that is fetched from here
        return fault.message, fault.status is not None
    is_another = recorded is not None and sha256(into.getbuffer()).hexdigest() != recorded
    return ("it does not hold what the audit trail says was uploaded", True) if is_another else (None, False)
