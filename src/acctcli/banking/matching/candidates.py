"""What lines may be: claims and debts that are open, own accounts, documents that are there, rules (docs/bank.md 6).

All amounts are cents with the sign they have at the bank: what is expected to come in is positive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum

from acctcli.banking.checks import compact
from acctcli.banking.matching.words import spellings


class Kind(StrEnum):
    """What is open, which decides how it is settled."""

    INVOICE = "invoice"
    # an invoice that is in no books before it is paid: paying it posts the sale
    SALE = "sale"
    PURCHASE = "purchase"
    # a purchase invoice that no document books yet
    UNPOSTED = "unposted"
    TAX = "tax"
    # tax of a period that comes back
    REFUND = "refund"


@dataclass(frozen=True, slots=True)
class Claim:
    """What is open of an invoice, a purchase invoice, or the tax of a period.

    `account` is the id of the account it stands on, `document` that of the document that posted it. `numbers` are those
    that payers name it by. `original` is what a bill in another currency asks for, with the sign of `open`. `payment`
    is the end-to-end id under which `handed` of it are on their way to the bank. `beside` is what goes from account to
    account once all of it is settled, debit positive. `late` is what reminders asked for beyond what is open: interest,
    and fees or a lump sum, of the last reminder first.
    """

    key: str
    kind: Kind
    id: int
    title: str
    open: int
    day: date
    account: int | None = None
    document: int | None = None
    references: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    ibans: frozenset[str] = frozenset()
    original: int = 0
    currency: str = ""
    payment: str = ""
    handed: int = 0
    beside: tuple[tuple[int, int], ...] = ()
    late: tuple[tuple[int, int], ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether it is settled whole or not at all."""
        return self.kind in {Kind.TAX, Kind.REFUND}

    @property
    def is_booked(self) -> bool:
        """Whether it stands on an account, so that a payment can be posted in parts and with others."""
        return self.kind in {Kind.INVOICE, Kind.PURCHASE}


@dataclass(frozen=True, slots=True)
class OwnAccount:
    """An own account of money and its IBANs."""

    id: int
    title: str
    ibans: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Side:
    """A posted document that moves an account of money by so much, for which no line of a statement stands yet.

    `words` are those of its description, folded; `other` is the own account on its other side, if it is a transfer;
    `payment` the end-to-end id under which it was handed to the bank. One that `takes_back` the document of another
    line may also correct it: only a person says that the money came back. `related` are the documents it is related to,
    such as those that it pays.
    """

    document: int
    title: str
    account: int
    day: date
    cents: int
    references: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    words: str = ""
    other: int | None = None
    payment: str = ""
    takes_back: bool = False
    related: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """What a user books lines by: all that it says has to be so; `words` are folded, and stand in a line whole.

    `fault_on` says what is wrong with its rate of VAT on a day, if anything is.
    """

    title: str
    account: int
    words: str = ""
    iban: str = ""
    reference: str = ""
    comes_in: bool | None = None
    vat_code: int | None = None
    vat_rate: Decimal | None = None
    fault_on: Callable[[date], str] | None = field(default=None, compare=False)

    @property
    def books(self) -> tuple[object, ...]:
        """What it posts: two rules of one effect do not contradict each other."""
        return self.account, self.vat_code, self.vat_rate


@dataclass(frozen=True, slots=True)
class Differences:
    """Accounts, by their ids, for what a payment differs by; a line that needs one that is not named is left.

    Up to `rounding_limit` cents are rounding.
    """

    fees: int | None = None
    rounding: int | None = None
    rounding_limit: int = 5
    exchange: int | None = None
    late_interest: int | None = None
    reminder_fees: int | None = None


@dataclass(frozen=True, slots=True)
class Candidates:
    """All that lines are compared with.

    `transit` is the account of what has left one own account for another; without one `room` is the number that it may
    be added under. `alone` has the days on which documents of lines moved cents on an own account, by both, and on no
    other own account, and paid nothing.
    """

    claims: tuple[Claim, ...] = ()
    own: tuple[OwnAccount, ...] = ()
    sides: tuple[Side, ...] = ()
    rules: tuple[Rule, ...] = ()
    differences: Differences = field(default_factory=Differences)
    transit: OwnAccount | None = None
    room: str = ""
    alone: Mapping[tuple[int, int], Sequence[date]] = field(default_factory=dict)


def names_of(*written: str | None) -> frozenset[str]:
    """Return names as they are compared."""
    return frozenset(key for one in written if one for key in spellings(one) if key)


def ibans_of(*written: str | None) -> frozenset[str]:
    """Return account numbers as they are compared."""
    return frozenset(compact(one) for one in written if one and one.strip())
