"""What is kept of the shapes of documents, compared with a walk through all documents, entries and files."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from acctcli.service.store.engine.connection import Connection

Row = tuple[Any, ...]


def shape_faults(conn: Connection, business_id: int) -> list[str]:
    """Return what is kept and wrong of a business: shapes of documents, their parts, and how many there are a month."""
    documents = fetch(conn, "SELECT id, date, is_draft, is_flagged, is_locked FROM document", business_id)
    filed = {one for (one,) in fetch(conn, "SELECT document_id FROM document_attachment", business_id)}
    held: dict[int, set[Row]] = defaultdict(set)
    for document, *part in fetch(conn, "SELECT document_id, account_id, vat_code, vat_rate FROM entry", business_id):
        held[document].add(tuple(part))
    parts: dict[int, set[Row]] = defaultdict(set)
    for shape, *part in fetch(conn, "SELECT shape_id, account_id, vat_code, vat_rate FROM shape_part", business_id):
        parts[shape].add(tuple(part))
    shapes = {shape: text == "draft" for shape, text in fetch(conn, "SELECT id, parts FROM shape", business_id)}
    placed = fetch(conn, "SELECT document_id, shape_id, flags, date FROM document_shape", business_id)
    found = {(document, frozenset(parts[shape]), shapes[shape], flags, day) for document, shape, flags, day in placed}
    right = {
        (one, frozenset(held[one]), bool(is_draft), is_flagged + 2 * is_locked + 4 * (one in filed), day)
        for one, day, is_draft, is_flagged, is_locked in documents
    }
    counts = "SELECT shape_id, flags, month, count FROM document_count WHERE count <> 0 AND"
    kept = {(shape, flags, month): count for shape, flags, month, count in fetch(conn, counts, business_id)}
    counted = Counter((shape, flags, f"{day:%Y-%m}") for _, shape, flags, day in placed)
    return [
        *(f"placed: {one}" for one in found - right),
        *(f"missing: {one}" for one in right - found),
        *(f"counted: {one}" for one in kept.items() ^ counted.items()),
    ]


def fetch(conn: Connection, text: str, business_id: int) -> list[Row]:
    where = "" if text.endswith("AND") else "WHERE"
    return conn.fetch(f"{text} {where} business_id = {business_id}")[1]
