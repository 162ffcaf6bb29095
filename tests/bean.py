"""A third opinion on the books: journal reports as beancount ledgers, with the balances they must come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from beancount import loader

# the first letters of an account type to what beancount calls it
ROOTS = {"ASS": "Assets", "LIA": "Liabilities", "REV": "Income", "EXP": "Expenses"}


def to_beancount(
    report: Mapping[str, Any], types: Mapping[str, str], balances: Mapping[str, Decimal], last: date
) -> str:
    """Write a journal report as beancount text that asserts `balances`, debit positive, at the end of a day.

    Accounts are named by their numbers below the root of their type.
    """
    names = {number: f"{ROOTS[type_[:3]]}:A{number}" for number, type_ in types.items()}
    lines = [f"1970-01-01 open {name} EUR" for _, name in sorted(names.items())]
    for document in report["documents"]:
        lines += ["", *_transaction(document, names)]
    lines.append("")
    after = last + timedelta(days=1)
    lines += [f"{after} balance {names[n]} {balances.get(n, Decimal(0)):.2f} ~ 0.00 EUR" for n in sorted(names)]
    return "\n".join(lines) + "\n"


def _transaction(document: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[str]:
    yield f'{document["date"]} * "{document["number"]}" ^doc{document["document_id"]}'
    for entry in document["entries"]:
        yield f"  {names[entry['account_number']]}  {entry['debet'] - entry['credit']:.2f} EUR"


def find_faults(text: str) -> list[str]:
    """Return what beancount finds wrong."""
    _, errors, _ = loader.load_string(text)
    return [error.message for error in errors]
