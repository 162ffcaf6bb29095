"""Searches of documents, alone or with other filters: they look through blocks. SQL only.

What passes is worked out for each block as a mask of its documents (`blocks`): by the wordings of their texts, by their
numbers, or by the whole texts where both are asked for; by contacts, shapes, flags and days; by ids for all else. So
what many pass takes as long as what few do, and the last page as long as the first.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from functools import cache
from itertools import accumulate, compress, repeat
from operator import contains
from typing import Any, NamedTuple, TypeVar

import msgspec

from acctcli.service.store.books import shapes
from acctcli.service.store.books.blocks import END, NUMBERS, Choice, Mask, counted, decoded, to_mask
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement
from acctcli.service.store.listing import Clauses
from acctcli.service.store.patterns import held

THIS = "business_id = :business_id"
LIKE = r"search_text LIKE :search ESCAPE '\'"
CALLED = r"SELECT id FROM contact WHERE business_id = :business_id AND sort_name LIKE :search ESCAPE '\'"
# digits that many blocks have, so that looking for them first saves nothing
SHORT = 2
# another letter that no casefolded text has, and all bytes but it and the end
MARK = "Y"
OTHERS = bytes(code for code in range(256) if chr(code) not in {MARK, END})
# one document of so many that have a text: to count up to each of more takes longer than to look at all letters
FEW = 6
# of the number of a document, with which its text begins: the end of its day, and where its place of the day begins
NUMBERED_LIKE = re.compile("([0-9]*)-([0-9]*)")

CONTACTS = Statement(CALLED)
MONTHS = Statement(
    f"SELECT DISTINCT month FROM search_block WHERE {THIS} AND month BETWEEN :first AND :last ORDER BY month"
)
NUMBERED = Query[tuple[int, str, str]](
    tuple, f"SELECT id, firsts, numbers FROM search_block WHERE {THIS} AND id IN (:blocks...)"
)
TEXTS = Query[tuple[int, str]](tuple, f"SELECT id, texts FROM search_block WHERE {THIS} AND id IN (:blocks...)")
IDS = Query[tuple[int, str]](tuple, f"SELECT id, document_ids FROM search_block WHERE {THIS} AND id IN (:blocks...)")


class BlockPlace(NamedTuple):
    """Where the documents of a block stand in lists."""

    id: int
    size: int
    first_id: int
    last_id: int
    days: str


PLACES = Query(
    BlockPlace, f"SELECT id, size, first_id, last_id, days FROM search_block WHERE {THIS} AND id IN (:blocks...)"
)
LOOSE = Query[tuple[int, int]](
    tuple,
    """SELECT block.id, loose.document_id FROM search_loose AS loose
    JOIN search_block AS block ON block.business_id = loose.business_id AND block.month = loose.month
    AND loose.document_id BETWEEN block.first_id AND block.last_id WHERE loose.business_id = :business_id""",
)
# what no column of blocks says: the tables and columns that link documents
LINKS = {
    "tags": ("document_tag", "tag_id"),
    "file": ("document_attachment", "attachment_id"),
    "tagged": ("document_mention", "user_id"),
}
# ids as one JSON list: a row for each takes five times as long
LISTED = {"sqlite": "json_group_array(document_id)", "postgresql": "CAST(json_agg(document_id) AS TEXT)"}
LINKED = {
    (name, dialect): Statement(f"SELECT {listed} FROM {table} WHERE {THIS} AND {column} = :{name}")
    for name, (table, column) in LINKS.items()
    for dialect, listed in LISTED.items()
}
# months, or days and ranges of ids
K = TypeVar("K", str, tuple[str, int])
BY_DAY = frozenset(("date_from", "date_to"))
BY_SHAPE = shapes.FILTERS.keys() | shapes.MARKS.keys()


class Found(NamedTuple):
    """What passes: the masks of blocks, and by day and id what no block has as it is."""

    months: Mapping[int, str]
    masks: Mapping[int, Mask]
    outside: Collection[tuple[str, int]]


def page(
    conn: Connection,
    business_id: int,
    clauses: Clauses,
    having: Collection[frozenset[int]],
    outside: Iterable[tuple[date, int]],
    *,
    limit: int,
    offset: int,
) -> tuple[int, list[int]]:
    """Return how many documents pass a search and other clauses, and the ids of one page of them, the latest first.

    `having` are the documents of the tag and of the file that are asked for, `outside` those that pass of what is newer
    than the blocks, or changed since it came into one.
    """
    found = _find(conn, business_id, clauses, having, [(day.isoformat(), document_id) for day, document_id in outside])
    counts = Counter(day[:7] for day, _ in found.outside)
    for number, mask in found.masks.items():
        counts[found.months[number]] += mask.bit_count()
    months, before = _around(counts, limit, offset)
    return counts.total(), _ordered(conn, business_id, found, months, limit, before)


def _around(counts: Mapping[K, int], limit: int, offset: int) -> tuple[set[K], int]:
    """Return the keys, from the last one, that a page lies in, and what of them stands before it."""
    inside, place, skipped = set[K](), 0, 0
    for key in sorted(counts, reverse=True):
        if place + counts[key] <= offset:
            skipped += counts[key]
        elif place < offset + limit:
            inside.add(key)
        place += counts[key]
    return inside, offset - skipped


def _ordered(
    conn: Connection, business_id: int, found: Found, months: Collection[str], limit: int, before: int
) -> list[int]:
    """Return the ids of a page of what passes in some months: those of few days, and of few blocks of these."""
    outside = [row for row in found.outside if row[0][:7] in months]
    masks = {number: mask for number, mask in found.masks.items() if found.months[number] in months}
    places = PLACES.all(conn, business_id=business_id, blocks=masks)
    ranges = _ranges([(place.first_id, place.last_id) for place in places] + [(one, one) for _, one in outside])
    counts = Counter((day, ranges[one, one]) for day, one in outside)
    for place in places:
        among = ranges[place.first_id, place.last_id]
        for day, count in counted(place.days, place.size, masks[place.id]).items():
            counts[day, among] += count
    inside, before = _around(counts, limit, before)
    rows = [(day, one) for day, one in outside if (day, ranges[one, one]) in inside]
    near = {among for _, among in inside}
    read = {place.id: place for place in places if ranges[place.first_id, place.last_id] in near}
    for number, document_ids in IDS.all(conn, business_id=business_id, blocks=read):
        place, flags = read[number], masks[number].to_bytes(read[number].size, "little")
        among = ranges[place.first_id, place.last_id]
        each = zip(decoded(place.days, place.size), integers(document_ids), strict=True)
        rows += [(day, one) for day, one in compress(each, flags) if (day, among) in inside]
    return [document_id for _, document_id in sorted(rows, reverse=True)[before : before + limit]]


def _ranges(ranges: Iterable[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Number ranges of ids in their order; those that overlap have one number."""
    numbers: dict[tuple[int, int], int] = {}
    number, end = 0, -1
    for one in sorted(ranges):
        number += one[0] > end
        end = max(end, one[1])
        numbers[one] = number
    return numbers


