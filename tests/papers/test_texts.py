"""Texts of the wire on paper."""

from __future__ import annotations

import pytest

from acctcli.papers.texts import paragraphs, told
from acctcli.printing.alphabet import clean


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  two \t lines\r\nof text ", "two lines of text"),
        ("1\N{NO-BREAK SPACE}000 kg", "1\N{NO-BREAK SPACE}000 kg"),
        ("1\N{NARROW NO-BREAK SPACE}000 kg", "1\N{NARROW NO-BREAK SPACE}000 kg"),
        ("A\N{COMBINING DIAERESIS}iti", "Äiti"),
        ("bell\a and \N{RIGHT-TO-LEFT OVERRIDE}hidden\N{SOFT HYPHEN} marks", "bell and hidden marks"),
        ("Turku → Oulu, B2B\N{NON-BREAKING HYPHEN}osa", "Turku -> Oulu, B2B-osa"),
        ("", ""),
    ],
)
def test_a_text_stands_on_one_line(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_paragraphs_are_lines_that_say_something() -> None:
    assert paragraphs("Thanks!\n\n  Come again. \r\n") == ["Thanks!", "Come again."]
    assert paragraphs(None) == []


def test_facts_without_a_value_are_not_told() -> None:
    assert told(("Number", 7), ("Reference", None), ("BIC", ""), ("Ours", " \a"), ("Name", " Ö  Oy ")) == [
        ("Number", "7"),
        ("Name", "Ö Oy"),
    ]
