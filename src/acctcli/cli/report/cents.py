"""Documents of a journal added up in whole cents, hundreds at a time.

Of a million entries decimals take half of the time that it takes to read them. Amounts as the service writes them, with
two decimals, are as exact in cents; whatever else may be right is left to who reads all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import accumulate

import msgspec

_DIGITS = b"0123456789"
_ALIKE = bytes.maketrans(_DIGITS, b"0" * len(_DIGITS))
_NOTHING = msgspec.Raw(b"0.00")


class _Sides(msgspec.Struct, gc=False):
    debet: msgspec.Raw
    credit: msgspec.Raw


class _Document(msgspec.Struct, gc=False):
    entries: list[_Sides]
    totals: _Sides
    number: str | None = None


_decode = msgspec.json.Decoder(_Document).decode
_decode_numbers = msgspec.json.Decoder(list[int]).decode


def added_up(rows: Sequence[msgspec.Raw]) -> tuple[Decimal, Decimal] | None:
    """Return debit and credit of documents whose sides and totals are all the same; None where that is not sure."""
    try:
        documents = list(map(_decode, rows))
    except (msgspec.DecodeError, RecursionError):
        return None
    debit: list[msgspec.Raw] = []
    credit: list[msgspec.Raw] = []
    told: list[msgspec.Raw] = []
    debit_ends: list[int] = []
    credit_ends: list[int] = []
    for document in documents:
        for line in document.entries:
            if line.credit == _NOTHING:
                debit.append(line.debet)
            elif line.debet == _NOTHING:
                credit.append(line.credit)
            else:
                return None
        debit_ends.append(len(debit))
        credit_ends.append(len(credit))
        if document.totals.debet != document.totals.credit:
            return None
        told.append(document.totals.debet)
    sums = _sums(debit, debit_ends)
    # documents whose sums up to the end of each are the same have each the same
    if not sums or sums != _sums(credit, credit_ends) or sums != _sums(told, range(1, len(told) + 1)):
        return None
    both = Decimal(sums[-1]).scaleb(-2)
    return both, both


def _sums(amounts: Sequence[msgspec.Raw], ends: Iterable[int]) -> list[int] | None:
    """Return what all amounts up to the end of each document add up to; None where one is no plain amount."""
    cents = _in_cents(amounts)
    if cents is None:
        return None
    sums = list(accumulate(cents, initial=0))
    return [sums[end] for end in ends]


def _in_cents(amounts: Sequence[msgspec.Raw]) -> list[int] | None:
    """Return the cents of amounts with two decimals and no sign; None where one is written in another way."""
    count = len(amounts)
    text = b",".join([b"", *amounts, b""])
    if text.translate(None, _DIGITS) != b",." * count + b"," or text.translate(_ALIKE).count(b".00,") != count:
        return None
    # JSON has no zeros in front of other digits
    plain = text.replace(b",0.0", b",").replace(b",0.", b",").replace(b".", b"")
    try:
        return _decode_numbers(b"[" + plain[1:-1] + b"]")
    except msgspec.DecodeError:  # too many digits
        return None
