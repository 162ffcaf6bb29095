"""Passwords of tests are cheap to check."""

from __future__ import annotations

import pytest

from acctcli.service.identity import passwords


@pytest.fixture(autouse=True)
def _cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a hash take no time: how long it takes is proved elsewhere."""
    monkeypatch.setattr(passwords, "MEMORY_KIB", 64)
    monkeypatch.setattr(passwords, "PASSES", 1)
