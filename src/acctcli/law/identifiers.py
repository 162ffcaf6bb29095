"""Official numbers that no one country gives, and addresses of e-invoices (docs/interface.md 3.2, 6.3; docs/law.md 5).

Every check raises ValueError with a sentence that says what would be right.
"""

from __future__ import annotations

import re

from acctcli import law
from acctcli.banking.checks import compact, mod_97
from acctcli.banking.iban import check_iban, looks_like_iban
from acctcli.law.world import COUNTRIES, VAT_FORMS, vat_letters

# an address of Finnish e-invoicing: the country's 0037, a Y-tunnus, and what tells parts of a company apart
OVT = re.compile(r"0037[0-9]{8}[0-9A-Z]{0,5}")
_DECORATION = re.compile(r"[\s.-]")
_VAT_ID = re.compile(r"[A-Z]{2}[0-9A-Z+*]{2,13}")
# of electronic addresses that are Leitweg-IDs, and why invoices bear one; the states have rules that say the same
LEITWEG_SCHEME, LEITWEG_LAW = "0204", "§ 5 (1) no. 1 ERechV"
_LEITWEG = re.compile(r"(0[1-9]|1[0-6]|99)[0-9]{0,10}(-[0-9A-Z]{1,30})?-[0-9]{2}")


def check_official_id(kind: str, text: str) -> str:
    """Return an identifier of a type in its official form; raise ValueError with what would be right."""
    for country in law.countries():
        if country.official_id.type == kind:
            return country.official_id.check(text)
    return check_vat_id(text)


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


def pays_by_digits(country: str | None) -> bool:
    """Whether payments of a country are told by references of digits alone (docs/law.md 6.1)."""
    return country == "FI"


def _is_vat_id(text: str) -> bool:
    try:
        check_vat_id(text)
    except ValueError:
        return False
    return True


def _form_of_vat_ids(plain: str) -> str:
    """Say how VAT ids that begin like this are written."""
    letters = vat_letters(plain[:2])
    if letters not in VAT_FORMS:
        return "the 2 letters of an EU country, then its number"
    return f"after {letters} come {VAT_FORMS[letters]}"


def check_account(text: str) -> None:
    """Check an account that has to be an IBAN; raise ValueError with what would be right."""
    try:
        check_iban(text)
    except ValueError as error:
        raise ValueError(f"An IBAN is needed, such as FI49 5000 9420 0287 30: {error}.") from error


def check_bic(text: str) -> None:
    """Check the code of a bank (ISO 9362); raise ValueError with what would be right."""
    from stdnum.bic import is_valid

    plain = compact(text)
    if not is_valid(plain) or plain[4:6] not in COUNTRIES.keys() | {"XK"}:
        raise ValueError("A BIC is needed, such as NDEAFIHH: 4 letters of the bank, 2 of its country, 2 or 5 more.")


def check_foreign_account(text: str) -> None:
    """Check an account that may be none of the IBAN countries: only what has the form of an IBAN must be one."""
    if looks_like_iban(text):
        check_account(text)


def check_einvoice_address(text: str) -> None:
    """Check an address of e-invoices that has the form of an OVT code or of an IBAN; others are free.

    VAT ids are addresses too, and those of some countries have the form of an IBAN.
    """
    from acctcli.law.finland import check_y_tunnus

    plain = compact(text)
    if not OVT.fullmatch(plain):
        if not _is_vat_id(text):
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
