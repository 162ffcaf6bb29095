"""Lines that may be in the books twice: under other tags, or by another user at the same moment (docs/bank.md 5)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from itertools import accumulate

from acctcli.cli.bank.looked import Made
from acctcli.cli.bank.named import Named
from acctcli.cli.bank.there import There, documents_around, place_of
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.output.stderr import how_many, how_many_are
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import Conflict, Forbidden, Incomplete, NotFound, Rejected

MAYBE_THERE = (
    "a document of another line has its day and amount, or those of its batch, or several come to it, and may be it: "
    "--again posts it besides"
)

_read_relation = reader(Made, "a relation")
# an account of the chart, and a day of it
_Day = tuple[int, date | None]


def doubtful(lines: Iterable[Named], new: Iterable[Named], there: There) -> set[str]:
    """Return the tags of new lines whose day and amount documents have that stand for no line of these files.

    Two that have references of the bank are two lines.
    """
    if not there.told:
        return set()
    return told_otherwise(there.told, (one for one in lines if one.tag and there.document_of(one.tag)), new)


def told_in_parts(lines: Iterable[Named], new: Iterable[Named], there: There, doubted: set[str]) -> set[str]:
    """Return the tags of new lines that documents of lines side by side come to, which are in none of these files.

    A notification may tell the parts of what a statement has in one sum; where that has a reference, its parts have it,
    too. `doubted` are lines that single documents tell.
    """
    if not there.moved:
        return set()
    seen: defaultdict[_Day, Counter[int]] = defaultdict(Counter)
    for one in lines:
        if there.document_of(one.tag) or one.tag in doubted:
            seen[_day(one)][one.line.cents] += 1
    rest: dict[_Day, list[int]] = {}
    found = set[str]()
    for one in new:
        day = _day(one)
        if day not in rest:
            rest[day] = _without(there.moved.get(day, ()), seen[day])
        if not (one.line.part or one.line.reference) and _take_run(rest[day], one.line.cents):
            found.add(one.tag)
    return found


def _without(some: Iterable[int], seen: Counter[int]) -> list[int]:
    """Return some cents in their order, less those that are seen, as often as they are."""
    left = list[int]()
    for cents in some:
        if seen[cents]:
            seen[cents] -= 1
        else:
            left.append(cents)
    return left


def _take_run(some: list[int], cents: int) -> bool:
    """Take out two neighbours or more that come to a sum, where there are any."""
    begins = {0: 0}
    for end, total in enumerate(accumulate(some), 1):
        begin = begins.get(total - cents)
        if begin is not None and end - begin > 1:
            del some[begin:end]
            return True
        begins.setdefault(total, end)
    return False


def _day(one: Named) -> _Day:
    return one.account.id, one.line.booked


def told_otherwise(left: Counter[int], known: Iterable[Named], new: Iterable[Named]) -> set[str]:
    """Return the tags of new lines that are told by place already, but for those that are known by their tags.

    Parts of a batch are told by its place, too. All these are taken off what is `left`: of many lines a second count
    would take much memory. What somebody else posted for a line has no reference of the bank, also where the line has.
    """
    for one in known:
        own, other = (
            _place(one, one.line.cents, is_referred=bool(one.line.reference) is said) for said in (True, False)
        )
        left[own if left[own] > 0 or left[other] <= 0 else other] -= 1
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


def give_way(here: State, made: Mapping[str, int], acted: Collection[int], days: tuple[date, date]) -> None:
    """Delete what was `made` of lines, by their tags, where another user posted them a moment before.

    Keys are of one user (docs/interface.md 1.6). Raises Incomplete where there is any: rows have named it. What actions
    posted stays, and is named.
    """
    first: dict[int, int] = {}
    for document in documents_around(here, *days):
        for tag in document.tags & made.keys():
            if document.id < made[tag]:
                first[made[tag]] = min(first.get(made[tag], document.id), document.id)
    if not first:
        return
    left = [one for one in sorted(first) if one in acted or not _is_deleted(here, one)]
    told = f"another user posted {how_many(len(first), 'line')} at the same moment"
    if left:
        pairs = " and ".join(f"documents {first[one]} and {one}" for one in left)
        raise Incomplete(
            f"{told}, and both are there: {pairs}",
            hint="of two that are one line reverse the later one: acctcli document reverse ID",
        )
    raise Incomplete(
        f"{told}: this run's documents of them are deleted", hint="the same command again shows which stand"
    )


def refuse_doubled(here: State, doubled: Collection[str], days: tuple[date, date]) -> None:
    """Raise Incomplete for lines that are in the books several times, by their tags, with the documents of each.

    Two who imported them were ended before either looked again.
    """
    found: defaultdict[str, list[int]] = defaultdict(list)
    for document in documents_around(here, *days) if doubled else ():
        for tag in () if document.is_taken_back else document.tags.intersection(doubled):
            found[tag].append(document.id)
    told = [
        f"{tag} by documents {' and '.join(map(str, sorted(some)))}" for tag, some in found.items() if len(some) > 1
    ]
    if told:
        raise Incomplete(
            f"{how_many_are(len(told), 'line')} in the books twice: {'; '.join(sorted(told))}",
            hint="of two that are one line reverse the later one: acctcli document reverse ID; a draft goes by acctcli "
            "document delete ID",
        )


def _is_deleted(here: State, document: int) -> bool:
    """Delete a document with its relations; say whether it is gone."""
    relations = here.api.relations(document)
    try:
        for one in list(read_all(relations.list({}, Extent(limit=None)), _read_relation)):
            relations.delete(one.id)
        here.api.documents.delete(document)
    except (Conflict, Forbidden, NotFound, Rejected):
        return False
    return True
