"""The barcode of Finnish bank transfers: 54 digits, printed as Code 128 C (docs/law.md 6.2)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from acctcli.banking.checks import compact, is_digits
from acctcli.banking.iban import check_iban, is_finnish
from acctcli.banking.references import check_any_reference, check_creditor_reference, check_reference

LENGTH = 54
_LIMIT = Decimal(1_000_000)
_CENT = Decimal("0.01")
_NO_DATE = "000000"


class Transfer(NamedTuple):
    """What a bank barcode says; no amount and no date leave them to the payer."""

    iban: str
    amount: Decimal | None
    reference: str
    due: date | None


def bank_barcode(iban: str, amount: Decimal | None, reference: str, due: date | None) -> str | None:
    """Return the digits, or None where they cannot carry it.

    They carry Finnish accounts, 0.00 to 999 999.99 euros, references of digits, and days of this century.
    """
    try:
        account, checked = check_iban(iban), check_any_reference(reference)
    except ValueError:
        return None
    euros, day = _amount_digits(amount), _date_digits(due)
    if not is_finnish(account) or euros is None or day is None:
        return None
    if not checked.startswith("RF"):
        return f"4{account[2:]}{euros}000{checked:0>20}{day}"
    if not is_digits(checked[4:]):
        return None
    return f"5{account[2:]}{euros}{checked[2:4]}{checked[4:]:0>21}{day}"


def read_barcode(digits: str) -> Transfer:
    """Return what the digits say; raise ValueError with what is wrong."""
    plain = compact(digits)
    if len(plain) != LENGTH or not is_digits(plain):
        raise ValueError(f"a bank barcode has {LENGTH} digits")
    if plain[0] not in "45":
        raise ValueError(f"a bank barcode begins with 4 or 5, not with {plain[0]}")
    return Transfer(
        iban=check_iban(f"FI{plain[1:17]}"),
        amount=Decimal(int(plain[17:25])).scaleb(-2) if plain[17:25].strip("0") else None,
        reference=_read_reference(plain),
        due=_read_date(plain[48:]),
    )


def _amount_digits(amount: Decimal | None) -> str | None:
    if amount is None:
        return "0" * 8
    if not 0 <= amount < _LIMIT or amount % _CENT:
        return None
    return f"{int(amount.scaleb(2)):08}"


def _date_digits(due: date | None) -> str | None:
    if due is None:
        return _NO_DATE
    return f"{due:%y%m%d}" if 2000 <= due.year <= 2099 else None


def _read_reference(plain: str) -> str:
    if plain[0] == "5":
        return check_creditor_reference(f"RF{plain[25:48]}")
    if plain[25:28] != "000":
        raise ValueError("the digits 26 to 28 of a barcode that begins with 4 are zeros")
    return check_reference(plain[28:48])


def _read_date(digits: str) -> date | None:
    if digits == _NO_DATE:
        return None
    return date(2000 + int(digits[:2]), int(digits[2:4]), int(digits[4:]))
