"""Transfers between own accounts: each side stands on the day that its own bank tells (docs/bank.md 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import TypeVar

from acctcli.banking.matching.amounts import before_fees
from acctcli.banking.matching.candidates import Differences, OwnAccount, Side
from acctcli.banking.matching.index import Index
from acctcli.banking.matching.outcome import Left, Outcome, Reason, is_there, transfers, units
from acctcli.banking.matching.seen import Seen

# how long a transfer is on its way, and how far off a side may be that somebody moved, or a bank was late with
ON_THE_WAY, _FAR, _SAME_DAY = timedelta(days=5), timedelta(days=31), timedelta(0)
_ELSE = "if not, acctcli bank review books it on the other account"
# the account of a line, that of its other side, and its cents
Way = tuple[int, int, int]


def own_transfers(
    lines: Iterable[Seen], index: Index, transit: OwnAccount | None, accounts: Differences
) -> dict[str, Outcome]:
    """Return what lines are, by their keys, whose other side is an own account.

    One document has one day, so that lines of one day are one, and sides of two days two, by way of `transit`. Without
    such an account a line is posted to the other side, as long as nothing tells that this is of another day. What lies
    further apart may be another transfer: a person says which.
    """
    ways = defaultdict[Way, list[Seen]](list)
    for seen in lines:
        other = index.own.get(seen.iban)
        if other is not None and other.id != seen.account:
            ways[seen.account, other.id, seen.cents].append(seen)
    posted = _Posted(index, transit)
    found = _of_one_day(ways, index, posted)
    for is_far in (False, True):
        found |= _apart(ways, found, posted, index, is_far=is_far)
    for seen in _left((one for some in ways.values() for one in some), found):
        found[seen.key] = _alone(seen, index, transit, accounts)
    return found


def _alone(seen: Seen, index: Index, transit: OwnAccount | None, accounts: Differences) -> Outcome:
    """Return a line whose other side has no line: what moved before fees were taken, which are costs.

    Then sides are of two amounts, and no document is both.
    """
    other = index.own[seen.iban]
    if transit is None and any(
        abs(day - seen.day) <= ON_THE_WAY for day in index.alone.get((other.id, -seen.cents), ())
    ):
        told = f"a document of a line moves as much on {other.title}, and may be its other side"
        return Left(f"{told}: acctcli bank review books this on the account that it has")
    found = transfers(seen, other, transit=transit)
    moved, fees, lacks = before_fees(seen, accounts)
    if not fees or lacks:
        return Left(lacks) if lacks else found
    if transit is None:
        return Left(f"{units(seen.fees)} of it is fees, and {_between(index.room, 'amounts')}")
    return found._replace(rows=(found.rows[0]._replace(cents=-moved), *fees), said=f"{found.said}, less fees")


def _of_one_day(ways: dict[Way, list[Seen]], index: Index, posted: _Posted) -> dict[str, Outcome]:
    """Return what lines are whose document, or whose other side, is of their own day."""
    found: dict[str, Outcome] = {}
    for way, some in sorted(ways.items()):
        for seen, side in _nearest(some, posted.of(way), _SAME_DAY):
            posted.used.add((side.document, side.account))
            found[seen.key] = is_there(Reason.TRANSFER, side)
    for seen, twin in _twins(ways, found, _SAME_DAY):
        found[seen.key] = transfers(seen, index.own[seen.iban], twin.key)
        found[twin.key] = transfers(twin, index.own[twin.iban], seen.key)
    return found


def _between(room: str, what: str = "days") -> str:
    return (
        f"sides of two {what} take an account between: "
        f"acctcli account create --number {room} --type ASS_PAY --name 'Money in transit', then acctcli bank match"
    )


def _apart(
    ways: dict[Way, list[Seen]], found: dict[str, Outcome], posted: _Posted, index: Index, *, is_far: bool
) -> dict[str, Outcome]:
    """Return the lines that are left as their document, or their other side, is of another day, near or far."""
    transit, most = posted.transit, _FAR if is_far else ON_THE_WAY
    left: dict[str, Outcome] = {}
    for way, some in sorted(ways.items()):
        sides = [side for side in posted.of(way) if side.other == way[1] or not is_far]
        for seen, side in _nearest(_left(some, found), sides, most):
            posted.used.add((side.document, side.account))
            mended = _mended(seen, side, posted.own(seen), transit) if transit else _between(index.room)
            told = f"of {side.day} may be this transfer" if is_far else f"has this transfer on {side.day}"
            told = f"{side.title} {told}"
            left[seen.key] = Left(_told(told, mended, is_far=is_far), may_be_there=True)
    if transit is None:
        for seen, twin in _twins(ways, found | left, most):
            for one, other in ((seen, twin), (twin, seen)):
                told = f"its other side {'may be' if is_far else 'is'} of {other.day}"
                left[one.key] = Left(_told(told, _between(index.room), is_far=is_far))
    return left


def _told(what: str, mended: str, *, is_far: bool) -> str:
    return f"{what}; if so, {mended}; {_ELSE}" if is_far else f"{what}, and {mended}"


class _Posted:
    """Documents that move money between own accounts, or on the way there, and for which no line stands yet."""

    def __init__(self, index: Index, transit: OwnAccount | None) -> None:
        self._index = index
        self.transit = transit
        self._between = {transit.id} if transit else set()
        self.used: set[tuple[int, int]] = set()

    def own(self, seen: Seen) -> OwnAccount:
        """Return the own account on the other side of a line."""
        return self._index.own[seen.iban]

    def of(self, way: Way) -> list[Side]:
        account, other, cents = way
        some = (one for one in self._index.sides.get((account, cents), ()) if one.other in {other, *self._between})
        return [one for one in some if (one.document, account) not in self.used]


def _mended(seen: Seen, side: Side, other: OwnAccount, transit: OwnAccount) -> str:
    """Return how a document of another day lets a line have its own: by way of the account between."""
    if side.other == transit.id:
        return f"one of both days is wrong: acctcli document update {side.document} --date {seen.day} takes this one"
    legs = [f"{one.title.split()[0]}:{units(seen.cents)}" for one in (transit, other)]
    debit, credit = legs if seen.cents > 0 else legs[::-1]
    told = f"acctcli document update {side.document} --debit {debit} --credit {credit}, then acctcli bank match"
    return f"its other side is to go to {transit.title}: {told}"


def _twins(ways: dict[Way, list[Seen]], found: dict[str, Outcome], most: timedelta) -> Iterator[tuple[Seen, Seen]]:
    """Yield the lines of own accounts that are one transfer, each pair once."""
    for (account, other, cents), some in sorted(ways.items()):
        yield from _nearest(_left(some, found), _left(ways.get((other, account, -cents), ()), found), most)


def _left(some: Iterable[Seen], found: dict[str, Outcome]) -> list[Seen]:
    return [one for one in some if one.key not in found]


Other = TypeVar("Other", Seen, Side)


def _nearest(lines: Sequence[Seen], others: Sequence[Other], most: timedelta) -> Iterator[tuple[Seen, Other]]:
    """Pair lines with others of the same amount, both in the order of their days, as far as they are near."""
    rest = sorted(others, key=lambda one: (one.day, _named(one)))
    for seen in sorted(lines, key=lambda one: (one.day, one.key)):
        near = next((one for one in rest if abs(one.day - seen.day) <= most), None)
        if near is not None:
            rest.remove(near)
            yield seen, near


def _named(one: Seen | Side) -> str:
    return one.key if isinstance(one, Seen) else f"{one.document:020}"
