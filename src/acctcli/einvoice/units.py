"""Units of the wire, which are free text, as codes of UN/ECE Recommendation 20 (BT-130)."""

from __future__ import annotations

ONE = "C62"
# code -> what people write in fi, sv, en and de
_WRITTEN = {
    ONE: "kpl kappale st stk stück stuck pcs pc piece pieces ea each unit",
    "HUR": "h tunti tuntia tim timme std stunde stunden hr hour hours",
    "MIN": "min minuutti minut minute minutes minuten",
    "DAY": "pv päivä päivää d dag dgr tag tage day days",
    "WEE": "vk viikko viikkoa vecka woche wochen wk week weeks",
    "MON": "kk kuukausi kuukautta mån månad mon monat monate month months",
    "ANN": "v vuosi vuotta år jahr jahre year years",
    "KGM": "kg kilo kilogram",
    "GRM": "g gramma gram gramm",
    "TNE": "tn tonni ton tonne",
    "LTR": "l litra liter litre",
    "MTR": "m metri meter metre jm",
    "KMT": "km kilometri kilometer",
    "MTK": "m2 m² neliö qm",
    "MTQ": "m3 m³ kuutio cbm",
    "KWH": "kwh",
    "SET": "setti sarja sats set satz",
    "PR": "pari par paar pair",
    "P1": "% prosentti procent percent prozent",
}
_CODES = {word: code for code, words in _WRITTEN.items() for word in words.split()}


def unit_code(unit: str) -> str | None:
    """Return the code of a unit as people write it, or None for one that nobody knows."""
    return _CODES.get(unit.strip().casefold())
