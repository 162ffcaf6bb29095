"""The VAT rates behind the labels of accounts, on the day of a document (docs/interface.md 4.1; docs/law.md 1)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date as day
from decimal import Decimal
from functools import cache

import msgspec

from acctcli.cli.command.local_forms import number_of
from acctcli.cli.output.replies import decoded
from acctcli.cli.session.state import State
from acctcli.errors import ServerFault, UsageError

_ZERO = "zero"


class _Rate(msgspec.Struct):
    label: str
    rate: Decimal


class _Rates(msgspec.Struct):
    vat_rate_options: list[_Rate]


class _Dated(msgspec.Struct):
    date: day


def rates_on(here: State, day_of: Callable[[], day]) -> Callable[[str | None], Decimal]:
    """Return what tells the rate in percent behind a label; the service is asked once, if at all."""

    @cache
    def read() -> dict[str, Decimal]:
        return {option.label: option.rate for option in _rates_at(here, day_of())}

    def rate_of(label: str | None) -> Decimal:
        if label is None or label == _ZERO:
            return Decimal(0)
        if label not in read():
            raise ServerFault(f"the service knows no VAT rate {label!r}", hint="write code and rate, like @1/25.5")
        return read()[label]

    return rate_of


def label_of(here: State, written: str) -> str:
    """Return the label of a rate: as it is written, or of the rate in percent today; raise UsageError for no rate."""
    rate = number_of(written.removesuffix("%").strip())
    if rate is None:
        return written
    options = _rates_at(here, here.today())
    label = next((one.label for one in options if one.rate == Decimal(rate)), None)
    if label is None:
        known = ", ".join(f"{one.rate.normalize():f}" for one in options)
        raise UsageError(f"--vat-rate {written!r}: there is no such rate today", hint=f"there are {known}")
    return label


def day_of_document(here: State, document: int) -> day:
    """Return the date of a document that is there."""
    return decoded(here.api.documents.get(document), _Dated).date


def _rates_at(here: State, on: day) -> list[_Rate]:
    return decoded(here.api.vat_rates(on), _Rates).vat_rate_options
