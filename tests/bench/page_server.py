"""Serve endless pages of 6 KB documents, far faster than any client reads them.

A page is made once per page size; later pages are copies with the ids patched in, so the
server costs a memory copy per page and the client under test is what the clock sees.
Every connection has a thread of its own: the added latency is slept there, so that eight
pages in flight wait together and not in a queue.

Run as `python -m tests.bench.page_server --rows 100000 [--latency-ms 50] [--row-bytes 6000]`;
the first line on stdout is the port.
"""

from __future__ import annotations

import argparse
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

FIRST_ID = 1_000_001
ID_WIDTH = 7
MAX_ROWS = 8_000_000  # ids keep seven digits, so that a page keeps its length
DEFAULT_PAGE_SIZE = 30
_FILLER_LINE = "Office supplies, April delivery, cost centre 1200"


def _mark() -> str:
    return "9" * ID_WIDTH


def _line(index: int) -> dict[str, object]:
    """Make one blueprint row of ordinary size."""
    return {
        "account_id": 4000 + index,
        "description": f"{_FILLER_LINE} {index:03d}",
        "vat_code": 2,
        "vat_rate": 25.50,
        "vat_method": 0,
        "amount": 62.75,
    }


def _ui_line(index: int) -> dict[str, object]:
    return {
        "account_name": "Purchases",
        "account_number": str(4000 + index),
        "vat_code": 2,
        "vat_rate": "25.50",
        "is_debet": True,
        "amount": 62.75,
    }


def _document(lines: int) -> dict[str, object]:
    return {
        "id": int(_mark()),
        "created_at": "2026-03-02T08:15:30Z",
        "updated_at": "2026-03-02T08:15:30Z",
        "number": f"260302-{_mark()}",
        "is_flagged": False,
        "is_locked": False,
        "is_draft": False,
        "date": "2026-03-02",
        "description": "Office supplies and travel, card purchase",
        "contact_id": 17,
        "contact_name": "Toimistotarvike Oy",
        "balance": -77.75,
        "attachment_ids": [101, 102],
        "type": 0,
        "blueprint": {
            "debet_account_id": None,
            "debet_entries": [_line(index) for index in range(lines)],
            "credit_account_id": 1910,
            "credit_entries": [],
            "expense_entries": [],
        },
        "blueprint_type": "PURCHASE",
        "import_data": None,
        "entry_ui_rows": [_ui_line(index) for index in range(lines)],
        "audit_trail_last_seen_at": None,
        "audit_trail_last_mention_at": None,
        "audit_trail_last_comment_at": None,
        "audit_trail_has_unseen_actions": False,
        "tag_ids": [3, 5],
        "relations": [],
        "relation_network_signals": "",
        "relation_entry_signals": "",
        "available_link_kinds": "",
        "eu_b2b_vat_details_missing": False,
        "eu_sale_to_private_person": False,
        "is_deletable": True,
        "shortcuts": [],
    }


def _encode(document: dict[str, object]) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def build_row(row_bytes: int) -> bytes:
    """Build one document of exactly `row_bytes` bytes whose id and number hold the mark 9999999."""
    small, large = len(_encode(_document(1))), len(_encode(_document(2)))
    lines = max(1, (row_bytes - small) // (large - small))
    document = _document(lines)
    missing = row_bytes - len(_encode(document))
    if missing < 0:
        raise ValueError(f"a document has at least {small} bytes")
    document["contact_name"] = f"{document['contact_name']}{'x' * missing}"
    return _encode(document)


@dataclass
class Pages:
    """Page bodies over `rows` documents; ids run down from the newest, as the service lists them."""

    rows: int
    row_bytes: int
    _templates: dict[int, tuple[bytes, list[tuple[int, int]]]] = field(default_factory=dict)

    def body(self, page: int, page_size: int) -> bytearray | None:
        """Return the page's JSON, or None when it is beyond the last."""
        first = (page - 1) * page_size
        if page < 1 or (first >= self.rows and page > 1):
            return None
        length = min(page_size, self.rows - first)
        results, slots = self._template(length)
        head = self._head(page, page_size, first + length)
        body = bytearray(head + results)
        self._patch(body, len(head), slots, first)
        return body

    def _head(self, page: int, page_size: int, end: int) -> bytes:
        following = page + 1 if end < self.rows else None
        previous = page - 1 if page > 1 else None
        envelope = {"count": self.rows, "next": following, "prev": previous, "size": page_size}
        return json.dumps(envelope).encode()[:-1] + b',"results":'

    def _template(self, length: int) -> tuple[bytes, list[tuple[int, int]]]:
        known = self._templates.get(length)
        if known is None:
            results = b"[" + b",".join([build_row(self.row_bytes)] * length) + b"]}"
            known = self._templates[length] = (results, list(_slots(results)))
        return known

    def _patch(self, body: bytearray, shift: int, slots: list[tuple[int, int]], first: int) -> None:
        newest = FIRST_ID + self.rows - 1 - first
        for index, pair in enumerate(slots):
            digits = b"%d" % (newest - index)
            for offset in pair:
                body[shift + offset : shift + offset + ID_WIDTH] = digits


def _slots(results: bytes) -> Iterator[tuple[int, int]]:
    """Yield, per row, where the id and the number stand."""
    mark, at = _mark().encode(), 0
    while (at := results.find(mark, at)) >= 0:
        number_at = results.find(mark, at + ID_WIDTH)
        yield at, number_at
        at = number_at + ID_WIDTH


def _number(query: dict[str, list[str]], name: str, default: int) -> int:
    return int(query.get(name, [str(default)])[0])


def answer(pages: Pages, target: str) -> list[bytes | bytearray]:
    """Return the pieces of the reply to GET `target`."""
    query = parse_qs(urlsplit(target).query)
    size = _number(query, "page_size", DEFAULT_PAGE_SIZE)
    body = pages.body(_number(query, "page", 1), size)
    if body is None:
        text = b'{"code":"not_found","detail":"Invalid page."}'
        return [_reply_head(b"404 Not Found", len(text)), text]
    return [_reply_head(b"200 OK", len(body)), body]


def _reply_head(status: bytes, length: int) -> bytes:
    return b"HTTP/1.1 %b\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (status, length)


def _requests(connection: socket.socket) -> Iterator[str]:
    """Yield the target of every request that arrives on a kept-alive connection."""
    received = b""
    while True:
        head, separator, rest = received.partition(b"\r\n\r\n")
        if separator:
            received = rest
            yield head.split(b" ", 2)[1].decode()
            continue
        chunk = connection.recv(65536)
        if not chunk:
            return
        received += chunk


def _serve_connection(connection: socket.socket, pages: Pages, latency: float) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        with connection:
            for target in _requests(connection):
                if latency:
                    time.sleep(latency)
                for piece in answer(pages, target):
                    connection.sendall(piece)
    except OSError:
        return  # the client went away: its own affair


def serve(listener: socket.socket, pages: Pages, latency: float) -> None:
    """Answer until the listener is shut down or the process ends."""
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_serve_connection, args=(connection, pages, latency), daemon=True).start()


def main() -> None:
    """Bind a free loopback port, say which, and serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--row-bytes", type=int, default=6_000)
    parser.add_argument("--latency-ms", type=float, default=0)
    options = parser.parse_args()
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(listener.getsockname()[1], flush=True)
    serve(listener, Pages(options.rows, options.row_bytes), options.latency_ms / 1000)


if __name__ == "__main__":
    main()