def integers(text: str) -> list[int]:
    """Read whole numbers with commas between."""
    return msgspec.json.decode(f"[{text}]", type=list[int])


def linked(conn: Connection, business_id: int, clauses: Clauses) -> list[frozenset[int]]:
    """Return the documents that have the tag that is asked for, and those that have the file."""
    texts = (
        LINKED[name, conn.dialect].value(conn, business_id=business_id, **clauses[name])
        for name in sorted(LINKS.keys() & clauses.keys())
    )
    return [frozenset(msgspec.json.decode(text or "[]", type=list[int])) for text in texts]


# --- masks -----------------------------------------------------------------------------------------


def _find(
    conn: Connection,
    business_id: int,
    clauses: Clauses,
    having: Collection[frozenset[int]],
    outside: Collection[tuple[str, int]],
) -> Found:
    search = clauses["search"]["search"]
    needle = Needle(held(search))
    called = set(CONTACTS.values(conn, business_id=business_id, search=search))
    choices = _choices(conn, business_id, clauses)
    by_name = _contacts(called)
    columns = {*needle.columns, *choices, *(["contacts"] if called else []), *(["document_ids"] if having else [])}
    months: dict[int, str] = {}
    masks: dict[int, Mask] = {}
    for part in _parts(conn, business_id, tuple(sorted(columns)), clauses):
        worded = needle.masks(conn, business_id, part)
        for number, block in part.items():
            mask = worded.get(number, 0)
            if called:
                mask |= by_name.mask(block.columns["contacts"], block.size)
            for name, choice in choices.items():
                mask = mask and mask & choice.mask(block.columns[name], block.size)
            for ids in having:
                mask = mask and _narrowed(mask, block, ids)
            if mask:
                months[number], masks[number] = block.month, mask
    _leave_out_loose(conn, business_id, masks)
    return Found(months, masks, outside)


