"""Accounts and VAT in words (docs/interface.md 4.1, 5.3)."""

from __future__ import annotations

# how types may be written
TYPES = "type: ASS_PAY, or its words: bank and cash"
# the codes of entries without VAT handling
_NO_VAT = {"0", "3"}


def type_of(written: str) -> str:
    """Return the type that was meant by its words, or the text itself: the service knows its own types best."""
    from acctcli.models.enums import AccountType

    meant = " ".join(written.casefold().split())
    return next((kind.value for kind in AccountType if kind.label.casefold() == meant), written)


def type_in_words(code: str) -> str:
    """Return the words for a type, or the type itself where the service has one more."""
    from acctcli.models.enums import AccountType

    return next((kind.label for kind in AccountType if kind == code), code)


def vat_in_words(code: str, rate: str) -> str:
    """Return a VAT code and its rate as one text; nothing where there is no VAT to handle."""
    from acctcli.printing.numbers import plain_rate

    if code in _NO_VAT:
        return ""
    return f"{code} at {plain_rate(rate)} %" if rate.strip("0.") else code
