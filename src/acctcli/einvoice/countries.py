"""The countries of ISO 3166-1 by their two letters, and XI, which is Northern Ireland (BR-CL-14)."""

from __future__ import annotations

_SECOND_LETTERS = {
    "A": "DEFGILMOQRSTUWXZ",
    "B": "ABDEFGHIJLMNOQRSTVWYZ",
    "C": "ACDFGHIKLMNORUVWXYZ",
    "D": "EJKMOZ",
    "E": "CEGHRST",
    "F": "IJKMOR",
    "G": "ABDEFGHILMNPQRSTUWY",
    "H": "KMNRTU",
    "I": "DELMNOQRST",
    "J": "EMOP",
    "K": "EGHIMNPRWYZ",
    "L": "ABCIKRSTUVY",
    "M": "ACDEFGHKLMNOPQRSTUVWXYZ",
    "N": "ACEFGILOPRUZ",
    "O": "M",
    "P": "AEFGHKLMNRSTWY",
    "Q": "A",
    "R": "EOSUW",
    "S": "ABCDEGHIJKLMNORSTVXYZ",
    "T": "CDFGHJKLMNORTVWZ",
    "U": "AGMSYZ",
    "V": "ACEGINU",
    "W": "FS",
    "X": "I",
    "Y": "ET",
    "Z": "AMW",
}
COUNTRIES = frozenset(first + second for first, seconds in _SECOND_LETTERS.items() for second in seconds)