def _leave_out_loose(conn: Connection, business_id: int, masks: dict[int, Mask]) -> None:
    """Take out of masks what was changed or deleted since it came into its block."""
    gone: dict[int, set[int]] = defaultdict(set)
    for number, document_id in LOOSE.all(conn, business_id=business_id):
        if number in masks:
            gone[number].add(document_id)
    for number, document_ids in IDS.all(conn, business_id=business_id, blocks=gone) if gone else ():
        masks[number] &= ~to_mask(bytes(map(gone[number].__contains__, integers(document_ids))))


def _narrowed(mask: Mask, block: Block, ids: frozenset[int]) -> Mask:
    """Leave of a mask the documents of these ids."""
    flags, left = mask.to_bytes(block.size, "little"), bytearray(block.size)
    passing = map(ids.__contains__, compress(integers(block.columns["document_ids"]), flags))
    for place in compress(compress(range(block.size), flags), passing):
        left[place] = 1
    return to_mask(left)


class Block(NamedTuple):
    """A block with some of its columns, by their names."""

    month: str
    size: int
    columns: Mapping[str, str]


def _parts(
    conn: Connection, business_id: int, columns: tuple[str, ...], clauses: Clauses
) -> Iterator[dict[int, Block]]:
    """Yield blocks by their ids, taken from the database a year at a time."""
    first, last = (day.isoformat()[:7] for day in _span(clauses))
    months = MONTHS.values(conn, business_id=business_id, first=first, last=last)
    for place in range(0, len(months), 12):
        year = months[place : place + 12]
        rows = _reading(columns).all(conn, business_id=business_id, first=year[0], last=year[-1])
        yield {
            number: Block(month, size, dict(zip(columns, values, strict=True))) for number, month, size, *values in rows
        }


@cache
def _reading(columns: tuple[str, ...]) -> Query[tuple[Any, ...]]:
    listed = ", ".join(("id", "month", "size", *columns))
    return Query(tuple, f"SELECT {listed} FROM search_block WHERE {THIS} AND month BETWEEN :first AND :last")


