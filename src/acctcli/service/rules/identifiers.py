"""Official numbers, checked by the rules of whoever gives them (wire facts 2.4, 2.10, domain facts 1).

Every check raises ValueError with a sentence that says what would be right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from acctcli.banking.checks import compact, mod_97
from acctcli.banking.iban import check_iban, looks_like_iban
from acctcli.models.enums import IdentifierType

Record = Mapping[str, Any]
# by field, what raises ValueError when its text is wrong in this record
Check = Callable[[str, Record], object]
Checks = Mapping[str, Check]

# what follows the letters of a VAT id, by those letters: Greece writes EL, Northern Ireland XI
VAT_FORMS: dict[str, str] = {
    "AT": "U and 8 digits", "BE": "10 digits", "BG": "9 or 10 digits", "CY": "8 digits and a letter",
    "CZ": "8 to 10 digits", "DE": "9 digits", "DK": "8 digits", "EE": "9 digits", "EL": "9 digits",
    "ES": "9 characters, 7 digits in the middle", "FI": "8 digits", "FR": "2 characters and 9 digits",
    "HR": "11 digits", "HU": "8 digits", "IE": "8 or 9 characters, the last a letter", "IT": "11 digits",
    "LT": "9 or 12 digits", "LU": "8 digits", "LV": "11 digits", "MT": "8 digits", "NL": "9 digits, B and 2 digits",
    "PL": "10 digits", "PT": "9 digits", "RO": "2 to 10 digits", "SE": "12 digits, 01 the last of them",
    "SI": "8 digits", "SK": "10 digits", "XI": "9 or 12 digits",
}  # fmt: skip
EU_COUNTRIES = (VAT_FORMS.keys() - {"EL", "XI"}) | {"GR"}

# The checker would also read FI01120389, which is a VAT code
_Y_TUNNUS = re.compile(r"[0-9]{7}-?[0-9]")
_DECORATION = re.compile(r"[\s.-]")
_VAT_ID = re.compile(r"[A-Z]{2}[0-9A-Z+*]{2,13}")
_OVT = re.compile(r"0037[0-9]{8}[0-9A-Z]{0,5}")
_LEITWEG = re.compile(r"(0[1-9]|1[0-6]|99)[0-9]{0,10}(-[0-9A-Z]{1,30})?-[0-9]{2}")


def check_y_tunnus(text: str) -> str:
    """Return a Finnish business id as NNNNNNN-C; raise ValueError with what would be right."""
    from stdnum.exceptions import ValidationError
    from stdnum.fi import ytunnus

    try:
        if _Y_TUNNUS.fullmatch(text):
            return str(ytunnus.format(ytunnus.validate(text)))
        reason = "7 digits, a hyphen and a check digit"
    except ValidationError:
        reason = "the last digit checks the others, and this one does not"
    raise ValueError(f"A Y-tunnus is needed, such as 0112038-9: {reason}.")


def check_vat_id(text: str) -> str:
    """Return a VAT id of the EU without blanks, dots and hyphens; raise ValueError with what would be right."""
    from stdnum.eu import vat
    from stdnum.exceptions import InvalidFormat, ValidationError

    plain = _DECORATION.sub("", text).upper()
    try:
        if _VAT_ID.fullmatch(plain):
            return str(vat.validate(plain))
        reason = _form_of_vat_ids(plain)
    except InvalidFormat:
        reason = _form_of_vat_ids(plain)
    except ValidationError:
        reason = f"{_form_of_vat_ids(plain)} that check each other, and these do not"
    raise ValueError(f"A VAT id is needed, such as FI01120389: {reason}.")


def check_steuernummer(text: str) -> str:
    """Return a German tax number as its digits; raise ValueError with what would be right. It has no check digit."""
    from stdnum.de import stnr
    from stdnum.exceptions import ValidationError

    try:
        return str(stnr.validate(text))
    except ValidationError as error:
        form = "the 10 or 11 digits of the tax office or the 13 of the federation, such as 181/815/08155"
        raise ValueError(f"A Steuernummer is needed: {form}.") from error


OFFICIAL: Mapping[str, Callable[[str], str]] = {
    IdentifierType.Y_TUNNUS: check_y_tunnus,
    IdentifierType.VAT_CODE: check_vat_id,
    IdentifierType.STEUERNUMMER: check_steuernummer,
}


def check_account(text: str) -> None:
    """Check an account that has to be an IBAN; raise ValueError with what would be right."""
    try:
        check_iban(text)
    except ValueError as error:
        raise ValueError(f"An IBAN is needed, such as FI49 5000 9420 0287 30: {error}.") from error


def check_foreign_account(text: str) -> None:
    """Check an account that may be none of the IBAN countries: only what has the form of an IBAN must be one."""
    if looks_like_iban(text):
        check_account(text)


def check_einvoice_address(text: str) -> None:
    """Check an address of Finnish e-invoicing that has the form of an OVT code or of an IBAN; others are free."""
    plain = compact(text)
    if not _OVT.fullmatch(plain):
        check_foreign_account(text)
        return
    try:
        check_y_tunnus(plain[4:12])
    except ValueError as error:
        raise ValueError("An OVT code is needed, such as 003701120389: 0037 and the digits of a Y-tunnus.") from error


def check_leitweg(text: str) -> None:
    """Check the Leitweg-ID of a German office; raise ValueError with what would be right."""
    plain = text.strip().upper()
    if not _LEITWEG.fullmatch(plain):
        raise ValueError("A Leitweg-ID is needed: digits, a reference and 2 check digits, such as 04011000-12345-03.")
    if mod_97(plain.replace("-", "")) != 1:
        raise ValueError("A Leitweg-ID is needed, such as 04011000-12345-03: its last 2 digits check the others.")


def alone(check: Callable[[str], object]) -> Check:
    """Make a check that needs no other field than its own into one of a record."""
    return lambda text, record: check(text)


def written(record: Record, field: str) -> str:
    """Return what stands in a field, without the blanks around it."""
    return str(record[field] or "").strip()


def faults_of(checks: Checks, record: Record) -> dict[str, str]:
    """Return what is wrong with a record, by field; where nothing stands, nothing is wrong."""
    faults = {}
    for field, check in checks.items():
        if text := written(record, field):
            try:
                check(text, record)
            except ValueError as error:
                faults[field] = str(error)
    return faults


def new_faults(checks: Checks, after: Record, before: Record | None = None) -> dict[str, str]:
    """Return what a write makes wrong, by field.

    A number that was wrong before and stays as it was is not the fault of this write: what was let in once does not
    keep a record from being changed.
    """
    faults = faults_of(checks, after)
    if not faults or before is None:
        return faults
    old = faults_of(checks, before)
    return {field: text for field, text in faults.items() if field not in old or after[field] != before[field]}


def _form_of_vat_ids(plain: str) -> str:
    """Say how VAT ids that begin like this are written."""
    letters = "EL" if plain.startswith("GR") else plain[:2]
    if letters not in VAT_FORMS:
        return "the 2 letters of an EU country, then its number"
    return f"after {letters} come {VAT_FORMS[letters]}"
