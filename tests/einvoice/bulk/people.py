"""Who sells and who buys in random trade: businesses, persons and an office, with numbers whose check digits are right.

Check digits are those of python-stdnum: a number is drawn until it is valid.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from random import Random
from typing import Any

from stdnum import luhn
from stdnum.de import vat as german_vat
from stdnum.ee import kmkr
from stdnum.fi import ytunnus
from stdnum.iso7064 import mod_97_10

Wire = dict[str, Any]


class Seller(StrEnum):
    """Whose invoices they are; a small one is not liable for VAT, and has no VAT id."""

    FINNISH = "bulk-fi"
    GERMAN = "bulk-de"
    FINNISH_SMALL = "bulk-fi-small"
    GERMAN_SMALL = "bulk-de-small"

    @property
    def country(self) -> str:
        return "FI" if self in (Seller.FINNISH, Seller.FINNISH_SMALL) else "DE"

    @property
    def is_small(self) -> bool:
        return self in (Seller.FINNISH_SMALL, Seller.GERMAN_SMALL)


_FINNISH: Wire = {
    "form": "FI_OY",
    "contact_phone": "+358 9 123 4567",
    "invoicing_email": "laskut@myyja.example",
    "invoicing_contact": "Aino Öhman",
    "invoicing_street": "Mannerheimintie 1 A 2",
    "invoicing_postal_code": "00100",
    "invoicing_city": "Helsinki",
    "invoicing_country": "FI",
    "invoicing_default_penalty_interest": 11.5,
}
_GERMAN: Wire = {
    **_FINNISH,
    "form": "DE_UG",
    "contact_phone": "+49 30 123456",
    "invoicing_email": "rechnung@verkauf.example",
    "invoicing_contact": "Jörg Müßig",
    "invoicing_street": "Straße der Pariser Kommune 5",
    "invoicing_postal_code": "10243",
    "invoicing_city": "Berlin",
    "invoicing_country": "DE",
}
SELLERS: dict[Seller, Wire] = {
    Seller.FINNISH: {
        **_FINNISH,
        "name": "Kirjo & Kumpp. Oy",
        "business_id": "0112038-9",
        "invoicing_iban": "FI49 5000 9420 0287 30",
        "invoicing_electronic_address": "003701120389",
        "invoicing_electronic_address_scheme": "0216",
        "invoicing_vat_exemption_reason": "Terveyden- ja sairaanhoito, AVL 34 §; alukset, AVL 58 §",
    },
    Seller.GERMAN: {
        **_GERMAN,
        "name": "Müller „Werkstatt“ UG (haftungsbeschränkt)",
        "business_id": "1121081508150",
        "invoicing_iban": "DE89370400440532013000",
        "invoicing_bic": "COBADEFFXXX",
        "invoicing_electronic_address": "DE136695976",
        "invoicing_electronic_address_scheme": "9930",
        "invoicing_vat_exemption_reason": "Steuerfrei nach § 4 Nr. 2 und 21 UStG",
    },
    Seller.FINNISH_SMALL: {
        **_FINNISH,
        "name": "Ompelimo Väinölä Oy",
        "business_id": "1572860-0",
        "invoicing_iban": "FI79 4405 2020 0360 82",
        "invoicing_vat_exemption_reason": "Ei arvonlisäveroa, vähäinen toiminta, AVL 3 §",
    },
    Seller.GERMAN_SMALL: {
        **_GERMAN,
        "name": "Nähstübchen UG (haftungsbeschränkt)",
        "business_id": "2893081508152",
        "invoicing_iban": "DE02120300000000202051",
        "invoicing_bic": "BYLADEM1001",
        "invoicing_vat_exemption_reason": "Keine Umsatzsteuer, Kleinunternehmer nach § 19 UStG",
    },
}
VAT_IDS = {Seller.FINNISH: "FI01120389", Seller.GERMAN: "DE136695976"}

# country, city and post code of buyers; XI is Northern Ireland, whose addresses say GB
PLACES = {
    "FI": ("FI", "Jyväskylä", "40100"),
    "DE": ("DE", "Köln", "50667"),
    "SE": ("SE", "Örnsköldsvik", "891 33"),
    "EE": ("EE", "Põltsamaa", "48104"),
    "CH": ("CH", "Zürich", "8001"),
    "NO": ("NO", "Tromsø", "9008"),
    "US": ("US", "San José, CA", "95112"),
    "XI": ("GB", "Belfast", "BT1 5GS"),
}
_NAMES = (
    "Łódź Żagle", "Říční Čerpadla", "Søren Ørsted", "Þórður Ægisson", "Ștefan Țăran", "Žižka & synové",
    "Αθήνα Εμπορική", "София Търговия", "Ġgantija Ħaġar", "Őrség Tűzhely", "Kärcher <Süd>", "Ģirts Ķēniņš",
    "Düğün Işık", "Sámi Giellaŋ Đuoddar", "Ŵyr Llŷn", "O’Neill \"Bros\"", "L'Été à Nîmes", "Çelik Ğ", "Kühne  Nagel",
)  # fmt: skip
_STREETS = (
    "Hämeenkatu 10 B 21",
    "Straße des 17. Juni 135",
    "Ågatan 3, 2 tr",
    "Võru põik 7-2",
    "Œuvre № 9",
    "ул. Витоша 1",
)


def _number(dice: Random, form: str, is_valid: Callable[[str], bool]) -> str:
    """Put digits for the marks of a form until it is a valid number."""
    while True:
        drawn = "".join(dice.choice("0123456789") if mark == "#" else mark for mark in form)
        if is_valid(drawn):
            return drawn


def _leitweg(dice: Random) -> str:
    head = f"0{dice.randrange(1, 10)}{dice.randrange(10**6):06}", f"{dice.randrange(10**5):05}"
    return f"{head[0]}-{head[1]}-{mod_97_10.calc_check_digits(''.join(head))}"


def _company(dice: Random, place: str) -> Wire:
    """Return the numbers and addresses of a business, as its country gives them."""
    match place:
        case "FI":
            number = _number(dice, "#######-#", ytunnus.is_valid)
            plain = number.replace("-", "")
            return {
                "contact_business_id": number,
                "invoicing_tax_code": f"FI{plain}",
                "invoicing_einvoice_address": f"0037{plain}",
                "invoicing_einvoice_operator": "BAWCFI22",
            }
        case "DE":
            vat_id = _number(dice, "DE#########", german_vat.is_valid)
            return {"invoicing_tax_code": vat_id, **_electronic("9930", vat_id)}
        case "SE":
            number = _number(dice, "55########", luhn.is_valid)
            return {"invoicing_tax_code": f"SE{number}01", **_electronic("0007", number)}
        case "EE":
            vat_id = _number(dice, "EE#########", kmkr.is_valid)
            return {"invoicing_tax_code": vat_id, **_electronic("9931", vat_id)}
        case "XI":
            return {"invoicing_tax_code": "XI110305878"}
        case "NO":
            return _electronic("0192", "974760673")
        case _:
            return {}


def _electronic(scheme: str, address: str) -> Wire:
    return {"invoicing_electronic_address": address, "invoicing_electronic_address_scheme": scheme}


def customer(dice: Random, kind: str) -> Wire:
    """Draw the body of a contact of a kind: "office", or a place with `business` or `person` after it."""
    place, _, what = ("DE", "", "office") if kind == "office" else kind.partition(" ")
    country, city, postal_code = PLACES[place]
    drawn: Wire = {
        "name": f"{dice.choice(_NAMES)} {dice.choice(_NAMES)}",
        "is_invoicing_enabled": True,
        "invoicing_street": dice.choice(_STREETS),
        "invoicing_city": city,
        "invoicing_postal_code": postal_code,
        "invoicing_country": country,
        "invoicing_language": dice.choice(("fi", "sv", "en")),
    }
    if dice.random() < 0.7:
        drawn["invoicing_email"] = f"ostot{dice.randrange(1000)}@ostaja.example"
    if dice.random() < 0.3:
        drawn["customer_id"] = f"K-{dice.randrange(10**6)}"
    if what == "person":
        return {**drawn, "type": "PERSON"}
    if what == "office":
        route = _leitweg(dice)
        return {**drawn, "type": "BUSINESS", "xrechnung_buyer_reference": route, **_electronic("0204", route)}
    if dice.random() < 0.1:
        drawn["name"] = f"{drawn['name']} ({', '.join(dice.choices(_NAMES, k=9))})"
    return {**drawn, "type": "BUSINESS", **_company(dice, place)}
