"""A postal address that a contact dictates as XML."""

from __future__ import annotations

import pytest

from acctcli.einvoice.postal import read_address

STREET, TOWN, CODE = "<BuyerStreetName>PL 7</BuyerStreetName>", "<BuyerTownName>Ii</BuyerTownName>", "33101"
POST_CODE = f"<BuyerPostCodeIdentifier>{CODE}</BuyerPostCodeIdentifier>"


def wrapped(content: str, name: str = "BuyerPostalAddressDetails") -> str:
    return f"<{name}>{content}</{name}>"


def test_an_address_is_read() -> None:
    country = "<CountryCode>FI</CountryCode><CountryName>Suomi</CountryName>"
    address = read_address(wrapped(f"\n  {STREET * 3}\n  {TOWN}{POST_CODE}{country}"))
    assert [part.text for part in address] == ["PL 7"] * 3 + ["Ii", "33101", "FI", "Suomi"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("PL 7, Ii", "is no XML"),
        (wrapped(STREET + TOWN), "with its elements in their order"),
        (wrapped(TOWN + STREET + POST_CODE), "with its elements in their order"),
        (wrapped(STREET * 4 + TOWN + POST_CODE), "with its elements in their order"),
        (wrapped("c/o" + STREET + TOWN + POST_CODE), "with its elements in their order"),
        (wrapped(STREET + TOWN + POST_CODE, "PostalAddress"), "with its elements in their order"),
        (wrapped(STREET + TOWN + POST_CODE + "<CountryCode>FIN</CountryCode>"), "CountryCode is a text of 2 to 2"),
        (wrapped(STREET + "<BuyerTownName/>" + POST_CODE), "BuyerTownName is a text of 2 to 35"),
        (wrapped(STREET + "<BuyerTownName><b>Ii</b></BuyerTownName>" + POST_CODE), "BuyerTownName is a text"),
        (wrapped(STREET + '<BuyerTownName a="b">Ii</BuyerTownName>' + POST_CODE), "BuyerTownName is a text"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]>" + wrapped(STREET), "holds a declaration or a comment"),
    ],
)
def test_what_the_schema_would_refuse_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_address(text)