class Needle:
    """A text that is searched for: in wordings, in numbers, or in both.

    Whole texts are read where a document may have wording and number, of those blocks only; a part of the number of a
    document is found by its first two numbers.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._number = max(NUMBERS.findall(text), key=len, default="")
        self._is_number = bool(NUMBERS.fullmatch(text))
        self._wordings = _holding(NUMBERS.sub("0", text))
        self._firsts = _holding(text)
        self._part = NUMBERED_LIKE.fullmatch(text)
        self.columns = {"firsts", "numbers"} if self._is_number else {"wordings"}

    def masks(self, conn: Connection, business_id: int, blocks: Mapping[int, Block]) -> dict[int, Mask]:
        """Return which documents have it, by block."""
        if self._is_number:
            return {number: self._in_numbers(block) for number, block in blocks.items()}
        worded = {
            number: mask
            for number, block in blocks.items()
            if (mask := self._wordings.mask(block.columns["wordings"], block.size))
        }
        if not self._number or not worded:
            return worded
        if self._part is None:
            return self._read(conn, business_id, blocks, worded)
        elsewhere = _elsewhere(NUMBERS.sub("0", self._text))
        whole = [number for number in worded if elsewhere.mask(blocks[number].columns["wordings"], blocks[number].size)]
        masks = self._read(conn, business_id, blocks, whole) if whole else {}
        return masks | _numbered(conn, business_id, blocks, worded, worded.keys() - whole, *self._part.groups())

    def _in_numbers(self, block: Block) -> Mask:
        mask = self._firsts.mask(block.columns["firsts"], block.size)
        return mask if mask == _all(block.size) else mask | marked(block.columns["numbers"], self._text, block.size)

    def _read(
        self, conn: Connection, business_id: int, blocks: Mapping[int, Block], which: Collection[int]
    ) -> dict[int, Mask]:
        """Look through the whole texts of some blocks."""
        of = {"business_id": business_id, "blocks": which}
        if len(self._number) > SHORT:
            of["blocks"] = [
                number for number, *columns in NUMBERED.all(conn, **of) if any(self._number in one for one in columns)
            ]
        return {number: marked(texts, self._text, blocks[number].size) for number, texts in TEXTS.all(conn, **of)}


@cache
def _all(size: int) -> Mask:
    return to_mask(b"\1" * size)


def _elsewhere(wording: str) -> Choice:
    """Choose the wordings that hold another one elsewhere than in the number of a document, `0-0` at the beginning."""

    def is_elsewhere(value: str) -> bool:
        return wording in (value[2:] if value.startswith("0-0") else value)

    return Choice(lambda values: bytes(map(is_elsewhere, values.split(END))))


def _numbered(
    conn: Connection,
    business_id: int,
    blocks: Mapping[int, Block],
    worded: Mapping[int, Mask],
    which: Collection[int],
    day: str,
    place: str,
) -> dict[int, Mask]:
    """Look for documents whose first number ends in one text, and whose second begins with another."""
    days = Choice(lambda values: bytes(one.endswith(day) for one in values.split(END)))
    masks: dict[int, Mask] = {}
    for number, firsts, numbers in NUMBERED.all(conn, business_id=business_id, blocks=which):
        size = blocks[number].size
        mask = worded[number] & days.mask(firsts, size) if day else worded[number]
        masks[number] = mask & marked(END + numbers, END + place, size) if mask and place else mask
    return masks


def marked(lines: str, text: str, size: int) -> Mask:
    """Return which documents have a text in their lines, each with its end; what begins with an end begins a line."""
    if len(text) == 1:  # in most lines, and another letter in its place is made at once
        return _at_marks(lines.replace(text, MARK), size)
    pieces = lines.split(text)
    ends = text.count(END)
    if len(pieces) * FEW > size:
        return _at_marks((MARK + END * ends).join(pieces), size)
    few = bytearray(size)
    for number, place in enumerate(accumulate(map(str.count, pieces[:-1], repeat(END)))):
        few[place + number * ends] = 1
    return to_mask(few)


def _at_marks(lines: str, size: int) -> Mask:
    """Return which documents have a mark: of each is left its end, after its marks."""
    letters = lines.encode().translate(None, OTHERS)
    flags = letters.replace(f"{MARK}{END}".encode(), b"\1").replace(END.encode(), b"\0").translate(None, MARK.encode())
    return to_mask(flags[:size])


def _holding(text: str) -> Choice:
    return Choice(
        lambda values: bytes(map(contains, values.split(END), repeat(text))) if text in values else b"",
    )


def _choices(conn: Connection, business_id: int, clauses: Clauses) -> dict[str, Choice]:
    """Return what has to pass, by column."""
    choices: dict[str, Choice] = {}
    if by_shape := {name: clauses[name] for name in clauses.keys() & BY_SHAPE}:
        which = shapes.matching(conn, business_id, by_shape)
        wanted = {f"{shape}:{flags}" for shape in which.shapes for flags in which.flags}
        choices["shapes"] = Choice(lambda values: bytes(map(wanted.__contains__, values.split(END))))
    if clauses.keys() & BY_DAY:
        first, last = (day.isoformat() for day in _span(clauses))
        choices["days"] = Choice(lambda values: bytes(first <= day <= last for day in values.split(END)))
    if "contact" in clauses:
        choices["contacts"] = _contacts({clauses["contact"]["contact"]})
    return choices


def _contacts(ids: Collection[int]) -> Choice:
    return Choice(lambda values: bytes(map(ids.__contains__, integers(values.replace(END, ",")))))


def _span(clauses: Clauses) -> tuple[date, date]:
    """Return the first and the last day that pass."""
    of = clauses.get
    return of("date_from", {}).get("date_from", date.min), of("date_to", {}).get("date_to", date.max)
