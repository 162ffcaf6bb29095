"""The fonts of paper."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import getFont

from acctcli.printing.alphabet import beyond
from acctcli.printing.fonts import bundled_fonts, fold, text_width


def test_pieces_are_never_wider_than_their_column() -> None:
    assert fold("", "Helvetica", 9, 50) == [""]
    assert fold("one two three", "Helvetica", 9, 40) == ["one two", "three"]
    assert fold("one  two three", "Helvetica", 9, 40) == ["one two", "three"]
    # a piece may be as wide as its column
    assert fold("one two three", "Helvetica", 9, text_width("one two", "Helvetica", 9)) == ["one two", "three"]
    assert "".join(fold("x" * 50, "Helvetica", 9, 40)) == "x" * 50


@pytest.mark.parametrize(
    "letters",
    [
        "ÅÄÖåäö ÆØæø ÞÐþð ß ẞ",
        "ĄĆĘŁŃÓŚŹŻ ąćęłńóśźż ČĎĚŇŘŠŤŮŽ čďěňřšťůž ŐŰőű ĂȘȚ ășț ĀĒĢĪĶĻŅŪ āēģīķļņū ĖĮŲ ėįų Ħħ Ġġ ı İ Ğğ",
        "ΑΒΓΔΩ αβγδω άέήίό АБВГДЯ абвгдя ЁёЇїЄєҐґ Ђђ Љљ",
        "€ £ § % · × ½ ² – — … “ ” „ ‘ ’ « » • \N{NO-BREAK SPACE}",
    ],
)
def test_the_bundled_fonts_have_the_letters_of_europe(letters: str) -> None:
    for name in bundled_fonts():
        known = getFont(name).face.charToGlyph
        assert [letter for letter in letters if ord(letter) not in known] == []


def test_figures_are_of_one_width() -> None:
    for name in bundled_fonts():
        assert len({text_width(figure, name, 9) for figure in "0123456789"}) == 1


def test_what_is_said_of_the_letters_is_what_the_fonts_have() -> None:
    every = "".join(map(chr, range(0xFFFD)))
    for name in bundled_fonts():
        known = getFont(name).face.charToGlyph
        assert set(beyond(every)) == {letter for letter in every if ord(letter) not in known}
