"""Accounts and VAT in words (interface: Account; wire facts 3.1)."""

from __future__ import annotations

from collections.abc import Iterable

MEANINGS = {
    "ASS": "assets",
    "ASS_DEP": "depreciable assets",
    "ASS_VAT": "VAT receivable",
    "ASS_REC": "accrued receivables",
    "ASS_PAY": "bank and cash",
    "ASS_DUE": "trade receivables",
    "LIA": "liabilities and equity",
    "LIA_EQU": "equity",
    "LIA_PRE": "profit of previous periods",
    "LIA_DUE": "trade payables",
    "LIA_DEB": "debts",
    "LIA_ACC": "accrued liabilities",
    "LIA_VAT": "VAT liability",
    "REV": "revenue",
    "REV_SAL": "sales revenue",
    "REV_NO": "tax-free revenue",
    "EXP": "expenses",
    "EXP_DEP": "depreciation",
    "EXP_NO": "non-deductible expenses",
    "EXP_50": "half-deductible expenses",
    "EXP_TAX": "tax account",
    "EXP_TAX_PRE": "prepaid taxes",
}
# the codes of entries without VAT handling
_NO_VAT = {"0", "3"}
_TYPES = {meaning.casefold(): name for name, meaning in MEANINGS.items()}


def type_of(written: str) -> str:
    """Return the type that was meant by its words, or the text itself: the service knows its own types best."""
    return _TYPES.get(" ".join(written.casefold().split()), written)


def types_of(written: Iterable[str]) -> list[str]:
    """Return the types that were meant."""
    return [type_of(one) for one in written]


def complete_types(incomplete: str) -> list[str]:
    """Complete the name of a type."""
    return [name for name in MEANINGS if name.startswith(incomplete)]


def vat_in_words(code: str, rate: str) -> str:
    """Return a VAT code and its rate as one text; nothing where there is no VAT to handle."""
    if code in _NO_VAT:
        return ""
    return f"{code} at {rate} %" if rate.strip("0.") else code
