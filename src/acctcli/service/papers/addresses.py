"""Addresses as they stand on letters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# letters abroad end with the country in capitals, in a language that post offices everywhere read
_COUNTRIES = {
    "AD": "Andorra", "AL": "Albania", "AT": "Austria", "AU": "Australia", "BA": "Bosnia and Herzegovina",
    "BE": "Belgium", "BG": "Bulgaria", "BR": "Brazil", "BY": "Belarus", "CA": "Canada", "CH": "Switzerland",
    "CN": "China", "CY": "Cyprus", "CZ": "Czechia", "DE": "Germany", "DK": "Denmark", "EE": "Estonia", "ES": "Spain",
    "FI": "Finland", "FO": "Faroe Islands", "FR": "France", "GB": "United Kingdom", "GE": "Georgia",
    "GI": "Gibraltar", "GL": "Greenland", "GR": "Greece", "HK": "Hong Kong", "HR": "Croatia", "HU": "Hungary",
    "IE": "Ireland", "IL": "Israel", "IN": "India", "IS": "Iceland", "IT": "Italy", "JP": "Japan",
    "KR": "South Korea", "LI": "Liechtenstein", "LT": "Lithuania", "LU": "Luxembourg", "LV": "Latvia",
    "MC": "Monaco", "MD": "Moldova", "ME": "Montenegro", "MK": "North Macedonia", "MT": "Malta", "MX": "Mexico",
    "NL": "Netherlands", "NO": "Norway", "NZ": "New Zealand", "PL": "Poland", "PT": "Portugal", "RO": "Romania",
    "RS": "Serbia", "SE": "Sweden", "SG": "Singapore", "SI": "Slovenia", "SK": "Slovakia", "SM": "San Marino",
    "TR": "Turkey", "UA": "Ukraine", "US": "United States of America", "VA": "Vatican City", "XK": "Kosovo",
    "ZA": "South Africa",
}  # fmt: skip


def address_lines(record: Mapping[str, Any], sent_from: str | None) -> list[str]:
    """Return street, city and, where it is not that of the sender, the country of a business or a contact."""
    country = record["invoicing_country"]
    city = " ".join(part for name in ("postal_code", "city") if (part := record[f"invoicing_{name}"]))
    lines = [record["invoicing_street"], city]
    if country and country != sent_from:
        lines.append(_COUNTRIES.get(country, country).upper())
    return [line for line in lines if line]
