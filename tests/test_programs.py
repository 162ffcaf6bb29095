"""A missing program skips a test by name, except in CI, where it fails."""

from __future__ import annotations

import sys

import pytest

from tests.programs import require_program

MISSING = "no-such-program-4711"


def test_finds_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(sys.executable).rpartition("/")[0])
    assert require_program("python").endswith("/python")


def test_skips_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=MISSING):
        require_program(MISSING)


def test_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=MISSING):
        require_program(MISSING)
