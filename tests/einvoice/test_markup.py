"""Elements without empty ones."""

from __future__ import annotations

from xml.etree.ElementTree import tostring

import pytest

from acctcli.einvoice.markup import clean, document, node


def test_what_would_be_empty_is_left_out() -> None:
    element = node("a", node("b", None), node("c", node("d", " ")), node("e", "text", kind="x", other=None))
    assert element is not None
    assert tostring(element) == b'<a><e kind="x">text</e></a>'
    assert node("a", node("b", "")) is None


def test_what_xml_cannot_hold_is_left_out_and_what_an_encoding_lacks_is_numbered() -> None:
    element = node("a", "\x00x\x0b\ufffe☃ \U0001f600<&\n", b="\x1b☃")
    assert element is not None
    assert document(element, "ISO-8859-15") == (
        b"<?xml version='1.0' encoding='ISO-8859-15'?>\n<a b=\"&#9731;\">x&#9731; &#128512;&lt;&amp;\n</a>"
    )


@pytest.mark.parametrize("turning", "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_what_turns_letters_around_is_left_out_as_on_paper(turning: str) -> None:
    element = node("a", f"10.00{turning} kpl", b=f"x{turning}")
    assert element is not None
    assert tostring(element) == b'<a b="x">10.00 kpl</a>'
    assert clean("\u200d\u0627") == "\u200d\u0627"


def test_a_text_of_nothing_but_forbidden_characters_is_empty() -> None:
    assert node("a", "\x00\x01") is None
