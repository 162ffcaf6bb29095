"""A company of one's own in process, for the tests of one group of commands."""

from __future__ import annotations

import tarfile
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.journeys.places import Place, fresh


def company(folder: Path, form: str = "FI_OY") -> Place:
    """Return a user without settings and a business to work in: a copy of the first one of its form."""
    with tarfile.open(fileobj=BytesIO(_packed(form))) as files:
        # its argument `filter` came within 3.11
        files.extraction_filter = lambda member, _: member
        files.extractall(folder)
    return _user(folder)


@cache
def _packed(form: str) -> bytes:
    packed = BytesIO()
    with TemporaryDirectory() as folder:
        _user(Path(folder)).run("business", "create", "--name", "Company", "--form", form, "--slug", "company")
        with tarfile.open(fileobj=packed, mode="w") as files:
            files.add(folder, ".")
    return packed.getvalue()


def _user(folder: Path) -> Place:
    return fresh("in process", folder, ACCTCLI_BUSINESS="company")
