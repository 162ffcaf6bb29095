from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep locks and files of tokens in a folder of the test's own."""
    for kind in ("CONFIG", "STATE"):
        monkeypatch.setenv(f"ACCTCLI_{kind}_DIR", str(tmp_path / kind.lower()))
