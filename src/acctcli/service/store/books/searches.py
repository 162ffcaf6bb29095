"""Searches of documents: what is searched for stands together in blocks. SQL only.

To look through a million rows takes a second, through their texts on end some 30 ms. So the texts of a thousand
documents of a month are one text, and each ends with a letter that no casefolded text has. Blocks are made late: once
in a thousand new documents, by the one that is due. What is newer than the blocks (`search_mark`), and what was changed
or deleted since it came into one (`search_loose`, by triggers, with the text that the block still has), is looked up
where it is. So a search finds at any time what a walk through all documents finds.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, insert, update
from acctcli.service.store.patterns import held

END = "Z"
SIZE = 1000
# who is due: every so manieth document, new or changed
DUE = 1000
# as many as one of them folds
MOST = 8000
# of so many what passes is looked up by id, of more it is counted by month
FEW = 5000

THIS = "business_id = :business_id"
LIKE = r"search_text LIKE :search ESCAPE '\'"
CALLED = r"SELECT id FROM contact WHERE business_id = :business_id AND sort_name LIKE :search ESCAPE '\'"
LOOSE = f"id IN (SELECT document_id FROM search_loose WHERE {THIS})"

# until the commit no document comes, goes, or is called otherwise
ALONE = Statement(f"SELECT count FROM tally WHERE {THIS} AND kind = 'document' FOR UPDATE")
MARK = Statement(f"SELECT document_id FROM search_mark WHERE {THIS}")
SET_MARK = Statement(
    """INSERT INTO search_mark (business_id, document_id) VALUES (:business_id, :document_id)
    ON CONFLICT (business_id) DO UPDATE SET document_id = excluded.document_id"""
)
MONTHS = Statement(f"SELECT DISTINCT month FROM search_block WHERE {THIS} ORDER BY month")
TEXTS = Query[tuple[int, str, str]](
    tuple, f"SELECT id, month, texts FROM search_block WHERE {THIS} AND month BETWEEN :first AND :last"
)
IDS = Query[tuple[int, str]](tuple, f"SELECT id, document_ids FROM search_block WHERE {THIS} AND id IN (:blocks...)")


class Block(NamedTuple):
    """Documents of one month: their ids with commas between, and their texts, each with its end."""

    id: int
    size: int
    document_ids: str
    texts: str


BLOCKS = Query(
    Block, f"SELECT id, size, document_ids, texts FROM search_block WHERE {THIS} AND month = :month ORDER BY id"
)
LAST = Query(Block, f"{BLOCKS.text} DESC LIMIT 1")
DROP = Statement(f"DELETE FROM search_block WHERE {THIS} AND id = :block_id")
CHANGED_MONTH = Statement(
    f"SELECT month FROM search_loose WHERE {THIS} GROUP BY month ORDER BY count(*) DESC, month LIMIT 1"
)
CHANGED = Statement(f"SELECT document_id FROM search_loose WHERE {THIS} AND month = :month")
FOLDED = Statement(f"DELETE FROM search_loose WHERE {THIS} AND month = :month")
ROW = "SELECT id, date, search_text FROM document"
NEW = Query[tuple[int, date, str]](tuple, f"{ROW} WHERE {THIS} AND id > :mark AND id <= :due ORDER BY id LIMIT :most")
THESE = Query[tuple[int, date, str]](tuple, f"{ROW} WHERE {THIS} AND id IN (:ids...) ORDER BY id")


def fold_when_due(conn: Connection, business_id: int, document_id: int) -> None:
    """Put what came and changed into blocks, if the document that is written is the one that has to."""
    if document_id % DUE == 0:
        fold(conn, business_id, document_id)


def fold(conn: Connection, business_id: int, due: int) -> None:
    """Put new documents up to one into blocks, and those that changed in one month."""
    ALONE.value(conn, business_id=business_id)
    rows = NEW.all(conn, business_id=business_id, mark=_mark(conn, business_id), due=due, most=MOST)
    if rows:
        SET_MARK.run(conn, business_id=business_id, document_id=rows[-1][0])
    month = CHANGED_MONTH.value(conn, business_id=business_id)
    if month is not None:
        ids = CHANGED.values(conn, business_id=business_id, month=month)
        _take_out(conn, business_id, month, set(map(str, ids)))
        rows += THESE.all(conn, business_id=business_id, ids=ids)
        FOLDED.run(conn, business_id=business_id, month=month)
    by_month: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for document_id, day, text in rows:
        by_month[_month(day)].append((document_id, text))
    for month, found in by_month.items():
        _put_in(conn, business_id, month, found)


def _mark(conn: Connection, business_id: int) -> int:
    return MARK.value(conn, business_id=business_id) or 0


def _month(day: date) -> str:
    return day.isoformat()[:7]


def _take_out(conn: Connection, business_id: int, month: str, gone: set[str]) -> None:
    for block in BLOCKS.all(conn, business_id=business_id, month=month):
        every = list(zip(block.document_ids.split(","), block.texts.split(END), strict=False))
        left = [(document_id, text) for document_id, text in every if document_id not in gone]
        if not left:
            DROP.run(conn, business_id=business_id, block_id=block.id)
        elif len(left) < len(every):
            update(conn, "search_block", _packed(left), business_id=business_id, id=block.id)


def _put_in(conn: Connection, business_id: int, month: str, rows: list[tuple[int, str]]) -> None:
    last = LAST.one(conn, business_id=business_id, month=month)
    if last is not None and (room := SIZE - last.size) > 0:
        packed = _packed(rows[:room])
        more = {
            "size": last.size + packed["size"],
            "document_ids": f"{last.document_ids},{packed['document_ids']}",
            "texts": last.texts + packed["texts"],
        }
        update(conn, "search_block", more, business_id=business_id, id=last.id)
        rows = rows[room:]
    for place in range(0, len(rows), SIZE):
        packed = _packed(rows[place : place + SIZE])
        insert(conn, "search_block", {"business_id": business_id, "month": month, **packed})


def _packed(rows: Iterable[tuple[Any, str]]) -> dict[str, Any]:
    ids, texts = zip(*rows, strict=True)
    return {"size": len(ids), "document_ids": ",".join(map(str, ids)), "texts": "".join(f"{one}{END}" for one in texts)}


# --- finding ---------------------------------------------------------------------------------------

CONTACTS = Statement(CALLED)
MONTH = "substr(CAST(date AS VARCHAR(10)), 1, 7)"
# what no block has as it is, and what passes by its contact only: by id, and how many in each month
DIRECT = tuple(
    (
        Statement(f"SELECT id FROM document WHERE {THIS} AND {where} LIMIT :most"),
        Query[tuple[str, int]](
            tuple, f"SELECT {MONTH}, count(*) FROM document WHERE {THIS} AND {where} GROUP BY {MONTH}"
        ),
    )
    for where in (
        f"{LIKE} AND id > :mark",
        f"{LIKE} AND {LOOSE}",
        f"contact_id IN (:contacts...) AND NOT {LIKE}",
    )
)
STALE = Query[tuple[str, int]](
    tuple, f"SELECT month, count(*) FROM search_loose WHERE {THIS} AND {LIKE} GROUP BY month"
)


class Found(NamedTuple):
    """What a search found: all that may pass by id where they are few, else none; or how many pass in each month."""

    ids: list[int] | None
    months: Counter[str]


def find(conn: Connection, business_id: int, search: str) -> Found:
    """Search for a pattern of `patterns.holding`; what the ids name is to be looked at once more."""
    line = re.compile(f"{re.escape(held(search))}[^{END}]*{END}")
    months: Counter[str] = Counter()
    blocks: dict[int, list[int]] = {}
    total = 0
    for block_id, month, texts in _texts(conn, business_id):
        if count := len(line.findall(texts)):
            months[month] += count
            total += count
            if total <= FEW:  # which lines they are is only asked then
                blocks[block_id] = list(_lines(line, texts))
    of = {"business_id": business_id, "search": search}
    contacts = CONTACTS.values(conn, **of)
    direct = DIRECT if contacts else DIRECT[:-1]
    outside = {**of, "mark": _mark(conn, business_id), "contacts": contacts}
    if total <= FEW:
        ids = _named(conn, business_id, blocks)
        for statement, _ in direct:
            ids += statement.values(conn, **outside, most=FEW + 1)
        if len(ids) <= FEW:
            return Found(ids, months)
    for month, count in STALE.all(conn, **of):
        months[month] -= count
    for _, query in direct:
        for month, count in query.all(conn, **outside):
            months[month] += count
    return Found(None, +months)


def _texts(conn: Connection, business_id: int) -> Iterator[tuple[int, str, str]]:
    """Yield blocks, taken from the database a year at a time."""
    months = MONTHS.values(conn, business_id=business_id)
    for place in range(0, len(months), 12):
        year = months[place : place + 12]
        yield from TEXTS.all(conn, business_id=business_id, first=year[0], last=year[-1])


def _lines(line: re.Pattern[str], texts: str) -> Iterator[int]:
    """Yield the numbers of the lines that hold what is searched for."""
    number, place = 0, 0
    for found in line.finditer(texts):
        number += texts.count(END, place, found.start())
        place = found.start()
        yield number


def _named(conn: Connection, business_id: int, blocks: dict[int, list[int]]) -> list[int]:
    """Return the ids of documents by their lines in blocks."""
    named: list[int] = []
    for block_id, document_ids in IDS.all(conn, business_id=business_id, blocks=blocks):
        ids = document_ids.split(",")
        named += [int(ids[number]) for number in blocks[block_id]]
    return named
