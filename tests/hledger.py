"""A second opinion on the books: journal reports as hledger journals, checked by hledger itself."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from tests.programs import require_program

# what hledger reads as something else: payee and note, a comment, a tag, the end of a line
_MEANINGFUL = str.maketrans({"|": "/", ";": ",", ":": ".", "\n": " ", "\r": " ", "\t": " "})


def to_hledger(report: Mapping[str, Any]) -> str:
    """Write a journal report (docs/interface.md 10.3, amounts as Decimal) as hledger journal text.

    Accounts are their numbers, so that balances come back under the service's own key; amounts are debit
    minus credit in EUR. Every account and the commodity are declared, as `hledger check --strict` demands.
    """
    documents = report["documents"]
    lines = ["commodity 1000.00 EUR", "", *_declare_accounts(documents), ""]
    for document in documents:
        lines += [*_transaction(document, str(report["date_from"])), ""]
    return "\n".join(lines)


def _declare_accounts(documents: list[Mapping[str, Any]]) -> Iterator[str]:
    names = {entry["account_number"]: entry["account_name"] for document in documents for entry in document["entries"]}
    for number, name in sorted(names.items()):
        yield f"account {number}  ; {_plain(name)}"


def _transaction(document: Mapping[str, Any], default_date: str) -> Iterator[str]:
    entries = document["entries"]
    texts = [_plain(entry.get("description") or "") for entry in entries]
    title = next((text for text in texts if text), "")
    yield f"{document.get('date') or default_date} ({document['number']}) {title}".rstrip()
    for entry, text in zip(entries, texts, strict=True):
        amount = Decimal(entry["debet"]) - Decimal(entry["credit"])
        comment = f"  ; {text}" if text else ""
        yield f"    {entry['account_number']}  {amount:.2f} EUR{comment}"


def _plain(text: str) -> str:
    return " ".join(text.translate(_MEANINGFUL).split())


def find_faults(journal: str) -> str:
    """Return what `hledger check --strict` finds wrong with a journal; nothing when it passes."""
    done = _run(journal, "check", "--strict")
    return "" if done.returncode == 0 else done.stderr or f"exit {done.returncode}"


def read_balances(journal: str) -> dict[str, Decimal]:
    """Return account number -> debit minus credit, as hledger adds it up; settled accounts are left out.

    Raises AssertionError where `find_faults` would find something: what is found strictly need not be read again.
    """
    done = _run(journal, "balance", "--strict", "--flat", "--output-format", "json")
    if done.returncode:
        raise AssertionError(done.stderr)
    rows, _ = json.loads(done.stdout)
    return {name: _sum_amounts(amounts) for name, _, _, amounts in rows}


def _sum_amounts(amounts: list[dict[str, Any]]) -> Decimal:
    total = Decimal(0)
    for amount in amounts:
        quantity = amount["aquantity"]
        total += Decimal(quantity["decimalMantissa"]).scaleb(-quantity["decimalPlaces"])
    return total


def _run(journal: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = require_program("hledger")
    return subprocess.run(
        [program, "--file", "-", *arguments], input=journal, capture_output=True, text=True, check=False
    )
