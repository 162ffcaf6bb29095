"""How a bank writes its CSV: what stands in which column, and how days and amounts look (docs/bank.md 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from acctcli.banking.statements.model import StatementFault


class Columns(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """The headings of columns. Money is `amount`, or `credit` and `debit`; `fee` is part of it and only told.

    Where payer and payee have columns of their own, the other side is `…_in` for money that came, `…_out` for money
    that left. `text` are put together. `balance` is that of the account after the movement, which proves the file.
    """

    booked: str
    amount: str = ""
    credit: str = ""
    debit: str = ""
    sign: str = ""
    fee: str = ""
    valued: str = ""
    reference: str = ""
    name: str = ""
    name_in: str = ""
    name_out: str = ""
    iban: str = ""
    structured: str = ""
    end_to_end: str = ""
    code: str = ""
    text: list[str] = []
    original: str = ""
    original_currency: str = ""
    currency: str = ""
    account: str = ""
    balance: str = ""

    @property
    def named(self) -> dict[str, str]:
        """The headings by what they are for."""
        found = {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) and name != "text"}
        return found | {f"text {place}": heading for place, heading in enumerate(self.text, 1)}


class LeftOut(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """Which rows are not booked yet: those with one of some values in a column, or without one of others."""

    column: str
    values: list[str] = []
    unless: list[str] = []


class Profile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """A bank's way. `header` are headings by which its files are told from others; all of them have to be there.

    `day` is written as `%d.%m.%Y`. `minus` are the words of the column `sign` that make an amount negative, `empty`
    what stands for nothing, `strip` what stands around texts, `prefix` what stands before structured references. `skip`
    lines come before the headings. Whether the newest row is the first one counts where neither balances nor days tell.
    Of a file of several accounts, one a currency, `only_currency` is the one that is read: the others are left out.
    """

    title: str
    header: list[str]
    columns: Columns
    day: str
    delimiter: str = ";"
    decimal: Literal[",", "."] = ","
    thousands: str = ""
    encoding: str = "auto"
    currency: str = ""
    only_currency: str = ""
    skip: int = 0
    is_negated: bool = False
    is_fee_negative: bool = False
    is_newest_first: bool = False
    minus: list[str] = []
    empty: list[str] = []
    strip: str = ""
    prefix: str = ""
    left_out: LeftOut | None = None


def read_profile(values: Mapping[str, Any]) -> Profile:
    """Return the profile that a TOML document holds; raise StatementFault naming what is wrong with it."""
    try:
        profile = msgspec.convert(values, Profile)
    except msgspec.ValidationError as problem:
        told, _, place = str(problem).partition(" - at `$.")
        raise StatementFault(told, field=place.rstrip("`") or None) from None
    _check(profile)
    return profile


def _check(profile: Profile) -> None:
    columns = profile.columns
    money = bool(columns.amount), bool(columns.credit and columns.debit)
    faults = {
        "columns.amount": "" if any(money) and not all(money) else "give amount, or credit and debit",
        "minus": "" if bool(profile.minus) == bool(columns.sign) else "minus and columns.sign belong together",
        "delimiter": "" if len(profile.delimiter) == 1 else "a delimiter is one character",
        "thousands": "" if profile.thousands != profile.decimal else "it is the decimal sign",
        "currency": "" if profile.currency or columns.currency else "give a currency, or columns.currency",
        "only_currency": "" if columns.currency or not profile.only_currency else "no column tells currencies",
        "is_fee_negative": "" if columns.fee or not profile.is_fee_negative else "there is no column of fees",
        "skip": "" if 0 <= profile.skip <= 1000 else "it is no number of lines",
        "encoding": "" if profile.encoding == "auto" or _is_encoding(profile.encoding) else "there is no such encoding",
    }
    for field, told in faults.items():
        if told:
            raise StatementFault(told, field=field)


def _is_encoding(name: str) -> bool:
    try:
        return isinstance(" ".encode(name), bytes)
    except (LookupError, ValueError):
        return False
