"""Which documents belong together: what arises in one and is cleared in the other (docs/interface.md 5.7).

An item is an entry on an account of trade receivables or payables. It is open until a related document posts the same
amount to the same account on the other side. Two documents make a pair when open items of theirs meet and at least one
of them moves money; the one that does is the settlement. Only equal amounts meet, so every score starts at 60: a part
payment is related by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from acctcli.models.enums import AccountType, RelationRole
from acctcli.service.rules.money import from_cents

CLEARED_TYPES = frozenset({AccountType.ASS_DUE.value, AccountType.LIA_DUE.value})
MONEY = AccountType.ASS_PAY.value
EQUAL_AMOUNT, SAME_CONTACT, NEAR = 60, 25, 15
NEAR_DAYS = 60
MOST_SUGGESTIONS = 20


class Pair(NamedTuple):
    """Two documents as they are kept: once, whichever way round they were given."""

    low_id: int
    high_id: int
    accrual_is_low: bool


def pair_up(document_id: int, role: str, related_id: int) -> Pair:
    """Return the pair of a document in a role and the document related to it."""
    is_accrual = role == RelationRole.ACCRUAL
    if document_id < related_id:
        return Pair(document_id, related_id, is_accrual)
    return Pair(related_id, document_id, not is_accrual)


class Movement(NamedTuple):
    """An entry, in cents, with number and type of its account."""

    account_id: int
    number: str
    type: str
    is_debit: bool
    amount: int

    @property
    def counterpart(self) -> Movement:
        """What clears it, or what it clears."""
        return self._replace(is_debit=not self.is_debit)

    @property
    def arises(self) -> bool:
        """Whether a claim or a debt arises here: a debit of receivables, a credit of payables."""
        return self.is_debit == (self.type == AccountType.ASS_DUE)


class Party(NamedTuple):
    """A document that may be one of a pair; `name` is what people call it, `items` are the open ones."""

    document_id: int
    name: str
    date: date
    contact_id: int | None
    moves_money: bool
    items: frozenset[Movement]


class Suggestion(NamedTuple):
    """A document to relate, the role of the one it is suggested for, why, and how sure: 60 to 100."""

    document_id: int
    role: RelationRole
    reason: str
    score: int


def open_items(movements: Iterable[Movement], of_related: Iterable[Movement] = ()) -> frozenset[Movement]:
    """Return the items that nothing in the related documents clears; equal ones are cleared one by one."""
    items = Counter(movement for movement in movements if movement.type in CLEARED_TYPES)
    return frozenset(items - Counter(movement.counterpart for movement in of_related))


def suggest(subject: Party, candidates: Iterable[Party]) -> list[Suggestion]:
    """Return the best partners of a document: by score, then by days between, then the newest first."""
    found = []
    for candidate in candidates:
        met = subject.items & {item.counterpart for item in candidate.items}
        if met and (subject.moves_money or candidate.moves_money):
            item = max(met, key=lambda one: (one.amount, one))
            found.append((_days(subject, candidate), _suggestion(subject, candidate, item)))
    found.sort(key=lambda one: (-one[1].score, one[0], -one[1].document_id))
    return [suggestion for _, suggestion in found[:MOST_SUGGESTIONS]]


def _suggestion(subject: Party, candidate: Party, item: Movement) -> Suggestion:
    role = _role(subject, candidate, item)
    return Suggestion(candidate.document_id, role, _reason(subject, candidate, item, role), _score(subject, candidate))


def _role(subject: Party, candidate: Party, item: Movement) -> RelationRole:
    """Return the role of the subject; where both move money, its own item decides."""
    settles = not item.arises if candidate.moves_money and subject.moves_money else subject.moves_money
    return RelationRole.SETTLEMENT if settles else RelationRole.ACCRUAL


def _score(subject: Party, candidate: Party) -> int:
    is_near = _days(subject, candidate) <= NEAR_DAYS
    return EQUAL_AMOUNT + SAME_CONTACT * _share_contact(subject, candidate) + NEAR * is_near


def _share_contact(subject: Party, candidate: Party) -> bool:
    return subject.contact_id is not None and subject.contact_id == candidate.contact_id


def _days(subject: Party, candidate: Party) -> int:
    return abs((subject.date - candidate.date).days)


def _reason(subject: Party, candidate: Party, item: Movement, role: RelationRole) -> str:
    settling, settled = subject.name, candidate.name
    if role == RelationRole.ACCRUAL:
        settling, settled = settled, settling
    days = _days(subject, candidate)
    apart = "the same day" if days == 0 else "1 day apart" if days == 1 else f"{days} days apart"
    contact = "the same contact, " if _share_contact(subject, candidate) else ""
    sentence = f"{settling} clears {from_cents(item.amount)} of {settled} on account {item.number}: {contact}{apart}."
    return sentence[0].upper() + sentence[1:]
