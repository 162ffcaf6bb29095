"""Which account of the chart a statement is of."""

from __future__ import annotations

import re
import shlex

from acctcli.banking.checks import compact, mod_97
from acctcli.banking.iban import looks_like_iban
from acctcli.banking.matching.candidates import OwnAccount
from acctcli.banking.matching.words import folded
from acctcli.banking.own_accounts import is_transit
from acctcli.banking.statements.proving import Proven
from acctcli.cli.account.chart import Account, find_account
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import UsageError

_CURRENCY = "EUR"
# a number of fewer characters stands in any text
_SHORTEST = 6
_TYPE = "ASS_PAY"
_IBAN = re.compile(r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{1,4}){3,8}\b")
# what accounts at banks are called in the charts there are, unlike cash
_AT_A_BANK = ("bank", "pankki")


class _Bank(Account):
    """An account of money, with what people wrote about it."""

    description: str | None = None

    @property
    def told(self) -> str:
        """What may hold an IBAN."""
        return f"{self.name} {self.description or ''}"

    @property
    def ibans(self) -> list[str]:
        """The IBANs that its texts hold."""
        return [iban for found in _IBAN.findall(self.told.upper()) if _is_iban(iban := compact(found))]

    @property
    def mistyped(self) -> list[str]:
        """What its texts hold as an IBAN, with check digits that do not fit."""
        found = map(compact, _IBAN.findall(self.told.upper()))
        return [one for one in found if looks_like_iban(one) and not _is_iban(one)]

    @property
    def is_free(self) -> bool:
        """Whether it is called like one at a bank, and nothing says which one."""
        return not self.ibans and not is_transit(self.told) and any(one in folded(self.name) for one in _AT_A_BANK)

    def saying(self, number: str) -> str:
        """Return the command that writes a number behind what people wrote about it, and leaves out what is none."""
        kept = _IBAN.sub(lambda one: "" if compact(one[0]) in self.mistyped else one[0], self.description or "")
        told = shlex.quote(f"description={' '.join([*kept.split(), number])}")
        return f"acctcli account update {self.number} --set {told}"


_bank = reader(_Bank, "an account")


class BankAccounts:
    """Finds the account of each statement; `asked` is the number that the command line named."""

    def __init__(self, here: State, asked: str | None) -> None:
        self._here = here
        self._asked = find_account(here, asked, "--account") if asked else None
        if self._asked is not None and self._asked.type not in {"", _TYPE}:
            raise UsageError(f"--account: {self._asked} is no account of money", hint="see: acctcli account list")
        listing = here.api.accounts.list({"type": _TYPE}, Extent(limit=None))
        self._banks = list(read_all(listing, _bank))
        self._found: dict[str, Account] = {}

    @property
    def numbers(self) -> dict[str, int]:
        """The ids of the accounts of money by their numbers."""
        return {one.number: one.id for one in self._banks}

    @property
    def own(self) -> tuple[OwnAccount, ...]:
        """The accounts whose IBANs are known: what the chart says, and whose statements these are."""
        ibans = {one.id: set(one.ibans) for one in self._banks}
        for number, account in self._found.items():
            if looks_like_iban(number):
                ibans.setdefault(account.id, set()).add(compact(number))
        named = {one.id: str(one) for one in (*self._banks, *self._found.values())}
        return tuple(OwnAccount(one, named[one], frozenset(some)) for one, some in sorted(ibans.items()) if some)

    @property
    def transit(self) -> OwnAccount | None:
        """The account of what has left one own account for another, as its name or description calls it."""
        some = [one for one in self._banks if not one.ibans and is_transit(one.told)]
        return OwnAccount(some[0].id, str(some[0])) if len(some) == 1 else None

    @property
    def of_banks(self) -> list[Account]:
        """The accounts that are at a bank: the chart says an IBAN of them."""
        return [one for one in self._banks if one.ibans]

    def numbered(self, number: str) -> Account | None:
        """Return the account of money of a number."""
        return next((one for one in self._banks if one.number == number), None)

    def ibans_of(self, account: Account) -> list[str]:
        """Return the IBANs that the chart says of an account."""
        return next((one.ibans for one in self._banks if one.id == account.id), [])

    def of(self, statement: Proven) -> Account:
        """Return the account of a statement; raise UsageError where it is another's, or nobody knows whose."""
        head = statement.head
        place = f"{statement.file} line {head.line}"
        if head.currency != _CURRENCY and (head.currency or statement.lines):
            told = head.currency or "no currency"
            raise UsageError(f"{place}, currency: {told}, and the books are in {_CURRENCY}")
        if head.account not in self._found:
            self._found[head.account] = self._find(head.account, place)
        if self._asked is not None and len(self._found) > 1:
            raise UsageError(
                f"{place}, account: these are statements of {' and '.join(filter(None, self._found))}, "
                "and --account names one",
                hint="import those of each account by themselves, or leave out --account",
            )
        return self._found[head.account]

    def _find(self, number: str, place: str) -> Account:
        is_iban = looks_like_iban(number)
        if is_iban and not _is_iban(compact(number)):
            raise UsageError(f"{place}, IBAN: the check digits of {number} do not fit the account")
        owners = [one for one in self._banks if len(number) >= _SHORTEST and compact(number) in compact(one.told)]
        if len(owners) > 1:
            raise UsageError(f"{place}, account: {number} stands at {' and '.join(map(str, owners))}")
        if self._asked is None:
            if owners:
                return owners[0]
            raise self._unknown(number, place)
        if owners and owners[0].id != self._asked.id:
            raise UsageError(f"{place}, account: {number} is {owners[0]}, and --account says {self._asked}")
        others = self.ibans_of(self._asked)
        if is_iban and others and not owners:
            raise UsageError(f"{place}, account: the file is of {number}, and {self._asked} of {' and '.join(others)}")
        if is_iban and not owners:
            self._here.say(
                f"note: nothing in the chart says that {number} is {self._asked}; this does, and keeps statements of "
                f"others out: {self._with_texts(self._asked).saying(number)}"
            )
        return self._asked

    def _unknown(self, number: str, place: str) -> UsageError:
        """Return what is said where nothing tells whose a statement is, with the account that has no IBAN yet."""
        if not number:
            told = "the file does not say of which account"
            return UsageError(f"{place}, account: {told}", hint="name the account with --account")
        free = next((one for one in self._banks if one.is_free), None)
        if free is None:
            last = max((int(one.number) for one in self._banks if one.ibans), default=0)
            made = f"--number {last + 1} --type {_TYPE} --name Bank --set {shlex.quote(f'description={number}')}"
            way_out = f"make one: acctcli account create {made}"
        else:
            way_out = f"write it there: {free.saying(number)}"
        told = f"no account of the chart holds {number}"
        for one in self._banks:
            told += "".join(f"; {one} has {iban}, whose check digits do not fit" for iban in one.mistyped)
        return UsageError(f"{place}, account: {told}", hint=f"name the account with --account, or {way_out}")

    def _with_texts(self, account: Account) -> _Bank:
        bare = _Bank(account.id, account.number)
        return next((one for one in self._banks if one.id == account.id), bare)


def _is_iban(iban: str) -> bool:
    return mod_97(f"{iban[4:]}{iban[:4]}") == 1
