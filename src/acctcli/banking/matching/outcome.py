"""What comes of a line: matched with a reason and rows, or left with what it might have been (docs/bank.md 6)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from acctcli.banking.matching.candidates import Claim, Kind, OwnAccount, Rule, Side
from acctcli.banking.matching.seen import Seen


class Reason(StrEnum):
    """Why a line is matched: the step that did it."""

    PAYMENT = "payment file"
    BOOKED = "booked already"
    TRANSFER = "own transfer"
    REFERENCE = "reference"
    NUMBER = "number"
    CURRENCY = "currency"
    AMOUNT = "amount and payer"
    SEVERAL = "several"
    PARTS = "parts"
    RULE = "rule"
    CHOSEN = "chosen"


class Part(NamedTuple):
    """What a line settles of a claim, in cents with the sign of the line; `over` is what it pays beyond that."""

    claim: Claim
    cents: int
    over: int = 0

    @property
    def is_handed(self) -> bool:
        """Whether it is what was handed to the bank of a claim."""
        return bool(self.cents) and self.cents == self.claim.handed


class Row(NamedTuple):
    """A row of the document beside that of the bank: cents, positive for debit.

    Without an account it is the sale that the service posts. A VAT code of None is that of the account itself, of a
    rule only.
    """

    account: int | None
    cents: int
    text: str = ""
    vat_code: int | None = 3
    vat_rate: Decimal | None = None


class Matched(NamedTuple):
    """A line that is something, and nothing else: `said` is a sentence for people.

    `rows` and the row of the bank come to nothing together. `side` is the document that is there already; `twin` the
    key of the line of another own account that is the same transfer. A `rule` books the line, or the purchase invoice
    that it pays, which is in no books yet. `lacks` says what keeps it from being posted.
    """

    reason: Reason
    said: str
    rows: tuple[Row, ...] = ()
    parts: tuple[Part, ...] = ()
    rule: Rule | None = None
    side: Side | None = None
    twin: str = ""
    lacks: str = ""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What it settles."""
        return tuple(part.claim for part in self.parts)


class Left(NamedTuple):
    """A line that is left to a person: why, the claims that it might be for, and whether anything is known of it.

    What `may_be_there` has a document, or will get one with another line: posted anew, the bank would move twice.
    """

    why: str
    near: tuple[Claim, ...] = ()
    is_known: bool = True
    may_be_there: bool = False


Outcome = Matched | Left


def settles(reason: Reason, said: str, parts: Sequence[Part], rest: Sequence[Row] = (), lacks: str = "") -> Matched:
    """Return the outcome of a line that settles claims; `rest` are rows of what else it differs by."""
    unposted = [part.claim for part in parts if part.claim.kind is Kind.UNPOSTED]
    rows = [Row(part.claim.account, -part.cents - part.over, part.claim.title) for part in parts]
    for claim in (part.claim for part in parts if part.cents == part.claim.open):
        rows += [Row(account, cents, claim.title) for account, cents in claim.beside]
    return Matched(reason, said, (*rows, *rest), tuple(parts), lacks=_in_no_books(unposted) if unposted else lacks)


def _in_no_books(claims: Sequence[Claim]) -> str:
    posted = [f"acctcli purchase post {one.id} --account NUMBER" for one in claims if one.key.startswith("purchase")]
    told = " and ".join(posted) or "post it"
    return f"{' and '.join(claim.title for claim in claims)} is in no books yet: {told}, then acctcli bank match"


def transfers(seen: Seen, other: OwnAccount, twin: str = "", transit: OwnAccount | None = None) -> Matched:
    """Return the outcome of a line whose other side is an own account, reached by way of `transit` where that is."""
    way = f" by way of {transit.title}" if transit else ""
    said = f"transfer {'to' if seen.cents < 0 else 'from'} {other.title}{way}"
    return Matched(Reason.TRANSFER, said, (Row((transit or other).id, -seen.cents, said),), twin=twin)


def is_there(reason: Reason, side: Side) -> Matched:
    """Return the outcome of a line that a document is there for."""
    return Matched(reason, f"{side.title} is it", side=side)


def units(cents: int) -> str:
    """Return an amount without its sign, as people read it."""
    return f"{abs(cents) // 100}.{abs(cents) % 100:02}"


def is_over(outcome: Outcome) -> bool:
    """Whether a line brings more than is open of what it settles."""
    return isinstance(outcome, Matched) and any(part.over for part in outcome.parts)
