"""Shapes of documents: the accounts, VAT codes and VAT rates of their entries, or that it is a draft. SQL only.

Thousands of documents have the same shape. So what narrows a list by entries chooses among the shapes, what narrows it
by flags, locks and files among their eight combinations, and the number of documents of each shape, combination and
month, which triggers keep, says how many there are and where a page of them lies.
"""

from __future__ import annotations

import hashlib
from calendar import monthrange
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from acctcli.service.rules.posting import EntryLine
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, insert, insert_many
from acctcli.service.store.listing import Clauses

DRAFT = "draft"
LONGEST = 1000
FLAGGED, LOCKED, FILED = 1, 2, 4  # added up as schema/triggers.py does
PLACE = Statement(
    """INSERT INTO document_shape (document_id, business_id, shape_id, flags, date)
    SELECT :document_id, business_id, id, :flags, :date FROM shape
    WHERE business_id = :business_id AND parts = :parts
    ON CONFLICT (document_id) DO UPDATE SET shape_id = excluded.shape_id, date = excluded.date"""
)


def place(
    conn: Connection,
    business_id: int,
    document_id: int,
    day: date,
    lines: Collection[EntryLine] | None,
    flags: int = 0,
) -> None:
    """Note the shape of a document by its entries, None for a draft; its flags when it is new: triggers keep them."""
    parts = sorted({(line.account_id, line.vat_code, line.vat_rate) for line in lines or ()})
    text = " ".join([f"{account}:{code}:{rate}" for account, code, rate in parts]) if lines is not None else DRAFT
    if len(text) > LONGEST:
        text = hashlib.sha256(text.encode()).hexdigest()
    values = {"document_id": document_id, "business_id": business_id, "date": day, "flags": flags, "parts": text}
    if PLACE.run(conn, **values):
        return
    shape_id = insert(conn, "shape", {"business_id": business_id, "parts": text})
    names = "account_id", "vat_code", "vat_rate"
    of_shape = {"business_id": business_id, "shape_id": shape_id}
    insert_many(conn, "shape_part", [{**of_shape, **dict(zip(names, part, strict=True))} for part in parts])
    PLACE.run(conn, **values)


PARTS = "id IN (SELECT shape_id FROM shape_part WHERE business_id = :business_id AND {})"
TYPED = """id IN (SELECT shape_id FROM shape_part
    JOIN account ON account.business_id = shape_part.business_id AND account.id = shape_part.account_id
    WHERE shape_part.business_id = :business_id AND account.type {})"""
INCOME, EXPENSE = TYPED.format("LIKE 'REV%'"), TYPED.format("LIKE 'EXP%'")
# what narrows a list of documents by their shapes; each takes the parameters named in it, if any
FILTERS = {
    "account": PARTS.format("account_id = :account"),
    "account_types": TYPED.format("IN (:account_types...)"),
    "income": INCOME,
    "no_income": f"NOT {INCOME}",
    "expense": EXPENSE,
    "no_expense": f"NOT {EXPENSE}",
    "draft": f"parts = '{DRAFT}'",
    "posted": f"parts <> '{DRAFT}'",
    "vat_code": PARTS.format("vat_code = :vat_code"),
    "vat_rate": PARTS.format("vat_rate = :vat_rate"),
}
# what narrows it by their flags: which flag, and whether it is there
MARKS = {
    "flagged": (FLAGGED, True),
    "not_flagged": (FLAGGED, False),
    "locked": (LOCKED, True),
    "not_locked": (LOCKED, False),
    "has_attachments": (FILED, True),
    "no_attachments": (FILED, False),
}


class Choice(NamedTuple):
    """The shapes that pass, and the flags."""

    shapes: list[int]
    flags: list[int]


def matching(conn: Connection, business_id: int, clauses: Clauses) -> Choice:
    """Return what passes clauses, all of them of `FILTERS` or `MARKS`."""
    values: dict[str, Any] = {}
    for parameters in clauses.values():
        values |= parameters
    marks = [MARKS[name] for name in clauses.keys() & MARKS.keys()]
    flags = [flags for flags in range(8) if all(bool(flags & mark) == there for mark, there in marks)]
    statement = _choice(frozenset(clauses.keys() - MARKS.keys()))
    return Choice(statement.values(conn, business_id=business_id, **values), flags)


@cache
def _choice(wanted: frozenset[str]) -> Statement:
    conditions = (FILTERS[name] for name in sorted(wanted))
    return Statement(" AND ".join(("SELECT id FROM shape WHERE business_id = :business_id", *conditions)))


def days_of(month: str) -> tuple[date, date]:
    """Return the first and the last day of YYYY-MM."""
    first = date.fromisoformat(f"{month}-01")
    return first, first.replace(day=monthrange(first.year, first.month)[1])


class Span(NamedTuple):
    """Days of one month: how many documents pass, and how many there are in the whole month."""

    first: date
    last: date
    passing: int
    every: int


CHOSEN = "shape_id IN (:shapes...) AND flags IN (:flags...)"
MONTHS = Query[tuple[str, int, int]](
    tuple,
    f"""SELECT month, CAST(sum(CASE WHEN {CHOSEN} THEN count ELSE 0 END) AS BIGINT),
    CAST(sum(count) AS BIGINT) FROM document_count WHERE business_id = :business_id GROUP BY month
    HAVING sum(CASE WHEN {CHOSEN} THEN count ELSE 0 END) > 0 ORDER BY month DESC""",
)
PART = Statement(
    f"""SELECT count(*) FROM document_shape
    WHERE business_id = :business_id AND {CHOSEN} AND date BETWEEN :first AND :last"""
)


def spans(conn: Connection, business_id: int, choice: Choice, days: Mapping[str, date]) -> Iterator[Span]:
    """Yield the months in which there are documents chosen, the latest first; `days` are `date_from`, `date_to`."""
    first_day, last_day = days.get("date_from", date.min), days.get("date_to", date.max)
    chosen = choice._asdict()
    for month, passing, every in MONTHS.all(conn, business_id=business_id, **chosen):
        whole, end = days_of(month)
        first, last = max(whole, first_day), min(end, last_day)
        if first > last:
            continue
        if (first, last) != (whole, end):
            passing = PART.value(  # noqa: PLW2901
                conn, business_id=business_id, **chosen, first=first, last=last
            )
        yield Span(first, last, passing, every)
