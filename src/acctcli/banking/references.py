"""Payment references: the Finnish one and the RF creditor reference, ISO 11649.

See docs/interface.md 7.2; docs/law.md 6.1.
"""

from __future__ import annotations

import re
from itertools import cycle

from acctcli.banking.checks import check_digits, compact, is_digits, mod_97
from acctcli.banking.iban import is_finnish

_WEIGHTS = (7, 3, 1)
_RF = re.compile(r"RF[0-9]{2}[0-9A-Z]{1,21}")
_LIKE_RF = re.compile(r"RF[0-9]{2}")


def national_reference(base: int | str) -> str:
    """Return the Finnish reference of 3 to 19 base digits: the digits and their check digit.

    Raise ValueError for a base that is too short, too long or no number.
    """
    digits = compact(str(base)).lstrip("0")
    if not is_digits(digits) or not 3 <= len(digits) <= 19:
        raise ValueError(f"a reference is made of 3 to 19 digits, and {base} is not")
    return digits + _check_digit(digits)


def rf_reference(national: str) -> str:
    """Return the international form of a complete Finnish reference; raise ValueError where that is wrong."""
    digits = _check_national(compact(national))
    return f"RF{check_digits('RF', digits)}{digits}"


def check_reference(text: str) -> str:
    """Return a Finnish reference, plain or in RF form, without blanks and leading zeros.

    Raise ValueError with what is wrong.
    """
    plain = compact(text)
    if not plain.startswith("RF"):
        return _check_national(plain)
    checked = check_creditor_reference(plain)
    _check_national(checked[4:])
    return checked


def check_creditor_reference(text: str) -> str:
    """Return an RF reference of any country without blanks and leading zeros; raise ValueError with what is wrong."""
    plain = compact(text)
    if not _RF.fullmatch(plain):
        raise ValueError("an RF reference is RF, two check digits and 1 to 21 letters or digits")
    if mod_97(f"{plain[4:]}{plain[:4]}") != 1:
        raise ValueError("the check digits after RF do not fit the reference")
    return plain[:4] + plain[4:].lstrip("0")


def check_any_reference(text: str) -> str:
    """Return a Finnish reference, or an RF reference of any country; raise ValueError with what is wrong."""
    plain = compact(text)
    return check_creditor_reference(plain) if plain.startswith("RF") else _check_national(plain)


def payable_reference(text: str, account: str) -> str:
    """Return a reference that banks carry as one: in RF form, or a Finnish one to a Finnish account (an IBAN, or none).

    Other words are free, and none of these: empty then. Raise ValueError where check digits are wrong.
    """
    plain = compact(text)
    if _LIKE_RF.match(plain):
        return check_creditor_reference(plain)
    if is_digits(plain) and (not account or is_finnish(account)):
        return _check_national(plain)
    return ""


def grouped(reference: str) -> str:
    """Return a reference as it is printed: groups of five from the right, an RF reference in fours from the left."""
    plain = compact(reference)
    if plain.startswith("RF"):
        return " ".join(plain[start : start + 4] for start in range(0, len(plain), 4))
    head = len(plain) % 5
    return " ".join([plain[:head]] * bool(head) + [plain[start : start + 5] for start in range(head, len(plain), 5)])


def _check_national(plain: str) -> str:
    if not is_digits(plain):
        raise ValueError("a reference is 4 to 20 digits, or an RF reference")
    digits = plain.lstrip("0")
    if not 4 <= len(digits) <= 20:
        raise ValueError("a reference has 4 to 20 digits, leading zeros not counted")
    if digits[-1] != _check_digit(digits[:-1]):
        raise ValueError("the last digit of the reference does not check the others")
    return digits


def _check_digit(base: str) -> str:
    """Weigh the digits 7, 3, 1 from the right; the check digit fills the sum up to the next ten."""
    return str(-sum(int(digit) * weight for digit, weight in zip(reversed(base), cycle(_WEIGHTS), strict=False)) % 10)
