"""International bank account numbers, and the banks of Finnish ones (docs/law.md 5.4)."""

from __future__ import annotations

import re

from acctcli.banking.checks import check_digits, compact, is_digits, mod_97

_FORM = re.compile(r"[A-Z]{2}[0-9]{2}[0-9A-Z]{10,30}")
# a slip of the finger leaves some characters out or adds some
_LIKENESS = re.compile(r"[A-Z]{2}[0-9]{2}[0-9A-Z]{8,}")
# the registry of ISO 13616
_LENGTHS = {
    country: int(length)
    for length, countries in {
        "15": "NO",
        "16": "BE",
        "18": "DK FI FK FO GL NL SD",
        "19": "MK SI",
        "20": "AT BA EE KZ LT LU MN XK",
        "21": "CH HR LI LV",
        "22": "BG BH CR DE GB GE IE ME RS VA",
        "23": "AE GI IL IQ OM SO TL",
        "24": "AD CZ ES MD PK RO SA SE SK TN VG",
        "25": "LY PT ST",
        "26": "IS TR",
        "27": "BI DJ FR GR IT MC MR SM",
        "28": "AL AZ BY CY DO GT HN HU LB NI PL SV",
        "29": "BR EG PS QA UA",
        "30": "JO KW MU YE",
        "31": "MT SC",
        "32": "LC",
        "33": "RU",
    }.items()
    for country in countries.split()
}
# where banks take part in SEPA credit transfers: the EEA, and the states that joined its schemes
_SEPA = (
    "AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE "
    "SI SK SM VA"
)
# the first digits of the accounts of each bank
_FINNISH_BANKS = {
    "AABAFI22": "6",
    "BIGKFIH1": "717",
    "CITIFIHX": "713",
    "DABAFIHH": "34 8",
    "DNBAFIHX": "37",
    "ESSEFIHX": "33",
    "EVSEFIHH": "714",
    "HELSFIHH": "405 497",
    "HOLVFIHH": "799",
    "ITELFIHH": "400 402-403 406-408 410-412 414-421 423-432 435-452 454-464 483-493 495-496 715",
    "IVPYFIH2": "792",
    "NARYFIH2": "796",
    "NDEAFIHH": "1 2",
    "OKOYFIHH": "5",
    "PASXFIH2": "794",
    "POPFFI22": "47",
    "SBANFIHH": "36 39",
    "TRYEFIH2": "797",
    "TRYEFIH3": "793",
    "UASNFIH2": "718",
    "WAMOFIH2": "795",
}


def check_iban(text: str) -> str:
    """Return an IBAN without blanks, in capitals; raise ValueError with what is wrong."""
    iban = compact(text)
    if not _FORM.fullmatch(iban):
        raise ValueError("an IBAN is two letters of a country, two check digits and 10 to 30 letters or digits")
    country = iban[:2]
    length = _LENGTHS.get(country)
    if length is None:
        raise ValueError(f"{country} is no country of IBANs")
    if len(iban) != length:
        raise ValueError(f"an IBAN of {country} has {length} characters, and this has {len(iban)}")
    if mod_97(f"{iban[4:]}{iban[:4]}") != 1 or not 2 <= int(iban[2:4]) <= 98:
        raise ValueError("the check digits of the IBAN do not fit the account")
    if is_finnish(iban) and not _is_finnish_account(iban[4:]):
        raise ValueError("the last digit of the Finnish account does not check the others")
    if not _has_form_of_its_country(iban):
        raise ValueError(f"an account of {country} has digits and letters in other places")
    return iban


def _has_form_of_its_country(iban: str) -> bool:
    """Whether digits and letters stand where the registry of the country's accounts has them, where it is known."""
    from stdnum.exceptions import InvalidFormat, ValidationError
    from stdnum.iban import validate

    try:
        validate(iban, check_country=False)
    except InvalidFormat:
        return False
    except ValidationError:
        pass  # a country that the registry at hand does not know
    return True


def looks_like_iban(text: str) -> bool:
    """Whether an account is meant as an IBAN, right or wrong: a country of IBANs, two digits, and much more.

    Countries without IBANs have accounts of their own, and domestic giros such as BG 5805-6201 are too short.
    """
    plain = compact(text)
    return plain[:2] in _LENGTHS and _LIKENESS.fullmatch(plain) is not None


def finnish_bic(iban: str) -> str | None:
    """Return the BIC of the bank that issued a Finnish IBAN, or None where its number says nothing."""
    plain = compact(iban)
    if not is_finnish(plain):
        return None
    return next((bic for bic, ranges in _FINNISH_BANKS.items() if _is_within(plain[4:7], ranges)), None)


def is_finnish(iban: str) -> bool:
    """Whether an account that is an IBAN is of Finland: only those have references and barcodes of their own."""
    return iban.startswith("FI")


def takes_sepa(iban: str) -> bool:
    """Whether an account that is an IBAN is of a country whose banks take SEPA transfers (docs/payments.md 1.2)."""
    return iban[:2] in _SEPA.split()


def finnish_iban(account: str) -> str:
    """Return the IBAN of a Finnish account, which has 14 digits."""
    return f"FI{check_digits('FI', account)}{account}"


def german_iban(bank: str, account: str) -> str:
    """Return the IBAN of a German account: the code of its bank, of 8 digits, and its number, of 10 at most."""
    body = f"{bank}{account:>010}"
    return f"DE{check_digits('DE', body)}{body}"


def grouped(iban: str) -> str:
    """Return an IBAN as it is printed: in groups of four."""
    plain = compact(iban)
    return " ".join(plain[start : start + 4] for start in range(0, len(plain), 4))


def _is_within(digits: str, ranges: str) -> bool:
    """Whether the first digits of an account are among ranges such as `34 402-403`."""
    for part in ranges.split():
        first, _, last = part.partition("-")
        if first <= digits[: len(first)] <= (last or first):
            return True
    return False


def _is_finnish_account(account: str) -> bool:
    """Whether the last of 14 digits checks the others: every second from the right doubled, the sum of all digits."""
    if not is_digits(account):
        return False
    doubled = (str(int(digit) * (1 + place % 2)) for place, digit in enumerate(reversed(account)))
    return sum(int(digit) for digit in "".join(doubled)) % 10 == 0
