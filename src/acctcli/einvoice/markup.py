"""Elements without empty ones: neither UBL nor Finvoice wants them."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, indent, tostring

# what XML 1.0 cannot hold, not even escaped, and what lets programs show letters in another order than paper does
_FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def node(tag: str, *content: Element | str | None, **attributes: str | None) -> Element | None:
    """Return an element with texts and elements, or None when nothing would be in it."""
    element = Element(tag, {name: clean(value) for name, value in attributes.items() if value is not None})
    for part in content:
        if isinstance(part, Element):
            element.append(part)
        elif part is not None:
            element.text = clean(part)
    return element if len(element) or (element.text or "").strip() else None


def written(text: str | None) -> str | None:
    """Return a text without blanks around it, or None when nothing is left to write."""
    return clean(text or "").strip() or None


def clean(text: str) -> str:
    """Return a text without what XML cannot hold and what turns letters around (docs/law.md 7.3)."""
    return _FORBIDDEN.sub("", text)


def document(root: Element, encoding: str) -> bytes:
    """Return the file; what the encoding lacks becomes a numeric reference, so that no character is lost."""
    indent(root)
    file: bytes = tostring(root, encoding=encoding, xml_declaration=True)
    return file
