"""Accounts as bookkeepers name them: by number; `id:57` names one by its id, for scripts.

A number alone costs one request; who needs several accounts reads the chart once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

import msgspec

from acctcli.cli.completing.kept import ACCOUNTS, remember
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.output.stderr import tell
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import NotFound, UsageError

PATTERN = "id:[1-9][0-9]{0,18}|[0-9]{1,7}"
_WRITTEN = re.compile(PATTERN, re.ASCII)
_DIGITS = 7
_NUMBER = re.compile(f"[0-9]{{1,{_DIGITS}}}")
_NEAREST = 3
# what the types of accounts begin with whose balance is positive on the debit side
_DEBITED = ("ASS", "EXP")


class Account(msgspec.Struct):
    """What commands need to know of an account."""

    id: int
    number: str
    name: str = ""
    type: str = ""
    default_vat_code: int | None = None
    default_vat_rate_label: str | None = None
    default_vat_rate: Decimal | None = None
    opening_balance: Decimal = Decimal(0)

    def turned(self, amount: Decimal) -> Decimal:
        """Turn debit less credit into what is on the account's own side, or back (docs/interface.md 4.3)."""
        return amount if self.type.startswith(_DEBITED) else -amount

    def __str__(self) -> str:
        return f"{self.number} {self.name}".rstrip()


_read = reader(Account, "an account")


class Chart:
    """The accounts of the business, found by number or by `id:57`."""

    def __init__(self, accounts: Iterable[Account]) -> None:
        self.by_id = {account.id: account for account in accounts}
        self._by_number = {account.number: account for account in self.by_id.values()}

    def find(self, written: str, option: str | None = None) -> Account:
        """Return the account; raise UsageError naming the option and the nearest numbers when there is none."""
        record, number = _parts(written, option)
        account = self._by_number.get(number) if record is None else self.by_id.get(record)
        if account is None:
            named = number if record is None else written
            raise UsageError(f"{_named(option)}there is no account {named} in the chart", hint=self._nearest(number))
        return account

    def numbered(self, number: str) -> Account | None:
        """Return the account of a number, if there is one."""
        return self._by_number.get(number)

    def whole_numbers(self, written: Sequence[str]) -> list[str]:
        """Return numbers of a file with the zeros in front that a spreadsheet left out, and say which had lost some.

        They are as long as those that have zeros, in the chart or else in the file (docs/moving.md 3).
        """
        length = _length_with_zeros(self._by_number) or _length_with_zeros(written)
        whole = [self._filled(number, length) for number in written]
        if short := [number for number, filled in zip(written, whole, strict=True) if number != filled]:
            tell(f"read with their zeros in front: {', '.join(short)}")
        return whole

    def _filled(self, number: str, length: int) -> str:
        return number if number in self._by_number or not number.isdecimal() else number.zfill(length)

    @property
    def types(self) -> list[tuple[str, str]]:
        """Number and type of each account."""
        return [(one.number, one.type) for one in self.by_id.values()]

    @property
    def rates(self) -> set[Decimal]:
        """The rates of VAT that the accounts have today."""
        return {one.default_vat_rate for one in self.by_id.values() if one.default_vat_rate is not None}

    def _nearest(self, number: str) -> str:
        if number and (meant := self.numbered(self._filled(number, _length_with_zeros(self._by_number)))):
            return f"{meant} is there: write it with its zeros in front, which spreadsheets drop"
        near = sorted(self.by_id.values(), key=lambda one: abs(_padded(one.number) - _padded(number)))[:_NEAREST]
        if not number or not near:
            return "see: acctcli account list"
        return f"the nearest are {', '.join(map(str, near))}"


def read_chart(here: State) -> Chart:
    """Read the whole chart, hidden accounts too."""
    listing = here.api.accounts.list({}, Extent(limit=None))
    chart = Chart(read_all(listing, _read))
    remember(here, ACCOUNTS, dict(sorted((one.number, one.name) for one in chart.by_id.values())))
    return chart


def account_id(here: State, written: str, option: str | None = None) -> int:
    """Return the id of an account: known from `id:57`, else asked for by its number."""
    record, _ = _parts(written, option)
    return record if record is not None else find_account(here, written, option).id


def find_account(here: State, written: str, option: str | None = None) -> Account:
    """Return an account with one request; when there is none, raise UsageError with the nearest numbers.

    Without an `option` it is what the command is about: then that is NotFound, as it is for other records.
    """
    record, number = _parts(written, option)
    if record is not None:
        return decoded(here.api.accounts.get(record), Account)
    found = here.api.accounts.list({"number": number}, Extent(limit=None))
    for account in read_all(found, _read):
        # 0123 and 123 are two accounts, but may be one number to a service
        if account.number == number:
            return account
    try:
        return read_chart(here).find(written, option)
    except UsageError as error:
        if option is not None:
            raise
        raise NotFound(error.message, hint=error.hint) from error


def checked_number(written: str | None, option: str) -> str | None:
    """Return a number as it was written, zeros in front and all; raise UsageError when it is none."""
    if written is not None and not _NUMBER.fullmatch(written):
        raise UsageError(f"{option} {written!r}: an account number has 1 to {_DIGITS} digits")
    return written


def _parts(written: str, option: str | None) -> tuple[int | None, str]:
    """Return the id, or else the number, that was written."""
    if not _WRITTEN.fullmatch(written):
        raise UsageError(
            f"{_named(option)}{written!r} is not an account",
            hint="write its number, such as 1910, or id:57 for the account of that id",
        )
    if written.startswith("id:"):
        return int(written[3:]), ""
    return None, written


def _length_with_zeros(numbers: Iterable[str]) -> int:
    """Return how long the shortest number is that begins with a zero; 0 where none does."""
    return min((len(one) for one in numbers if one.startswith("0")), default=0)


def _named(option: str | None) -> str:
    return f"{option}: " if option else ""


def _padded(number: str) -> int:
    """The number as the chart is ordered: 1911 lies between 1910 and 1920, 191 right before them."""
    return int(number[:_DIGITS].ljust(_DIGITS, "0"))
