"""Documents: SQL only. A document is a draft while its entries change; posting seals it (store/schema)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from acctcli.service.rules.posting import EntryLine
from acctcli.service.store.books import blocks, searches, shapes
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.marks import Mark
from acctcli.service.store.engine.statements import Query, Statement, columns, insert, update
from acctcli.service.store.listing import ALL, Clauses
from acctcli.service.store.rows import Rows


class DocumentRow(NamedTuple):
    """A document as it is stored; `blueprint` is the JSON text that goes to the wire, empty where it is long.

    `locked_by` is the VAT period whose lock locked it, null when it was locked by itself; `total_cents` the debit sum.
    `invoice_id` is the sales invoice whose actions write and delete it, `invoice_role` its part in the invoice's life.
    `is_seen` says that nothing was done to it since `seen_by` saw it, or commented on it by another.
    """

    id: int
    created_at: str
    updated_at: str
    number: str | None
    is_flagged: bool
    is_locked: bool
    is_draft: bool
    date: date
    description: str
    contact_id: int | None
    type: int
    blueprint: str
    blueprint_type: str
    balance_cents: int
    total_cents: int
    locked_by: int | None
    invoice_id: int | None
    invoice_role: str | None
    comment_at: str | None = None
    mention_at: str | None = None
    seen_at: str | None = None
    seen_by: int | None = None
    is_seen: bool = False

    @staticmethod
    def long_texts() -> frozenset[str]:
        """Name the columns that are read empty where they are long."""
        return frozenset({"blueprint"})


THIS = "business_id = :business_id"
SEARCHED = f"({searches.LIKE} OR contact_id IN ({searches.CALLED}))"
SHAPE = "(SELECT shape_id FROM document_shape WHERE document_id = document.id)"
FILED = f"document_id FROM document_attachment WHERE {THIS}"
HAS_FILE = """EXISTS (SELECT 1 FROM document_attachment AS file
    WHERE file.business_id = document.business_id AND file.document_id = document.id)"""
FLAGS = {
    "flagged": "is_flagged",
    "not_flagged": "NOT is_flagged",
    "locked": "is_locked",
    "not_locked": "NOT is_locked",
    "has_attachments": HAS_FILE,
    "no_attachments": f"NOT {HAS_FILE}",
}

# what lists are narrowed by; each takes the parameters named in it, if any
FILTERS = {
    "search": SEARCHED,
    "contact": "contact_id = :contact",
    "date_from": "date >= :date_from",
    "date_to": "date <= :date_to",
    "file": f"id IN (SELECT {FILED} AND attachment_id = :file)",
    "tags": "id IN (SELECT document_id FROM document_tag WHERE business_id = :business_id AND tag_id = :tags)",
    "tagged": f"id IN (SELECT document_id FROM document_mention WHERE {THIS} AND user_id = :tagged)",
    "number": "number = :number",
    "unseen": "NOT is_seen",
    "seen_before": "seen_at IS NOT NULL",
    "nothing": "false",
    **FLAGS,
    **{name: f"{SHAPE} IN (SELECT id FROM shape WHERE {THIS} AND {of})" for name, of in shapes.FILTERS.items()},
}
ROWS = Rows(DocumentRow, "document", "date DESC, id DESC", FILTERS)
# `get` with `for_update` keeps other writers away until the commit; entries leave the books with a document removed
get, several, remove = ROWS.get, ROWS.several, ROWS.remove

PAGES = {way: f"ORDER BY date {way}, id {way} LIMIT :limit OFFSET :offset" for way in ("DESC", "ASC")}
LATEST = "ORDER BY document.date DESC, document.id DESC"
# Of documents that pass by their shapes a page lies in a few months, and is read from their nearer end. Where many
# pass, walking through documents in order ends soon; where few do, those are sorted. CROSS JOIN keeps SQLite from
# walking in another order.
DAYS = "date BETWEEN :first AND :last"
WALKED, SORTED = (
    {way: Query(DocumentRow, text.replace("DESC", way) + f" ORDER BY date {way}, id {way}") for way in ("DESC", "ASC")}
    for text in (
        f"""SELECT * FROM (SELECT {columns(DocumentRow, "document")}
        FROM document CROSS JOIN document_shape AS found
        WHERE document.{THIS} AND document.{DAYS} AND found.document_id = document.id AND {shapes.CHOSEN}
        {LATEST} LIMIT :limit OFFSET :offset) AS page""",
        f"""WITH found AS MATERIALIZED (
            SELECT date AS day, document_id FROM document_shape WHERE {THIS} AND {shapes.CHOSEN} AND {DAYS})
        SELECT {columns(DocumentRow, "document")} FROM (
            SELECT document_id FROM found ORDER BY day DESC, document_id DESC LIMIT :limit OFFSET :offset) AS page
        CROSS JOIN document WHERE document.{THIS} AND document.id = page.document_id""",
    )
)
MANY = 4  # one in so many
BY_SHAPE = searches.BY_DAY | searches.BY_SHAPE
ONE_AT_MOST = frozenset(("number", "nothing"))
# what no block of searches has as it is
OUTSIDE = ("id > :mark", f"id IN (SELECT document_id FROM search_loose WHERE {THIS})")
LINKED = {
    name: (
        Statement(f"SELECT count(*) FROM {table} WHERE {THIS} AND {column} = :{name}"),
        {
            way: Query(
                DocumentRow,
                f"""SELECT {columns(DocumentRow, "document")} FROM {table} CROSS JOIN document
                WHERE document.business_id = {table}.business_id AND document.id = {table}.document_id
                AND {table}.business_id = :business_id AND {column} = :{name} {page}""",
            )
            for way, page in PAGES.items()
        },
        {
            way: Query(
                DocumentRow,
                f"""SELECT {columns(DocumentRow)} FROM document WHERE {THIS} AND EXISTS (
                SELECT 1 FROM {table} AS link WHERE link.business_id = document.business_id
                AND link.document_id = document.id AND link.{column} = :{name}) {page}""",
            )
            for way, page in PAGES.items()
        },
    )
    for name, (table, column) in searches.LINKS.items()
}
# no document has it
LARGEST_ID = 2**63 - 1
# of more a page is found sooner by walking through all documents than by sorting these
FEW = 2000


def list_page(
    conn: Connection, business_id: int, clauses: Clauses = ALL, *, limit: int, offset: int
) -> tuple[int, list[DocumentRow]]:
    """Return how many documents pass the clauses, and one page of them, the latest first."""
    if len(clauses) == 1:
        ((name, values),) = clauses.items()
        if name in LINKED:
            counting, linked, walked = LINKED[name]
            count = counting.value(conn, business_id=business_id, **values)
            queries = linked if count <= FEW else walked
            return count, _from_nearer_end(conn, queries, count, limit, offset, business_id=business_id, **values)
    if "search" in clauses and not clauses.keys() & ONE_AT_MOST:
        return _searched(conn, business_id, clauses, limit, offset)
    if clauses and clauses.keys() <= searches.BY_DAY:
        return _by_day(conn, business_id, clauses, limit, offset)
    if clauses and clauses.keys() <= BY_SHAPE:
        return _by_shape(conn, business_id, clauses, limit, offset)
    return ROWS.list_page(conn, business_id, clauses, limit=limit, offset=offset)


def _by_shape(
    conn: Connection, business_id: int, clauses: Clauses, limit: int, offset: int
) -> tuple[int, list[DocumentRow]]:
    """Find by shapes, flags and days only."""
    days = {name: clauses[name][name] for name in clauses.keys() & searches.BY_DAY}
    choice = shapes.matching(conn, business_id, {name: clauses[name] for name in clauses.keys() - searches.BY_DAY})
    count, window = _window(shapes.spans(conn, business_id, choice, days), limit, offset)
    if window is None:
        return count, []
    queries = WALKED if MANY * window.passing >= window.every else SORTED
    return count, window.rows(conn, queries, business_id=business_id, **choice._asdict())


def _by_day(
    conn: Connection, business_id: int, clauses: Clauses, limit: int, offset: int
) -> tuple[int, list[DocumentRow]]:
    """Find by days only: these lie side by side in the list of all, and rows in it are remembered."""
    days = {name: clauses[name][name] for name in clauses}
    choice = shapes.matching(conn, business_id, ALL)
    count, window = _window(shapes.spans(conn, business_id, choice, days), limit, offset)
    if window is None:
        return count, []
    begin = Mark(offset - window.before, (window.last, LARGEST_ID))
    until = f"until {days.get('date_to', date.max)}"
    limit = min(limit, count - offset)
    return count, ROWS.list_part(conn, business_id, until, begin, limit=limit, offset=offset)


def _searched(
    conn: Connection, business_id: int, clauses: Clauses, limit: int, offset: int
) -> tuple[int, list[DocumentRow]]:
    """Search, and narrow by all else that is asked for."""
    values: dict[str, Any] = {"business_id": business_id, "mark": blocks.mark_of(conn, business_id)}
    for parameters in clauses.values():
        values |= parameters
    having = searches.linked(conn, business_id, clauses)
    few = min(having, key=len, default=None)
    if few is not None and len(few) <= FEW:
        return _among(conn, few, frozenset(clauses), values, limit, offset)
    outside = [row for which in OUTSIDE for row in _passing(frozenset(clauses), which).all(conn, **values)]
    count, ids = searches.page(conn, business_id, clauses, having, outside, limit=limit, offset=offset)
    return count, _ordered(conn, business_id, ids)


def _among(
    conn: Connection, ids: Iterable[int], wanted: frozenset[str], values: dict[str, Any], limit: int, offset: int
) -> tuple[int, list[DocumentRow]]:
    """Search among few."""
    passing = sorted(_passing(wanted, "id IN (:ids...)").all(conn, **values, ids=ids), reverse=True)
    page = [document_id for _, document_id in passing[offset : offset + limit]]
    return len(passing), _ordered(conn, values["business_id"], page)


def _ordered(conn: Connection, business_id: int, ids: Collection[int]) -> list[DocumentRow]:
    rows = {row.id: row for row in several(conn, business_id, ids)}
    return [rows[document_id] for document_id in ids]


@cache
def _passing(wanted: frozenset[str], which: str) -> Query[tuple[date, int]]:
    """Look at some documents only, whatever else their clauses would find them by."""
    conditions = " AND ".join(FILTERS[name] for name in sorted(wanted))
    return Query(
        tuple,
        f"""WITH few AS MATERIALIZED (
            SELECT id, business_id, date, search_text, contact_id, is_flagged, is_locked
            FROM document WHERE {THIS} AND {which})
        SELECT date, id FROM few AS document WHERE {conditions}""",
    )


class Window(NamedTuple):
    """The days in which a page lies, how many documents of them pass, and what stands before and after the page."""

    first: date
    last: date
    passing: int
    every: int
    before: int
    limit: int

    def rows(self, conn: Connection, queries: Mapping[str, Query[DocumentRow]], **values: Any) -> list[DocumentRow]:
        """Read the page."""
        days = {"first": self.first, "last": self.last}
        return _from_nearer_end(conn, queries, self.passing, self.limit, self.before, **values, **days)


def _from_nearer_end(
    conn: Connection, queries: Mapping[str, Query[DocumentRow]], count: int, limit: int, offset: int, **values: Any
) -> list[DocumentRow]:
    """Read a page of so many documents, the latest first."""
    after = max(count - offset - limit, 0)
    if offset <= after:
        return queries["DESC"].all(conn, **values, limit=limit, offset=offset)
    return queries["ASC"].all(conn, **values, limit=max(min(limit, count - offset), 0), offset=after)[::-1]


def _window(spans: Iterable[shapes.Span], limit: int, offset: int) -> tuple[int, Window | None]:
    """Return how many documents pass in all, and where a page of them lies; None when it is empty."""
    count, inside, skipped = 0, list[shapes.Span](), 0
    for span in spans:
        if count + span.passing <= offset:
            skipped += span.passing
        elif count < offset + limit:
            inside.append(span)
        count += span.passing
    if not inside:
        return count, None
    passing, every = sum(span.passing for span in inside), sum(span.every for span in inside)
    before = offset - skipped
    return count, Window(inside[-1].first, inside[0].last, passing, every, before, limit)


BLUEPRINT = Statement(f"SELECT blueprint FROM document WHERE {THIS} AND id = :id")
SIZES = Query[tuple[int, int]](tuple, f"SELECT id, length(blueprint) FROM document WHERE {THIS} AND id IN (:ids...)")


def whole(conn: Connection, business_id: int, row: DocumentRow) -> DocumentRow:
    """Return a document with its blueprint also where that is long."""
    if row.blueprint:
        return row
    return row._replace(blueprint=BLUEPRINT.value(conn, business_id=business_id, id=row.id))


def sizes(conn: Connection, business_id: int, ids: Iterable[int]) -> dict[int, int]:
    """Return how long the blueprints of documents are, by id."""
    return dict(SIZES.all(conn, business_id=business_id, ids=ids))


# what is done to a document has not been seen
UNSEEN = {"is_seen": False}
# what a document is that nothing but its own writers keeps
FREE = {"locked_by": None, "invoice_id": None, "invoice_role": None}

# the sign keeps SQLite from reading all documents in the order of their ids
OF_INVOICES = Query(
    DocumentRow,
    f"""SELECT {columns(DocumentRow)} FROM document
    WHERE business_id = :business_id AND invoice_id IN (:ids...) ORDER BY +id""",
)


def of_invoices(conn: Connection, business_id: int, invoice_ids: Iterable[int]) -> list[DocumentRow]:
    """Return the documents that sales invoices are booked by."""
    return OF_INVOICES.all(conn, business_id=business_id, ids=invoice_ids)


def create(conn: Connection, values: Mapping[str, Any], lines: Collection[EntryLine] | None) -> int:
    """Insert an unsealed document and return its id; `lines` are what it will post, None for a draft."""
    document_id = insert(conn, "document", {**FREE, **values, "is_draft": True})
    flags = shapes.FLAGGED * values["is_flagged"] + shapes.LOCKED * values["is_locked"]
    shapes.place(conn, values["business_id"], document_id, values["date"], lines, flags)
    blocks.fold_when_due(conn, values["business_id"], document_id)
    return document_id


def unseal(
    conn: Connection,
    business_id: int,
    document_id: int,
    values: Mapping[str, Any],
    lines: Collection[EntryLine] | None,
) -> None:
    """Write the new values of a document and make it a draft, so that its entries may be replaced by `lines`."""
    update(conn, "document", {**values, **UNSEEN, "is_draft": True}, business_id=business_id, id=document_id)
    shapes.place(conn, business_id, document_id, values["date"], lines)
    blocks.fold_when_due(conn, business_id, document_id)


SEAL = Statement(f"UPDATE document SET is_draft = false WHERE {THIS} AND id = :id")


def seal(conn: Connection, business_id: int, document_id: int) -> None:
    """Post a document: its entries enter the books, and the database refuses it unless they balance."""
    SEAL.run(conn, business_id=business_id, id=document_id)


def set_flag(conn: Connection, business_id: int, document_id: int, is_flagged: bool, stamp: str) -> None:
    """Flag a document or take the flag off."""
    _touch(conn, business_id, document_id, stamp, is_flagged=is_flagged)


def set_lock(conn: Connection, business_id: int, document_id: int, is_locked: bool, stamp: str) -> None:
    """Lock or unlock a document: whoever does so by hand takes the lock over from the VAT period."""
    _touch(conn, business_id, document_id, stamp, is_locked=is_locked, locked_by=None)


def touch(conn: Connection, business_id: int, document_id: int, stamp: str) -> None:
    """Note that something that belongs to a document changed."""
    _touch(conn, business_id, document_id, stamp)


def _touch(conn: Connection, business_id: int, document_id: int, stamp: str, **values: Any) -> None:
    ROWS.change(conn, business_id, document_id, {**values, **UNSEEN, "updated_at": stamp})


def note(conn: Connection, business_id: int, document_id: int, values: Mapping[str, Any]) -> None:
    """Note what was said of a document, which does not change it."""
    ROWS.change(conn, business_id, document_id, values)


RELATED = Statement(f"UPDATE document SET is_seen = false WHERE {THIS} AND is_seen AND id IN (:ids...)")


def note_related(conn: Connection, business_id: int, document_ids: Iterable[int]) -> None:
    """Note that a relation of documents came, changed or went."""
    RELATED.run(conn, business_id=business_id, ids=document_ids)


MENTION = Statement(
    """INSERT INTO document_mention (business_id, document_id, user_id) VALUES (:business_id, :document_id, :user_id)
    ON CONFLICT (business_id, document_id, user_id) DO NOTHING"""
)


def mention(conn: Connection, business_id: int, document_id: int, user_ids: Iterable[int]) -> None:
    """Note who was mentioned in a comment on a document."""
    for user_id in user_ids:
        MENTION.run(conn, business_id=business_id, document_id=document_id, user_id=user_id)
