"""What an error of the operating system means (the tree of errors is tested where commands end with it)."""

from __future__ import annotations

import errno
import os

import pytest

from acctcli.errors import NotWritten, UsageError, unwritten


@pytest.mark.parametrize(("code", "hint"), [(errno.ENOSPC, None), (errno.EACCES, "elsewhere")])
def test_a_full_disk_has_no_way_out_and_another_place_has(code: int, hint: str | None) -> None:
    found = unwritten("cannot write", OSError(code, os.strerror(code)), "elsewhere")
    assert type(found) is (UsageError if hint else NotWritten)
    assert (str(found), found.hint) == (f"cannot write: {os.strerror(code)}", hint)


def test_an_error_without_a_number_says_what_it_says() -> None:
    assert str(unwritten("cannot write", OSError("the stream is closed"))) == "cannot write: the stream is closed"
