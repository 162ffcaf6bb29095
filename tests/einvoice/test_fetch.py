"""The rules are fetched before the tests, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.einvoice import fetch
from tests.einvoice.rulebooks import Rulebook

NOBODY = "http://127.0.0.1:9/simple"


@pytest.fixture
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """pip finds no index, and does not try for long."""
    settings = {
        "INDEX_URL": NOBODY,
        "EXTRA_INDEX_URL": "",
        "FIND_LINKS": "",
        "RETRIES": "0",
        "CONFIG_FILE": "/dev/null",
    }
    for name, value in {**settings, "NO_CACHE_DIR": "1"}.items():
        monkeypatch.setenv(f"PIP_{name}", value)


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("", 0)])
@pytest.mark.usefixtures("_offline")
def test_without_a_network_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ci: str, code: int
) -> None:
    monkeypatch.setenv("CI", ci)
    assert fetch.main(tmp_path / "rules") == code
    assert "cannot be fetched" in capsys.readouterr().out
    assert not (tmp_path / "rules").exists()


@pytest.mark.usefixtures("_offline", "rulebook")
def test_what_is_there_is_not_fetched_again() -> None:
    assert fetch.main() == 0


def test_rules_of_other_pins_are_fetched_anew(tmp_path: Path, rulebook: Rulebook) -> None:
    (tmp_path / fetch.PINNED.name).write_text("other-package==1.0")
    assert not fetch.is_there(tmp_path)
    assert fetch.is_there()
