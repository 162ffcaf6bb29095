"""Blocks of documents: what a thousand of a month are found by stands together, each kind in one text. SQL only.

Blocks are made late: once in a thousand new documents, by the one that is due. What is newer than the blocks
(`search_mark`), and what was changed or deleted since it came into one (`search_loose`, by triggers), is looked up
where it is. So `searches` finds at any time what a walk through all documents finds.

Of days, contacts, shapes and wordings a block has the different values, and of each document a letter or two that say
which of them: a thousand documents are looked through with one translation of letters. The wording of a text is what
is left when each of its numbers is written 0: a thousand documents have few, as they have few first numbers, the days
in the numbers of documents.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from itertools import compress
from typing import Any, NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, insert, update

# ends a value: a letter that no casefolded text has
END = "Z"
SIZE = 1000
# who is due: every so manieth document, new or changed
DUE = 1000
# as many as one of them folds
MOST = 8000

NUMBERS = re.compile("[0-9]+")
THIS = "business_id = :business_id"

# until the commit no document comes, goes, or is called otherwise
ALONE = Statement(f"SELECT count FROM tally WHERE {THIS} AND kind = 'document' FOR UPDATE")
MARK = Statement(f"SELECT document_id FROM search_mark WHERE {THIS}")
SET_MARK = Statement(
    """INSERT INTO search_mark (business_id, document_id) VALUES (:business_id, :document_id)
    ON CONFLICT (business_id) DO UPDATE SET document_id = excluded.document_id"""
)


class Row(NamedTuple):
    """A document as blocks have it; `shape` is that of its entries and its flags."""

    id: int
    day: str
    text: str
    contact: str
    shape: str


class Block(NamedTuple):
    """Documents of one month, as they are unpacked."""

    id: int
    document_ids: str
    days: str
    texts: str
    contacts: str
    shapes: str


BLOCKS = Query(
    Block,
    f"""SELECT id, document_ids, days, texts, contacts, shapes
    FROM search_block WHERE {THIS} AND month = :month ORDER BY id""",
)
LAST = Query[tuple[int, int]](
    tuple, f"SELECT id, size FROM search_block WHERE {THIS} AND month = :month ORDER BY id DESC LIMIT 1"
)
ONE = Query(
    Block, f"SELECT id, document_ids, days, texts, contacts, shapes FROM search_block WHERE {THIS} AND id = :id"
)
DROP = Statement(f"DELETE FROM search_block WHERE {THIS} AND id = :id")
CHANGED_MONTH = Query[tuple[str, int]](
    tuple,
    f"SELECT month, count(*) FROM search_loose WHERE {THIS} GROUP BY month ORDER BY count(*) DESC, month LIMIT 1",
)
CHANGED = Statement(f"SELECT document_id FROM search_loose WHERE {THIS} AND month = :month")
FOLDED = Statement(f"DELETE FROM search_loose WHERE {THIS} AND month = :month")
ROWS = """SELECT document.id, document.date, search_text, contact_id, shape_id, flags
    FROM document JOIN document_shape AS placed ON placed.document_id = document.id
    WHERE document.business_id = :business_id AND document.id"""
NEW, THESE = (
    Query[tuple[int, date, str, int | None, int, int]](tuple, f"{ROWS} {which}")
    for which in (
        "> :mark AND document.id <= :due ORDER BY document.id LIMIT :most",
        "IN (:ids...) ORDER BY document.id",
    )
)
BEHIND = Query[tuple[int, int]](
    tuple,
    """SELECT document.business_id, max(document.id) FROM document
    LEFT JOIN search_mark AS mark ON mark.business_id = document.business_id
    GROUP BY document.business_id, mark.document_id HAVING max(document.id) > coalesce(mark.document_id, 0)""",
)


def fold_when_due(conn: Connection, business_id: int, document_id: int) -> None:
    """Put what came and changed into blocks, if the document that is written is the one that has to."""
    if document_id % DUE == 0:
        fold(conn, business_id, document_id)


def fold(conn: Connection, business_id: int, due: int) -> None:
    """Put new documents up to one into blocks, and those that changed in one month."""
    ALONE.value(conn, business_id=business_id)
    _fold_new(conn, business_id, due)
    _fold_changed(conn, business_id, 1)


def fold_many_changed(conn: Connection, business_id: int) -> None:
    """Put documents into blocks again where so many of a month changed that they are in the way of searches."""
    ALONE.value(conn, business_id=business_id)
    while _fold_changed(conn, business_id, DUE):
        pass


def fold_all(conn: Connection) -> None:
    """Put the documents of all businesses into blocks."""
    for business_id, newest in BEHIND.all(conn):
        ALONE.value(conn, business_id=business_id)
        while _fold_new(conn, business_id, newest):
            pass


def mark_of(conn: Connection, business_id: int) -> int:
    """Return the newest document that is in a block."""
    return MARK.value(conn, business_id=business_id) or 0


def _fold_new(conn: Connection, business_id: int, due: int) -> bool:
    found = NEW.all(conn, business_id=business_id, mark=mark_of(conn, business_id), due=due, most=MOST)
    if found:
        SET_MARK.run(conn, business_id=business_id, document_id=found[-1][0])
        _put_in(conn, business_id, found)
    return bool(found)


def _fold_changed(conn: Connection, business_id: int, least: int) -> bool:
    """Fold the month in which most changed, if those are as many."""
    month, count = CHANGED_MONTH.one(conn, business_id=business_id) or ("", 0)
    if count < least:
        return False
    ids = CHANGED.values(conn, business_id=business_id, month=month)
    _take_out(conn, business_id, month, set(ids))
    FOLDED.run(conn, business_id=business_id, month=month)
    _put_in(conn, business_id, THESE.all(conn, business_id=business_id, ids=ids))
    return True


def _take_out(conn: Connection, business_id: int, month: str, gone: set[int]) -> None:
    for block in BLOCKS.all(conn, business_id=business_id, month=month):
        if gone.isdisjoint(map(int, block.document_ids.split(","))):
            continue
        left = [row for row in _unpacked(block) if row.id not in gone]
        if left:
            update(conn, "search_block", _packed(left), business_id=business_id, id=block.id)
        else:
            DROP.run(conn, business_id=business_id, id=block.id)


def _put_in(conn: Connection, business_id: int, found: Iterable[tuple[Any, ...]]) -> None:
    months: dict[str, list[Row]] = defaultdict(list)
    for document_id, day, text, contact_id, shape_id, flags in found:
        iso = day.isoformat()
        months[iso[:7]].append(Row(document_id, iso, text, str(contact_id or 0), f"{shape_id}:{flags}"))
    for month, rows in months.items():
        _append(conn, business_id, month, rows)


def _append(conn: Connection, business_id: int, month: str, rows: list[Row]) -> None:
    """Add documents to a month, and to its last block while that is small: to pack it again takes time."""
    last = LAST.one(conn, business_id=business_id, month=month)
    if last is not None and 2 * last[1] < SIZE and (block := ONE.one(conn, business_id=business_id, id=last[0])):
        room = SIZE - last[1]
        packed = _packed([*_unpacked(block), *rows[:room]])
        update(conn, "search_block", packed, business_id=business_id, id=block.id)
        rows = rows[room:]
    for place in range(0, len(rows), SIZE):
        packed = _packed(rows[place : place + SIZE])
        insert(conn, "search_block", {"business_id": business_id, "month": month, **packed})


def _packed(rows: list[Row]) -> dict[str, Any]:
    ids, days, texts, contacts, shapes = zip(*rows, strict=True)
    numbers = list(map(NUMBERS.findall, texts))
    return {
        "size": len(ids),
        "first_id": min(ids),
        "last_id": max(ids),
        "days": coded(days),
        "shapes": coded(shapes),
        "contacts": coded(contacts),
        "wordings": coded([NUMBERS.sub("0", text) for text in texts]),
        "firsts": coded([found[0] if found else "" for found in numbers]),
        "document_ids": ",".join(map(str, ids)),
        "numbers": "".join([f"{' '.join(found[1:])}{END}" for found in numbers]),
        "texts": "".join([f"{text}{END}" for text in texts]),
    }


def _unpacked(block: Block) -> list[Row]:
    ids = map(int, block.document_ids.split(","))
    texts = block.texts.split(END)[:-1]
    days, contacts, shapes = (decoded(column, len(texts)) for column in (block.days, block.contacts, block.shapes))
    return list(map(Row, ids, days, texts, contacts, shapes))


# --- columns ---------------------------------------------------------------------------------------

# letters of one byte for numbers: all of ASCII but the one that ends values, and the one that PostgreSQL cannot keep
LETTERS = "".join(map(chr, range(1, 128))).replace(END, "")
BASE = len(LETTERS)
BEFORE_END = LETTERS.index(chr(ord(END) + 1))
# from the byte of a letter to its number
NUMBERED = bytes(max(LETTERS.find(chr(code)), 0) for code in range(256))
# from the byte of a second letter to whether it is this one
SECOND = [(bytes(ord(letter)) + b"\1").ljust(256, b"\0") for letter in LETTERS]


def coded(values: Iterable[str]) -> str:
    """Return a column: the different values with their ends, then the number of each document's, in letters.

    Where there are more values than letters, a second letter of each document follows when all have the first.
    """
    listed = list(values)
    different = sorted(set(listed))
    numbers = {value: number for number, value in enumerate(different)}
    low = {value: LETTERS[number % BASE] for value, number in numbers.items()}
    column = "".join([f"{value}{END}" for value in different]) + "".join(map(low.__getitem__, listed))
    if len(different) > BASE:
        high = {value: LETTERS[number // BASE] for value, number in numbers.items()}
        column += "".join(map(high.__getitem__, listed))
    return column


def decoded(column: str, size: int) -> list[str]:
    """Return the value of each document."""
    values, _, letters = column.rpartition(END)
    different = values.split(END)
    low, high = (part.encode().translate(NUMBERED) for part in (letters[:size], letters[size:]))
    numbers = [one + BASE * more for one, more in zip(low, high, strict=True)] if high else low
    return list(map(different.__getitem__, numbers))


# One byte for each document of a block, 1 where it passes, as a whole number: such are joined by & and |.
Mask = int
Tables = list[tuple[bytes, bytes]]


class Choice:
    """Which values of a column pass; `passing` gets the values of a block as they stand there."""

    def __init__(self, passing: Callable[[str], bytes]) -> None:
        self._passing = passing
        self._known: dict[str, Tables] = {}

    def mask(self, column: str, size: int) -> Mask:
        """Return which documents of a block pass."""
        values, _, letters = column.rpartition(END)
        tables = self._known.get(values)
        if tables is None:
            tables = self._known[values] = _tables(self._passing(values))
        if not tables:
            return 0
        codes = letters.encode()
        if len(codes) == size:
            return to_mask(codes.translate(tables[0][0]))
        low, high = codes[:size], codes[size:]
        found = 0
        for table, places in tables:
            found |= to_mask(low.translate(table)) & to_mask(high.translate(places))
        return found


def _tables(passing: bytes) -> Tables:
    """Translate letters to whether their values pass: first letters, for each second letter that has such."""
    tables: Tables = []
    for number, place in enumerate(range(0, len(passing), BASE)):
        part = passing[place : place + BASE]
        if 1 in part:
            table = b"\0" + part[:BEFORE_END].ljust(BEFORE_END, b"\0") + b"\0" + part[BEFORE_END:]
            tables.append((table.ljust(256, b"\0"), SECOND[number]))
    return tables


def to_mask(flags: bytes | bytearray) -> Mask:
    """Make a mask of a byte for each document."""
    return int.from_bytes(flags, "little")


def counted(column: str, size: int, mask: Mask) -> Mapping[str, int]:
    """Return how many documents of a mask have each value."""
    if column.count(END) == 1:
        return {column.partition(END)[0]: mask.bit_count()}
    return Counter(compress(decoded(column, size), mask.to_bytes(size, "little")))
