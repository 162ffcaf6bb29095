"""The ledger: every account with its balance before a range and after each entry in it (docs/interface.md 4.3, 10.3).

Balances are debit less credit whatever the account, and all of them add up to 0. Accounts of the result begin each
accounting period with nothing: what they moved before it is carried to profit of previous periods.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date
from heapq import merge
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import NamedTuple

import msgspec

from acctcli.law.closed_days import Span
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.enums import AccountType
from acctcli.service.rules.accounts import is_balance_sheet, is_debit_positive
from acctcli.service.rules.numbers import serial_order
from acctcli.service.rules.reports.statement import PREVIOUS_PROFIT, Account, Carried, Cents
from acctcli.service.rules.reports.texts import BETWEEN, InOrder, Place, amount, described, quote, separated

# date as text, number of the document, position in it, 1 for debit, cents, description and VAT code; description of the
# document, name of its contact, ids of the accounts on its other side with spaces between, each as often as it is there
LedgerRow = tuple[str, str, int, int, int, str, int, str, str | None, str | None]
LedgerRows = Generator[LedgerRow, None, None]

CARRIED = "Result carried to profit of previous periods"
# opening balances that do not balance: an account of their own, so that the closing ones do and nobody overlooks it
DIFFERENCE = Account(-1, "", "Opening balance difference", AccountType.LIA, 0)

# combinations of accounts that are kept as they are written
MOST_KNOWN = 5000
# entries of a day that are held to be put in order
MOST_HELD = 5000

_date, _number = itemgetter(0), itemgetter(1)
_pack, _unpack = msgspec.msgpack.encode, msgspec.msgpack.Decoder(list[LedgerRow]).decode


class Sums(NamedTuple):
    """Both sides and the balance after them, in cents."""

    debit: int = 0
    credit: int = 0
    balance: int = 0

    def plus(self, other: Sums) -> Sums:
        """Add up two accounts."""
        return Sums(self.debit + other.debit, self.credit + other.credit, self.balance + other.balance)

    def __str__(self) -> str:
        sides = f'"debet":{amount(self.debit)},"credit":{amount(self.credit)}'
        return f'{{{sides},"balance_csum":{amount(self.balance)}}}'


def openings(
    accounts: Iterable[Account], profit: Account, before: Cents, of_period: Cents, *, has_openings: bool
) -> dict[int, int]:
    """Return what accounts stand at before a range, debit less credit; those at zero are left out.

    `before` is what they moved before the range, `of_period` what of that lies in the same accounting period. What
    the others of it earned stands on the account `profit`.
    """
    found: Counter[int] = Counter()
    for account in accounts:
        moved = before.get(account.id, 0)
        if not is_balance_sheet(account.type):
            found[account.id] = of_period.get(account.id, 0)
            found[profit.id] += moved - found[account.id]
            continue
        opening = account.opening if is_debit_positive(account.type) else -account.opening
        found[account.id] += moved + (opening if has_openings else 0)
    found[DIFFERENCE.id] = -found.total()
    return {account_id: cents for account_id, cents in found.items() if cents}


def carryings(carried: Iterable[Carried], accounts: Iterable[Account], profit: Account) -> dict[int, list[LedgerRow]]:
    """Return by account what each new accounting period of a range begins with: results go to the account `profit`."""
    found: defaultdict[int, list[LedgerRow]] = defaultdict(list)
    results = [account.id for account in accounts if not is_balance_sheet(account.type)]
    for day, moved in carried:
        total = 0
        for account_id in results:
            if cents := moved.get(account_id, 0):
                found[account_id].append(_carrying(day, -cents, str(profit.id)))
                total += cents
        if total:
            found[profit.id].append(_carrying(day, total, None))
    return found


def _carrying(day: date, cents: int, counter: str | None) -> LedgerRow:
    return str(day), "", 0, int(cents > 0), abs(cents), "", NO_VAT, CARRIED, None, counter


class Numbers(dict[str | None, str]):
    """Numbers of accounts as JSON, by their ids with spaces between; usual combinations are put together once."""

    def __init__(self, accounts: Iterable[Account]) -> None:
        super().__init__({None: "[]"})
        self._accounts = {str(account.id): (place, account.number) for place, account in enumerate(accounts)}

    def __missing__(self, ids: str) -> str:
        numbers = sorted(self._accounts[account_id] for account_id in set(ids.split()))
        written = f"[{','.join(quote(number) for _, number in numbers)}]"
        if len(self) < MOST_KNOWN:
            self[ids] = written
        return written


class Ledger:
    """Writes a ledger; `rows_of` gives the entries of an account by date, `carried` what begins its periods, `in_order`
    sorts the entries of a full day.
    """

    def __init__(
        self,
        span: Span,
        opening: Mapping[int, int],
        carried: Mapping[int, list[LedgerRow]],
        rows_of: Callable[[int], LedgerRows],
        in_order: InOrder,
    ) -> None:
        self._span = span
        self._opening = opening
        self._carried = carried
        self._in_order = in_order
        self._rows_of = rows_of
        self._sums = Sums()

    def write(self, accounts: Sequence[Account]) -> Generator[str, None, None]:
        """Yield the report: the accounts that opened with something or have entries."""
        first, last = self._span
        yield f'{{"report_type":"ledger","date_from":"{first}","date_to":"{last}","accounts":['
        between = ""
        every = [*accounts, PREVIOUS_PROFIT, DIFFERENCE]
        numbers = Numbers(every)
        for account in every:
            carried = self._carried.get(account.id, [])
            with closing(self._rows_of(account.id)) as rows:
                row = next(rows, None)
                if row is None and account.id not in self._opening and not carried:
                    continue
                yield between
                listed = _by_number(rows if row is None else chain([row], rows), self._in_order)
                yield from self._account(account, merge(carried, listed, key=_date) if carried else listed, numbers)
            between = BETWEEN
        yield f'],"totals":{self._sums}}}'

    def _account(self, account: Account, rows: Iterable[LedgerRow], numbers: Numbers) -> Iterator[str]:
        entries = Entries(self._opening.get(account.id, 0), numbers)
        head = f'{{"number":"{account.number}","name":{quote(account.name)}'
        yield f'{head},"opening_balance":{amount(entries.sums.balance)},"entries":['
        yield from separated(entries.write(rows))
        yield f'],"totals":{entries.sums}}}'
        self._sums = self._sums.plus(entries.sums)


class Entries:
    """Writes the entries of an account; `sums` are those of what has been written."""

    def __init__(self, opening: int, numbers: Numbers) -> None:
        self.sums = Sums(balance=opening)
        self._numbers = numbers

    def write(self, rows: Iterable[LedgerRow]) -> Iterator[str]:
        """Yield the entries, each with the balance after it."""
        debit, credit, balance = self.sums
        for day, number, _, is_debit, cents, own, vat_code, text, contact, others in rows:
            if is_debit:
                debit += cents
                balance += cents
                sides = f'"debet":{amount(cents)},"credit":0.00'
            else:
                credit += cents
                balance -= cents
                sides = f'"debet":0.00,"credit":{amount(cents)}'
            yield (
                f'{{"number":"{number}","date":"{day}",{sides},"balance_csum":{amount(balance)},'
                f'"description":{quote(described(text, own))},'
                f'"contact_name":{"null" if contact is None else quote(contact)},"vat_code":{vat_code},'
                f'"counter_accounts":{self._numbers[others]}}}'
            )
        self.sums = Sums(debit, credit, balance)


def _by_number(rows: Iterable[LedgerRow], in_order: InOrder) -> Iterator[LedgerRow]:
    """Order the entries of each day by the number of their document and their place in it.

    Those of a full day are laid aside meanwhile, document by document.
    """
    for _, of_day in groupby(rows, key=_date):
        rest = iter(of_day)
        held = list(islice(rest, MOST_HELD))
        if len(held) < MOST_HELD:
            if len(held) > 1:
                held.sort(key=_place)
            yield from held
            continue
        packed = in_order(_packed(chain(held, rest)))
        # one that came in two parts is put together
        for _, lines in groupby(chain.from_iterable(map(_unpack, packed)), key=_number):
            yield from sorted(lines, key=_place)


def _packed(rows: Iterable[LedgerRow]) -> Iterator[tuple[Place, bytes]]:
    for number, lines in groupby(rows, key=_number):
        yield serial_order(number), _pack(list(lines))


def _place(row: LedgerRow) -> tuple[tuple[str, int], int]:
    return serial_order(row[1]), row[2]
