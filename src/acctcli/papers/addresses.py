"""Addresses as they stand on letters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from acctcli.law.world import COUNTRIES

# countries that letters know by another name
_POSTAL_NAMES = {"TR": "Turkey", "US": "United States of America", "VA": "Vatican City", "XK": "Kosovo"}


def country_of(record: Mapping[str, Any]) -> str | None:
    """Return the country of a business or a contact, in capitals: people may have written it small."""
    return (record["invoicing_country"] or "").upper() or None


def address_lines(record: Mapping[str, Any], sent_from: str | None) -> list[str]:
    """Return street, city and, where it is not that of the sender, the country of a business or a contact."""
    country = country_of(record)
    city = " ".join(part for name in ("postal_code", "city") if (part := record[f"invoicing_{name}"]))
    lines = [record["invoicing_street"], city]
    if country and country != sent_from:
        # in capitals and in English, which post offices everywhere read
        lines.append((_POSTAL_NAMES.get(country) or COUNTRIES.get(country, country)).upper())
    return [line for line in lines if line]
