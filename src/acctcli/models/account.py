"""Accounts of the chart (docs/interface.md 4.1)."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from acctcli.models.base import AccountNumber, Id, Money, Name256, Rate, Request, Text8192, whole, zero
from acctcli.models.enums import AccountType, VatRateLabel
from acctcli.models.reply import Stored, shown_as

VatHandling = Annotated[int, Field(ge=1, le=15), whole]


MOST_LANGUAGES = 32
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}", re.ASCII)


def _read_language(code: str) -> str:
    if not _LANGUAGE.fullmatch(code):
        raise PydanticCustomError("language", "Must be the code of a language, such as fi, sv, en or de.")
    return code


# beyond those that are shown, any that a service knows: codes of ISO 639, with a script or a region
LanguageCode = Annotated[str, StringConstraints(max_length=16), AfterValidator(_read_language)]


class NameTranslation(Request):
    """A name in one language."""

    key: LanguageCode
    value: Name256


def _one_per_language(names: list[NameTranslation]) -> list[NameTranslation]:
    if len({name.key for name in names}) < len(names):
        raise PydanticCustomError("translations", "Only one name per language.")
    return names


NameTranslations = Annotated[
    list[NameTranslation], Field(min_length=1, max_length=MOST_LANGUAGES), AfterValidator(_one_per_language)
]


ShownTranslations = Annotated[Any, shown_as(list[NameTranslation])]


class AccountRequest(Request):
    """What may be written of an account; `name` follows from `name_translations`."""

    number: AccountNumber
    name_translations: NameTranslations
    header_id: Id | None = None
    description: Text8192 | None = None
    type: AccountType = AccountType.EXP
    default_vat_code: VatHandling = 3
    default_vat_rate_label: VatRateLabel = VatRateLabel.ZERO
    opening_balance: Money = zero()


class AccountListItem(Stored):
    """An account in lists and in the reply to its creation."""

    number: str
    padded_number: int
    name: str
    name_translations: ShownTranslations
    header_id: int | None
    header_path: list[str]
    description: str | None
    type: str
    default_vat_code: int
    default_vat_rate_label: str
    default_vat_rate: Rate
    opening_balance: Money
    is_shown: bool


class Account(AccountListItem):
    """An account on its own, with its balance in natural sign (docs/interface.md 4.3)."""

    balance: Money
    is_used: bool
