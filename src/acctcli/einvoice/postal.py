"""The buyer's postal address as a contact dictates it: the element of Finvoice, written by hand."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError, fromstring

NAME = "BuyerPostalAddressDetails"
# what the schema of Finvoice 3.0 wants in it: names and how often they stand, in this order
_CONTENT = re.compile(
    "(BuyerStreetName ){1,3}BuyerTownName BuyerPostCodeIdentifier (BuyerCountrySubdivision )?(CountryCode )?"
    "(CountryName )?(BuyerPostOfficeBoxIdentifier )?"
)
_LENGTHS = {"CountryCode": (2, 2), "CountryName": (0, 35), "BuyerPostOfficeBoxIdentifier": (0, 35)}
_USUAL_LENGTH = (2, 35)


def read_address(text: str) -> Element:
    """Return the element a text holds; ValueError with what is wrong, where the schema would refuse it."""
    if "<!" in text:
        raise ValueError("holds a declaration or a comment")
    try:
        # without declarations there are no entities to expand
        address = fromstring(text)  # noqa: S314
    except ParseError as problem:
        raise ValueError(f"is no XML: {problem}") from problem
    names = "".join(f"{part.tag} " for part in address)
    between = "".join(text or "" for text in (address.text, *(part.tail for part in address)))
    if address.tag != NAME or address.attrib or not _CONTENT.fullmatch(names) or between.strip():
        raise ValueError(f"is no {NAME} of Finvoice 3.0, with its elements in their order")
    for part in address:
        shortest, longest = _LENGTHS.get(part.tag, _USUAL_LENGTH)
        if len(part) or part.attrib or not shortest <= len(part.text or "") <= longest:
            raise ValueError(f"{part.tag} is a text of {shortest} to {longest} characters")
    return address
