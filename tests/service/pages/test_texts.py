"""The pages say the same in four languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from acctcli.service.pages import render
from acctcli.service.pages.texts import LANGUAGES, texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_everything(language: str) -> None:
    ours, english = texts(language), texts("en")
    assert list(ours) == list(english)
    assert all(text.strip() == text and text for text in ours.values())
    fields = {name: re.findall(r"\{\w+\}", text) for name, text in ours.items()}
    assert fields == {name: re.findall(r"\{\w+\}", text) for name, text in english.items()}


def test_everything_that_is_said_is_shown_somewhere() -> None:
    folder = Path(render.__file__).parent
    sources = "".join(path.read_text("utf-8") for path in [*folder.glob("*.py"), *folder.glob("templates/*.html")])
    unused = [name for name in texts("en") if not re.search(rf"""t\.{name}\b|["']{name}["']""", sources)]
    assert unused == []
