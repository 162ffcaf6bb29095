"""Addresses of people: when two are the same, and which of them mail reaches (docs/interface.md 2.4)."""

from __future__ import annotations

import re
import unicodedata

LONGEST_NAME = 64
# RFC 5322, atext; letters, their marks and digits beyond ASCII are looked at one by one
ATOM = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]")
LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
WRITTEN = ("L", "M", "Nd")


def address_key(email: str) -> str:
    """Return what the same addresses have in common: upper and lower case, and letters put together otherwise.

    That is Unicode's form NFC in lower case, and no more: `ß` is not `ss`, and a domain is not its form in ASCII. No
    database is asked, for each has a lower case of its own.
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", email).lower())


def is_same(one: str, other: str) -> bool:
    """Say whether two addresses are the same."""
    return address_key(one) == address_key(other)


def is_reached(email: str) -> bool:
    """Say whether mail reaches an address as it is written: not one in quotes, nor one that is read as another."""
    name, _, domain = email.rpartition("@")
    atoms = name.split(".")
    is_name = len(name) <= LONGEST_NAME and all(atom and all(map(_is_written, atom)) for atom in atoms)
    return is_name and _survives(domain)


def _is_written(letter: str) -> bool:
    if letter.isascii():
        return ATOM.fullmatch(letter) is not None
    is_itself = unicodedata.normalize("NFKC", letter) == unicodedata.normalize("NFC", letter)
    return is_itself and unicodedata.category(letter).startswith(WRITTEN)


def _survives(domain: str) -> bool:
    """Say whether a domain is the same after it was written as mail writes it, in ASCII."""
    try:
        plain = domain.encode("idna").decode("ascii")
        is_kept = domain.isascii() or is_same(plain.encode("ascii").decode("idna"), domain)
    except UnicodeError:
        return False
    return is_kept and all(map(LABEL.fullmatch, plain.split(".")))
