"""Lines that may be in the books under other tags: of another format, or of a bank that words them anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from acctcli.cli.bank.named import Named
from acctcli.cli.bank.there import There, place_of

MAYBE_THERE = (
    "a document of another line has its day and amount, or those of its batch, and may be it: --again posts it besides"
)


def doubtful(lines: Iterable[Named], new: Iterable[Named], there: There) -> set[str]:
    """Return the tags of new lines whose day and amount documents have that stand for no line of these files.

    Two that have references of the bank are two lines.
    """
    if not there.told:
        return set()
    return told_otherwise(there.told, (one for one in lines if one.tag and there.document_of(one.tag)), new)


def told_otherwise(left: Counter[int], known: Iterable[Named], new: Iterable[Named]) -> set[str]:
    """Return the tags of new lines that are told by place already, but for those that are known by their tags.

    Parts of a batch are told by its place, too. All these are taken off what is `left`: of many lines a second count
    would take much memory.
    """
    for one in known:
        left[place(one)] -= 1
    found, batch_is_told = set[str](), False
    part, batch = 0, None
    for one in new:
        line = one.line
        if not part or line.part <= part or line.lone_batch != batch:
            batch_is_told = line.lone_batch is not None and _take(left, one, int(line.lone_batch.scaleb(2)))
        part, batch = line.part, line.lone_batch
        if batch_is_told or _take(left, one, line.cents):
            found.add(one.tag)
    return found


def _take(left: Counter[int], one: Named, cents: int) -> bool:
    """Take the place of a line, or of its batch, off those that are left, where it is one of them."""
    places = [_place(one, cents, is_referred=said) for said in ((False,) if one.line.reference else (False, True))]
    taken = next((one for one in places if left[one] > 0), None)
    if taken is not None:
        left[taken] -= 1
    return taken is not None


def place(one: Named) -> int:
    """Return the place of a line."""
    return _place(one, one.line.cents, is_referred=bool(one.line.reference))


def _place(one: Named, cents: int, *, is_referred: bool) -> int:
    return place_of(one.account.id, one.line.booked, cents, is_referred=is_referred)
